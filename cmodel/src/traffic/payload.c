/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/payload.h"

/* One loop per type, so that each vectorises. */

static void fill_bf16(uint32_t hash, size_t count, uint16_t *restrict out)
{
    for (size_t i = 0; i < count; i++, hash += MOEHUB_PAYLOAD_STEP)
        out[i] = moehub_payload_bf16(moehub_payload_mix(hash));
}

static void fill_fp16(uint32_t hash, size_t count, uint16_t *restrict out)
{
    for (size_t i = 0; i < count; i++, hash += MOEHUB_PAYLOAD_STEP)
        out[i] = moehub_payload_fp16(moehub_payload_mix(hash));
}

static void fill_fp32(uint32_t hash, size_t count, uint32_t *restrict out)
{
    for (size_t i = 0; i < count; i++, hash += MOEHUB_PAYLOAD_STEP)
        out[i] = moehub_payload_fp32(moehub_payload_mix(hash));
}

static void fill_bytes(uint32_t hash, size_t count, uint8_t *restrict out)
{
    for (size_t i = 0; i < count; i++, hash += MOEHUB_PAYLOAD_STEP)
        out[i] = (uint8_t)moehub_payload_mix(hash);
}

void moehub_payload_fill(unsigned type, uint32_t key, uint32_t first, size_t count, void *out)
{
    const uint32_t hash = key + first * MOEHUB_PAYLOAD_STEP;
    switch (type) {
    case MOEHUB_ELEMENT_BF16:
        fill_bf16(hash, count, out);
        return;
    case MOEHUB_ELEMENT_FP16:
        fill_fp16(hash, count, out);
        return;
    case MOEHUB_ELEMENT_FP32:
        fill_fp32(hash, count, out);
        return;
    default:
        fill_bytes(hash, count, out);
    }
}
