/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of a vector of 64-bit words, least significant first, as numbers. */
#ifndef KIT_BITS_H
#define KIT_BITS_H

#include <stdint.h>

static inline uint64_t bits_mask(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* `bits` (1..64) bits from bit `lsb` on. */
static inline uint64_t bits_get(const uint64_t *words, unsigned lsb, unsigned bits)
{
    const unsigned word = lsb / 64, shift = lsb % 64;
    uint64_t value = words[word] >> shift;
    if (shift + bits > 64)
        value |= words[word + 1] << (64 - shift);
    return value & bits_mask(bits);
}

static inline void bits_set(uint64_t *words, unsigned lsb, unsigned bits, uint64_t value)
{
    const unsigned word = lsb / 64, shift = lsb % 64;
    value &= bits_mask(bits);
    words[word] = (words[word] & ~(bits_mask(bits) << shift)) | value << shift;
    if (shift + bits > 64)
        words[word + 1] = (words[word + 1] & ~(bits_mask(bits) >> (64 - shift))) | value >> (64 - shift);
}

#endif
