/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_state.h"

static uint64_t bit(unsigned port)
{
    return UINT64_C(1) << port;
}

static struct packet_ring *queue(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    return &crossbar->queues[input * plane->rows->ports + output];
}

/* Stores need room at the egress; what is summed needs none. */
static bool has_room(const struct packet_plane *plane, const struct packet_crossbar *crossbar, unsigned output)
{
    return crossbar == &plane->responses || plane->ports[output].out[STORE].count < plane->egress_packets;
}

/* A copy has its own targets only, so it may be shorter than its packet. */
static uint32_t copy_flits(const struct packet_plane *plane, const struct packet *packet, unsigned output)
{
    return packet->packet_class == STORE ? plane->rows->down[(size_t)packet->row * plane->rows->ports + output] : packet->flits;
}

/* The head of the pair's queue goes to the output from now on. */
static void begin(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    struct packet_ring *ring = queue(plane, crossbar, input, output);
    const uint32_t number = packet_ring_take(ring);
    struct packet *packet = &plane->packets[number];
    if (ring->count == 0) {
        crossbar->by_input[input] &= ~bit(output);
        crossbar->by_output[output] &= ~bit(input);
    }
    crossbar->free_inputs &= ~bit(input);
    crossbar->free_outputs &= ~bit(output);
    crossbar->pass[input] = number;
    crossbar->readers[input]++;
    crossbar->source[output] = (uint8_t)input;
    packet->outputs &= ~bit(output);
    plane->result->events++;
    packet_plane_schedule(plane, copy_flits(plane, packet, output), (enum packet_event_kind)crossbar->ended, output, number);
    if (crossbar == &plane->stores) {
        packet_ring_add(&plane->ports[output].out[STORE], packet->row << LINE_BITS | packet->line);
        packet_egress_send(plane, output);
    }
}

/* Whether the output may have part of what the input reads. */
static bool may_join(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    return (crossbar->free_inputs & bit(input)) != 0 ||
           packet_ring_first(queue(plane, crossbar, input, output)) == crossbar->pass[input];
}

/* The same, and to all other outputs that are free and have the packet at their heads. */
static void begin_all(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    begin(plane, crossbar, input, output);
    const uint64_t outputs = crossbar->by_input[input] & plane->packets[crossbar->pass[input]].outputs;
    for (uint64_t left = outputs & crossbar->free_outputs; left != 0; left &= left - 1) {
        const unsigned other = (unsigned)__builtin_ctzll(left);
        if (has_room(plane, crossbar, other) && may_join(plane, crossbar, input, other))
            begin(plane, crossbar, input, other);
    }
}

/* Cycles are compared modulo 2^32. */
static bool older(const struct packet_plane *plane, uint32_t packet, uint32_t other)
{
    return other == NOTHING || (int32_t)(plane->packets[packet].age - plane->packets[other].age) < 0;
}

void packet_crossbar_output(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned output)
{
    uint32_t oldest = NOTHING;
    unsigned from = 0;
    if ((crossbar->free_outputs & bit(output)) == 0 || !has_room(plane, crossbar, output))
        return;
    for (uint64_t left = crossbar->by_output[output]; left != 0; left &= left - 1) {
        const unsigned input = (unsigned)__builtin_ctzll(left);
        const uint32_t head = packet_ring_first(queue(plane, crossbar, input, output));
        if (may_join(plane, crossbar, input, output) && older(plane, head, oldest)) {
            oldest = head;
            from = input;
        }
    }
    if (oldest != NOTHING)
        begin_all(plane, crossbar, from, output);
}

/* Its oldest packet for outputs that are free begins a pass, then outputs that are still free look for themselves. */
static void offer_input(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input)
{
    uint32_t oldest = NOTHING;
    unsigned to = 0;
    for (uint64_t outputs = crossbar->by_input[input] & crossbar->free_outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = (unsigned)__builtin_ctzll(outputs);
        const uint32_t head = packet_ring_first(queue(plane, crossbar, input, output));
        if (has_room(plane, crossbar, output) && may_join(plane, crossbar, input, output) && older(plane, head, oldest)) {
            oldest = head;
            to = output;
        }
    }
    if (oldest != NOTHING)
        begin_all(plane, crossbar, input, to);
}

void packet_crossbar_join(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint32_t packet)
{
    plane->packets[packet].age = (uint32_t)plane->now;
    for (uint64_t outputs = plane->packets[packet].outputs; outputs != 0; outputs &= outputs - 1) {
        const unsigned output = (unsigned)__builtin_ctzll(outputs);
        packet_ring_add(queue(plane, crossbar, input, output), packet);
        crossbar->by_input[input] |= bit(output);
        crossbar->by_output[output] |= bit(input);
    }
    offer_input(plane, crossbar, input);
}

void packet_crossbar_ended(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned output)
{
    const unsigned input = crossbar->source[output];
    const uint32_t number = crossbar->pass[input];
    if (crossbar == &plane->responses && plane->packets[number].flits == NOTICE_FLITS)
        packet_egress_notice(plane, output, plane->packets[number].item);
    else if (crossbar == &plane->responses)
        packet_groups_partial(plane, &plane->packets[number]);
    crossbar->free_outputs |= bit(output);
    if (--crossbar->readers[input] == 0) {
        crossbar->free_inputs |= bit(input);
        crossbar->pass[input] = NOTHING;
        if (plane->packets[number].outputs == 0)
            packet_plane_free(plane, input, number);
        offer_input(plane, crossbar, input);
    }
    packet_crossbar_output(plane, crossbar, output);
}
