/* SPDX-License-Identifier: Apache-2.0 */
/* Ports of the switch plane's model that are down, or drain: what may have been discarded, which requests were refused. */
#include "switch/switch_plane_parts.h"

/* ---- what may be missing ------------------------------------------------------------------------------ */

static bool may_be_discarded(const struct moehub_switch_plane_port *port, bool doubtful)
{
    return port->down != MOEHUB_SWITCH_PLANE_NO || doubtful;
}

bool plane_may_be_lost(const struct moehub_switch_plane_port *port, bool doubtful)
{
    return may_be_discarded(port, doubtful) || port->lost < port->losses;
}

void plane_lose_packet(struct moehub_switch_plane_port *port, bool doubtful)
{
    if (may_be_discarded(port, doubtful))
        port->discarded++;
    else
        port->lost++;
}

uint32_t *plane_doubtful_copies(struct moehub_switch_plane *plane, const struct moehub_crossbar *crossbar, unsigned port)
{
    return crossbar == &plane->stores ? plane->ports[port].doubtful_stores : plane->ports[port].doubtful_notices;
}

unsigned plane_sure_results(const struct moehub_switch_plane_port *port, const struct moehub_switch_plane_request *request,
                            unsigned lines)
{
    const unsigned sure = lines & request->results & ~(unsigned)request->doubtful_results;
    return port->down != MOEHUB_SWITCH_PLANE_NO ? 0 : (unsigned)__builtin_popcount(sure);
}

/* Outputs by which a copy of the request may have been discarded. */
static uint64_t doubtful_outputs(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_request *request)
{
    uint64_t outputs = request->doubtful;
    for (unsigned i = 0; i < plane->config.ports; i++)
        outputs |= (uint64_t)(plane->ports[i].down != MOEHUB_SWITCH_PLANE_NO) << i;
    return request->copies & outputs;
}

uint64_t moehub_switch_plane_doubtful(const struct moehub_switch_plane *plane)
{
    uint64_t doubtful = 0;
    for (unsigned i = 0; i < plane->config.ports; i++) {
        const struct moehub_switch_plane_port *port = &plane->ports[i];
        for (unsigned j = 0; j < plane->config.ports; j++)
            doubtful += port->down == MOEHUB_SWITCH_PLANE_NO
                            ? port->doubtful_stores[j] + port->doubtful_notices[j]
                            : moehub_crossbar_count(&plane->stores, j, i) + moehub_crossbar_count(&plane->notices, j, i);
        for (unsigned j = 0; j < port->request_count; j++) {
            const struct moehub_switch_plane_request *request = plane_request(port, j);
            doubtful += (unsigned)__builtin_popcountll(doubtful_outputs(plane, request)) +
                        (unsigned)__builtin_popcount(request->results) - plane_sure_results(port, request, UINT8_MAX);
        }
    }
    return doubtful;
}

/* ---- what is missing ------------------------------------------------------------------------------------ */

bool plane_discard_copy(struct moehub_switch_plane *plane, struct moehub_crossbar *crossbar, unsigned input)
{
    unsigned most = 0, output = 0;
    for (unsigned i = 0; i < plane->config.ports; i++) {
        const bool doubtful = plane_doubtful_copies(plane, crossbar, i)[input] > 0;
        const unsigned count = moehub_crossbar_count(crossbar, input, i);
        if (!may_be_discarded(&plane->ports[i], doubtful) || count <= most)
            continue;
        most = count;
        output = i;
    }
    if (most == 0)
        return false;
    plane->ports[output].discarded++;
    plane_copy_left(&plane_doubtful_copies(plane, crossbar, output)[input]);
    moehub_crossbar_leave(crossbar, input, output);
    return true;
}

static void discard_all(struct moehub_switch_plane *plane, struct moehub_switch_plane_port *port,
                        struct moehub_switch_plane_request *request)
{
    const unsigned results = (unsigned)__builtin_popcount(request->results);
    for (unsigned i = 0; i < plane->config.ports; i++)
        plane->ports[i].discarded += request->copies >> i & 1;
    port->discarded += results;
    if (request->status != MOEHUB_STATUS_OK)
        port->counts.error_results += results;
    else
        port->counts.unseen_results += results;
    request->copies = 0;
    request->results = 0;
    plane_request_end(port, request);
}

bool plane_discard_request(struct moehub_switch_plane *plane, struct moehub_switch_plane_port *port,
                           const struct moehub_switch_plane_request *spared)
{
    for (unsigned i = 0; i < port->request_count; i++) {
        struct moehub_switch_plane_request *request = plane_request(port, i);
        const bool has_group = request->named && port->groups[request->group].user == request;
        if (request == spared || has_group || plane_sure_results(port, request, UINT8_MAX) != 0 ||
            doubtful_outputs(plane, request) != request->copies)
            continue;
        discard_all(plane, port, request);
        return true;
    }
    return false;
}

/* ---- changes ---------------------------------------------------------------------------------------------- */

/* All that waits for the port's link may have been discarded. */
static void doubt_all(struct moehub_switch_plane *plane, unsigned number)
{
    struct moehub_switch_plane_port *port = &plane->ports[number];
    for (unsigned input = 0; input < plane->config.ports; input++) {
        const struct moehub_switch_plane_port *from = &plane->ports[input];
        port->doubtful_stores[input] = moehub_crossbar_count(&plane->stores, input, number);
        port->doubtful_notices[input] = moehub_crossbar_count(&plane->notices, input, number);
        for (unsigned i = 0; i < from->request_count; i++)
            plane_request(from, i)->doubtful |= plane_request(from, i)->copies & UINT64_C(1) << number;
    }
    for (unsigned i = 0; i < port->request_count; i++)
        plane_request(port, i)->doubtful_results |= plane_request(port, i)->results;
}

void moehub_switch_plane_set_down(struct moehub_switch_plane *plane, unsigned port, enum moehub_switch_plane_known down)
{
    plane->ports[port].down = down;
    plane->ports[port].was_down |= down != MOEHUB_SWITCH_PLANE_NO;
    if (down == MOEHUB_SWITCH_PLANE_NO)
        doubt_all(plane, port);
}

void moehub_switch_plane_set_draining(struct moehub_switch_plane *plane, unsigned number, enum moehub_switch_plane_known draining)
{
    struct moehub_switch_plane_port *port = &plane->ports[number];
    port->draining = draining;
    for (unsigned i = 0; i < port->request_count && draining == MOEHUB_SWITCH_PLANE_MAYBE; i++) {
        struct moehub_switch_plane_request *request = plane_request(port, i);
        if (!plane_request_untouched(request))
            continue;
        if (request->status == MOEHUB_STATUS_DRAINING)
            plane_request_was_taken(plane, port, request);
        request->may_drain = request->status != MOEHUB_STATUS_MALFORMED;
    }
}
