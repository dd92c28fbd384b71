/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/hub_csr.h"

#include "common/csr_registers.h"
#include "moehub/version.h"

#include <string.h>

/* Registers beside those of csr_registers.h. */
enum {
    COMMAND_CONTEXT = 0x080,
    COMMAND_INDEX = 0x084,
    COMMAND_DATA0_LOW = 0x088,
    COMMAND_DATA0_HIGH = 0x08C,
    COMMAND_DATA1_LOW = 0x090,
    COMMAND_DATA1_HIGH = 0x094,
    RESULT_DATA0_LOW = 0x0A0,
    RESULT_DATA0_HIGH = 0x0A4,
    RESULT_DATA1_LOW = 0x0A8,
    RESULT_DATA1_HIGH = 0x0AC
};

enum { INTERRUPT_LATCHED = 1, INTERRUPT_CLEAR_NEEDED = 2, INTERRUPT_REFUSED = 4, INTERRUPTS = 7 };

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
    case CSR_INTERRUPT_STATUS:
        csr->interrupt_status &= ~data;
        return MOEHUB_CSR_OKAY;
    case CSR_INTERRUPT_MASK:
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
    case CSR_COMMAND:
        if (busy)
            return MOEHUB_CSR_SLVERR;
        start_command(csr, data, in_flight);
        return MOEHUB_CSR_OKAY;
    case CSR_SNAPSHOT:
        memcpy(csr->snapshot, csr->path->counters, sizeof csr->snapshot);
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

static struct moehub_csr_word status_word(const struct moehub_hub_csr *csr)
{
    uint32_t clear = 0;
    for (unsigned context = 0; context < csr->path->alloc.config.contexts; context++)
        clear |= (uint32_t)csr->path->alloc.contexts[context].clear_needed << (16 + context);
    return csr_partly(clear, UINT32_C(0xFFFF0000));
}

static struct moehub_csr_word block_word(const struct moehub_hub_csr *csr, uint32_t address)
{
    uint32_t parameters[MOEHUB_ADDRESS_PATH_PARAMETERS];
    memcpy(parameters, &csr->path->alloc.config, sizeof parameters);
    const struct csr_blocks blocks = {
        .parameters = parameters,
        .parameter_count = MOEHUB_ADDRESS_PATH_PARAMETERS,
        .snapshot = csr->snapshot,
        .order_events = MOEHUB_HUB_ORDER_EVENTS,
        .events = MOEHUB_HUB_EVENTS,
    };
    return csr_block_word(&blocks, address);
}
_Static_assert(sizeof(struct moehub_address_path_config) == MOEHUB_ADDRESS_PATH_PARAMETERS * sizeof(uint32_t),
               "the configuration is the array of the PARAMETER registers");

struct moehub_csr_word moehub_hub_csr_read(struct moehub_hub_csr *csr, uint32_t address)
{
    see_latch(csr);
    switch (address) {
    case CSR_ID:
        return csr_known(MOEHUB_ID_HUB);
    case CSR_VERSION:
        return csr_known(MOEHUB_VERSION);
    case CSR_STATUS:
        return status_word(csr);
    case CSR_INTERRUPT_STATUS:
        return csr_known(csr->interrupt_status);
    case CSR_INTERRUPT_MASK:
        return csr_known(csr->interrupt_mask);
    case COMMAND_CONTEXT:
        return csr_known(csr->command.context);
    case COMMAND_INDEX:
        return csr_known(csr->command.index);
    case COMMAND_DATA0_LOW:
        return csr_known((uint32_t)csr->command.data0);
    case COMMAND_DATA0_HIGH:
        return csr_known((uint32_t)(csr->command.data0 >> 32));
    case COMMAND_DATA1_LOW:
        return csr_known((uint32_t)csr->command.data1);
    case COMMAND_DATA1_HIGH:
        return csr_known((uint32_t)(csr->command.data1 >> 32));
    case CSR_COMMAND_STATUS:
        return csr_partly((uint32_t)csr->result.refused << 1 | (uint32_t)csr->result.in_flight << 2, ~UINT32_C(1));
    case RESULT_DATA0_LOW:
        return csr_known((uint32_t)csr->result.data0);
    case RESULT_DATA0_HIGH:
        return csr_known((uint32_t)(csr->result.data0 >> 32));
    case RESULT_DATA1_LOW:
        return csr_known((uint32_t)csr->result.data1);
    case RESULT_DATA1_HIGH:
        return csr_known((uint32_t)(csr->result.data1 >> 32));
    case CSR_LATCH_STATUS:
        return csr_latch_status(&csr->path->offenders);
    case CSR_HIGH_WATER:
        return csr_partly(0, 0);
    default:
        return block_word(csr, address);
    }
}

bool moehub_hub_csr_latch_possible(const struct moehub_hub_csr *csr, uint32_t status, const uint32_t header[4],
                                   uint32_t name)
{
    return csr_latch_possible(&csr->path->offenders, status, header, name, UINT32_C(0x3FFFFF)); /* port and expert */
}
