/* SPDX-License-Identifier: Apache-2.0 */
/* Payload contents as a function of where they belong, so that any misplaced byte shows and no image is kept.
 *
 * key = moehub_payload_key(row, expert); element i of that row holds moehub_payload_element(type, key, i).
 * Dispatch carries the same row to every expert: expert = MOEHUB_PAYLOAD_DISPATCH.
 * Combine: the row that expert e returns for token row r has the key of (r, e).
 * bf16, fp16 and fp32 elements are normal numbers of both signs with uniform significands and exponents uniform over
 * 32 values (2^-16 .. 2^15; fp16: 16 values, 2^-11 .. 2^4): no sum of 64 of them overflows, and bits fall off the
 * accumulator's window. Bytes (fp8) are uniform. */
#ifndef MOEHUB_PAYLOAD_H
#define MOEHUB_PAYLOAD_H

#include "moehub/defines.h"

#include <stddef.h>
#include <stdint.h>

#define MOEHUB_PAYLOAD_DISPATCH 0xFFFFu

/* A row's key: computed once a packet or row. */
static inline uint32_t moehub_payload_key(uint32_t row, uint32_t expert)
{
    uint64_t mixed = ((uint64_t)expert << 32 | row) * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(mixed >> 32);
}

/* Element numbers are spread over 32 bits by this odd step. */
#define MOEHUB_PAYLOAD_STEP UINT32_C(0x9E3779B1)

/* 32 bits from key + index * MOEHUB_PAYLOAD_STEP: one-to-one, and shifts and exclusive-ors only, which vectorise on
 * any machine. */
static inline uint32_t moehub_payload_mix(uint32_t hash)
{
    hash ^= hash << 13;
    hash ^= hash >> 17;
    return hash ^ hash << 5;
}

static inline uint16_t moehub_payload_bf16(uint32_t hash)
{
    return (uint16_t)((hash & 0x8F80u) + (111u << 7) + (hash & 0x7Fu));
}

static inline uint16_t moehub_payload_fp16(uint32_t hash)
{
    return (uint16_t)((hash & 0xBC00u) + (4u << 10) + (hash & 0x3FFu));
}

static inline uint32_t moehub_payload_fp32(uint32_t hash)
{
    return (hash & 0x8F800000u) + (111u << 23) + (hash & 0x7FFFFFu);
}

/* One element: a bit pattern in the low bits. */
static inline uint32_t moehub_payload_element(unsigned type, uint32_t key, uint32_t index)
{
    const uint32_t hash = moehub_payload_mix(key + index * MOEHUB_PAYLOAD_STEP);
    switch (type) {
    case MOEHUB_ELEMENT_BF16:
        return moehub_payload_bf16(hash);
    case MOEHUB_ELEMENT_FP16:
        return moehub_payload_fp16(hash);
    case MOEHUB_ELEMENT_FP32:
        return moehub_payload_fp32(hash);
    default:
        return hash & 0xFFu;
    }
}

/* Elements first .. first + count - 1 of a row into `out`, an array of uint16_t, uint32_t or uint8_t by type. */
void moehub_payload_fill(unsigned type, uint32_t key, uint32_t first, size_t count, void *out);

#endif
