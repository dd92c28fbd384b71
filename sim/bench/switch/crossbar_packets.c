/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/crossbar_packets.h"

#include <stddef.h>

struct crossbar_mood crossbar_mood_draw(const struct crossbar_kind *kind, struct random_source *random)
{
    struct crossbar_mood mood = {
        .spread = (enum crossbar_spread)random_below(random, SPREADS),
        .length = (enum packet_length)random_below(random, LENGTHS),
        .hot = (uint32_t)random_below(random, kind->ports),
        .least = 1,
        .most = kind->max_targets,
        .burst = random_chance(random, 1, 2) ? 1 : (uint32_t)random_range(random, 2, 56),
        .rejected = random_chance(random, 1, 2) ? 0 : (uint32_t)random_below(random, 256),
    };
    if (random_chance(random, 1, 3)) /* short lists, as rows of few experts have them */
        mood.most = kind->max_targets < 3 ? kind->max_targets : 3;
    else if (random_chance(random, 1, 4))
        mood.least = mood.most;
    return mood;
}

/* ---- targets ----------------------------------------------------------------------------------------- */

/* The GPU of id number `i`; `chosen`: two GPUs drawn for this packet. */
static unsigned draw_gpu(const struct crossbar_kind *kind, const struct crossbar_mood *mood, unsigned source, unsigned i,
                         const unsigned *chosen, struct random_source *random)
{
    switch (mood->spread) {
    case SPREAD_TWO:
        return chosen[random_below(random, 2)];
    case SPREAD_ONE:
        return chosen[0];
    case SPREAD_ALL:
        return (source + 1 + i % (kind->ports - 1)) % kind->ports;
    case SPREAD_HOT:
        return mood->hot != source && random_chance(random, 3, 4) ? mood->hot : packet_draw_other(random, kind->ports, source);
    default:
        return packet_draw_other(random, kind->ports, source);
    }
}

void crossbar_draw_targets(const struct crossbar_kind *kind, const struct crossbar_mood *mood, unsigned source,
                           struct random_source *random, struct crossbar_targets *targets)
{
    const unsigned chosen[2] = {packet_draw_other(random, kind->ports, source), packet_draw_other(random, kind->ports, source)};
    targets->count = 0;
    const unsigned wanted =
        kind->class == MOEHUB_CLASS_RESPONSE ? 1 : (unsigned)random_range(random, mood->least, mood->most);
    /* A GPU has few ids where LOCAL_EXPERT_BITS is small, so that fewer than wanted may be found. */
    for (unsigned i = 0; targets->count < wanted && i < 4 * wanted; i++) {
        const unsigned gpu = draw_gpu(kind, mood, source, i, chosen, random);
        const unsigned id = gpu << kind->local_expert_bits | (unsigned)random_bits(random, kind->local_expert_bits);
        targets->count = packet_insert_target(targets->ids, targets->count, (uint16_t)id);
    }
}

/* ---- headers ----------------------------------------------------------------------------------------- */

static void draw_store(const struct packet_shape *shape, const struct crossbar_targets *targets, struct random_source *random,
                       struct moehub_header *header)
{
    const bool row_store = targets->count == 1 && random_chance(random, 1, 2);
    header->type = row_store ? MOEHUB_PACKET_ROW_STORE : MOEHUB_PACKET_MULTIMEM_STORE;
    packet_draw_store(random, shape, header);
}

static void draw_request(const struct packet_shape *shape, struct random_source *random, struct moehub_header *header)
{
    header->type = MOEHUB_PACKET_LD_REDUCE;
    packet_draw_request(random, shape, MOEHUB_REQUEST_LINES_MAX, header);
}

static void draw_response(const struct packet_shape *shape, unsigned gpu, struct random_source *random,
                          struct moehub_header *header)
{
    static const uint8_t types[] = {MOEHUB_PACKET_PARTIAL, MOEHUB_PACKET_CLOSE, MOEHUB_PACKET_NOTIFY};
    header->type = shape->length == LENGTH_LONGEST ? MOEHUB_PACKET_PARTIAL : types[random_below(random, 3)];
    header->offset = (uint16_t)gpu;
    if (header->type == MOEHUB_PACKET_PARTIAL)
        packet_draw_answer(random, shape, header);
    else
        packet_draw_notice(random, header);
}

struct moehub_header crossbar_line_header(unsigned source, uint32_t row, unsigned line, unsigned targets)
{
    return (struct moehub_header){
        .type = MOEHUB_PACKET_MULTIMEM_STORE,
        .first = line == 0,
        .length = MOEHUB_LINE_BYTES,
        .source = (uint16_t)source,
        .element = MOEHUB_ELEMENT_BYTES,
        .offset = (uint16_t)(MOEHUB_LINE_BYTES * line),
        .row_index = row,
        .stage = MOEHUB_STAGE_DISPATCH,
        .target_count = (uint8_t)targets,
    };
}

struct moehub_header crossbar_sum_header(unsigned source, uint32_t row, unsigned line, unsigned units, uint32_t tag,
                                         unsigned targets)
{
    return (struct moehub_header){
        .type = MOEHUB_PACKET_LD_REDUCE,
        .length = (uint16_t)units,
        .source = (uint16_t)source,
        .tag = tag,
        .element = MOEHUB_ELEMENT_BF16,
        .operation = MOEHUB_OPERATION_SUM,
        .offset = (uint16_t)(MOEHUB_LINE_BYTES * line),
        .row_index = row,
        .stage = MOEHUB_STAGE_COMBINE,
        .target_count = (uint8_t)targets,
    };
}

/* ---- packets ----------------------------------------------------------------------------------------- */

unsigned crossbar_packet_body(const struct crossbar_packet *packet)
{
    const struct moehub_header header = moehub_header_unpack(packet->packet.flits[0]);
    return 1 + moehub_header_target_flits(&header);
}

void crossbar_build_packet(const struct moehub_header *header, const struct crossbar_targets *targets,
                           struct random_source *random, struct crossbar_packet *packet)
{
    static const struct crossbar_targets none = {.count = 0};
    const struct crossbar_targets *own = targets == NULL ? &none : targets;
    packet->good = true;
    packet->packet.count = moehub_packet_flits(header);
    packet_fill(header, own->ids, own->count, random, packet->packet.flits, packet->packet.count);
}

void crossbar_draw_packet(const struct crossbar_kind *kind, const struct crossbar_mood *mood, unsigned source,
                          const struct crossbar_targets *targets, struct random_source *random,
                          struct crossbar_packet *packet)
{
    const struct packet_shape shape = {.length = mood->length, .compactable = true};
    struct moehub_header header = {.source = (uint16_t)source};
    if (kind->class == MOEHUB_CLASS_STORE)
        draw_store(&shape, targets, random, &header);
    else if (kind->class == MOEHUB_CLASS_REQUEST)
        draw_request(&shape, random, &header);
    else
        draw_response(&shape, targets->ids[0] >> kind->local_expert_bits, random, &header);
    packet_draw_names(random, &header);
    if (kind->class != MOEHUB_CLASS_RESPONSE)
        header.target_count = (uint8_t)targets->count;
    crossbar_build_packet(&header, targets, random, packet);
    packet->good = !random_chance(random, mood->rejected, 1024);
}
