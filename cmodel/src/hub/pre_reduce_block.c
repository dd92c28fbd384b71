/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/pre_reduce.h"

#include "moehub/element.h"
#include "moehub/error.h"

enum { LINE_UNITS = MOEHUB_LINE_BYTES / MOEHUB_FLIT_BYTES, BINS = 3, ENTRY_LSB = 8 };

int moehub_pre_reduce_init(struct moehub_pre_reduce_block *block, const struct moehub_pre_reduce_config *config)
{
    if (config->max_targets < 1 || config->max_targets > MOEHUB_WAY_TARGETS_MAX || config->address_width < 32 ||
        config->address_width > 64 || config->with_fp32 > 1)
        return MOEHUB_E_ARGUMENT;
    *block = (struct moehub_pre_reduce_block){.config = *config};
    return moehub_arithmetic_init(&block->arithmetic, BINS, config->max_targets);
}

unsigned moehub_pre_reduce_status(const struct moehub_pre_reduce_block *block, const struct moehub_pre_reduce_request *request)
{
    const struct moehub_way_request *asked = &request->asked;
    if (asked->status != MOEHUB_STATUS_OK)
        return asked->status;
    for (unsigned i = 0; i < asked->targets; i++)
        if (request->answers[i].status != MOEHUB_STATUS_OK)
            return request->answers[i].status;
    return asked->element == MOEHUB_ELEMENT_FP32 && block->config.with_fp32 == 0 ? MOEHUB_STATUS_TYPE : MOEHUB_STATUS_OK;
}

unsigned moehub_pre_reduce_lines(const struct moehub_pre_reduce_request *request)
{
    return (request->asked.length + LINE_UNITS - 1u) / LINE_UNITS;
}

bool moehub_pre_reduce_counts(const struct moehub_pre_reduce_request *request)
{
    return request->asked.status == MOEHUB_STATUS_OK;
}

static unsigned line_bytes(const struct moehub_pre_reduce_request *request, unsigned line)
{
    const unsigned rest = request->asked.length - LINE_UNITS * line;
    return MOEHUB_FLIT_BYTES * (rest < LINE_UNITS ? rest : LINE_UNITS);
}

void moehub_pre_reduce_read(struct moehub_pre_reduce_block *block, const struct moehub_pre_reduce_request *request,
                            unsigned line, unsigned target, struct moehub_line_read *read)
{
    read->address = (request->answers[target].address + (uint64_t)MOEHUB_LINE_BYTES * line) &
                    UINT64_MAX >> (64 - block->config.address_width);
    read->beats = (line_bytes(request, line) + MOEHUB_WAY_BEAT_BYTES - 1) / MOEHUB_WAY_BEAT_BYTES;
    block->lines_read++;
}

static uint32_t tag_of(const struct moehub_pre_reduce_request *request, unsigned line)
{
    return (request->asked.tag + ((uint32_t)line << ENTRY_LSB)) & MOEHUB_TAG_MASK;
}

static bool failed_read(const struct moehub_pre_reduce_request *request, const struct moehub_line_data *data)
{
    for (unsigned i = 0; i < request->asked.targets; i++)
        if (data[i].error)
            return true;
    return false;
}

static void fail_read(struct moehub_pre_reduce_block *block, const struct moehub_pre_reduce_request *request, unsigned line,
                      struct moehub_partial_packet *packet)
{
    const struct moehub_header header = {
        .context = request->asked.context, .offset = request->asked.source, .tag = tag_of(request, line)};
    packet->read_error = true;
    packet->error_header = moehub_header_pack(&header);
    block->read_errors++;
}

static void add_sum(const struct moehub_pre_reduce_block *block, const struct moehub_pre_reduce_request *request,
                    unsigned bytes, const struct moehub_line_data *data, struct moehub_partial_packet *packet)
{
    const void *pieces[MOEHUB_WAY_TARGETS_MAX];
    uint8_t sum[MOEHUB_LINE_BYTES];
    for (unsigned i = 0; i < request->asked.targets; i++)
        pieces[i] = data[i].bytes;
    moehub_pre_reduce(&block->arithmetic, request->asked.element, pieces, request->asked.targets,
                      bytes / moehub_element_size(request->asked.element), sum);
    for (unsigned i = 0; i < bytes / MOEHUB_FLIT_BYTES; i++)
        packet->flits[packet->count++] = moehub_flit_from_bytes(&sum[(size_t)MOEHUB_FLIT_BYTES * i]);
}

void moehub_pre_reduce_partial(struct moehub_pre_reduce_block *block, const struct moehub_pre_reduce_request *request,
                               unsigned line, const struct moehub_line_data *data, struct moehub_partial_packet *packet)
{
    const struct moehub_way_request *asked = &request->asked;
    const unsigned bytes = line_bytes(request, line);
    unsigned status = moehub_pre_reduce_status(block, request);
    packet->read_error = false;
    if (status == MOEHUB_STATUS_OK && failed_read(request, data)) {
        status = MOEHUB_STATUS_MEMORY;
        fail_read(block, request, line, packet);
    }
    const struct moehub_header header = {.type = MOEHUB_PACKET_PARTIAL,
                                         .length = (uint16_t)(status == MOEHUB_STATUS_OK ? bytes : 0),
                                         .source = (uint16_t)block->config.own,
                                         .context = asked->context,
                                         .tag = tag_of(request, line),
                                         .status = (uint8_t)status,
                                         .element = asked->element,
                                         .offset = asked->source,
                                         .stage = MOEHUB_STAGE_COMBINE,
                                         .round = asked->round};
    packet->flits[0] = moehub_header_pack(&header);
    packet->count = 1;
    if (status == MOEHUB_STATUS_OK)
        add_sum(block, request, bytes, data, packet);
    block->partials++;
    block->partial_errors += status != MOEHUB_STATUS_OK;
}
