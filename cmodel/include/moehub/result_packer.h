/* SPDX-License-Identifier: Apache-2.0 */
/* The packets that a switch port makes of results (rtl/doc/plane/switch.md section 2; RTL: moehub_result_packer,
 * moehub_result_header). */
#ifndef MOEHUB_RESULT_PACKER_H
#define MOEHUB_RESULT_PACKER_H

#include "moehub/packet.h"
#include "moehub/reduction_buffer.h"

/* What a port hands to its reduction buffer as a group's tag, and gets back with each result. */
static inline uint64_t moehub_result_tag(unsigned round, unsigned context, uint32_t tag)
{
    return (uint64_t)round << (MOEHUB_HEADER_TAG_WIDTH + MOEHUB_HEADER_CONTEXT_WIDTH) |
           (uint64_t)context << MOEHUB_HEADER_TAG_WIDTH | (tag & MOEHUB_TAG_MASK);
}

/* The packet of port `own` for a result of its reduction buffer, whose groups have `request_lines` lines and whose flits have
 * 16 bytes. Returns how many flits: 1 for an error. */
unsigned moehub_result_pack(unsigned own, unsigned request_lines, const struct moehub_reduction_result *result,
                            struct moehub_flit flits[MOEHUB_RESPONSE_LONGEST]);

#endif
