/* SPDX-License-Identifier: Apache-2.0 */
/* The sending end of a link, cycle by cycle (rtl/doc/plane/link.md section 2; RTL: moehub_link_sender). */
#ifndef MOEHUB_LINK_SENDER_H
#define MOEHUB_LINK_SENDER_H

#include "moehub/link.h"

/* What comes in a cycle. */
struct moehub_link_sender_cycle {
    bool link_up;
    bool start;                  /* the packet whose first flit was taken in the last cycle takes its credits, at most those */
    uint8_t start_class;         /* in hand */
    uint8_t start_flits;
    bool flit;                   /* a flit is taken */
    uint8_t flit_class;
    bool flit_last;
    struct moehub_flit flit_data;
    struct moehub_link_grant grant;
};

/* Registers: what a cycle brings shows in the next, its grant in the one after that. All zero after reset. */
struct moehub_link_sender {
    uint16_t credits[MOEHUB_CLASSES];
    bool credit_overflow;        /* the grant that came last into credits would have passed MOEHUB_CREDITS_MAX */
    struct moehub_link_flit wire; /* if not valid, the rest is 0 */
    /* private */
    struct moehub_link_grant arrived; /* that was on the wires in the last cycle */
    bool inside;                 /* a packet's first flit has been taken, its last one has not */
    bool dropping;               /* the link was down meanwhile */
    bool due;                    /* a packet's first flit was taken in the last cycle: it is started in this one */
};

void moehub_link_sender_reset(struct moehub_link_sender *sender);

/* One cycle. False, and nothing done, if a start is not allowed, or missing. */
bool moehub_link_sender_step(struct moehub_link_sender *sender, const struct moehub_link_sender_cycle *cycle);

#endif
