/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

/* rtl/doc/hub/ingress.md section 3: a packet of the asker at least; beats of a line, of a row list word. */
enum { ASKER_CYCLES = 4, BEATS = 4, LIST_BEATS = 1 };

/* ---- stores --------------------------------------------------------------------------------------------------- */

/* The end of a line's writes for one target. */
static uint64_t write(struct packet_hubs *hubs, struct packet_hub *hub, struct packet_way *way, uint64_t cycle, unsigned beats)
{
    cycle = later(cycle, later(way->moved, packet_window_free(&way->writes))) + beats;
    way->moved = cycle;
    packet_window_take(&way->writes, packet_hub_access(hubs, hub, &way->written, cycle));
    return way->written;
}

/* A target's slot is the next one of its expert: its row, and the tile that it is in. */
static void take_slot(const struct packet_hubs *hubs, struct packet_hub *hub, uint32_t row, struct packet_target *target)
{
    const uint32_t slot = hub->region_next[target->local]++;
    hub->slot_rows[hub->region_first[target->local] + slot] = row;
    target->tile = hub->region_tile[target->local] + (slot >> hubs->tile_shift);
}

static void store_target(struct packet_plane *plane, unsigned number, struct packet_way *way, uint32_t row,
                         struct packet_target *target, uint64_t line_there)
{
    struct packet_hubs *hubs = plane->hubs;
    struct packet_hub *hub = packet_hub_of(plane, number);
    const bool first = target->tile == NOTHING;
    if (first)
        take_slot(hubs, hub, row, target);
    way->asked = later(way->asked + 1, packet_window_free(&way->answers));
    const uint64_t answer = packet_addresses_ask(hubs, hub, target, first, way->asked);
    way->answered[0] = later(way->answered[0] + 1, answer);
    const uint64_t cycle = later(line_there, way->answered[0]);
    if (first)
        write(hubs, hub, way, cycle, LIST_BEATS);
    const uint64_t written = write(hubs, hub, way, cycle, BEATS);
    packet_window_take(&way->answers, way->moved);
    packet_tracker_written(plane, number, target->tile, written);
}

/* Asker, reader, mover, memory: each in the order of the packets. */
static void take_store(struct packet_plane *plane, unsigned number, unsigned way_number, uint32_t item)
{
    struct packet_way *way = &packet_hub_of(plane, number)->ways[way_number];
    const uint32_t row = packet_store_row(item), flits = packet_store_flits(item);
    struct packet_target *targets;
    const unsigned count = packet_hub_own_targets(plane, row, number, &targets);
    const uint64_t next = way->asked + (count < ASKER_CYCLES ? ASKER_CYCLES - count : 1);
    way->asked = later(plane->now, next);
    way->read = later(later(way->asked, packet_window_free(&way->buffers)) + MOEHUB_LINE_UNITS, way->read + flits);
    packet_hub_freed(plane, number, way_number, STORE, flits, way->read);
    for (unsigned i = 0; i < count; i++)
        store_target(plane, number, way, row, &targets[i], way->read);
    packet_window_take(&way->buffers, way->moved);
}

/* Packets whose first question finds a place for its answer. Questions of all ways share the address path, so they are asked when
 * their time has come and not before. */
void packet_receiver_ask(struct packet_plane *plane, unsigned number, unsigned way_number)
{
    struct packet_way *way = &packet_hub_of(plane, number)->ways[way_number];
    while (way->stores.count > 0 && packet_window_free(&way->answers) <= plane->now)
        take_store(plane, number, way_number, packet_ring_take(&way->stores));
    if (way->stores.count == 0 || way->asking)
        return;
    way->asking = true;
    packet_hub_at(plane, packet_window_free(&way->answers), way_number == LOOP ? ASK_LOOP : ASK_UP, number, 0);
}

void packet_receiver_store(struct packet_plane *plane, unsigned number, unsigned way_number, uint32_t item)
{
    packet_ring_add(&packet_hub_of(plane, number)->ways[way_number].stores, item);
    packet_receiver_ask(plane, number, way_number);
}

/* ---- requests ------------------------------------------------------------------------------------------------- */

static struct packet_asked *asked_at(const struct packet_way *way, uint32_t position)
{
    return &way->requests[(way->first + position) & way->mask];
}

/* A line's reads, target after target, and its sum; `room` is when the last target may enter the sums. */
static uint64_t sum_line(struct packet_hubs *hubs, struct packet_hub *hub, struct packet_way *way,
                         const struct packet_asked *asked, uint64_t room)
{
    for (unsigned i = 0; i < asked->targets; i++) {
        way->addressed = later(later(way->addressed + 1, asked->there), packet_window_free(&way->reads));
        const uint64_t data = way->addressed + packet_hub_latency(hubs, hub) + BEATS;
        way->returned = later(data, way->returned + BEATS);
        way->summed = later(way->returned, way->summed);
        if (i + 1u == asked->targets)
            way->summed = later(way->summed, room);
        way->summed += hubs->lane_cycles;
        packet_window_take(&way->reads, way->summed);
    }
    return way->summed;
}

static void ask_waiting(struct packet_plane *plane, unsigned number, unsigned way_number);

/* When a line's partial is whole; those of the loop-back leave one after the other, header and all. */
static uint64_t partial_ends(struct packet_way *way, unsigned way_number, uint64_t summed)
{
    if (way_number != LOOP)
        return summed;
    way->partial_left = later(summed, way->partial_left + RESPONSE_FLITS);
    return way->partial_left;
}

/* Lines are summed as long as their partials find room; a partial of the loop-back always does. */
static void sum_lines(struct packet_plane *plane, unsigned number, unsigned way_number)
{
    struct packet_hubs *hubs = plane->hubs;
    struct packet_hub *hub = packet_hub_of(plane, number);
    struct packet_way *way = &hub->ways[way_number];
    while (way->count > 0 && way->partials_inside < hubs->partial_lines) {
        const struct packet_asked asked = *asked_at(way, 0);
        const uint64_t room = way->waits ? plane->now : 0;
        const uint64_t end = partial_ends(way, way_number, sum_line(hubs, hub, way, &asked, room));
        packet_hub_at(plane, end, way_number == LOOP ? PARTIAL_LOOP : PARTIAL_UP, number,
                      asked.name << GROUP_LINE_BITS | way->lines_done);
        way->waits = false;
        way->partials_inside++;
        if (++way->lines_done < asked.lines)
            continue;
        way->lines_done = 0;
        way->first++;
        way->count--;
        way->answers_held -= asked.targets;
        ask_waiting(plane, number, way_number);
    }
    way->waits = way->count > 0;
}

static void ask(struct packet_plane *plane, unsigned number, unsigned way_number, uint32_t row, uint32_t name)
{
    struct packet_hubs *hubs = plane->hubs;
    struct packet_hub *hub = packet_hub_of(plane, number);
    struct packet_way *way = &hub->ways[way_number];
    struct packet_target *targets;
    const unsigned count = packet_hub_own_targets(plane, row, number, &targets);
    for (unsigned i = 0; i < count; i++)
        way->answered[1] =
            later(way->answered[1] + 1, packet_addresses_ask(hubs, hub, &targets[i], false, plane->now + i));
    const uint32_t lines = way_number == LOOP ? hub->finals[name].lines : plane->groups[name].lines;
    const uint32_t flits = way_number == LOOP ? plane->rows->rows[row].loop
                                              : plane->rows->down[(size_t)row * plane->rows->ports + number];
    way->answers_held += count;
    *asked_at(way, way->count++) = (struct packet_asked){name, way->answered[1] + hubs->answer_latency, (uint8_t)lines,
                                                          (uint8_t)count};
    packet_hub_freed(plane, number, way_number, REQUEST, flits - (uint32_t)MOEHUB_LINE_UNITS, plane->now + count);
}

/* Requests whose answers find places, in their order. */
static void ask_waiting(struct packet_plane *plane, unsigned number, unsigned way_number)
{
    struct packet_way *way = &packet_hub_of(plane, number)->ways[way_number];
    struct packet_target *targets;
    while (way->unasked.count > 0 &&
           way->answers_held + packet_hub_own_targets(plane, packet_ring_first(&way->unasked), number, &targets) <=
               plane->hubs->request_answers)
        ask(plane, number, way_number, packet_ring_take(&way->unasked), packet_ring_take(&way->unasked_names));
}

void packet_receiver_request(struct packet_plane *plane, unsigned number, unsigned way_number, uint32_t row, uint32_t name)
{
    struct packet_way *way = &packet_hub_of(plane, number)->ways[way_number];
    packet_ring_add(&way->unasked, row);
    packet_ring_add(&way->unasked_names, name);
    ask_waiting(plane, number, way_number);
    sum_lines(plane, number, way_number);
}

void packet_receiver_partial(struct packet_plane *plane, unsigned number, unsigned way_number, uint32_t item)
{
    if (way_number != LOOP) {
        packet_ring_add(&packet_hub_link_of(plane, number)->partials, item);
        packet_hub_offer_response(plane, number);
        packet_gpu_send(plane, number);
        return;
    }
    packet_hub_of(plane, number)->ways[LOOP].partials_inside--;
    packet_sums_part(plane, number, item);
    sum_lines(plane, number, LOOP);
}

void packet_receiver_partial_left(struct packet_plane *plane, unsigned number)
{
    packet_hub_of(plane, number)->ways[plane->link].partials_inside--;
    sum_lines(plane, number, plane->link);
}
