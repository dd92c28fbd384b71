/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/tile_tracker_csr.h"

#include "common/csr_bank.h"

#include <string.h>

void moehub_tile_tracker_csr_init(struct moehub_tile_tracker_csr *csr, struct moehub_tile_tracker *tracker)
{
    memset(csr, 0, sizeof *csr);
    csr->tracker = tracker;
    csr->bank = (struct moehub_csr_bank){
        .map = &moehub_tile_tracker_registers,
        .id = MOEHUB_ID_TILE_TRACKER,
        .offenders = &tracker->offenders,
        .counters = tracker->counters,
        .order_events = MOEHUB_TILE_TRACKER_ORDER_EVENTS,
        .parameters = {tracker->config.tiles, tracker->config.tokens},
    };
}

static void command(struct moehub_tile_tracker_csr *csr, uint32_t operation)
{
    const bool done = moehub_tile_tracker_command(csr->tracker, operation, csr->context, csr->index, csr->result);
    csr_bank_command(&csr->bank, !done);
}

enum moehub_csr_response moehub_tile_tracker_csr_write(struct moehub_tile_tracker_csr *csr, uint32_t address, uint32_t data,
                                                       unsigned strobe, bool busy)
{
    csr_bank_update(&csr->bank);
    const enum moehub_csr_response response = csr_bank_accepts(&csr->bank, address, strobe, busy);
    if (response != MOEHUB_CSR_OKAY)
        return response;
    switch (address) {
    case MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT:
        csr->context = (uint8_t)data;
        break;
    case MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX:
        csr->index = (uint16_t)data;
        break;
    case MOEHUB_CSR_COMMAND:
        command(csr, data & MOEHUB_CSR_COMMAND_OPERATION);
        break;
    default:
        csr_bank_write(&csr->bank, address, data);
    }
    return response;
}

/* ---- reads ------------------------------------------------------------------------ */

static struct moehub_csr_word status_word(const struct moehub_tile_tracker *tracker)
{
    const uint32_t unknown = MOEHUB_TILE_TRACKER_CSR_STATUS_INITIALISED | MOEHUB_TILE_TRACKER_CSR_STATUS_COMMAND_BUSY |
                             MOEHUB_TILE_TRACKER_CSR_STATUS_SWEEPING;
    uint32_t arrived = 0;
    for (unsigned context = 0; context < tracker->config.contexts; context++)
        arrived |= (uint32_t)tracker->contexts[context].arrived << context;
    return csr_partly(moehub_field_word(MOEHUB_TILE_TRACKER_CSR_STATUS_ARRIVED, arrived), ~unknown);
}

struct moehub_csr_word moehub_tile_tracker_csr_read(struct moehub_tile_tracker_csr *csr, uint32_t address)
{
    csr_bank_update(&csr->bank);
    switch (address) {
    case MOEHUB_CSR_STATUS:
        return status_word(csr->tracker);
    case MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT:
        return csr_known(csr->context);
    case MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX:
        return csr_known(csr->index);
    case MOEHUB_TILE_TRACKER_CSR_RESULT_DATA0_LOW:
        return csr_known((uint32_t)csr->result[0]);
    case MOEHUB_TILE_TRACKER_CSR_RESULT_DATA0_HIGH:
        return csr_known((uint32_t)(csr->result[0] >> 32));
    case MOEHUB_TILE_TRACKER_CSR_RESULT_DATA1_LOW:
        return csr_known((uint32_t)csr->result[1]);
    case MOEHUB_TILE_TRACKER_CSR_RESULT_DATA1_HIGH:
        return csr_known((uint32_t)(csr->result[1] >> 32));
    default:
        return csr_bank_read(&csr->bank, address);
    }
}

bool moehub_tile_tracker_csr_latch_possible(const struct moehub_tile_tracker_csr *csr, uint32_t status,
                                            const uint32_t header[4], uint32_t name)
{
    return csr_bank_latch_possible(&csr->bank, status, header, name);
}
