/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_traffic.h"

#include "bench/switch/switch_plane_config.h"

enum { QUEUE_SHORT = 4 };

void plane_traffic_create(struct plane_traffic *traffic, const struct bench *bench,
                          const struct moehub_switch_plane_config *config, unsigned port)
{
    const struct moehub_check_config check = switch_plane_check_config(config, port);
    char name[32];
    snprintf(name, sizeof name, "traffic %u", port);
    *traffic = (struct plane_traffic){.classes = 7, .entries = config->groups * config->request_lines};
    packet_maker_create(&traffic->maker, bench, &check, name);
    traffic->next_tag = (uint32_t)random_bits(&traffic->maker.random, MOEHUB_HEADER_TAG_WIDTH);
}

/* Partials that nobody asked for name no entry: a real one might get the name of another's. */
static void set_tag(struct plane_traffic *traffic, struct moehub_header *header)
{
    if (header->type == MOEHUB_PACKET_LD_REDUCE) {
        header->tag = traffic->next_tag;
        traffic->next_tag = (traffic->next_tag + MOEHUB_REQUEST_LINES_MAX) & MOEHUB_TAG_MASK;
    } else if (header->type == MOEHUB_PACKET_PARTIAL)
        header->tag = moehub_entry_tag((unsigned)random_range(&traffic->maker.random, traffic->entries, 0xFFFF), header->tag);
}

/* Half of the copies can be compact, as far as their ids let them: rows and offsets drawn from all hardly ever can. */
static void make_compactable(struct plane_traffic *traffic, struct moehub_header *header)
{
    const bool listed = header->type == MOEHUB_PACKET_ROW_STORE || header->type == MOEHUB_PACKET_MULTIMEM_STORE ||
                        header->type == MOEHUB_PACKET_LD_REDUCE;
    if (!listed || random_chance(&traffic->maker.random, 1, 2))
        return;
    header->row_index &= (1u << MOEHUB_COMPACT_ROW_INDEX_WIDTH) - 1;
    header->offset &= (uint16_t)(MOEHUB_LINE_BYTES * ((1u << MOEHUB_COMPACT_LINE_WIDTH) - 1));
}

void plane_traffic_draw(struct plane_traffic *traffic, struct plane_queue queues[MOEHUB_CLASSES])
{
    struct made_packet packet;
    if (random_chance(&traffic->maker.random, traffic->malformed, 256))
        packet_maker_any(&traffic->maker, &packet);
    else
        packet_maker_good(&traffic->maker, &packet);
    if ((traffic->classes >> packet.packet_class & 1) == 0 || queues[packet.packet_class].count >= QUEUE_SHORT)
        return;
    struct moehub_header header = moehub_header_unpack(packet.flits[0]);
    set_tag(traffic, &header);
    make_compactable(traffic, &header);
    packet.flits[0] = moehub_header_pack(&header);
    *plane_queue_add(&queues[packet.packet_class]) = packet;
}

void plane_traffic_notify(struct plane_traffic *traffic, struct made_packet *packet)
{
    struct moehub_header header;
    do {
        packet_maker_good(&traffic->maker, packet);
        header = moehub_header_unpack(packet->flits[0]);
    } while (header.type != MOEHUB_PACKET_NOTIFY);
}
