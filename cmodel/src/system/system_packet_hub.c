/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

#include "moehub/integer.h"

#include <string.h>

/* ---- the link ------------------------------------------------------------------------------------------------- */

static void take_store(struct packet_plane *plane, unsigned number, struct packet *packet)
{
    unsigned line;
    const uint32_t token = packet_sender_leave(plane, number, plane->link, &line);
    packet->row = moehub_layer_row(plane->hubs->layer, number, token);
    packet->line = (uint8_t)line;
    packet->outputs = plane->rows->rows[packet->row].outputs;
}

static void take_request(struct packet_plane *plane, unsigned number, struct packet *packet)
{
    const struct packet_hub *hub = packet_hub_of(plane, number);
    packet->item = packet_ring_take(&packet_hub_link_of(plane, number)->requests);
    packet_hub_offer_request(plane, number);
    packet->row = hub->final_rows[packet->item];
    packet->line = (uint8_t)hub->final_parts[packet->item];
    packet_sums_go_on(plane, number);
}

static void take_response(struct packet_plane *plane, unsigned number, struct packet *packet)
{
    struct packet_hub_link *link = packet_hub_link_of(plane, number);
    const bool notice = packet_hub_sends_notice(link);
    link->partial_turn = notice;
    if (notice) {
        packet->item = packet_ring_take(&link->notices);
        packet->output = (uint8_t)packet_ring_take(&link->notice_targets);
        packet_hub_offer_response(plane, number);
        return;
    }
    packet->item = packet_ring_take(&link->partials);
    packet_hub_offer_response(plane, number);
    packet->output = plane->groups[packet->item >> GROUP_LINE_BITS].requester;
    packet_receiver_partial_left(plane, number);
}

void packet_hub_take(struct packet_plane *plane, unsigned number, struct packet *packet)
{
    if (packet->packet_class == STORE)
        take_store(plane, number, packet);
    else if (packet->packet_class == REQUEST)
        take_request(plane, number, packet);
    else
        take_response(plane, number, packet);
}

/* ---- the loop-back -------------------------------------------------------------------------------------------- */

static uint32_t loop_flits(const struct packet_plane *plane, unsigned number, unsigned packet_class)
{
    const struct packet_hub *hub = packet_hub_of(plane, number);
    if (packet_class == RESPONSE)
        return hub->loop_notices.count > 0 ? NOTICE_FLITS : 0;
    if (packet_class == REQUEST)
        return hub->loop_requests.count == 0
                   ? 0
                   : plane->rows->rows[hub->final_rows[packet_ring_first(&hub->loop_requests)]].loop -
                         (uint32_t)MOEHUB_LINE_UNITS;
    return hub->sender.loop_flits;
}

/* What it brings comes with its last flit, and the way is free. */
static void start_loop(struct packet_plane *plane, unsigned number, unsigned packet_class, uint32_t flits)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    unsigned line;
    hub->loop_busy = true;
    hub->loop_turn = (uint8_t)packet_class_after(packet_class);
    plane->result->events++;
    if (packet_class == RESPONSE) {
        packet_plane_schedule(plane, flits, LOOP_NOTICE, number, packet_ring_take(&hub->loop_notices));
        return;
    }
    hub->loop_credits[packet_class].here -= flits;
    if (packet_class == REQUEST) {
        packet_plane_schedule(plane, flits, LOOP_REQUEST, number, packet_ring_take(&hub->loop_requests));
        packet_sums_go_on(plane, number);
        return;
    }
    const uint32_t token = hub->sender.entries[hub->sender.next[LOOP]].token;
    packet_plane_schedule(plane, flits, LOOP_STORE, number,
                          packet_store_item(moehub_layer_row(plane->hubs->layer, number, token), flits));
    packet_sender_leave(plane, number, LOOP, &line);
}

void packet_hub_loop(struct packet_plane *plane, unsigned number)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    unsigned packet_class = hub->loop_turn;
    for (unsigned i = 0; i < CLASSES && !hub->loop_busy; i++, packet_class = packet_class_after(packet_class)) {
        const uint32_t flits = loop_flits(plane, number, packet_class);
        if (flits > 0 && packet_credits_are_there(&hub->loop_credits[packet_class], plane->now, flits))
            start_loop(plane, number, packet_class, flits);
    }
    const uint32_t wait = hub->loop_busy ? NOTHING : packet_credits_wait(hub->loop_credits, plane->now);
    if (wait == NOTHING || hub->loop_waking)
        return;
    hub->loop_waking = true;
    packet_plane_wake(plane, wait, WAKE_LOOP, number);
}

void packet_hub_loop_free(struct packet_plane *plane, unsigned number)
{
    packet_hub_of(plane, number)->loop_busy = false;
    packet_hub_loop(plane, number);
}

/* ---- all ways ----------------------------------------------------------------------------------------------------- */

void packet_hub_notice(struct packet_plane *plane, unsigned number, unsigned to, uint32_t notice)
{
    if (to == number) {
        packet_ring_add(&packet_hub_of(plane, number)->loop_notices, notice);
        packet_hub_loop(plane, number);
        return;
    }
    struct packet_plane *way = &plane->hubs->planes[to % plane->hubs->links];
    struct packet_hub_link *link = packet_hub_link_of(way, number);
    packet_ring_add(&link->notices, notice);
    packet_ring_add(&link->notice_targets, to);
    packet_hub_offer_response(way, number);
    packet_gpu_send(way, number);
}

void packet_hub_freed(struct packet_plane *plane, unsigned number, unsigned way, unsigned packet_class, uint32_t flits,
                      uint64_t cycle)
{
    if (way == LOOP) {
        packet_credits_give(&packet_hub_of(plane, number)->loop_credits[packet_class], cycle, flits);
        packet_hub_loop(plane, number);
        return;
    }
    packet_credits_give(&plane->ports[number].down_credits[packet_class], cycle + plane->up_latency, flits);
    packet_egress_send(plane, number);
}

/* ---- phases --------------------------------------------------------------------------------------------------- */

static void dispatch(struct packet_hubs *hubs)
{
    hubs->may_ask = hubs->planes->options.phase == MOEHUB_SYSTEM_PACKET_FUSED;
    for (unsigned number = 0; number < hubs->layer->gpus; number++)
        packet_sender_begin(hubs->planes, number);
    packet_planes_run(hubs->planes, hubs->links);
}

static void reorder(const struct packet_hubs *hubs, const uint32_t *asked)
{
    const struct moehub_layer *layer = hubs->layer;
    for (unsigned number = 0; number < layer->gpus; number++)
        memcpy(hubs->hubs[number].ready, &asked[(size_t)number * layer->tokens_per_gpu],
               layer->gpu_tokens[number] * sizeof *asked);
}

static void combine(struct packet_hubs *hubs)
{
    if (hubs->planes->options.asked != NULL)
        reorder(hubs, hubs->planes->options.asked);
    for (unsigned link = 0; link < hubs->links; link++)
        *hubs->planes[link].result = (struct moehub_system_packet_result){.events = hubs->planes[link].result->events};
    hubs->may_ask = true;
    for (unsigned number = 0; number < hubs->layer->gpus; number++)
        packet_sums_ask(hubs->planes, number);
    packet_planes_run(hubs->planes, hubs->links);
}

/* The last cycle of what the GPUs wait for: all arrived, or the last sum. */
static uint64_t last_cycle(const struct packet_hubs *hubs)
{
    uint64_t arrived = 0, reduced = 0;
    for (unsigned number = 0; number < hubs->layer->gpus; number++) {
        arrived = later(arrived, hubs->hubs[number].arrived);
        for (unsigned link = 0; link < hubs->links; link++)
            reduced = later(reduced, hubs->hubs[number].links[link].reduced);
    }
    return hubs->planes->options.phase == MOEHUB_SYSTEM_PACKET_DISPATCH ? arrived : reduced;
}

void packet_hubs_run(struct packet_hubs *hubs)
{
    const bool alone = hubs->planes->options.phase == MOEHUB_SYSTEM_PACKET_COMBINE;
    dispatch(hubs);
    const uint64_t begun = alone ? hubs->planes->now : 0;
    if (alone)
        combine(hubs);
    const uint64_t last = last_cycle(hubs) - begun;
    for (unsigned link = 0; link < hubs->links; link++)
        hubs->planes[link].last = last;
}

void packet_hubs_notices(const struct packet_hubs *hubs, uint64_t *up, uint64_t *down)
{
    const struct moehub_layer *layer = hubs->layer;
    for (uint32_t row = 0; row < layer->row_limit; row++)
        for (unsigned i = 0; moehub_layer_row_exists(layer, row) && i < layer->topk; i++) {
            const unsigned owner = moehub_layer_row_gpu(layer, row), gpu = moehub_layer_targets(layer, row)[i].gpu;
            up[gpu] += gpu != owner;
            down[owner] += gpu != owner;
        }
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++) {
        up[gpu] += layer->gpus - 1;
        down[gpu] += layer->gpus - 1;
    }
}
