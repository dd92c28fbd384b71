/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/packet_copy.h"

static bool can_be_compact(const struct moehub_header *header, unsigned count)
{
    return count <= MOEHUB_COMPACT_TARGETS && header->offset % MOEHUB_LINE_BYTES == 0 &&
           header->offset / MOEHUB_LINE_BYTES < 1u << MOEHUB_COMPACT_LINE_WIDTH &&
           header->row_index >> MOEHUB_COMPACT_ROW_INDEX_WIDTH == 0;
}

static void put_local_targets(struct moehub_header *copy, const uint16_t *targets, unsigned local_expert_bits)
{
    for (unsigned i = 0; i < copy->target_count; i++)
        copy->local_targets[i] = (uint8_t)(targets[i] & ((1u << local_expert_bits) - 1));
}

static unsigned gpu_of(uint16_t target, unsigned local_expert_bits)
{
    return (unsigned)target >> local_expert_bits;
}

unsigned moehub_packet_copy(const struct moehub_header *header, const uint16_t *targets, unsigned gpu,
                            unsigned local_expert_bits, struct moehub_flit flits[MOEHUB_COPY_HEAD_MAX])
{
    unsigned from = 0;
    while (from < header->target_count && gpu_of(targets[from], local_expert_bits) < gpu)
        from++;
    unsigned to = from;
    while (to < header->target_count && gpu_of(targets[to], local_expert_bits) == gpu)
        to++;
    const unsigned count = to - from;
    if (count == 0)
        return 0;
    struct moehub_header copy = *header;
    copy.target_count = (uint8_t)count;
    copy.format = can_be_compact(header, count) ? MOEHUB_FORMAT_COMPACT : MOEHUB_FORMAT_FULL;
    if (copy.format == MOEHUB_FORMAT_COMPACT)
        put_local_targets(&copy, targets + from, local_expert_bits);
    flits[0] = moehub_header_pack(&copy);
    const unsigned target_flits = moehub_header_target_flits(&copy);
    for (unsigned i = 0; i < target_flits; i++)
        flits[1 + i] = moehub_targets_pack(targets + from, count, i);
    return 1 + target_flits;
}
