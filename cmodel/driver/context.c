/* SPDX-License-Identifier: Apache-2.0 */
/* A context: its shape and regions, and its rounds. */
#include "access.h"
#include "check.h"

#include "moehub/defines.h"

#include <stddef.h>

enum { PEERS_IN_WORD = 32, STATE_IN_FLIGHT = 6, STATE_ROWS = 16 };

static struct driver_command address_path(const char *name, unsigned operation, unsigned context)
{
    return (struct driver_command){
        .window = MOEHUB_WINDOW_ADDRESS_PATH, .name = name, .operation = operation, .context = context};
}

static struct driver_command control(const char *name, unsigned operation, unsigned context)
{
    return (struct driver_command){.window = MOEHUB_WINDOW_CONTROL, .name = name, .operation = operation, .context = context};
}

static int run_with(struct moehub_hub *hub, struct driver_command command, unsigned index, uint64_t data0, uint64_t data1)
{
    command.index = index;
    command.data[0] = data0;
    command.data[1] = data1;
    return driver_command(hub, &command, NULL);
}

static int run(struct moehub_hub *hub, struct driver_command command)
{
    return driver_command(hub, &command, NULL);
}

/* ---- shape ---------------------------------------------------------------------------------------------------- */

static int set_address_path(struct moehub_hub *hub, unsigned context, const struct moehub_context_shape *shape)
{
    const uint64_t row_limit = (uint64_t)hub->shape.gpus << shape->owner_shift;
    int error = run_with(hub, address_path("CONTEXT_SET", MOEHUB_HUB_COMMAND_CONTEXT_SET, context), 0, shape->table,
                         row_limit | (uint64_t)shape->row_bytes[0] << 32);
    if (error == 0 && shape->row_bytes[1] != shape->row_bytes[0])
        error = run_with(hub, address_path("STAGE_SET", MOEHUB_HUB_COMMAND_STAGE_SET, context), 1, 0,
                         (uint64_t)shape->row_bytes[1] << 32);
    for (unsigned word = 0; word * PEERS_IN_WORD < hub->shape.gpus && error == 0; word++)
        error = run_with(hub, address_path("PEERS_SET", MOEHUB_HUB_COMMAND_PEERS_SET, context), word,
                         (uint32_t)(shape->peers >> word * PEERS_IN_WORD), 0);
    return error;
}

static int set_control(struct moehub_hub *hub, unsigned context, const struct moehub_context_shape *shape)
{
    const struct {
        const char *name;
        unsigned operation;
        uint64_t data[2];
    } commands[] = {
        {"PEERS_SET", MOEHUB_HUB_CONTROL_COMMAND_PEERS_SET, {shape->peers}},
        {"OWNER_SET",
         MOEHUB_HUB_CONTROL_COMMAND_OWNER_SET,
         {shape->owner_shift | (uint64_t)shape->counts_tokens << 5 | (uint64_t)shape->token_first << 16}},
        {"LIST_SET", MOEHUB_HUB_CONTROL_COMMAND_LIST_SET, {shape->list, shape->list_shift}},
        {"TILES_SET",
         MOEHUB_HUB_CONTROL_COMMAND_TILES_SET,
         {shape->tile_shift | (uint64_t)shape->tile_first << 16 | (uint64_t)shape->tile_count << 32}},
        {"BLOCKS_SET", MOEHUB_HUB_CONTROL_COMMAND_BLOCKS_SET, {shape->blocks[0] | (uint64_t)shape->blocks[1] << 8}},
        {"TIMEOUTS_SET",
         MOEHUB_HUB_CONTROL_COMMAND_TIMEOUTS_SET,
         {shape->arrival_timeout | (uint64_t)shape->token_timeout << 32}},
    };
    int error = 0;
    for (unsigned i = 0; i < sizeof commands / sizeof *commands && error == 0; i++)
        error = run_with(hub, control(commands[i].name, commands[i].operation, context), 0, commands[i].data[0],
                         commands[i].data[1]);
    return error;
}

int moehub_context_create(struct moehub_hub *hub, unsigned context, const struct moehub_context_shape *shape)
{
    int error = driver_check_shape(hub, shape);
    if (error == 0)
        error = set_address_path(hub, context, shape);
    return error != 0 ? error : set_control(hub, context, shape);
}

int moehub_region_bind(struct moehub_hub *hub, unsigned context, unsigned expert, const struct moehub_hub_region *region)
{
    int error = driver_check_region(hub, region);
    if (error == 0)
        error = run_with(hub, address_path("REGION_SET", MOEHUB_HUB_COMMAND_REGION_SET, context), expert, region->base[0],
                         region->capacity);
    if (error == 0)
        error = run_with(hub, address_path("BASE_SET", MOEHUB_HUB_COMMAND_BASE_SET, context), expert, region->base[1], 0);
    if (error == 0)
        error = run_with(hub, control("REGION_TILES_SET", MOEHUB_HUB_CONTROL_COMMAND_REGION_TILES_SET, context), expert,
                         region->tile_first | (uint64_t)region->tile_count << 32, 0);
    return error;
}

/* ---- rounds --------------------------------------------------------------------------------------------------- */

int moehub_context_clear(struct moehub_hub *hub, unsigned context)
{
    return run(hub, address_path("ACKNOWLEDGE_CLEAR", MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, context));
}

/* After ADVANCE: whether the table was at its last epoch. */
static int check_epoch(struct moehub_hub *hub, unsigned context)
{
    enum { CLEAR_NEEDED = 62 };
    const struct driver_command get = address_path("CONTEXT_GET", MOEHUB_HUB_COMMAND_CONTEXT_GET, context);
    uint64_t results[2];
    const int error = driver_command(hub, &get, results);
    if (error == 0 && (results[1] >> CLEAR_NEEDED & 1) != 0)
        return driver_error(hub, MOEHUB_E_CLEAR,
                            "hub %u, context %u: the last epoch is over: zero the AL table, call clear, start again", hub->own,
                            context);
    return error;
}

int moehub_context_start(struct moehub_hub *hub, unsigned context, unsigned round, bool cleared)
{
    enum { ROUNDS = 16 };
    int error = driver_check_most(hub, "round", round, ROUNDS - 1);
    if (error == 0 && !cleared)
        error = run(hub, address_path("ADVANCE", MOEHUB_HUB_COMMAND_ADVANCE, context));
    if (error == 0 && !cleared)
        error = check_epoch(hub, context);
    if (error == 0)
        error = run(hub, address_path("ENABLE", MOEHUB_HUB_COMMAND_ENABLE, context));
    if (error == 0)
        error = run_with(hub, control("ENABLE", MOEHUB_HUB_CONTROL_COMMAND_ENABLE, context), 0, round, 0);
    return error;
}

int moehub_context_close(struct moehub_hub *hub, unsigned context)
{
    return run(hub, control("CLOSE", MOEHUB_HUB_CONTROL_COMMAND_CLOSE, context));
}

int moehub_context_abort(struct moehub_hub *hub, unsigned context)
{
    return run(hub, control("ABORT", MOEHUB_HUB_CONTROL_COMMAND_ABORT, context));
}

int moehub_context_state(struct moehub_hub *hub, unsigned context, struct moehub_context_state *state)
{
    const struct driver_command get = control("CONTEXT_GET", MOEHUB_HUB_CONTROL_COMMAND_CONTEXT_GET, context);
    uint64_t results[2];
    const int error = driver_command(hub, &get, results);
    if (error != 0)
        return error;
    bool *const bits[] = {&state->enabled, &state->clean,  &state->closing,  &state->closed,
                          &state->arrived, &state->failed, &state->in_flight};
    for (unsigned i = 0; i < sizeof bits / sizeof *bits; i++)
        *bits[i] = (results[1] >> i & 1) != 0;
    _Static_assert(sizeof bits / sizeof *bits == STATE_IN_FLIGHT + 1, "in flight is the last of the bits");
    state->missing = results[0];
    state->rows_open = (uint32_t)(results[1] >> STATE_ROWS & 0xFFFF);
    return 0;
}

static int await_idle(struct moehub_hub *hub, unsigned context)
{
    for (uint32_t poll = 0; poll < hub->polls; poll++) {
        struct moehub_context_state state;
        const int error = moehub_context_state(hub, context, &state);
        if (error != 0 || !state.in_flight)
            return error;
    }
    return driver_error(hub, MOEHUB_E_TIMEOUT,
                        "hub %u, context %u is still in flight: does memory answer, are all results taken?", hub->own, context);
}

int moehub_context_stop(struct moehub_hub *hub, unsigned context)
{
    struct moehub_context_state state;
    int error = run(hub, control("DISABLE", MOEHUB_HUB_CONTROL_COMMAND_DISABLE, context));
    if (error == 0)
        error = moehub_context_state(hub, context, &state);
    if (error == 0 && state.rows_open > 0 && !state.closed)
        error = moehub_context_abort(hub, context);
    if (error == 0)
        error = await_idle(hub, context);
    if (error == 0)
        error = run(hub, address_path("DISABLE", MOEHUB_HUB_COMMAND_DISABLE, context));
    if (error == 0)
        error = run(hub, control("ADVANCE", MOEHUB_HUB_CONTROL_COMMAND_ADVANCE, context));
    return error;
}
