/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/counter_memory.h"

#include <string.h>

enum { ROUND_MORE = 8 }; /* cycles of a snapshot beyond one a counter */

void moehub_counter_memory_reset(struct moehub_counter_memory *memory, uint32_t events, uint32_t width)
{
    *memory = (struct moehub_counter_memory){.events = events, .width = width, .value_known = true};
}

static void show_value(struct moehub_counter_memory *memory, uint32_t index)
{
    const bool shows = memory->copied && index < memory->events;
    memory->value_known = memory->left == 0 || !shows;
    memory->value = shows && memory->left == 0 ? memory->copies[index] : 0;
}

/* The events of the same cycle are not in it. */
static void take_snapshot(struct moehub_counter_memory *memory)
{
    memcpy(memory->copies, memory->counters, sizeof memory->copies);
    memory->left = memory->events + ROUND_MORE;
}

bool moehub_counter_memory_step(struct moehub_counter_memory *memory, const struct moehub_counter_memory_cycle *cycle)
{
    if (cycle->snapshot && memory->left > 0)
        return false;
    show_value(memory, cycle->index);
    if (cycle->snapshot)
        take_snapshot(memory);
    for (unsigned i = 0; i < memory->events; i++)
        memory->counters[i] = (memory->counters[i] + (cycle->events >> i & 1)) & (UINT64_MAX >> (64 - memory->width));
    memory->snapshot_done = memory->left == 1;
    memory->left -= memory->left > 0;
    memory->copied |= memory->snapshot_done;
    return true;
}
