/* SPDX-License-Identifier: Apache-2.0 */
/* Lines leave as packets (rtl/doc/hub/packet_manager.md section 5). */
#include "hub/packet_manager_parts.h"

/* What a packet is made of. */
struct choice {
    const struct moehub_row_entry *row;
    const struct moehub_line_buffer *buffer;
    const uint16_t *ids;
    unsigned count;
    unsigned line;
    unsigned first;              /* unit of 16 bytes of the line */
    unsigned units;
};

static struct choice choice_of(const struct moehub_row_entry *row, const struct moehub_line_buffer *buffer, unsigned line,
                               enum moehub_kind kind)
{
    const struct moehub_split_list *targets = &row->targets;
    const bool up = kind == MOEHUB_KIND_UP;
    const unsigned first = byte_mask_first(buffer->mask) / MOEHUB_FLIT_BYTES;
    return (struct choice){
        .row = row,
        .buffer = buffer,
        .ids = up ? targets->remote : targets->own,
        .count = up ? targets->remote_count : targets->own_count,
        .line = line,
        .first = first,
        .units = byte_mask_last(buffer->mask) / MOEHUB_FLIT_BYTES + 1 - first,
    };
}

static struct moehub_header header_of(const struct moehub_packet_manager *manager, const struct choice *choice, bool first)
{
    const unsigned length = choice->units * MOEHUB_FLIT_BYTES;
    const struct moehub_flit held = byte_mask_down(choice->buffer->mask, choice->first * MOEHUB_FLIT_BYTES);
    return (struct moehub_header){
        .type = choice->row->row.immediate ? MOEHUB_PACKET_ROW_STORE : MOEHUB_PACKET_MULTIMEM_STORE,
        .first = first,
        .byte_enables = !moehub_flit_equal(held, byte_mask_lowest(length)),
        .nop = choice->buffer->nop,
        .length = (uint16_t)length,
        .source = (uint16_t)manager->config.own,
        .context = choice->row->row.context,
        .element = MOEHUB_ELEMENT_BYTES,
        .offset = (uint16_t)(choice->line * MOEHUB_LINE_BYTES + choice->first * MOEHUB_FLIT_BYTES),
        .row_index = choice->row->row.row_index,
        .stage = MOEHUB_STAGE_DISPATCH,
        .target_count = (uint8_t)choice->count,
        .round = packet_manager_context_of(manager, choice->row)->round,
    };
}

static void push(struct moehub_store_packet *packet, struct moehub_flit flit)
{
    packet->flits[packet->count++] = flit;
}

static void form(const struct choice *choice, const struct moehub_header *header, struct moehub_store_packet *packet)
{
    packet->count = 0;
    push(packet, moehub_header_pack(header));
    for (unsigned i = 0; i < moehub_header_target_flits(header); i++)
        push(packet, moehub_targets_pack(choice->ids, choice->count, i));
    if (header->byte_enables)
        push(packet, byte_mask_down(choice->buffer->mask, choice->first * MOEHUB_FLIT_BYTES));
    for (unsigned i = 0; i < choice->units; i++)
        push(packet, moehub_flit_from_bytes(choice->buffer->bytes + (size_t)(choice->first + i) * MOEHUB_FLIT_BYTES));
}

void packet_manager_form(const struct moehub_packet_manager *manager, const struct moehub_row_entry *row,
                         const struct moehub_line_buffer *buffer, unsigned line, enum moehub_kind kind, bool first,
                         struct moehub_store_packet *packet)
{
    const struct choice choice = choice_of(row, buffer, line, kind);
    const struct moehub_header header = header_of(manager, &choice, first);
    form(&choice, &header, packet);
}

/* The buffer, if the line is owed to the kind; else NULL. */
static struct moehub_line_buffer *owed(struct moehub_packet_manager *manager, enum moehub_kind kind, unsigned entry,
                                       unsigned line)
{
    struct moehub_line_buffer *buffer = packet_manager_buffer(manager, entry, line);
    return buffer != NULL && (buffer->kinds >> kind & 1) != 0 ? buffer : NULL;
}

bool moehub_packet_manager_lock(struct moehub_packet_manager *manager, unsigned way, unsigned entry, unsigned line,
                                struct moehub_store_packet *packet)
{
    const enum moehub_kind kind = way == manager->config.links ? MOEHUB_KIND_LOOP : MOEHUB_KIND_UP;
    struct moehub_line_buffer *buffer = owed(manager, kind, entry, line);
    if (buffer == NULL || (kind == MOEHUB_KIND_UP && manager->rows[entry].link != way))
        return false;
    struct moehub_row_entry *row = &manager->rows[entry];
    const bool whole = moehub_flit_equal(buffer->mask, packet_manager_whole(manager, row, line));
    packet_manager_form(manager, row, buffer, line, kind, row->sent[kind] == 0, packet);
    row->sent[kind]++;
    buffer->state = MOEHUB_LINE_LOCKED;
    buffer->kinds &= (uint8_t)~(1u << kind);
    packet_manager_count(manager, whole ? MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE : MOEHUB_PACKET_MANAGER_EVENT_PACKETS_PART);
    return true;
}

bool moehub_packet_manager_discard(struct moehub_packet_manager *manager, enum moehub_kind kind, unsigned entry, unsigned line)
{
    struct moehub_line_buffer *buffer = owed(manager, kind, entry, line);
    if (buffer == NULL || !manager->rows[entry].aborted)
        return false;
    buffer->kinds &= (uint8_t)~(1u << kind);
    return true;
}
