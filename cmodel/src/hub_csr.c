/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/hub_csr.h"

#include "moehub/version.h"

#include <string.h>

enum {
    ID = 0x000,
    VERSION = 0x004,
    STATUS = 0x008,
    INTERRUPT_STATUS = 0x00C,
    INTERRUPT_MASK = 0x010,
    PARAMETER = 0x020,
    COMMAND_CONTEXT = 0x080,
    COMMAND_INDEX = 0x084,
    COMMAND_DATA0_LOW = 0x088,
    COMMAND_DATA0_HIGH = 0x08C,
    COMMAND_DATA1_LOW = 0x090,
    COMMAND_DATA1_HIGH = 0x094,
    COMMAND = 0x098,
    COMMAND_STATUS = 0x09C,
    RESULT_DATA0_LOW = 0x0A0,
    RESULT_DATA0_HIGH = 0x0A4,
    RESULT_DATA1_LOW = 0x0A8,
    RESULT_DATA1_HIGH = 0x0AC,
    SNAPSHOT = 0x0C0,
    LATCH_STATUS = 0x0C4,
    LATCH_HEADER = 0x0C8,
    LATCH_NAME = 0x0D8,
    HIGH_WATER = 0x0DC,
    COUNTER = 0x100
};

enum { INTERRUPT_LATCHED = 1, INTERRUPT_CLEAR_NEEDED = 2, INTERRUPT_REFUSED = 4, INTERRUPTS = 7 };

#define COUNTER_HIGH_MASK UINT32_C(0xFFFF)   /* counters have 48 bits */

void moehub_hub_csr_init(struct moehub_hub_csr *csr, struct moehub_address_path *path)
{
    memset(csr, 0, sizeof *csr);
    csr->path = path;
}

/* The interrupt is the event of latching, not the state of the latch. */
static void see_latch(struct moehub_hub_csr *csr)
{
    const bool latched = csr->path->offenders.count != 0;
    if (latched && !csr->latch_seen)
        csr->interrupt_status |= INTERRUPT_LATCHED;
    csr->latch_seen = latched;
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
    csr->command.operation = operation & 0xF;
    const bool before = clear_needed(csr);
    moehub_address_path_command(csr->path, &csr->command, in_flight, &csr->result);
    if (csr->command.operation == MOEHUB_HUB_COMMAND_ADVANCE && !before && clear_needed(csr))
        csr->interrupt_status |= INTERRUPT_CLEAR_NEEDED;
    if (csr->result.refused)
        csr->interrupt_status |= INTERRUPT_REFUSED;
}

static void clear_latch(struct moehub_hub_csr *csr)
{
    moehub_offenders_clear(&csr->path->offenders);
    csr->latch_seen = false;
}

enum moehub_csr_response moehub_hub_csr_write(struct moehub_hub_csr *csr, uint32_t address, uint32_t data,
                                              unsigned strobe, bool busy, bool in_flight)
{
    see_latch(csr);
    if (strobe != 0xF)
        return MOEHUB_CSR_SLVERR;
    switch (address) {
    case INTERRUPT_STATUS:
        csr->interrupt_status &= ~data;
        return MOEHUB_CSR_OKAY;
    case INTERRUPT_MASK:
        csr->interrupt_mask = data & INTERRUPTS;
        return MOEHUB_CSR_OKAY;
    case COMMAND_CONTEXT:
        csr->command.context = (uint8_t)data;
        return MOEHUB_CSR_OKAY;
    case COMMAND_INDEX:
        csr->command.index = (uint16_t)data;
        return MOEHUB_CSR_OKAY;
    case COMMAND_DATA0_LOW:
        csr->command.data0 = with_low(csr->command.data0, data);
        return MOEHUB_CSR_OKAY;
    case COMMAND_DATA0_HIGH:
        csr->command.data0 = with_high(csr->command.data0, data);
        return MOEHUB_CSR_OKAY;
    case COMMAND_DATA1_LOW:
        csr->command.data1 = with_low(csr->command.data1, data);
        return MOEHUB_CSR_OKAY;
    case COMMAND_DATA1_HIGH:
        csr->command.data1 = with_high(csr->command.data1, data);
        return MOEHUB_CSR_OKAY;
    case COMMAND:
        if (busy)
            return MOEHUB_CSR_SLVERR;
        start_command(csr, data, in_flight);
        return MOEHUB_CSR_OKAY;
    case SNAPSHOT:
        memcpy(csr->snapshot, csr->path->counters, sizeof csr->snapshot);
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

static struct moehub_csr_word status_word(const struct moehub_hub_csr *csr)
{
    uint32_t clear = 0;
    for (unsigned context = 0; context < csr->path->alloc.config.contexts; context++)
        clear |= (uint32_t)csr->path->alloc.contexts[context].clear_needed << (16 + context);
    return partly(clear, UINT32_C(0xFFFF0000));
}

static struct moehub_csr_word parameter_word(const struct moehub_hub_csr *csr, uint32_t index)
{
    uint32_t parameters[MOEHUB_ADDRESS_PATH_PARAMETERS];
    memcpy(parameters, &csr->path->alloc.config, sizeof parameters);
    return known(parameters[index]);
}
_Static_assert(sizeof(struct moehub_address_path_config) == MOEHUB_ADDRESS_PATH_PARAMETERS * sizeof(uint32_t),
               "the configuration is the array of the PARAMETER registers");

static struct moehub_csr_word counter_word(const struct moehub_hub_csr *csr, uint32_t offset)
{
    const uint32_t event = offset / 8;
    const bool high = offset % 8 != 0;
    if (event >= MOEHUB_HUB_ORDER_EVENTS)
        return partly(0, high ? ~COUNTER_HIGH_MASK : 0);
    return known(high ? (uint32_t)(csr->snapshot[event] >> 32) & COUNTER_HIGH_MASK : (uint32_t)csr->snapshot[event]);
}

/* The latch holds one of the offenders; if there is just one, its cause is known. */
static struct moehub_csr_word latch_status_word(const struct moehub_hub_csr *csr)
{
    const struct moehub_offenders *offenders = &csr->path->offenders;
    if (offenders->count == 0)
        return partly(0, 1);
    if (offenders->count == 1)
        return known(1u | (uint32_t)offenders->list[0].cause << 8);
    return partly(1, ~UINT32_C(0x1F00));
}

static struct moehub_csr_word block_word(const struct moehub_hub_csr *csr, uint32_t address)
{
    if (address % 4 == 0 && address >= PARAMETER && address < PARAMETER + 4 * MOEHUB_ADDRESS_PATH_PARAMETERS)
        return parameter_word(csr, (address - PARAMETER) / 4);
    if (address % 4 == 0 && address >= COUNTER && address < COUNTER + 8 * MOEHUB_HUB_EVENTS)
        return counter_word(csr, address - COUNTER);
    if (address % 4 == 0 && address >= LATCH_HEADER && address <= LATCH_NAME)
        return partly(0, 0);
    return (struct moehub_csr_word){0, UINT32_MAX, MOEHUB_CSR_SLVERR};
}

struct moehub_csr_word moehub_hub_csr_read(struct moehub_hub_csr *csr, uint32_t address)
{
    see_latch(csr);
    switch (address) {
    case ID:
        return known(MOEHUB_ID_HUB);
    case VERSION:
        return known(MOEHUB_VERSION);
    case STATUS:
        return status_word(csr);
    case INTERRUPT_STATUS:
        return known(csr->interrupt_status);
    case INTERRUPT_MASK:
        return known(csr->interrupt_mask);
    case COMMAND_CONTEXT:
        return known(csr->command.context);
    case COMMAND_INDEX:
        return known(csr->command.index);
    case COMMAND_DATA0_LOW:
        return known((uint32_t)csr->command.data0);
    case COMMAND_DATA0_HIGH:
        return known((uint32_t)(csr->command.data0 >> 32));
    case COMMAND_DATA1_LOW:
        return known((uint32_t)csr->command.data1);
    case COMMAND_DATA1_HIGH:
        return known((uint32_t)(csr->command.data1 >> 32));
    case COMMAND_STATUS:
        return partly((uint32_t)csr->result.refused << 1 | (uint32_t)csr->result.in_flight << 2, ~UINT32_C(1));
    case RESULT_DATA0_LOW:
        return known((uint32_t)csr->result.data0);
    case RESULT_DATA0_HIGH:
        return known((uint32_t)(csr->result.data0 >> 32));
    case RESULT_DATA1_LOW:
        return known((uint32_t)csr->result.data1);
    case RESULT_DATA1_HIGH:
        return known((uint32_t)(csr->result.data1 >> 32));
    case LATCH_STATUS:
        return latch_status_word(csr);
    case HIGH_WATER:
        return partly(0, 0);
    default:
        return block_word(csr, address);
    }
}

bool moehub_hub_csr_latch_possible(const struct moehub_hub_csr *csr, uint32_t status, const uint32_t header[4],
                                   uint32_t name)
{
    if ((status & 1) == 0)
        return csr->path->offenders.count == 0;
    const struct moehub_offender offender = {
        .header = {{header[0] | (uint64_t)header[1] << 32, header[2] | (uint64_t)header[3] << 32}},
        .expert = (uint16_t)name,
        .port = (uint8_t)(name >> 16 & 0x3F),
        .cause = (uint8_t)(status >> 8 & 0x1F),
    };
    const bool nothing_else = (status & ~UINT32_C(0x1F01)) == 0 && name >> 22 == 0;
    return nothing_else && moehub_offenders_contain(&csr->path->offenders, &offender);
}
