/* SPDX-License-Identifier: Apache-2.0 */
/* What an output of a switch's response crossbar does with its copies, cycle by cycle (rtl/doc/plane/switch.md section 2; RTL:
 * moehub_response_output): partials go on to the reduction buffer, closes and notifies wait for the link. */
#ifndef MOEHUB_RESPONSE_OUTPUT_H
#define MOEHUB_RESPONSE_OUTPUT_H

#include "moehub/packet.h"

#define MOEHUB_NOTICES_MAX 64

/* What comes in a cycle. */
struct moehub_response_output_cycle {
    bool initialised;            /* the reduction buffer */
    bool granted;                /* a copy will come: only with `room` */
    bool row;                    /* of the oldest copy that was granted in an earlier cycle and has not come whole */
    bool row_first;
    bool row_last;
    struct moehub_flit row_data;
    bool notice_taken;           /* only while `notice` is valid */
};

/* A flit of a partial, with its header's fields. */
struct moehub_partial_flit {
    bool valid;
    bool last;
    uint8_t generation;
    uint8_t status;
    uint8_t element;
    uint16_t entry;
    uint16_t port;               /* SOURCE */
    uint16_t length;
    struct moehub_flit data;
};

struct moehub_response_output {
    uint32_t notices;            /* 4..64 */
    /* registers: what a cycle brings shows in the next; all zero after reset */
    bool room;                   /* for one more copy */
    struct moehub_partial_flit partial; /* if not valid, the rest means nothing */
    bool notice;                 /* shows two cycles after its row, if none is before it */
    struct moehub_flit notice_data;
    uint32_t reserved;           /* places: for copies that are to come, and of notices that wait */
    uint32_t waiting;            /* notices that came in an earlier cycle and have not been taken */
    /* private */
    uint32_t coming;             /* copies granted of which row 0 has not come */
    bool inside;                 /* a partial: its row 0 has come, its last row has not */
    bool entering;               /* a notice that came in the last cycle */
    struct moehub_flit entering_data;
    struct moehub_flit queue[MOEHUB_NOTICES_MAX];
    uint32_t first;
};

void moehub_response_output_reset(struct moehub_response_output *output, uint32_t notices);

/* One cycle. False, and nothing done, if what comes may not be: a grant without room, a row of no copy, or that is first
 * where it should not be, a notice of several rows or that is taken where there is none. */
bool moehub_response_output_step(struct moehub_response_output *output, const struct moehub_response_output_cycle *cycle);

#endif
