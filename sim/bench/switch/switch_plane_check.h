/* SPDX-License-Identifier: Apache-2.0 */
/* The model beside the switch's pins: it is told what comes in, and what leaves is compared with it, flit by flit. Rules of the
 * leaving links are checked here too: framing, class, credits in hand for the whole packet at its start. */
#ifndef BENCH_SWITCH_PLANE_CHECK_H
#define BENCH_SWITCH_PLANE_CHECK_H

#include "bench/common/packet_log.h"
#include "bench/switch/switch_plane_marks.h"
#include "kit/scoreboard.h"
#include "moehub/switch_plane.h"

enum { GRANT_DELAY = 2 }; /* cycles from a grant on the wires to the first flit that it can have paid for, less one */

/* The leaving link of a port. */
struct plane_leaving {
    bool up;                               /* the link was, in the cycle before */
    bool closed;                           /* the port is down: no packet may start */
    struct moehub_crossbar_copy packet;    /* that is leaving; count 0: none */
    unsigned packet_class;
    uint32_t hand[MOEHUB_CLASSES];         /* credits that the switch may have spent by now */
    uint32_t hand_at_start;
    struct moehub_link_grant coming[GRANT_DELAY];
};

struct plane_check {
    struct bench *bench;
    struct moehub_switch_plane model;
    struct scoreboard flits;
    struct plane_leaving *leaving;
    struct plane_marks *marks;             /* of each port */
    struct packet_log *log;
    uint64_t waiting_since;                /* cycle since which nothing has left or come in */
    uint64_t arrived, left;                /* cycle of the last flit that came in, that left */
    uint64_t first;                        /* cycle of the last first flit that left, and its class */
    unsigned first_class;
    uint64_t begun;                        /* packets that came, also those that are cut short */
    uint64_t kinds[16];                    /* packets that left, by type */
    uint64_t statuses[16];                 /* results that left, by status */
};

/* Ends the program when the model refuses the configuration. */
void plane_check_create(struct plane_check *check, struct bench *bench, const struct moehub_switch_plane_config *config,
                        struct packet_log *log);
void plane_check_destroy(struct plane_check *check);

/* After a reset. */
void plane_check_reset(struct plane_check *check);

/* What the pins of a port carry in this cycle: a flit that arrives, a grant to its sender, a flit that leaves, a grant for it. */
void plane_check_cycle(struct plane_check *check, unsigned port, bool link_up, const struct moehub_link_flit *in,
                       const struct moehub_link_grant *in_grant, const struct moehub_link_flit *out,
                       const struct moehub_link_grant *out_grant);

/* Nothing has to leave any more but what may have been lost. */
bool plane_check_idle(const struct plane_check *check);

/* Ends the run unless every place of every port is free, and granted to its sender. */
void plane_check_places(struct plane_check *check);

#endif
