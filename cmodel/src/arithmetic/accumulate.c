/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/accumulate.h"

#include "moehub/error.h"

#include <stdbool.h>

/* ---- parameters ---- */

int moehub_arithmetic_init(struct moehub_arithmetic *arithmetic, unsigned bins, unsigned max_contributors)
{
    if (bins < 2 || bins > MOEHUB_BINS_MAX || max_contributors < 1 || max_contributors > 1024)
        return MOEHUB_E_ARGUMENT;
    unsigned log2 = 0;
    while (1u << log2 < max_contributors)
        log2++;
    *arithmetic = (struct moehub_arithmetic){
        .bins = bins,
        .max_contributors = max_contributors,
        .bin_width = MOEHUB_BIN_POSITIONS + log2 + 1,
    };
    return 0;
}

unsigned moehub_arithmetic_state_width(const struct moehub_arithmetic *arithmetic)
{
    return MOEHUB_SPECIAL_WIDTH + MOEHUB_TOP_WIDTH + arithmetic->bins * arithmetic->bin_width;
}

/* ---- one element ---- */

/* An element cut at the bin borders: piece j belongs to bin `top` - j. */
struct pieces {
    uint64_t window; /* piece j in bits 63 - 16j : 48 - 16j */
    unsigned top;
    unsigned special;
    bool negative;
};

static struct pieces decompose(unsigned element, uint32_t x)
{
    const unsigned fraction_bits = moehub_element_fraction_bits(element);
    const unsigned exponent_bits = moehub_element_exponent_bits(element);
    const uint32_t exponent_max = (1u << exponent_bits) - 1;
    const uint32_t exponent = (x >> fraction_bits) & exponent_max;
    const uint32_t fraction = x & ((1u << fraction_bits) - 1);
    const bool negative = (x >> (fraction_bits + exponent_bits)) & 1;
    if (exponent == exponent_max)
        return (struct pieces){
            .top = fraction_bits / MOEHUB_BIN_POSITIONS,
            .special = fraction   ? MOEHUB_SPECIAL_NAN
                       : negative ? MOEHUB_SPECIAL_MINUS_INFINITY
                                  : MOEHUB_SPECIAL_PLUS_INFINITY,
        };
    /* Exponent field 0 has the position of field 1 and no hidden bit. */
    const uint64_t significand = exponent ? fraction | 1u << fraction_bits : fraction;
    const unsigned leading = (exponent ? exponent : 1) - 1 + fraction_bits;
    return (struct pieces){
        .window = significand << (48 - fraction_bits + leading % MOEHUB_BIN_POSITIONS),
        .top = leading / MOEHUB_BIN_POSITIONS,
        .negative = negative,
    };
}

/* Moves the bins down; what leaves at the bottom is dropped. */
static void shift_bins(int32_t *bin, unsigned bins, unsigned distance)
{
    for (unsigned j = bins; j-- > 0;)
        bin[j] = j >= distance ? bin[j - distance] : 0;
}

void moehub_accumulate_add(const struct moehub_arithmetic *arithmetic, struct moehub_accumulator *accumulator,
                           unsigned element, uint32_t x)
{
    const struct pieces pieces = decompose(element, x);
    if (pieces.top > accumulator->top) {
        shift_bins(accumulator->bin, arithmetic->bins, pieces.top - accumulator->top);
        accumulator->top = (uint8_t)pieces.top;
    }
    const unsigned depth = accumulator->top - pieces.top;
    for (unsigned j = depth; j < arithmetic->bins; j++) {
        const int32_t piece = (int32_t)((pieces.window >> (48 - MOEHUB_BIN_POSITIONS * (j - depth))) & 0xffff);
        accumulator->bin[j] += pieces.negative ? -piece : piece;
    }
    accumulator->special = (uint8_t)(accumulator->special | pieces.special);
}

void moehub_accumulate_empty(struct moehub_accumulator *accumulator, unsigned element)
{
    *accumulator = (struct moehub_accumulator){
        .top = (uint8_t)(moehub_element_fraction_bits(element) / MOEHUB_BIN_POSITIONS),
    };
}

/* ---- the RTL's packed state ---- */

static void put_bits(struct moehub_packed_state *packed, unsigned lsb, unsigned width, uint32_t value)
{
    const uint64_t bits = value & ((1ull << width) - 1);
    const unsigned word = lsb / 64;
    const unsigned shift = lsb % 64;
    packed->word[word] |= bits << shift;
    if (shift + width > 64)
        packed->word[word + 1] |= bits >> (64 - shift);
}

static uint32_t get_bits(const struct moehub_packed_state *packed, unsigned lsb, unsigned width)
{
    const unsigned word = lsb / 64;
    const unsigned shift = lsb % 64;
    uint64_t bits = packed->word[word] >> shift;
    if (shift + width > 64)
        bits |= packed->word[word + 1] << (64 - shift);
    return (uint32_t)(bits & ((1ull << width) - 1));
}

int moehub_accumulator_pack(const struct moehub_arithmetic *arithmetic, const struct moehub_accumulator *accumulator,
                            struct moehub_packed_state *packed)
{
    const unsigned width = arithmetic->bin_width;
    const int32_t limit = (int32_t)(1u << (width - 1));
    unsigned lsb = 0;
    *packed = (struct moehub_packed_state){{0, 0}};
    for (unsigned j = arithmetic->bins; j-- > 0; lsb += width) {
        if (accumulator->bin[j] < -limit || accumulator->bin[j] >= limit)
            return MOEHUB_E_LIMIT;
        put_bits(packed, lsb, width, (uint32_t)accumulator->bin[j]);
    }
    put_bits(packed, lsb, MOEHUB_TOP_WIDTH, accumulator->top);
    put_bits(packed, lsb + MOEHUB_TOP_WIDTH, MOEHUB_SPECIAL_WIDTH, accumulator->special);
    return 0;
}

void moehub_accumulator_unpack(const struct moehub_arithmetic *arithmetic, const struct moehub_packed_state *packed,
                               struct moehub_accumulator *accumulator)
{
    const unsigned width = arithmetic->bin_width;
    const uint32_t sign = 1u << (width - 1);
    unsigned lsb = 0;
    *accumulator = (struct moehub_accumulator){.top = 0};
    for (unsigned j = arithmetic->bins; j-- > 0; lsb += width)
        accumulator->bin[j] = (int32_t)((get_bits(packed, lsb, width) ^ sign) - sign);
    accumulator->top = (uint8_t)get_bits(packed, lsb, MOEHUB_TOP_WIDTH);
    accumulator->special = (uint8_t)get_bits(packed, lsb + MOEHUB_TOP_WIDTH, MOEHUB_SPECIAL_WIDTH);
}
