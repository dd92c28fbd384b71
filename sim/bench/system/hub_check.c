/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/hub_check.h"

#include "kit/parameters.h"

#include <inttypes.h>
#include <string.h>

static void demand(struct hub_check *check, int error)
{
    if (error == 0)
        return;
    bench_fail(check->bench, BENCH_MISMATCH, "GPU %u: the hub's model: %s", check->model.config.own,
               error == MOEHUB_E_STATE || error == MOEHUB_E_LIMIT ? check->model.why.text : moehub_strerror(error));
}

/* What the hub gave. */
static void compare(struct hub_check *check, int error)
{
    check->compared++;
    demand(check, error);
}

/* ---- memory -------------------------------------------------------------------------------------------------------------- */

static void written(void *user, unsigned way, const struct memory_access *access)
{
    struct moehub_way_write write = {.address = access->address, .beats = access->beats};
    memcpy(write.data, access->data, sizeof write.data);
    memcpy(write.strobes, access->strobes, sizeof write.strobes);
    compare(user, moehub_hub_top_write(&((struct hub_check *)user)->model, way, &write));
}

static void answered(void *user, unsigned way, const struct memory_access *access)
{
    demand(user, moehub_hub_top_written(&((struct hub_check *)user)->model, way, access->error_beat < access->beats));
}

static void asked(void *user, unsigned way, const struct memory_access *access)
{
    compare(user, moehub_hub_top_read(&((struct hub_check *)user)->model, way, access->address, access->beats));
}

static void came(void *user, unsigned way, const struct memory_access *access)
{
    struct moehub_line_data data = {.error = access->error_beat < access->beats};
    memcpy(data.bytes, access->data, sizeof data.bytes);
    demand(user, moehub_hub_top_data(&((struct hub_check *)user)->model, way, &data));
}

static void list_asked(void *user, unsigned port, const struct memory_access *access)
{
    (void)port;
    compare(user, moehub_hub_top_list_read(&((struct hub_check *)user)->model, access->id, access->address));
}

static void list_came(void *user, unsigned port, const struct memory_access *access)
{
    (void)port;
    demand(user, moehub_hub_top_list_data(&((struct hub_check *)user)->model, access->id, moehub_flit_from_bytes(access->data),
                                          access->error_beat < access->beats));
}

static void table_asked(void *user, unsigned port, const struct memory_access *access)
{
    (void)port;
    compare(user, moehub_hub_top_table_read(&((struct hub_check *)user)->model, access->address));
}

static void table_came(void *user, unsigned port, const struct memory_access *access)
{
    (void)port;
    demand(user, moehub_hub_top_table_data(&((struct hub_check *)user)->model, access->address));
}

/* The lane of a write's strobes must be that of its address. */
static void table_written(void *user, unsigned port, const struct memory_access *access)
{
    struct hub_check *check = user;
    const unsigned lane = (unsigned)(access->address % check->table_beat);
    uint32_t word;
    (void)port;
    memcpy(&word, access->data + lane, sizeof word);
    if (access->strobes[0] != UINT32_C(0xF) << lane)
        bench_fail(check->bench, BENCH_MISMATCH, "GPU %u: the hub's model: table port: strobes 0x%x of a write at 0x%" PRIx64,
                   check->model.config.own, access->strobes[0], access->address);
    compare(check, moehub_hub_top_table_write(&check->model, access->address, word));
}

static void table_answered(void *user, unsigned port, const struct memory_access *access)
{
    (void)port;
    demand(user, moehub_hub_top_table_written(&((struct hub_check *)user)->model, access->address));
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

struct moehub_hub_top_config hub_check_config(const char *description)
{
    struct moehub_hub_top_config config = moehub_hub_top_config_default();
    const struct parameter parameters[] = {
        {"LINKS", &config.links},
        {"GPUS", &config.gpus},
        {"CONTEXTS", &config.contexts},
        {"LOCAL_EXPERT_BITS", &config.local_expert_bits},
        {"LOCAL_EXPERTS", &config.local_experts},
        {"MAX_TARGETS", &config.max_targets},
        {"REQUEST_LINES", &config.request_lines},
        {"ROW_INDEX_WIDTH", &config.row_index_width},
        {"SLOT_WIDTH", &config.slot_width},
        {"OFFSET_WIDTH", &config.offset_width},
        {"ADDRESS_WIDTH", &config.address_width},
        {"SETS", &config.sets},
        {"PLACES_STORE", &config.places[MOEHUB_CLASS_STORE]},
        {"PLACES_REQUEST", &config.places[MOEHUB_CLASS_REQUEST]},
        {"PLACES_RESPONSE", &config.places[MOEHUB_CLASS_RESPONSE]},
        {"LOOP_PLACES", &config.loop_places},
        {"ANSWERS", &config.answers},
        {"REQUEST_ANSWERS", &config.request_answers},
        {"WRITES", &config.writes},
        {"TILES", &config.tiles},
        {"TOKENS", &config.tokens},
        {"ROWS", &config.rows},
        {"STORE_BYTES", &config.store_bytes},
        {"FINAL_GROUPS", &config.final_groups},
        {"WITH_FP32", &config.with_fp32},
    };
    parameters_find(description, parameters, sizeof parameters / sizeof *parameters);
    return config;
}

void hub_check_create(struct hub_check *check, struct bench *bench, const char *description, unsigned own, bool on)
{
    struct moehub_hub_top_config config = hub_check_config(description);
    config.own = own;
    *check = (struct hub_check){.bench = bench, .on = on};
    if (!on)
        return;
    check->store_words[0] = (config.store_bytes + 63) / 64;
    check->store_words[1] = (config.store_bytes + 7) / 8;
    check->data = (struct memory_watch){check, asked, came, written, answered};
    check->table = (struct memory_watch){check, table_asked, table_came, table_written, table_answered};
    check->list = (struct memory_watch){.user = check, .asked = list_asked, .came = list_came};
    demand(check, moehub_hub_top_create(&check->model, &config));
}

void hub_check_destroy(struct hub_check *check)
{
    if (check->on)
        moehub_hub_top_destroy(&check->model);
}

/* ---- software ------------------------------------------------------------------------------------------------------------ */

void hub_check_open(struct hub_check *check, unsigned context, const struct moehub_context_shape *shape)
{
    if (check->on)
        demand(check, moehub_hub_top_open(&check->model, context, shape));
    check->timeouts[context] = shape->arrival_timeout < shape->token_timeout ? shape->arrival_timeout : shape->token_timeout;
}

void hub_check_region(struct hub_check *check, unsigned context, unsigned expert, const struct moehub_hub_region *region)
{
    if (check->on)
        demand(check, moehub_hub_top_region(&check->model, context, expert, region));
}

void hub_check_start(struct hub_check *check, unsigned context, unsigned round)
{
    if (check->on)
        demand(check, moehub_hub_top_start(&check->model, context, round));
    check->closed[context] = 0;
}

void hub_check_close(struct hub_check *check, unsigned context)
{
    if (check->on)
        demand(check, moehub_hub_top_close(&check->model, context));
    check->closed[context] = check->bench->cycle;
}

void hub_check_abort(struct hub_check *check, unsigned context)
{
    if (check->on)
        demand(check, moehub_hub_top_abort(&check->model, context));
    check->closed[context] = check->bench->cycle;
}

void hub_check_aborted(struct hub_check *check, unsigned context)
{
    if (check->on)
        moehub_hub_top_aborted(&check->model, context);
}

void hub_check_disable(struct hub_check *check, unsigned context)
{
    if (check->on)
        moehub_hub_top_disable(&check->model, context);
}

static void watch_timers(struct hub_check *check, unsigned context)
{
    const uint64_t closed = check->closed[context];
    if (closed != 0 && check->bench->cycle - closed >= check->timeouts[context])
        moehub_hub_top_time_is_up(&check->model, context);
}

void hub_check_stop(struct hub_check *check, unsigned context)
{
    if (check->on)
        watch_timers(check, context);
    if (check->on)
        compare(check, moehub_hub_top_stop(&check->model, context));
    check->closed[context] = 0;
}

/* ---- streams ------------------------------------------------------------------------------------------------------------- */

void hub_check_row(struct hub_check *check, const uint64_t *item)
{
    if (!check->on || item == NULL)
        return;
    const struct moehub_row row = {.context = (uint8_t)item[0],
                                   .immediate = item[1] != 0,
                                   .count = (uint8_t)item[2],
                                   .address = item[3],
                                   .id = (uint16_t)item[4],
                                   .row_index = (uint32_t)item[5]};
    demand(check, moehub_hub_top_row(&check->model, &row));
}

void hub_check_store(struct hub_check *check, const uint64_t *item)
{
    if (!check->on || item == NULL)
        return;
    struct moehub_store store = {.handle = (uint16_t)item[0], .offset = (uint16_t)item[1], .nop = item[2] != 0};
    for (unsigned i = 0; i < check->store_words[0]; i++)
        store.mask.half[i] = item[3 + i];
    memcpy(store.data, item + 3 + check->store_words[0], sizeof *item * check->store_words[1]);
    demand(check, moehub_hub_top_store(&check->model, &store));
}

void hub_check_reduce(struct hub_check *check, const uint64_t *item)
{
    if (!check->on || item == NULL)
        return;
    const struct moehub_reduce reduce = {.context = (uint8_t)item[0],
                                         .immediate = item[1] != 0,
                                         .count = (uint8_t)item[2],
                                         .address = item[3],
                                         .id = (uint16_t)item[4],
                                         .row_index = (uint32_t)item[5],
                                         .line = (uint16_t)item[6],
                                         .length = (uint16_t)item[7],
                                         .element = (uint8_t)item[8],
                                         .tag = (uint32_t)item[9]};
    demand(check, moehub_hub_top_reduce(&check->model, &reduce));
}

void hub_check_done(struct hub_check *check, const uint64_t *item)
{
    if (check->on && item != NULL)
        demand(check, moehub_hub_top_done(&check->model, (unsigned)item[0], (unsigned)item[1], (uint32_t)item[2],
                                          (unsigned)item[3]));
}

void hub_check_handle(struct hub_check *check, const uint64_t *item)
{
    if (check->on && item != NULL)
        compare(check, moehub_hub_top_handle(&check->model, (unsigned)item[0], (unsigned)item[1], (uint32_t)item[2]));
}

void hub_check_ready(struct hub_check *check, const uint64_t *item)
{
    if (!check->on || item == NULL)
        return;
    const struct moehub_ready_event event = {.kind = (uint8_t)item[0],
                                             .failed = item[1] != 0,
                                             .context = (uint8_t)item[2],
                                             .round = (uint8_t)item[3],
                                             .expert = (uint16_t)item[4],
                                             .rows = (uint16_t)item[5],
                                             .name = (uint32_t)item[6]};
    watch_timers(check, event.context);
    compare(check, moehub_hub_top_ready(&check->model, &event));
}

void hub_check_reduced(struct hub_check *check, unsigned link, const uint64_t *data, uint64_t user, bool last)
{
    if (!check->on)
        return;
    struct moehub_reduced line = {.flits = 0};
    moehub_reduced_read_user(user, &line);
    watch_timers(check, line.context);
    check->compared += last;
    demand(check, moehub_hub_top_reduced(&check->model, link, (struct moehub_flit){{data[0], data[1]}}, user, last));
}

/* ---- links --------------------------------------------------------------------------------------------------------------- */

void hub_check_link(struct hub_check *check, unsigned link, const struct moehub_link_flit *left,
                    const struct moehub_link_flit *arrived, const struct moehub_link_grant *grant)
{
    if (!check->on)
        return;
    if (left->valid) {
        check->compared += left->last;
        demand(check, moehub_hub_top_go(&check->model, link, left));
    }
    if (arrived->valid)
        demand(check, moehub_hub_top_come(&check->model, link, arrived, NULL));
    moehub_hub_top_grant(&check->model, link, grant);
}

void hub_check_link_fell(struct hub_check *check, unsigned link)
{
    if (check->on)
        demand(check, moehub_hub_top_link_fell(&check->model, link));
}

/* ---- error latches, interrupts ------------------------------------------------------------------------------------------- */

void hub_check_interrupt(struct hub_check *check, bool high)
{
    if (check->on && high != check->interrupt)
        moehub_hub_top_interrupt(&check->model, high);
    check->interrupt = high;
}

void hub_check_latch(struct hub_check *check, unsigned window, const struct moehub_hub_offender *offender)
{
    if (check->on)
        compare(check, moehub_hub_top_latch(&check->model, window, offender));
}

void hub_check_offender(struct hub_check *check, unsigned window, const struct moehub_hub_offender *offender)
{
    if (!check->on)
        return;
    check->caught += offender->caught && !check->model.latches[window].doubtful;
    compare(check, moehub_hub_top_offender(&check->model, window, offender));
}

void hub_check_events(struct hub_check *check, unsigned window, uint32_t events)
{
    if (check->on)
        compare(check, moehub_hub_top_events(&check->model, window, events));
}

void hub_check_mask(struct hub_check *check, unsigned window, uint32_t mask)
{
    if (check->on)
        moehub_hub_top_mask(&check->model, window, mask);
}

void hub_check_interrupts(struct hub_check *check, uint32_t windows)
{
    if (check->on)
        compare(check, moehub_hub_top_interrupts(&check->model, windows));
}

/* ---- counters ------------------------------------------------------------------------------------------------------------ */

void hub_check_counters(struct hub_check *check, unsigned window, unsigned events, const uint64_t *values)
{
    for (unsigned event = 0; event < events && check->on; event++) {
        uint64_t expected;
        if (!moehub_hub_top_counter(&check->model, window, event, &expected))
            continue;
        check->compared++;
        if (values[event] != expected)
            bench_fail(check->bench, BENCH_MISMATCH,
                       "GPU %u: the hub's model: window %u, event %u: %" PRIu64 " were counted, expected %" PRIu64,
                       check->model.config.own, window, event, values[event], expected);
    }
}
