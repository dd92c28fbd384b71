/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_state.h"

#include <stdlib.h>
#include <string.h>

uint64_t packet_power_of_two(uint64_t least)
{
    uint64_t power = 1;
    while (power < least)
        power *= 2;
    return power;
}

/* A line more: rings of one size begin in different sets of a cache. */
int packet_ring_create(struct packet_ring *ring, uint64_t places)
{
    const uint64_t power = packet_power_of_two(places);
    *ring = (struct packet_ring){.items = malloc(power * sizeof *ring->items + CACHE_LINE),
                                 .mask = (uint32_t)(power < RING_PLACES ? power : RING_PLACES) - 1};
    return ring->items == NULL ? MOEHUB_E_MEMORY : 0;
}

uint32_t packet_places_double(void *items, size_t size, uint32_t *head, uint32_t mask)
{
    const uint32_t places = mask + 1;
    *head &= mask;
    memcpy((char *)items + places * size, items, *head * size);
    return 2 * places - 1;
}

void packet_ring_grow(struct packet_ring *ring)
{
    ring->mask = packet_places_double(ring->items, sizeof *ring->items, &ring->head, ring->mask);
}

/* Each list may have a piece that is not full. */
int packet_wheel_create(struct packet_wheel *wheel, uint64_t farthest, uint64_t capacity)
{
    const uint64_t slots = packet_power_of_two(farthest + 1), pieces = slots + capacity / WHEEL_EVENTS + 1;
    *wheel = (struct packet_wheel){.places = aligned_alloc(WHEEL_PLACES * sizeof *wheel->places,
                                                           pieces * WHEEL_PLACES * sizeof *wheel->places),
                                   .lists = malloc(slots * sizeof *wheel->lists), .mask = (uint32_t)(slots - 1),
                                   .free = NOTHING};
    if (wheel->places == NULL || wheel->lists == NULL)
        return MOEHUB_E_MEMORY;
    for (uint64_t slot = 0; slot < slots; slot++)
        wheel->lists[slot] = (struct packet_wheel_list){NOTHING, NOTHING};
    return 0;
}

void packet_wheel_destroy(struct packet_wheel *wheel)
{
    free(wheel->places);
    free(wheel->lists);
}
