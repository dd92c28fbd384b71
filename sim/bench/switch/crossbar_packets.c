/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/crossbar_packets.h"

#include <string.h>

struct crossbar_mood crossbar_mood_draw(const struct crossbar_kind *kind, struct random_source *random)
{
    struct crossbar_mood mood = {
        .spread = (enum crossbar_spread)random_below(random, SPREADS),
        .length = (enum crossbar_length)random_below(random, LENGTHS),
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

/* Any GPU but the source. */
static unsigned other_gpu(const struct crossbar_kind *kind, unsigned source, struct random_source *random)
{
    const unsigned gpu = (unsigned)random_below(random, kind->ports - 1);
    return gpu + (gpu >= source);
}

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
        return mood->hot != source && random_chance(random, 3, 4) ? mood->hot : other_gpu(kind, source, random);
    default:
        return other_gpu(kind, source, random);
    }
}

/* Inserts an id in its order; one that is there already is dropped. */
static void insert_id(struct crossbar_targets *targets, unsigned id)
{
    unsigned place = targets->count;
    while (place > 0 && targets->ids[place - 1] > id)
        place--;
    if (place > 0 && targets->ids[place - 1] == id)
        return;
    memmove(&targets->ids[place + 1], &targets->ids[place], (targets->count - place) * sizeof *targets->ids);
    targets->ids[place] = (uint16_t)id;
    targets->count++;
}

void crossbar_draw_targets(const struct crossbar_kind *kind, const struct crossbar_mood *mood, unsigned source,
                           struct random_source *random, struct crossbar_targets *targets)
{
    const unsigned chosen[2] = {other_gpu(kind, source, random), other_gpu(kind, source, random)};
    targets->count = 0;
    const unsigned wanted =
        kind->class == MOEHUB_CLASS_RESPONSE ? 1 : (unsigned)random_range(random, mood->least, mood->most);
    /* A GPU has few ids where LOCAL_EXPERT_BITS is small, so that fewer than wanted may be found. */
    for (unsigned i = 0; targets->count < wanted && i < 4 * wanted; i++) {
        const unsigned gpu = draw_gpu(kind, mood, source, i, chosen, random);
        insert_id(targets, gpu << kind->local_expert_bits | (unsigned)random_bits(random, kind->local_expert_bits));
    }
}

/* ---- headers ----------------------------------------------------------------------------------------- */

/* lowest .. highest, as the mood wants it. */
static unsigned draw_length(const struct crossbar_mood *mood, unsigned lowest, unsigned highest, struct random_source *random)
{
    switch (mood->length) {
    case LENGTH_SHORTEST:
        return lowest;
    case LENGTH_LONGEST:
        return highest;
    default:
        return (unsigned)random_range(random, lowest, highest);
    }
}

/* A row index on either side of what a compact copy can name. */
static uint32_t draw_row(struct random_source *random)
{
    return (uint32_t)random_bits(random, random_chance(random, 1, 4) ? 32 : MOEHUB_COMPACT_ROW_INDEX_WIDTH);
}

/* A line whose offset a compact copy can name, or any of the 512. */
static unsigned draw_line(struct random_source *random)
{
    return (unsigned)random_bits(random, random_chance(random, 1, 4) ? 9 : MOEHUB_COMPACT_LINE_WIDTH);
}

static struct moehub_header store_header(const struct crossbar_mood *mood, const struct crossbar_targets *targets,
                                         struct random_source *random)
{
    const unsigned units = draw_length(mood, 1, 8, random);
    const unsigned start = random_chance(random, 1, 2) ? 0 : (unsigned)random_below(random, 9 - units);
    return (struct moehub_header){
        .type = targets->count == 1 && random_chance(random, 1, 2) ? MOEHUB_PACKET_ROW_STORE : MOEHUB_PACKET_MULTIMEM_STORE,
        .first = random_chance(random, 1, 4),
        .nop = random_chance(random, 1, 4),
        .byte_enables = mood->length == LENGTH_LONGEST || random_chance(random, 1, 4),
        .length = (uint16_t)(16 * units),
        .element = (uint8_t)random_below(random, 4),
        .offset = (uint16_t)(MOEHUB_LINE_BYTES * draw_line(random) + 16 * start),
        .row_index = draw_row(random),
        .stage = MOEHUB_STAGE_DISPATCH,
    };
}

static struct moehub_header request_header(const struct crossbar_mood *mood, struct random_source *random)
{
    const unsigned units = draw_length(mood, 1, 8 * MOEHUB_REQUEST_LINES_MAX, random);
    const unsigned highest = MOEHUB_ROW_LINES - (units + 7) / 8;
    unsigned line = draw_line(random);
    if (line > highest)
        line = highest;
    return (struct moehub_header){
        .type = MOEHUB_PACKET_LD_REDUCE,
        .out_fp32 = random_chance(random, 1, 2),
        .length = (uint16_t)units,
        .element = (uint8_t)random_below(random, 3),
        .operation = MOEHUB_OPERATION_SUM,
        .offset = (uint16_t)(MOEHUB_LINE_BYTES * line),
        .row_index = draw_row(random),
        .stage = MOEHUB_STAGE_COMBINE,
    };
}

static struct moehub_header response_header(const struct crossbar_mood *mood, const struct crossbar_targets *targets,
                                            const struct crossbar_kind *kind, struct random_source *random)
{
    static const uint8_t types[] = {MOEHUB_PACKET_PARTIAL, MOEHUB_PACKET_CLOSE, MOEHUB_PACKET_NOTIFY};
    struct moehub_header header = {
        .type = mood->length == LENGTH_LONGEST ? MOEHUB_PACKET_PARTIAL : types[random_below(random, 3)],
        .offset = (uint16_t)(targets->ids[0] >> kind->local_expert_bits),
    };
    header.stage = header.type == MOEHUB_PACKET_CLOSE ? MOEHUB_STAGE_DISPATCH : MOEHUB_STAGE_COMBINE;
    if (header.type != MOEHUB_PACKET_CLOSE)
        header.status = random_chance(random, 1, 4) ? (uint8_t)random_below(random, 16) : MOEHUB_STATUS_OK;
    if (header.type != MOEHUB_PACKET_PARTIAL)
        header.row_index = (uint32_t)random_bits(random, 32);
    else if (header.status == MOEHUB_STATUS_OK)
        header.length = (uint16_t)(16 * draw_length(mood, 1, 8, random));
    if (header.type == MOEHUB_PACKET_PARTIAL)
        header.element = (uint8_t)random_below(random, 3);
    return header;
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
    const unsigned body = 1 + moehub_header_target_flits(header);
    packet->good = true;
    packet->packet.count = moehub_packet_flits(header);
    packet->packet.flits[0] = moehub_header_pack(header);
    for (unsigned i = 1; i < body; i++)
        packet->packet.flits[i] = moehub_targets_pack(targets->ids, targets->count, i - 1);
    for (unsigned i = body; i < packet->packet.count; i++)
        packet->packet.flits[i] = (struct moehub_flit){{random_next(random), random_next(random)}};
}

void crossbar_draw_packet(const struct crossbar_kind *kind, const struct crossbar_mood *mood, unsigned source,
                          const struct crossbar_targets *targets, struct random_source *random,
                          struct crossbar_packet *packet)
{
    struct moehub_header header = kind->class == MOEHUB_CLASS_STORE     ? store_header(mood, targets, random)
                                  : kind->class == MOEHUB_CLASS_REQUEST ? request_header(mood, random)
                                                                        : response_header(mood, targets, kind, random);
    header.source = (uint16_t)source;
    header.context = (uint8_t)random_bits(random, MOEHUB_HEADER_CONTEXT_WIDTH);
    header.tag = (uint32_t)random_bits(random, MOEHUB_HEADER_TAG_WIDTH);
    header.round = (uint8_t)random_bits(random, MOEHUB_HEADER_ROUND_WIDTH);
    if (kind->class != MOEHUB_CLASS_RESPONSE)
        header.target_count = (uint8_t)targets->count;
    crossbar_build_packet(&header, targets, random, packet);
    packet->good = !random_chance(random, mood->rejected, 1024);
}
