/* SPDX-License-Identifier: Apache-2.0 */
/* The ideal plane: output queues in place of the crossbars. What has come is at all its outputs at once, and its places are
 * free. */
#include "system/system_packet_state.h"

/* ---- stores and requests --------------------------------------------------------------------------------------- */

static void join_output(struct packet_plane *plane, unsigned output, const struct packet *packet)
{
    const uint32_t item = packet_copy_item(plane, packet, output);
    plane->result->events++;
    if (packet->packet_class == REQUEST)
        packet_egress_request(plane, output, item);
    else
        packet_egress_store(plane, output, item);
}

void packet_ideal_copies(struct packet_plane *plane, unsigned input, uint32_t number)
{
    const struct packet *packet = &plane->packets[number];
    for (uint64_t outputs = packet->outputs; outputs != 0; outputs &= outputs - 1)
        join_output(plane, (unsigned)__builtin_ctzll(outputs), packet);
    packet_plane_free(plane, input, number);
}

/* ---- responses ------------------------------------------------------------------------------------------------- */

/* The output's reduction buffer takes a flit a cycle. */
static void begin(struct packet_plane *plane, unsigned output)
{
    packet_plane_schedule(plane, packet_response_flits(packet_ring_first(&plane->ports[output].partials)), TAKEN, output, 0);
}

void packet_ideal_response(struct packet_plane *plane, unsigned input, unsigned output, uint32_t item)
{
    struct packet_ring *partials = &plane->ports[output].partials;
    plane->result->events++;
    packet_ring_add(partials, item);
    if (partials->count == 1)
        begin(plane, output);
    packet_plane_freed(plane, input, RESPONSE, packet_response_flits(item));
}

void packet_ideal_taken(struct packet_plane *plane, unsigned output)
{
    struct packet_ring *partials = &plane->ports[output].partials;
    const uint32_t item = packet_ring_take(partials);
    if (partials->count > 0)
        begin(plane, output);
    packet_responses_there(plane, output, item);
}
