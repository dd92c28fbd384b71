/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/error.h"
#include "system/system_packet_hub.h"

#include <stdlib.h>

enum { EPOCH = 1 };

int packet_window_create(struct packet_window *window, uint32_t size)
{
    *window = (struct packet_window){.ends = calloc(size, sizeof *window->ends), .size = size};
    return window->ends == NULL ? MOEHUB_E_MEMORY : 0;
}

int packet_addresses_create(struct packet_addresses *addresses, const struct packet_hubs *hubs, uint32_t sets, uint32_t ways,
                            uint32_t replacement, unsigned experts)
{
    struct moehub_address_path_config config = moehub_address_path_config_default();
    config.sets = sets;
    config.ways = ways;
    config.replacement = replacement;
    config.local_experts = experts > config.local_experts ? experts : config.local_experts;
    addresses->filled = calloc((size_t)sets * ways, sizeof *addresses->filled);
    addresses->busy = calloc((size_t)sets * ways, sizeof *addresses->busy);
    int error = addresses->filled == NULL || addresses->busy == NULL ? MOEHUB_E_MEMORY : 0;
    if (error == 0)
        error = packet_window_create(&addresses->pending, hubs->pending);
    if (error == 0)
        error = packet_window_create(&addresses->waiting, hubs->waiting);
    return error != 0 ? error : moehub_al_tlb_create(&addresses->tlb, &config);
}

void packet_addresses_destroy(struct packet_addresses *addresses)
{
    moehub_al_tlb_destroy(&addresses->tlb);
    free(addresses->filled);
    free(addresses->busy);
    free(addresses->pending.ends);
    free(addresses->waiting.ends);
}

/* A line's table operation: a read, and of a row's first question a write behind it, whose slot is there at once. */
static uint64_t operate(struct packet_hubs *hubs, struct packet_hub *hub, size_t line, bool first, uint64_t cycle)
{
    struct packet_addresses *addresses = &hub->addresses;
    cycle = later(cycle, later(addresses->busy[line], packet_window_free(&addresses->pending)));
    uint64_t end = cycle + packet_hub_latency(hubs, hub);
    addresses->filled[line] = first ? cycle : end;
    if (first)
        end += packet_hub_latency(hubs, hub);
    addresses->busy[line] = end;
    packet_window_take(&addresses->pending, end);
    return cycle;
}

/* Most questions find the line where the target's last one left it. */
static size_t look_up(struct packet_addresses *addresses, struct packet_target *target, enum moehub_al_found *found)
{
    struct moehub_al_tlb *tlb = &addresses->tlb;
    const uint64_t name = moehub_al_name(0, target->local, target->index);
    *found = MOEHUB_AL_HIT;
    if (moehub_al_tlb_hit_again(tlb, target->set, target->way, name, EPOCH))
        return (size_t)target->set * tlb->ways + target->way;
    const size_t line = (size_t)(moehub_al_tlb_lookup(tlb, name, EPOCH, found) - tlb->lines);
    target->set = (uint16_t)(line / tlb->ways);
    target->way = (uint8_t)(line % tlb->ways);
    return line;
}

uint64_t packet_addresses_ask(struct packet_hubs *hubs, struct packet_hub *hub, struct packet_target *target, bool first,
                              uint64_t cycle)
{
    struct packet_addresses *addresses = &hub->addresses;
    enum moehub_al_found found;
    cycle = later(cycle, later(addresses->front, packet_window_free(&addresses->waiting)));
    const size_t line = look_up(addresses, target, &found);
    hubs->lookups++;
    if (found != MOEHUB_AL_HIT) {
        hubs->misses++;
        const uint64_t begun = operate(hubs, hub, line, first, cycle);
        addresses->front = begun > cycle ? begun : addresses->front;
        cycle = begun;
    }
    const uint64_t answer = later(cycle, addresses->filled[line]);
    packet_window_take(&addresses->waiting, answer);
    return answer;
}
