/* SPDX-License-Identifier: Apache-2.0 */
/* Model of moehub_accumulate: the order-independent sum of floating-point elements (rtl/doc/arithmetic.md).
 *
 * An accumulator holds one element's sum in `bins` signed bins of 16 positions each, of which `bin[0]` covers
 * positions 16 * top .. 16 * top + 15 and `bin[j]` the j-th 16 below. Any order of the same elements gives the same
 * accumulator, to the bit. Positions count from the smallest subnormal bit of the element type.
 *
 * Nothing here checks that a sum has at most max_contributors elements, all of one type: that is the caller's contract.
 */
#ifndef MOEHUB_ACCUMULATE_H
#define MOEHUB_ACCUMULATE_H

#include <stddef.h>
#include <stdint.h>

#include "moehub/defines.h"

#define MOEHUB_BINS_MAX 4

/* Parameters of the arithmetic, as in the RTL. */
struct moehub_arithmetic {
    unsigned bins;             /* K: 2..4, 3 by default */
    unsigned max_contributors; /* 1..1024, 64 by default */
    unsigned bin_width;        /* derived: 16 + ceil(log2 max_contributors) + 1 */
};

struct moehub_accumulator {
    int32_t bin[MOEHUB_BINS_MAX]; /* bins beyond K stay 0 */
    uint8_t top;
    uint8_t special; /* MOEHUB_SPECIAL_*, combined by OR */
};

/* Eight neighbouring elements side by side, the shape that vector units like: a row of n elements is (n + 7) / 8 of
 * these, element i in lane i % 8 of number i / 8. Lanes beyond the row's end are undefined. */
enum { MOEHUB_LANES = 8 };

struct moehub_accumulator_lanes {
    int32_t bin[MOEHUB_BINS_MAX][MOEHUB_LANES];
    int32_t top[MOEHUB_LANES];
    int32_t special[MOEHUB_LANES];
};

/* The RTL's packed state {special, top, bin 0 .. bin K-1}, bit 0 in bit 0 of word[0]. */
struct moehub_packed_state {
    uint64_t word[2];
};

/* Fills in the parameters; MOEHUB_E_ARGUMENT when one is out of its range. */
int moehub_arithmetic_init(struct moehub_arithmetic *arithmetic, unsigned bins, unsigned max_contributors);

/* Bits of the packed state: 7 + bins * bin_width (76 by default). */
unsigned moehub_arithmetic_state_width(const struct moehub_arithmetic *arithmetic);

/* Fraction bits of a type (M): 7, 10, 23. */
static inline unsigned moehub_element_fraction_bits(unsigned element)
{
    return element == MOEHUB_ELEMENT_FP32 ? 23 : element == MOEHUB_ELEMENT_FP16 ? 10 : 7;
}

/* Exponent bits of a type: 8, 5, 8. */
static inline unsigned moehub_element_exponent_bits(unsigned element)
{
    return element == MOEHUB_ELEMENT_FP16 ? 5 : 8;
}

/* The state before the first element: no value, and the top bin of a zero. */
void moehub_accumulate_empty(struct moehub_accumulator *accumulator, unsigned element);

/* Adds one element `x` (a 16-bit type in the low half). */
void moehub_accumulate_add(const struct moehub_arithmetic *arithmetic, struct moehub_accumulator *accumulator,
                           unsigned element, uint32_t x);

/* A row of `count` accumulators: empties it; adds `count` consecutive elements, as they lie in memory (uint16_t or
 * uint32_t, any alignment), one to each (some 290 M elements/s on a 2-core cloud machine). */
void moehub_accumulate_empty_row(struct moehub_accumulator_lanes *row, size_t count, unsigned element);
void moehub_accumulate_add_row(const struct moehub_arithmetic *arithmetic, struct moehub_accumulator_lanes *row,
                               unsigned element, const void *elements, size_t count);

/* Element `index` of a row on its own. */
static inline void moehub_accumulator_lane(const struct moehub_accumulator_lanes *row, size_t index,
                             struct moehub_accumulator *accumulator)
{
    const struct moehub_accumulator_lanes *lanes = &row[index / MOEHUB_LANES];
    const size_t lane = index % MOEHUB_LANES;
    for (unsigned j = 0; j < MOEHUB_BINS_MAX; j++)
        accumulator->bin[j] = lanes->bin[j][lane];
    accumulator->top = (uint8_t)lanes->top[lane];
    accumulator->special = (uint8_t)lanes->special[lane];
}

/* The RTL's packed state; MOEHUB_E_LIMIT when a bin does not fit its width (more elements than max_contributors). */
int moehub_accumulator_pack(const struct moehub_arithmetic *arithmetic, const struct moehub_accumulator *accumulator,
                            struct moehub_packed_state *packed);

void moehub_accumulator_unpack(const struct moehub_arithmetic *arithmetic, const struct moehub_packed_state *packed,
                               struct moehub_accumulator *accumulator);

#endif
