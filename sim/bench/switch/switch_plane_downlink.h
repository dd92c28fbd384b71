/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU's receiving end of its link: places a class, what comes in, and the credits that it grants. What a copy says has been
 * compared at the switch; here it takes places, is consumed at the GPU's pace, and gives them back. */
#ifndef BENCH_SWITCH_PLANE_DOWNLINK_H
#define BENCH_SWITCH_PLANE_DOWNLINK_H

#include "bench/switch/switch_plane_queue.h"
#include "kit/stall.h"
#include "moehub/link.h"

struct plane_downlink {
    uint32_t places[MOEHUB_CLASSES];      /* of each class; takes effect when the link rises */
    uint32_t owed[MOEHUB_CLASSES];        /* free, and not granted yet */
    bool starves[MOEHUB_CLASSES];         /* nothing is granted */
    unsigned turn;
    struct plane_queue queues[MOEHUB_CLASSES]; /* whole packets that are not consumed */
    struct made_packet packet;            /* that is coming in; count 0: none */
    struct stall consume[MOEHUB_CLASSES], grants;
    bool was_up;
    uint64_t moved;                       /* cycle in which a packet was consumed */
};

void plane_downlink_create(struct plane_downlink *downlink, const struct bench *bench, unsigned port);
void plane_downlink_destroy(struct plane_downlink *downlink);

/* All places are free, and nothing has come. */
void plane_downlink_reset(struct plane_downlink *downlink);

/* The link is up or down in this cycle; to be said before the others. */
void plane_downlink_link(struct plane_downlink *downlink, bool up);

/* What this cycle grants. */
struct moehub_link_grant plane_downlink_grant(struct plane_downlink *downlink);

/* A flit has come. */
void plane_downlink_take(struct plane_downlink *downlink, const struct moehub_link_flit *flit);

/* The next packet of the class that the GPU is ready to consume in this cycle; NULL: none. Asked once a cycle. */
const struct made_packet *plane_downlink_offer(struct plane_downlink *downlink, unsigned packet_class);
/* It is consumed: its places are free. */
void plane_downlink_consume(struct plane_downlink *downlink, unsigned packet_class, uint64_t cycle);

/* Every packet was consumed. */
bool plane_downlink_idle(const struct plane_downlink *downlink);

#endif
