/* SPDX-License-Identifier: Apache-2.0 */
/* The receiving end of a link (rtl/doc/plane/link.md sections 2 and 3; RTL: moehub_link_receiver): what becomes of each flit,
 * which packets end with what verdict, and which places are granted. */
#ifndef MOEHUB_LINK_RECEIVER_H
#define MOEHUB_LINK_RECEIVER_H

#include "moehub/link.h"
#include "moehub/packet_check.h"

/* A packet that has ended. */
struct moehub_link_end {
    bool valid;
    uint8_t packet_class;
    uint8_t flits;                       /* places that it has */
    bool kept;                           /* accepted, or refused and answered: it stays in its places */
    struct moehub_packet_verdict verdict;
    struct moehub_flit header;           /* 0 if it took no place */
};

/* What became of a flit. */
struct moehub_link_taken {
    uint8_t cause;                       /* MOEHUB_LINK_CAUSE_BAD_CLASS, _OUTSIDE, _PLACE; MOEHUB_LINK_CAUSES: none */
    bool unended;                        /* it has cut the open packet short: cause UNENDED */
    bool stored;                         /* it takes a place of its class */
    bool first;                          /* with `stored`: the first of its packet that takes one */
    uint8_t target_flits;                /* with `first`: how many follow, if it is a well-formed header; else 0 */
    struct moehub_link_end cut;          /* the packet that it has cut short */
    struct moehub_link_end end;          /* the packet that ends with it */
};

struct moehub_link_receiver {
    struct moehub_check_config config;
    /* private: the open packet */
    bool open;
    bool broken;                         /* a flit of it broke a rule, or was dropped */
    bool has_header;                     /* its first flit took a place */
    uint8_t packet_class;
    uint8_t count;                       /* places that it has */
    struct moehub_flit flits[MOEHUB_RESPONSE_LONGEST];
};

/* No packet is open. */
void moehub_link_receiver_reset(struct moehub_link_receiver *receiver, const struct moehub_check_config *config);

/* A valid flit; `space`: the set of classes that have a free place, bit by class. */
struct moehub_link_taken moehub_link_receiver_flit(struct moehub_link_receiver *receiver, const struct moehub_link_flit *flit,
                                                   unsigned space);

/* link_up is low: ends the open packet, if there is one. */
struct moehub_link_end moehub_link_receiver_down(struct moehub_link_receiver *receiver);

/* ---- places owed to the sender, cycle by cycle ---- */

struct moehub_link_owed {
    uint32_t places[MOEHUB_CLASSES];
    bool running[MOEHUB_CLASSES];
    uint8_t turn;                        /* the class that is looked at first */
};

/* The state of the three stores in a cycle. */
struct moehub_link_stores {
    bool initialised[MOEHUB_CLASSES];
    uint32_t free_places[MOEHUB_CLASSES];
    uint32_t freed[MOEHUB_CLASSES];      /* in the first cycle in which free_places has them */
};

void moehub_link_owed_reset(struct moehub_link_owed *owed);

/* One cycle; returns the grant that the wires carry in the next. */
struct moehub_link_grant moehub_link_owed_step(struct moehub_link_owed *owed, bool link_up,
                                               const struct moehub_link_stores *stores);

#endif
