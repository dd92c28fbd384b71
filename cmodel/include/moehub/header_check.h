/* SPDX-License-Identifier: Apache-2.0 */
/* What a receiver checks of a header flit (rtl/doc/packet.md section 5; RTL: moehub_header_check). */
#ifndef MOEHUB_HEADER_CHECK_H
#define MOEHUB_HEADER_CHECK_H

#include "moehub/packet.h"

/* Who receives, and what it takes. */
struct moehub_check_config {
    bool hub;                    /* a hub receives from a switch; false: a switch port from a hub */
    uint16_t own;                /* the switch port's number, or the hub's GPU: below `ports` */
    uint16_t ports;              /* of the switch, or GPUs that the hub knows: 1..1024 */
    uint8_t local_expert_bits;   /* 0..8 */
    uint8_t max_targets;         /* 1..32 */
    uint8_t request_lines;       /* 1, 2, 4 or 8 */
    bool loop_back;              /* of a hub: from itself (rtl/doc/hub/ingress.md section 1) */
};

struct moehub_header_verdict {
    uint8_t cause;               /* MOEHUB_PACKET_CAUSE_*, the first that applies; MOEHUB_PACKET_CAUSES: none */
    uint8_t flits;               /* of the whole packet, if there is no cause */
    uint8_t target_flits;        /* among them, if there is no cause */
    uint8_t packet_class;        /* of the type, if the cause is not TYPE */
    uint16_t destination;        /* of a response without a cause: the GPU that it is for, else 0 */
};

/* The verdict on a header flit alone that came in class `packet_class`: causes TYPE to COUNT, and TARGET of a response and of
 * FORMAT 1. Any flit may be given. */
struct moehub_header_verdict moehub_header_check(const struct moehub_check_config *config, struct moehub_flit flit,
                                                 unsigned packet_class);

#define MOEHUB_LINE_UNITS (MOEHUB_LINE_BYTES / MOEHUB_FLIT_BYTES) /* a header's LENGTH has units of a flit */

/* Lines that an ld_reduce of `length` units of 16 bytes asks for, as they are answered when it is refused: 1..request_lines. */
static inline unsigned moehub_request_lines(unsigned length, unsigned request_lines)
{
    const unsigned lines = (length + MOEHUB_LINE_UNITS - 1) / MOEHUB_LINE_UNITS;
    return lines == 0 ? 1 : lines > request_lines ? request_lines : lines;
}

/* Bytes of its line `line`, 0..lines - 1: all but the last are whole, and the last has what is left. */
static inline unsigned moehub_request_line_bytes(unsigned length, unsigned lines, unsigned line)
{
    const unsigned units = line + 1 < lines ? MOEHUB_LINE_UNITS : length - MOEHUB_LINE_UNITS * line;
    return units * MOEHUB_FLIT_BYTES;
}

#endif
