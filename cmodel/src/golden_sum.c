/* SPDX-License-Identifier: Apache-2.0 */
#include "golden_sum.h"

#include "moehub/defines.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define WINDOW_BINS 3

/* The three formats: fraction bits, exponent bits, and the exponent of 1.0. */
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

ALWAYS_INLINE uint32_t word_at(unsigned type, const void *row, size_t i)
{
    return type == MOEHUB_ELEMENT_FP32 ? ((const uint32_t *)row)[i] : ((const uint16_t *)row)[i];
}

/* Position of a significand's bit 0; exponent field 0 counts as 1. */
ALWAYS_INLINE int lowest_bit(struct format format, uint32_t word)
{
    const int field = (int)(word >> format.fraction & ((1u << format.exponent) - 1));
    return field == 0 ? 0 : field - 1;
}

/* The word without its bits below a position: toward zero. */
ALWAYS_INLINE uint32_t cut(struct format format, uint32_t word, int window)
{
    const int drop = window - lowest_bit(format, word);
    const uint32_t kept = UINT32_MAX << (drop > 0 ? (drop <= (int)format.fraction ? drop : 0) : 0);
    return drop > (int)format.fraction ? 0 : word & kept;
}

ALWAYS_INLINE double value_of(unsigned type, uint32_t word)
{
    if (type == MOEHUB_ELEMENT_FP16) {
        const double magnitude = ldexp((double)((word & 0x3FF) | ((word & 0x7C00) ? 0x400u : 0)),
                                       lowest_bit(format_of(type), word) - 24);
        return word & 0x8000 ? -magnitude : magnitude;
    }
    const uint32_t bits = type == MOEHUB_ELEMENT_FP32 ? word : word << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
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

ALWAYS_INLINE void sum_of(unsigned type, const void *const *rows, unsigned inputs, size_t length, void *sum)
{
    const struct format format = format_of(type);
    int window[GOLDEN_SUM_LENGTH_MAX] = {0};   /* leading positions first, then the window's lowest */
    double exact[GOLDEN_SUM_LENGTH_MAX] = {0};
    for (unsigned row = 0; row < inputs; row++)
        for (size_t i = 0; i < length; i++) {
            const int leading = lowest_bit(format, word_at(type, rows[row], i)) + (int)format.fraction;
            window[i] = leading > window[i] ? leading : window[i];
        }
    for (size_t i = 0; i < length; i++)
        window[i] = (window[i] / MOEHUB_BIN_POSITIONS - (WINDOW_BINS - 1)) * MOEHUB_BIN_POSITIONS;
    for (unsigned row = 0; row < inputs; row++)
        for (size_t i = 0; i < length; i++)
            exact[i] += value_of(type, cut(format, word_at(type, rows[row], i), window[i]));
    for (size_t i = 0; i < length; i++) {
        const uint32_t word = exact[i] == 0 ? 0 : round_to(format, exact[i]);
        if (type == MOEHUB_ELEMENT_FP32)
            ((uint32_t *)sum)[i] = word;
        else
            ((uint16_t *)sum)[i] = (uint16_t)word;
    }
}

void golden_sum(unsigned type, const void *const *rows, unsigned inputs, size_t length, void *sum)
{
    switch (type) {
    case MOEHUB_ELEMENT_FP32:
        sum_of(MOEHUB_ELEMENT_FP32, rows, inputs, length, sum);
        break;
    case MOEHUB_ELEMENT_FP16:
        sum_of(MOEHUB_ELEMENT_FP16, rows, inputs, length, sum);
        break;
    default:
        sum_of(MOEHUB_ELEMENT_BF16, rows, inputs, length, sum);
        break;
    }
}
