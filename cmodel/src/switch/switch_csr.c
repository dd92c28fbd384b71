/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/switch_csr.h"

#include "common/csr_bank.h"

#include <string.h>

_Static_assert(offsetof(struct moehub_reduction_buffer_config, request_lines) ==
                   MOEHUB_SWITCH_CSR_PARAMETER_COUNT * sizeof(uint32_t),
               "the configuration starts with the array of the PARAMETER registers");

void moehub_switch_csr_init(struct moehub_switch_csr *csr, struct moehub_reduction_buffer *buffer)
{
    memset(csr, 0, sizeof *csr);
    csr->buffer = buffer;
    csr->bank = (struct moehub_csr_bank){
        .map = &moehub_switch_registers,
        .id = MOEHUB_ID_SWITCH,
        .offenders = &buffer->offenders,
        .counters = buffer->counters,
        .order_events = MOEHUB_REDUCTION_ORDER_EVENTS,
    };
    memcpy(csr->bank.parameters, &buffer->config, MOEHUB_SWITCH_CSR_PARAMETER_COUNT * sizeof *csr->bank.parameters);
}

void moehub_switch_csr_update(struct moehub_switch_csr *csr)
{
    csr_bank_update(&csr->bank);
    const bool drained = csr->buffer->draining && moehub_reduction_buffer_occupancy(csr->buffer) == 0;
    if (drained && !csr->drained)
        csr->bank.interrupt_status |= MOEHUB_SWITCH_CSR_INTERRUPT_STATUS_DRAINED;
    csr->drained = drained;
}

static void start_command(struct moehub_switch_csr *csr, uint32_t operation)
{
    operation &= MOEHUB_CSR_COMMAND_OPERATION;
    csr_bank_command(&csr->bank, moehub_reduction_buffer_command(csr->buffer, operation, csr->command_data));
    moehub_switch_csr_update(csr);
}

enum moehub_csr_response moehub_switch_csr_write(struct moehub_switch_csr *csr, uint32_t address, uint32_t data,
                                                 unsigned strobe, bool busy)
{
    moehub_switch_csr_update(csr);
    const enum moehub_csr_response response = csr_bank_accepts(&csr->bank, address, strobe, busy);
    if (response != MOEHUB_CSR_OKAY)
        return response;
    switch (address) {
    case MOEHUB_SWITCH_CSR_COMMAND_DATA:
        csr->command_data = data;
        break;
    case MOEHUB_CSR_COMMAND:
        start_command(csr, data);
        break;
    default:
        csr_bank_write(&csr->bank, address, data);
    }
    return response;
}

/* Initialised and busy are the hardware's to say. */
static struct moehub_csr_word status_word(const struct moehub_switch_csr *csr)
{
    const uint32_t occupancy = moehub_reduction_buffer_occupancy(csr->buffer);
    const uint32_t word = (occupancy == 0 ? MOEHUB_SWITCH_CSR_STATUS_EMPTY : 0) |
                          (csr->buffer->draining ? MOEHUB_SWITCH_CSR_STATUS_DRAINING : 0) |
                          moehub_field_word(MOEHUB_SWITCH_CSR_STATUS_OCCUPANCY, occupancy);
    return csr_partly(word, ~(MOEHUB_SWITCH_CSR_STATUS_INITIALISED | MOEHUB_SWITCH_CSR_STATUS_COMMAND_BUSY));
}

struct moehub_csr_word moehub_switch_csr_read(struct moehub_switch_csr *csr, uint32_t address)
{
    moehub_switch_csr_update(csr);
    switch (address) {
    case MOEHUB_CSR_STATUS:
        return status_word(csr);
    case MOEHUB_SWITCH_CSR_COMMAND_DATA:
        return csr_known(csr->command_data);
    case MOEHUB_SWITCH_CSR_TIMEOUT:
        return csr_known(csr->buffer->timeout);
    default:
        return csr_bank_read(&csr->bank, address);
    }
}

bool moehub_switch_csr_latch_possible(const struct moehub_switch_csr *csr, uint32_t status, const uint32_t header[4],
                                      uint32_t name)
{
    return csr_bank_latch_possible(&csr->bank, status, header, name);
}
