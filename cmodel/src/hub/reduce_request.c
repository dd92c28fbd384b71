/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/reduce_request.h"

#include "moehub/error.h"

#include <string.h>

enum { LINE_UNITS = MOEHUB_LINE_BYTES / MOEHUB_FLIT_BYTES, LOOP_ENTRY_BITS = 14 };

/* ---- creation --------------------------------------------------------------------- */

static bool within(uint32_t value, uint32_t least, uint32_t most)
{
    return value >= least && value <= most;
}

int moehub_reduce_request_config_check(const struct moehub_reduce_request_config *config)
{
    const uint32_t lines = config->request_lines;
    const bool legal = within(config->links, 1, MOEHUB_REDUCE_LINKS_MAX) && within(config->gpus, 2, 64) &&
                       within(config->contexts, 1, MOEHUB_REDUCE_CONTEXTS_MAX) && within(config->local_expert_bits, 0, 8) &&
                       within(config->max_targets, 1, MOEHUB_TARGETS_MAX) && within(lines, 1, MOEHUB_REQUEST_LINES_MAX) &&
                       (lines & (lines - 1)) == 0 && within(config->address_width, 32, 64) &&
                       within(config->final_groups, 1, 4096 / lines) && config->with_fp32 <= 1 && config->own < config->gpus;
    return legal ? 0 : MOEHUB_E_ARGUMENT;
}

int moehub_reduce_request_init(struct moehub_reduce_request *request, const struct moehub_reduce_request_config *config)
{
    if (moehub_reduce_request_config_check(config) != 0)
        return MOEHUB_E_ARGUMENT;
    memset(request, 0, sizeof *request);
    request->config = *config;
    for (unsigned link = 0; link < config->links; link++)
        request->free_groups[link] = config->final_groups;
    return 0;
}

/* ---- a reduce is taken ------------------------------------------------------------ */

static bool in_range(const struct moehub_reduce_request *request, const struct moehub_reduce *reduce)
{
    const struct moehub_reduce_context *context = &request->contexts[reduce->context];
    const uint32_t end = MOEHUB_LINE_BYTES * (uint32_t)reduce->line + MOEHUB_FLIT_BYTES * (uint32_t)reduce->length;
    return reduce->row_index >> context->owner_shift == request->config.own && end <= context->row_size &&
           (reduce->immediate || (reduce->count <= request->config.max_targets && reduce->address % MOEHUB_FLIT_BYTES == 0));
}

static unsigned status_at_taking(const struct moehub_reduce_request *request, const struct moehub_reduce *reduce)
{
    if (reduce->context >= request->config.contexts || !request->contexts[reduce->context].enabled)
        return MOEHUB_STATUS_CONTEXT;
    if (reduce->element == MOEHUB_ELEMENT_BYTES || (reduce->element == MOEHUB_ELEMENT_FP32 && request->config.with_fp32 == 0))
        return MOEHUB_STATUS_TYPE;
    if (reduce->length == 0 || reduce->length > LINE_UNITS * request->config.request_lines)
        return MOEHUB_STATUS_LENGTH;
    return in_range(request, reduce) ? MOEHUB_STATUS_OK : MOEHUB_STATUS_RANGE;
}

/* Also of a refused length: what is answered has a line. */
static unsigned lines_of(const struct moehub_reduce_request *request, const struct moehub_reduce *reduce)
{
    const unsigned lines = (reduce->length + LINE_UNITS - 1u) / LINE_UNITS;
    return lines == 0 ? 1 : lines > request->config.request_lines ? request->config.request_lines : lines;
}

static unsigned ids_of(const struct moehub_reduce *reduce)
{
    return reduce->immediate ? 1 : reduce->count;
}

static uint64_t address_mask(const struct moehub_reduce_request *request)
{
    return UINT64_MAX >> (64 - request->config.address_width);
}

bool moehub_reduce_request_take(struct moehub_reduce_request *request, const struct moehub_reduce *reduce,
                                struct moehub_reduce_reads *reads)
{
    if (request->count == MOEHUB_REDUCES_MAX)
        return false;
    struct moehub_reduce_slot *slot = &request->slots[(request->first + request->count++) % MOEHUB_REDUCES_MAX];
    *slot = (struct moehub_reduce_slot){.reduce = *reduce, .status = (uint8_t)status_at_taking(request, reduce)};
    slot->ids[0] = reduce->id;
    if (slot->status == MOEHUB_STATUS_OK && !reduce->immediate)
        slot->reads = (uint8_t)((reduce->count + MOEHUB_TARGETS_PER_FLIT - 1) / MOEHUB_TARGETS_PER_FLIT);
    reads->count = slot->reads;
    for (unsigned i = 0; i < reads->count; i++)
        reads->address[i] = (reduce->address + MOEHUB_FLIT_BYTES * i) & address_mask(request);
    request->reduces++;
    request->lines_in_flight[reduce->context & 7] += lines_of(request, reduce);
    return true;
}

bool moehub_reduce_request_list_data(struct moehub_reduce_request *request, struct moehub_flit data, bool error)
{
    for (unsigned i = 0; i < request->count; i++) {
        struct moehub_reduce_slot *slot = &request->slots[(request->first + i) % MOEHUB_REDUCES_MAX];
        if (slot->reads_came == slot->reads)
            continue;
        moehub_targets_unpack(data, slot->reads_came++, slot->ids, slot->reduce.count);
        if (error)
            slot->status = MOEHUB_STATUS_MEMORY;
        return true;
    }
    return false;
}

/* ---- the next reduce -------------------------------------------------------------- */

static const struct moehub_reduce_slot *first_slot(const struct moehub_reduce_request *request)
{
    return &request->slots[request->first];
}

/* The status of a reduce whose list is there, and its ids. */
static unsigned verdict(const struct moehub_reduce_request *request, const struct moehub_reduce_slot *slot,
                        struct moehub_split_list *split)
{
    const struct moehub_list_rules rules = {request->contexts[slot->reduce.context].peers, request->config.gpus,
                                            request->config.own, request->config.local_expert_bits};
    return slot->status != MOEHUB_STATUS_OK ? slot->status
                                            : moehub_list_check(&rules, slot->ids, ids_of(&slot->reduce), split);
}

enum moehub_reduce_next moehub_reduce_request_next(const struct moehub_reduce_request *request)
{
    struct moehub_split_list split;
    const struct moehub_reduce_slot *slot = first_slot(request);
    if (request->count == 0)
        return MOEHUB_REDUCE_NOTHING;
    if (request->reserved)
        return MOEHUB_REDUCE_GRANT;
    if (slot->reads_came < slot->reads)
        return MOEHUB_REDUCE_LIST;
    const bool refused = verdict(request, slot, &split) != MOEHUB_STATUS_OK;
    return refused || ids_of(&slot->reduce) == 0 ? MOEHUB_REDUCE_ANSWER : MOEHUB_REDUCE_GROUP;
}

static void remove_first(struct moehub_reduce_request *request)
{
    request->first = (request->first + 1) % MOEHUB_REDUCES_MAX;
    request->count--;
    request->reserved = false;
}

static unsigned line_units(const struct moehub_reduce *reduce, unsigned line)
{
    const unsigned rest = reduce->length - LINE_UNITS * line;
    return rest < LINE_UNITS ? rest : LINE_UNITS;
}

static void answer_first(struct moehub_reduce_request *request, unsigned status, struct moehub_reduce_answer *answer)
{
    const struct moehub_reduce reduce = first_slot(request)->reduce;
    const struct moehub_header offender = {.context = reduce.context, .row_index = reduce.row_index, .tag = reduce.tag,
                                           .status = (uint8_t)status};
    *answer = (struct moehub_reduce_answer){
        .count = lines_of(request, &reduce), .status = (uint8_t)status, .header = moehub_header_pack(&offender)};
    for (unsigned line = 0; line < answer->count; line++) {
        const unsigned units = status == MOEHUB_STATUS_OK ? line_units(&reduce, line) : 0;
        answer->lines[line] = (struct moehub_reduced){.flits = units == 0 ? 1 : units,
                                                      .tag = reduce.tag,
                                                      .length = (uint16_t)(MOEHUB_FLIT_BYTES * units),
                                                      .context = reduce.context,
                                                      .line = (uint8_t)line,
                                                      .status = (uint8_t)status,
                                                      .element = reduce.element};
    }
    request->answered++;
    remove_first(request);
}

bool moehub_reduce_request_answer(struct moehub_reduce_request *request, struct moehub_reduce_answer *answer)
{
    struct moehub_split_list split;
    if (moehub_reduce_request_next(request) != MOEHUB_REDUCE_ANSWER)
        return false;
    answer_first(request, verdict(request, first_slot(request), &split), answer);
    return true;
}

/* ---- groups ----------------------------------------------------------------------- */

bool moehub_reduce_request_reserve(struct moehub_reduce_request *request, unsigned link,
                                   struct moehub_reduce_reservation *reservation)
{
    struct moehub_split_list split;
    if (link >= request->config.links || request->free_groups[link] == 0 ||
        moehub_reduce_request_next(request) != MOEHUB_REDUCE_GROUP)
        return false;
    const struct moehub_reduce_slot *slot = first_slot(request);
    const unsigned lines = lines_of(request, &slot->reduce);
    verdict(request, slot, &split);
    *reservation = (struct moehub_reduce_reservation){
        .tag = slot->reduce.tag,
        .length = (uint16_t)(MOEHUB_FLIT_BYTES * line_units(&slot->reduce, lines - 1)),
        .context = slot->reduce.context,
        .element = slot->reduce.element,
        .lines_less_1 = (uint8_t)(lines - 1),
        .contributors = (uint8_t)((split.remote_count > 0) | (split.own_count > 0) << 1)};
    request->reserved = true;
    request->reserved_link = (uint8_t)link;
    return true;
}

static void pack_request(const struct moehub_reduce_request *request, const struct moehub_reduce *reduce, const uint16_t *ids,
                         unsigned count, uint32_t tag, struct moehub_request_packet *packet)
{
    const struct moehub_header header = {.type = MOEHUB_PACKET_LD_REDUCE,
                                         .format = MOEHUB_FORMAT_FULL,
                                         .length = reduce->length,
                                         .source = (uint16_t)request->config.own,
                                         .context = reduce->context,
                                         .tag = tag & MOEHUB_TAG_MASK,
                                         .element = reduce->element,
                                         .operation = MOEHUB_OPERATION_SUM,
                                         .offset = (uint16_t)(MOEHUB_LINE_BYTES * reduce->line),
                                         .row_index = reduce->row_index,
                                         .stage = MOEHUB_STAGE_COMBINE,
                                         .target_count = (uint8_t)count,
                                         .round = request->contexts[reduce->context].round};
    packet->count = count == 0 ? 0 : moehub_packet_flits(&header);
    packet->flits[0] = moehub_header_pack(&header);
    for (unsigned i = 1; i < packet->count; i++)
        packet->flits[i] = moehub_targets_pack(ids, count, i - 1);
}

static void make_copies(struct moehub_reduce_request *request, const struct moehub_reduction_grant *grant,
                        struct moehub_reduce_copies *copies)
{
    const struct moehub_reduce_slot *slot = first_slot(request);
    struct moehub_split_list split;
    verdict(request, slot, &split);
    const uint32_t up = (uint32_t)grant->generation << 16 | grant->entry;
    const uint32_t loop = (uint32_t)request->reserved_link << (8 + LOOP_ENTRY_BITS) | (uint32_t)grant->entry << 8 |
                          grant->generation;
    pack_request(request, &slot->reduce, split.remote, split.remote_count, up, &copies->up);
    pack_request(request, &slot->reduce, split.own, split.own_count, loop, &copies->loop);
    request->requests_up += copies->up.count > 0;
    request->requests_loop += copies->loop.count > 0;
    request->lines += lines_of(request, &slot->reduce);
    request->free_groups[request->reserved_link]--;
    remove_first(request);
}

bool moehub_reduce_request_grant(struct moehub_reduce_request *request, const struct moehub_reduction_grant *grant,
                                 struct moehub_reduce_copies *copies, struct moehub_reduce_answer *answer)
{
    if (!request->reserved)
        return false;
    copies->up.count = copies->loop.count = 0;
    answer->count = 0;
    if (grant->status == MOEHUB_STATUS_OK)
        make_copies(request, grant, copies);
    else
        answer_first(request, grant->status, answer);
    return true;
}

bool moehub_reduce_request_freed(struct moehub_reduce_request *request, unsigned link)
{
    if (link >= request->config.links || request->free_groups[link] == request->config.final_groups)
        return false;
    request->free_groups[link]++;
    return true;
}

bool moehub_reduce_request_line_taken(struct moehub_reduce_request *request, unsigned context)
{
    if (context >= MOEHUB_REDUCE_CONTEXTS_MAX || request->lines_in_flight[context] == 0)
        return false;
    request->lines_in_flight[context]--;
    return true;
}
