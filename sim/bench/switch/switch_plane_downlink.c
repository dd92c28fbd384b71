/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_downlink.h"

#include <stdlib.h>

void plane_downlink_create(struct plane_downlink *downlink, const struct bench *bench, unsigned port)
{
    struct random_source random;
    char name[32];
    snprintf(name, sizeof name, "downlink %u", port);
    *downlink = (struct plane_downlink){.turn = 0};
    bench_random(bench, &random, name);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        stall_init(&downlink->consume[i], STALL_NONE, random_next(&random), "consume");
    stall_init(&downlink->grants, STALL_NONE, random_next(&random), "grants");
}

void plane_downlink_destroy(struct plane_downlink *downlink)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        free(downlink->queues[i].packets);
}

void plane_downlink_reset(struct plane_downlink *downlink)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        plane_queue_clear(&downlink->queues[i]);
    downlink->packet.count = 0;
    downlink->was_up = false;
}

/* ---- credits ------------------------------------------------------------------------------------------ */

static uint32_t places_in_use(const struct plane_downlink *downlink, unsigned packet_class)
{
    const struct plane_queue *queue = &downlink->queues[packet_class];
    uint32_t places = 0;
    for (unsigned i = 0; i < queue->count; i++)
        places += queue->packets[(queue->first + i) % queue->capacity].count;
    return places;
}

/* Places that are in use while the link rises are granted when they come free. */
void plane_downlink_link(struct plane_downlink *downlink, bool up)
{
    if (!up)
        downlink->packet.count = 0;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        if (!up)
            downlink->owed[i] = 0;
        else if (!downlink->was_up)
            downlink->owed[i] = downlink->places[i] - places_in_use(downlink, i);
    }
    downlink->was_up = up;
}

struct moehub_link_grant plane_downlink_grant(struct plane_downlink *downlink)
{
    const struct moehub_link_grant none = {.valid = false};
    if (!downlink->was_up || stall_next(&downlink->grants))
        return none;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        const unsigned chosen = (downlink->turn + i) % MOEHUB_CLASSES;
        if (downlink->owed[chosen] == 0 || downlink->starves[chosen])
            continue;
        const uint32_t flits = downlink->owed[chosen] < MOEHUB_GRANT_MAX ? downlink->owed[chosen] : MOEHUB_GRANT_MAX;
        downlink->owed[chosen] -= flits;
        downlink->turn = chosen + 1;
        return (struct moehub_link_grant){true, (uint8_t)chosen, (uint8_t)flits};
    }
    return none;
}

/* ---- packets -------------------------------------------------------------------------------------------- */

/* The switch's pins are where framing and credits are judged: here they hold. */
void plane_downlink_take(struct plane_downlink *downlink, const struct moehub_link_flit *flit)
{
    struct made_packet *packet = &downlink->packet;
    packet->packet_class = flit->packet_class;
    packet->flits[packet->count++] = flit->data;
    if (!flit->last)
        return;
    *plane_queue_add(&downlink->queues[packet->packet_class]) = *packet;
    packet->count = 0;
}

const struct made_packet *plane_downlink_offer(struct plane_downlink *downlink, unsigned packet_class)
{
    const bool stalled = stall_next(&downlink->consume[packet_class]);
    return downlink->queues[packet_class].count > 0 && !stalled ? plane_queue_head(&downlink->queues[packet_class]) : NULL;
}

void plane_downlink_consume(struct plane_downlink *downlink, unsigned packet_class, uint64_t cycle)
{
    downlink->owed[packet_class] += downlink->was_up ? plane_queue_head(&downlink->queues[packet_class])->count : 0;
    plane_queue_drop(&downlink->queues[packet_class]);
    downlink->moved = cycle;
}

bool plane_downlink_idle(const struct plane_downlink *downlink)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        if (downlink->queues[i].count > 0)
            return false;
    return downlink->packet.count == 0;
}
