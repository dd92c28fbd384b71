/* SPDX-License-Identifier: Apache-2.0 */
/* Packets for a link of which each cause that a receiver counts is known (rtl/doc/packet.md section 5, link.md section 3; towards
 * a hub also rtl/doc/hub/ingress.md section 3). A spoiled one is a good packet with one thing that is wrong with it. */
#ifndef BENCH_LINK_PACKET_H
#define BENCH_LINK_PACKET_H

#include "kit/random.h"
#include "moehub/link.h"

enum { LINK_PACKET_FLITS = 5, LINK_PACKET_CAUSES = 3 };

/* One, or two of which the first is cut short by the second. */
struct link_packet {
    struct moehub_link_flit flits[LINK_PACKET_FLITS];
    unsigned count;
    unsigned causes[LINK_PACKET_CAUSES], cause_count;
    unsigned lines_answered; /* results of status MALFORMED that a switch gives the link's GPU for it */
    bool late;               /* one of an older round */
};

/* The link's GPU and direction; the system's; the layer that runs. */
struct link_ends {
    bool towards_hub;
    unsigned gpu, gpus, local_expert_bits, request_lines;
    unsigned context, round, owner_shift;
};

enum link_packet_kind { LINK_PACKET_CLOSE, LINK_PACKET_STORE, LINK_PACKET_REQUEST, LINK_PACKET_RESPONSE, LINK_PACKET_KINDS };

/* A packet of that kind for which the receiver counts the cause: TYPE .. FRAME; BAD_CLASS, OUTSIDE; UNENDED with another one. */
void link_packet_spoiled(struct link_packet *packet, const struct link_ends *ends, enum link_packet_kind kind, unsigned cause,
                         struct random_source *random);

/* Well-formed ones for a hub. A close of another GPU; a store of it, of 16 bytes and the announcement of its row, to local expert
 * 0. The cause is the caller's to say. */
void link_packet_close(struct link_packet *packet, const struct link_ends *ends, unsigned context, unsigned round);
void link_packet_store(struct link_packet *packet, const struct link_ends *ends, unsigned context, unsigned round,
                       uint32_t row_index);

/* Flits of it that take places of its class. */
unsigned link_packet_places(const struct link_packet *packet);

static inline unsigned link_packet_other(const struct link_ends *ends)
{
    return (ends->gpu + 1) % ends->gpus;
}

#endif
