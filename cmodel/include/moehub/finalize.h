/* SPDX-License-Identifier: Apache-2.0 */
/* Model of moehub_finalize: the floating-point word of a sum (rtl/doc/arithmetic.md, "Finalize"). */
#ifndef MOEHUB_FINALIZE_H
#define MOEHUB_FINALIZE_H

#include "moehub/accumulate.h"

#include <stdbool.h>

/* The sum in `accumulator`, whose elements were of type `element`, rounded once, to nearest, ties to even, to fp32 if
 * `out_fp32`, else to `element`. A 16-bit result sits in the low half. A zero sum is +0, too large a sum infinity,
 * a NaN the canonical one (7FC0, 7E00, 7FC00000). */
uint32_t moehub_finalize(const struct moehub_arithmetic *arithmetic, const struct moehub_accumulator *accumulator,
                         unsigned element, bool out_fp32);

/* Finalizes `count` accumulators into consecutive words as they lie in memory: uint32_t if the result is fp32,
 * uint16_t otherwise, any alignment. */
void moehub_finalize_row(const struct moehub_arithmetic *arithmetic, const struct moehub_accumulator_lanes *row,
                         unsigned element, bool out_fp32, void *words, size_t count);

#endif
