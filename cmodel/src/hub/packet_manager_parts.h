/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the packet manager's model share: causes, the parts of rows and lines. */
#ifndef MOEHUB_HUB_PACKET_MANAGER_PARTS_H
#define MOEHUB_HUB_PACKET_MANAGER_PARTS_H

#include "hub/byte_mask.h"
#include "moehub/packet_manager.h"

static inline void packet_manager_count(struct moehub_packet_manager *manager, unsigned event)
{
    manager->counters[event]++;
}

/* Counts and latches a cause; the header has what the latch shows (rtl/doc/hub/packet_manager.md section 8). */
void packet_manager_cause(struct moehub_packet_manager *manager, unsigned cause, struct moehub_header latch);

/* Flags the context, if it is not clean. */
void packet_manager_flag(struct moehub_packet_manager *manager, unsigned context);

/* The settings of a row that opened. */
static inline const struct moehub_packet_manager_context *packet_manager_context_of(const struct moehub_packet_manager *manager,
                                                                                   const struct moehub_row_entry *entry)
{
    return &manager->contexts[entry->row.context];
}

static inline unsigned packet_manager_row_lines(const struct moehub_packet_manager *manager)
{
    return 1u << (manager->config.offset_width - 7);
}

/* The entry of the n-th of the rows that are opening. */
static inline unsigned packet_manager_opening(const struct moehub_packet_manager *manager, unsigned n)
{
    return manager->opening[(manager->opening_first + n) % MOEHUB_PACKET_MANAGER_ROWS_MAX];
}

/* The buffer of a line, NULL if the entry is not open, there is no such line, or it has no buffer. */
struct moehub_line_buffer *packet_manager_buffer(struct moehub_packet_manager *manager, unsigned entry, unsigned line);

/* All bytes of the line that the row has. */
struct moehub_flit packet_manager_whole(const struct moehub_packet_manager *manager, const struct moehub_row_entry *entry,
                                        unsigned line);

/* A line that fills becomes ready, for each kind of its row. */
void packet_manager_becomes_ready(const struct moehub_row_entry *entry, struct moehub_line_buffer *buffer);

/* The packet of what the buffer holds of a line, for that kind of its row; `first`: FIRST. */
void packet_manager_form(const struct moehub_packet_manager *manager, const struct moehub_row_entry *row,
                         const struct moehub_line_buffer *buffer, unsigned line, enum moehub_kind kind, bool first,
                         struct moehub_store_packet *packet);

#endif
