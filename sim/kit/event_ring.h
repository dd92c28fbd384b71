/* SPDX-License-Identifier: Apache-2.0 */
/* The last events of a run, whatever their kind, kept for the mismatch report. */
#ifndef KIT_EVENT_RING_H
#define KIT_EVENT_RING_H

#include "kit/field.h"

enum { EVENT_RING_SIZE = 16 };

struct event {
    const char *block;
    const struct field_table *table;
    uint64_t cycle;
    uint64_t number; /* of the block's events, from 0 */
    unsigned port;
    uint64_t item[ITEM_WORDS_MAX];
};

struct event_ring {
    struct event events[EVENT_RING_SIZE];
    uint64_t count;
};

/* Keeps a copy of the item; `block` and `table` must outlive the ring. */
void event_ring_add(struct event_ring *ring, const char *block, const struct field_table *table, uint64_t cycle,
                    uint64_t number, unsigned port, const uint64_t *item);

/* Prints them, oldest first, one a line, the newest with an arrow. */
void event_ring_print(FILE *out, const struct event_ring *ring);

#endif
