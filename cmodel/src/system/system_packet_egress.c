/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_hub.h"

static const uint8_t order[CLASSES] = {REQUEST, RESPONSE, STORE};

static uint32_t flits_of_first(const struct packet_plane *plane, unsigned number, unsigned packet_class)
{
    const uint32_t item = packet_ring_first(&plane->ports[number].out[packet_class]);
    if (packet_class == STORE)
        return packet_store_flits(item);
    if (packet_class == RESPONSE)
        return packet_response_flits(item);
    return plane->rows->down[(size_t)plane->groups[item].row * plane->rows->ports + number] - (uint32_t)MOEHUB_LINE_UNITS;
}

static bool has_credits(struct packet_plane *plane, unsigned number, unsigned packet_class, uint32_t flits)
{
    return packet_credits_are_there(&plane->ports[number].down_credits[packet_class], plane->now, flits);
}

/* Where several classes wait: those behind in the order may have been overtaken too often. */
static unsigned choose_of_several(struct packet_plane *plane, unsigned number, uint32_t *flits)
{
    const struct packet_port *port = &plane->ports[number];
    unsigned first = CLASSES;
    for (unsigned i = 0; i < CLASSES; i++) {
        const unsigned packet_class = order[i];
        if (port->out[packet_class].count == 0)
            continue;
        const uint32_t needed = flits_of_first(plane, number, packet_class);
        const bool overtaken = i > 0 && port->overtaken[packet_class] >= plane->bound;
        if ((first != CLASSES && !overtaken) || !has_credits(plane, number, packet_class, needed))
            continue;
        first = packet_class;
        *flits = needed;
        if (overtaken)
            break;
    }
    return first;
}

/* The class whose first packet goes, which waits and has credits, and its flits; CLASSES: none. */
static unsigned choose(struct packet_plane *plane, unsigned number, uint32_t *flits)
{
    const struct packet_port *port = &plane->ports[number];
    unsigned waiting = 0;
    for (unsigned i = 0; i < CLASSES; i++)
        waiting |= (unsigned)(port->out[i].count > 0) << i;
    if ((waiting & (waiting - 1)) != 0)
        return choose_of_several(plane, number, flits);
    const unsigned one = (unsigned)__builtin_ctz(waiting);
    *flits = flits_of_first(plane, number, one);
    return has_credits(plane, number, one, *flits) ? one : CLASSES;
}

static void wait_for_credits(struct packet_plane *plane, unsigned number)
{
    struct packet_port *port = &plane->ports[number];
    const uint32_t wait = packet_credits_wait(port->down_credits, plane->now);
    if (wait == NOTHING || port->down_waking)
        return;
    port->down_waking = true;
    packet_plane_wake(plane, wait, WAKE_DOWN, number);
}

/* What a packet brings to the hub, or to the GPU where no hubs are modelled. */
static void arrive(struct packet_plane *plane, unsigned number, unsigned chosen, uint32_t item, uint32_t there)
{
    if (chosen == REQUEST)
        packet_plane_schedule(plane, there + plane->answer_latency, ASKED, number, item);
    if (plane->hubs == NULL)
        return;
    if (chosen == STORE)
        packet_plane_schedule(plane, there, STORE_CAME, number, item);
    else if (chosen == RESPONSE && (item & NOTICE) != 0)
        packet_plane_schedule(plane, there, NOTICE_CAME, number, item);
    else if (chosen == RESPONSE)
        packet_plane_schedule(plane, there, RESULT_CAME, number,
                              plane->groups[item >> GROUP_LINE_BITS].tag << GROUP_LINE_BITS |
                                  (item & ((1u << GROUP_LINE_BITS) - 1)));
}

/* A store or a request, whose slot at the crossbar's output is free then, a notice, or the result of a group. */
static uint32_t what_leaves(const struct packet_plane *plane, unsigned chosen, uint32_t item)
{
    static const uint32_t copies[] = {[STORE] = STORE_LEFT, [REQUEST] = REQUEST_LEFT};
    if (chosen != RESPONSE)
        return plane->options.ideal_plane ? NOTHING : copies[chosen];
    return (item & NOTICE) != 0 ? NOTHING : item >> GROUP_LINE_BITS;
}

static void start(struct packet_plane *plane, unsigned number, unsigned chosen, uint32_t flits)
{
    struct packet_port *port = &plane->ports[number];
    const uint32_t item = packet_ring_take(&port->out[chosen]);
    const uint32_t there = flits + plane->down_latency;
    for (unsigned i = 0; i < CLASSES; i++)
        port->overtaken[i] = i == chosen ? 0 : port->overtaken[i] + (port->out[i].count > 0);
    port->down_busy = true;
    plane->overlaps += plane->now < port->down_until;
    port->down_until = plane->now + flits;
    port->down_credits[chosen].here -= flits;
    if (plane->hubs == NULL || chosen == RESPONSE)
        packet_credits_give(&port->down_credits[chosen], plane->now + there + plane->up_latency, flits);
    plane->result->down[number].flits[chosen] += flits;
    plane->result->down[number].packets[chosen]++;
    plane->result->events++;
    plane->last = plane->now + flits > plane->last ? plane->now + flits : plane->last;
    packet_plane_schedule(plane, flits, DOWN_FREE, number, what_leaves(plane, chosen, item));
    arrive(plane, number, chosen, item, there);
}

void packet_egress_send_next(struct packet_plane *plane, unsigned number)
{
    uint32_t flits = 0;
    const unsigned chosen = choose(plane, number, &flits);
    if (chosen == CLASSES)
        wait_for_credits(plane, number);
    else
        start(plane, number, chosen, flits);
}

void packet_egress_notice(struct packet_plane *plane, unsigned number, uint32_t notice)
{
    packet_ring_add(&plane->ports[number].out[RESPONSE], notice);
    packet_egress_send(plane, number);
}

void packet_egress_store(struct packet_plane *plane, unsigned number, uint32_t copy)
{
    packet_ring_add(&plane->ports[number].out[STORE], copy);
    packet_egress_send(plane, number);
}

void packet_egress_request(struct packet_plane *plane, unsigned number, uint32_t group)
{
    packet_ring_add(&plane->ports[number].out[REQUEST], group);
    packet_egress_send(plane, number);
}
