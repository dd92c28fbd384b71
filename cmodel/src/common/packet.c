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

#define PUT(FIELD, value) put(&flit, MOEHUB_HEADER_##FIELD##_LSB, MOEHUB_HEADER_##FIELD##_WIDTH, value)
#define GET(FIELD) get(&flit, MOEHUB_HEADER_##FIELD##_LSB, MOEHUB_HEADER_##FIELD##_WIDTH)

struct moehub_flit moehub_header_pack(const struct moehub_header *header)
{
    struct moehub_flit flit = {{0, 0}};
    PUT(TYPE, header->type);
    PUT(FORMAT, header->format);
    PUT(FIRST, header->first);
    PUT(BYTE_ENABLES, header->byte_enables);
    PUT(NOP, header->nop);
    PUT(OUT_FP32, header->out_fp32);
    PUT(LENGTH, header->length);
    PUT(SOURCE, header->source);
    PUT(CONTEXT, header->context);
    PUT(TAG, header->tag);
    PUT(STATUS, header->status);
    PUT(ELEMENT, header->element);
    PUT(OPERATION, header->operation);
    PUT(OFFSET, header->offset);
    PUT(ROW_INDEX, header->row_index);
    PUT(STAGE, header->stage);
    PUT(TARGET_COUNT, header->target_count);
    return flit;
}

struct moehub_header moehub_header_unpack(struct moehub_flit flit)
{
    return (struct moehub_header){
        .row_index = GET(ROW_INDEX),
        .tag = GET(TAG),
        .offset = (uint16_t)GET(OFFSET),
        .length = (uint16_t)GET(LENGTH),
        .source = (uint16_t)GET(SOURCE),
        .target_count = (uint16_t)GET(TARGET_COUNT),
        .type = (uint8_t)GET(TYPE),
        .format = (uint8_t)GET(FORMAT),
        .context = (uint8_t)GET(CONTEXT),
        .status = (uint8_t)GET(STATUS),
        .element = (uint8_t)GET(ELEMENT),
        .operation = (uint8_t)GET(OPERATION),
        .stage = (uint8_t)GET(STAGE),
        .first = GET(FIRST) != 0,
        .byte_enables = GET(BYTE_ENABLES) != 0,
        .nop = GET(NOP) != 0,
        .out_fp32 = GET(OUT_FP32) != 0,
    };
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

bool moehub_header_malformed(const struct moehub_header *header)
{
    return header->type > MOEHUB_PACKET_ERROR || header->format != 0 || header->operation > MOEHUB_OPERATION_SUM ||
           header->length > MOEHUB_LENGTH_MAX ||
           (header->byte_enables && header->length > MOEHUB_BYTE_ENABLES_LENGTH_MAX);
}

unsigned moehub_header_payload(const struct moehub_header *header)
{
    switch (header->type) {
    case MOEHUB_PACKET_UNICAST_WRITE:
    case MOEHUB_PACKET_ROW_STORE:
    case MOEHUB_PACKET_MULTIMEM_STORE:
        return header->length;
    case MOEHUB_PACKET_PARTIAL:
    case MOEHUB_PACKET_RESULT:
        return header->status == MOEHUB_STATUS_OK ? header->length : 0;
    default:
        return 0;
    }
}

unsigned moehub_packet_flits(const struct moehub_header *header)
{
    const unsigned target_flits = (header->target_count + MOEHUB_TARGETS_PER_FLIT - 1u) / MOEHUB_TARGETS_PER_FLIT;
    const unsigned payload_flits = moehub_payload_flits(moehub_header_payload(header));
    return 1 + target_flits + (header->byte_enables ? 1u : 0u) + payload_flits;
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
