/* SPDX-License-Identifier: Apache-2.0 */
/* Local reduction on a GPU: several pieces of rows become one.
 *
 * pre_reduce sums what the GPU's own targets return for a piece of a row, so that one partial leaves instead of several;
 * the owner of a row adds the network's result and its own partial in the same way.
 *
 * The pieces are summed by moehub_accumulate_add_row() from the empty state and rounded once by moehub_finalize_row() to
 * their own type: any order of them gives the same bits. One piece is a sum of one: -0 becomes +0, and a NaN the canonical
 * one, as in the hub's lanes (rtl/doc/hub/reduce.md section 2). */
#ifndef MOEHUB_PRE_REDUCE_H
#define MOEHUB_PRE_REDUCE_H

#include "moehub/accumulate.h"
#include "moehub/packet.h"

/* pieces[0 .. count-1], count at least 1 and at most the arithmetic's max_contributors, each hold `elements` of type
 * `element` (bf16, fp16 or fp32; uint16_t or uint32_t, any alignment), at most MOEHUB_LENGTH_MAX bytes; so does `sum`,
 * which may be one of them. */
void moehub_pre_reduce(const struct moehub_arithmetic *arithmetic, unsigned element, const void *const *pieces,
                       unsigned count, size_t elements, void *sum);

#endif
