/* SPDX-License-Identifier: Apache-2.0 */
/* What the egress chooses among: five streams of well-formed packets as a hub would receive them, each source offering a packet
 * now and then, always or never. */
#ifndef BENCH_EGRESS_SOURCES_H
#define BENCH_EGRESS_SOURCES_H

#include "bench/common/packet_maker.h"
#include "kit/stream.h"
#include "moehub/egress.h"

enum { EGRESS_WAITING_MAX = 8, EGRESS_ALWAYS = 16 };

struct egress_source {
    struct source stream;
    struct made_packet waiting[EGRESS_WAITING_MAX]; /* a ring; the first is being offered, if any flit of it is */
    unsigned first, count;
    unsigned sent;               /* flits of the first */
    unsigned chance;             /* of 16: that the next packet is offered in a cycle */
};

struct egress_sources {
    struct bench *bench;
    struct packet_maker maker;
    struct random_source random;
    struct egress_source of[MOEHUB_EGRESS_SOURCES];
    bool requests_alone;         /* no other source begins to offer a packet in this cycle */
};

void egress_sources_create(struct egress_sources *sources, struct bench *bench);

/* Of the flits within a packet: real sources have none. */
void egress_sources_set_stalls(struct egress_sources *sources, enum stall_kind stall);

/* In a cycle: drive; bench_settle; sample, which says what was taken. */
void egress_sources_drive(struct egress_sources *sources);
void egress_sources_sample(struct egress_sources *sources, struct moehub_egress_flit taken[MOEHUB_EGRESS_SOURCES]);

#endif
