/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

/* rtl/doc/hub/reduce.md section 1: two requests of the longest form wait for a way. Section 5: a list of many targets is judged
 * in a cycle for each, some for its flits, and some that all take. */
enum { REQUESTS_OF_QUEUE = 2, LIST_CYCLES = 7, LIST_FLIT_CYCLES = 2 };

/* The link that an own group belongs to. */
static struct packet_hub_link *link_of(const struct packet_plane *plane, unsigned number, uint32_t final)
{
    return &packet_hub_of(plane, number)->links[final / plane->hubs->final_groups];
}

static uint32_t parts_of_row(const struct packet_plane *plane)
{
    return (plane->options.combine_lines + plane->request_lines - 1) / plane->request_lines;
}

/* The next token whose sum is asked for, in turn; false: none. */
static bool next_asked(const struct packet_plane *plane, struct packet_hub *hub, unsigned *found)
{
    const unsigned all = plane->hubs->tokens_asked;
    for (unsigned i = 0; i < all; i++) {
        const unsigned at = (hub->asked_turn + i) % all;
        if (!hub->asked[at].active && hub->ready_asked < hub->ready_count) {
            hub->asked[at].token = hub->ready[hub->ready_asked++];
            hub->asked[at].parts = 0;
            hub->asked[at].active = true;
        }
        if (!hub->asked[at].active)
            continue;
        hub->asked_turn = (at + 1) % all;
        *found = at;
        return true;
    }
    return false;
}

/* From a reduce to the next one. */
static uint32_t turn_of(const struct packet_hubs *hubs)
{
    const uint32_t judged = hubs->layer->topk + LIST_FLIT_CYCLES * packet_hub_list_flits(hubs) + LIST_CYCLES;
    return judged > hubs->ask_cycles ? judged : hubs->ask_cycles;
}

/* A reduce's list is judged when it can take a group: what is left is the group's way to the link. */
static uint32_t judged_after(const struct packet_hubs *hubs)
{
    return hubs->ask_latency > hubs->group_latency ? hubs->ask_latency - hubs->group_latency : 0;
}

void packet_sums_ask(struct packet_plane *plane, unsigned number)
{
    struct packet_hubs *hubs = plane->hubs;
    struct packet_hub *hub = packet_hub_of(plane, number);
    unsigned at;
    while (hubs->may_ask && hub->reduces < hubs->reduces && next_asked(plane, hub, &at)) {
        packet_ring_add(&hub->judged, moehub_layer_row(hubs->layer, number, hub->asked[at].token));
        packet_ring_add(&hub->judged_parts, hub->asked[at].parts);
        hub->asked[at].active = ++hub->asked[at].parts < parts_of_row(plane);
        hub->reduces++;
        const uint64_t there = packet_hub_access(hubs, hub, &hub->reduce_read, plane->now);
        hub->reduce_listed = later(hub->reduce_listed + turn_of(hubs), there + hubs->layer->topk);
        packet_hub_at(plane, hub->reduce_listed + judged_after(hubs), JUDGED, number, 0);
    }
}

void packet_sums_token(struct packet_plane *plane, unsigned number, uint32_t token)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    hub->ready[hub->ready_count++] = token;
    packet_sums_ask(plane, number);
}

static void reserve(struct packet_plane *plane, unsigned number, uint32_t row, uint32_t part)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    struct packet_hub_link *link = packet_hub_link_of(plane, number);
    const uint32_t name = packet_ring_take(&link->free_finals), left = plane->options.combine_lines - part * plane->request_lines;
    const struct packet_row *facts = &plane->rows->rows[row];
    struct packet_final *final = &hub->finals[name];
    final->lines = (uint8_t)(left < plane->request_lines ? left : plane->request_lines);
    for (unsigned i = 0; i < final->lines; i++)
        final->missing[i] = (uint8_t)((facts->outputs != 0) + (facts->loop != 0));
    final->left = final->lines;
    hub->final_rows[name] = row;
    hub->final_parts[name] = part;
    link->reserving += facts->outputs != 0;
    hub->loop_reserving += facts->loop != 0;
    packet_hub_at(plane, plane->now + plane->hubs->group_latency, RESERVED, number, name);
}

/* The group's requests go on. */
void packet_sums_reserved(struct packet_plane *plane, unsigned number, uint32_t name)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    struct packet_hub_link *link = packet_hub_link_of(plane, number);
    const struct packet_row *facts = &plane->rows->rows[hub->final_rows[name]];
    if (facts->outputs != 0) {
        link->reserving--;
        packet_ring_add(&link->requests, name);
        packet_hub_offer_request(plane, number);
        packet_gpu_send(plane, number);
    }
    if (facts->loop == 0)
        return;
    hub->loop_reserving--;
    packet_ring_add(&hub->loop_requests, name);
    packet_hub_loop(plane, number);
}

void packet_sums_judged(struct packet_plane *plane, unsigned number)
{
    packet_hub_of(plane, number)->judged_count++;
    packet_sums_go_on(plane, number);
}

/* The next link in turn that has a group, and room for the request; NULL: none has. */
static struct packet_plane *link_that_may(struct packet_plane *plane, unsigned number)
{
    struct packet_hubs *hubs = plane->hubs;
    struct packet_hub *hub = packet_hub_of(plane, number);
    for (unsigned i = 0; i < hubs->links; i++) {
        const unsigned link = (hub->reduce_turn + i) % hubs->links;
        const struct packet_hub_link *own = &hub->links[link];
        if (own->free_finals.count == 0 || own->requests.count + own->reserving >= REQUESTS_OF_QUEUE)
            continue;
        hub->reduce_turn = (link + 1) % hubs->links;
        return &hubs->planes[link];
    }
    return NULL;
}

/* Reduces go on in their order. */
void packet_sums_go_on(struct packet_plane *plane, unsigned number)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    bool gone = false;
    while (hub->judged_count > 0 && hub->loop_requests.count + hub->loop_reserving < REQUESTS_OF_QUEUE) {
        struct packet_plane *link = link_that_may(plane, number);
        if (link == NULL)
            break;
        reserve(link, number, packet_ring_take(&hub->judged), packet_ring_take(&hub->judged_parts));
        hub->judged_count--;
        hub->reduces--;
        gone = true;
    }
    if (gone)
        packet_sums_ask(plane, number);
}

/* A part of a line's sum has come: the switch's result or the own partial. They enter the sum one after the other. */
void packet_sums_part(struct packet_plane *plane, unsigned number, uint32_t item)
{
    struct packet_hub *hub = packet_hub_of(plane, number);
    struct packet_final *final = &hub->finals[item >> GROUP_LINE_BITS];
    struct packet_hub_link *link = link_of(plane, number, item >> GROUP_LINE_BITS);
    link->entered = later(link->entered, plane->now) + MOEHUB_LINE_UNITS;
    if (--final->missing[item & ((1u << GROUP_LINE_BITS) - 1)] > 0)
        return;
    link->reduced = later(link->reduced, link->entered + plane->hubs->final_latency) + MOEHUB_LINE_UNITS;
    if (--final->left == 0)
        packet_hub_at(plane, link->reduced, SUMMED, number, item >> GROUP_LINE_BITS);
}

void packet_sums_free(struct packet_plane *plane, unsigned number, uint32_t name)
{
    packet_ring_add(&link_of(plane, number, name)->free_finals, name);
    packet_sums_go_on(plane, number);
}
