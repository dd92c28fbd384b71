/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/switch_csr.h"

#include "moehub/version.h"

#include <string.h>

enum {
    ID = 0x000,
    VERSION = 0x004,
    STATUS = 0x008,
    INTERRUPT_STATUS = 0x00C,
    INTERRUPT_MASK = 0x010,
    PARAMETER = 0x020,
    COMMAND_DATA = 0x088,
    COMMAND = 0x098,
    COMMAND_STATUS = 0x09C,
    TIMEOUT = 0x0A0,
    SNAPSHOT = 0x0C0,
    LATCH_STATUS = 0x0C4,
    LATCH_HEADER = 0x0C8,
    LATCH_NAME = 0x0D8,
    HIGH_WATER = 0x0DC,
    COUNTER = 0x100
};

enum { INTERRUPT_LATCHED = 1, INTERRUPT_DRAINED = 2, INTERRUPT_REFUSED = 4, INTERRUPTS = 7 };

#define COUNTER_HIGH_MASK UINT32_C(0xFFFF)   /* counters have 48 bits */

void moehub_switch_csr_init(struct moehub_switch_csr *csr, struct moehub_reduction_buffer *buffer)
{
    memset(csr, 0, sizeof *csr);
    csr->buffer = buffer;
}

void moehub_switch_csr_update(struct moehub_switch_csr *csr)
{
    const bool latched = csr->buffer->offenders.count != 0;
    const bool drained = csr->buffer->draining && moehub_reduction_buffer_occupancy(csr->buffer) == 0;
    if (latched && !csr->latch_seen)
        csr->interrupt_status |= INTERRUPT_LATCHED;
    if (drained && !csr->drained)
        csr->interrupt_status |= INTERRUPT_DRAINED;
    csr->latch_seen = latched;
    csr->drained = drained;
}

/* ---- writes ----------------------------------------------------------------------- */

static void start_command(struct moehub_switch_csr *csr, uint32_t operation)
{
    csr->refused = moehub_reduction_buffer_command(csr->buffer, operation & 0xF, csr->command_data);
    if (csr->refused)
        csr->interrupt_status |= INTERRUPT_REFUSED;
    moehub_switch_csr_update(csr);
}

static void clear_latch(struct moehub_switch_csr *csr)
{
    moehub_offenders_clear(&csr->buffer->offenders);
    csr->latch_seen = false;
}

enum moehub_csr_response moehub_switch_csr_write(struct moehub_switch_csr *csr, uint32_t address, uint32_t data,
                                                 unsigned strobe, bool busy)
{
    moehub_switch_csr_update(csr);
    if (strobe != 0xF)
        return MOEHUB_CSR_SLVERR;
    switch (address) {
    case INTERRUPT_STATUS:
        csr->interrupt_status &= ~data;
        return MOEHUB_CSR_OKAY;
    case INTERRUPT_MASK:
        csr->interrupt_mask = data & INTERRUPTS;
        return MOEHUB_CSR_OKAY;
    case COMMAND_DATA:
        csr->command_data = data;
        return MOEHUB_CSR_OKAY;
    case COMMAND:
        if (busy)
            return MOEHUB_CSR_SLVERR;
        start_command(csr, data);
        return MOEHUB_CSR_OKAY;
    case SNAPSHOT:
        memcpy(csr->snapshot, csr->buffer->counters, sizeof csr->snapshot);
        return MOEHUB_CSR_OKAY;
    case LATCH_STATUS:
        if (data & 1)
            clear_latch(csr);
        return MOEHUB_CSR_OKAY;
    default:
        return MOEHUB_CSR_SLVERR;
    }
}

/* ---- reads ------------------------------------------------------------------------ */

static struct moehub_csr_word known(uint32_t data)
{
    return (struct moehub_csr_word){data, UINT32_MAX, MOEHUB_CSR_OKAY};
}

static struct moehub_csr_word partly(uint32_t data, uint32_t mask)
{
    return (struct moehub_csr_word){data & mask, mask, MOEHUB_CSR_OKAY};
}

static struct moehub_csr_word status_word(const struct moehub_switch_csr *csr)
{
    const uint32_t occupancy = moehub_reduction_buffer_occupancy(csr->buffer);
    const uint32_t flags = (uint32_t)(occupancy == 0) << 1 | (uint32_t)csr->buffer->draining << 2;
    return partly(flags | occupancy << 16, ~UINT32_C(9));
}

static struct moehub_csr_word parameter_word(const struct moehub_switch_csr *csr, uint32_t index)
{
    uint32_t parameters[MOEHUB_REDUCTION_PARAMETERS];
    memcpy(parameters, &csr->buffer->config, sizeof parameters);
    return known(parameters[index]);
}
_Static_assert(offsetof(struct moehub_reduction_buffer_config, own_port) ==
                   MOEHUB_REDUCTION_PARAMETERS * sizeof(uint32_t),
               "the configuration starts with the array of the PARAMETER registers");

static struct moehub_csr_word counter_word(const struct moehub_switch_csr *csr, uint32_t offset)
{
    const uint32_t event = offset / 8;
    const bool high = offset % 8 != 0;
    if (event >= MOEHUB_REDUCTION_ORDER_EVENTS)
        return partly(0, high ? ~COUNTER_HIGH_MASK : 0);
    return known(high ? (uint32_t)(csr->snapshot[event] >> 32) & COUNTER_HIGH_MASK : (uint32_t)csr->snapshot[event]);
}

/* The latch holds one of the offenders; if there is just one, its cause is known. */
static struct moehub_csr_word latch_status_word(const struct moehub_switch_csr *csr)
{
    const struct moehub_offenders *offenders = &csr->buffer->offenders;
    if (offenders->count == 0)
        return partly(0, 1);
    if (offenders->count == 1)
        return known(1u | (uint32_t)offenders->list[0].cause << 8);
    return partly(1, ~UINT32_C(0x1F00));
}

static struct moehub_csr_word block_word(const struct moehub_switch_csr *csr, uint32_t address)
{
    if (address % 4 == 0 && address >= PARAMETER && address < PARAMETER + 4 * MOEHUB_REDUCTION_PARAMETERS)
        return parameter_word(csr, (address - PARAMETER) / 4);
    if (address % 4 == 0 && address >= COUNTER && address < COUNTER + 8 * MOEHUB_REDUCTION_EVENTS)
        return counter_word(csr, address - COUNTER);
    if (address % 4 == 0 && address >= LATCH_HEADER && address <= LATCH_NAME)
        return partly(0, 0);
    return (struct moehub_csr_word){0, UINT32_MAX, MOEHUB_CSR_SLVERR};
}

struct moehub_csr_word moehub_switch_csr_read(struct moehub_switch_csr *csr, uint32_t address)
{
    moehub_switch_csr_update(csr);
    switch (address) {
    case ID:
        return known(MOEHUB_ID_SWITCH);
    case VERSION:
        return known(MOEHUB_VERSION);
    case STATUS:
        return status_word(csr);
    case INTERRUPT_STATUS:
        return known(csr->interrupt_status);
    case INTERRUPT_MASK:
        return known(csr->interrupt_mask);
    case COMMAND_DATA:
        return known(csr->command_data);
    case COMMAND_STATUS:
        return partly((uint32_t)csr->refused << 1, ~UINT32_C(1));
    case TIMEOUT:
        return known(csr->buffer->timeout);
    case LATCH_STATUS:
        return latch_status_word(csr);
    case HIGH_WATER:
        return partly(0, 0);
    default:
        return block_word(csr, address);
    }
}

bool moehub_switch_csr_latch_possible(const struct moehub_switch_csr *csr, uint32_t status, const uint32_t header[4],
                                      uint32_t name)
{
    if ((status & 1) == 0)
        return csr->buffer->offenders.count == 0;
    const struct moehub_offender offender = {
        .header = {{header[0] | (uint64_t)header[1] << 32, header[2] | (uint64_t)header[3] << 32}},
        .port = (uint8_t)(name >> 16 & 0x3F),
        .cause = (uint8_t)(status >> 8 & 0x1F),
    };
    const bool nothing_else = (status & ~UINT32_C(0x1F01)) == 0 && (name & ~UINT32_C(0x3F0000)) == 0;
    return nothing_else && moehub_offenders_contain(&csr->buffer->offenders, &offender);
}
