/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/event_ring.h"

#include <inttypes.h>
#include <string.h>

void event_ring_add(struct event_ring *ring, const char *block, const struct field_table *table, uint64_t cycle,
                    uint64_t number, unsigned port, const uint64_t *item)
{
    struct event *event = &ring->events[ring->count++ % EVENT_RING_SIZE];
    event->block = block;
    event->table = table;
    event->cycle = cycle;
    event->number = number;
    event->port = port;
    memcpy(event->item, item, table->words * sizeof *item);
}

void event_ring_print(FILE *out, const struct event_ring *ring)
{
    uint64_t first = ring->count > EVENT_RING_SIZE ? ring->count - EVENT_RING_SIZE : 0;
    for (uint64_t i = first; i < ring->count; i++) {
        const struct event *event = &ring->events[i % EVENT_RING_SIZE];
        fprintf(out, "  %s cycle %" PRIu64 " %s port %u #%" PRIu64 ": ", i + 1 == ring->count ? "->" : "  ", event->cycle,
                event->block, event->port, event->number);
        field_table_print(out, event->table, event->item);
        fputc('\n', out);
    }
}
