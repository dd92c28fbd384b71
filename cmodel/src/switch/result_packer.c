/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/result_packer.h"

unsigned moehub_result_pack(unsigned own, unsigned request_lines, const struct moehub_reduction_result *result,
                            struct moehub_flit flits[MOEHUB_RESPONSE_LONGEST])
{
    const uint64_t names = result->tag >> MOEHUB_HEADER_TAG_WIDTH;
    const struct moehub_header header = {
        .type = MOEHUB_PACKET_RESULT,
        .stage = MOEHUB_STAGE_COMBINE,
        .source = (uint16_t)own,
        .offset = (uint16_t)own,
        .tag = (uint32_t)(result->tag + result->entry % request_lines) & MOEHUB_TAG_MASK,
        .context = (uint8_t)(names & ((1u << MOEHUB_HEADER_CONTEXT_WIDTH) - 1)),
        .round = (uint8_t)(names >> MOEHUB_HEADER_CONTEXT_WIDTH),
        .element = result->element,
        .status = result->status,
        .length = result->length,
    };
    const unsigned count = moehub_packet_flits(&header);
    flits[0] = moehub_header_pack(&header);
    for (unsigned i = 1; i < count; i++)
        flits[i] = moehub_flit_from_bytes(result->data + (size_t)MOEHUB_FLIT_BYTES * (i - 1));
    return count;
}
