/* SPDX-License-Identifier: Apache-2.0 */
/* Puts bad packets between those of a link's direction, as a bad sender or a spoiled wire would, and keeps the link's rules: it
 * has credits of its own, which it takes from the first that are on their way to the sender, and gets back as its packets
 * leave their places. So the receiver has a few places less for the sender: its longest packets must leave room for them.
 * Places that it has not, it borrows for one packet from those that pass, and gives them up when they are not enough in time.
 * Packets of the sender keep their order, and wait while a bad one is sent.
 *
 * Every bad packet is one that the receiver must count by causes that are known when it is sent (link_packet.h), and by which
 * nothing else changes. */
#ifndef BENCH_LINK_INJECTOR_H
#define BENCH_LINK_INJECTOR_H

#include "bench/system/link_packet.h"

enum { LINK_INJECTOR_HELD = 32, LINK_INJECTOR_LATE = 8, LINK_INJECTOR_CAUSES = 22 };

struct link_injector {
    struct random_source random;
    unsigned one_in;          /* cycles from one bad packet to the next, on average */
    bool of_no_round;         /* none that a context would refuse for its round: of several that are on it is not known */
    struct link_ends ends;
    bool active, arrived;     /* bad packets may go; the hub has told that all has arrived, so rows of others may come, too */
    bool open;                /* a packet of the sender is under way */
    struct moehub_link_flit held[LINK_INJECTOR_HELD]; /* flits of the sender that wait: a ring */
    unsigned held_first, held_count;
    unsigned credits[MOEHUB_CLASSES];
    bool wanted;              /* `next` waits for credits, or is sent */
    unsigned waited;          /* cycles, for credits */
    unsigned sent;            /* its flits that were sent */
    struct link_packet next;
    struct link_packet passing, late[LINK_INJECTOR_LATE]; /* of the sender: what passes, what did in this round */
    unsigned late_context[LINK_INJECTOR_LATE], late_round[LINK_INJECTOR_LATE], late_count;
    uint64_t causes[LINK_INJECTOR_CAUSES]; /* sent, by the cause that must count them */
    uint64_t lates; /* those of older rounds among them */
    uint64_t lines_answered; /* by the switch, of requests among them */
};

/* What the layer says of `ends` is set as a round begins. */
void link_injector_create(struct link_injector *injector, uint64_t seed, const char *name, unsigned one_in,
                          const struct link_ends *ends);

/* A round begins: what is late from now on is that of the rounds before in the same context. Counts begin at 0. */
void link_injector_begin(struct link_injector *injector, unsigned context, unsigned round, unsigned owner_shift);

/* A cycle: the sender's flit in, what crosses the link out. */
struct moehub_link_flit link_injector_step(struct link_injector *injector, const struct moehub_link_flit *flit);
/* Credits for this direction, on their way to the sender. */
struct moehub_link_grant link_injector_grant(struct link_injector *injector, const struct moehub_link_grant *grant);

static inline bool link_injector_idle(const struct link_injector *injector)
{
    return injector->held_count == 0 && injector->sent == 0;
}

#endif
