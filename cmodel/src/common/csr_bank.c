/* SPDX-License-Identifier: Apache-2.0 */
#include "csr_bank.h"

#include "moehub/version.h"

#include <string.h>

const struct moehub_register *moehub_register_find(const struct moehub_register_map *map, uint32_t address, uint32_t *index)
{
    for (size_t i = 0; i < map->count; i++) {
        const struct moehub_register *reg = &map->registers[i];
        const uint32_t distance = address - reg->offset;
        if (address < reg->offset || distance % reg->stride != 0 || distance / reg->stride >= reg->count)
            continue;
        if (index != NULL)
            *index = distance / reg->stride;
        return reg;
    }
    return NULL;
}

struct moehub_csr_word csr_known(uint32_t data)
{
    return (struct moehub_csr_word){data, UINT32_MAX, MOEHUB_CSR_OKAY};
}

struct moehub_csr_word csr_partly(uint32_t data, uint32_t mask)
{
    return (struct moehub_csr_word){data & mask, mask, MOEHUB_CSR_OKAY};
}

/* The interrupt is the event of latching, not the state of the latch. */
void csr_bank_update(struct moehub_csr_bank *bank)
{
    const bool latched = bank->offenders->count != 0;
    if (latched && !bank->latch_seen)
        bank->interrupt_status |= MOEHUB_CSR_INTERRUPT_STATUS_LATCHED;
    bank->latch_seen = latched;
}

void csr_bank_command(struct moehub_csr_bank *bank, bool refused)
{
    bank->refused = refused;
    if (refused)
        bank->interrupt_status |= MOEHUB_CSR_INTERRUPT_STATUS_REFUSED;
}

/* ---- writes ----------------------------------------------------------------------- */

enum moehub_csr_response csr_bank_accepts(const struct moehub_csr_bank *bank, uint32_t address, unsigned strobe, bool busy)
{
    const struct moehub_register *reg = moehub_register_find(bank->map, address, NULL);
    const bool refused = reg == NULL || !reg->writable || strobe != 0xF || (busy && address == MOEHUB_CSR_COMMAND);
    return refused ? MOEHUB_CSR_SLVERR : MOEHUB_CSR_OKAY;
}

static void clear_latch(struct moehub_csr_bank *bank)
{
    moehub_offenders_clear(bank->offenders);
    bank->latch_seen = false;
}

void csr_bank_write(struct moehub_csr_bank *bank, uint32_t address, uint32_t data)
{
    switch (address) {
    case MOEHUB_CSR_INTERRUPT_STATUS:
        bank->interrupt_status &= ~data;
        break;
    case MOEHUB_CSR_INTERRUPT_MASK:
        bank->interrupt_mask = data & moehub_register_find(bank->map, address, NULL)->kept;
        break;
    case MOEHUB_CSR_SNAPSHOT:
        memcpy(bank->snapshot, bank->counters, bank->order_events * sizeof *bank->counters);
        break;
    case MOEHUB_CSR_LATCH_STATUS:
        if ((data & MOEHUB_CSR_LATCH_STATUS_LATCHED) != 0)
            clear_latch(bank);
        break;
    default:
        break;
    }
}

/* ---- reads ------------------------------------------------------------------------ */

static struct moehub_csr_word counter_word(const struct moehub_csr_bank *bank, uint32_t event, bool high)
{
    if (event >= bank->order_events)
        return csr_partly(0, high ? ~MOEHUB_CSR_COUNTER_HIGH_VALUE : 0);
    const uint64_t count = bank->snapshot[event];
    return csr_known(high ? (uint32_t)(count >> 32) & MOEHUB_CSR_COUNTER_HIGH_VALUE : (uint32_t)count);
}

/* The latch holds one of the offenders; if there is just one, its cause is known. */
static struct moehub_csr_word latch_status(const struct moehub_offenders *offenders)
{
    if (offenders->count == 0)
        return csr_partly(0, MOEHUB_CSR_LATCH_STATUS_LATCHED);
    if (offenders->count == 1)
        return csr_known(MOEHUB_CSR_LATCH_STATUS_LATCHED |
                         moehub_field_word(MOEHUB_CSR_LATCH_STATUS_CAUSE, offenders->list[0].cause));
    return csr_partly(MOEHUB_CSR_LATCH_STATUS_LATCHED, ~MOEHUB_CSR_LATCH_STATUS_CAUSE);
}

struct moehub_csr_word csr_bank_read(const struct moehub_csr_bank *bank, uint32_t address)
{
    uint32_t index;
    const struct moehub_register *reg = moehub_register_find(bank->map, address, &index);
    if (reg == NULL || !reg->readable)
        return (struct moehub_csr_word){0, UINT32_MAX, MOEHUB_CSR_SLVERR};
    switch (reg->offset) {
    case MOEHUB_CSR_ID:
        return csr_known(bank->id);
    case MOEHUB_CSR_VERSION:
        return csr_known(MOEHUB_VERSION);
    case MOEHUB_CSR_INTERRUPT_STATUS:
        return csr_known(bank->interrupt_status);
    case MOEHUB_CSR_INTERRUPT_MASK:
        return csr_known(bank->interrupt_mask);
    case MOEHUB_CSR_PARAMETER:
        return csr_known(bank->parameters[index]);
    case MOEHUB_CSR_COMMAND_STATUS:
        return csr_partly(bank->refused ? MOEHUB_CSR_COMMAND_STATUS_REFUSED : 0, ~MOEHUB_CSR_COMMAND_STATUS_BUSY);
    case MOEHUB_CSR_LATCH_STATUS:
        return latch_status(bank->offenders);
    case MOEHUB_CSR_COUNTER_LOW:
        return counter_word(bank, index, false);
    case MOEHUB_CSR_COUNTER_HIGH:
        return counter_word(bank, index, true);
    default: /* the latch's words, high-water marks: their fields are the hardware's */
        return csr_partly(0, ~reg->fields);
    }
}

bool csr_bank_latch_possible(const struct moehub_csr_bank *bank, uint32_t status, const uint32_t header[4], uint32_t name)
{
    if ((status & MOEHUB_CSR_LATCH_STATUS_LATCHED) == 0)
        return bank->offenders->count == 0;
    const struct moehub_offender offender = {
        .header = moehub_flit_from_words(header),
        .expert = (uint16_t)moehub_field(MOEHUB_HUB_CSR_LATCH_NAME_EXPERT, name),
        .port = (uint8_t)moehub_field(MOEHUB_CSR_LATCH_NAME_PORT, name),
        .cause = (uint8_t)moehub_field(MOEHUB_CSR_LATCH_STATUS_CAUSE, status),
    };
    const uint32_t status_fields = moehub_register_find(bank->map, MOEHUB_CSR_LATCH_STATUS, NULL)->fields;
    const uint32_t name_fields = moehub_register_find(bank->map, MOEHUB_CSR_LATCH_NAME, NULL)->fields;
    const bool nothing_else = (status & ~status_fields) == 0 && (name & ~name_fields) == 0;
    return nothing_else && moehub_offenders_contain(bank->offenders, &offender);
}
