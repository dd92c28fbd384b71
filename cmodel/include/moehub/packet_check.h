/* SPDX-License-Identifier: Apache-2.0 */
/* What a receiver checks of a packet, and what it finds out on the way (rtl/doc/packet.md section 5; RTL:
 * moehub_packet_check). */
#ifndef MOEHUB_PACKET_CHECK_H
#define MOEHUB_PACKET_CHECK_H

#include "moehub/header_check.h"

#include <stddef.h>

struct moehub_packet_verdict {
    uint8_t cause;               /* MOEHUB_PACKET_CAUSE_*, the first that applies; MOEHUB_PACKET_CAUSES: accepted */
    bool answered;               /* a request that a switch refuses, but answers with error results */
    uint8_t copies;              /* accepted stores and requests: how many GPUs the ids name; else 0 */
    uint64_t ports;              /* at a switch: the set of these GPUs */
    uint16_t destination;        /* accepted responses: the GPU that it is for; else 0 */
};

/* The verdict on a packet of which these `count` flits came, in class `packet_class`, the header first. `broken`: a flit of it
 * broke a rule of the link, or was dropped, or its header found no place (count 0 says that as well). More than 64 ports
 * have no place in `ports`: bits are of the GPU's number modulo 64. */
struct moehub_packet_verdict moehub_packet_check(const struct moehub_check_config *config, unsigned packet_class,
                                                 const struct moehub_flit *flits, size_t count, bool broken);

#endif
