/* SPDX-License-Identifier: Apache-2.0 */
/* finalize.c for rows. The common case, bf16 in and out with three bins, goes eight sums at a time in the compilers'
 * vector types; every other one goes sum by sum. */
#include "moehub/finalize.h"

#include "common/vector_clones.h"

#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

typedef uint16_t half_t __attribute__((vector_size(2 * MOEHUB_LANES)));
typedef uint32_t word_t __attribute__((vector_size(4 * MOEHUB_LANES)));
typedef int32_t lane_t __attribute__((vector_size(4 * MOEHUB_LANES))); /* a comparison gives 0 or -1 in each lane */
typedef float real_t __attribute__((vector_size(4 * MOEHUB_LANES)));

enum { FRACTION_BITS = 7, INFINITY_WORD = 0x7f80, NAN_WORD = 0x7fc0, SIGN_SHIFT = 15 };

/* |sum| as the number high * 2^32 + middle * 2^16 + low, of which `middle` and `low` have 16 bits. */
struct magnitude {
    lane_t high;
    lane_t middle;
    lane_t low;
    lane_t sign; /* 0, or -1 where negative */
};

ALWAYS_INLINE void load(lane_t *lanes, const int32_t values[MOEHUB_LANES])
{
    memcpy(lanes, values, sizeof *lanes);
}

/* Carries across the bins, then the two's complement where negative. */
ALWAYS_INLINE void carry(const struct moehub_accumulator_lanes *sums, struct magnitude *magnitude)
{
    lane_t high, middle, low;
    load(&high, sums->bin[0]);
    load(&middle, sums->bin[1]);
    load(&low, sums->bin[2]);
    middle += low >> 16;
    high += middle >> 16;
    const lane_t sign = high < 0;
    low = ((low ^ sign) & 0xffff) - sign;
    middle = ((middle ^ sign) & 0xffff) + (low >> 16);
    magnitude->high = (high ^ sign) + (middle >> 16);
    magnitude->middle = middle & 0xffff;
    magnitude->low = low & 0xffff;
    magnitude->sign = sign;
}

/* Moves up by 16 positions where nothing is left above; `unit`, the position of the magnitude's bit 0, falls. */
ALWAYS_INLINE void move_up(struct magnitude *magnitude, lane_t *unit)
{
    const lane_t empty = magnitude->high == 0;
    magnitude->high |= magnitude->middle & empty;
    magnitude->middle = (magnitude->middle & ~empty) | (magnitude->low & empty);
    magnitude->low &= ~empty;
    *unit -= empty & MOEHUB_BIN_POSITIONS;
}

/* Exponent field and fraction, rounded once, without sign; unit may lie below position 0, where all bits are zero. */
ALWAYS_INLINE void round_magnitude(const struct magnitude *magnitude, const lane_t *unit, lane_t *word)
{
    /* 31 bits hold the leading 9 at least, since high is not 0: enough for significand and half; the rest is sticky. */
    const lane_t bits = magnitude->high << 8 | magnitude->middle >> 8;
    const lane_t sticky = ((magnitude->middle & 0xff) | magnitude->low) != 0;
    const lane_t bits_unit = *unit + 24;
    /* The leading one's place: high has at most 24 bits, which float takes exactly. */
    const real_t real = __builtin_convertvector(magnitude->high, real_t);
    lane_t leading;
    memcpy(&leading, &real, sizeof leading);
    leading = (leading >> 23) - 127 + 8;

    const lane_t nominal = bits_unit + leading - FRACTION_BITS;
    const lane_t last = nominal & (nominal > 0);
    /* 1..30 where it matters; a shift of 31 keeps nothing, as all lower ones of a sum that far below position 0. */
    lane_t distance = last - bits_unit;
    distance = (distance & (distance < 31)) | (31 & (distance >= 31));
    distance = (distance & (distance > 1)) | (1 & (distance <= 1));
    const word_t shift = (word_t)distance;
    const lane_t quotient = (lane_t)((word_t)bits >> shift);
    const lane_t rest = bits & (lane_t)~(~(word_t){0} << shift);
    const lane_t half = (lane_t)(1u << (shift - 1));
    const lane_t up = (rest > half) | ((rest == half) & (sticky | -(quotient & 1)));
    const lane_t rounded = (last << FRACTION_BITS) + quotient - up;
    const lane_t overflow = (last > 255) | (rounded > INFINITY_WORD);
    *word = ((rounded & ~overflow) | (INFINITY_WORD & overflow)) & (magnitude->high != 0);
}

ALWAYS_INLINE void finalize_lanes(const struct moehub_accumulator_lanes *sums, half_t *words)
{
    struct magnitude magnitude;
    lane_t top, special, word;
    load(&top, sums->top);
    load(&special, sums->special);
    carry(sums, &magnitude);
    lane_t unit = (top - 2) * MOEHUB_BIN_POSITIONS;
    move_up(&magnitude, &unit);
    move_up(&magnitude, &unit);
    round_magnitude(&magnitude, &unit, &word);
    word |= magnitude.sign & (word != 0) & (1 << SIGN_SHIFT);

    const lane_t nan = special == MOEHUB_SPECIAL_NAN;
    const lane_t minus = (special == MOEHUB_SPECIAL_MINUS_INFINITY) & (1 << SIGN_SHIFT);
    const lane_t special_word = (nan & NAN_WORD) | (~nan & (INFINITY_WORD | minus));
    const lane_t ordinary = special == MOEHUB_SPECIAL_NONE;
    word = (word & ordinary) | (special_word & ~ordinary);
    *words = __builtin_convertvector((word_t)word, half_t);
}

VECTOR_CLONES
static void finalize_bf16(const struct moehub_accumulator_lanes *row, unsigned char *words, size_t count)
{
    half_t lanes;
    size_t i = 0;
    for (; i + MOEHUB_LANES <= count; i += MOEHUB_LANES) {
        finalize_lanes(row++, &lanes);
        memcpy(words + i * sizeof(uint16_t), &lanes, sizeof lanes);
    }
    if (i < count) {
        finalize_lanes(row, &lanes);
        memcpy(words + i * sizeof(uint16_t), &lanes, (count - i) * sizeof(uint16_t));
    }
}

static void finalize_each(const struct moehub_arithmetic *arithmetic, const struct moehub_accumulator_lanes *row,
                          unsigned element, bool out_fp32, unsigned char *words, size_t count)
{
    const bool wide = out_fp32 || element == MOEHUB_ELEMENT_FP32;
    for (size_t i = 0; i < count; i++) {
        struct moehub_accumulator accumulator;
        moehub_accumulator_lane(row, i, &accumulator);
        const uint32_t word = moehub_finalize(arithmetic, &accumulator, element, out_fp32);
        const uint16_t half = (uint16_t)word;
        if (wide)
            memcpy(words + i * sizeof word, &word, sizeof word);
        else
            memcpy(words + i * sizeof half, &half, sizeof half);
    }
}

void moehub_finalize_row(const struct moehub_arithmetic *arithmetic, const struct moehub_accumulator_lanes *row,
                         unsigned element, bool out_fp32, void *words, size_t count)
{
    if (arithmetic->bins == 3 && arithmetic->max_contributors <= 64 && element == MOEHUB_ELEMENT_BF16 && !out_fp32)
        finalize_bf16(row, words, count);
    else
        finalize_each(arithmetic, row, element, out_fp32, words, count);
}
