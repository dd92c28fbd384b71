/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_program.h"

#include "bench/system/layer_occupancy.h"
#include "bench/system/system_hub.h"
#include "moehub/driver.h"
#include "moehub/driver_report.h"
#include "moehub/register_map.h"
#include "moehub/registers.h"

#include <inttypes.h>
#include <string.h>

enum { POLLS = 100000, WINDOW_SHIFT = 12 };

/* ---- the bus -------------------------------------------------------------------------------------------------- */

static void await_bus(struct system_hub *hub)
{
    software_await_bus(&hub->software, &hub->registers);
}

static int write_register(void *user, uint32_t address, uint32_t data)
{
    struct system_hub *hub = user;
    axi_lite_start_write(&hub->registers, address, data, 0xF);
    await_bus(hub);
    return (int)hub->registers.response;
}

static int read_register(void *user, uint32_t address, uint32_t *data)
{
    struct system_hub *hub = user;
    axi_lite_start_read(&hub->registers, address);
    await_bus(hub);
    *data = hub->registers.data;
    return (int)hub->registers.response;
}

static void check(struct system_hub *hub, const struct moehub_hub *driver, int error)
{
    if (error != 0)
        bench_fail(&hub->bench, BENCH_MISMATCH, "GPU %u: %s", hub->number, driver->message.text);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

/* Who waits for tokens that fail in the first round closes the next one by that much later: to the others, which then wait for it
 * and so are with it again, it is slow, and no more. */
static uint32_t timeout_of(const struct system_hub *hub, unsigned round)
{
    const struct gpu_manners *manners = &hub->options.gpu.manners;
    const bool bears = round > 0 && (manners->aborts || manners->short_slots != 0);
    return bears ? 2 * hub->options.timeout : hub->options.timeout;
}

static struct moehub_context_shape context_shape(const struct system_hub *hub, unsigned round)
{
    const struct gpu_layout *layout = &hub->rounds.layouts[round];
    return (struct moehub_context_shape){
        .table = layout->table,
        .row_bytes = {layout->row_bytes[0], layout->row_bytes[1]},
        .peers = layout->layer->gpus == 64 ? UINT64_MAX : (UINT64_C(1) << layout->layer->gpus) - 1,
        .owner_shift = layout->owner_shift,
        .counts_tokens = true,
        .token_first = layout->token_first,
        .list = layout->list,
        .list_shift = layout->list_shift,
        .tile_shift = layout->tile_shift,
        .tile_first = layout->tile_first,
        .tile_count = layout->tile_count,
        .blocks = {1, 1},
        .arrival_timeout = timeout_of(hub, round),
        .token_timeout = timeout_of(hub, round),
    };
}

static void create_context(struct system_hub *hub, struct moehub_hub *driver, unsigned round)
{
    const struct moehub_context_shape shape = context_shape(hub, round);
    const unsigned context = hub->rounds.gpus[round].options.context;
    check(hub, driver, moehub_context_create(driver, context, &shape));
    hub_check_open(&hub->check, context, &shape);
}

static void clear_table(struct system_hub *hub, struct moehub_hub *driver, unsigned round)
{
    const struct gpu_layout *layout = &hub->rounds.layouts[round];
    memset(hub->memory.bytes + layout->table, 0, layout->table_bytes);
    check(hub, driver, moehub_context_clear(driver, hub->rounds.gpus[round].options.context));
}

static void bind_regions(struct system_hub *hub, struct moehub_hub *driver, unsigned round)
{
    const struct gpu_layout *layout = &hub->rounds.layouts[round];
    const unsigned context = hub->rounds.gpus[round].options.context;
    for (unsigned expert = 0; expert < layout->local_experts; expert++) {
        const struct gpu_region *bound = &layout->regions[expert];
        const struct moehub_hub_region region = {
            {bound->base[0], bound->base[1]}, bound->capacity, bound->tile_first, bound->tiles};
        check(hub, driver, moehub_region_bind(driver, context, expert, &region));
        hub_check_region(&hub->check, context, expert, &region);
    }
}

/* A context has its shape, and a table of zeros, from its first round on; further ones are epochs. */
static void set_up(struct system_hub *hub, struct moehub_hub *driver, unsigned round)
{
    const struct gpu_options *options = &hub->rounds.gpus[round].options;
    const bool first = round < hub->shape.contexts;
    if (first)
        create_context(hub, driver, round);
    bind_regions(hub, driver, round);
    if (first)
        clear_table(hub, driver, round);
    hub_check_start(&hub->check, options->context, options->round);
    gpu_rounds_begin(&hub->rounds, round);
    check(hub, driver, moehub_context_start(driver, options->context, options->round, first));
}

/* A context for rows alone that go out, or that are refused: what comes for it, and there is nothing, would find no region. */
static void set_up_flood(struct system_hub *hub, struct moehub_hub *driver)
{
    struct moehub_context_shape shape = context_shape(hub, 0);
    shape.counts_tokens = false;
    shape.tile_count = 0;
    if (!gpu_flooder(hub->rounds.gpus))
        shape.peers &= ~(UINT64_C(1) << hub->options.gpu.manners.gpu);
    const unsigned context = hub->options.gpu.manners.flood_context;
    check(hub, driver, moehub_context_create(driver, context, &shape));
    check(hub, driver, moehub_context_clear(driver, context));
    hub_check_open(&hub->check, context, &shape);
    hub_check_start(&hub->check, context, hub->rounds.gpus->options.round);
    check(hub, driver, moehub_context_start(driver, context, hub->rounds.gpus->options.round, true));
}

static void stop_flood(struct system_hub *hub, struct moehub_hub *driver)
{
    const struct gpu *gpu = hub->rounds.gpus;
    struct moehub_context_state state = {.rows_open = 1};
    while (gpu->open_count + gpu->waiting_count != 0 || state.rows_open != 0)
        check(hub, driver, moehub_context_state(driver, hub->options.gpu.manners.flood_context, &state));
    hub_check_disable(&hub->check, hub->options.gpu.manners.flood_context);
    check(hub, driver, moehub_context_stop(driver, hub->options.gpu.manners.flood_context));
    hub_check_stop(&hub->check, hub->options.gpu.manners.flood_context);
}

static bool is_amid_dispatch(const void *user)
{
    const struct system_hub *hub = user;
    return gpu_abort_due(hub->rounds.gpus);
}

static void abort_context(struct system_hub *hub, struct moehub_hub *driver)
{
    struct gpu *gpu = hub->rounds.gpus;
    software_await(&hub->software, is_amid_dispatch);
    gpu->abort.state = GPU_ABORT_ON_ITS_WAY;
    hub_check_abort(&hub->check, gpu->options.context);
    check(hub, driver, moehub_context_abort(driver, gpu->options.context));
    hub_check_aborted(&hub->check, gpu->options.context);
    gpu->abort.state = GPU_ABORT_TAKEN;
}

static void close_context(struct system_hub *hub, struct moehub_hub *driver, unsigned round)
{
    const unsigned context = hub->rounds.gpus[round].options.context;
    hub_check_close(&hub->check, context);
    check(hub, driver, moehub_context_close(driver, context));
}

static void check_state(struct system_hub *hub, const struct gpu *gpu, const struct moehub_context_state *state)
{
    const uint64_t silent = hub->options.gpu.manners.silent;
    const bool failed =
        gpu_flagged(gpu) || gpu->counts.tokens_failed != gpu->counts.tokens_spoiled || system_hub_foreign(hub) != 0;
    const bool told = (state->failed == failed && state->missing == silent) || gpu_loses(gpu);
    const bool right = state->arrived && told && state->rows_open == 0;
    if (!right && !gpu_silent(gpu) && !gpu_idle(gpu))
        bench_fail(&hub->bench, BENCH_MISMATCH,
                   "GPU %u: at the end: arrived %d, failed %d, missing peers 0x%llx (silent ones are 0x%llx), rows open %u",
                   hub->number, state->arrived, state->failed, (unsigned long long)state->missing, (unsigned long long)silent,
                   state->rows_open);
}

static void end_context(struct system_hub *hub, struct moehub_hub *driver, unsigned round)
{
    struct gpu *gpu = &hub->rounds.gpus[round];
    const unsigned context = gpu->options.context;
    struct moehub_context_state state;
    check(hub, driver, moehub_context_state(driver, context, &state));
    check_state(hub, gpu, &state);
    if (gpu_aborts(gpu))
        gpu_abort_check_closes(gpu);
    if (state.rows_open != 0)
        hub_check_abort(&hub->check, context);
    hub_check_disable(&hub->check, context);
    check(hub, driver, moehub_context_stop(driver, context));
    hub_check_stop(&hub->check, context);
    gpu_rounds_end(&hub->rounds, round);
}

/* ---- error latches, interrupts --------------------------------------------------------------------------------- */

/* In every second round offenders of ways and final_reduce raise the pin, in the others those of the blocks, and contexts that
 * fail. */
static void set_masks(struct system_hub *hub, struct moehub_hub *driver)
{
    for (unsigned window = 0; window < SYSTEM_WINDOWS && hub->options.check; window++) {
        const bool turn = (window >= MOEHUB_WINDOW_WAY) == (hub->rounds.gpus->options.round % 2 != 0);
        const uint32_t event = window == MOEHUB_WINDOW_CONTROL ? MOEHUB_HUB_CONTROL_CSR_INTERRUPT_STATUS_FAILED
                                                               : MOEHUB_CSR_INTERRUPT_STATUS_LATCHED;
        const uint32_t mask = turn ? event : 0;
        if (moehub_hub_events(driver, window) == 0)
            continue;
        check(hub, driver, moehub_hub_interrupts(driver, window, mask));
        hub_check_mask(&hub->check, window, mask);
    }
}

/* While packets are on their way: what is latched stays. */
static void read_latches(struct system_hub *hub, struct moehub_hub *driver)
{
    struct moehub_hub_offender offender;
    for (unsigned window = 0; window < SYSTEM_WINDOWS && hub->options.check; window++) {
        if (moehub_hub_events(driver, window) == 0)
            continue;
        check(hub, driver, moehub_hub_offender_read(driver, window, &offender));
        hub_check_latch(&hub->check, window, &offender);
    }
}

/* Where nothing but writes can have failed, a way has latched the first of its own, or nothing. */
static void check_offender(struct system_hub *hub, unsigned way, const struct moehub_hub_offender *offender)
{
    const struct gpu_way_errors *failed = &hub->rounds.writes_failed[way];
    const struct moehub_header header = moehub_header_unpack(moehub_flit_from_words(offender->header));
    const bool right = offender->cause == MOEHUB_HUB_WAY_CAUSE_WRITE && header.context == failed->context &&
                       header.source == failed->source && moehub_field(MOEHUB_CSR_LATCH_NAME_PORT, offender->name) == way;
    if (offender->caught != (failed->writes != 0) || (offender->caught && !right))
        bench_fail(&hub->bench, BENCH_MISMATCH,
                   "GPU %u: way %u has latched %d: cause %u, CONTEXT %u, SOURCE %u, LATCH_NAME 0x%x; %" PRIu64
                   " of its writes failed, the first of CONTEXT %u, SOURCE %u",
                   hub->number, way, offender->caught, offender->cause, header.context, header.source, offender->name,
                   failed->writes, failed->context, failed->source);
}

/* When none are: what the windows have latched, which frees it, and their events. */
static void take_latches(struct system_hub *hub, struct moehub_hub *driver)
{
    uint32_t windows, events;
    struct moehub_hub_offender offender;
    check(hub, driver, moehub_hub_interrupts_pending(driver, &windows));
    hub_check_interrupts(&hub->check, windows);
    for (unsigned window = 0; window < SYSTEM_WINDOWS; window++) {
        const bool of_way = window >= MOEHUB_WINDOW_WAY && window <= MOEHUB_WINDOW_WAY + hub->shape.links;
        if (moehub_hub_events(driver, window) == 0)
            continue;
        check(hub, driver, moehub_hub_offender(driver, window, &offender));
        hub_check_offender(&hub->check, window, &offender);
        if (of_way && hub->options.counted && !system_hub_ways_refuse(hub))
            check_offender(hub, window - MOEHUB_WINDOW_WAY, &offender);
        check(hub, driver, moehub_hub_interrupts_take(driver, window, &events));
        hub_check_events(&hub->check, window, events);
    }
}

/* ---- counters -------------------------------------------------------------------------------------------------- */

static void count_window(struct system_hub *hub, struct moehub_hub *driver, unsigned window)
{
    check(hub, driver, moehub_hub_counters(driver, window, hub->counters[window]));
    hub_check_counters(&hub->check, window, moehub_hub_events(driver, window), hub->counters[window]);
}

static void read_counters(struct system_hub *hub, struct moehub_hub *driver)
{
    for (unsigned window = 0; window < SYSTEM_WINDOWS; window++)
        if (moehub_hub_events(driver, window) != 0)
            count_window(hub, driver, window);
}

static void read_marks(struct system_hub *hub, struct moehub_hub *driver)
{
    for (unsigned window = 0; window < SYSTEM_WINDOWS; window++)
        for (unsigned i = 0; i < layer_occupancy_registers(&hub->shape, window); i++) {
            const uint32_t address = window << WINDOW_SHIFT | (MOEHUB_CSR_HIGH_WATER + 4 * i);
            check(hub, driver, read_register(hub, address, &hub->marks[window][i]));
        }
}

static bool may_start(const void *user)
{
    const struct system_hub *hub = user;
    return hub->may_start;
}

static bool may_stop(const void *user)
{
    const struct system_hub *hub = user;
    return hub->may_stop;
}

static bool may_count(const void *user)
{
    const struct system_hub *hub = user;
    return hub->may_count;
}

/* All its rows have come, or they never will. */
static bool has_rows(const void *user)
{
    const struct system_hub *hub = user;
    return hub->may_stop || gpu_rounds_served(&hub->rounds);
}

/* In an unfused layer, before anyone asks for sums: what the AL-TLB was asked up to here are stores. */
static void await_rows(struct system_hub *hub, struct moehub_hub *driver)
{
    if (hub->rounds.gpus->may_ask)
        return;
    software_await(&hub->software, has_rows);
    if (hub->options.counted)
        check(hub, driver, moehub_hub_counters(driver, MOEHUB_WINDOW_ADDRESS_PATH, hub->counters_served));
    hub->served_read = true;
}

/* ---- rounds ---------------------------------------------------------------------------------------------------- */

static const struct gpu *awaited(const void *user)
{
    const struct system_hub *hub = user;
    return &hub->rounds.gpus[hub->awaited];
}

static bool has_stored(const void *user)
{
    return gpu_silent(awaited(user)) || gpu_stored(awaited(user));
}

static bool has_arrived(const void *user)
{
    return awaited(user)->arrived;
}

static bool has_finished(const void *user)
{
    return gpu_finished(awaited(user));
}

static void await_round(struct system_hub *hub, unsigned round, software_condition *holds)
{
    hub->awaited = round;
    software_await(&hub->software, holds);
}

/* Rows of the next rounds may go: as many as there are contexts but two (rtl/doc/hub/hub.md section 8, 7). */
static void send_rows(struct system_hub *hub, unsigned round)
{
    const unsigned ahead = hub->shape.contexts > 2 ? hub->shape.contexts - 2 : 1;
    for (unsigned next = round; next < round + ahead && next < hub->rounds.count; next++)
        hub->rounds.gpus[next].may_send = true;
}

/* All peers have arrived in the round before, and so have closed it: nobody needs the one before that any more (5), and when its
 * context is set up again, and all sums of the round before have come, this round may be closed (6). */
static void follow(struct system_hub *hub, struct moehub_hub *driver, unsigned round)
{
    const unsigned contexts = hub->shape.contexts;
    await_round(hub, round - 1, has_arrived);
    send_rows(hub, round);
    await_round(hub, round - 1, has_finished);
    await_round(hub, round, has_stored);
    if (round == 1)
        return;
    end_context(hub, driver, round - 2);
    if (round - 2 + contexts < hub->rounds.count)
        set_up(hub, driver, round - 2 + contexts);
}

static void run_rounds(struct system_hub *hub, struct moehub_hub *driver)
{
    const struct gpu *first = hub->rounds.gpus;
    send_rows(hub, 0);
    if (gpu_aborts(first))
        abort_context(hub, driver);
    await_round(hub, 0, has_stored);
    if (gpu_silent(first))
        return;
    if (!gpu_aborts(first))
        close_context(hub, driver, 0);
    for (unsigned round = 1; round < hub->rounds.count; round++) {
        follow(hub, driver, round);
        close_context(hub, driver, round);
    }
}

/* Of the last one, and of the one before; of a silent GPU those that it had contexts for. */
static void end_rounds(struct system_hub *hub, struct moehub_hub *driver)
{
    for (unsigned round = hub->rounds.first; round < hub->rounds.end; round++) {
        hub->rounds.gpus[round].may_send = false;
        end_context(hub, driver, round);
    }
}

/* ---- the program ----------------------------------------------------------------------------------------------- */

static void set_up_all(struct system_hub *hub, struct moehub_hub *driver)
{
    check(hub, driver, moehub_hub_timeouts(driver, hub->options.line_timeout, hub->options.timeout));
    for (unsigned round = 0; round < hub->rounds.count && round < hub->shape.contexts; round++)
        set_up(hub, driver, round);
    if (gpu_knows_flood(hub->rounds.gpus))
        set_up_flood(hub, driver);
}

void gpu_program(void *user)
{
    struct system_hub *hub = user;
    struct gpu *gpu = hub->rounds.gpus;
    const struct moehub_bus bus = {hub, write_register, read_register};
    struct moehub_hub driver;
    check(hub, &driver, moehub_hub_open(&driver, &bus, hub->number, POLLS));
    set_masks(hub, &driver);
    set_up_all(hub, &driver);
    hub->started = true;
    software_await(&hub->software, may_start);
    gpu->floods = gpu_flooder(gpu);
    run_rounds(hub, &driver);
    hub->closed = true;
    read_latches(hub, &driver);
    await_rows(hub, &driver);
    software_await(&hub->software, may_stop);
    gpu->may_send = gpu->floods = false;
    if (gpu_flooder(gpu))
        stop_flood(hub, &driver);
    end_rounds(hub, &driver);
    hub->stopped = true;
    software_await(&hub->software, may_count);
    if (gpu_knows_flood(gpu) && !gpu_flooder(gpu))
        stop_flood(hub, &driver);
    take_latches(hub, &driver);
    if (!hub->options.counted)
        return;
    read_counters(hub, &driver);
    read_marks(hub, &driver);
}
