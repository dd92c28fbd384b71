/* SPDX-License-Identifier: Apache-2.0 */
/* Store packets and closes that leave (rtl/doc/hub/packet_manager.md sections 5, 7). */
#include "hub/hub_top_parts.h"

#include "hub/packet_manager_parts.h"

#include <stdio.h>
#include <string.h>

struct moehub_flit hub_top_unsent(const struct moehub_hub_top_row *row, unsigned line, enum moehub_kind kind)
{
    const struct moehub_flit held = row->held[line], sent = row->sent[kind][line];
    return (struct moehub_flit){{held.half[0] & ~sent.half[0], held.half[1] & ~sent.half[1]}};
}

/* NOP of the store that came first among those in the packet: it took the line's buffer. */
static bool nop_of(const struct moehub_hub_top_row *row, unsigned line, struct moehub_flit mask)
{
    const uint32_t *order = row->order + (size_t)line * MOEHUB_LINE_BYTES;
    uint32_t first = UINT32_MAX;
    for (unsigned i = 0; i < MOEHUB_LINE_BYTES; i++)
        if (byte_mask_has(mask, i) && (order[i] & ~HUB_TOP_NOP) < (first & ~HUB_TOP_NOP))
            first = order[i];
    return (first & HUB_TOP_NOP) != 0;
}

void hub_top_form(const struct moehub_hub_top *hub, const struct moehub_hub_top_row *row, unsigned line, struct moehub_flit mask,
                  enum moehub_kind kind, struct moehub_store_packet *packet)
{
    struct moehub_line_buffer buffer = {.mask = mask, .nop = nop_of(row, line, mask)};
    for (unsigned i = 0; i < MOEHUB_LINE_BYTES; i++)
        if (byte_mask_has(mask, i))
            buffer.bytes[i] = row->bytes[(size_t)line * MOEHUB_LINE_BYTES + i];
    packet_manager_form(&hub->manager, &row->entry, &buffer, line, kind, row->entry.sent[kind] == 0, packet);
}

void hub_top_bytes_left(struct moehub_hub_top_row *row, unsigned line, struct moehub_flit mask, enum moehub_kind kind)
{
    row->sent[kind][line] = byte_mask_or(row->sent[kind][line], mask);
    row->left[kind] -= byte_mask_count(mask);
    row->entry.sent[kind]++;
    hub_top_row_ends(row);
}

static unsigned enables_of(const struct moehub_header *header)
{
    return 1 + moehub_header_target_flits(header);
}

/* It was cut before it said which bytes it has. */
static bool hides_bytes(const struct moehub_header *header, const struct hub_top_leaving *packet)
{
    return packet->cut && header->byte_enables && enables_of(header) >= packet->count;
}

/* Bytes of the line that a store packet has. */
static struct moehub_flit mask_of(const struct moehub_header *header, const struct hub_top_leaving *packet)
{
    const unsigned enables = enables_of(header);
    const struct moehub_flit all = byte_mask_lowest(header->length);
    const struct moehub_flit mask = header->byte_enables && enables < packet->count ? packet->flits[enables] : all;
    return byte_mask_up((struct moehub_flit){{mask.half[0] & all.half[0], mask.half[1] & all.half[1]}},
                        header->offset % MOEHUB_LINE_BYTES);
}

/* Each packet has bytes of one line that was stored and not sent. */
static int compare_store(struct moehub_hub_top *hub, struct moehub_hub_top_row *row, unsigned link,
                         const struct moehub_header *header, const struct hub_top_leaving *packet)
{
    const unsigned line = header->offset / MOEHUB_LINE_BYTES;
    const struct moehub_flit mask = mask_of(header, packet);
    struct moehub_store_packet expected;
    if (row->link != MOEHUB_HUB_TOP_WAYS && row->link != link)
        return hub_top_wrong(hub, "row 0x%x leaves by link %u, and its first packet by link %u", header->row_index, link,
                             row->link);
    if (hides_bytes(header, packet))
        return 0;
    const struct moehub_flit unsent = hub_top_unsent(row, line, MOEHUB_KIND_UP);
    if (byte_mask_empty(mask) || !byte_mask_within(mask, unsent))
        return hub_top_wrong(hub, "row 0x%x, line %u: bytes leave that were not stored, or have left", header->row_index, line);
    hub_top_form(hub, row, line, mask, MOEHUB_KIND_UP, &expected);
    return hub_top_compare_leaving(hub, "a store", packet, expected.flits, expected.count);
}

static void count_pairs(struct moehub_hub_top *hub, const struct moehub_hub_top_row *row)
{
    struct moehub_hub_top_context *context = &hub->contexts[row->entry.row.context];
    for (unsigned i = 0; i < row->entry.targets.remote_count; i++)
        context->peers[row->entry.targets.remote[i] >> hub->config.local_expert_bits].pairs++;
}

static void store_left(struct moehub_hub_top *hub, struct moehub_hub_top_row *row, unsigned link,
                       const struct moehub_header *header, const struct hub_top_leaving *packet)
{
    count_pairs(hub, row);
    row->link = (uint8_t)link;
    row->doubtful = row->doubtful || hides_bytes(header, packet);
    if (row->doubtful)
        row->entry.sent[MOEHUB_KIND_UP]++;
    else
        hub_top_bytes_left(row, header->offset / MOEHUB_LINE_BYTES, mask_of(header, packet), MOEHUB_KIND_UP);
}

/* A GPU may have opened a row twice: the first one that fits. */
int hub_top_store_leaves(struct moehub_hub_top *hub, unsigned link, const struct hub_top_leaving *packet)
{
    const struct moehub_header header = moehub_header_unpack(packet->flits[0]);
    int error = MOEHUB_E_STATE;
    bool found = false;
    if (header.offset >= 1u << hub->config.offset_width)
        return hub_top_wrong(hub, "a store of row 0x%x leaves with offset %u", header.row_index, header.offset);
    for (uint32_t i = 0; i < hub->row_count && error != 0; i++) {
        struct moehub_hub_top_row *row = &hub->rows[i];
        if (!row->used || row->entry.row.context != header.context || row->entry.row.row_index != header.row_index)
            continue;
        found = true;
        error = row->doubtful ? 0 : compare_store(hub, row, link, &header, packet);
        if (error == 0)
            store_left(hub, row, link, &header, packet);
    }
    return found ? error : hub_top_wrong(hub, "a store of row 0x%x, context %u leaves, and no such row has bytes to send",
                                         header.row_index, header.context);
}

/* ---- closes -------------------------------------------------------------------------------------------------------------- */

static bool all_stored(const struct moehub_hub_top *hub, unsigned context)
{
    for (uint32_t i = 0; i < hub->row_count; i++)
        if (hub->rows[i].used && hub->rows[i].entry.row.context == context && !hub->rows[i].aborted &&
            !hub->rows[i].doubtful && hub->rows[i].stored < hub->rows[i].size)
            return false;
    return true;
}

/* A packet may still be on its way to another link: whether all pairs that it announces were sent is seen in the end. */
int hub_top_close_leaves(struct moehub_hub_top *hub, const struct hub_top_leaving *packet)
{
    const struct moehub_header header = moehub_header_unpack(packet->flits[0]);
    if (header.context >= hub->config.contexts || header.offset >= hub->config.gpus)
        return hub_top_wrong(hub, "a close of context %u to GPU %u leaves", header.context, header.offset);
    struct moehub_hub_top_context *context = &hub->contexts[header.context];
    struct moehub_hub_top_peer *peer = &context->peers[header.offset];
    const struct moehub_header expected = {.type = MOEHUB_PACKET_CLOSE,
                                           .source = (uint16_t)hub->config.own,
                                           .context = header.context,
                                           .round = context->round,
                                           .offset = header.offset,
                                           .row_index = header.row_index};
    const struct moehub_flit flit = moehub_header_pack(&expected);
    if (!context->closing || !all_stored(hub, header.context) || peer->close_left || header.offset == hub->config.own ||
        (context->shape.peers >> header.offset & 1) == 0)
        return hub_top_wrong(hub, "a close of context %u to GPU %u leaves: twice, too early, or it is no other peer",
                             header.context, header.offset);
    if (header.row_index < peer->pairs)
        return hub_top_wrong(hub, "the close of context %u to GPU %u announces %u pairs, and %u were sent", header.context,
                             header.offset, header.row_index, peer->pairs);
    peer->close_left = true;
    peer->told = header.row_index;
    hub->manager_counts[MOEHUB_PACKET_MANAGER_EVENT_CLOSES]++;
    return hub_top_compare_leaving(hub, "a close", packet, &flit, 1);
}
