/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_packet_state.h"

static unsigned lines_of(const struct packet_plane *plane, const struct packet *request)
{
    const uint32_t left = plane->options.combine_lines - request->line * plane->request_lines;
    return left < plane->request_lines ? left : plane->request_lines;
}

static void fill(struct packet_plane *plane, struct packet_group *group, unsigned port, const struct packet *request)
{
    const unsigned gpus = (unsigned)__builtin_popcountll(plane->rows->rows[request->row].outputs);
    *group = (struct packet_group){.row = request->row, .tag = request->item, .requester = (uint8_t)port,
                                   .lines = (uint8_t)lines_of(plane, request)};
    group->results = group->lines;
    for (unsigned i = 0; i < group->lines; i++)
        group->missing[i] = (uint8_t)gpus;
}

static void reserve(struct packet_plane *plane, unsigned number)
{
    struct packet_port *port = &plane->ports[number];
    while (port->groups.count > 0 && port->reserving.count > 0) {
        const uint32_t group = packet_ring_take(&port->groups), place = packet_ring_take(&port->reserving);
        struct packet *packet = &plane->packets[place];
        fill(plane, &plane->groups[group], number, packet);
        packet->item = group;
        packet->outputs = plane->rows->rows[packet->row].outputs;
        packet_plane_copy(plane, &plane->requests, number, place);
    }
}

void packet_groups_request(struct packet_plane *plane, unsigned port, uint32_t packet)
{
    packet_ring_add(&plane->ports[port].reserving, packet);
    reserve(plane, port);
}

void packet_groups_partial(struct packet_plane *plane, uint32_t item)
{
    struct packet_group *group = &plane->groups[item >> GROUP_LINE_BITS];
    if (--group->missing[item & ((1u << GROUP_LINE_BITS) - 1)] == 0)
        packet_plane_schedule(plane, plane->sum_latency, COMPLETED, group->requester, item);
}

void packet_groups_completed(struct packet_plane *plane, unsigned port, uint32_t item)
{
    packet_ring_add(&plane->ports[port].out[RESPONSE], item);
    packet_egress_send(plane, port);
}

void packet_groups_result_left(struct packet_plane *plane, uint32_t number)
{
    struct packet_group *group = &plane->groups[number];
    if (--group->results > 0)
        return;
    packet_ring_add(&plane->ports[group->requester].groups, number);
    reserve(plane, group->requester);
}
