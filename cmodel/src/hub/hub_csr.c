/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/hub_csr.h"

#include "common/csr_bank.h"

#include <string.h>

#define PARAMETER_BYTES (MOEHUB_HUB_CSR_PARAMETER_COUNT * sizeof(uint32_t))

_Static_assert(sizeof(struct moehub_address_path_config) >= PARAMETER_BYTES,
               "the configuration begins with the PARAMETER registers");

void moehub_hub_csr_init(struct moehub_hub_csr *csr, struct moehub_address_path *path)
{
    memset(csr, 0, sizeof *csr);
    csr->path = path;
    csr->bank = (struct moehub_csr_bank){
        .map = &moehub_hub_registers,
        .id = MOEHUB_ID_HUB,
        .offenders = &path->offenders,
        .counters = path->counters,
        .order_events = MOEHUB_HUB_ORDER_EVENTS,
    };
    memcpy(csr->bank.parameters, &path->alloc.config, PARAMETER_BYTES);
}

/* ---- writes ----------------------------------------------------------------------- */

static uint64_t with_low(uint64_t word, uint32_t low)
{
    return (word & ~(uint64_t)UINT32_MAX) | low;
}

static uint64_t with_high(uint64_t word, uint32_t high)
{
    return (word & UINT32_MAX) | (uint64_t)high << 32;
}

static bool clear_needed(const struct moehub_hub_csr *csr)
{
    const struct moehub_addr_alloc *alloc = &csr->path->alloc;
    return csr->command.context < alloc->config.contexts && alloc->contexts[csr->command.context].clear_needed;
}

static void start_command(struct moehub_hub_csr *csr, uint32_t operation, bool in_flight)
{
    csr->command.operation = operation & MOEHUB_CSR_COMMAND_OPERATION;
    const bool before = clear_needed(csr);
    moehub_address_path_command(csr->path, &csr->command, in_flight, &csr->result);
    if (csr->command.operation == MOEHUB_HUB_COMMAND_ADVANCE && !before && clear_needed(csr))
        csr->bank.interrupt_status |= MOEHUB_HUB_CSR_INTERRUPT_STATUS_CLEAR_NEEDED;
    csr_bank_command(&csr->bank, csr->result.refused);
}

enum moehub_csr_response moehub_hub_csr_write(struct moehub_hub_csr *csr, uint32_t address, uint32_t data,
                                              unsigned strobe, bool busy, bool in_flight)
{
    csr_bank_update(&csr->bank);
    const enum moehub_csr_response response = csr_bank_accepts(&csr->bank, address, strobe, busy);
    if (response != MOEHUB_CSR_OKAY)
        return response;
    switch (address) {
    case MOEHUB_HUB_CSR_COMMAND_CONTEXT:
        csr->command.context = (uint8_t)data;
        break;
    case MOEHUB_HUB_CSR_COMMAND_INDEX:
        csr->command.index = (uint16_t)data;
        break;
    case MOEHUB_HUB_CSR_COMMAND_DATA0_LOW:
        csr->command.data0 = with_low(csr->command.data0, data);
        break;
    case MOEHUB_HUB_CSR_COMMAND_DATA0_HIGH:
        csr->command.data0 = with_high(csr->command.data0, data);
        break;
    case MOEHUB_HUB_CSR_COMMAND_DATA1_LOW:
        csr->command.data1 = with_low(csr->command.data1, data);
        break;
    case MOEHUB_HUB_CSR_COMMAND_DATA1_HIGH:
        csr->command.data1 = with_high(csr->command.data1, data);
        break;
    case MOEHUB_CSR_COMMAND:
        start_command(csr, data, in_flight);
        break;
    default:
        csr_bank_write(&csr->bank, address, data);
    }
    return response;
}

/* ---- reads ------------------------------------------------------------------------ */

/* What is in flight is the hardware's to say. */
static struct moehub_csr_word status_word(const struct moehub_hub_csr *csr)
{
    uint32_t clear = 0;
    for (unsigned context = 0; context < csr->path->alloc.config.contexts; context++)
        clear |= (uint32_t)csr->path->alloc.contexts[context].clear_needed << context;
    return csr_partly(moehub_field_word(MOEHUB_HUB_CSR_STATUS_CLEAR_NEEDED, clear), UINT32_C(0xFFFF0000));
}

static struct moehub_csr_word command_status_word(const struct moehub_hub_csr *csr)
{
    struct moehub_csr_word word = csr_bank_read(&csr->bank, MOEHUB_CSR_COMMAND_STATUS);
    if (csr->result.in_flight)
        word.data |= MOEHUB_HUB_CSR_COMMAND_STATUS_IN_FLIGHT;
    return word;
}

struct moehub_csr_word moehub_hub_csr_read(struct moehub_hub_csr *csr, uint32_t address)
{
    csr_bank_update(&csr->bank);
    switch (address) {
    case MOEHUB_CSR_STATUS:
        return status_word(csr);
    case MOEHUB_HUB_CSR_COMMAND_CONTEXT:
        return csr_known(csr->command.context);
    case MOEHUB_HUB_CSR_COMMAND_INDEX:
        return csr_known(csr->command.index);
    case MOEHUB_HUB_CSR_COMMAND_DATA0_LOW:
        return csr_known((uint32_t)csr->command.data0);
    case MOEHUB_HUB_CSR_COMMAND_DATA0_HIGH:
        return csr_known((uint32_t)(csr->command.data0 >> 32));
    case MOEHUB_HUB_CSR_COMMAND_DATA1_LOW:
        return csr_known((uint32_t)csr->command.data1);
    case MOEHUB_HUB_CSR_COMMAND_DATA1_HIGH:
        return csr_known((uint32_t)(csr->command.data1 >> 32));
    case MOEHUB_CSR_COMMAND_STATUS:
        return command_status_word(csr);
    case MOEHUB_HUB_CSR_RESULT_DATA0_LOW:
        return csr_known((uint32_t)csr->result.data0);
    case MOEHUB_HUB_CSR_RESULT_DATA0_HIGH:
        return csr_known((uint32_t)(csr->result.data0 >> 32));
    case MOEHUB_HUB_CSR_RESULT_DATA1_LOW:
        return csr_known((uint32_t)csr->result.data1);
    case MOEHUB_HUB_CSR_RESULT_DATA1_HIGH:
        return csr_known((uint32_t)(csr->result.data1 >> 32));
    default:
        return csr_bank_read(&csr->bank, address);
    }
}

bool moehub_hub_csr_latch_possible(const struct moehub_hub_csr *csr, uint32_t status, const uint32_t header[4],
                                   uint32_t name)
{
    return csr_bank_latch_possible(&csr->bank, status, header, name);
}
