/* SPDX-License-Identifier: Apache-2.0 */
/* Close, abort, ADVANCE of a context (rtl/doc/hub/packet_manager.md section 7). */
#include "hub/packet_manager_parts.h"

#include <string.h>

void moehub_packet_manager_close(struct moehub_packet_manager *manager, unsigned context)
{
    manager->ends[context].asked = true;
}

void moehub_packet_manager_abort(struct moehub_packet_manager *manager, unsigned context)
{
    manager->ends[context].asked = true;
    for (unsigned i = 0; i < manager->config.rows; i++)
        if (manager->rows[i].state != MOEHUB_ENTRY_FREE && manager->rows[i].row.context == context)
            manager->rows[i].aborted = true;
}

/* The first peer from `gpu` on; the number of GPUs: there is none. */
static uint32_t peer_from(const struct moehub_packet_manager *manager, unsigned context, uint32_t gpu)
{
    while (gpu < manager->config.gpus && (manager->contexts[context].peers >> gpu & 1) == 0)
        gpu++;
    return gpu;
}

/* Entries that have to be free before the closes; not those of rows that came too late. */
static bool holds_up(const struct moehub_packet_manager *manager, unsigned context)
{
    for (unsigned i = 0; i < manager->config.rows; i++) {
        const struct moehub_row_entry *entry = &manager->rows[i];
        const bool refused = entry->state == MOEHUB_ENTRY_OPENING && entry->status == MOEHUB_STATUS_CONTEXT;
        if (entry->row.context == context && entry->state != MOEHUB_ENTRY_FREE && !refused)
            return true;
    }
    return false;
}

bool moehub_packet_manager_next_close(struct moehub_packet_manager *manager, unsigned context, struct moehub_flit *close)
{
    struct moehub_packet_manager_context *settings = &manager->contexts[context];
    struct moehub_packet_manager_end *end = &manager->ends[context];
    const uint32_t peer = peer_from(manager, context, end->next);
    if (!end->asked || holds_up(manager, context) || peer == manager->config.gpus)
        return false;
    *close = moehub_header_pack(&(struct moehub_header){
        .type = MOEHUB_PACKET_CLOSE,
        .source = (uint16_t)manager->config.own,
        .context = (uint8_t)context,
        .offset = (uint16_t)peer,
        .row_index = manager->pairs[context][peer],
        .round = settings->round,
    });
    packet_manager_count(manager, MOEHUB_PACKET_MANAGER_EVENT_CLOSES);
    end->next = peer_from(manager, context, peer + 1);
    settings->closed = end->next == manager->config.gpus;
    return true;
}

void moehub_packet_manager_advance(struct moehub_packet_manager *manager, unsigned context)
{
    struct moehub_packet_manager_context *settings = &manager->contexts[context];
    memset(manager->pairs[context], 0, sizeof manager->pairs[context]);
    manager->ends[context] = (struct moehub_packet_manager_end){.asked = false};
    settings->clean = true;
    settings->closing = settings->closed = settings->failed = false;
}
