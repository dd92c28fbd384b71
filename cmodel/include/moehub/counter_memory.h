/* SPDX-License-Identifier: Apache-2.0 */
/* Event counters that are read as one consistent set, cycle by cycle (rtl/doc/plane/switch.md section 7; RTL:
 * moehub_counter_memory). */
#ifndef MOEHUB_COUNTER_MEMORY_H
#define MOEHUB_COUNTER_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#define MOEHUB_COUNTER_EVENTS_MAX 64

/* What comes in a cycle. */
struct moehub_counter_memory_cycle {
    uint64_t events;             /* a bit a counter: it advances by one */
    bool snapshot;               /* not before the last one's `snapshot_done` */
    uint32_t index;              /* of the counter that `value` shows next */
};

struct moehub_counter_memory {
    uint32_t events;             /* counters, 1..64 */
    uint32_t width;              /* bits of each, 7..64 */
    /* registers: what a cycle brings shows in the next; all zero after reset but value_known, which is true */
    bool snapshot_done;          /* events + 8 cycles after `snapshot` */
    bool value_known;            /* not of an index between a snapshot, the first excepted, and its end */
    uint64_t value;              /* of the last snapshot that is done; 0 before the first, and beyond the last counter */
    uint64_t counters[MOEHUB_COUNTER_EVENTS_MAX];
    /* private */
    uint64_t copies[MOEHUB_COUNTER_EVENTS_MAX];
    bool copied;                 /* a snapshot is done, in this cycle or before */
    uint32_t left;               /* cycles until the snapshot under way is done; 0: none is */
};

void moehub_counter_memory_reset(struct moehub_counter_memory *memory, uint32_t events, uint32_t width);

/* One cycle. False, and nothing done, if a snapshot comes too early. */
bool moehub_counter_memory_step(struct moehub_counter_memory *memory, const struct moehub_counter_memory_cycle *cycle);

#endif
