/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_payload.h"

#include "moehub/defines.h"

#include <string.h>

/* The bit fields of a floating-point type. */
struct format {
    unsigned bytes;
    unsigned fraction;
    unsigned exponent;
};

static const struct format formats[] = {
    [MOEHUB_ELEMENT_BF16] = {2, 7, 8},
    [MOEHUB_ELEMENT_FP16] = {2, 10, 5},
    [MOEHUB_ELEMENT_FP32] = {4, 23, 8},
};

static uint32_t word_of(const struct format *format, uint32_t sign, uint32_t exponent, uint32_t fraction)
{
    uint32_t fraction_mask = (1u << format->fraction) - 1;
    uint32_t exponent_mask = (1u << format->exponent) - 1;
    return (sign & 1) << (format->fraction + format->exponent) | (exponent & exponent_mask) << format->fraction |
           (fraction & fraction_mask);
}

static uint32_t special(const struct format *format, uint64_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 40);
    switch (bits % 4) {
    case 0:
        return word_of(format, sign, UINT32_MAX, 0);
    case 1:
        return word_of(format, sign, UINT32_MAX, (uint32_t)(bits >> 8) | 1);
    case 2:
        return word_of(format, sign, 0, 0);
    default:
        return word_of(format, sign, UINT32_MAX, 1u << (format->fraction - 1));
    }
}

/* Powers of two and runs of ones come often: leading zeros and carries reach far with them. */
static uint32_t fraction_of(uint64_t bits)
{
    static const uint32_t ends[] = {0, UINT32_MAX};
    const unsigned kind = bits >> 24 & 7;
    return kind < 2 ? ends[kind] : (uint32_t)(bits >> 32);
}

/* One element from 64 random bits. */
static uint32_t element_of(const struct format *format, enum reduction_payload style, uint32_t base, uint64_t bits)
{
    uint32_t sign = (uint32_t)(bits >> 63);
    uint32_t fraction = fraction_of(bits);
    uint32_t largest = (1u << format->exponent) - 2;

    switch (style) {
    case PAYLOAD_NEAR:
    case PAYLOAD_CANCEL:
        return word_of(format, sign, (base + (uint32_t)bits % 6) % (largest + 1), fraction);
    case PAYLOAD_SUBNORMAL:
        return word_of(format, sign, bits % 8 == 0, bits % 5 == 0 ? 0 : fraction);
    case PAYLOAD_LARGE:
        return word_of(format, sign, largest - (uint32_t)bits % 3, bits % 4 == 0 ? UINT32_MAX : fraction);
    case PAYLOAD_SPECIAL:
        return bits % 2 != 0 ? special(format, bits >> 1) : word_of(format, sign, (uint32_t)(bits >> 1), fraction);
    default:
        return word_of(format, sign, (uint32_t)(bits >> 1), fraction);
    }
}

static void fill_random(struct random_source *random, uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t bits = random_next(random);
        memcpy(data + i, &bits, bytes - i < 8 ? bytes - i : 8);
    }
}

static void fill_negated(struct random_source *random, const struct format *format, uint8_t *data, size_t bytes,
                         const uint8_t *earlier)
{
    memmove(data, earlier, bytes);
    for (size_t i = 0; i + format->bytes <= bytes; i += format->bytes) {
        data[i + format->bytes - 1] ^= 0x80;
        if (random_chance(random, 1, 16))
            data[i] ^= 1;
    }
}

void reduction_payload_fill(struct random_source *random, enum reduction_payload style, unsigned element, uint8_t *data,
                            size_t bytes, const uint8_t *earlier)
{
    if (style == PAYLOAD_RANDOM || element > MOEHUB_ELEMENT_FP32) {
        fill_random(random, data, bytes);
        return;
    }
    const struct format *format = &formats[element];
    if (style == PAYLOAD_CANCEL && earlier != NULL) {
        fill_negated(random, format, data, bytes, earlier);
        return;
    }
    uint32_t base = (uint32_t)random_below(random, 1u << format->exponent);
    for (size_t i = 0; i < bytes; i += format->bytes) {
        uint32_t word = element_of(format, style, base, random_next(random));
        memcpy(data + i, &word, bytes - i < format->bytes ? bytes - i : format->bytes); /* little-endian host */
    }
}
