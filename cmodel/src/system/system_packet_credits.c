/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/error.h"
#include "system/system_packet_state.h"

#include <stdlib.h>

int packet_credits_create(struct packet_credits *credits, uint32_t places)
{
    const uint64_t power = packet_power_of_two(places);
    *credits = (struct packet_credits){.next = UINT64_MAX, .here = places,
                                       .away = malloc(power * sizeof *credits->away + CACHE_LINE),
                                       .mask = (uint32_t)(power < RING_PLACES ? power : RING_PLACES) - 1};
    return credits->away == NULL ? MOEHUB_E_MEMORY : 0;
}

void packet_credits_grow(struct packet_credits *credits)
{
    credits->mask = packet_places_double(credits->away, sizeof *credits->away, &credits->head, credits->mask);
}

uint32_t packet_credits_wait(struct packet_credits *all, uint64_t now)
{
    uint64_t next = UINT64_MAX;
    for (int i = 0; i < CLASSES; i++) {
        packet_credits_here(&all[i], now);
        next = all[i].next < next ? all[i].next : next;
    }
    return next == UINT64_MAX ? NOTHING : (uint32_t)(next - now);
}
