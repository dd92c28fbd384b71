/* SPDX-License-Identifier: Apache-2.0 */
/* Creation, causes, lines, commands; rows, stores, packets and the end of a context are in packet_manager_{rows,stores,
 * packets,end}.c. */
#include "hub/packet_manager_parts.h"

#include "moehub/error.h"
#include "moehub/integer.h"

#include <stdlib.h>
#include <string.h>

/* Offenders that can be detected before an earlier one: a row beside stores, a command beside both. */
#define OFFENDERS_MARGIN 64

#define LINE_TIMEOUT_RESET 16384
#define LINE_TIMEOUT_MAX 32768

/* ---- creation --------------------------------------------------------------------- */

struct moehub_packet_manager_config moehub_packet_manager_config_default(void)
{
    return (struct moehub_packet_manager_config){
        .links = 1,
        .gpus = 8,
        .contexts = 4,
        .local_expert_bits = 8,
        .max_targets = 32,
        .offset_width = 14,
        .address_width = 48,
        .rows = 32,
        .lines = 448,
        .store_bytes = 32,
        .own = 0,
    };
}

int moehub_packet_manager_config_check(const struct moehub_packet_manager_config *config)
{
    const bool legal = moehub_within(config->links, 1, 4) && moehub_within(config->gpus, 2, MOEHUB_PACKET_MANAGER_GPUS_MAX) &&
                       moehub_within(config->contexts, 1, MOEHUB_PACKET_MANAGER_CONTEXTS_MAX) &&
                       moehub_within(config->local_expert_bits, 0, 8) &&
                       moehub_within(config->max_targets, 1, MOEHUB_TARGETS_MAX) &&
                       moehub_within(config->offset_width, 7, 16) && moehub_within(config->address_width, 32, 64) &&
                       moehub_within(config->rows, 1, MOEHUB_PACKET_MANAGER_ROWS_MAX) &&
                       moehub_within(config->lines, 1, 4096) && moehub_within(config->store_bytes, 16, MOEHUB_LINE_BYTES) &&
                       moehub_power_of_two(config->store_bytes) && config->own < config->gpus;
    return legal ? 0 : MOEHUB_E_ARGUMENT;
}

static void reset(struct moehub_packet_manager *manager)
{
    manager->line_timeout = LINE_TIMEOUT_RESET;
    for (unsigned i = 0; i < manager->config.contexts; i++)
        manager->contexts[i].clean = true;
    for (unsigned i = 0; i < manager->config.rows; i++)
        manager->rows[i].aborted = true;
}

int moehub_packet_manager_create(struct moehub_packet_manager *manager, const struct moehub_packet_manager_config *config)
{
    if (moehub_packet_manager_config_check(config) != 0)
        return MOEHUB_E_ARGUMENT;
    memset(manager, 0, sizeof *manager);
    manager->config = *config;
    manager->lines = calloc((size_t)config->rows << (config->offset_width - 7), sizeof *manager->lines);
    if (manager->lines == NULL || moehub_offenders_create(&manager->offenders, OFFENDERS_MARGIN) != 0) {
        moehub_packet_manager_destroy(manager);
        return MOEHUB_E_MEMORY;
    }
    reset(manager);
    return 0;
}

void moehub_packet_manager_destroy(struct moehub_packet_manager *manager)
{
    if (manager == NULL)
        return;
    free(manager->lines);
    moehub_offenders_destroy(&manager->offenders);
    memset(manager, 0, sizeof *manager);
}

/* ---- causes ----------------------------------------------------------------------------- */

void packet_manager_cause(struct moehub_packet_manager *manager, unsigned cause, struct moehub_header latch)
{
    packet_manager_count(manager, MOEHUB_PACKET_MANAGER_EVENT_CAUSES + cause);
    moehub_offenders_add(&manager->offenders,
                         &(struct moehub_offender){.header = moehub_header_pack(&latch), .cause = (uint8_t)cause});
}

void packet_manager_flag(struct moehub_packet_manager *manager, unsigned context)
{
    manager->contexts[context].failed |= !manager->contexts[context].clean;
}

/* ---- lines ------------------------------------------------------------------------------ */

struct moehub_line_buffer *packet_manager_buffer(struct moehub_packet_manager *manager, unsigned entry, unsigned line)
{
    if (entry >= manager->config.rows || line >= packet_manager_row_lines(manager) ||
        manager->rows[entry].state != MOEHUB_ENTRY_OPEN)
        return NULL;
    struct moehub_line_buffer *buffer = &manager->lines[(size_t)entry * packet_manager_row_lines(manager) + line];
    return buffer->state == MOEHUB_LINE_FREE ? NULL : buffer;
}

struct moehub_flit packet_manager_whole(const struct moehub_packet_manager *manager, const struct moehub_row_entry *entry,
                                        unsigned line)
{
    const uint32_t first = line * MOEHUB_LINE_BYTES;
    const uint32_t row_size = packet_manager_context_of(manager, entry)->row_size;
    const uint32_t left = row_size > first ? row_size - first : 0;
    return byte_mask_lowest(left < MOEHUB_LINE_BYTES ? left : MOEHUB_LINE_BYTES);
}

void packet_manager_becomes_ready(const struct moehub_row_entry *entry, struct moehub_line_buffer *buffer)
{
    buffer->state = MOEHUB_LINE_READY;
    buffer->kinds = (uint8_t)((entry->targets.remote_count > 0) << MOEHUB_KIND_UP |
                              (entry->targets.own_count > 0) << MOEHUB_KIND_LOOP);
}

/* ---- commands ---------------------------------------------------------------------------- */

bool moehub_packet_manager_command(struct moehub_packet_manager *manager, unsigned operation, uint32_t data)
{
    if (operation == MOEHUB_PACKET_MANAGER_COMMAND_LINE_TIMEOUT_SET && moehub_within(data, 1, LINE_TIMEOUT_MAX)) {
        manager->line_timeout = data;
        return true;
    }
    packet_manager_cause(manager, MOEHUB_PACKET_MANAGER_CAUSE_COMMAND, (struct moehub_header){.type = (uint8_t)operation});
    return false;
}
