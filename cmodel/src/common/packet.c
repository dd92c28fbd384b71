/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/packet.h"

/* One field into its place; no field crosses the halves. */
static void put(struct moehub_flit *flit, unsigned lsb, unsigned width, uint64_t value)
{
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    flit->half[lsb / 64] |= (value & mask) << lsb % 64;
}

static uint32_t get(const struct moehub_flit *flit, unsigned lsb, unsigned width)
{
    const uint64_t mask = (UINT64_C(1) << width) - 1;
    return (uint32_t)(flit->half[lsb / 64] >> lsb % 64 & mask);
}

#define PUT(FIELD, value) put(&flit, MOEHUB_##FIELD##_LSB, MOEHUB_##FIELD##_WIDTH, value)
#define GET(FIELD) get(&flit, MOEHUB_##FIELD##_LSB, MOEHUB_##FIELD##_WIDTH)

static unsigned local_target_lsb(unsigned target)
{
    return MOEHUB_COMPACT_TARGETS_LSB + MOEHUB_COMPACT_TARGET_WIDTH * target;
}

static struct moehub_flit pack_command_half(const struct moehub_header *header)
{
    struct moehub_flit flit = {{0, 0}};
    PUT(HEADER_TYPE, header->type);
    PUT(HEADER_FORMAT, header->format);
    PUT(HEADER_FIRST, header->first);
    PUT(HEADER_BYTE_ENABLES, header->byte_enables);
    PUT(HEADER_NOP, header->nop);
    PUT(HEADER_OUT_FP32, header->out_fp32);
    PUT(HEADER_LENGTH, header->length);
    PUT(HEADER_SOURCE, header->source);
    PUT(HEADER_CONTEXT, header->context);
    PUT(HEADER_TAG, header->tag);
    PUT(HEADER_STATUS, header->status);
    PUT(HEADER_ELEMENT, header->element);
    PUT(HEADER_OPERATION, header->operation);
    return flit;
}

static struct moehub_flit pack_full(struct moehub_flit flit, const struct moehub_header *header)
{
    PUT(HEADER_OFFSET, header->offset);
    PUT(HEADER_ROW_INDEX, header->row_index);
    PUT(HEADER_STAGE, header->stage);
    PUT(HEADER_TARGET_COUNT, header->target_count);
    PUT(HEADER_ROUND, header->round);
    PUT(HEADER_ZERO, header->zero);
    return flit;
}

static struct moehub_flit pack_compact(struct moehub_flit flit, const struct moehub_header *header)
{
    PUT(COMPACT_LINE, header->offset / MOEHUB_LINE_BYTES);
    PUT(COMPACT_ROUND, header->round);
    PUT(COMPACT_ROW_INDEX, header->row_index);
    PUT(COMPACT_STAGE, header->stage);
    PUT(COMPACT_TARGET_COUNT, header->target_count);
    for (unsigned i = 0; i < MOEHUB_COMPACT_TARGETS; i++)
        put(&flit, local_target_lsb(i), MOEHUB_COMPACT_TARGET_WIDTH, header->local_targets[i]);
    return flit;
}

struct moehub_flit moehub_header_pack(const struct moehub_header *header)
{
    const struct moehub_flit flit = pack_command_half(header);
    return header->format == MOEHUB_FORMAT_COMPACT ? pack_compact(flit, header) : pack_full(flit, header);
}

static struct moehub_header unpack_command_half(struct moehub_flit flit)
{
    return (struct moehub_header){
        .type = (uint8_t)GET(HEADER_TYPE),
        .format = (uint8_t)GET(HEADER_FORMAT),
        .first = GET(HEADER_FIRST) != 0,
        .byte_enables = GET(HEADER_BYTE_ENABLES) != 0,
        .nop = GET(HEADER_NOP) != 0,
        .out_fp32 = GET(HEADER_OUT_FP32) != 0,
        .length = (uint16_t)GET(HEADER_LENGTH),
        .source = (uint16_t)GET(HEADER_SOURCE),
        .context = (uint8_t)GET(HEADER_CONTEXT),
        .tag = GET(HEADER_TAG),
        .status = (uint8_t)GET(HEADER_STATUS),
        .element = (uint8_t)GET(HEADER_ELEMENT),
        .operation = (uint8_t)GET(HEADER_OPERATION),
    };
}

static void unpack_full(struct moehub_flit flit, struct moehub_header *header)
{
    header->offset = (uint16_t)GET(HEADER_OFFSET);
    header->row_index = GET(HEADER_ROW_INDEX);
    header->stage = (uint8_t)GET(HEADER_STAGE);
    header->target_count = (uint8_t)GET(HEADER_TARGET_COUNT);
    header->round = (uint8_t)GET(HEADER_ROUND);
    header->zero = (uint8_t)GET(HEADER_ZERO);
}

static void unpack_compact(struct moehub_flit flit, struct moehub_header *header)
{
    header->offset = (uint16_t)(GET(COMPACT_LINE) * MOEHUB_LINE_BYTES);
    header->round = (uint8_t)GET(COMPACT_ROUND);
    header->row_index = GET(COMPACT_ROW_INDEX);
    header->stage = (uint8_t)GET(COMPACT_STAGE);
    header->target_count = (uint8_t)GET(COMPACT_TARGET_COUNT);
    for (unsigned i = 0; i < MOEHUB_COMPACT_TARGETS; i++)
        header->local_targets[i] = (uint8_t)get(&flit, local_target_lsb(i), MOEHUB_COMPACT_TARGET_WIDTH);
}

struct moehub_header moehub_header_unpack(struct moehub_flit flit)
{
    struct moehub_header header = unpack_command_half(flit);
    if (header.format == MOEHUB_FORMAT_COMPACT)
        unpack_compact(flit, &header);
    else
        unpack_full(flit, &header);
    return header;
}

void moehub_flit_to_bytes(struct moehub_flit flit, uint8_t bytes[MOEHUB_FLIT_BYTES])
{
    for (unsigned i = 0; i < MOEHUB_FLIT_BYTES; i++)
        bytes[i] = (uint8_t)(flit.half[i / 8] >> 8 * (i % 8));
}

struct moehub_flit moehub_flit_from_bytes(const uint8_t bytes[MOEHUB_FLIT_BYTES])
{
    struct moehub_flit flit = {{0, 0}};
    for (unsigned i = 0; i < MOEHUB_FLIT_BYTES; i++)
        flit.half[i / 8] |= (uint64_t)bytes[i] << 8 * (i % 8);
    return flit;
}

unsigned moehub_header_payload(const struct moehub_header *header)
{
    switch (header->type) {
    case MOEHUB_PACKET_ROW_STORE:
    case MOEHUB_PACKET_MULTIMEM_STORE:
    case MOEHUB_PACKET_PARTIAL:
    case MOEHUB_PACKET_RESULT:
        return header->length;
    default:
        return 0;
    }
}

unsigned moehub_header_target_flits(const struct moehub_header *header)
{
    if (header->format == MOEHUB_FORMAT_COMPACT)
        return 0;
    return (header->target_count + MOEHUB_TARGETS_PER_FLIT - 1u) / MOEHUB_TARGETS_PER_FLIT;
}

unsigned moehub_packet_flits(const struct moehub_header *header)
{
    const unsigned payload_flits = moehub_payload_flits(moehub_header_payload(header));
    return 1 + moehub_header_target_flits(header) + (header->byte_enables ? 1u : 0u) + payload_flits;
}

struct moehub_flit moehub_targets_pack(const uint16_t *targets, unsigned count, unsigned flit)
{
    struct moehub_flit word = {{0, 0}};
    for (unsigned i = 0; i < MOEHUB_TARGETS_PER_FLIT; i++) {
        const unsigned target = MOEHUB_TARGETS_PER_FLIT * flit + i;
        if (target < count)
            put(&word, MOEHUB_TARGET_WIDTH * i, MOEHUB_TARGET_WIDTH, targets[target]);
    }
    return word;
}

void moehub_targets_unpack(struct moehub_flit word, unsigned flit, uint16_t *targets, unsigned count)
{
    for (unsigned i = 0; i < MOEHUB_TARGETS_PER_FLIT; i++) {
        const unsigned target = MOEHUB_TARGETS_PER_FLIT * flit + i;
        if (target < count)
            targets[target] = (uint16_t)get(&word, MOEHUB_TARGET_WIDTH * i, MOEHUB_TARGET_WIDTH);
    }
}
