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
    addresses->owner = calloc((size_t)sets * ways, sizeof *addresses->owner);
    addresses->busy = calloc((size_t)sets * ways, sizeof *addresses->busy);
    int error = addresses->owner == NULL || addresses->busy == NULL ? MOEHUB_E_MEMORY : 0;
    if (error == 0)
        error = packet_window_create(&addresses->pending, hubs->pending);
    if (error == 0)
        error = packet_window_create(&addresses->waiting, hubs->waiting);
    return error != 0 ? error : moehub_al_tlb_create(&addresses->tlb, &config);
}

void packet_addresses_destroy(struct packet_addresses *addresses)
{
    moehub_al_tlb_destroy(&addresses->tlb);
    free(addresses->owner);
    free(addresses->busy);
    free(addresses->pending.ends);
    free(addresses->waiting.ends);
}

/* A line's table operation: a read, and of a row's first question a write behind it, whose slot is there at once. */
static uint64_t operate(struct packet_hubs *hubs, struct packet_hub *hub, size_t line, struct packet_target *target, bool first,
                        uint64_t cycle)
{
    struct packet_addresses *addresses = &hub->addresses;
    cycle = later(cycle, later(addresses->busy[line], packet_window_free(&addresses->pending)));
    uint64_t end = cycle + packet_hub_latency(hubs, hub);
    target->filled = first ? cycle : end;
    if (first)
        end += packet_hub_latency(hubs, hub);
    addresses->busy[line] = end;
    packet_window_take(&addresses->pending, end);
    return cycle;
}

/* The line is the target's now, and that of who had it no more. */
static void own(struct packet_addresses *addresses, size_t line, struct packet_target *target)
{
    if (addresses->owner[line] != NULL)
        addresses->owner[line]->has_line = false;
    addresses->owner[line] = target;
    target->has_line = true;
    target->set = (uint16_t)(line / addresses->tlb.ways);
    target->way = (uint8_t)(line % addresses->tlb.ways);
}

uint64_t packet_addresses_look_up(struct packet_hubs *hubs, struct packet_hub *hub, struct packet_target *target, bool first,
                                  uint64_t cycle)
{
    struct packet_addresses *addresses = &hub->addresses;
    enum moehub_al_found found;
    const uint64_t name = moehub_al_name(0, target->local, target->index);
    const size_t line = (size_t)(moehub_al_tlb_lookup(&addresses->tlb, name, EPOCH, &found) - addresses->tlb.lines);
    if (found == MOEHUB_AL_HIT)  /* of a target of the same name */
        target->filled = addresses->owner[line]->filled;
    if (found == MOEHUB_AL_HIT)
        return cycle;
    own(addresses, line, target);
    hubs->misses++;
    const uint64_t begun = operate(hubs, hub, line, target, first, cycle);
    addresses->front = begun > cycle ? begun : addresses->front;
    return begun;
}
