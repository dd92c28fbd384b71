/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of the switch plane's model: what is asked, the copies that leave, the groups that they name. */
#include "moehub/packet_copy.h"
#include "switch/switch_plane_parts.h"

#include <string.h>

/* ---- what comes in ------------------------------------------------------------------------------------ */

static struct moehub_switch_plane_request *add_request(struct moehub_switch_plane *plane, unsigned number,
                                                       struct moehub_flit flit)
{
    struct moehub_switch_plane_port *port = &plane->ports[number];
    if (port->request_count == plane->request_capacity && !plane_discard_request(plane, port, NULL))
        return NULL;
    struct moehub_switch_plane_request *request = plane_request(port, port->request_count++);
    *request = (struct moehub_switch_plane_request){.header = moehub_header_unpack(flit), .since = plane->now};
    request->lines = (uint8_t)moehub_request_lines(request->header.length, plane->config.request_lines);
    request->results = (uint8_t)((1u << request->lines) - 1);
    return request;
}

/* The status with which the reduction buffer refuses it. A set of ports and a length that the header check lets through are
 * never refused. */
static uint8_t reservation_status(const struct moehub_switch_plane *plane, const struct moehub_header *header)
{
    return header->element == MOEHUB_ELEMENT_FP32 && !plane->config.with_fp32 ? MOEHUB_STATUS_TYPE : MOEHUB_STATUS_OK;
}

/* What became of a request is counted (1), or taken back (-1). */
static void count_fate(struct moehub_switch_plane_counts *counts, const struct moehub_switch_plane_request *request, int by)
{
    const uint64_t step = (uint64_t)(int64_t)by;
    const bool granted = request->status == MOEHUB_STATUS_OK;
    counts->reserved += granted ? step : 0;
    counts->refused += granted ? 0 : step;
    if (request->status == MOEHUB_STATUS_MALFORMED)
        return;
    if (request->status == MOEHUB_STATUS_TIMEOUT) {
        counts->refused_down += step;
        return;
    }
    counts->reduction[MOEHUB_REDUCTION_EVENT_REQUESTS] += step;
    counts->reduction[granted ? MOEHUB_REDUCTION_EVENT_RESERVATIONS
                      : request->status == MOEHUB_STATUS_DRAINING
                          ? MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_DRAINING
                          : MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_TYPE] += step;
}

bool plane_request_untouched(const struct moehub_switch_plane_request *request)
{
    return !request->named && request->results == (1u << request->lines) - 1;
}

void plane_request_drained(struct moehub_switch_plane_port *port, struct moehub_switch_plane_request *request)
{
    count_fate(&port->counts, request, -1);
    request->status = MOEHUB_STATUS_DRAINING;
    request->may_drain = false;
    request->copies = 0;
    count_fate(&port->counts, request, 1);
}

void plane_request_was_taken(const struct moehub_switch_plane *plane, struct moehub_switch_plane_port *port,
                             struct moehub_switch_plane_request *request)
{
    count_fate(&port->counts, request, -1);
    request->status = reservation_status(plane, &request->header);
    request->copies = request->status == MOEHUB_STATUS_OK ? request->contributors : 0;
    count_fate(&port->counts, request, 1);
}

static bool any_down(const struct moehub_switch_plane *plane, uint64_t ports)
{
    for (unsigned i = 0; i < plane->config.ports; i++)
        if ((ports >> i & 1) != 0 && plane->ports[i].down == MOEHUB_SWITCH_PLANE_YES)
            return true;
    return false;
}

int plane_request_accept(struct moehub_switch_plane *plane, unsigned number, const struct moehub_flit *flits, uint64_t ports)
{
    struct moehub_switch_plane_port *port = &plane->ports[number];
    struct moehub_switch_plane_request *request = add_request(plane, number, flits[0]);
    if (request == NULL)
        return MOEHUB_E_LIMIT;
    for (unsigned i = 0; i < moehub_header_target_flits(&request->header); i++)
        moehub_targets_unpack(flits[1 + i], i, request->targets, request->header.target_count);
    request->contributors = ports;
    request->status = any_down(plane, ports)                      ? MOEHUB_STATUS_TIMEOUT
                      : port->draining == MOEHUB_SWITCH_PLANE_YES ? MOEHUB_STATUS_DRAINING
                                                                  : reservation_status(plane, &request->header);
    request->copies = request->status == MOEHUB_STATUS_OK ? ports : 0;
    request->may_drain = port->draining == MOEHUB_SWITCH_PLANE_MAYBE && request->status != MOEHUB_STATUS_TIMEOUT;
    count_fate(&port->counts, request, 1);
    return 0;
}

int plane_request_refuse(struct moehub_switch_plane *plane, unsigned port, struct moehub_flit header)
{
    struct moehub_switch_plane_request *request = add_request(plane, port, header);
    if (request == NULL)
        return MOEHUB_E_LIMIT;
    request->status = MOEHUB_STATUS_MALFORMED;
    count_fate(&plane->ports[port].counts, request, 1);
    return 0;
}

/* ---- names ---------------------------------------------------------------------------------------------- */

/* Results of requests whose group has another user. */
static unsigned late_results(const struct moehub_switch_plane_port *port)
{
    unsigned results = 0;
    for (unsigned i = 0; i < port->request_count; i++) {
        const struct moehub_switch_plane_request *request = plane_request(port, i);
        if (request->named && port->groups[request->group].user != request)
            results += plane_sure_results(port, request, UINT8_MAX);
    }
    return results;
}

/* A group is free when the last flit of its last result was taken, which may be before that has left by the link, or is lost. */
static bool may_be_free(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_port *port,
                        const struct moehub_switch_plane_group *group)
{
    return group->user == NULL ||
           (plane_lines_done(plane, port, group->user) &&
            late_results(port) + plane_sure_results(port, group->user, UINT8_MAX) <=
                MOEHUB_SWITCH_PLANE_LATE + port->losses - port->lost);
}

static void take_group(struct moehub_switch_plane_port *port, unsigned number, unsigned generation,
                       struct moehub_switch_plane_request *request)
{
    struct moehub_switch_plane_group *group = &port->groups[number];
    request->named = group->used = true;
    request->may_drain = false;
    request->group = (uint16_t)number;
    request->generation = group->generation = (uint8_t)generation;
    group->user = NULL;
    if (request->results == 0) /* all have timed out before its first copy left */
        return;
    group->user = request;
    request->sums = port->unused[--port->unused_count];
    plane_lines_begin(request);
}

/* All copies of a request may be missing: nobody has seen the generation that it had. */
static bool any_loss(const struct moehub_switch_plane *plane)
{
    for (unsigned i = 0; i < plane->config.ports; i++)
        if (plane->ports[i].losses > 0 || plane->ports[i].was_down)
            return true;
    return false;
}

/* The hardware says with the first copy which group, and which generation, the request has got. */
static int name_request(struct moehub_switch_plane *plane, struct moehub_switch_plane_port *port,
                        struct moehub_switch_plane_request *request, uint32_t tag, struct moehub_message *why)
{
    const unsigned entry = tag >> 8, number = entry / plane->config.request_lines;
    if (entry % plane->config.request_lines != 0 || number >= plane->config.groups) {
        moehub_message_set(why, NULL, 0, "a request copy names entry %u, which begins no group", entry);
        return MOEHUB_E_STATE;
    }
    const struct moehub_switch_plane_group *group = &port->groups[number];
    if (!may_be_free(plane, port, group)) {
        moehub_message_set(why, NULL, 0, "a request copy names group %u, which another request has", number);
        return MOEHUB_E_STATE;
    }
    const unsigned next = group->used ? (group->generation + 1u) & ((1u << plane->config.generation_width) - 1) : 0;
    if ((tag & 0xFFu) != next && !any_loss(plane)) {
        moehub_message_set(why, NULL, 0, "a request copy names generation %u of group %u, which is at %u", tag & 0xFFu, number,
                           next);
        return MOEHUB_E_STATE;
    }
    while (port->unused_count == 0)
        if (!plane_discard_request(plane, port, request)) {
            moehub_message_set(why, NULL, 0, "a request copy names group %u, and the results of all groups wait", number);
            return MOEHUB_E_STATE;
        }
    take_group(port, number, tag & 0xFFu, request);
    return 0;
}

/* ---- copies that leave ------------------------------------------------------------------------------------ */

/* The oldest request of a port whose copy for this output has not left. */
static struct moehub_switch_plane_request *oldest_copy(const struct moehub_switch_plane_port *port, unsigned output)
{
    for (unsigned i = 0; i < port->request_count; i++)
        if ((plane_request(port, i)->copies >> output & 1) != 0)
            return plane_request(port, i);
    return NULL;
}

/* The copy of a request; one without a name has the tag that leaves. */
static void make_copy(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_request *request,
                      unsigned output, uint32_t tag, struct moehub_crossbar_copy *packet)
{
    struct moehub_header copy = request->header;
    copy.tag = request->named ? moehub_entry_tag(request->group * plane->config.request_lines, request->generation) : tag;
    packet->count = moehub_packet_copy(&copy, request->targets, output, plane->config.local_expert_bits, packet->flits);
}

/* The copy of a request leaves, or is lost. */
static void drop_copy(struct moehub_switch_plane_port *port, struct moehub_switch_plane_request *request, unsigned output)
{
    request->copies &= ~(UINT64_C(1) << output);
    plane_request_end(port, request);
}

int plane_request_leave(struct moehub_switch_plane *plane, unsigned output, const struct moehub_header *header,
                        struct moehub_crossbar_copy *packet, struct moehub_message *why)
{
    const struct moehub_flit flit = moehub_header_pack(header);
    struct moehub_switch_plane_port *out = &plane->ports[output];
    struct moehub_switch_plane_port *port = header->source < plane->config.ports ? &plane->ports[header->source] : NULL;
    struct moehub_switch_plane_request *request = port != NULL ? oldest_copy(port, output) : NULL;
    for (; request != NULL; request = oldest_copy(port, output)) {
        const bool doubtful = (request->doubtful >> output & 1) != 0;
        make_copy(plane, request, output, header->tag, packet);
        if (!plane_other_header(packet->flits[0], flit))
            break;
        if (request->may_drain && plane_request_untouched(request)) {
            plane_request_drained(port, request);
            continue;
        }
        if (!plane_may_be_lost(out, doubtful))
            break;
        plane_lose_packet(out, doubtful);
        drop_copy(port, request, output);
    }
    if (request == NULL) {
        moehub_message_set(why, NULL, 0, "a request copy of GPU %u leaves, of which none waits here", (unsigned)header->source);
        return MOEHUB_E_STATE;
    }
    if (!request->named && name_request(plane, port, request, header->tag, why) != 0)
        return MOEHUB_E_STATE;
    drop_copy(port, request, output);
    return 0;
}

void plane_request_end(struct moehub_switch_plane_port *port, struct moehub_switch_plane_request *request)
{
    if (request->results == 0 && request->sums != NULL) {
        port->unused[port->unused_count++] = request->sums;
        request->sums = NULL;
        if (port->groups[request->group].user == request)
            port->groups[request->group].user = NULL;
    }
    if (request->results != 0 || request->copies != 0)
        return;
    unsigned i = 0;
    while (plane_request(port, i) != request)
        i++;
    const uint16_t place = port->order[i];
    port->request_count--;
    memmove(&port->order[i], &port->order[i + 1], (port->request_count - i) * sizeof *port->order);
    port->order[port->request_count] = place;
}

/* ---- groups in use ------------------------------------------------------------------------------------------ */

/* A line waits for a partial, and its time is not up: a group's time begins after its request has come. */
static bool waits_for_partial(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_port *port,
                              const struct moehub_switch_plane_request *request)
{
    if (port->timeout != 0 && plane->now - request->since > port->timeout)
        return false;
    for (unsigned line = 0; line < request->lines; line++)
        if ((request->results >> line & 1) != 0 && request->sums[line].answered != request->contributors)
            return true;
    return false;
}

struct moehub_switch_plane_use moehub_switch_plane_groups_in_use(const struct moehub_switch_plane *plane, unsigned number)
{
    const struct moehub_switch_plane_port *port = &plane->ports[number];
    struct moehub_switch_plane_use use = {0, 0};
    for (unsigned i = 0; i < port->request_count; i++) {
        const struct moehub_switch_plane_request *request = plane_request(port, i);
        use.least += request->sums != NULL && port->groups[request->group].user == request &&
                     waits_for_partial(plane, port, request);
        use.most += request->status == MOEHUB_STATUS_OK || request->may_drain;
    }
    if (port->timeout != 0 || use.most > plane->config.groups)
        use.most = plane->config.groups;
    return use;
}
