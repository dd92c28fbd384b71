/* SPDX-License-Identifier: Apache-2.0 */
/* One direction of a link between two designs that are stepped by different threads: what one end sends in a cycle comes to the
 * other `latency` cycles later: a flit, and a grant of credits for the flits of the other direction.
 *
 * The ends need not be in the same cycle: within `latency` cycles from a common one, neither sees what the other writes. */
#ifndef BENCH_SYSTEM_LINK_H
#define BENCH_SYSTEM_LINK_H

#include "moehub/link.h"

struct link_moment {
    struct moehub_link_flit flit;
    struct moehub_link_grant grant;
};

struct system_link {
    unsigned latency; /* 1 .. */
    struct link_moment *moments;
    uint64_t flits, packets; /* that were sent */
};

void system_link_create(struct system_link *link, unsigned latency);
void system_link_destroy(struct system_link *link);

static inline void system_link_send(struct system_link *link, uint64_t cycle, const struct link_moment *moment)
{
    link->moments[(cycle + link->latency) % (2 * link->latency)] = *moment;
    link->flits += moment->flit.valid;
    link->packets += moment->flit.valid && moment->flit.first;
}

static inline const struct link_moment *system_link_come(const struct system_link *link, uint64_t cycle)
{
    return &link->moments[cycle % (2 * link->latency)];
}

#endif
