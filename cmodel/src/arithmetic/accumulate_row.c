/* SPDX-License-Identifier: Apache-2.0 */
/* The same sums as accumulate.c, eight elements at a time in the compilers' vector types: no branches, selects by mask. */
#include "moehub/accumulate.h"

#include "common/vector_clones.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef uint16_t half_t __attribute__((vector_size(2 * MOEHUB_LANES)));
typedef uint32_t word_t __attribute__((vector_size(4 * MOEHUB_LANES)));
typedef int32_t lane_t __attribute__((vector_size(4 * MOEHUB_LANES))); /* a comparison gives 0 or -1 in each lane */

/* Eight elements as decompose() of accumulate.c gives one. */
struct pieces {
    lane_t piece[MOEHUB_BINS_MAX]; /* piece 3 stays zero: three hold every significand */
    lane_t top;
    lane_t special;
    lane_t sign; /* 0, or -1 where negative */
};

ALWAYS_INLINE void load(unsigned element, const unsigned char *bytes, word_t *x)
{
    if (element == MOEHUB_ELEMENT_FP32) {
        memcpy(x, bytes, sizeof *x);
    } else {
        half_t halves;
        memcpy(&halves, bytes, sizeof halves);
        *x = __builtin_convertvector(halves, word_t);
    }
}

ALWAYS_INLINE void decompose_lanes(unsigned element, const word_t *x, struct pieces *pieces)
{
    const uint32_t fraction_bits = moehub_element_fraction_bits(element);
    const uint32_t exponent_bits = moehub_element_exponent_bits(element);
    const uint32_t exponent_max = (1u << exponent_bits) - 1;
    const word_t exponent = *x >> fraction_bits & exponent_max;
    const word_t fraction = *x & ((1u << fraction_bits) - 1);
    const word_t subnormal = (word_t)(exponent == 0);
    const word_t special = (word_t)(exponent == exponent_max);
    const word_t nan = special & (word_t)(fraction != 0);
    const word_t negative = *x >> (fraction_bits + exponent_bits);

    pieces->sign = -(lane_t)negative;
    pieces->special = (lane_t)((special & (1 + (negative & 1))) | (nan & MOEHUB_SPECIAL_NAN));

    /* A comparison's true is -1: subtracting it adds the one that exponent field 0 lacks. */
    const word_t significand = (fraction | (~subnormal & 1u << fraction_bits)) & ~special;
    const word_t leading = exponent - subnormal - 1 + fraction_bits;
    const word_t shift = leading % MOEHUB_BIN_POSITIONS;
    const word_t empty_top = special & (fraction_bits / MOEHUB_BIN_POSITIONS);
    pieces->top = (lane_t)((leading / MOEHUB_BIN_POSITIONS & ~special) | empty_top);

    if (element == MOEHUB_ELEMENT_FP32) {
        pieces->piece[0] = (lane_t)(significand >> (fraction_bits - shift));
        pieces->piece[1] = (lane_t)(significand << shift >> 7 & 0xffff);
        pieces->piece[2] = (lane_t)(significand << shift << 9 & 0xffff);
    } else {
        const word_t window = significand << (shift + MOEHUB_BIN_POSITIONS - fraction_bits);
        pieces->piece[0] = (lane_t)(window >> MOEHUB_BIN_POSITIONS);
        pieces->piece[1] = (lane_t)(window & 0xffff);
        pieces->piece[2] = (lane_t){0};
    }
    pieces->piece[3] = (lane_t){0};
}

/* Bin j takes bin i <= j of the state where that moves down by j - i, and so for the pieces. */
ALWAYS_INLINE void add(struct moehub_accumulator_lanes *state, unsigned bins, const struct pieces *pieces)
{
    lane_t bin[MOEHUB_BINS_MAX];
    lane_t top;
    lane_t special;
    memcpy(bin, state->bin, sizeof bin);
    memcpy(&top, state->top, sizeof top);
    memcpy(&special, state->special, sizeof special);

    const lane_t above = pieces->top - top;
    const lane_t state_depth = above & (above > 0);
    const lane_t piece_depth = -above & (above < 0);
    for (unsigned j = 0; j < bins; j++) {
        lane_t stored = {0};
        lane_t piece = {0};
        for (unsigned i = 0; i <= j; i++) {
            stored |= bin[i] & (state_depth == (int32_t)(j - i));
            piece |= pieces->piece[i] & (piece_depth == (int32_t)(j - i));
        }
        const lane_t sum = stored + ((piece ^ pieces->sign) - pieces->sign);
        memcpy(state->bin[j], &sum, sizeof sum);
    }
    top += state_depth;
    special |= pieces->special;
    memcpy(state->top, &top, sizeof top);
    memcpy(state->special, &special, sizeof special);
}

ALWAYS_INLINE void add_elements(struct moehub_accumulator_lanes *row, unsigned bins, unsigned element,
                                const unsigned char *elements, size_t count)
{
    const size_t size = element == MOEHUB_ELEMENT_FP32 ? sizeof(uint32_t) : sizeof(uint16_t);
    struct pieces pieces;
    word_t x;
    size_t i = 0;
    for (; i + MOEHUB_LANES <= count; i += MOEHUB_LANES) {
        load(element, elements + i * size, &x);
        decompose_lanes(element, &x, &pieces);
        add(row++, bins, &pieces);
    }
    if (i < count) {
        unsigned char rest[MOEHUB_LANES * sizeof(uint32_t)] = {0};
        memcpy(rest, elements + i * size, (count - i) * size);
        load(element, rest, &x);
        decompose_lanes(element, &x, &pieces);
        add(row, bins, &pieces);
    }
}

/* One loop per type, so that shifts and masks are constants in it. */
ALWAYS_INLINE void add_row(struct moehub_accumulator_lanes *row, unsigned bins, unsigned element,
                           const unsigned char *elements, size_t count)
{
    switch (element) {
    case MOEHUB_ELEMENT_FP32: add_elements(row, bins, MOEHUB_ELEMENT_FP32, elements, count); break;
    case MOEHUB_ELEMENT_FP16: add_elements(row, bins, MOEHUB_ELEMENT_FP16, elements, count); break;
    default: add_elements(row, bins, MOEHUB_ELEMENT_BF16, elements, count); break;
    }
}

VECTOR_CLONES
void moehub_accumulate_add_row(const struct moehub_arithmetic *arithmetic, struct moehub_accumulator_lanes *row,
                               unsigned element, const void *elements, size_t count)
{
    switch (arithmetic->bins) {
    case 2: add_row(row, 2, element, elements, count); break;
    case 3: add_row(row, 3, element, elements, count); break;
    default: add_row(row, 4, element, elements, count); break;
    }
}

void moehub_accumulate_empty_row(struct moehub_accumulator_lanes *row, size_t count, unsigned element)
{
    struct moehub_accumulator_lanes empty = {.top = {0}};
    for (unsigned lane = 0; lane < MOEHUB_LANES; lane++)
        empty.top[lane] = (int32_t)(moehub_element_fraction_bits(element) / MOEHUB_BIN_POSITIONS);
    for (size_t i = 0; i < count; i += MOEHUB_LANES)
        *row++ = empty;
}
