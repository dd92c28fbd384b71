/* SPDX-License-Identifier: Apache-2.0 */
/* What crosses a link in one cycle of one direction (rtl/doc/plane/link.md section 1). */
#ifndef MOEHUB_LINK_H
#define MOEHUB_LINK_H

#include "moehub/packet.h"

#define MOEHUB_CREDITS_MAX ((1u << MOEHUB_CREDITS_WIDTH) - 1)          /* of a class, in a sender's hand */
#define MOEHUB_GRANT_MAX ((1u << MOEHUB_CREDIT_FLITS_WIDTH) - 1)       /* places in one grant */

struct moehub_link_flit {
    bool valid;
    uint8_t packet_class;        /* 0..2; 3 is bad */
    bool first;
    bool last;
    struct moehub_flit data;
};

/* Backwards. */
struct moehub_link_grant {
    bool valid;
    uint8_t packet_class;        /* 0..2; 3 is ignored */
    uint8_t flits;
};

/* Flits of the longest packet of a class, 0..2. */
static inline unsigned moehub_link_longest(unsigned packet_class)
{
    return packet_class == MOEHUB_CLASS_STORE     ? MOEHUB_STORE_LONGEST
           : packet_class == MOEHUB_CLASS_REQUEST ? MOEHUB_REQUEST_LONGEST
                                                  : MOEHUB_RESPONSE_LONGEST;
}

#endif
