/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/error.h"
#include "system/system_packet_state.h"

#include <stdlib.h>
#include <string.h>

int packet_credits_create(struct packet_credits *credits, uint32_t places)
{
    const uint64_t power = packet_power_of_two(places);
    *credits = (struct packet_credits){.next = UINT64_MAX, .here = places,
                                       .away = malloc(power * sizeof *credits->away + CACHE_LINE),
                                       .mask = (uint32_t)(power < RING_PLACES ? power : RING_PLACES) - 1};
    return credits->away == NULL ? MOEHUB_E_MEMORY : 0;
}

/* As packet_ring_grow. */
static void grow(struct packet_credits *credits)
{
    const uint32_t places = credits->mask + 1;
    credits->head &= credits->mask;
    memcpy(&credits->away[places], credits->away, credits->head * sizeof *credits->away);
    credits->mask = 2 * places - 1;
}

void packet_credits_give(struct packet_credits *credits, uint64_t cycle, uint32_t flits)
{
    if (credits->count > credits->mask)
        grow(credits);
    if (credits->count == 0)
        credits->next = cycle;
    credits->away[(credits->head + credits->count++) & credits->mask] = cycle << CREDIT_FLITS_BITS | flits;
}

void packet_credits_come_back(struct packet_credits *credits, uint64_t now)
{
    while (credits->next <= now) {
        credits->here += (uint32_t)credits->away[credits->head++ & credits->mask] & ((1u << CREDIT_FLITS_BITS) - 1);
        credits->next = --credits->count == 0 ? UINT64_MAX : credits->away[credits->head & credits->mask] >> CREDIT_FLITS_BITS;
    }
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
