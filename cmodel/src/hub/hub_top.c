/* SPDX-License-Identifier: Apache-2.0 */
/* The whole hub: its parts, and software's calls. */
#include "hub/hub_top_parts.h"

#include "hub/packet_manager_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BINS = 3,
    PARTS = 2,
    ROW_SLACK = 24,          /* rows whose packets are in the loop-back's line buffer and streams */
    STORE_SLACK = 32,
    REQUEST_SLACK = 8,
    PARTIALS = 512,          /* PARTIAL_ROWS is at most 256 */
    OFFENDERS = 4,           /* that a call of the way's model tells */
    LOOP_STORE_FLITS = 3
};

/* ---- what is wrong --------------------------------------------------------------------------------------------------------- */

int hub_top_wrong(struct moehub_hub_top *hub, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(hub->why.text, sizeof hub->why.text, format, arguments);
    va_end(arguments);
    return MOEHUB_E_STATE;
}

int hub_top_full(struct moehub_hub_top *hub, const char *what)
{
    hub_top_wrong(hub, "more %s are inside than such a hub holds", what);
    return MOEHUB_E_LIMIT;
}

int hub_top_compare(struct moehub_hub_top *hub, const char *what, const struct moehub_flit *came, unsigned came_count,
                    const struct moehub_flit *expected, unsigned expected_count)
{
    for (unsigned i = 0; i < came_count && i < expected_count; i++)
        if (!moehub_flit_equal(came[i], expected[i]))
            return hub_top_wrong(hub, "%s: flit %u is %016llx%016llx, expected %016llx%016llx", what, i,
                                 (unsigned long long)came[i].half[1], (unsigned long long)came[i].half[0],
                                 (unsigned long long)expected[i].half[1], (unsigned long long)expected[i].half[0]);
    if (came_count != expected_count)
        return hub_top_wrong(hub, "%s: it has %u flits, expected %u", what, came_count, expected_count);
    return 0;
}

int hub_top_compare_leaving(struct moehub_hub_top *hub, const char *what, const struct hub_top_leaving *packet,
                            const struct moehub_flit *expected, unsigned expected_count)
{
    const bool part = packet->cut && packet->count < expected_count;
    return hub_top_compare(hub, what, packet->flits, packet->count, expected, part ? packet->count : expected_count);
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

struct moehub_hub_top_config moehub_hub_top_config_default(void)
{
    return (struct moehub_hub_top_config){.links = 1,
                                          .gpus = 8,
                                          .contexts = 4,
                                          .local_expert_bits = 8,
                                          .local_experts = 64,
                                          .max_targets = 32,
                                          .request_lines = 8,
                                          .row_index_width = 20,
                                          .slot_width = 22,
                                          .offset_width = 14,
                                          .address_width = 48,
                                          .sets = 128,
                                          .places = {2048, 256, 1024},
                                          .loop_places = 64,
                                          .answers = 128,
                                          .request_answers = 64,
                                          .writes = 256,
                                          .tiles = 1024,
                                          .tokens = 4096,
                                          .rows = 32,
                                          .store_bytes = 32,
                                          .final_groups = 13,
                                          .with_fp32 = 1};
}

/* Blocks that check their own parameters. */
static int create_blocks(struct moehub_hub_top *hub)
{
    const struct moehub_hub_top_config *config = &hub->config;
    struct moehub_address_path_config addresses = moehub_address_path_config_default();
    struct moehub_packet_manager_config manager = moehub_packet_manager_config_default();
    const struct moehub_reduce_request_config reduces = {
        .links = 1,
        .gpus = config->gpus,
        .contexts = config->contexts,
        .local_expert_bits = config->local_expert_bits,
        .max_targets = config->max_targets,
        .request_lines = config->request_lines,
        .address_width = config->address_width,
        .final_groups = 1,
        .with_fp32 = config->with_fp32,
        .own = config->own,
    };
    addresses.contexts = config->contexts;
    addresses.local_experts = config->local_experts;
    addresses.gpus = config->gpus;
    addresses.row_index_width = config->row_index_width;
    addresses.slot_width = config->slot_width;
    addresses.offset_width = config->offset_width;
    addresses.address_width = config->address_width;
    addresses.sets = config->sets;
    addresses.stages = 2;
    manager.gpus = config->gpus;
    manager.contexts = config->contexts;
    manager.local_expert_bits = config->local_expert_bits;
    manager.max_targets = config->max_targets;
    manager.offset_width = 7; /* its lines are not used */
    manager.address_width = config->address_width;
    manager.rows = MOEHUB_PACKET_MANAGER_ROWS_MAX;
    manager.own = config->own;
    int error = moehub_addr_alloc_create(&hub->addresses, &addresses);
    if (error == 0)
        error = moehub_packet_manager_create(&hub->manager, &manager);
    if (error == 0)
        error = moehub_reduce_request_init(&hub->reduces, &reduces);
    return error != 0 ? error : moehub_arithmetic_init(&hub->arithmetic, BINS, PARTS);
}

static int create_way(struct moehub_hub_top *hub, unsigned number)
{
    const struct moehub_hub_top_config *config = &hub->config;
    struct moehub_hub_top_way *way = &hub->ways[number];
    const bool loop = number == hub_top_loop(hub);
    const struct moehub_way_config as = {number, config->own, config->contexts, config->local_expert_bits, config->address_width};
    const struct moehub_pre_reduce_config pre_reduce = {config->max_targets, config->address_width, config->with_fp32,
                                                        config->own};
    const struct moehub_check_config check = {.hub = true,
                                              .own = (uint16_t)config->own,
                                              .ports = (uint16_t)config->gpus,
                                              .local_expert_bits = (uint8_t)config->local_expert_bits,
                                              .max_targets = (uint8_t)config->max_targets,
                                              .request_lines = (uint8_t)config->request_lines};
    way->store_room = loop ? 1 : config->places[MOEHUB_CLASS_STORE] / 2 + config->answers + STORE_SLACK;
    way->write_room = config->writes + STORE_SLACK;
    way->served_room = loop ? hub->sum_count : config->places[MOEHUB_CLASS_REQUEST] + config->request_answers + REQUEST_SLACK;
    way->partial_room = PARTIALS;
    way->stores = calloc(way->store_room, sizeof *way->stores);
    way->writes = calloc(way->write_room, sizeof *way->writes);
    way->served = calloc(way->served_room, sizeof *way->served);
    way->partials = calloc(way->partial_room, sizeof *way->partials);
    moehub_link_receiver_reset(&way->receiver, &check);
    if (way->stores == NULL || way->writes == NULL || way->served == NULL || way->partials == NULL)
        return MOEHUB_E_MEMORY;
    const int error = moehub_way_create(&way->way, &as, OFFENDERS);
    return error != 0 ? error : moehub_pre_reduce_init(&way->pre_reduce, &pre_reduce);
}

static int create_row(const struct moehub_hub_top *hub, struct moehub_hub_top_row *row)
{
    const size_t bytes = (size_t)1 << hub->config.offset_width, lines = bytes / MOEHUB_LINE_BYTES;
    row->bytes = calloc(bytes, 1);
    row->order = calloc(bytes, sizeof *row->order);
    row->held = calloc(lines, sizeof *row->held);
    bool there = row->bytes != NULL && row->order != NULL && row->held != NULL;
    for (unsigned kind = 0; kind < MOEHUB_KINDS; kind++) {
        row->sent[kind] = calloc(lines, sizeof *row->sent[kind]);
        there = there && row->sent[kind] != NULL;
    }
    return there ? 0 : MOEHUB_E_MEMORY;
}

static int create_parts(struct moehub_hub_top *hub)
{
    const struct moehub_hub_top_config *config = &hub->config;
    hub->row_count = config->rows + config->loop_places / LOOP_STORE_FLITS + ROW_SLACK;
    hub->sum_count = MOEHUB_REDUCES_MAX + config->links * config->final_groups;
    hub->rows = calloc(hub->row_count, sizeof *hub->rows);
    hub->sums = calloc(hub->sum_count, sizeof *hub->sums);
    hub->tiles = calloc(config->tiles, sizeof *hub->tiles);
    hub->finished = calloc(config->tiles, sizeof *hub->finished);
    hub->tokens = calloc(config->tokens, sizeof *hub->tokens);
    hub->last_of_set = calloc(config->sets, sizeof *hub->last_of_set);
    if (hub->rows == NULL || hub->sums == NULL || hub->tiles == NULL || hub->finished == NULL || hub->tokens == NULL ||
        hub->last_of_set == NULL)
        return MOEHUB_E_MEMORY;
    int error = create_blocks(hub);
    for (uint32_t i = 0; i < hub->row_count && error == 0; i++)
        error = create_row(hub, &hub->rows[i]);
    for (unsigned way = 0; way <= hub_top_loop(hub) && error == 0; way++)
        error = create_way(hub, way);
    for (unsigned i = 0; i < config->contexts && error == 0; i++) {
        hub->contexts[i].regions = calloc(config->local_experts, sizeof *hub->contexts[i].regions);
        error = hub->contexts[i].regions == NULL ? MOEHUB_E_MEMORY : 0;
    }
    return error;
}

static bool is_legal(const struct moehub_hub_top_config *config)
{
    return config->links >= 1 && config->links < MOEHUB_HUB_TOP_WAYS && config->contexts <= MOEHUB_HUB_TOP_CONTEXTS &&
           config->gpus <= MOEHUB_HUB_TOP_GPUS && config->own < config->gpus && config->rows >= 1 &&
           config->rows <= MOEHUB_PACKET_MANAGER_ROWS_MAX && config->offset_width >= 7 && config->offset_width <= 16 &&
           config->tiles <= 65536 && config->tokens <= 65536 && config->final_groups >= 1 && config->final_groups <= 4096 &&
           config->local_experts <= 1u << config->local_expert_bits && config->sets >= 1 && config->sets <= 4096 &&
           (config->sets & (config->sets - 1)) == 0;
}

int moehub_hub_top_create(struct moehub_hub_top *hub, const struct moehub_hub_top_config *config)
{
    memset(hub, 0, sizeof *hub);
    hub->config = *config;
    const int error = is_legal(config) ? create_parts(hub) : MOEHUB_E_ARGUMENT;
    if (error != 0)
        moehub_hub_top_destroy(hub);
    return error;
}

static void destroy_region(struct moehub_hub_top_region *region)
{
    free(region->rows);
    free(region->slots);
    free(region->entries);
}

static void destroy_context(struct moehub_hub_top *hub, struct moehub_hub_top_context *context)
{
    for (unsigned expert = 0; expert < hub->config.local_experts && context->regions != NULL; expert++)
        destroy_region(&context->regions[expert]);
    free(context->regions);
}

static void destroy_row(struct moehub_hub_top_row *row)
{
    free(row->bytes);
    free(row->order);
    free(row->held);
    for (unsigned kind = 0; kind < MOEHUB_KINDS; kind++)
        free(row->sent[kind]);
}

static void destroy_way(struct moehub_hub_top_way *way)
{
    free(way->stores);
    free(way->writes);
    free(way->served);
    free(way->partials);
    moehub_way_destroy(&way->way);
}

void moehub_hub_top_destroy(struct moehub_hub_top *hub)
{
    if (hub == NULL)
        return;
    for (unsigned i = 0; i < MOEHUB_HUB_TOP_CONTEXTS; i++)
        destroy_context(hub, &hub->contexts[i]);
    for (uint32_t i = 0; i < hub->row_count && hub->rows != NULL; i++)
        destroy_row(&hub->rows[i]);
    for (unsigned way = 0; way < MOEHUB_HUB_TOP_WAYS; way++)
        destroy_way(&hub->ways[way]);
    moehub_addr_alloc_destroy(&hub->addresses);
    moehub_packet_manager_destroy(&hub->manager);
    free(hub->rows);
    free(hub->sums);
    free(hub->tiles);
    free(hub->finished);
    free(hub->tokens);
    free(hub->last_of_set);
    memset(hub, 0, sizeof *hub);
}

/* ---- contexts ------------------------------------------------------------------------------------------------------------ */

int moehub_hub_top_open(struct moehub_hub_top *hub, unsigned number, const struct moehub_context_shape *shape)
{
    struct moehub_hub_top_context *context = &hub->contexts[number];
    if (number >= hub->config.contexts || context->enabled || shape->tile_first + shape->tile_count > hub->config.tiles ||
        (shape->counts_tokens && shape->token_first + (UINT64_C(1) << shape->owner_shift) > hub->config.tokens))
        return MOEHUB_E_ARGUMENT;
    context->shape = *shape;
    context->row_limit = hub->config.gpus << shape->owner_shift;
    for (unsigned expert = 0; expert < hub->config.local_experts; expert++)
        context->regions[expert].bound = (struct moehub_hub_region){.capacity = 0};
    return 0;
}

int moehub_hub_top_region(struct moehub_hub_top *hub, unsigned number, unsigned expert, const struct moehub_hub_region *bound)
{
    struct moehub_hub_top_context *context = &hub->contexts[number];
    if (number >= hub->config.contexts || expert >= hub->config.local_experts || context->enabled ||
        bound->capacity > UINT64_C(1) << context->shape.list_shift ||
        bound->tile_first + bound->tile_count > context->shape.tile_count)
        return MOEHUB_E_ARGUMENT;
    struct moehub_hub_top_region *region = &context->regions[expert];
    destroy_region(region);
    region->bound = *bound;
    region->rows = calloc((size_t)bound->capacity + 1, sizeof *region->rows);
    region->slots = calloc(context->row_limit, sizeof *region->slots);
    region->entries = calloc(context->row_limit, sizeof *region->entries);
    return region->rows != NULL && region->slots != NULL && region->entries != NULL ? 0 : MOEHUB_E_MEMORY;
}

/* ---- a round begins -------------------------------------------------------------------------------------------------------- */

static void start_regions(struct moehub_hub_top *hub, unsigned number)
{
    struct moehub_hub_top_context *context = &hub->contexts[number];
    for (unsigned expert = 0; expert < hub->config.local_experts; expert++) {
        struct moehub_hub_top_region *region = &context->regions[expert];
        *moehub_addr_alloc_region(&hub->addresses, number, expert) = (struct moehub_region){
            .base = region->bound.base[0], .combine_base = region->bound.base[1], .capacity = region->bound.capacity};
        region->announced = region->end = 0;
        if (region->rows != NULL)
            memset(region->rows, 0, region->bound.capacity * sizeof *region->rows);
        if (region->slots != NULL)
            memset(region->slots, 0, context->row_limit * sizeof *region->slots);
        if (region->entries != NULL)
            memset(region->entries, 0, context->row_limit * sizeof *region->entries);
    }
}

static void start_addresses(struct moehub_hub_top *hub, unsigned number)
{
    const struct moehub_hub_top_context *context = &hub->contexts[number];
    struct moehub_context *of = &hub->addresses.contexts[number];
    *of = (struct moehub_context){.row_limit = context->row_limit,
                                  .row_size = context->shape.row_bytes[0],
                                  .combine_row_size = context->shape.row_bytes[1],
                                  .enabled = true};
    of->peers[0] = (uint32_t)context->shape.peers;
    of->peers[1] = (uint32_t)(context->shape.peers >> 32);
}

static void start_blocks(struct moehub_hub_top *hub, unsigned number)
{
    const struct moehub_hub_top_context *context = &hub->contexts[number];
    const struct moehub_context_shape *shape = &context->shape;
    const uint8_t shift = (uint8_t)shape->owner_shift;
    for (unsigned way = 0; way <= hub_top_loop(hub); way++)
        hub->ways[way].way.contexts[number] = (struct moehub_way_context){.enabled = true,
                                                                          .round = context->round,
                                                                          .owner_shift = shift,
                                                                          .list_shift = (uint8_t)shape->list_shift,
                                                                          .peers = shape->peers,
                                                                          .list_base = shape->list};
    hub->manager.contexts[number] = (struct moehub_packet_manager_context){.enabled = true,
                                                                           .round = context->round,
                                                                           .owner_shift = shift,
                                                                           .row_size = shape->row_bytes[0],
                                                                           .peers = shape->peers};
    hub->reduces.contexts[number] = (struct moehub_reduce_context){.enabled = true,
                                                                   .round = context->round,
                                                                   .owner_shift = shift,
                                                                   .row_size = shape->row_bytes[1],
                                                                   .peers = shape->peers};
}

static void start_tracker(struct moehub_hub_top *hub, struct moehub_hub_top_context *context)
{
    const struct moehub_context_shape *shape = &context->shape;
    memset(&hub->tiles[shape->tile_first], 0, shape->tile_count * sizeof *hub->tiles);
    memset(context->peers, 0, sizeof context->peers);
    if (shape->counts_tokens)
        memset(&hub->tokens[shape->token_first], 0, sizeof *hub->tokens << shape->owner_shift);
}

int moehub_hub_top_start(struct moehub_hub_top *hub, unsigned number, unsigned round)
{
    struct moehub_hub_top_context *context = &hub->contexts[number];
    if (number >= hub->config.contexts || context->enabled)
        return MOEHUB_E_ARGUMENT;
    context->round = (uint8_t)(round % 16);
    context->closing = context->time_is_up = context->settled = context->told = false;
    context->disabling = context->doubtful = context->own_late = false;
    context->arrived = context->failed = context->aborted = MOEHUB_HUB_TOP_NO;
    context->finished = context->taken = context->epoch = 0;
    hub_top_table_forget(hub, number);
    start_tracker(hub, context);
    start_regions(hub, number);
    start_addresses(hub, number);
    start_blocks(hub, number);
    context->enabled = true;
    return 0;
}

/* ---- a round ends -------------------------------------------------------------------------------------------------------- */

/* The hub may take a row that the GPU gave when it has been told, and refuse it. */
static void doubt_rows(struct moehub_hub_top *hub, unsigned number)
{
    for (unsigned i = 0; i < hub->manager.opening_count; i++) {
        const unsigned place = packet_manager_opening(&hub->manager, i);
        hub->row_doubtful[place] = hub->row_doubtful[place] || hub->manager.rows[place].row.context == number;
    }
}

int moehub_hub_top_close(struct moehub_hub_top *hub, unsigned number)
{
    if (number >= hub->config.contexts || !hub->contexts[number].enabled)
        return MOEHUB_E_ARGUMENT;
    doubt_rows(hub, number);
    hub->contexts[number].closing = hub->manager.contexts[number].closing = true;
    return 0;
}

int moehub_hub_top_abort(struct moehub_hub_top *hub, unsigned number)
{
    if (number >= hub->config.contexts || !hub->contexts[number].enabled)
        return MOEHUB_E_ARGUMENT;
    doubt_rows(hub, number);
    hub->contexts[number].closing = true;
    hub->contexts[number].aborted = MOEHUB_HUB_TOP_MAYBE;
    hub_top_flag(hub, number, MOEHUB_HUB_TOP_YES);
    hub_top_rows_abort(hub, number);
    return 0;
}

void moehub_hub_top_aborted(struct moehub_hub_top *hub, unsigned number)
{
    hub->contexts[number].aborted = MOEHUB_HUB_TOP_YES;
    hub->manager.contexts[number].closing = true;
}

void moehub_hub_top_time_is_up(struct moehub_hub_top *hub, unsigned number)
{
    hub->contexts[number].time_is_up = true;
}

void moehub_hub_top_disable(struct moehub_hub_top *hub, unsigned number)
{
    hub->contexts[number].disabling = true;
    doubt_rows(hub, number);
    hub_top_stores_doubt(hub, number);
    hub_top_served_doubt(hub, number);
    hub_top_own_notifies_doubt(hub, number);
}

static int notices_left_over(struct moehub_hub_top *hub, unsigned number)
{
    const struct moehub_hub_top_context *context = &hub->contexts[number];
    for (uint32_t i = 0; i < hub->notice_count; i++)
        if (moehub_header_unpack(hub->notices[i]).context == number)
            return hub_top_wrong(hub, "%u notifies have not left", hub->notice_count);
    for (uint32_t i = 0; i < hub->notifying_count; i++)
        if (hub->notifying[(hub->notifying_first + i) % MOEHUB_HUB_TOP_TILES_AHEAD].context == number)
            return hub_top_wrong(hub, "the row lists of %u tiles were not read to their ends", hub->notifying_count);
    if (context->taken != context->finished && !context->doubtful)
        return hub_top_wrong(hub, "the row lists of %u finished tiles were not read", context->finished - context->taken);
    return 0;
}

static int left_over(struct moehub_hub_top *hub, unsigned number)
{
    hub_top_loop_refused(hub, number);
    int error = hub_top_rows_left_over(hub, number);
    if (error == 0)
        error = hub_top_writes_left_over(hub, number);
    if (error == 0)
        error = hub_top_tiles_left_over(hub, number);
    if (error == 0)
        error = notices_left_over(hub, number);
    if (error == 0)
        error = hub_top_served_left_over(hub, number);
    if (error == 0)
        error = hub_top_table_left_over(hub, number);
    return error != 0 ? error : hub_top_sums_left_over(hub, number);
}

int moehub_hub_top_stop(struct moehub_hub_top *hub, unsigned number)
{
    if (number >= hub->config.contexts || !hub->contexts[number].enabled)
        return MOEHUB_E_ARGUMENT;
    const int error = left_over(hub, number);
    if (hub->contexts[number].closing && !hub->contexts[number].settled)
        hub_top_event(hub, MOEHUB_WINDOW_CONTROL, MOEHUB_HUB_CONTROL_CSR_INTERRUPT_STATUS_ARRIVED, MOEHUB_HUB_TOP_MAYBE);
    hub->contexts[number].disabling = false;
    hub->contexts[number].enabled = hub->addresses.contexts[number].enabled = false;
    hub->manager.contexts[number] = (struct moehub_packet_manager_context){.clean = true};
    hub->reduces.contexts[number].enabled = false;
    for (unsigned way = 0; way <= hub_top_loop(hub); way++)
        hub->ways[way].way.contexts[number].enabled = false;
    return error;
}
