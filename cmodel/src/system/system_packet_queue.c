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
    *wheel = (struct packet_wheel){.events = malloc((slots + capacity) * sizeof *wheel->events),
                                   .last = malloc(slots * sizeof *wheel->last),
                                   .free = malloc(capacity * sizeof *wheel->free),
                                   .mask = (uint32_t)(slots - 1), .capacity = (uint32_t)capacity,
                                   .free_count = (uint32_t)capacity};
    if (wheel->events == NULL || wheel->last == NULL || wheel->free == NULL)
        return MOEHUB_E_MEMORY;
    for (uint32_t slot = 0; slot < slots; slot++)
        wheel->last[slot] = slot;
    for (uint32_t i = 0; i < capacity; i++)
        wheel->free[i] = (uint32_t)(slots + capacity) - 1 - i;
    return 0;
}

void packet_wheel_destroy(struct packet_wheel *wheel)
{
    free(wheel->events);
    free(wheel->last);
    free(wheel->free);
}
