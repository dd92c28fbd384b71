/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_uplink.h"

#include <stdlib.h>
#include <string.h>

void plane_uplink_create(struct plane_uplink *uplink, const struct bench *bench, const struct moehub_check_config *config,
                         const uint32_t places[MOEHUB_CLASSES], unsigned port)
{
    char name[32];
    snprintf(name, sizeof name, "uplink %u", port);
    *uplink = (struct plane_uplink){.strays = -1};
    uplink->shadow.config = *config;
    memcpy(uplink->places, places, sizeof uplink->places);
    bench_random(bench, &uplink->random, name);
    stall_init(&uplink->stall, STALL_NONE, random_next(&uplink->random), "flits");
}

void plane_uplink_destroy(struct plane_uplink *uplink)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        free(uplink->queues[i].packets);
}

void plane_uplink_reset(struct plane_uplink *uplink)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        plane_queue_clear(&uplink->queues[i]);
    plane_uplink_down(uplink);
}

void plane_uplink_grant(struct plane_uplink *uplink, const struct moehub_link_grant *grant)
{
    if (grant->valid && grant->packet_class < MOEHUB_CLASSES)
        uplink->credits[grant->packet_class] += grant->flits;
}

/* The rest of the packet is dropped, as are the credits. */
void plane_uplink_down(struct plane_uplink *uplink)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        uplink->credits[i] = 0;
    uplink->sending = false;
    moehub_link_receiver_down(&uplink->shadow);
}

bool plane_uplink_idle(const struct plane_uplink *uplink)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        if (uplink->queues[i].count > 0)
            return false;
    return !uplink->sending;
}

/* ---- which packet is next ----------------------------------------------------------------------------- */

/* Places that are known to be free when the packet starts: those that it may take, and one more where it goes on behind them, so
 * that it is too long, and not without a place; the port may have no more than the longest packet needs. */
static unsigned places_of(const struct plane_uplink *uplink, const struct made_packet *packet)
{
    const unsigned longest = moehub_link_longest(packet->packet_class), places = uplink->places[packet->packet_class];
    const unsigned needed = packet->count <= longest ? packet->count : longest + 1;
    return needed < places ? needed : places;
}

static bool may_start(const struct plane_uplink *uplink, unsigned i)
{
    const struct plane_queue *queue = &uplink->queues[i];
    return queue->count > 0 && (uplink->overdraws > 0 || uplink->credits[i] >= places_of(uplink, plane_queue_head(queue)));
}

bool plane_uplink_can_send(const struct plane_uplink *uplink)
{
    bool can = uplink->sending;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        can |= may_start(uplink, i);
    return can;
}

/* Partials are spared: somebody waits for them. */
static bool rarely(struct plane_uplink *uplink, unsigned of_256)
{
    const struct moehub_header header = moehub_header_unpack(uplink->packet.flits[0]);
    return random_chance(&uplink->random, of_256, 256) && header.type != MOEHUB_PACKET_PARTIAL;
}

/* Starts a packet; the classes take turns. */
static void start(struct plane_uplink *uplink)
{
    const unsigned turn = uplink->turn;
    for (unsigned i = 0; i < MOEHUB_CLASSES && !uplink->sending; i++) {
        const unsigned chosen = (turn + i) % MOEHUB_CLASSES;
        if (!may_start(uplink, chosen))
            continue;
        uplink->packet = *plane_queue_head(&uplink->queues[chosen]);
        plane_queue_drop(&uplink->queues[chosen]);
        uplink->turn = chosen + 1;
        uplink->overdraws -= uplink->overdraws > 0;
        uplink->sending = true;
        uplink->sent = 0;
        uplink->hides_first = rarely(uplink, uplink->rude.no_first);
        uplink->hides_last = rarely(uplink, uplink->rude.no_last);
        uplink->strays = rarely(uplink, uplink->rude.other_class) ? (int)random_below(&uplink->random, uplink->packet.count) : -1;
    }
}

/* ---- flits ---------------------------------------------------------------------------------------------- */

/* A stray flit is not a first one: that would start a packet for which no credits were taken. */
static unsigned flit_class(struct plane_uplink *uplink, const struct moehub_link_flit *flit)
{
    const bool stray = uplink->strays == (int)uplink->sent;
    const unsigned other = (uplink->packet.packet_class + 1 + (unsigned)random_below(&uplink->random, 3)) % 4;
    return stray && !flit->first ? other : stray ? MOEHUB_CLASSES : uplink->packet.packet_class;
}

static struct moehub_link_flit next_flit(struct plane_uplink *uplink)
{
    struct moehub_link_flit flit = {
        .valid = true,
        .first = uplink->sent == 0 && !uplink->hides_first,
        .last = uplink->sent + 1 == uplink->packet.count && !uplink->hides_last,
        .data = uplink->packet.flits[uplink->sent],
    };
    flit.packet_class = (uint8_t)flit_class(uplink, &flit);
    uplink->sent++;
    uplink->sending = uplink->sent < uplink->packet.count;
    return flit;
}

static void keep_account(struct plane_uplink *uplink, const struct moehub_link_flit *flit)
{
    unsigned space = 0;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        space |= uplink->credits[i] > 0 ? 1u << i : 0;
    const struct moehub_link_taken taken = moehub_link_receiver_flit(&uplink->shadow, flit, space);
    if (taken.stored)
        uplink->credits[flit->packet_class]--;
}

struct moehub_link_flit plane_uplink_send(struct plane_uplink *uplink, uint64_t cycle)
{
    const struct moehub_link_flit none = {.valid = false};
    if (stall_next(&uplink->stall))
        return none;
    if (!uplink->sending)
        start(uplink);
    if (!uplink->sending)
        return none;
    const struct moehub_link_flit flit = next_flit(uplink);
    keep_account(uplink, &flit);
    uplink->moved = cycle;
    return flit;
}
