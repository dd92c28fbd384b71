/* SPDX-License-Identifier: Apache-2.0 */
#include "system/golden_sum.h"

#include "moehub/defines.h"
#include "common/vector_clones.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define WINDOW_BINS 3

/* Elements side by side, in the compilers' vector types. */
enum { LANES = 8 };
typedef uint16_t half_t __attribute__((vector_size(2 * LANES)));
typedef uint32_t word_t __attribute__((vector_size(4 * LANES)));
typedef int32_t lane_t __attribute__((vector_size(4 * LANES)));   /* a comparison gives 0 or -1 in each lane */
typedef float real_t __attribute__((vector_size(4 * LANES)));
typedef float half_real_t __attribute__((vector_size(2 * LANES)));
typedef double half_exact_t __attribute__((vector_size(4 * LANES)));

/* LANES doubles, in the size of a vector register. */
struct exact {
    half_exact_t half[2];
};

/* Fraction bits, exponent bits, and the exponent of 1.0. */
struct format {
    unsigned fraction;
    unsigned exponent;
    int bias;
};

ALWAYS_INLINE struct format format_of(unsigned type)
{
    if (type == MOEHUB_ELEMENT_FP32)
        return (struct format){23, 8, 127};
    return type == MOEHUB_ELEMENT_FP16 ? (struct format){10, 5, 15} : (struct format){7, 8, 127};
}

/* Up to LANES elements of a row, zeros after its end. */
ALWAYS_INLINE void load(unsigned type, const void *row, size_t first, size_t count, word_t *words)
{
    const size_t size = type == MOEHUB_ELEMENT_FP32 ? sizeof(uint32_t) : sizeof(uint16_t);
    const unsigned char *from = (const unsigned char *)row + first * size;
    unsigned char rest[sizeof *words] = {0};
    if (count < LANES)
        from = memcpy(rest, from, count * size);
    if (type == MOEHUB_ELEMENT_FP32) {
        memcpy(words, from, sizeof *words);
    } else {
        half_t halves;
        memcpy(&halves, from, sizeof halves);
        *words = __builtin_convertvector(halves, word_t);
    }
}

/* Positions of the significands' bits 0; exponent field 0 counts as 1. */
ALWAYS_INLINE void lowest_bits(struct format format, const word_t *words, lane_t *lowest)
{
    const lane_t field = (lane_t)(*words >> format.fraction & ((1u << format.exponent) - 1));
    *lowest = field + (field != 0);
}

/* The words without their bits below a position: toward zero. */
ALWAYS_INLINE void cut(struct format format, word_t *words, const lane_t *windows)
{
    lane_t lowest;
    lowest_bits(format, words, &lowest);
    const lane_t drop = *windows - lowest;
    const word_t kept = ~(word_t){0} << (word_t)(drop & (drop > 0) & 31);
    *words &= kept & (word_t)(drop <= (int32_t)format.fraction);
}

/* Adds the words' values: every one is a float's. */
ALWAYS_INLINE void add_values(unsigned type, const word_t *words, struct exact *sums)
{
    word_t bits = *words;
    if (type == MOEHUB_ELEMENT_BF16)
        bits <<= 16;
    real_t reals;
    memcpy(&reals, &bits, sizeof reals);
    if (type == MOEHUB_ELEMENT_FP16) {
        /* Significand times a power of two that carries the sign; position 0 is 2^-24. */
        lane_t lowest;
        lowest_bits(format_of(type), words, &lowest);
        const word_t normal = (word_t)((*words & 0x7C00) != 0);
        const lane_t significand = (lane_t)((*words & 0x3FF) | (normal & 0x400));
        const word_t power = (word_t)(lowest + (127 - 24)) << 23 | (*words & 0x8000) << 16;
        memcpy(&reals, &power, sizeof reals);
        reals *= __builtin_convertvector(significand, real_t);
    }
    half_real_t halves[2];
    memcpy(halves, &reals, sizeof halves);
    sums->half[0] += __builtin_convertvector(halves[0], half_exact_t);
    sums->half[1] += __builtin_convertvector(halves[1], half_exact_t);
}

/* To the nearest word, ties to even. */
ALWAYS_INLINE uint32_t round_to(struct format format, double value)
{
    const uint32_t infinity = ((1u << format.exponent) - 1) << format.fraction;
    const uint32_t sign = value < 0 ? 1u << (format.fraction + format.exponent) : 0;
    const double magnitude = fabs(value);
    if (magnitude < ldexp(1, 1 - format.bias))
        return sign | (uint32_t)nearbyint(ldexp(magnitude, format.bias - 1 + (int)format.fraction));
    uint64_t bits;
    memcpy(&bits, &magnitude, sizeof bits);
    const unsigned drop = 52 - format.fraction;
    const uint64_t rounded = (bits + ((UINT64_C(1) << (drop - 1)) - 1) + (bits >> drop & 1)) >> drop;
    const uint64_t word = rounded - ((uint64_t)(1023 - format.bias) << format.fraction);
    return sign | (word < infinity ? (uint32_t)word : infinity);
}

/* The window of each lane, as the position of its lowest bit. */
ALWAYS_INLINE void find_windows(unsigned type, const void *const *rows, unsigned inputs, size_t first, size_t count,
                                lane_t *windows)
{
    const struct format format = format_of(type);
    lane_t largest = {0};
    for (unsigned row = 0; row < inputs; row++) {
        word_t words;
        lane_t lowest;
        load(type, rows[row], first, count, &words);
        lowest_bits(format, &words, &lowest);
        const lane_t larger = lowest > largest;
        largest = (lowest & larger) | (largest & ~larger);
    }
    const lane_t top = (largest + (int32_t)format.fraction) / MOEHUB_BIN_POSITIONS;
    *windows = (top - (WINDOW_BINS - 1)) * MOEHUB_BIN_POSITIONS;
}

ALWAYS_INLINE void add_rows(unsigned type, const void *const *rows, unsigned inputs, size_t first, size_t count,
                            const lane_t *windows, struct exact *sums)
{
    for (unsigned row = 0; row < inputs; row++) {
        word_t words;
        load(type, rows[row], first, count, &words);
        cut(format_of(type), &words, windows);
        add_values(type, &words, sums);
    }
}

ALWAYS_INLINE void store(unsigned type, const struct exact *sums, size_t count, void *sum, size_t first)
{
    for (size_t lane = 0; lane < count; lane++) {
        const double value = sums->half[lane / (LANES / 2)][lane % (LANES / 2)];
        const uint32_t word = value == 0 ? 0 : round_to(format_of(type), value);
        if (type == MOEHUB_ELEMENT_FP32)
            ((uint32_t *)sum)[first + lane] = word;
        else
            ((uint16_t *)sum)[first + lane] = (uint16_t)word;
    }
}

ALWAYS_INLINE void sum_rows(unsigned type, const void *const *rows, unsigned inputs, size_t length, void *sum)
{
    for (size_t first = 0; first < length; first += LANES) {
        const size_t count = length - first < LANES ? length - first : LANES;
        lane_t windows;
        struct exact sums = {{{0}, {0}}};
        find_windows(type, rows, inputs, first, count, &windows);
        add_rows(type, rows, inputs, first, count, &windows, &sums);
        store(type, &sums, count, sum, first);
    }
}

VECTOR_CLONES
void golden_sum(unsigned type, const void *const *rows, unsigned inputs, size_t length, void *sum)
{
    switch (type) {
    case MOEHUB_ELEMENT_FP32:
        sum_rows(MOEHUB_ELEMENT_FP32, rows, inputs, length, sum);
        break;
    case MOEHUB_ELEMENT_FP16:
        sum_rows(MOEHUB_ELEMENT_FP16, rows, inputs, length, sum);
        break;
    default:
        sum_rows(MOEHUB_ELEMENT_BF16, rows, inputs, length, sum);
        break;
    }
}
