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
    crossbar->turn[output] = (uint8_t)(input + 1);
    packet->outputs &= ~bit(output);
    plane->result->events++;
    packet_plane_schedule(plane, packet->flits, (enum packet_event_kind)crossbar->ended, output, number);
    if (crossbar == &plane->stores) {
        packet_ring_add(&plane->ports[output].out[STORE], plane->rows->down[(size_t)packet->row * plane->rows->ports + output]);
        packet_egress_send(plane, output);
    }
}

/* Whether the output may have part of what the input reads. */
static bool may_join(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, unsigned output)
{
    return (crossbar->free_inputs & bit(input)) != 0 ||
           packet_ring_first(queue(plane, crossbar, input, output)) == crossbar->pass[input];
}

/* From the output's turn on, around. */
static unsigned next_port(uint64_t ports, unsigned turn)
{
    const uint64_t later = turn < PORTS_MAX ? ports >> turn << turn : 0;
    return (unsigned)__builtin_ctzll(later != 0 ? later : ports);
}

void packet_crossbar_output(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned output)
{
    if ((crossbar->free_outputs & bit(output)) == 0 || !has_room(plane, crossbar, output))
        return;
    for (uint64_t left = crossbar->by_output[output]; left != 0;) {
        const unsigned input = next_port(left, crossbar->turn[output]);
        if (may_join(plane, crossbar, input, output)) {
            begin(plane, crossbar, input, output);
            return;
        }
        left &= ~bit(input);
    }
}

static void offer_input(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input)
{
    for (uint64_t outputs = crossbar->by_input[input] & crossbar->free_outputs; outputs != 0; outputs &= outputs - 1)
        packet_crossbar_output(plane, crossbar, (unsigned)__builtin_ctzll(outputs));
}

void packet_crossbar_join(struct packet_plane *plane, struct packet_crossbar *crossbar, unsigned input, uint32_t packet)
{
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
    if (crossbar == &plane->responses)
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
