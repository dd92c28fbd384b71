/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

/* ---- without hubs: all packets are there from the start ------------------------------------------------------- */

static uint32_t row_of(const struct packet_plane *plane, unsigned number, uint32_t row)
{
    return number * plane->rows->stride + row;
}

static uint32_t offered_at_once(const struct packet_plane *plane, unsigned number, unsigned packet_class)
{
    const struct packet_port *port = &plane->ports[number];
    const struct packet_row *rows = &plane->rows->rows[row_of(plane, number, 0)];
    if (packet_class == STORE)
        return port->stores_left == 0 ? 0 : rows[port->store.row].up;
    if (packet_class == REQUEST)
        return port->requests_left == 0 ? 0 : rows[port->request.row].up - (uint32_t)MOEHUB_LINE_UNITS;
    return port->answers.count == 0 ? 0 : RESPONSE_FLITS;
}

/* A part of each of `in_turn` rows, of those that are left of `rows`, then their next parts. */
static void advance(struct packet_cursor *cursor, uint32_t rows, uint32_t parts, uint32_t in_turn)
{
    const uint32_t left = rows - cursor->first, turns = left < in_turn ? left : in_turn;
    if (++cursor->row < cursor->first + turns)
        return;
    cursor->row = cursor->first;
    if (++cursor->part < parts)
        return;
    cursor->part = 0;
    cursor->row = cursor->first += turns;
}

static void next_store(const struct packet_plane *plane, struct packet_port *port, uint32_t rows)
{
    const uint32_t in_turn = plane->options.rows_in_turn;
    port->stores_left--;
    advance(&port->store, rows, plane->options.dispatch_lines, in_turn == 0 ? 1 : in_turn);
}

static void next_request(const struct packet_plane *plane, struct packet_port *port, uint32_t rows)
{
    port->requests_left--;
    advance(&port->request, rows, (plane->options.combine_lines + plane->request_lines - 1) / plane->request_lines,
            plane->rows_in_flight);
}

static void take_at_once(struct packet_plane *plane, unsigned number, struct packet *packet)
{
    struct packet_port *port = &plane->ports[number];
    if (packet->packet_class == STORE) {
        packet->row = row_of(plane, number, port->store.row);
        packet->line = (uint8_t)port->store.part;
        packet->outputs = plane->rows->rows[packet->row].outputs;
        next_store(plane, port, plane->rows->counts[number]);
    } else if (packet->packet_class == REQUEST) {
        packet->row = row_of(plane, number, port->request.row);
        packet->line = (uint8_t)port->request.part;
        next_request(plane, port, plane->rows->counts[number]);
    } else {
        const uint32_t group = packet_ring_first(&port->answers);
        packet->item = group << GROUP_LINE_BITS | port->answered;
        packet->output = plane->groups[group].requester;
        if (++port->answered < plane->groups[group].lines)
            return;
        packet_ring_take(&port->answers);
        port->answered = 0;
    }
}

void packet_gpu_begin(struct packet_plane *plane, unsigned number)
{
    for (unsigned packet_class = 0; packet_class < CLASSES; packet_class++)
        plane->ports[number].offered[packet_class] = (uint8_t)offered_at_once(plane, number, packet_class);
}

/* ---- the link ------------------------------------------------------------------------------------------------- */

static void take(struct packet_plane *plane, unsigned number, struct packet *packet)
{
    if (plane->hubs != NULL) {
        packet_hub_take(plane, number, packet);
        return;
    }
    take_at_once(plane, number, packet);
    plane->ports[number].offered[packet->packet_class] = (uint8_t)offered_at_once(plane, number, packet->packet_class);
}

/* A packet comes to its places with its last flit, and as much later as its block takes to the first flit of a copy where nothing
 * waits; a partial as a notice, as both take the same way, and the rest of its time is that of its result. */
static void send(struct packet_plane *plane, unsigned number, const struct packet *packet)
{
    const uint32_t there = packet->flits + plane->up_latency;
    if (packet->packet_class == RESPONSE) {
        packet_plane_schedule(plane, there + plane->notice_latency, ARRIVED_RESPONSE, packet_ports(number, packet->output),
                              packet->item);
        return;
    }
    const uint32_t place = packet_plane_take(plane);
    plane->packets[place] = *packet;
    packet_plane_schedule(plane, there + (packet->packet_class == STORE ? plane->copy_latency : plane->request_latency), ARRIVED,
                          number, place);
}

static void start(struct packet_plane *plane, unsigned number, unsigned packet_class, uint32_t flits)
{
    struct packet_port *port = &plane->ports[number];
    struct packet packet = {.packet_class = (uint8_t)packet_class, .source = (uint8_t)number, .flits = (uint8_t)flits};
    port->up_credits[packet_class].here -= flits;
    port->turn = (uint8_t)packet_class_after(packet_class);
    port->up_busy = true;
    plane->overlaps += plane->now < port->up_until;
    port->up_until = plane->now + flits;
    take(plane, number, &packet);
    plane->result->up[number].flits[packet_class] += flits;
    plane->result->up[number].packets[packet_class]++;
    plane->result->events++;
    packet_plane_schedule(plane, flits, UP_FREE, number, 0);
    send(plane, number, &packet);
}

/* Called when credits are on their way back, or none are missing. */
static void wait_for_credits(struct packet_plane *plane, unsigned number)
{
    struct packet_port *port = &plane->ports[number];
    const uint32_t wait = packet_credits_wait(port->up_credits, plane->now);
    if (wait == NOTHING || port->up_waking)
        return;
    port->up_waking = true;
    packet_plane_wake(plane, wait, WAKE_UP, number);
}

void packet_gpu_send_next(struct packet_plane *plane, unsigned number)
{
    struct packet_port *port = &plane->ports[number];
    bool waits = false;
    unsigned packet_class = port->turn;
    for (unsigned i = 0; i < CLASSES; i++, packet_class = packet_class_after(packet_class)) {
        const uint32_t flits = port->offered[packet_class];
        if (flits == 0)
            continue;
        if (packet_credits_are_there(&port->up_credits[packet_class], plane->now, flits)) {
            start(plane, number, packet_class, flits);
            return;
        }
        waits = true;
    }
    if (waits)
        wait_for_credits(plane, number);
}

void packet_gpu_asked(struct packet_plane *plane, unsigned port, uint32_t group)
{
    packet_ring_add(&plane->ports[port].answers, group);
    plane->ports[port].offered[RESPONSE] = RESPONSE_FLITS;
    packet_gpu_send(plane, port);
}
