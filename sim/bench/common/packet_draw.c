/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/common/packet_draw.h"

#include "moehub/header_check.h"

#include <string.h>

unsigned packet_draw_other(struct random_source *random, unsigned gpus, unsigned one)
{
    const unsigned gpu = (unsigned)random_below(random, gpus - 1);
    return gpu + (gpu >= one);
}

unsigned packet_insert_target(uint16_t *ids, unsigned count, uint16_t id)
{
    unsigned place = count;
    while (place > 0 && ids[place - 1] > id)
        place--;
    if (place > 0 && ids[place - 1] == id)
        return count;
    memmove(&ids[place + 1], &ids[place], (count - place) * sizeof *ids);
    ids[place] = id;
    return count + 1;
}

/* ---- fields ------------------------------------------------------------------------------------------------- */

/* 1 .. highest, in the shape's length. */
static unsigned draw_length(struct random_source *random, const struct packet_shape *shape, unsigned highest)
{
    switch (shape->length) {
    case LENGTH_SHORTEST:
        return 1;
    case LENGTH_LONGEST:
        return highest;
    default:
        return (unsigned)random_range(random, 1, highest);
    }
}

static bool draw_compactable(struct random_source *random, const struct packet_shape *shape)
{
    return shape->compactable && random_chance(random, 3, 4);
}

static uint32_t draw_row(struct random_source *random, const struct packet_shape *shape)
{
    return (uint32_t)random_bits(random, draw_compactable(random, shape) ? MOEHUB_COMPACT_ROW_INDEX_WIDTH : 32);
}

static unsigned draw_line(struct random_source *random, const struct packet_shape *shape)
{
    const unsigned lines = draw_compactable(random, shape) ? 1u << MOEHUB_COMPACT_LINE_WIDTH : MOEHUB_ROW_LINES;
    return (unsigned)random_below(random, lines);
}

void packet_draw_store(struct random_source *random, const struct packet_shape *shape, struct moehub_header *header)
{
    const unsigned units = draw_length(random, shape, MOEHUB_LINE_UNITS);
    const unsigned start = random_chance(random, 1, 2) ? 0 : (unsigned)random_below(random, MOEHUB_LINE_UNITS + 1 - units);
    header->length = (uint16_t)(MOEHUB_FLIT_BYTES * units);
    header->offset = (uint16_t)(MOEHUB_LINE_BYTES * draw_line(random, shape) + MOEHUB_FLIT_BYTES * start);
    header->first = random_chance(random, 1, 2);
    header->nop = random_chance(random, 1, 2);
    header->byte_enables = shape->length == LENGTH_LONGEST || random_chance(random, 1, 3);
    header->element = (uint8_t)random_below(random, 4);
    header->stage = MOEHUB_STAGE_DISPATCH;
    header->row_index = draw_row(random, shape);
}

void packet_draw_request(struct random_source *random, const struct packet_shape *shape, unsigned lines,
                         struct moehub_header *header)
{
    const unsigned units = draw_length(random, shape, MOEHUB_LINE_UNITS * lines);
    const unsigned last = MOEHUB_ROW_LINES - (units + MOEHUB_LINE_UNITS - 1) / MOEHUB_LINE_UNITS;
    const unsigned line = draw_line(random, shape);
    header->length = (uint16_t)units;
    header->offset = (uint16_t)(MOEHUB_LINE_BYTES * (line > last || random_chance(random, 1, 8) ? last : line));
    header->out_fp32 = random_chance(random, 1, 2);
    header->element = (uint8_t)random_below(random, 3);
    header->operation = MOEHUB_OPERATION_SUM;
    header->stage = MOEHUB_STAGE_COMBINE;
    header->row_index = draw_row(random, shape);
}

void packet_draw_answer(struct random_source *random, const struct packet_shape *shape, struct moehub_header *header)
{
    const bool result = header->type == MOEHUB_PACKET_RESULT;
    header->stage = MOEHUB_STAGE_COMBINE;
    header->element = (uint8_t)random_below(random, 3);
    header->out_fp32 = result && random_chance(random, 1, 2);
    if (random_chance(random, 1, 4))
        header->status = (uint8_t)random_range(random, 1, 15);
    else
        header->length = (uint16_t)(MOEHUB_FLIT_BYTES * draw_length(random, shape, MOEHUB_LINE_UNITS << result));
}

void packet_draw_notice(struct random_source *random, struct moehub_header *header)
{
    header->row_index = (uint32_t)random_bits(random, 32);
    header->stage = header->type == MOEHUB_PACKET_CLOSE ? MOEHUB_STAGE_DISPATCH : MOEHUB_STAGE_COMBINE;
    header->status = header->type == MOEHUB_PACKET_CLOSE ? MOEHUB_STATUS_OK : (uint8_t)random_below(random, 16);
}

void packet_draw_names(struct random_source *random, struct moehub_header *header)
{
    header->context = (uint8_t)random_bits(random, MOEHUB_HEADER_CONTEXT_WIDTH);
    header->tag = (uint32_t)random_bits(random, MOEHUB_HEADER_TAG_WIDTH);
    header->round = (uint8_t)random_bits(random, MOEHUB_HEADER_ROUND_WIDTH);
}

/* ---- flits --------------------------------------------------------------------------------------------------- */

void packet_fill(const struct moehub_header *header, const uint16_t *ids, unsigned id_count, struct random_source *random,
                 struct moehub_flit *flits, unsigned count)
{
    const unsigned body = 1 + moehub_header_target_flits(header);
    for (unsigned i = 0; i < count; i++)
        flits[i] = i == 0     ? moehub_header_pack(header)
                   : i < body ? moehub_targets_pack(ids, id_count, i - 1)
                              : (struct moehub_flit){{random_next(random), random_next(random)}};
}
