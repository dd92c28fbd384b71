/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/finalize.h"

/* Position 0 of the input type, counted from that of the result type: the exponents of the smallest subnormals,
 * 2^-133 (bf16), 2^-24 (fp16) and 2^-149 (fp32), subtracted. */
static int result_offset(unsigned element, unsigned result)
{
    if (element == result)
        return 0;
    return element == MOEHUB_ELEMENT_FP16 ? 149 - 24 : 149 - 133;
}

/* A sum of bins as sign, magnitude and the position of the magnitude's bit 0 in the result type. */
struct magnitude {
    uint64_t bits;
    int unit;
    uint32_t negative;
};

/* Three bins: a 55-bit sum. */
static int64_t carry_bins(const int32_t *bin, unsigned bins)
{
    int64_t sum = 0;
    for (unsigned j = 0; j < bins; j++)
        sum = sum * (1 << MOEHUB_BIN_POSITIONS) + bin[j];
    return sum;
}

static struct magnitude magnitude_of(int64_t sum, int unit)
{
    const uint64_t sign = sum < 0 ? UINT64_MAX : 0;
    return (struct magnitude){.bits = ((uint64_t)sum ^ sign) - sign, .unit = unit, .negative = sign & 1};
}

/* Four bins: 71 bits. Bits too low to reach the rounding as themselves leave their OR in the lowest one. */
static struct magnitude magnitude_of_four(const int32_t bin[4], int unit)
{
    const uint32_t low = (uint32_t)bin[3] & 0xffff;
    const int64_t high = carry_bins(bin, 3) + (bin[3] >> MOEHUB_BIN_POSITIONS);
    if (high >= -(1ll << 40) && high < 1ll << 40)
        return magnitude_of(high * (1 << MOEHUB_BIN_POSITIONS) + low, unit);
    return magnitude_of(high * 2 + (low != 0), unit + MOEHUB_BIN_POSITIONS - 1);
}

/* bits / 2^shift to nearest, ties to even; a negative shift multiplies. */
static uint32_t round_shift(uint64_t bits, int shift)
{
    if (shift <= 0)
        return (uint32_t)(bits << -shift);
    const uint64_t odd = bits >> shift & 1;
    return (uint32_t)((bits + (1ull << (shift - 1)) - 1 + odd) >> shift);
}

static uint32_t round_to_word(struct magnitude magnitude, unsigned result)
{
    const unsigned fraction_bits = moehub_element_fraction_bits(result);
    const unsigned exponent_bits = moehub_element_exponent_bits(result);
    const uint32_t exponent_max = (1u << exponent_bits) - 1;
    const uint32_t infinity = exponent_max << fraction_bits;
    const uint32_t sign = magnitude.negative << (fraction_bits + exponent_bits);
    if (magnitude.bits == 0)
        return 0;
    /* The last kept position: M below the leading one, and never below the subnormals' position 0. */
    const int leading = magnitude.unit + 63 - __builtin_clzll(magnitude.bits);
    const int last = leading > (int)fraction_bits ? leading - (int)fraction_bits : 0;
    if ((uint32_t)last >= exponent_max)
        return infinity | sign;
    /* A normal significand brings its hidden bit, which makes the exponent field last + 1; so does a carry. */
    const uint32_t word = ((uint32_t)last << fraction_bits) + round_shift(magnitude.bits, last - magnitude.unit);
    return (word < infinity ? word : infinity) | sign;
}

static uint32_t special_word(unsigned special, unsigned result)
{
    const unsigned fraction_bits = moehub_element_fraction_bits(result);
    const unsigned exponent_bits = moehub_element_exponent_bits(result);
    const uint32_t infinity = ((1u << exponent_bits) - 1) << fraction_bits;
    switch (special) {
    case MOEHUB_SPECIAL_PLUS_INFINITY: return infinity;
    case MOEHUB_SPECIAL_MINUS_INFINITY: return infinity | 1u << (fraction_bits + exponent_bits);
    default: return infinity | 1u << (fraction_bits - 1);
    }
}

uint32_t moehub_finalize(const struct moehub_arithmetic *arithmetic, const struct moehub_accumulator *accumulator,
                         unsigned element, bool out_fp32)
{
    const unsigned bins = arithmetic->bins;
    const unsigned result = out_fp32 ? MOEHUB_ELEMENT_FP32 : element;
    if (accumulator->special != MOEHUB_SPECIAL_NONE)
        return special_word(accumulator->special, result);
    const int lowest_bin = (int)accumulator->top - (int)bins + 1;
    const int unit = MOEHUB_BIN_POSITIONS * lowest_bin + result_offset(element, result);
    if (bins == 4)
        return round_to_word(magnitude_of_four(accumulator->bin, unit), result);
    return round_to_word(magnitude_of(carry_bins(accumulator->bin, bins), unit), result);
}
