/* SPDX-License-Identifier: Apache-2.0 */
/* The wires between the ends of a link: both directions delayed by 0 .. 1000 cycles, and the promise of link_up
 * (rtl/doc/plane/link.md section 1): what is on the way when the link falls is lost. */
#ifndef BENCH_LINK_WIRES_H
#define BENCH_LINK_WIRES_H

#include "kit/random.h"
#include "moehub/link.h"

enum { LINK_LATENCY_MAX = 1000 };

/* One end: down in the cycles falls .. rises - 1. */
struct link_end {
    uint64_t falls, rises;
    unsigned rose;              /* how often: what was sent after another rise is not taken */
    bool up;
};

struct link_wires {
    unsigned latency;
    uint64_t cycle;
    struct link_end sender, receiver;
    struct {
        struct moehub_link_flit flit;
        struct moehub_link_grant grant;
        unsigned flit_rose, grant_rose;
    } line[LINK_LATENCY_MAX + 1];
    uint64_t falls;
};

/* Nothing is on the way, both ends are down and rise after `cycles`. */
void link_wires_restart(struct link_wires *wires, unsigned latency, unsigned cycles);

/* The link falls now, at one end a little earlier than at the other, and rises again. */
void link_wires_fall(struct link_wires *wires, struct random_source *random);

/* A link that has just fallen rises so many cycles later than it would. */
void link_wires_stay_down(struct link_wires *wires, unsigned cycles);

/* The next cycle: what the ends send goes in (of an end that is down: nothing); what arrives comes out. An end that is down
 * is shown what arrives, for it must not take it. */
void link_wires_step(struct link_wires *wires, struct moehub_link_flit *flit, struct moehub_link_grant *grant);

/* Both ends are up. */
static inline bool link_wires_up(const struct link_wires *wires)
{
    return wires->sender.up && wires->receiver.up;
}

#endif
