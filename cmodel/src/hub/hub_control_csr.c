/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/hub_control_csr.h"

#include "common/csr_bank.h"

#include <string.h>

void moehub_hub_control_csr_init(struct moehub_hub_control_csr *csr, struct moehub_hub_contexts *contexts,
                                 const uint32_t parameters[MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT])
{
    memset(csr, 0, sizeof *csr);
    csr->contexts = contexts;
    csr->bank = (struct moehub_csr_bank){
        .map = &moehub_hub_control_registers,
        .id = MOEHUB_ID_HUB_CONTROL,
        .offenders = &contexts->offenders,
        .counters = contexts->counters,
        .order_events = MOEHUB_HUB_CONTROL_EVENTS,
    };
    memcpy(csr->bank.parameters, parameters, MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT * sizeof *parameters);
}

/* ---- writes ----------------------------------------------------------------------- */

/* An operand's register; false: none of them. */
static bool write_operand(struct moehub_hub_command *command, uint32_t address, uint32_t data)
{
    switch (address) {
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_CONTEXT:
        command->context = (uint8_t)data;
        return true;
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_INDEX:
        command->index = (uint16_t)data;
        return true;
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA0_LOW:
        command->data0 = (command->data0 & ~(uint64_t)UINT32_MAX) | data;
        return true;
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA0_HIGH:
        command->data0 = (command->data0 & UINT32_MAX) | (uint64_t)data << 32;
        return true;
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA1_LOW:
        command->data1 = (command->data1 & ~(uint64_t)UINT32_MAX) | data;
        return true;
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA1_HIGH:
        command->data1 = (command->data1 & UINT32_MAX) | (uint64_t)data << 32;
        return true;
    default:
        return false;
    }
}

enum moehub_csr_response moehub_hub_control_csr_write(struct moehub_hub_control_csr *csr, uint32_t address, uint32_t data,
                                                      unsigned strobe, bool busy)
{
    csr_bank_update(&csr->bank);
    const enum moehub_csr_response response = csr_bank_accepts(&csr->bank, address, strobe, busy);
    if (response != MOEHUB_CSR_OKAY || write_operand(&csr->command, address, data))
        return response;
    if (address == MOEHUB_CSR_COMMAND) {
        csr->started = csr->command;
        csr->started.operation = data & MOEHUB_CSR_COMMAND_OPERATION;
    } else {
        csr_bank_write(&csr->bank, address, data);
    }
    return response;
}

void moehub_hub_control_csr_note(struct moehub_hub_control_csr *csr, const struct moehub_hub_outcome *outcome, bool taken)
{
    if (outcome->became_failed)
        csr->bank.interrupt_status |= MOEHUB_HUB_CONTROL_CSR_INTERRUPT_STATUS_FAILED;
    if (outcome->became_arrived)
        csr->bank.interrupt_status |= MOEHUB_HUB_CONTROL_CSR_INTERRUPT_STATUS_ARRIVED;
    if (taken) {
        csr->result = outcome->result;
        csr_bank_command(&csr->bank, outcome->result.refused);
    }
}

/* ---- reads ------------------------------------------------------------------------ */

/* What is initialised, busy and in flight is the hardware's to say. */
static struct moehub_csr_word status_word(const struct moehub_hub_control_csr *csr)
{
    uint32_t enabled = 0, failed = 0;
    for (unsigned i = 0; i < csr->contexts->config.contexts; i++) {
        enabled |= (uint32_t)csr->contexts->contexts[i].enabled << i;
        failed |= (uint32_t)csr->contexts->contexts[i].failed << i;
    }
    return csr_partly(moehub_field_word(MOEHUB_HUB_CONTROL_CSR_STATUS_ENABLED, enabled) |
                          moehub_field_word(MOEHUB_HUB_CONTROL_CSR_STATUS_FAILED, failed),
                      MOEHUB_HUB_CONTROL_CSR_STATUS_ENABLED | MOEHUB_HUB_CONTROL_CSR_STATUS_FAILED);
}

static struct moehub_csr_word command_status_word(const struct moehub_hub_control_csr *csr)
{
    struct moehub_csr_word word = csr_bank_read(&csr->bank, MOEHUB_CSR_COMMAND_STATUS);
    if (csr->result.in_flight)
        word.data |= MOEHUB_HUB_CONTROL_CSR_COMMAND_STATUS_IN_FLIGHT;
    return word;
}

struct moehub_csr_word moehub_hub_control_csr_read(struct moehub_hub_control_csr *csr, uint32_t address)
{
    csr_bank_update(&csr->bank);
    const struct moehub_hub_command *command = &csr->command;
    const struct moehub_hub_result *result = &csr->result;
    switch (address) {
    case MOEHUB_CSR_STATUS: return status_word(csr);
    case MOEHUB_CSR_COMMAND_STATUS: return command_status_word(csr);
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_CONTEXT: return csr_known(command->context);
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_INDEX: return csr_known(command->index);
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA0_LOW: return csr_known((uint32_t)command->data0);
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA0_HIGH: return csr_known((uint32_t)(command->data0 >> 32));
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA1_LOW: return csr_known((uint32_t)command->data1);
    case MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA1_HIGH: return csr_known((uint32_t)(command->data1 >> 32));
    case MOEHUB_HUB_CONTROL_CSR_RESULT_DATA0_LOW: return csr_known((uint32_t)result->data0);
    case MOEHUB_HUB_CONTROL_CSR_RESULT_DATA0_HIGH: return csr_known((uint32_t)(result->data0 >> 32));
    case MOEHUB_HUB_CONTROL_CSR_RESULT_DATA1_LOW: return csr_known((uint32_t)result->data1);
    case MOEHUB_HUB_CONTROL_CSR_RESULT_DATA1_HIGH: return csr_known((uint32_t)(result->data1 >> 32));
    case MOEHUB_HUB_CONTROL_CSR_INTERRUPTS: return csr_partly(0, 0);
    case MOEHUB_HUB_CONTROL_CSR_OWN: return csr_known(csr->contexts->config.own);
    default: return csr_bank_read(&csr->bank, address);
    }
}

bool moehub_hub_control_csr_latch_possible(const struct moehub_hub_control_csr *csr, uint32_t status, const uint32_t header[4],
                                           uint32_t name)
{
    return csr_bank_latch_possible(&csr->bank, status, header, name);
}
