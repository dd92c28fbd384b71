/* SPDX-License-Identifier: Apache-2.0 */
/* The address path by a plain reading of its specification: maps instead of tables, a recursive tree, long division. */
#ifndef MOEHUB_TESTS_ADDRESS_ORACLE_H
#define MOEHUB_TESTS_ADDRESS_ORACLE_H

#include "moehub/al_walker.h"
#include "moehub/hub.h"
#include "common/support.h"

/* ---- a map from numbers to numbers, by brute force ------------------------------------ */

struct pair {
    uint64_t key;
    uint64_t value;
};

struct map {
    struct pair *pairs;
    size_t count;
    size_t capacity;
};

static inline uint64_t *map_find(const struct map *map, uint64_t key)
{
    for (size_t i = 0; i < map->count; i++)
        if (map->pairs[i].key == key)
            return &map->pairs[i].value;
    return NULL;
}

static inline void map_set(struct map *map, uint64_t key, uint64_t value)
{
    uint64_t *old = map_find(map, key);
    if (old != NULL) {
        *old = value;
        return;
    }
    if (map->count == map->capacity) {
        map->capacity = 2 * map->capacity + 16;
        map->pairs = realloc(map->pairs, map->capacity * sizeof *map->pairs);
        assert_non_null(map->pairs);
    }
    map->pairs[map->count++] = (struct pair){key, value};
}

static inline void map_free(struct map *map)
{
    free(map->pairs);
    *map = (struct map){NULL, 0, 0};
}

/* ---- set index: long division, one bit at a time, most significant first ---------------- */

static inline unsigned bits_for(uint64_t values)
{
    unsigned bits = 0;
    while (values > UINT64_C(1) << bits)
        bits++;
    return bits;
}

static inline unsigned oracle_set(const struct moehub_address_path_config *config, uint64_t context, uint64_t expert,
                                  uint64_t row)
{
    static const unsigned polynomials[] = {0, 0x3, 0x7, 0xD, 0x19, 0x3B, 0x67, 0xCB, 0x1CF, 0x2A3, 0x637, 0xFAD, 0x107D};
    const unsigned degree = bits_for(config->sets);
    const unsigned expert_width = config->local_experts == 1 ? 1 : bits_for(config->local_experts);
    const uint64_t key = row + (expert << config->row_index_width) + (context << config->row_index_width << expert_width);
    unsigned remainder = 0;
    if (degree == 0)
        return 0;
    for (int bit = 63; bit >= 0; bit--) {
        remainder = remainder << 1 | (unsigned)(key >> bit & 1);
        if (remainder >> degree)
            remainder ^= polynomials[degree];
    }
    return remainder;
}

/* ---- cache ------------------------------------------------------------------------------- */

enum line_state { LINE_INVALID, LINE_MAPPED, LINE_UNMAPPED, LINE_BAD };

struct oracle_line {
    enum line_state state;
    unsigned context;
    unsigned expert;
    uint32_t row;
    uint32_t epoch;
    uint32_t slot;
};

struct oracle_set {
    struct oracle_line lines[8];
    bool upper_next[8];   /* tree node: the victim is in the upper half */
    unsigned fifo;
};

/* Nodes are visited by halving the range of ways; node's children are 2n+1 and 2n+2. */
static inline unsigned oracle_tree_victim(const struct oracle_set *set, unsigned node, unsigned low, unsigned high)
{
    if (high - low == 1)
        return low;
    const unsigned middle = (low + high) / 2;
    return set->upper_next[node] ? oracle_tree_victim(set, 2 * node + 2, middle, high)
                                 : oracle_tree_victim(set, 2 * node + 1, low, middle);
}

static inline void oracle_tree_use(struct oracle_set *set, unsigned node, unsigned low, unsigned high, unsigned way)
{
    if (high - low == 1)
        return;
    const unsigned middle = (low + high) / 2;
    set->upper_next[node] = way < middle;
    if (way < middle)
        oracle_tree_use(set, 2 * node + 1, low, middle, way);
    else
        oracle_tree_use(set, 2 * node + 2, middle, high, way);
}

/* ---- the whole -------------------------------------------------------------------------------- */

struct oracle_context {
    bool enabled, clear_needed, advance_needed;
    uint32_t epoch;
    uint64_t table_base, row_limit, row_size;
    uint64_t read_row_size;         /* with two stages: of reads */
    bool peers[1024];
    struct { uint64_t base, capacity, next, read_base; } regions[1024];
};

struct oracle_offender {
    unsigned cause, type, first, length, source, context, status, offset, expert, port;
    uint32_t tag, row;
};

struct oracle {
    struct moehub_address_path_config config;
    struct oracle_context contexts[8];
    struct oracle_set sets[4096];
    struct map table;               /* byte address -> entry; absent: 0 */
    moehub_al_fault *fault;
    void *fault_user;
    uint64_t window_first;          /* addresses outside of the window give errors */
    uint64_t window_last;
    uint64_t events[19];
    struct oracle_offender *offenders;
    size_t offender_count;
    size_t offender_capacity;
};

static inline uint64_t low_bits(uint64_t value, unsigned bits)
{
    return bits >= 64 ? value : value % (UINT64_C(1) << bits);
}

static inline void oracle_restart(struct oracle *oracle)
{
    memset(oracle->contexts, 0, sizeof oracle->contexts);
    memset(oracle->sets, 0, sizeof oracle->sets);
    for (unsigned context = 0; context < 8; context++)
        oracle->contexts[context].clear_needed = true;
}

static inline void oracle_blame(struct oracle *oracle, struct oracle_offender offender)
{
    oracle->events[8 + offender.cause]++;
    if (oracle->offender_count == oracle->offender_capacity) {
        oracle->offender_capacity = 2 * oracle->offender_capacity + 16;
        oracle->offenders = realloc(oracle->offenders, oracle->offender_capacity * sizeof *oracle->offenders);
        assert_non_null(oracle->offenders);
    }
    oracle->offenders[oracle->offender_count++] = offender;
}

/* A read has a row size and a base of its own where there are two stages. */
static inline bool oracle_reads_apart(const struct oracle *oracle, const struct moehub_hub_request *request)
{
    return oracle->config.stages == 2 && request->operation == 1;
}

static inline uint64_t oracle_row_size(const struct oracle *oracle, const struct moehub_hub_request *request)
{
    const struct oracle_context *context = &oracle->contexts[request->context];
    return oracle_reads_apart(oracle, request) ? context->read_row_size : context->row_size;
}

static inline uint64_t oracle_address(const struct oracle *oracle, const struct moehub_hub_request *request, uint64_t slot)
{
    const struct oracle_context *context = &oracle->contexts[request->context];
    const bool apart = oracle_reads_apart(oracle, request);
    uint64_t stride = oracle_row_size(oracle, request);
    while (oracle->config.stages == 2 && stride % 128 != 0)
        stride++;
    const uint64_t base = apart ? context->regions[request->expert].read_base : context->regions[request->expert].base;
    return low_bits(base + slot * stride + request->offset, oracle->config.address_width);
}

static inline unsigned oracle_check(const struct oracle *oracle, const struct moehub_hub_request *request)
{
    if (request->context >= oracle->config.contexts || !oracle->contexts[request->context].enabled)
        return MOEHUB_STATUS_CONTEXT;
    const struct oracle_context *context = &oracle->contexts[request->context];
    if (request->source >= oracle->config.gpus || !context->peers[request->source])
        return MOEHUB_STATUS_PEER;
    if (request->expert >= oracle->config.local_experts || context->regions[request->expert].capacity == 0)
        return MOEHUB_STATUS_EXPERT;
    const uint64_t end = (uint64_t)request->offset + request->length;
    if (request->row_index >= context->row_limit || request->length == 0 || end > oracle_row_size(oracle, request))
        return MOEHUB_STATUS_RANGE;
    const bool announces = request->operation == 0 && request->first;
    if (announces && context->regions[request->expert].next == context->regions[request->expert].capacity)
        return MOEHUB_STATUS_FULL;
    return MOEHUB_STATUS_OK;
}

static inline uint64_t oracle_entry_address(const struct oracle *oracle, const struct moehub_hub_request *request)
{
    const struct oracle_context *context = &oracle->contexts[request->context];
    return low_bits(context->table_base + 4 * (request->expert * context->row_limit + request->row_index),
                    oracle->config.address_width);
}

static inline bool oracle_access_fails(struct oracle *oracle, uint64_t address, bool write)
{
    oracle->events[write ? 6 : 5]++;
    const bool injected = oracle->fault != NULL && oracle->fault(oracle->fault_user, address, write);
    return injected || address < oracle->window_first || address > oracle->window_last;
}

static inline void oracle_blame_table(struct oracle *oracle, const struct moehub_hub_request *request, unsigned cause)
{
    oracle_blame(oracle, (struct oracle_offender){.cause = cause, .context = request->context, .row = request->row_index,
                                                  .expert = request->expert});
}

/* The line for the request, found or filled; *hit tells which. */
static inline struct oracle_line *oracle_lookup(struct oracle *oracle, const struct moehub_hub_request *request, bool *hit)
{
    const unsigned ways = oracle->config.ways;
    struct oracle_set *set = &oracle->sets[oracle_set(&oracle->config, request->context, request->expert, request->row_index)];
    const uint32_t epoch = oracle->contexts[request->context].epoch;
    unsigned way = ways;
    oracle->events[1]++;
    for (unsigned i = 0; i < ways; i++)
        if (set->lines[i].state != LINE_INVALID && set->lines[i].context == request->context &&
            set->lines[i].expert == request->expert && set->lines[i].row == request->row_index &&
            set->lines[i].epoch == epoch)
            way = i;
    *hit = way < ways;
    oracle->events[*hit ? 2 : 3]++;
    for (unsigned i = ways; i-- > 0 && !*hit;)
        if (set->lines[i].state == LINE_INVALID)
            way = i;
    if (way == ways) {
        oracle->events[4]++;
        if (oracle->config.replacement == 1) {
            way = set->fifo;
            set->fifo = set->fifo == ways - 1 ? 0 : set->fifo + 1;
        } else {
            way = oracle_tree_victim(set, 0, 0, ways);
        }
    }
    if (oracle->config.replacement == 0)
        oracle_tree_use(set, 0, 0, ways, way);
    if (!*hit)
        set->lines[way] = (struct oracle_line){LINE_UNMAPPED, request->context, request->expert, request->row_index, epoch, 0};
    return &set->lines[way];
}

static inline void oracle_announce(struct oracle *oracle, const struct moehub_hub_request *request, struct oracle_line *line)
{
    struct oracle_context *context = &oracle->contexts[request->context];
    const unsigned slot_width = oracle->config.slot_width;
    const uint64_t address = oracle_entry_address(oracle, request);
    line->state = LINE_MAPPED;
    line->slot = (uint32_t)context->regions[request->expert].next++;
    oracle->events[7]++;
    if (oracle_access_fails(oracle, address, false)) {
        oracle_blame_table(oracle, request, MOEHUB_HUB_CAUSE_TABLE_READ);
    } else {
        const uint64_t *entry = map_find(&oracle->table, address);
        if (entry != NULL && *entry >> slot_width == context->epoch)
            oracle_blame_table(oracle, request, MOEHUB_HUB_CAUSE_REPEATED);
    }
    if (oracle_access_fails(oracle, address, true))
        oracle_blame_table(oracle, request, MOEHUB_HUB_CAUSE_TABLE_WRITE);
    else
        map_set(&oracle->table, address, ((uint64_t)context->epoch << slot_width) + line->slot);
}

static inline void oracle_fill(struct oracle *oracle, const struct moehub_hub_request *request, struct oracle_line *line)
{
    const struct oracle_context *context = &oracle->contexts[request->context];
    const unsigned slot_width = oracle->config.slot_width;
    const uint64_t address = oracle_entry_address(oracle, request);
    if (oracle_access_fails(oracle, address, false)) {
        line->state = LINE_BAD;
        oracle_blame_table(oracle, request, MOEHUB_HUB_CAUSE_TABLE_READ);
        return;
    }
    const uint64_t *entry = map_find(&oracle->table, address);
    if (entry == NULL || *entry >> slot_width != context->epoch)
        return;
    line->slot = (uint32_t)low_bits(*entry, slot_width);
    line->state = line->slot < context->regions[request->expert].capacity ? LINE_MAPPED : LINE_BAD;
    if (line->state == LINE_BAD)
        oracle_blame_table(oracle, request, MOEHUB_HUB_CAUSE_TABLE_READ);
}

static inline void oracle_request(struct oracle *oracle, const struct moehub_hub_request *request,
                                  struct moehub_hub_answer *answer)
{
    memset(answer, 0, sizeof *answer);
    answer->tag = low_bits(request->tag, oracle->config.tag_width);
    answer->port = request->port;
    answer->status = (uint8_t)oracle_check(oracle, request);
    oracle->events[0]++;
    if (answer->status == MOEHUB_STATUS_OK) {
        bool hit;
        struct oracle_line *line = oracle_lookup(oracle, request, &hit);
        answer->allocated = request->operation == 0 && request->first;
        if (answer->allocated)
            oracle_announce(oracle, request, line);
        else if (!hit)
            oracle_fill(oracle, request, line);
        if (line->state == LINE_MAPPED) {
            answer->slot = line->slot;
            answer->address = oracle_address(oracle, request, line->slot);
            return;
        }
        answer->status = line->state == LINE_BAD ? MOEHUB_STATUS_MEMORY : MOEHUB_STATUS_UNMAPPED;
    }
    const unsigned length = oracle_reads_apart(oracle, request) ? request->length >> 4 : request->length;
    oracle_blame(oracle, (struct oracle_offender){
        answer->status - 1u, request->operation == 0 ? 1 : 3, request->first, length & 511u, request->source,
        request->context, answer->status, request->offset, request->expert, request->port,
        (uint32_t)low_bits(answer->tag, 24), request->row_index});
}

/* ---- commands: for each the conditions under which it is carried out ----------------------------- */

/* With two stages rows are whole units of 16 bytes, and regions begin with a line. */
static inline bool oracle_multiple(const struct oracle *oracle, uint64_t value, uint64_t unit)
{
    return oracle->config.stages == 1 || value == value / unit * unit;
}

static inline bool oracle_may(const struct oracle *oracle, const struct moehub_hub_command *command, bool in_flight)
{
    const struct moehub_address_path_config *config = &oracle->config;
    bool any_enabled = false;
    for (unsigned i = 0; i < config->contexts; i++)
        any_enabled |= oracle->contexts[i].enabled;
    if (command->operation == 7)
        return !any_enabled && !in_flight;
    if (command->context >= config->contexts || command->operation > (config->stages == 2 ? 11 : 9))
        return false;
    const struct oracle_context *context = &oracle->contexts[command->context];
    const bool quiet = !context->enabled && !in_flight;
    const uint64_t row_size = command->data1 >> 32 & 0x1FFFF;
    switch (command->operation) {
    case 0:
        return quiet && command->data0 % 4 == 0 && command->data0 == low_bits(command->data0, config->address_width) &&
               row_size >= 1 && row_size <= UINT64_C(1) << config->offset_width && oracle_multiple(oracle, row_size, 16) &&
               (command->data1 & 0xFFFFFFFF) <= UINT64_C(1) << config->row_index_width;
    case 1:
        return quiet && 32u * command->index < config->gpus;
    case 2:
        return quiet && command->index < config->local_experts && oracle_multiple(oracle, command->data0, 128) &&
               command->data0 == low_bits(command->data0, config->address_width) &&
               (command->data1 & 0xFFFFFFFF) < UINT64_C(1) << config->slot_width;
    case 3:
        return quiet && !context->clear_needed && !context->advance_needed;
    case 5:
        return quiet && !context->clear_needed;
    case 6:
        return quiet && context->clear_needed;
    case 9:
        return (config->stages == 2 ? command->index % 32768u : command->index) < config->local_experts;
    case 10:
        return quiet && command->index <= 1 && row_size >= 1 && row_size <= UINT64_C(1) << config->offset_width &&
               row_size % 16 == 0;
    case 11:
        return quiet && command->index < config->local_experts && command->data0 % 128 == 0 &&
               command->data0 == low_bits(command->data0, config->address_width);
    default:
        return true;
    }
}

static inline void oracle_forget(struct oracle_context *context)
{
    for (unsigned expert = 0; expert < 1024; expert++)
        context->regions[expert].next = 0;
}

static inline void oracle_drop(struct oracle *oracle, unsigned context)
{
    for (unsigned set = 0; set < oracle->config.sets; set++)
        for (unsigned way = 0; way < oracle->config.ways; way++)
            if (oracle->sets[set].lines[way].context == context)
                oracle->sets[set].lines[way].state = LINE_INVALID;
}

static inline void oracle_advance(const struct oracle *oracle, struct oracle_context *context)
{
    if (context->epoch + UINT64_C(1) == UINT64_C(1) << (32 - oracle->config.slot_width)) {
        context->clear_needed = true;
        return;
    }
    context->epoch++;
    context->advance_needed = false;
    oracle_forget(context);
}

static inline void oracle_command(struct oracle *oracle, const struct moehub_hub_command *command, bool in_flight,
                                  struct moehub_hub_result *result)
{
    memset(result, 0, sizeof *result);
    result->in_flight = in_flight;
    result->refused = !oracle_may(oracle, command, in_flight);
    if (result->refused) {
        oracle_blame(oracle, (struct oracle_offender){.cause = 10, .type = command->operation,
                                                      .context = command->context % 8u, .expert = command->index});
        return;
    }
    struct oracle_context *context = &oracle->contexts[command->context % 8u];
    uint64_t shown;
    switch (command->operation) {
    case 0:
        context->table_base = command->data0;
        context->row_limit = command->data1 & 0xFFFFFFFF;
        context->row_size = context->read_row_size = command->data1 >> 32 & 0x1FFFF;
        context->clear_needed = true;
        break;
    case 1:
        for (unsigned bit = 0; bit < 32 && 32u * command->index + bit < oracle->config.gpus; bit++)
            context->peers[32u * command->index + bit] = command->data0 >> bit & 1;
        break;
    case 2:
        context->regions[command->index].base = context->regions[command->index].read_base = command->data0;
        context->regions[command->index].capacity = command->data1 & 0xFFFFFFFF;
        context->advance_needed = true;
        break;
    case 3:
        context->enabled = true;
        break;
    case 4:
        context->enabled = false;
        break;
    case 5:
        oracle_advance(oracle, context);
        break;
    case 6:
        context->epoch = 1;
        context->clear_needed = false;
        context->advance_needed = false;
        oracle_forget(context);
        oracle_drop(oracle, command->context);
        break;
    case 7:
        oracle_restart(oracle);
        break;
    case 8:
        result->data0 = context->table_base;
        shown = oracle->config.stages == 2 && command->index == 1 ? context->read_row_size : context->row_size;
        result->data1 = context->row_limit + (shown << 32) + ((uint64_t)(context->epoch % 1024) << 49) +
                        ((uint64_t)in_flight << 60) + ((uint64_t)context->advance_needed << 61) +
                        ((uint64_t)context->clear_needed << 62) + ((uint64_t)context->enabled << 63);
        break;
    case 10:
        *(command->index == 0 ? &context->row_size : &context->read_row_size) = command->data1 >> 32 & 0x1FFFF;
        break;
    case 11:
        context->regions[command->index].read_base = command->data0;
        break;
    default: {
        const unsigned expert = oracle->config.stages == 2 ? command->index % 32768u : command->index;
        result->data0 = expert == command->index ? context->regions[expert].base : context->regions[expert].read_base;
        result->data1 = context->regions[expert].capacity + (context->regions[expert].next << 32);
        break;
    }
    }
}

#endif
