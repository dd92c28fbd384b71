/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_software.h"

enum { TABLE_ENTRIES_CLEARED_WHOLE = 1 << 14 };

static uint64_t window_entries(const struct hub_path *path)
{
    return path->flight.table_span / 4;
}

/* Small values, whole ranges and limits, all often. */
static uint64_t draw_size(struct random_source *random, uint64_t maximum)
{
    const unsigned kind = (unsigned)random_below(random, 8);
    uint64_t size = maximum;
    if (kind < 4)
        size = random_range(random, 1, 64);
    else if (kind < 7)
        size = 1 + random_bits(random, 48) % maximum;
    return size < maximum ? size : maximum;
}

void hub_software_create(struct hub_software *software, struct hub_path *path, struct hub_traffic *traffic, const char *stream)
{
    *software = (struct hub_software){.path = path, .traffic = traffic};
    bench_random(&path->bench, &software->random, stream);
}

static bool two_stages(const struct hub_software *software)
{
    return software->path->config.stages == 2;
}

uint32_t hub_software_size(const struct hub_software *software, uint64_t size)
{
    return (uint32_t)(two_stages(software) ? (size + 15) / 16 * 16 : size);
}

uint64_t hub_software_base(const struct hub_software *software, uint64_t base)
{
    return two_stages(software) ? base & ~(uint64_t)(MOEHUB_LINE_BYTES - 1) : base;
}

static uint32_t draw_row_size(struct hub_software *software)
{
    const uint64_t most = UINT64_C(1) << software->path->config.offset_width;
    return hub_software_size(software, draw_size(&software->random, most));
}

struct hub_layout hub_software_layout(struct hub_software *software, unsigned context)
{
    const struct hub_path *path = software->path;
    const uint64_t fit = window_entries(path) / path->config.local_experts;
    uint64_t rows = UINT64_C(1) << path->config.row_index_width;
    if (rows > UINT32_MAX)
        rows = UINT32_MAX;
    struct hub_layout layout;
    layout.row_limit = (uint32_t)draw_size(&software->random, rows < fit ? rows : fit);
    layout.row_size = draw_row_size(software);
    layout.capacity = 0;
    layout.combine_row_size = two_stages(software) && random_chance(&software->random, 7, 8) ? draw_row_size(software) : 0;
    const uint64_t slack = window_entries(path) - (uint64_t)layout.row_limit * path->config.local_experts;
    const uint64_t skip = slack == 0 ? 0 : random_bits(&software->random, 62) % (slack + 1);
    layout.table_base = (hub_flight_table(&path->flight, context) + 4 * skip) & path->flight.address_mask;
    return layout;
}

struct moehub_hub_result hub_software_must(struct hub_software *software, unsigned operation, unsigned context, unsigned index,
                                           uint64_t data0, uint64_t data1)
{
    const struct moehub_hub_result result = hub_path_command(software->path, operation, context, index, data0, data1);
    if (result.refused)
        bench_fail(&software->path->bench, BENCH_MISMATCH, "command %u of context %u was refused", operation, context);
    return result;
}

void hub_software_must_not(struct hub_software *software, unsigned operation, unsigned context, unsigned index, uint64_t data0,
                           uint64_t data1)
{
    if (!hub_path_command(software->path, operation, context, index, data0, data1).refused)
        bench_fail(&software->path->bench, BENCH_MISMATCH, "command %u of context %u was not refused", operation, context);
}

void hub_software_clear(struct hub_software *software, unsigned context)
{
    struct hub_path *path = software->path;
    const struct moehub_context *state = &path->model.alloc.contexts[context];
    const uint64_t entries = (uint64_t)state->row_limit * path->config.local_experts;
    if (entries <= TABLE_ENTRIES_CLEARED_WHOLE)
        for (uint64_t i = 0; i < entries; i++)
            table_image_store(&path->table, (state->table_base + 4 * i) & path->flight.address_mask, 0);
    else
        table_image_clear(&path->table, state->table_base, 4 * entries, path->flight.address_mask);
}

static void set_regions(struct hub_software *software, unsigned context, const struct hub_layout *layout)
{
    const struct moehub_address_path_config *config = &software->path->config;
    const uint32_t largest = (UINT32_C(1) << config->slot_width) - 1;
    for (unsigned expert = 0; expert < config->local_experts; expert++) {
        uint32_t capacity = layout->capacity;
        uint64_t base = (uint64_t)expert * capacity * layout->row_size & software->path->flight.address_mask;
        if (capacity == 0) {
            capacity = random_chance(&software->random, 1, 8) ? 0 : (uint32_t)draw_size(&software->random, largest);
            base = random_bits(&software->random, config->address_width);
        }
        hub_software_must(software, MOEHUB_HUB_COMMAND_REGION_SET, context, expert, hub_software_base(software, base), capacity);
    }
}

/* What the stages have of their own. Some regions have one base, as after REGION_SET. */
static void set_stages(struct hub_software *software, unsigned context, const struct hub_layout *layout)
{
    struct random_source *random = &software->random;
    const struct moehub_address_path_config *config = &software->path->config;
    const uint64_t size = hub_software_size(software, layout->combine_row_size);
    if (size != 0)
        hub_software_must(software, MOEHUB_HUB_COMMAND_STAGE_SET, context, 1, random_next(random),
                          size << 32 | random_bits(random, 32) | random_bits(random, 15) << 49);
    for (unsigned expert = 0; expert < config->local_experts; expert++)
        if (random_chance(random, 7, 8))
            hub_software_must(software, MOEHUB_HUB_COMMAND_BASE_SET, context, expert,
                              hub_software_base(software, random_bits(random, config->address_width)), random_next(random));
}

void hub_software_close(struct hub_software *software, unsigned context)
{
    hub_software_must(software, MOEHUB_HUB_COMMAND_DISABLE, context, 0, 0, 0);
    while (hub_software_must(software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 0, 0, 0).in_flight)
        ;
}

void hub_software_open(struct hub_software *software, unsigned context, const struct hub_layout *layout)
{
    const bool all_peers = layout->capacity != 0;
    hub_software_close(software, context);
    hub_software_must(software, MOEHUB_HUB_COMMAND_CONTEXT_SET, context, 0, layout->table_base,
                      (uint64_t)hub_software_size(software, layout->row_size) << 32 | layout->row_limit);
    for (unsigned word = 0; 32 * word < software->path->config.gpus; word++) {
        const uint64_t drawn = random_next(&software->random) | random_next(&software->random);
        hub_software_must(software, MOEHUB_HUB_COMMAND_PEERS_SET, context, word, all_peers ? UINT32_MAX : drawn, 0);
    }
    set_regions(software, context, layout);
    if (two_stages(software))
        set_stages(software, context, layout);
    hub_software_clear(software, context);
    hub_software_must(software, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, context, 0, 0, 0);
    hub_software_must(software, MOEHUB_HUB_COMMAND_ENABLE, context, 0, 0, 0);
    if (software->traffic != NULL)
        hub_traffic_forget(software->traffic, context);
}

void hub_software_advance(struct hub_software *software, unsigned context)
{
    const struct moehub_context *state = &software->path->model.alloc.contexts[context];
    hub_software_must(software, MOEHUB_HUB_COMMAND_ADVANCE, context, 0, 0, 0);
    if (state->clear_needed) {
        hub_software_clear(software, context);
        hub_software_must(software, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, context, 0, 0, 0);
    }
    if (software->traffic != NULL)
        hub_traffic_forget(software->traffic, context);
}

/* ---- the operator ---------------------------------------------------------------- */

static bool context_quiet(const struct hub_path *path, unsigned context)
{
    const struct hub_flight_context *flight = &path->flight.contexts[context];
    return hub_path_up_to_date(path) && flight->requests == 0 && flight->writes == 0;
}

/* The next command that brings a disabled context back. */
static unsigned repairing(struct hub_software *software, unsigned context)
{
    const struct moehub_context *state = &software->path->model.alloc.contexts[context];
    if (state->clear_needed) {
        /* Sometimes software lies and has cleared nothing: old entries of epoch 1 come back, alike on both sides. */
        if (context_quiet(software->path, context) && random_chance(&software->random, 7, 8))
            hub_software_clear(software, context);
        return MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR;
    }
    if (state->advance_needed || random_chance(&software->random, 1, 2)) {
        if (software->traffic != NULL)
            hub_traffic_forget(software->traffic, context);
        return MOEHUB_HUB_COMMAND_ADVANCE;
    }
    return MOEHUB_HUB_COMMAND_ENABLE;
}

/* A number with one bit that is too high, any of them, for a field of `width` bits in which `legal` are used. */
static uint64_t too_high(struct random_source *random, unsigned legal, unsigned width)
{
    return UINT64_C(1) << random_range(random, legal, width - 1);
}

/* With two stages: mostly what a command accepts but for a bit, in three of four cases without it. */
static void draw_stage_data(struct hub_software *software, struct moehub_hub_command *command)
{
    struct random_source *random = &software->random;
    const bool wrong = random_chance(random, 1, 4), combine = random_chance(random, 1, 2);
    switch (command->operation) {
    case MOEHUB_HUB_COMMAND_CONTEXT_GET:
        command->index = combine;
        break;
    case MOEHUB_HUB_COMMAND_REGION_GET:
        command->index |= (uint16_t)(combine << 15);
        break;
    case MOEHUB_HUB_COMMAND_STAGE_SET:
        command->index = (uint16_t)(wrong ? 1u << random_below(random, 16) : combine);
        command->data1 = random_bits(random, 32) | (uint64_t)draw_row_size(software) << 32 | random_bits(random, 15) << 49;
        if (random_chance(random, 1, 8))
            command->data1 |= UINT64_C(1) << random_range(random, 32, 35);
        break;
    case MOEHUB_HUB_COMMAND_BASE_SET:
    case MOEHUB_HUB_COMMAND_REGION_SET:
        command->data0 = hub_software_base(software, random_bits(random, software->path->config.address_width)) |
                         (uint64_t)wrong << random_below(random, 7);
        break;
    default:;
    }
}

/* Data that a command may accept or just not. */
static void draw_data(struct hub_software *software, struct moehub_hub_command *command)
{
    struct hub_path *path = software->path;
    struct random_source *random = &software->random;
    command->index = (uint16_t)(random_chance(random, 7, 8) ? random_below(random, path->config.local_experts + 1)
                                                            : random_bits(random, 16));
    command->data0 = random_bits(random, (unsigned)random_range(random, 0, 64));
    command->data1 = random_bits(random, (unsigned)random_range(random, 0, 64));
    if (two_stages(software))
        draw_stage_data(software, command);
    if (command->operation != MOEHUB_HUB_COMMAND_CONTEXT_SET || command->context >= path->config.contexts)
        return;
    /* The table has to stay in the context's window: two contexts must not share entries. */
    const struct hub_layout layout = hub_software_layout(software, command->context);
    const unsigned wrong = (unsigned)random_below(random, 8);
    command->data0 = layout.table_base + (wrong == 0);
    command->data1 = layout.row_limit | (uint64_t)layout.row_size << 32;
    if (wrong == 1)
        command->data1 &= UINT32_MAX; /* row size 0 */
    if (wrong == 2)
        command->data1 = layout.row_limit | (too_high(random, path->config.offset_width, 17) + 1) << 32;
    if (wrong == 3 && path->config.row_index_width < 32)
        command->data1 = (too_high(random, path->config.row_index_width, 32) + 1) | (uint64_t)layout.row_size << 32;
    if (wrong == 4 && path->config.address_width < 64)
        command->data0 = too_high(random, path->config.address_width, 64);
    if (wrong == 5 && two_stages(software))
        command->data1 |= UINT64_C(1) << random_range(random, 32, 35);
    command->data1 |= random_bits(random, 15) << 49; /* ignored */
}

void hub_software_operate(void *user)
{
    struct hub_software *software = user;
    struct hub_path *path = software->path;
    struct random_source *random = &software->random;
    if (path->bench.reset || path->commands.done != path->commands.send_tail || !random_chance(random, software->pace, 1024))
        return;
    struct moehub_hub_command command = {.context = (uint8_t)random_below(random, path->config.contexts)};
    const bool enabled = path->model.alloc.contexts[command.context].enabled;
    if (!enabled && random_chance(random, 3, 4)) {
        command.operation = (uint8_t)repairing(software, command.context);
    } else {
        command.operation = (uint8_t)random_below(random, 16);
        if (command.operation == MOEHUB_HUB_COMMAND_DISABLE && software->gentle)
            command.operation = MOEHUB_HUB_COMMAND_CONTEXT_GET;
        if (random_chance(random, 1, 16))
            command.context = (uint8_t)random_bits(random, 8);
        draw_data(software, &command);
    }
    hub_commands_send(&path->commands, &command);
    while (random_chance(random, 1, 4)) { /* several at once: the second waits behind the first */
        command.operation = random_chance(random, 1, 2) ? MOEHUB_HUB_COMMAND_CONTEXT_GET : MOEHUB_HUB_COMMAND_REGION_GET;
        command.index = (uint16_t)random_below(random, path->config.local_experts);
        if (two_stages(software))
            draw_stage_data(software, &command);
        hub_commands_send(&path->commands, &command);
    }
}
