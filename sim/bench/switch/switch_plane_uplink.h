/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU's sending end of its link: a queue of packets a class, each packet started with credits for the places that it will
 * take. It keeps the account by the link's rules itself (rtl/doc/plane/link.md section 3), so that it stays honest with
 * packets that are malformed or sent against the rules. */
#ifndef BENCH_SWITCH_PLANE_UPLINK_H
#define BENCH_SWITCH_PLANE_UPLINK_H

#include "bench/switch/switch_plane_queue.h"
#include "kit/stall.h"
#include "moehub/link_receiver.h"

/* How a sender breaks the rules of a link: so many packets of 256, partials excepted. */
struct plane_rudeness {
    unsigned other_class;  /* a flit comes in another class, or in none */
    unsigned no_first;     /* its first flit is not marked */
    unsigned no_last;      /* its last flit is not */
};

struct plane_uplink {
    struct plane_queue queues[MOEHUB_CLASSES];
    uint32_t credits[MOEHUB_CLASSES];
    uint32_t places[MOEHUB_CLASSES];      /* of the port */
    unsigned overdraws;                   /* so many packets are started without credits */
    struct plane_rudeness rude;
    struct stall stall;
    struct random_source random;
    struct moehub_link_receiver shadow;   /* what the receiver will say to what was sent */
    unsigned turn;                        /* the class that is looked at first */
    bool sending;
    struct made_packet packet;
    unsigned sent;                        /* its flits */
    bool hides_first, hides_last;
    int strays;                           /* the flit that comes in another class; negative: none */
    uint64_t moved;                       /* cycle of the last flit */
};

void plane_uplink_create(struct plane_uplink *uplink, const struct bench *bench, const struct moehub_check_config *config,
                         const uint32_t places[MOEHUB_CLASSES], unsigned port);
void plane_uplink_destroy(struct plane_uplink *uplink);

/* Queues are empty, and there are no credits. */
void plane_uplink_reset(struct plane_uplink *uplink);

/* The flit of this cycle. */
struct moehub_link_flit plane_uplink_send(struct plane_uplink *uplink, uint64_t cycle);

/* Credits have come; the link is down. */
void plane_uplink_grant(struct plane_uplink *uplink, const struct moehub_link_grant *grant);
void plane_uplink_down(struct plane_uplink *uplink);

/* A packet is being sent, or has the credits that it needs. */
bool plane_uplink_can_send(const struct plane_uplink *uplink);

/* Nothing waits. */
bool plane_uplink_idle(const struct plane_uplink *uplink);

#endif
