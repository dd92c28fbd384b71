/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

/* The number of a source's row and of its part that request `number` asks for: `rows_in_flight` rows in turn. */
static void find_request(const struct packet_plane *plane, unsigned port, uint64_t number, struct packet *packet)
{
    const uint32_t in_flight = plane->rows_in_flight;
    const uint64_t of_row = (plane->options.combine_lines + plane->request_lines - 1) / plane->request_lines;
    const uint64_t together = in_flight * of_row, first = number / together * in_flight;
    const uint64_t left = plane->rows->counts[port] - first, turns = left < in_flight ? left : in_flight;
    packet->row = (uint32_t)(port * plane->rows->stride + first + number % together % turns);
    packet->item = (uint32_t)(number % together / turns);
}

/* The next packet of a class; false: none. */
static bool offer(const struct packet_plane *plane, unsigned number, unsigned packet_class, struct packet *packet)
{
    const struct packet_port *port = &plane->ports[number];
    *packet = (struct packet){.packet_class = (uint8_t)packet_class, .source = (uint8_t)number};
    if (plane->hubs != NULL)
        return packet_hub_offer(plane, number, packet_class, packet);
    if (packet_class == STORE && port->stores < port->store_count) {
        packet->row = (uint32_t)(number * plane->rows->stride + port->stores / plane->options.dispatch_lines);
        packet->line = (uint8_t)(port->stores % plane->options.dispatch_lines);
        packet->flits = plane->rows->rows[packet->row].up;
        packet->outputs = plane->rows->rows[packet->row].outputs;
    } else if (packet_class == REQUEST && port->requests < port->request_count) {
        find_request(plane, number, port->requests, packet);
        packet->flits = (uint8_t)(plane->rows->rows[packet->row].up - MOEHUB_LINE_UNITS);
    } else if (packet_class == RESPONSE && port->answers.count > 0) {
        packet->item = packet_ring_first(&port->answers);
        packet->outputs = UINT64_C(1) << plane->groups[packet->item].requester;
        packet->line = port->answered;
        packet->flits = RESPONSE_FLITS;
    }
    return packet->flits > 0;
}

static void sent(struct packet_plane *plane, unsigned number, const struct packet *packet)
{
    struct packet_port *port = &plane->ports[number];
    if (plane->hubs != NULL) {
        packet_hub_sent(plane, number, packet);
        return;
    }
    port->stores += packet->packet_class == STORE;
    port->requests += packet->packet_class == REQUEST;
    if (packet->packet_class == RESPONSE && ++port->answered == plane->groups[packet->item].lines) {
        packet_ring_take(&port->answers);
        port->answered = 0;
    }
}

/* From the places of a port to the first flit out of it, where nothing waits; a partial's is that of its result. */
static uint32_t block_latency(const struct packet_plane *plane, const struct packet *packet)
{
    return packet->packet_class == STORE     ? plane->copy_latency
           : packet->packet_class == REQUEST ? plane->request_latency
           : packet->flits == NOTICE_FLITS   ? plane->notice_latency
                                             : 0;
}

static void start(struct packet_plane *plane, unsigned number, const struct packet *packet)
{
    struct packet_port *port = &plane->ports[number];
    const uint32_t place = packet_plane_take(plane), latency = packet->flits + plane->up_latency;
    plane->packets[place] = *packet;
    port->up_credits[packet->packet_class].here -= packet->flits;
    port->turn = (uint8_t)((packet->packet_class + 1) % CLASSES);
    port->up_busy = true;
    plane->overlaps += plane->now < port->up_until;
    port->up_until = plane->now + packet->flits;
    sent(plane, number, packet);
    plane->result->up[number].flits[packet->packet_class] += packet->flits;
    plane->result->up[number].packets[packet->packet_class]++;
    plane->result->events++;
    packet_plane_schedule(plane, packet->flits, UP_FREE, number, 0);
    packet_plane_schedule(plane, latency + block_latency(plane, packet), ARRIVED, number, place);
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

void packet_gpu_send(struct packet_plane *plane, unsigned number)
{
    struct packet_port *port = &plane->ports[number];
    struct packet packet;
    bool waits = false;
    if (port->up_busy)
        return;
    for (unsigned i = 0; i < CLASSES; i++) {
        const unsigned chosen = (port->turn + i) % CLASSES;
        if (!offer(plane, number, chosen, &packet))
            continue;
        packet_credits_collect(&port->up_credits[chosen], plane->now);
        if (port->up_credits[chosen].here >= packet.flits) {
            start(plane, number, &packet);
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
    packet_gpu_send(plane, port);
}
