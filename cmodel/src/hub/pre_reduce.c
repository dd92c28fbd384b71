/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/pre_reduce.h"

#include "moehub/finalize.h"

/* The smallest elements that can be summed have two bytes. */
enum { LANES_MAX = MOEHUB_LENGTH_MAX / 2 / MOEHUB_LANES };

void moehub_pre_reduce(const struct moehub_arithmetic *arithmetic, unsigned element, const void *const *pieces,
                       unsigned count, size_t elements, void *sum)
{
    struct moehub_accumulator_lanes lanes[LANES_MAX];
    moehub_accumulate_empty_row(lanes, elements, element);
    for (unsigned i = 0; i < count; i++)
        moehub_accumulate_add_row(arithmetic, lanes, element, pieces[i], elements);
    moehub_finalize_row(arithmetic, lanes, element, false, sum, elements);
}
