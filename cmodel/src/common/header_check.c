/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/header_check.h"

/* What the fields of a type may hold (the table of section 3). */
struct type_rules {
    bool to_switch, to_hub;      /* neither: no such type */
    bool compact;                /* its copies may be FORMAT 1 */
    bool has_flags;              /* FIRST, NOP, BYTE_ENABLES */
    bool has_out_fp32;
    bool has_status;
    bool has_row_index;
    uint8_t packet_class;
    uint8_t stage;
    uint8_t element_max;
    uint8_t operation;
};

static const struct type_rules types[1u << MOEHUB_HEADER_TYPE_WIDTH] = {
    [MOEHUB_PACKET_ROW_STORE] = {.to_switch = true, .to_hub = true, .compact = true, .has_flags = true,
        .has_row_index = true, .packet_class = MOEHUB_CLASS_STORE, .stage = MOEHUB_STAGE_DISPATCH,
        .element_max = MOEHUB_ELEMENT_BYTES, .operation = MOEHUB_OPERATION_NONE},
    [MOEHUB_PACKET_MULTIMEM_STORE] = {.to_switch = true, .to_hub = true, .compact = true, .has_flags = true,
        .has_row_index = true, .packet_class = MOEHUB_CLASS_STORE, .stage = MOEHUB_STAGE_DISPATCH,
        .element_max = MOEHUB_ELEMENT_BYTES, .operation = MOEHUB_OPERATION_NONE},
    [MOEHUB_PACKET_LD_REDUCE] = {.to_switch = true, .to_hub = true, .compact = true, .has_out_fp32 = true,
        .has_row_index = true, .packet_class = MOEHUB_CLASS_REQUEST, .stage = MOEHUB_STAGE_COMBINE,
        .element_max = MOEHUB_ELEMENT_FP32, .operation = MOEHUB_OPERATION_SUM},
    [MOEHUB_PACKET_PARTIAL] = {.to_switch = true, .has_status = true,
        .packet_class = MOEHUB_CLASS_RESPONSE, .stage = MOEHUB_STAGE_COMBINE,
        .element_max = MOEHUB_ELEMENT_FP32, .operation = MOEHUB_OPERATION_NONE},
    [MOEHUB_PACKET_RESULT] = {.to_hub = true, .has_out_fp32 = true, .has_status = true,
        .packet_class = MOEHUB_CLASS_RESPONSE, .stage = MOEHUB_STAGE_COMBINE,
        .element_max = MOEHUB_ELEMENT_FP32, .operation = MOEHUB_OPERATION_NONE},
    [MOEHUB_PACKET_CLOSE] = {.to_switch = true, .to_hub = true, .has_row_index = true,
        .packet_class = MOEHUB_CLASS_RESPONSE, .stage = MOEHUB_STAGE_DISPATCH,
        .element_max = 0, .operation = MOEHUB_OPERATION_NONE},
    [MOEHUB_PACKET_NOTIFY] = {.to_switch = true, .to_hub = true, .has_status = true, .has_row_index = true,
        .packet_class = MOEHUB_CLASS_RESPONSE, .stage = MOEHUB_STAGE_COMBINE,
        .element_max = 0, .operation = MOEHUB_OPERATION_NONE},
};

static bool is_response(const struct type_rules *type)
{
    return type->packet_class == MOEHUB_CLASS_RESPONSE;
}

static bool format_wrong(const struct moehub_check_config *config, const struct type_rules *type, unsigned format)
{
    return format != MOEHUB_FORMAT_FULL && !(format == MOEHUB_FORMAT_COMPACT && config->hub && type->compact);
}

static bool field_wrong(const struct type_rules *type, const struct moehub_header *header)
{
    const bool flags = header->first || header->nop || header->byte_enables;
    return (flags && !type->has_flags) || (header->out_fp32 && !type->has_out_fp32) ||
           (header->status != MOEHUB_STATUS_OK && !type->has_status) || (header->row_index != 0 && !type->has_row_index) ||
           header->zero != 0 || header->stage != type->stage || header->element > type->element_max ||
           header->operation != type->operation;
}

static bool source_wrong(const struct moehub_check_config *config, const struct moehub_header *header)
{
    if (!config->hub || config->loop_back || header->type == MOEHUB_PACKET_RESULT)
        return header->source != config->own;
    return header->source == config->own || header->source >= config->ports;
}

static bool store_length_wrong(const struct moehub_header *header)
{
    return header->length == 0 || header->length % MOEHUB_FLIT_BYTES != 0 || header->offset % MOEHUB_FLIT_BYTES != 0 ||
           header->offset % MOEHUB_LINE_BYTES + header->length > MOEHUB_LINE_BYTES;
}

static bool request_length_wrong(const struct moehub_check_config *config, const struct moehub_header *header)
{
    const unsigned line_flits = MOEHUB_LINE_BYTES / MOEHUB_FLIT_BYTES;
    const unsigned lines = (header->length + line_flits - 1) / line_flits;
    return header->length == 0 || header->length > line_flits * config->request_lines ||
           header->offset % MOEHUB_LINE_BYTES != 0 || header->offset / MOEHUB_LINE_BYTES + lines > MOEHUB_ROW_LINES;
}

/* Of a partial or a result: whole flits up to `most` bytes, none with an error status. */
static bool answer_length_wrong(const struct moehub_header *header, unsigned most)
{
    if (header->status != MOEHUB_STATUS_OK)
        return header->length != 0;
    return header->length == 0 || header->length % MOEHUB_FLIT_BYTES != 0 || header->length > most;
}

static bool length_wrong(const struct moehub_check_config *config, const struct moehub_header *header)
{
    switch (header->type) {
    case MOEHUB_PACKET_ROW_STORE:
    case MOEHUB_PACKET_MULTIMEM_STORE:
        return store_length_wrong(header);
    case MOEHUB_PACKET_LD_REDUCE:
        return request_length_wrong(config, header);
    case MOEHUB_PACKET_PARTIAL:
        return answer_length_wrong(header, MOEHUB_LINE_BYTES);
    case MOEHUB_PACKET_RESULT:
        return answer_length_wrong(header, MOEHUB_LENGTH_MAX);
    default:
        return header->length != 0;
    }
}

static bool count_wrong(const struct moehub_check_config *config, const struct type_rules *type,
                        const struct moehub_header *header)
{
    if (is_response(type))
        return header->target_count != 0;
    const unsigned most = header->type == MOEHUB_PACKET_ROW_STORE ? 1 : config->max_targets;
    return header->target_count == 0 || header->target_count > most;
}

static bool destination_wrong(const struct moehub_check_config *config, const struct moehub_header *header)
{
    if (config->hub)
        return header->offset != config->own;
    return header->offset == config->own || header->offset >= config->ports;
}

/* The three places of FORMAT 1: ascending local ids, zeros after the last one. */
static bool local_targets_wrong(const struct moehub_check_config *config, const struct moehub_header *header)
{
    bool wrong = false;
    for (unsigned i = 0; i < MOEHUB_COMPACT_TARGETS; i++) {
        const unsigned local = header->local_targets[i];
        if (i >= header->target_count)
            wrong |= local != 0;
        else
            wrong |= local >> config->local_expert_bits != 0 || (i > 0 && local <= header->local_targets[i - 1]);
    }
    return wrong;
}

static bool target_wrong(const struct moehub_check_config *config, const struct type_rules *type,
                         const struct moehub_header *header)
{
    return (is_response(type) && destination_wrong(config, header)) ||
           (header->format == MOEHUB_FORMAT_COMPACT && local_targets_wrong(config, header));
}

static unsigned first_cause(const struct moehub_check_config *config, const struct moehub_header *header,
                            unsigned packet_class)
{
    const struct type_rules *type = &types[header->type];
    if (!(config->hub ? type->to_hub : type->to_switch) || (config->loop_back && header->type == MOEHUB_PACKET_RESULT))
        return MOEHUB_PACKET_CAUSE_TYPE;
    if (packet_class != type->packet_class)
        return MOEHUB_PACKET_CAUSE_CLASS;
    if (format_wrong(config, type, header->format))
        return MOEHUB_PACKET_CAUSE_FORMAT;
    if (field_wrong(type, header))
        return MOEHUB_PACKET_CAUSE_FIELD;
    if (source_wrong(config, header))
        return MOEHUB_PACKET_CAUSE_SOURCE;
    if (length_wrong(config, header))
        return MOEHUB_PACKET_CAUSE_LENGTH;
    if (count_wrong(config, type, header))
        return MOEHUB_PACKET_CAUSE_COUNT;
    if (target_wrong(config, type, header))
        return MOEHUB_PACKET_CAUSE_TARGET;
    return MOEHUB_PACKET_CAUSES;
}

struct moehub_header_verdict moehub_header_check(const struct moehub_check_config *config, struct moehub_flit flit,
                                                 unsigned packet_class)
{
    const struct moehub_header header = moehub_header_unpack(flit);
    const struct type_rules *type = &types[header.type];
    struct moehub_header_verdict verdict = {.cause = (uint8_t)first_cause(config, &header, packet_class),
                                            .packet_class = type->packet_class};
    if (verdict.cause != MOEHUB_PACKET_CAUSES)
        return verdict;
    verdict.flits = (uint8_t)moehub_packet_flits(&header);
    verdict.target_flits = (uint8_t)moehub_header_target_flits(&header);
    verdict.destination = is_response(type) ? header.offset : 0;
    return verdict;
}
