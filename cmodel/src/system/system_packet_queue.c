/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_state.h"

#include <stdlib.h>

uint64_t packet_power_of_two(uint64_t least)
{
    uint64_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

int packet_ring_create(struct packet_ring *ring, uint64_t places)
{
    const uint64_t power = packet_power_of_two(places);
    *ring = (struct packet_ring){.items = malloc(power * sizeof *ring->items), .mask = (uint32_t)(power - 1)};
    return ring->items == NULL ? MOEHUB_E_MEMORY : 0;
}

int packet_wheel_create(struct packet_wheel *wheel, uint64_t farthest, uint64_t capacity)
{
    const uint64_t slots = packet_power_of_two(farthest + 1);
    *wheel = (struct packet_wheel){.events = malloc(capacity * sizeof *wheel->events),
                                   .first = malloc(slots * sizeof *wheel->first),
                                   .last = malloc(slots * sizeof *wheel->last),
                                   .mask = (uint32_t)(slots - 1)};
    if (wheel->events == NULL || wheel->first == NULL || wheel->last == NULL)
        return MOEHUB_E_MEMORY;
    for (uint64_t i = 0; i < slots; i++)
        wheel->first[i] = NOTHING;
    for (uint64_t i = 0; i < capacity; i++)
        wheel->events[i].next = i + 1 < capacity ? (uint32_t)(i + 1) : NOTHING;
    return 0;
}

void packet_wheel_destroy(struct packet_wheel *wheel)
{
    free(wheel->events);
    free(wheel->first);
    free(wheel->last);
}
