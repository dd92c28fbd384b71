/* SPDX-License-Identifier: Apache-2.0 */
/* Packets as a switch accepts them, random within rtl/doc/plane/packet.md section 3: stores, requests, responses. */
#ifndef BENCH_CROSSBAR_PACKETS_H
#define BENCH_CROSSBAR_PACKETS_H

#include "bench/common/packet_draw.h"
#include "moehub/crossbar.h"

/* What is sent. */
struct crossbar_kind {
    uint32_t class;             /* MOEHUB_CLASS_* */
    uint32_t ports;
    uint32_t local_expert_bits;
    uint32_t max_targets;
};

/* Which GPUs the ids name. */
enum crossbar_spread {
    SPREAD_ANY,    /* any of the others, each id for itself */
    SPREAD_TWO,    /* two of them */
    SPREAD_ONE,    /* one of them */
    SPREAD_ALL,    /* all in turn: a copy for everyone, as far as the ids reach */
    SPREAD_HOT,    /* one output, the same for all packets, has most of them */
    SPREADS
};

/* What the packets are like for some time. */
struct crossbar_mood {
    enum crossbar_spread spread;
    enum packet_length length;
    uint32_t hot;          /* of SPREAD_HOT */
    uint32_t least, most;  /* ids of a packet, drawn between them */
    uint32_t burst;        /* packets of one target list, one after the other: the lines of a row */
    uint32_t rejected;     /* of 1024: packets that the receiver finds bad */
};

struct crossbar_packet {
    struct moehub_crossbar_copy packet;
    bool good;             /* false: the receiver rejects it at its end */
};

/* The ids of a packet. */
struct crossbar_targets {
    uint16_t ids[MOEHUB_TARGETS_MAX];
    unsigned count;
};

/* A mood that this kind of packet can have. */
struct crossbar_mood crossbar_mood_draw(const struct crossbar_kind *kind, struct random_source *random);

/* A target list of GPU `source`, strictly ascending. A response has one target: the GPU that it is for. */
void crossbar_draw_targets(const struct crossbar_kind *kind, const struct crossbar_mood *mood, unsigned source,
                           struct random_source *random, struct crossbar_targets *targets);

/* A packet of GPU `source` to these targets: all other fields and the payload are random, as the mood says. */
void crossbar_draw_packet(const struct crossbar_kind *kind, const struct crossbar_mood *mood, unsigned source,
                          const struct crossbar_targets *targets, struct random_source *random,
                          struct crossbar_packet *packet);

/* The same with a header that the caller made; flits, target flits and payload follow from it. */
void crossbar_build_packet(const struct moehub_header *header, const struct crossbar_targets *targets,
                           struct random_source *random, struct crossbar_packet *packet);

/* A multimem store of a whole line, number `line` of its row: what a dispatch is made of. */
struct moehub_header crossbar_line_header(unsigned source, uint32_t row, unsigned line, unsigned targets);

/* An ld_reduce that sums part of a row: `units` of 16 bytes from line `line` on. */
struct moehub_header crossbar_sum_header(unsigned source, uint32_t row, unsigned line, unsigned units, uint32_t tag,
                                         unsigned targets);

/* Flits before the body: header and target flits. */
unsigned crossbar_packet_body(const struct crossbar_packet *packet);

#endif
