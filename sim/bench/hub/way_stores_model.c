/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/way_stores_model.h"

#include <string.h>

unsigned way_store_check(const struct way_config *config, const struct way_context contexts[], const struct way_store *store)
{
    const struct moehub_header *header = &store->header;
    const struct way_context *context = &contexts[header->context];
    if (header->context >= config->contexts || !context->enabled)
        return MOEHUB_HUB_WAY_CAUSE_CONTEXT;
    if ((context->peers >> header->source & 1) == 0)
        return MOEHUB_HUB_WAY_CAUSE_PEER;
    if (header->round != context->round)
        return MOEHUB_HUB_WAY_CAUSE_ROUND;
    if (header->row_index >> context->owner_shift != header->source)
        return MOEHUB_HUB_WAY_CAUSE_OWNER;
    return context->arrived ? MOEHUB_HUB_WAY_CAUSE_ARRIVED : 0;
}

bool way_cause_counts(unsigned cause)
{
    return cause == MOEHUB_HUB_WAY_CAUSE_OWNER || cause == MOEHUB_HUB_WAY_CAUSE_ARRIVED;
}

unsigned way_store_expert(const struct way_config *config, const struct way_store *store, unsigned target)
{
    const bool compact = store->header.format == MOEHUB_FORMAT_COMPACT;
    const unsigned id = compact ? store->header.local_targets[target] : store->ids[target];
    return id & ((1u << config->local_expert_bits) - 1);
}

static bool enabled(const struct way_store *store, unsigned byte)
{
    if (!store->header.byte_enables)
        return true;
    const struct moehub_flit *enables = &store->flits[1 + moehub_header_target_flits(&store->header)];
    return enables->half[byte / 64] >> (byte % 64) & 1;
}

void way_store_line(const struct way_store *store, struct way_line *line)
{
    const struct moehub_header *header = &store->header;
    const unsigned start = header->offset % MOEHUB_LINE_BYTES;
    const unsigned payload = 1 + moehub_header_target_flits(header) + header->byte_enables;
    memset(line, 0, sizeof *line);
    line->first = start / 32;
    line->last = (start + header->length - 1u) / 32;
    for (unsigned i = 0; i < header->length; i++) {
        if (!enabled(store, i))
            continue;
        uint8_t bytes[MOEHUB_FLIT_BYTES];
        moehub_flit_to_bytes(store->flits[payload + i / MOEHUB_FLIT_BYTES], bytes);
        const unsigned beat = (start + i) / 32, lane = (start + i) % 32;
        line->data[beat][lane / 8] |= (uint64_t)bytes[i % MOEHUB_FLIT_BYTES] << (lane % 8 * 8);
        line->strobes[beat] |= UINT32_C(1) << lane;
        line->bytes++;
    }
}
