/* SPDX-License-Identifier: Apache-2.0 */
/* What leaves a switch port next, cycle by cycle (rtl/doc/plane/switch.md section 3; RTL: moehub_egress).
 *
 * Given what is offered, the credits and whether link and port are down, the choice is determined: nothing is left to the
 * hardware. The caller offers flits where `ready` says so, steps, and finds the flit of this cycle in `packet`, and in the
 * registers what shows in the next one. */
#ifndef MOEHUB_EGRESS_H
#define MOEHUB_EGRESS_H

#include "moehub/link.h"

enum moehub_egress_source {
    MOEHUB_EGRESS_REQUEST,       /* copies */
    MOEHUB_EGRESS_STORE,         /* copies */
    MOEHUB_EGRESS_RESULT,        /* of the reduction buffer */
    MOEHUB_EGRESS_ERROR,         /* of the request unit: packets of one flit */
    MOEHUB_EGRESS_NOTICE,        /* closes and notifies: packets of one flit */
    MOEHUB_EGRESS_SOURCES
};

/* The last three are one class: they take turns. */
static inline unsigned moehub_egress_class(unsigned source)
{
    return source == MOEHUB_EGRESS_REQUEST ? MOEHUB_CLASS_REQUEST
           : source == MOEHUB_EGRESS_STORE ? MOEHUB_CLASS_STORE
                                           : MOEHUB_CLASS_RESPONSE;
}

struct moehub_egress_flit {
    bool valid;
    bool last;
    uint8_t flits;               /* of its packet: read with the packet's first flit */
    struct moehub_flit data;
};

/* What comes in a cycle. */
struct moehub_egress_cycle {
    bool link_up;
    bool down;                   /* the port */
    uint16_t credits[MOEHUB_CLASSES];                         /* as the link sender shows them in this cycle */
    struct moehub_egress_flit offered[MOEHUB_EGRESS_SOURCES]; /* taken where `ready` is */
};

struct moehub_egress {
    uint32_t bound;              /* 2..64; 0: classes take turns (RTL: ROUND_ROBIN) */
    /* registers: what a cycle brings shows in the next; all zero after reset */
    bool ready[MOEHUB_EGRESS_SOURCES];
    bool start;                  /* to the link sender, a cycle after a packet's first flit */
    uint8_t start_class;
    uint8_t start_flits;
    uint8_t packets;             /* a bit a class: a packet was sent, its last flit was `packet` two cycles ago */
    bool discarded;              /* a packet was not: chosen while the port was down, or cut short by the link */
    uint8_t blocked;             /* a bit a class: a candidate waited for its credits */
    bool idle;                   /* nothing was sent, and there was nothing to send */
    /* what the last cycle decided */
    struct moehub_link_flit packet; /* to the link sender in that cycle; if not valid, the rest is 0 */
    uint8_t candidates;          /* a bit a source: a packet's first flit is there */
    uint8_t eligible;            /* a bit a class */
    uint8_t chosen;              /* the source; MOEHUB_EGRESS_SOURCES: none */
    /* private */
    struct moehub_egress_flit held[MOEHUB_EGRESS_SOURCES];
    bool sending;                /* a packet of `source`: its first flit was taken, its last was not */
    uint8_t source;
    bool discarding;             /* that packet */
    bool cut;                    /* the packet in `packet` */
    uint8_t sent_last;           /* `packets`, of the last cycle */
    bool discarded_last;         /* `discarded`, of the last cycle */
    bool has_turn;               /* a response source, until it is chosen */
    uint8_t turn;
    uint8_t next_turn;           /* who is asked first for the next */
    uint8_t overtaken[MOEHUB_CLASSES];
    uint8_t next_class;          /* of the classes in their turn, who is asked first */
};

void moehub_egress_reset(struct moehub_egress *egress, uint32_t bound);

/* One cycle. */
void moehub_egress_step(struct moehub_egress *egress, const struct moehub_egress_cycle *cycle);

#endif
