/* SPDX-License-Identifier: Apache-2.0 */
/* One direction of a link between two designs that are stepped by different threads: what one end sends in a cycle comes to the
 * other `latency` cycles later: a flit, and a grant of credits for the flits of the other direction.
 *
 * The ends need not be in the same cycle: within `latency` cycles from a common one, neither sees what the other writes. */
#ifndef BENCH_SYSTEM_LINK_H
#define BENCH_SYSTEM_LINK_H

#include "bench/system/link_injector.h"

#include <stddef.h>

struct link_moment {
    struct moehub_link_flit flit;
    struct moehub_link_grant grant;
};

enum { SYSTEM_GPUS_MAX = 64, SYSTEM_LINK_TYPES = 16, SYSTEM_LINK_CONTEXTS = 8 };

/* What crossed one end of a direction. */
struct link_tally {
    uint64_t flits, packets;
    uint64_t payload;        /* flits of payload that the headers announce */
    uint64_t classes[MOEHUB_CLASSES], types[SYSTEM_LINK_TYPES]; /* packets of each */
    /* of stores of a context: packets; their targets; those of packets that announce their row */
    uint64_t stores[SYSTEM_LINK_CONTEXTS], pairs[SYSTEM_LINK_CONTEXTS], announced[SYSTEM_LINK_CONTEXTS];
    uint64_t nop_pairs;        /* targets of stores off the critical path, of all contexts */
    uint64_t last;             /* cycle of the last flit */
};

struct system_link {
    unsigned latency; /* 1 .. */
    struct link_moment *moments;
    bool cut;         /* link_up is low at both ends */
    uint64_t lost;    /* flits that were on the way as it fell, or were sent meanwhile */
    struct link_injector *injector; /* NULL: none */
    struct link_tally sent, came;   /* of the sender; with what was put between */
};

void system_link_create(struct system_link *link, unsigned latency);
void system_link_destroy(struct system_link *link);

void link_tally_count(struct link_tally *tally, uint64_t cycle, const struct moehub_link_flit *flit);

/* link_up falls, or rises, at both ends, in the cycle that comes next; what is on the way as it falls is lost. */
void system_link_cut(struct system_link *link, uint64_t cycle, bool cut);

/* Counts from 0 again. */
void system_link_forget(struct system_link *link);

static inline void system_link_send(struct system_link *link, uint64_t cycle, const struct link_moment *moment)
{
    struct link_moment *crossing = &link->moments[(cycle + link->latency) % (2 * link->latency)];
    *crossing = (struct link_moment){.flit = {.valid = false}};
    link->lost += link->cut && moment->flit.valid;
    if (link->cut)
        return;
    *crossing = *moment;
    if (moment->flit.valid)
        link_tally_count(&link->sent, cycle, &moment->flit);
    if (link->injector != NULL)
        crossing->flit = link_injector_step(link->injector, &moment->flit);
    if (crossing->flit.valid)
        link_tally_count(&link->came, cycle, &crossing->flit);
}

static inline const struct link_moment *system_link_come(const struct system_link *link, uint64_t cycle)
{
    return &link->moments[cycle % (2 * link->latency)];
}

/* Credits for this direction, which the other one has brought. */
static inline struct moehub_link_grant system_link_grant(struct system_link *link, const struct moehub_link_grant *grant)
{
    return link->injector != NULL ? link_injector_grant(link->injector, grant) : *grant;
}

#endif
