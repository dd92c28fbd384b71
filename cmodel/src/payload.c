/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/payload.h"

/* One loop per type, so that each vectorises. */

static void fill_bf16(uint32_t key, uint32_t first, size_t count, uint16_t *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = moehub_payload_bf16(moehub_payload_hash(key, first + (uint32_t)i));
}

static void fill_fp16(uint32_t key, uint32_t first, size_t count, uint16_t *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = moehub_payload_fp16(moehub_payload_hash(key, first + (uint32_t)i));
}

static void fill_fp32(uint32_t key, uint32_t first, size_t count, uint32_t *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = moehub_payload_fp32(moehub_payload_hash(key, first + (uint32_t)i));
}

static void fill_bytes(uint32_t key, uint32_t first, size_t count, uint8_t *restrict out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (uint8_t)moehub_payload_hash(key, first + (uint32_t)i);
}

void moehub_payload_fill(unsigned type, uint32_t key, uint32_t first, size_t count, void *out)
{
    switch (type) {
    case MOEHUB_ELEMENT_BF16:
        fill_bf16(key, first, count, out);
        return;
    case MOEHUB_ELEMENT_FP16:
        fill_fp16(key, first, count, out);
        return;
    case MOEHUB_ELEMENT_FP32:
        fill_fp32(key, first, count, out);
        return;
    default:
        fill_bytes(key, first, count, out);
    }
}
