/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/packet_manager_csr.h"

#include "common/csr_bank.h"

#include <string.h>

void moehub_packet_manager_csr_init(struct moehub_packet_manager_csr *csr, struct moehub_packet_manager *manager,
                                    uint32_t reduces)
{
    memset(csr, 0, sizeof *csr);
    csr->manager = manager;
    csr->bank = (struct moehub_csr_bank){
        .map = &moehub_packet_manager_registers,
        .id = MOEHUB_ID_PACKET_MANAGER,
        .offenders = &manager->offenders,
        .counters = manager->counters,
        .order_events = MOEHUB_PACKET_MANAGER_ORDER_EVENTS,
        .parameters = {manager->config.rows, manager->config.lines, manager->config.store_bytes, reduces},
    };
}

enum moehub_csr_response moehub_packet_manager_csr_write(struct moehub_packet_manager_csr *csr, uint32_t address, uint32_t data,
                                                         unsigned strobe, bool busy)
{
    csr_bank_update(&csr->bank);
    const enum moehub_csr_response response = csr_bank_accepts(&csr->bank, address, strobe, busy);
    if (response != MOEHUB_CSR_OKAY)
        return response;
    if (address == MOEHUB_PACKET_MANAGER_CSR_COMMAND_DATA)
        csr->command_data = data;
    else if (address == MOEHUB_CSR_COMMAND)
        csr_bank_command(&csr->bank, !moehub_packet_manager_command(csr->manager, data & MOEHUB_CSR_COMMAND_OPERATION,
                                                                    csr->command_data));
    else
        csr_bank_write(&csr->bank, address, data);
    return response;
}

struct moehub_csr_word moehub_packet_manager_csr_read(struct moehub_packet_manager_csr *csr, uint32_t address)
{
    csr_bank_update(&csr->bank);
    switch (address) {
    case MOEHUB_CSR_STATUS:
        return csr_partly(0, ~(MOEHUB_PACKET_MANAGER_CSR_STATUS_INITIALISED | MOEHUB_PACKET_MANAGER_CSR_STATUS_ROWS));
    case MOEHUB_PACKET_MANAGER_CSR_COMMAND_DATA:
        return csr_known(csr->command_data);
    case MOEHUB_PACKET_MANAGER_CSR_LINE_TIMEOUT:
        return csr_known(csr->manager->line_timeout);
    default:
        return csr_bank_read(&csr->bank, address);
    }
}

bool moehub_packet_manager_csr_latch_possible(const struct moehub_packet_manager_csr *csr, uint32_t status,
                                              const uint32_t header[4], uint32_t name)
{
    return csr_bank_latch_possible(&csr->bank, status, header, name);
}
