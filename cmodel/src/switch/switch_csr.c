/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/switch_csr.h"

#include "common/csr_registers.h"
#include "moehub/version.h"

#include <string.h>

/* Registers beside those of csr_registers.h. */
enum {
    COMMAND_DATA = 0x088,
    TIMEOUT = 0x0A0
};

enum { INTERRUPT_LATCHED = 1, INTERRUPT_DRAINED = 2, INTERRUPT_REFUSED = 4, INTERRUPTS = 7 };

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
    case CSR_INTERRUPT_STATUS:
        csr->interrupt_status &= ~data;
        return MOEHUB_CSR_OKAY;
    case CSR_INTERRUPT_MASK:
        csr->interrupt_mask = data & INTERRUPTS;
        return MOEHUB_CSR_OKAY;
    case COMMAND_DATA:
        csr->command_data = data;
        return MOEHUB_CSR_OKAY;
    case CSR_COMMAND:
        if (busy)
            return MOEHUB_CSR_SLVERR;
        start_command(csr, data);
        return MOEHUB_CSR_OKAY;
    case CSR_SNAPSHOT:
        memcpy(csr->snapshot, csr->buffer->counters, sizeof csr->snapshot);
        return MOEHUB_CSR_OKAY;
    case CSR_LATCH_STATUS:
        if (data & 1)
            clear_latch(csr);
        return MOEHUB_CSR_OKAY;
    default:
        return MOEHUB_CSR_SLVERR;
    }
}

/* ---- reads ------------------------------------------------------------------------ */

static struct moehub_csr_word status_word(const struct moehub_switch_csr *csr)
{
    const uint32_t occupancy = moehub_reduction_buffer_occupancy(csr->buffer);
    const uint32_t flags = (uint32_t)(occupancy == 0) << 1 | (uint32_t)csr->buffer->draining << 2;
    return csr_partly(flags | occupancy << 16, ~UINT32_C(9));
}

static struct moehub_csr_word block_word(const struct moehub_switch_csr *csr, uint32_t address)
{
    uint32_t parameters[MOEHUB_REDUCTION_PARAMETERS];
    memcpy(parameters, &csr->buffer->config, sizeof parameters);
    const struct csr_blocks blocks = {
        .parameters = parameters,
        .parameter_count = MOEHUB_REDUCTION_PARAMETERS,
        .snapshot = csr->snapshot,
        .order_events = MOEHUB_REDUCTION_ORDER_EVENTS,
        .events = MOEHUB_REDUCTION_EVENTS,
    };
    return csr_block_word(&blocks, address);
}
_Static_assert(offsetof(struct moehub_reduction_buffer_config, own_port) ==
                   MOEHUB_REDUCTION_PARAMETERS * sizeof(uint32_t),
               "the configuration starts with the array of the PARAMETER registers");

struct moehub_csr_word moehub_switch_csr_read(struct moehub_switch_csr *csr, uint32_t address)
{
    moehub_switch_csr_update(csr);
    switch (address) {
    case CSR_ID:
        return csr_known(MOEHUB_ID_SWITCH);
    case CSR_VERSION:
        return csr_known(MOEHUB_VERSION);
    case CSR_STATUS:
        return status_word(csr);
    case CSR_INTERRUPT_STATUS:
        return csr_known(csr->interrupt_status);
    case CSR_INTERRUPT_MASK:
        return csr_known(csr->interrupt_mask);
    case COMMAND_DATA:
        return csr_known(csr->command_data);
    case CSR_COMMAND_STATUS:
        return csr_partly((uint32_t)csr->refused << 1, ~UINT32_C(1));
    case TIMEOUT:
        return csr_known(csr->buffer->timeout);
    case CSR_LATCH_STATUS:
        return csr_latch_status(&csr->buffer->offenders);
    case CSR_HIGH_WATER:
        return csr_partly(0, 0);
    default:
        return block_word(csr, address);
    }
}

bool moehub_switch_csr_latch_possible(const struct moehub_switch_csr *csr, uint32_t status, const uint32_t header[4],
                                      uint32_t name)
{
    return csr_latch_possible(&csr->buffer->offenders, status, header, name, UINT32_C(0x3F0000)); /* port */
}
