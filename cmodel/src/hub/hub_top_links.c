/* SPDX-License-Identifier: Apache-2.0 */
/* What crosses the links of a whole hub (rtl/doc/plane/link.md; rtl/doc/hub/ingress.md sections 1, 3, 6). */
#include "hub/hub_top_parts.h"

#include <string.h>

enum { ALL_CLASSES = (1 << MOEHUB_CLASSES) - 1 };

/* ---- what comes ---------------------------------------------------------------------------------------------------------- */

/* Close and notify: to the tracker, if they pass their check. */
static void notice_came(struct moehub_hub_top *hub, unsigned link, struct moehub_flit flit)
{
    const struct moehub_header header = moehub_header_unpack(flit);
    const unsigned cause = moehub_way_check(&hub->ways[link].way, flit);
    hub_top_way_said(hub, link, HUB_TOP_WAY_NOTICES, ++hub->offences);
    if (cause == MOEHUB_HUB_WAY_CAUSE_OWNER)
        hub_top_flag(hub, header.context, MOEHUB_HUB_TOP_MAYBE);
    if (cause != 0)
        return;
    if (header.type == MOEHUB_PACKET_CLOSE)
        hub_top_close_came(hub, &header);
    else
        hub_top_notify_came(hub, &header);
}

static int request_came(struct moehub_hub_top *hub, unsigned link, const struct moehub_flit *flits, unsigned count)
{
    struct moehub_way_packet packet;
    moehub_way_packet_read(&packet, flits, count);
    const unsigned cause = moehub_way_check(&hub->ways[link].way, flits[0]);
    hub_top_way_said(hub, link, HUB_TOP_WAY_REQUESTS, ++hub->offences);
    return hub_top_serve(hub, link, &packet, cause, 0);
}

static int packet_came(struct moehub_hub_top *hub, unsigned link, const struct moehub_flit *flits, unsigned count)
{
    const struct moehub_header header = moehub_header_unpack(flits[0]);
    if (header.type != MOEHUB_PACKET_RESULT)
        hub_top_doubt(hub, header.context);
    switch (header.type) {
    case MOEHUB_PACKET_ROW_STORE:
    case MOEHUB_PACKET_MULTIMEM_STORE:
        return hub_top_store_came(hub, link, flits, count);
    case MOEHUB_PACKET_LD_REDUCE:
        return request_came(hub, link, flits, count);
    case MOEHUB_PACKET_RESULT:
        hub_top_result_came(hub, link, flits, count);
        return 0;
    default:
        notice_came(hub, link, flits[0]);
        return 0;
    }
}

/* The receiver found it: in the order of flits. */
static void received(struct moehub_hub_top *hub, unsigned link, unsigned cause, struct moehub_flit header)
{
    hub->ways[link].way.counters[MOEHUB_HUB_WAY_EVENT_CAUSES + cause]++;
    hub_top_way_offends(hub, link, HUB_TOP_WAY_RECEIVER, ++hub->offences, cause, header);
}

/* Order of the flits of a cycle: the packet that a first flit cuts short ended before. */
static int ended(struct moehub_hub_top *hub, unsigned link, const struct moehub_link_end *end)
{
    struct moehub_hub_top_way *way = &hub->ways[link];
    if (!end->valid)
        return 0;
    way->packets_in[end->packet_class]++;
    if (end->verdict.cause < MOEHUB_PACKET_CAUSES)
        received(hub, link, end->verdict.cause, end->header);
    return end->kept ? packet_came(hub, link, way->in, end->flits) : 0;
}

int moehub_hub_top_come(struct moehub_hub_top *hub, unsigned link, const struct moehub_link_flit *flit,
                        struct moehub_link_taken *taken)
{
    struct moehub_hub_top_way *way = &hub->ways[link];
    const struct moehub_link_taken took = moehub_link_receiver_flit(&way->receiver, flit, ALL_CLASSES);
    if (taken != NULL)
        *taken = took;
    way->flits_in++;
    if (took.unended)
        received(hub, link, MOEHUB_LINK_CAUSE_UNENDED, took.cut.header);
    const int error = ended(hub, link, &took.cut);
    if (took.cause < MOEHUB_LINK_CAUSES)
        received(hub, link, took.cause, (struct moehub_flit){{0, 0}});
    if (took.stored) {
        way->in_count = took.first ? 0 : way->in_count;
        way->in[way->in_count++] = flit->data;
    }
    return error != 0 ? error : ended(hub, link, &took.end);
}

void moehub_hub_top_grant(struct moehub_hub_top *hub, unsigned link, const struct moehub_link_grant *grant)
{
    if (grant->valid && grant->packet_class < MOEHUB_CLASSES)
        hub->ways[link].credits[grant->packet_class] += grant->flits;
}

/* ---- what leaves --------------------------------------------------------------------------------------------------------- */

static int leave(struct moehub_hub_top *hub, unsigned link, unsigned type, const struct hub_top_leaving *packet)
{
    switch (type) {
    case MOEHUB_PACKET_ROW_STORE:
    case MOEHUB_PACKET_MULTIMEM_STORE:
        return hub_top_store_leaves(hub, link, packet);
    case MOEHUB_PACKET_LD_REDUCE:
        return hub_top_request_leaves(hub, link, packet);
    case MOEHUB_PACKET_PARTIAL:
        return hub_top_partial_leaves(hub, link, packet);
    case MOEHUB_PACKET_CLOSE:
        return hub_top_close_leaves(hub, packet);
    case MOEHUB_PACKET_NOTIFY:
        return hub_top_notify_leaves(hub, packet);
    default:
        return hub_top_wrong(hub, "link %u: a packet of type %u leaves", link, type);
    }
}

static unsigned class_of(unsigned type)
{
    return type == MOEHUB_PACKET_ROW_STORE || type == MOEHUB_PACKET_MULTIMEM_STORE ? MOEHUB_CLASS_STORE
           : type == MOEHUB_PACKET_LD_REDUCE                                       ? MOEHUB_CLASS_REQUEST
                                                                                   : MOEHUB_CLASS_RESPONSE;
}

static int packet_left(struct moehub_hub_top *hub, unsigned link, bool cut)
{
    struct moehub_hub_top_way *way = &hub->ways[link];
    const struct hub_top_leaving packet = {way->out, way->out_count, cut};
    const unsigned packet_class = way->out_class, type = moehub_header_unpack(way->out[0]).type;
    way->out_count = 0;
    if (packet_class != class_of(type))
        return hub_top_wrong(hub, "link %u: a packet of type %u leaves in class %u", link, type, packet_class);
    if (way->credits[packet_class] < packet.count)
        return hub_top_wrong(hub, "link %u: a packet of %u flits leaves in class %u with %llu credits", link, packet.count,
                             packet_class, (unsigned long long)way->credits[packet_class]);
    way->credits[packet_class] -= packet.count;
    way->packets_out[packet_class] += !cut;
    return leave(hub, link, type, &packet);
}

int moehub_hub_top_go(struct moehub_hub_top *hub, unsigned link, const struct moehub_link_flit *flit)
{
    struct moehub_hub_top_way *way = &hub->ways[link];
    const bool open = way->out_count != 0;
    if (flit->packet_class >= MOEHUB_CLASSES || flit->first == open || (open && flit->packet_class != way->out_class) ||
        way->out_count == MOEHUB_RESPONSE_LONGEST)
        return hub_top_wrong(hub, "link %u: a flit of class %u, first %d, after %u flits of an open packet leaves", link,
                             flit->packet_class, flit->first, way->out_count);
    way->flits_out++;
    way->out_class = flit->packet_class;
    way->out[way->out_count++] = flit->data;
    return flit->last ? packet_left(hub, link, false) : 0;
}

/* ---- a link that falls --------------------------------------------------------------------------------------------------- */

/* A packet's first flit is on the wires in the cycle after it was chosen, with the link up: so none is lost unseen. */
int moehub_hub_top_link_fell(struct moehub_hub_top *hub, unsigned link)
{
    struct moehub_hub_top_way *way = &hub->ways[link];
    const struct moehub_link_end end = moehub_link_receiver_down(&way->receiver);
    int error = ended(hub, link, &end);
    if (error == 0 && way->out_count != 0)
        error = packet_left(hub, link, true);
    memset(way->credits, 0, sizeof way->credits);
    return error;
}
