/* SPDX-License-Identifier: Apache-2.0 */
/* Random packets for a receiver (rtl/doc/packet.md): well-formed ones, near misses of every rule of section 5, and noise. */
#ifndef BENCH_PACKET_MAKER_H
#define BENCH_PACKET_MAKER_H

#include "bench/common/packet_draw.h"
#include "kit/bench.h"
#include "moehub/packet_check.h"

enum { MADE_FLITS_MAX = 28, MADE_TARGETS_MAX = 64 };

struct made_packet {
    unsigned packet_class; /* in which it is sent: 0..3 */
    unsigned count;        /* flits, at least one */
    struct moehub_flit flits[MADE_FLITS_MAX];
};

struct packet_maker {
    struct moehub_check_config config; /* `own` may change between packets */
    struct random_source random;
};

/* For this receiver; `name`: of the sub-stream of randomness. */
void packet_maker_create(struct packet_maker *maker, const struct bench *bench, const struct moehub_check_config *config,
                         const char *name);

/* A packet that the receiver accepts. */
void packet_maker_good(struct packet_maker *maker, struct made_packet *packet);
/* One in two well-formed; most others wrong in one or two places; a few noise. */
void packet_maker_any(struct packet_maker *maker, struct made_packet *packet);

/* The configuration of a design with the parameters TOWARDS_HUB, PORTS, LOCAL_EXPERT_BITS, MAX_TARGETS, REQUEST_LINES.
 * Further parameters of the design: `more`. Ends the program when one is unknown. */
struct parameter;
struct moehub_check_config check_config_read(const struct parameter *more, size_t more_count);

#endif
