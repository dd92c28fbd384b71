/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_state.h"

int packet_credits_create(struct packet_credits *credits, uint32_t places)
{
    credits->here = places;
    const int error = packet_ring_create(&credits->cycles, places);
    return error != 0 ? error : packet_ring_create(&credits->flits, places);
}

/* Cycles are kept modulo 2^32: a credit is away for less than that. */
void packet_credits_give(struct packet_credits *credits, uint64_t cycle, uint32_t flits)
{
    packet_ring_add(&credits->cycles, (uint32_t)cycle);
    packet_ring_add(&credits->flits, flits);
}

void packet_credits_collect(struct packet_credits *credits, uint64_t now)
{
    while (credits->cycles.count > 0 && (int32_t)(packet_ring_first(&credits->cycles) - (uint32_t)now) <= 0) {
        packet_ring_take(&credits->cycles);
        credits->here += packet_ring_take(&credits->flits);
    }
}

uint32_t packet_credits_wait(struct packet_credits *all, uint64_t now)
{
    uint32_t wait = NOTHING;
    for (int i = 0; i < CLASSES; i++) {
        packet_credits_collect(&all[i], now);
        const uint32_t delay = all[i].cycles.count > 0 ? packet_ring_first(&all[i].cycles) - (uint32_t)now : NOTHING;
        wait = delay < wait ? delay : wait;
    }
    return wait;
}
