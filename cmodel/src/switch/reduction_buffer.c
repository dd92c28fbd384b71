/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/reduction_buffer.h"

#include "moehub/element.h"
#include "moehub/error.h"
#include "moehub/finalize.h"
#include "moehub/integer.h"

#include <stdlib.h>
#include <string.h>

/* Offenders that can be detected before an earlier one: those in the pipeline, and one timeout an entry. */
#define OFFENDERS_MARGIN 256

#define QUARANTINED_TIMEOUT_MAX (UINT32_C(1) << 30)

/* Element state of every entry: `stride` groups of lanes each. */
struct moehub_reduction_sums {
    struct moehub_arithmetic arithmetic;
    size_t stride;
    struct moehub_accumulator_lanes *lanes;
};

/* ---- configuration ------------------------------------------------------------ */

struct moehub_reduction_buffer_config moehub_reduction_buffer_config_default(void)
{
    return (struct moehub_reduction_buffer_config){
        .entries = 107,
        .ports = 64,
        .payload_bytes = 128,
        .flit_bytes = MOEHUB_FLIT_BYTES,
        .max_contributors = 64,
        .with_fp32 = 1,
        .generation_width = 8,
        .tag_width = 24,
        .request_lines = 1,
        .quarantine = 0,
        .with_release = 0,
        .own_port = 0,
        .payloads = true,
    };
}

int moehub_reduction_buffer_config_check(const struct moehub_reduction_buffer_config *config)
{
    const uint32_t flit = config->flit_bytes;
    const bool legal = moehub_within(config->entries, 1, 4096) && moehub_within(config->ports, 2, 64) &&
                       moehub_within(flit, 4, 64) && moehub_power_of_two(flit) &&
                       moehub_within(config->payload_bytes, flit, MOEHUB_REDUCTION_PAYLOAD_MAX) &&
                       config->payload_bytes % flit == 0 && moehub_within(config->max_contributors, 1, 64) &&
                       config->with_fp32 <= 1 && moehub_within(config->generation_width, 1, 8) &&
                       moehub_within(config->tag_width, 1, 64) && moehub_within(config->request_lines, 1, 8) &&
                       moehub_power_of_two(config->request_lines) && config->entries % config->request_lines == 0 &&
                       config->quarantine <= 1 && config->with_release <= 1 && config->own_port < config->ports;
    return legal ? 0 : MOEHUB_E_ARGUMENT;
}

/* ---- creation, reset ------------------------------------------------------------ */

static void sums_destroy(struct moehub_reduction_sums *sums)
{
    if (sums == NULL)
        return;
    free(sums->lanes);
    free(sums);
}

static struct moehub_reduction_sums *sums_create(const struct moehub_reduction_buffer_config *config)
{
    struct moehub_reduction_sums *sums = calloc(1, sizeof *sums);
    if (sums == NULL)
        return NULL;
    const size_t elements = config->payload_bytes / sizeof(uint16_t);
    sums->stride = (elements + MOEHUB_LANES - 1) / MOEHUB_LANES;
    sums->lanes = aligned_alloc(64, (sums->stride * config->entries * sizeof *sums->lanes + 63) / 64 * 64);
    if (sums->lanes == NULL || moehub_arithmetic_init(&sums->arithmetic, 3, config->max_contributors) != 0) {
        sums_destroy(sums);
        return NULL;
    }
    return sums;
}

static uint32_t group_count(const struct moehub_reduction_buffer *buffer)
{
    return moehub_reduction_buffer_groups(&buffer->config);
}

/* No group in use, free list 0, 1, 2, ... in order. */
static void empty(struct moehub_reduction_buffer *buffer)
{
    for (uint32_t entry = 0; entry < buffer->config.entries; entry++)
        buffer->entries[entry].state = MOEHUB_REDUCTION_FREE;
    for (uint32_t group = 0; group < group_count(buffer); group++)
        buffer->free_list[group] = (uint16_t)group;
    buffer->free_head = 0;
    buffer->free_count = group_count(buffer);
}

void moehub_reduction_buffer_reset(struct moehub_reduction_buffer *buffer)
{
    memset(buffer->entries, 0, buffer->config.entries * sizeof *buffer->entries);
    memset(buffer->groups, 0, group_count(buffer) * sizeof *buffer->groups);
    memset(buffer->counters, 0, sizeof buffer->counters);
    empty(buffer);
    buffer->timeout = 0;
    buffer->draining = false;
    buffer->lines = 0;
    moehub_offenders_clear(&buffer->offenders);
}

int moehub_reduction_buffer_create(struct moehub_reduction_buffer *buffer,
                                   const struct moehub_reduction_buffer_config *config)
{
    const int error = moehub_reduction_buffer_config_check(config);
    if (error != 0)
        return error;
    memset(buffer, 0, sizeof *buffer);
    buffer->config = *config;
    buffer->entries = calloc(config->entries, sizeof *buffer->entries);
    buffer->groups = calloc(group_count(buffer), sizeof *buffer->groups);
    buffer->free_list = calloc(group_count(buffer), sizeof *buffer->free_list);
    if (config->payloads)
        buffer->sums = sums_create(config);
    if (buffer->entries == NULL || buffer->groups == NULL || buffer->free_list == NULL ||
        (config->payloads && buffer->sums == NULL) ||
        moehub_offenders_create(&buffer->offenders, config->entries + OFFENDERS_MARGIN) != 0) {
        moehub_reduction_buffer_destroy(buffer);
        return MOEHUB_E_MEMORY;
    }
    moehub_reduction_buffer_reset(buffer);
    return 0;
}

void moehub_reduction_buffer_destroy(struct moehub_reduction_buffer *buffer)
{
    if (buffer == NULL)
        return;
    free(buffer->entries);
    free(buffer->groups);
    free(buffer->free_list);
    moehub_offenders_destroy(&buffer->offenders);
    sums_destroy(buffer->sums);
    buffer->entries = NULL;
    buffer->groups = NULL;
    buffer->free_list = NULL;
    buffer->sums = NULL;
}

/* ---- errors ---------------------------------------------------------------------- */

static void offend(struct moehub_reduction_buffer *buffer, unsigned cause, const struct moehub_header *header,
                   unsigned port)
{
    buffer->counters[MOEHUB_REDUCTION_EVENT_CAUSES + cause]++;
    const struct moehub_offender offender = {moehub_header_pack(header), 0, (uint8_t)port, (uint8_t)cause};
    moehub_offenders_add(&buffer->offenders, &offender);
}

static void offend_reserve(struct moehub_reduction_buffer *buffer, const struct moehub_reduction_reserve *reserve,
                           unsigned cause)
{
    const uint64_t tag_mask = UINT64_MAX >> (64 - buffer->config.tag_width);
    const struct moehub_header header = {
        .type = MOEHUB_PACKET_LD_REDUCE,
        .length = reserve->length,
        .source = reserve->requester,
        .tag = (uint32_t)(reserve->tag & tag_mask & MOEHUB_TAG_MASK),
        .element = reserve->element,
        .out_fp32 = reserve->out_fp32,
    };
    offend(buffer, cause, &header, 0);
}

static void offend_partial(struct moehub_reduction_buffer *buffer, const struct moehub_reduction_partial *partial,
                           unsigned cause)
{
    const struct moehub_header header = {
        .type = MOEHUB_PACKET_PARTIAL,
        .length = partial->length,
        .tag = moehub_entry_tag(partial->entry, partial->generation),
        .status = partial->status,
        .element = partial->element,
    };
    offend(buffer, cause, &header, partial->port);
}

/* ---- reservation ------------------------------------------------------------------- */

static uint64_t port_mask(const struct moehub_reduction_buffer *buffer)
{
    return UINT64_MAX >> (64 - buffer->config.ports);
}

static unsigned reserve_status(const struct moehub_reduction_buffer *buffer,
                               const struct moehub_reduction_reserve *reserve)
{
    const struct moehub_reduction_buffer_config *config = &buffer->config;
    const uint64_t contributors = reserve->contributors & port_mask(buffer);
    if (buffer->draining)
        return MOEHUB_STATUS_DRAINING;
    if (contributors == 0 || (contributors >> config->own_port & 1) != 0 ||
        (uint32_t)__builtin_popcountll(contributors) > config->max_contributors)
        return MOEHUB_STATUS_CONTRIBUTORS;
    if (reserve->element == MOEHUB_ELEMENT_BYTES || (reserve->element == MOEHUB_ELEMENT_FP32 && !config->with_fp32))
        return MOEHUB_STATUS_TYPE;
    if (reserve->length == 0 || reserve->length > config->payload_bytes ||
        reserve->length % moehub_element_size(reserve->element) != 0)
        return MOEHUB_STATUS_LENGTH;
    return MOEHUB_STATUS_OK;
}

/* ---- groups ------------------------------------------------------------------------ */

static struct moehub_reduction_group *group_of(const struct moehub_reduction_buffer *buffer, unsigned entry)
{
    return &buffer->groups[entry / buffer->config.request_lines];
}

/* Line 0 of an entry's group. */
static struct moehub_reduction_entry *lines_of(const struct moehub_reduction_buffer *buffer, unsigned entry)
{
    return &buffer->entries[entry - entry % buffer->config.request_lines];
}

static unsigned take_free(struct moehub_reduction_buffer *buffer)
{
    const unsigned group = buffer->free_list[buffer->free_head];
    buffer->free_head = buffer->free_head + 1 == group_count(buffer) ? 0 : buffer->free_head + 1;
    buffer->free_count--;
    return group;
}

static void give_free(struct moehub_reduction_buffer *buffer, unsigned group)
{
    uint32_t tail = buffer->free_head + buffer->free_count;
    if (tail >= group_count(buffer))
        tail -= group_count(buffer);
    buffer->free_list[tail] = (uint16_t)group;
    buffer->free_count++;
}

bool moehub_reduction_buffer_may_be_freed(const struct moehub_reduction_buffer *buffer, unsigned entry)
{
    if (entry >= buffer->config.entries || group_of(buffer, entry)->copied)
        return false;
    const struct moehub_reduction_entry *lines = lines_of(buffer, entry);
    for (uint32_t line = 0; line < buffer->config.request_lines; line++)
        if (lines[line].state != MOEHUB_REDUCTION_DONE)
            return false;
    return true;
}

int moehub_reduction_buffer_freed(struct moehub_reduction_buffer *buffer, unsigned entry)
{
    if (!moehub_reduction_buffer_may_be_freed(buffer, entry))
        return MOEHUB_E_STATE;
    struct moehub_reduction_entry *lines = lines_of(buffer, entry);
    for (uint32_t line = 0; line < buffer->config.request_lines; line++)
        lines[line].state = MOEHUB_REDUCTION_FREE;
    give_free(buffer, entry / buffer->config.request_lines);
    return 0;
}

void moehub_reduction_buffer_granted(struct moehub_reduction_buffer *buffer, unsigned entry)
{
    if (entry < buffer->config.entries)
        group_of(buffer, entry)->granted = true;
}

bool moehub_reduction_buffer_released(struct moehub_reduction_buffer *buffer, unsigned entry)
{
    if (entry >= buffer->config.entries)
        return false;
    struct moehub_reduction_group *group = group_of(buffer, entry);
    const bool counts = group->granted && group->copied;
    if (counts)
        group->copied = false;
    return counts;
}

/* ---- reservations granted ---------------------------------------------------------- */

static uint8_t next_generation(const struct moehub_reduction_buffer *buffer,
                               const struct moehub_reduction_group *group)
{
    const unsigned mask = (1u << buffer->config.generation_width) - 1;
    return (uint8_t)(group->used ? (group->generation + 1u) & mask : 0);
}

/* The lines asked wait for their partials, the others are done. */
static void open_lines(struct moehub_reduction_buffer *buffer, struct moehub_reduction_entry *lines,
                       const struct moehub_reduction_reserve *reserve)
{
    const unsigned last = reserve->lines_less_1 % buffer->config.request_lines;
    const uint64_t contributors = reserve->contributors & port_mask(buffer);
    for (unsigned line = 0; line < buffer->config.request_lines; line++)
        lines[line] = (struct moehub_reduction_entry){
            .tag = reserve->tag & UINT64_MAX >> (64 - buffer->config.tag_width),
            .missing = contributors,
            .contributors = contributors,
            .requester = reserve->requester,
            .length = line == last ? reserve->length : (uint16_t)buffer->config.payload_bytes,
            .state = line <= last ? MOEHUB_REDUCTION_OPEN : MOEHUB_REDUCTION_DONE,
            .failure = MOEHUB_STATUS_OK,
            .element = reserve->element,
            .out_fp32 = reserve->out_fp32,
        };
    buffer->lines += last + 1;
}

int moehub_reduction_buffer_reserve(struct moehub_reduction_buffer *buffer,
                                    const struct moehub_reduction_reserve *reserve,
                                    struct moehub_reduction_grant *grant)
{
    if (buffer->free_count == 0)
        return MOEHUB_E_STATE;
    buffer->counters[MOEHUB_REDUCTION_EVENT_REQUESTS]++;
    *grant = (struct moehub_reduction_grant){.status = (uint8_t)reserve_status(buffer, reserve)};
    if (grant->status != MOEHUB_STATUS_OK) {
        offend_reserve(buffer, reserve, grant->status - MOEHUB_STATUS_DRAINING + MOEHUB_REDUCTION_CAUSE_DRAINING);
        return 0;
    }
    buffer->counters[MOEHUB_REDUCTION_EVENT_RESERVATIONS]++;
    grant->entry = (uint16_t)(take_free(buffer) * buffer->config.request_lines);
    struct moehub_reduction_group *group = group_of(buffer, grant->entry);
    grant->generation = next_generation(buffer, group);
    *group = (struct moehub_reduction_group){
        .generation = grant->generation,
        .used = true,
        .copied = buffer->config.with_release != 0,
    };
    open_lines(buffer, lines_of(buffer, grant->entry), reserve);
    return 0;
}

/* ---- partials ------------------------------------------------------------------------ */

/* The first check that a partial fails. */
static unsigned partial_cause(const struct moehub_reduction_buffer *buffer,
                              const struct moehub_reduction_partial *partial)
{
    if (partial->entry >= buffer->config.entries)
        return MOEHUB_REDUCTION_CAUSE_ENTRY;
    const struct moehub_reduction_entry *entry = &buffer->entries[partial->entry];
    if (entry->state != MOEHUB_REDUCTION_OPEN || group_of(buffer, partial->entry)->generation != partial->generation)
        return MOEHUB_REDUCTION_CAUSE_STALE;
    if ((entry->contributors >> partial->port & 1) == 0)
        return MOEHUB_REDUCTION_CAUSE_FOREIGN;
    if ((entry->missing >> partial->port & 1) == 0)
        return MOEHUB_REDUCTION_CAUSE_DUPLICATE;
    if (partial->status != MOEHUB_STATUS_OK)
        return MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS;
    if (partial->element != entry->element)
        return MOEHUB_REDUCTION_CAUSE_PARTIAL_TYPE;
    const uint32_t flit = buffer->config.flit_bytes;
    if (partial->length != entry->length || partial->flits != (partial->length + flit - 1) / flit)
        return MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH;
    return MOEHUB_REDUCTION_NO_CAUSE;
}

/* PARTIAL before TYPE before LENGTH, which is not the order of their codes. */
static unsigned failure_rank(unsigned status)
{
    switch (status) {
    case MOEHUB_STATUS_PARTIAL:
        return 0;
    case MOEHUB_STATUS_TYPE:
        return 1;
    case MOEHUB_STATUS_LENGTH:
        return 2;
    default:
        return 3;
    }
}

static void fail_entry(struct moehub_reduction_entry *entry, unsigned cause)
{
    const unsigned status = cause == MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS ? MOEHUB_STATUS_PARTIAL
                            : cause == MOEHUB_REDUCTION_CAUSE_PARTIAL_TYPE ? MOEHUB_STATUS_TYPE
                                                                           : MOEHUB_STATUS_LENGTH;
    if (failure_rank(status) < failure_rank(entry->failure))
        entry->failure = (uint8_t)status;
}

static struct moehub_accumulator_lanes *lanes_of(const struct moehub_reduction_buffer *buffer, unsigned entry)
{
    return buffer->sums->lanes + buffer->sums->stride * entry;
}

static void add_elements(struct moehub_reduction_buffer *buffer, struct moehub_reduction_entry *entry,
                         const struct moehub_reduction_partial *partial)
{
    if (buffer->sums == NULL)
        return;
    struct moehub_accumulator_lanes *lanes = lanes_of(buffer, partial->entry);
    const size_t count = entry->length / moehub_element_size(entry->element);
    if (!entry->summed)
        moehub_accumulate_empty_row(lanes, count, entry->element);
    entry->summed = true;
    moehub_accumulate_add_row(&buffer->sums->arithmetic, lanes, entry->element, partial->data, count);
}

unsigned moehub_reduction_buffer_partial(struct moehub_reduction_buffer *buffer,
                                         const struct moehub_reduction_partial *partial)
{
    buffer->counters[MOEHUB_REDUCTION_EVENT_PARTIALS]++;
    const unsigned cause = partial_cause(buffer, partial);
    if (cause != MOEHUB_REDUCTION_NO_CAUSE)
        offend_partial(buffer, partial, cause);
    if (cause <= MOEHUB_REDUCTION_CAUSE_DUPLICATE)
        return cause;
    struct moehub_reduction_entry *entry = &buffer->entries[partial->entry];
    if (cause == MOEHUB_REDUCTION_NO_CAUSE)
        add_elements(buffer, entry, partial);
    else
        fail_entry(entry, cause);
    entry->missing &= ~(UINT64_C(1) << partial->port);
    if (entry->missing == 0)
        entry->state = MOEHUB_REDUCTION_COMPLETE;
    return cause;
}

/* ---- timeout ------------------------------------------------------------------------- */

int moehub_reduction_buffer_timeout(struct moehub_reduction_buffer *buffer, unsigned entry)
{
    if (entry >= buffer->config.entries || buffer->entries[entry].state != MOEHUB_REDUCTION_OPEN)
        return MOEHUB_E_STATE;
    buffer->entries[entry].state = MOEHUB_REDUCTION_TIMED_OUT;
    group_of(buffer, entry)->timed_out = true;
    const struct moehub_header header = {
        .type = MOEHUB_PACKET_RESULT,
        .tag = moehub_entry_tag(entry, 0),
        .status = MOEHUB_STATUS_TIMEOUT,
    };
    offend(buffer, MOEHUB_REDUCTION_CAUSE_TIMEOUT, &header, 0);
    return 0;
}

/* ---- results ------------------------------------------------------------------------- */

bool moehub_reduction_buffer_result_available(const struct moehub_reduction_buffer *buffer, unsigned entry)
{
    return entry < buffer->config.entries && (buffer->entries[entry].state == MOEHUB_REDUCTION_COMPLETE ||
                                              buffer->entries[entry].state == MOEHUB_REDUCTION_TIMED_OUT);
}

static unsigned result_status(const struct moehub_reduction_entry *entry)
{
    return entry->state == MOEHUB_REDUCTION_TIMED_OUT ? MOEHUB_STATUS_TIMEOUT : entry->failure;
}

static void fill_data(const struct moehub_reduction_buffer *buffer, const struct moehub_reduction_entry *entry,
                      struct moehub_reduction_result *result)
{
    if (buffer->sums == NULL)
        return;
    if (result->status == MOEHUB_STATUS_OK)
        moehub_finalize_row(&buffer->sums->arithmetic, lanes_of(buffer, result->entry), entry->element,
                            entry->out_fp32, result->data, entry->length / moehub_element_size(entry->element));
    memset(result->data + result->length, 0, (size_t)result->flits * buffer->config.flit_bytes - result->length);
}

int moehub_reduction_buffer_result_peek(const struct moehub_reduction_buffer *buffer, unsigned index,
                                        struct moehub_reduction_result *result)
{
    if (!moehub_reduction_buffer_result_available(buffer, index))
        return MOEHUB_E_STATE;
    const struct moehub_reduction_entry *entry = &buffer->entries[index];
    const unsigned flit = buffer->config.flit_bytes;
    result->tag = entry->tag;
    result->requester = entry->requester;
    result->entry = (uint16_t)index;
    result->status = (uint8_t)result_status(entry);
    result->element = entry->out_fp32 ? MOEHUB_ELEMENT_FP32 : entry->element;
    result->length = 0;
    result->flits = 1;
    if (result->status == MOEHUB_STATUS_OK) {
        const unsigned growth = moehub_element_size(result->element) / moehub_element_size(entry->element);
        result->length = (uint16_t)(entry->length * growth);
        result->flits = (uint16_t)((result->length + flit - 1) / flit);
    }
    fill_data(buffer, entry, result);
    return 0;
}

int moehub_reduction_buffer_result_taken(struct moehub_reduction_buffer *buffer, unsigned entry,
                                         struct moehub_reduction_result *result)
{
    if (!moehub_reduction_buffer_result_available(buffer, entry))
        return MOEHUB_E_STATE;
    if (result != NULL)
        moehub_reduction_buffer_result_peek(buffer, entry, result);
    const bool good = result_status(&buffer->entries[entry]) == MOEHUB_STATUS_OK;
    buffer->counters[good ? MOEHUB_REDUCTION_EVENT_RESULTS : MOEHUB_REDUCTION_EVENT_RESULT_ERRORS]++;
    buffer->entries[entry].state = MOEHUB_REDUCTION_DONE;
    if (!moehub_reduction_buffer_has_groups(&buffer->config))
        moehub_reduction_buffer_freed(buffer, entry);
    return 0;
}

/* ---- commands ------------------------------------------------------------------------ */

/* With a quarantine twice the timeout is a time too, and a copy must not wait in the switch longer than the timeout. */
static bool is_timeout(const struct moehub_reduction_buffer *buffer, uint32_t timeout)
{
    return buffer->config.quarantine == 0 || timeout == 0 ||
           moehub_within(timeout, buffer->port_timeout, QUARANTINED_TIMEOUT_MAX);
}

/* Returns whether it is refused. */
static bool carry_out(struct moehub_reduction_buffer *buffer, unsigned operation, uint32_t data)
{
    switch (operation) {
    case MOEHUB_REDUCTION_COMMAND_DRAIN:
        buffer->draining = true;
        return false;
    case MOEHUB_REDUCTION_COMMAND_RESUME:
        buffer->draining = false;
        return false;
    case MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET:
        if (!is_timeout(buffer, data))
            return true;
        buffer->timeout = data;
        return false;
    case MOEHUB_REDUCTION_COMMAND_FLUSH:
        if (moehub_reduction_buffer_occupancy(buffer) != 0)
            return true;
        empty(buffer);
        return false;
    default:
        return true;
    }
}

bool moehub_reduction_buffer_command(struct moehub_reduction_buffer *buffer, unsigned operation, uint32_t data)
{
    const bool refused = carry_out(buffer, operation, data);
    if (refused) {
        const struct moehub_header header = {.type = (uint8_t)operation};
        offend(buffer, MOEHUB_REDUCTION_CAUSE_COMMAND, &header, 0);
    }
    return refused;
}

/* ---- invariants ---------------------------------------------------------------------- */

/* Each line of a group is free, or none is. */
static bool group_is_free(const struct moehub_reduction_buffer *buffer, uint32_t group, bool free)
{
    const struct moehub_reduction_entry *lines = &buffer->entries[group * buffer->config.request_lines];
    for (uint32_t line = 0; line < buffer->config.request_lines; line++)
        if ((lines[line].state == MOEHUB_REDUCTION_FREE) != free)
            return false;
    return true;
}

static bool free_list_is_valid(const struct moehub_reduction_buffer *buffer)
{
    bool listed[4096] = {false};
    for (uint32_t i = 0; i < buffer->free_count; i++) {
        const uint16_t group = buffer->free_list[(buffer->free_head + i) % group_count(buffer)];
        if (group >= group_count(buffer) || listed[group])
            return false;
        listed[group] = true;
    }
    for (uint32_t group = 0; group < group_count(buffer); group++)
        if (!group_is_free(buffer, group, listed[group]))
            return false;
    return true;
}

static bool entry_is_valid(const struct moehub_reduction_entry *entry)
{
    switch (entry->state) {
    case MOEHUB_REDUCTION_OPEN:
        return entry->missing != 0 && (entry->missing & ~entry->contributors) == 0;
    case MOEHUB_REDUCTION_COMPLETE:
        return entry->missing == 0;
    default:
        return true;
    }
}

bool moehub_reduction_buffer_is_valid(const struct moehub_reduction_buffer *buffer)
{
    const uint64_t *count = buffer->counters;
    uint64_t refused = 0, left = 0;
    for (unsigned cause = MOEHUB_REDUCTION_CAUSE_DRAINING; cause <= MOEHUB_REDUCTION_CAUSE_LENGTH; cause++)
        refused += count[MOEHUB_REDUCTION_EVENT_CAUSES + cause];
    for (uint32_t entry = 0; entry < buffer->config.entries; entry++) {
        if (!entry_is_valid(&buffer->entries[entry]))
            return false;
        left += buffer->entries[entry].state == MOEHUB_REDUCTION_OPEN ||
                moehub_reduction_buffer_result_available(buffer, entry);
    }
    return free_list_is_valid(buffer) &&
           count[MOEHUB_REDUCTION_EVENT_REQUESTS] == count[MOEHUB_REDUCTION_EVENT_RESERVATIONS] + refused &&
           buffer->lines == count[MOEHUB_REDUCTION_EVENT_RESULTS] + count[MOEHUB_REDUCTION_EVENT_RESULT_ERRORS] + left;
}
