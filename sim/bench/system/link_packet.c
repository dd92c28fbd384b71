/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/link_packet.h"

#include "moehub/defines.h"
#include "moehub/header_check.h"

enum {
    TYPE_OF_NOBODY = 15,
    CLASS_OF_NOBODY = 3,
    FORMAT_OF_NOBODY = 3,
    BYTES = 16,             /* of payload */
    BYTES_ODD = 24,         /* no length of any type */
    COUNT_BEYOND = 63,      /* targets that no packet may have */
    LENGTH_BEYOND = 511,    /* units that no request may have */
    OFFSET_ODD = 8,
    OFFSET_LAST_LINE = 65536 - MOEHUB_LINE_BYTES,
    LOCAL_BITS = 8,         /* of a compact copy */
    LOCAL_BEYOND = 255,
    /* A group that no hub has: what is answered comes to nobody's sum. */
    TAG_OF_NOBODY = 0xFFF0
};

/* A packet before it is flits. */
struct draft {
    struct moehub_header header;
    uint16_t targets[2];
    unsigned target_flits, payload_flits, packet_class;
};

static void put(struct link_packet *packet, unsigned packet_class, bool first, bool last, struct moehub_flit data)
{
    struct moehub_link_flit *flit = &packet->flits[packet->count++];
    *flit = (struct moehub_link_flit){true, (uint8_t)packet_class, first, last, data};
}

static void put_cause(struct link_packet *packet, unsigned cause)
{
    packet->causes[packet->cause_count++] = cause;
}

static void put_draft(struct link_packet *packet, const struct draft *draft)
{
    unsigned left = draft->target_flits + draft->payload_flits;
    put(packet, draft->packet_class, true, left == 0, moehub_header_pack(&draft->header));
    if (draft->target_flits != 0)
        put(packet, draft->packet_class, false, --left == 0, moehub_targets_pack(draft->targets, 2, 0));
    while (left != 0)
        put(packet, draft->packet_class, false, --left == 0, (struct moehub_flit){0});
}

/* ---- good ones ------------------------------------------------------------------------------------------------ */

/* From the other GPU for the hub, or from this one for the other. */
static struct draft blank(const struct link_ends *ends, unsigned type, unsigned packet_class)
{
    const unsigned other = link_packet_other(ends);
    return (struct draft){.header = {.type = (uint8_t)type,
                                     .source = (uint16_t)(ends->towards_hub ? other : ends->gpu),
                                     .context = (uint8_t)ends->context,
                                     .round = (uint8_t)ends->round},
                          .packet_class = packet_class};
}

/* Towards a hub a copy for local expert 0, compact; towards a switch for that of the other GPU. */
static void aim(struct draft *draft, const struct link_ends *ends)
{
    draft->header.target_count = 1;
    if (ends->towards_hub) {
        draft->header.format = MOEHUB_FORMAT_COMPACT;
        return;
    }
    draft->targets[0] = (uint16_t)(link_packet_other(ends) << ends->local_expert_bits);
    draft->target_flits = 1;
}

static struct draft good(const struct link_ends *ends, enum link_packet_kind kind)
{
    struct draft draft;
    const unsigned destination = ends->towards_hub ? ends->gpu : link_packet_other(ends);
    switch (kind) {
    case LINK_PACKET_STORE:
        draft = blank(ends, MOEHUB_PACKET_MULTIMEM_STORE, MOEHUB_CLASS_STORE);
        draft.header.length = BYTES;
        draft.header.first = true;
        draft.header.element = MOEHUB_ELEMENT_BYTES;
        draft.payload_flits = 1;
        aim(&draft, ends);
        return draft;
    case LINK_PACKET_REQUEST:
        draft = blank(ends, MOEHUB_PACKET_LD_REDUCE, MOEHUB_CLASS_REQUEST);
        draft.header.length = 1;
        draft.header.operation = 1;
        draft.header.stage = 1;
        draft.header.tag = TAG_OF_NOBODY;
        aim(&draft, ends);
        return draft;
    case LINK_PACKET_RESPONSE:
        draft = blank(ends, ends->towards_hub ? MOEHUB_PACKET_RESULT : MOEHUB_PACKET_PARTIAL, MOEHUB_CLASS_RESPONSE);
        draft.header.length = BYTES;
        draft.header.source = (uint16_t)ends->gpu;
        draft.header.stage = 1;
        draft.header.tag = TAG_OF_NOBODY;
        draft.payload_flits = 1;
        break;
    default:
        draft = blank(ends, MOEHUB_PACKET_CLOSE, MOEHUB_CLASS_RESPONSE);
    }
    draft.header.offset = (uint16_t)destination;
    return draft;
}

void link_packet_close(struct link_packet *packet, const struct link_ends *ends, unsigned context, unsigned round)
{
    struct draft draft = good(ends, LINK_PACKET_CLOSE);
    draft.header.context = (uint8_t)context;
    draft.header.round = (uint8_t)(round % 16);
    put_draft(packet, &draft);
}

void link_packet_store(struct link_packet *packet, const struct link_ends *ends, unsigned context, unsigned round,
                       uint32_t row_index)
{
    struct draft draft = good(ends, LINK_PACKET_STORE);
    draft.header.context = (uint8_t)context;
    draft.header.round = (uint8_t)(round % 16);
    draft.header.row_index = row_index;
    put_draft(packet, &draft);
}

/* ---- what is wrong with one ----------------------------------------------------------------------------------- */

static bool is_response(const struct draft *draft)
{
    return draft->header.type != MOEHUB_PACKET_MULTIMEM_STORE && draft->header.type != MOEHUB_PACKET_LD_REDUCE;
}

/* No type at all, or one of the other direction. */
static void spoil_type(struct draft *draft, const struct link_ends *ends, bool other)
{
    draft->header.type = other ? ends->towards_hub ? MOEHUB_PACKET_PARTIAL : MOEHUB_PACKET_RESULT : TYPE_OF_NOBODY;
}

static void spoil_format(struct draft *draft, const struct link_ends *ends, bool other)
{
    const bool compact = !ends->towards_hub || is_response(draft);
    draft->header.format = compact && other ? MOEHUB_FORMAT_COMPACT : FORMAT_OF_NOBODY;
}

static void spoil_field(struct draft *draft, bool other)
{
    const bool store = draft->header.type == MOEHUB_PACKET_MULTIMEM_STORE;
    if (other)
        draft->header.stage ^= 1;
    else if (store)
        draft->header.out_fp32 = true;
    else
        draft->header.nop = true;
}

/* Towards a switch another GPU than the port's; of a result, too; else the hub's own; or none. */
static void spoil_source(struct draft *draft, const struct link_ends *ends, bool other)
{
    const bool of_other = !ends->towards_hub || draft->header.type == MOEHUB_PACKET_RESULT;
    draft->header.source = (uint16_t)(other ? ends->gpus : of_other ? link_packet_other(ends) : ends->gpu);
}

/* No length of the type; or towards a switch an offset, a store over its line's end, a request over its row's. */
static void spoil_length(struct draft *draft, const struct link_ends *ends, unsigned choice)
{
    struct moehub_header *header = &draft->header;
    const bool store = header->type == MOEHUB_PACKET_MULTIMEM_STORE, request = header->type == MOEHUB_PACKET_LD_REDUCE;
    if (choice == 0 && (store || request) && !ends->towards_hub) {
        header->offset = OFFSET_ODD;
    } else if (choice == 1 && store && !ends->towards_hub) {
        header->offset = MOEHUB_LINE_BYTES - BYTES;
        header->length = 2 * BYTES;
    } else if (choice == 1 && request && !ends->towards_hub && ends->request_lines > 1) {
        header->offset = OFFSET_LAST_LINE;
        header->length = MOEHUB_LINE_UNITS + 1;
    } else if (request) {
        header->length = choice < 2 ? 0 : LENGTH_BEYOND;
    } else {
        header->length = header->length == 0 || choice < 2 ? BYTES_ODD : 0;
    }
}

/* Of a response the destination; else the target: none, the sender's own (the hub: another one), two that do not ascend, or
 * something where none belongs. */
static void spoil_target(struct draft *draft, const struct link_ends *ends, unsigned choice)
{
    struct moehub_header *header = &draft->header;
    const unsigned wrong = ends->towards_hub ? link_packet_other(ends) : ends->gpu;
    if (is_response(draft)) {
        header->offset = (uint16_t)(choice % 2 == 0 ? ends->gpus : wrong);
        return;
    }
    switch (choice) {
    case 0:
        header->target_count = 2;
        draft->targets[1] = draft->targets[0];
        break;
    case 1:
        header->local_targets[1] = 1;
        draft->targets[1] = (uint16_t)(draft->targets[0] + 1);
        break;
    case 2:
        header->local_targets[0] = LOCAL_BEYOND;
        header->local_targets[1] = ends->local_expert_bits == LOCAL_BITS ? LOCAL_BEYOND : 0;
        draft->targets[0] = (uint16_t)(ends->gpus << ends->local_expert_bits);
        break;
    default:
        header->local_targets[2] = 1;
        draft->targets[0] = (uint16_t)(ends->gpu << ends->local_expert_bits);
    }
}

/* A flit more, or one less where there is one. */
static void spoil_frame(struct draft *draft, bool other)
{
    if (other && draft->payload_flits != 0)
        draft->payload_flits--;
    else if (other && draft->target_flits != 0)
        draft->target_flits--;
    else
        draft->payload_flits++;
}

static void spoil(struct draft *draft, const struct link_ends *ends, unsigned cause, struct random_source *random)
{
    const bool other = random_chance(random, 1, 2);
    switch (cause) {
    case MOEHUB_PACKET_CAUSE_TYPE: spoil_type(draft, ends, other); break;
    case MOEHUB_PACKET_CAUSE_CLASS: draft->packet_class = (draft->packet_class + 1 + other) % MOEHUB_CLASSES; break;
    case MOEHUB_PACKET_CAUSE_FORMAT: spoil_format(draft, ends, other); break;
    case MOEHUB_PACKET_CAUSE_FIELD: spoil_field(draft, other); break;
    case MOEHUB_PACKET_CAUSE_SOURCE: spoil_source(draft, ends, other); break;
    case MOEHUB_PACKET_CAUSE_LENGTH: spoil_length(draft, ends, (unsigned)random_below(random, 4)); break;
    case MOEHUB_PACKET_CAUSE_COUNT:
        draft->header.target_count = is_response(draft) ? 1 : other || ends->towards_hub ? 0 : COUNT_BEYOND;
        break;
    case MOEHUB_PACKET_CAUSE_TARGET: spoil_target(draft, ends, (unsigned)random_below(random, 4)); break;
    default: spoil_frame(draft, other);
    }
}

/* A request that a switch refuses is answered, if its type, class, format and fields are right. */
static unsigned lines_answered(const struct link_ends *ends, enum link_packet_kind kind, unsigned cause, unsigned length)
{
    if (ends->towards_hub || kind != LINK_PACKET_REQUEST || cause < MOEHUB_PACKET_CAUSE_SOURCE)
        return 0;
    return moehub_request_lines(length, ends->request_lines);
}

/* Two flits of one packet, and between them one of another class. The second is what belongs there: targets are looked at. */
static void put_torn(struct link_packet *packet, const struct draft *draft)
{
    put(packet, draft->packet_class, true, false, moehub_header_pack(&draft->header));
    put(packet, (draft->packet_class + 1) % MOEHUB_CLASSES, false, true, (struct moehub_flit){0});
    put(packet, draft->packet_class, false, true, moehub_targets_pack(draft->targets, 2, 0));
}

static void put_unended(struct link_packet *packet, const struct draft *draft)
{
    struct draft next = *draft;
    next.header.type = TYPE_OF_NOBODY;
    put(packet, draft->packet_class, true, false, moehub_header_pack(&draft->header));
    put(packet, draft->packet_class, true, true, moehub_header_pack(&next.header));
}

void link_packet_spoiled(struct link_packet *packet, const struct link_ends *ends, enum link_packet_kind kind, unsigned cause,
                         struct random_source *random)
{
    struct draft draft = good(ends, kind);
    *packet = (struct link_packet){.count = 0};
    put_cause(packet, cause);
    switch (cause) {
    case MOEHUB_LINK_CAUSE_OUTSIDE:
        put(packet, draft.packet_class, false, true, (struct moehub_flit){0});
        return;
    case MOEHUB_LINK_CAUSE_BAD_CLASS:
        if (random_chance(random, 1, 2)) {
            put(packet, CLASS_OF_NOBODY, true, true, (struct moehub_flit){0});
            return;
        }
        put_torn(packet, &draft);
        put_cause(packet, MOEHUB_PACKET_CAUSE_FRAME);
        break;
    case MOEHUB_LINK_CAUSE_UNENDED:
        put_unended(packet, &draft);
        put_cause(packet, MOEHUB_PACKET_CAUSE_FRAME);
        put_cause(packet, MOEHUB_PACKET_CAUSE_TYPE);
        break;
    default:
        spoil(&draft, ends, cause, random);
        put_draft(packet, &draft);
    }
    packet->lines_answered = lines_answered(ends, kind, cause, draft.header.length);
}

unsigned link_packet_places(const struct link_packet *packet)
{
    const unsigned packet_class = packet->flits[0].packet_class;
    unsigned places = 0;
    for (unsigned i = 0; i < packet->count; i++)
        places += packet->flits[i].packet_class == packet_class;
    return packet_class >= MOEHUB_CLASSES || !packet->flits[0].first ? 0 : places;
}
