/* SPDX-License-Identifier: Apache-2.0 */
/* One direction of a link between two designs that are stepped by different threads: what one end sends in a cycle comes to the
 * other `latency` cycles later: a flit, and a grant of credits for the flits of the other direction.
 *
 * The ends need not be in the same cycle: within `latency` cycles from a common one, neither sees what the other writes. */
#ifndef BENCH_SYSTEM_LINK_H
#define BENCH_SYSTEM_LINK_H

#include "moehub/link.h"
#include "moehub/packet.h"

struct link_moment {
    struct moehub_link_flit flit;
    struct moehub_link_grant grant;
};

struct system_link {
    unsigned latency; /* 1 .. */
    struct link_moment *moments;
    uint64_t flits, packets; /* that were sent */
    uint64_t payload;        /* flits of payload that the headers sent announce */
};

void system_link_create(struct system_link *link, unsigned latency);
void system_link_destroy(struct system_link *link);

/* Of the packet that begins with this flit. */
static inline unsigned system_link_payload(const struct moehub_link_flit *first)
{
    const struct moehub_header header = moehub_header_unpack(first->data);
    return moehub_payload_flits(moehub_header_payload(&header));
}

/* Counts from 0 again. */
static inline void system_link_forget(struct system_link *link)
{
    link->flits = link->packets = link->payload = 0;
}

static inline void system_link_send(struct system_link *link, uint64_t cycle, const struct link_moment *moment)
{
    link->moments[(cycle + link->latency) % (2 * link->latency)] = *moment;
    link->flits += moment->flit.valid;
    if (!moment->flit.valid || !moment->flit.first)
        return;
    link->packets++;
    link->payload += system_link_payload(&moment->flit);
}

static inline const struct link_moment *system_link_come(const struct system_link *link, uint64_t cycle)
{
    return &link->moments[cycle % (2 * link->latency)];
}

#endif
