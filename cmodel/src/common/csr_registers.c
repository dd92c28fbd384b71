/* SPDX-License-Identifier: Apache-2.0 */
#include "common/csr_registers.h"

#define COUNTER_HIGH_MASK UINT32_C(0xFFFF) /* counters have 48 bits */

struct moehub_csr_word csr_known(uint32_t data)
{
    return (struct moehub_csr_word){data, UINT32_MAX, MOEHUB_CSR_OKAY};
}

struct moehub_csr_word csr_partly(uint32_t data, uint32_t mask)
{
    return (struct moehub_csr_word){data & mask, mask, MOEHUB_CSR_OKAY};
}

static struct moehub_csr_word counter_word(const struct csr_blocks *blocks, uint32_t offset)
{
    const uint32_t event = offset / 8;
    const bool high = offset % 8 != 0;
    if (event >= blocks->order_events)
        return csr_partly(0, high ? ~COUNTER_HIGH_MASK : 0);
    const uint64_t count = blocks->snapshot[event];
    return csr_known(high ? (uint32_t)(count >> 32) & COUNTER_HIGH_MASK : (uint32_t)count);
}

struct moehub_csr_word csr_block_word(const struct csr_blocks *blocks, uint32_t address)
{
    const bool aligned = address % 4 == 0;
    if (aligned && address >= CSR_PARAMETER && address < CSR_PARAMETER + 4 * blocks->parameter_count)
        return csr_known(blocks->parameters[(address - CSR_PARAMETER) / 4]);
    if (aligned && address >= CSR_COUNTER && address < CSR_COUNTER + 8 * blocks->events)
        return counter_word(blocks, address - CSR_COUNTER);
    if (aligned && address >= CSR_LATCH_HEADER && address <= CSR_LATCH_NAME)
        return csr_partly(0, 0);
    return (struct moehub_csr_word){0, UINT32_MAX, MOEHUB_CSR_SLVERR};
}

struct moehub_csr_word csr_latch_status(const struct moehub_offenders *offenders)
{
    if (offenders->count == 0)
        return csr_partly(0, 1);
    if (offenders->count == 1)
        return csr_known(1u | (uint32_t)offenders->list[0].cause << 8);
    return csr_partly(1, ~UINT32_C(0x1F00));
}

bool csr_latch_possible(const struct moehub_offenders *offenders, uint32_t status, const uint32_t header[4], uint32_t name,
                        uint32_t name_fields)
{
    if ((status & 1) == 0)
        return offenders->count == 0;
    const struct moehub_offender offender = {
        .header = {{header[0] | (uint64_t)header[1] << 32, header[2] | (uint64_t)header[3] << 32}},
        .expert = (uint16_t)name,
        .port = (uint8_t)(name >> 16 & 0x3F),
        .cause = (uint8_t)(status >> 8 & 0x1F),
    };
    const bool nothing_else = (status & ~UINT32_C(0x1F01)) == 0 && (name & ~name_fields) == 0;
    return nothing_else && moehub_offenders_contain(offenders, &offender);
}
