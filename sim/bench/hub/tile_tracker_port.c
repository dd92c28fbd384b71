/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/tile_tracker_port.h"
#include "kit/allocate.h"
#include "kit/bits.h"
#include "kit/parameters.h"
#include "moehub/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cycles from an operation's entry, a timer's end and a word's judgement to the pulse of `failed`. */
enum { PIPELINE = 8, TOKEN_PIPELINE = 7, TIMER = 1, ROW = 1 };
enum { BOUND = 64 }; /* cycles within which each stream has a turn */
enum { COMMAND = 256 }; /* ... and a command its result, initialisation included */
enum { LATE = 24 }; /* cycles after its time within which a timer has to be heard */
enum { COMPLETED, CLOSE, NOTIFY, EXPECT, DONE, SET };
enum { ACT_COMPLETED, ACT_CLOSE, ACT_NOTIFY, ACT_EXPECT, ACT_DONE, ACT_TILE, ACT_ARRIVAL, ACT_TOKEN, ACT_SETTLE, ACT_LATE,
       ACT_EXPIRE, ACT_ROW };
enum { TILE_SETTLE = 3, TILE_LOOK = 5, TILE_GET = 6, ARRIVAL_GET = 3, TOKEN_EXPIRE = 2, TOKEN_GET = 4 };
/* The vectors of contexts, a field of so many bits for each. */
enum { ENABLED, HAS_ARRIVED, HAS_FAILED, COUNTS_TOKENS, ROUNDS, PEERS, OWNER_SHIFTS, TOKEN_FIRSTS, TILE_SHIFTS, TILE_FIRSTS,
       TILE_COUNTS, COMPUTED_BLOCKS, FINISHED_BLOCKS, ARRIVAL_TIMEOUTS, TOKEN_TIMEOUTS, LIST_BASES, LIST_SHIFTS, ROW_SIZES,
       CONTEXT_FIELDS };
static const char *const context_names[CONTEXT_FIELDS] = {
    "enabled", "has_arrived", "has_failed", "counts_tokens", "rounds", "peers", "owner_shifts", "token_firsts", "tile_shifts",
    "tile_firsts", "tile_counts", "computed_blocks", "finished_blocks", "arrival_timeouts", "token_timeouts", "list_bases",
    "list_shifts", "row_sizes"};

/* ---- sources --------------------------------------------------------------------------------------------------------- */

void tracker_source_put(struct tracker_source *source, uint64_t low, uint64_t high)
{
    if (source->count == TRACKER_QUEUE)
        return; /* the traffic is random: what does not fit is not sent */
    uint64_t *item = source->items[(source->first + source->count++) % TRACKER_QUEUE];
    item[0] = low;
    item[1] = high;
}

static void source_make(struct tile_tracker_port *port, struct tracker_source *source, unsigned stream, unsigned way,
                        unsigned bits, const char *name)
{
    char pin[64], stall[64];
    (void)snprintf(pin, sizeof pin, "s_axis_%s_tvalid", name);
    port->valid[stream].pin = bench_pin(port->bench, pin);
    (void)snprintf(pin, sizeof pin, "s_axis_%s_tdata", name);
    port->data[stream].pin = bench_pin(port->bench, pin);
    (void)snprintf(pin, sizeof pin, "s_axis_%s_tready", name);
    (void)snprintf(stall, sizeof stall, "%s %u", name, way);
    *source = (struct tracker_source){.valid = &port->valid[stream], .data = &port->data[stream], .way = way, .bits = bits,
                                      .ready = bench_pin(port->bench, pin),
                                      .items = allocate(TRACKER_QUEUE, sizeof *source->items)};
    stall_init(&source->stall, STALL_MIXED, port->bench->options.seed, stall);
}

static void source_drive_way(struct tracker_source *source, bool hold)
{
    const bool stalled = stall_next(&source->stall);
    if (!source->driving && source->count > 0 && !stalled && !hold) {
        source->driving = true;
        const uint64_t *item = source->items[source->first];
        const unsigned low = source->bits > 64 ? 64 : source->bits;
        bits_set(source->data->words, source->way * source->bits, low, item[0]);
        if (source->bits > 64)
            bits_set(source->data->words, source->way * source->bits + 64, source->bits - 64, item[1]);
    }
    bits_set(source->valid->words, source->way, 1, source->driving);
}

static struct tracker_taken source_take(struct tile_tracker_port *port, struct tracker_source *source)
{
    struct tracker_taken taken = {0};
    const bool ready = pin_get(source->ready) >> source->way & 1;
    if (ready && !source->driving)
        bench_fail(port->bench, BENCH_MISMATCH, "ready of way %u without its valid", source->way);
    if (ready && port->bench->quiet)
        bench_fail(port->bench, BENCH_MISMATCH, "ready of way %u in the cycle after reset", source->way);
    source->waited = source->driving && !ready ? source->waited + 1 : 0;
    if (source->waited > BOUND && source != &port->set)
        bench_fail(port->bench, BENCH_MISMATCH, "%s of way %u is not taken within %d cycles", source->data->pin->name,
            source->way,
                   BOUND);
    if (!ready)
        return taken;
    taken.valid = true;
    memcpy(taken.item, source->items[source->first], sizeof taken.item);
    source->first = (source->first + 1) % TRACKER_QUEUE;
    source->count--;
    source->driving = false;
    source->taken++;
    port->moved = port->bench->cycle;
    return taken;
}

void tile_tracker_port_complete(struct tile_tracker_port *port, unsigned way, const struct moehub_completed *record)
{
    uint64_t item[3] = {0};
    bits_set(item, 0, 2, record->kind);
    bits_set(item, 2, 3, record->context);
    bits_set(item, 5, 6, record->source);
    bits_set(item, 11, 8, record->expert);
    bits_set(item, 19, port->slot_width, record->slot);
    bits_set(item, 19 + port->slot_width, 8, record->value);
    bits_set(item, 27 + port->slot_width, 1, record->error);
    tracker_source_put(&port->completed[way], item[0], item[1]);
}

/* ---- actions: the model is told ----------------------------------------------------------------------------------------- */

static void act_later(struct tile_tracker_port *port, struct tracker_actions *actions, unsigned delay, int kind,
                      unsigned operation, const uint64_t *item)
{
    if (actions->count == TRACKER_ACTIONS)
        bench_fail(port->bench, BENCH_MISMATCH, "more operations than the pipelines hold");
    struct tracker_action *action = &actions->list[(actions->first + actions->count++) % TRACKER_ACTIONS];
    *action = (struct tracker_action){.cycle = port->bench->cycle + delay, .kind = kind, .operation = operation,
                                      .enabled = port->enabled_before};
    if (item != NULL)
        memcpy(action->item, item, sizeof action->item);
}

static void expect_event(struct tile_tracker_port *port, unsigned kind, unsigned context)
{
    struct moehub_ready_event event;
    if (!moehub_tile_tracker_ready(&port->model, kind, context, &event))
        bench_fail(port->bench, BENCH_MISMATCH, "an event of kind %u, context %u that the model has not", kind, context);
    const uint64_t item[] = {event.kind, event.failed, event.context, event.round, event.expert, event.rows, event.name};
    scoreboard_expect(&port->told, 0, item);
    port->ready_by_kind[kind]++;
    port->ready_failed += event.failed;
}

static void know_result(struct tile_tracker_port *port)
{
    uint64_t data[2] = {0};
    port->expected[0] = !moehub_tile_tracker_command(&port->model, (unsigned)pin_get(port->operation),
                                                     (unsigned)pin_get(port->command_context),
                                                     (uint32_t)pin_get(port->command_index), data);
    port->expected[1] = data[0];
    port->expected[2] = data[1];
    port->result_known = true;
}

/* kind_told: of the event that LOOK looks up; both kinds may have the same tile first. */
static void act_tile(struct tile_tracker_port *port, const uint64_t *item, unsigned kind_told)
{
    const unsigned kind = (unsigned)bits_get(item, 0, 3), context = (unsigned)bits_get(item, 3, 3);
    const unsigned expert = (unsigned)bits_get(item, 6, 16);
    if (kind == TILE_SETTLE && !moehub_tile_tracker_settle(&port->model, context, expert, (uint32_t)bits_get(item, 22, 32)))
        bench_fail(port->bench, BENCH_MISMATCH, "SETTLE of context %u expert %u tile %" PRIu64 " out of turn", context, expert,
                   bits_get(item, 22, 32));
    if (kind == TILE_GET)
        know_result(port);
    if (kind != TILE_LOOK)
        return;
    port->looks++;
    if (bits_get(item, 60, 1) != 0) {
        if (!moehub_tile_tracker_take_finished(&port->model, context))
            bench_fail(port->bench, BENCH_MISMATCH, "a finished tile of context %u that the model has not", context);
        return;
    }
    expect_event(port, kind_told, context);
}

static void act(struct tile_tracker_port *port, const struct tracker_action *action)
{
    struct moehub_tile_tracker *model = &port->model;
    const uint64_t *item = action->item;
    const unsigned context = (unsigned)bits_get(item, 0, 3), source = (unsigned)bits_get(item, 3, 6);
    switch (action->kind) {
    case ACT_COMPLETED: {
        const unsigned slot = port->slot_width;
        const struct moehub_completed record = {
            .kind = (uint8_t)bits_get(item, 0, 2), .context = (uint8_t)bits_get(item, 2, 3),
            .source = (uint8_t)bits_get(item, 5, 6), .expert = (uint8_t)bits_get(item, 11, 8),
            .slot = (uint32_t)bits_get(item, 19, slot), .value = (uint8_t)bits_get(item, 19 + slot, 8),
            .error = bits_get(item, 27 + slot, 1) != 0};
        moehub_tile_tracker_completed(model, &record);
        break;
    }
    case ACT_CLOSE:
        moehub_tile_tracker_close(model, context, source, (uint32_t)bits_get(item, 9, 32));
        break;
    case ACT_NOTIFY:
        moehub_tile_tracker_notify(model, context, source, (uint32_t)bits_get(item, 9, 32), bits_get(item, 41, 1) != 0);
        break;
    case ACT_EXPECT:
        moehub_tile_tracker_expect(model, context, (uint32_t)bits_get(item, 3, 16), (unsigned)bits_get(item, 19, 6));
        break;
    case ACT_DONE:
        moehub_tile_tracker_done(model, context, (unsigned)bits_get(item, 3, 16), (uint32_t)bits_get(item, 19, 32),
                                 (unsigned)bits_get(item, 51, 1));
        break;
    case ACT_TILE:
        act_tile(port, item, action->operation);
        break;
    case ACT_ARRIVAL:
        if (bits_get(item, 0, 2) == ARRIVAL_GET)
            know_result(port);
        break;
    case ACT_TOKEN:
        if (bits_get(item, 0, 3) == TOKEN_EXPIRE &&
            !moehub_tile_tracker_expire(model, (unsigned)bits_get(item, 3, 3), (uint32_t)bits_get(item, 6, 32)))
            bench_fail(port->bench, BENCH_MISMATCH, "EXPIRE out of turn");
        if (bits_get(item, 0, 3) == TOKEN_GET)
            know_result(port);
        break;
    case ACT_SETTLE:
        if (!moehub_tile_tracker_settle_begins(model, action->operation))
            bench_fail(port->bench, BENCH_MISMATCH, "SETTLE of context %u begins before it may", action->operation);
        port->settles_quiet++;
        break;
    case ACT_LATE:
        if (!moehub_tile_tracker_arrival_timeout(model, action->operation))
            bench_fail(port->bench, BENCH_MISMATCH, "the arrival timer of context %u ends when it may not", action->operation);
        port->settles_late++;
        break;
    case ACT_EXPIRE:
        if (!moehub_tile_tracker_token_timeout(model, action->operation))
            bench_fail(port->bench, BENCH_MISMATCH, "the token timer of context %u ends when it may not", action->operation);
        port->expires++;
        break;
    default:
        break;
    }
}

/* ---- the row list --------------------------------------------------------------------------------------------------------- */

/* Mostly a row of some peer, seldom of nobody, or with a bit of its own wrong. The first three bits of a list's address are its
 * context. */
static uint32_t row_at(const struct tile_tracker_port *port, uint64_t address)
{
    const uint64_t hash = random_hash(port->row_seed, address >> 2);
    const unsigned context = (unsigned)(address >> (port->model.config.address_width - 3)) % MOEHUB_TILE_TRACKER_CONTEXTS_MAX;
    const unsigned shift = port->model.contexts[context].owner_shift;
    const uint32_t row = (uint32_t)((hash % (port->model.config.gpus + 1) << shift) | ((hash >> 32) & bits_mask(shift)));
    return hash >> 58 == 0 ? row ^ 1u << (hash >> 52) % 32 : row;
}

static bool list_fails(const struct tile_tracker_port *port, uint64_t address)
{
    return random_hash(port->row_seed + 1, address >> 4) % 256 < port->list_errors;
}

static unsigned notice_way(const struct tile_tracker_port *port, unsigned link_up, unsigned owner)
{
    const unsigned links = port->ways > 1 ? port->ways - 1 : 1; /* there is one at least */
    if (owner == port->model.config.own)
        return links;
    for (unsigned i = 0; i < links; i++)
        if (link_up >> (owner + i) % links & 1)
            return (owner + i) % links;
    return owner % links;
}

static void judge_row(struct tile_tracker_port *port, unsigned link_up)
{
    port->rows_judged++;
    port->judged_at = port->bench->cycle;
    if (port->model.notifying_count == 0)
        bench_fail(port->bench, BENCH_MISMATCH, "a word of the row list after the last tile's last");
    const unsigned context = port->model.notifying[0].context;
    const uint64_t address = moehub_tile_tracker_list_address(&port->model);
    struct moehub_flit flit;
    const uint32_t row = row_at(port, address);
    if (!moehub_tile_tracker_list_word(&port->model, row, list_fails(port, address), &flit))
        return;
    const unsigned owner = row >> port->model.contexts[context].owner_shift;
    uint64_t item[3];
    memcpy(item, &flit, sizeof flit);
    item[2] = notice_way(port, link_up, owner);
    scoreboard_expect(&port->notified, 0, item);
}

static void apply(struct tile_tracker_port *port, struct tracker_actions *actions)
{
    while (actions->count > 0 && actions->list[actions->first].cycle <= port->bench->cycle) {
        const struct tracker_action action = actions->list[actions->first];
        actions->first = (actions->first + 1) % TRACKER_ACTIONS;
        actions->count--;
        for (unsigned c = 0; c < port->model.config.contexts; c++)
            port->model.contexts[c].enabled = action.enabled >> c & 1;
        if (action.kind == ACT_ROW)
            judge_row(port, action.operation);
        else
            act(port, &action);
        for (unsigned c = 0; c < port->model.config.contexts; c++)
            port->model.contexts[c].enabled = port->enabled >> c & 1;
        port->moved = port->bench->cycle;
    }
}

/* ---- drive ----------------------------------------------------------------------------------------------------------------- */

void tile_tracker_port_contexts(struct tile_tracker_port *port)
{
    const struct moehub_tile_tracker_config *config = &port->model.config;
    for (unsigned c = 0; c < config->contexts; c++) {
        const struct moehub_tile_tracker_context *from = &port->model.contexts[c];
        const uint64_t values[CONTEXT_FIELDS] = {
            port->enabled >> c & 1, port->has_arrived >> c & 1, port->has_failed >> c & 1, from->tokens, from->round, from->peers,
            from->owner_shift, from->token_first, from->tile_shift, from->tile_first, from->tile_count, from->computed_blocks,
            from->finished_blocks, port->arrival_timeout[c], port->token_timeout[c], from->list_base, from->list_shift,
            from->row_size};
        for (unsigned f = 0; f < CONTEXT_FIELDS; f++) {
            const unsigned bits = port->contexts[f].pin->bits / config->contexts;
            bits_set(port->contexts[f].words, c * bits, bits, values[f]);
        }
    }
    for (unsigned f = 0; f < CONTEXT_FIELDS; f++)
        pin_set_words(port->contexts[f].pin, port->contexts[f].words);
}

static void drive_list(struct tile_tracker_port *port)
{
    const bool answers = port->reads_count > 0 && port->reads[port->reads_first].due <= port->bench->cycle;
    uint64_t data[2] = {random_next(&port->random), random_next(&port->random)};
    pin_set(port->ar_ready, !stall_next(&port->list_stall));
    pin_set(port->r_valid, answers);
    pin_set(port->r_response, 0);
    if (answers) {
        const uint64_t address = port->reads[port->reads_first].address;
        for (unsigned i = 0; i < 4; i++)
            bits_set(data, 32 * i, 32, row_at(port, address + 4 * (uint64_t)i));
        if (list_fails(port, address))
            pin_set(port->r_response, 2 + random_below(&port->random, 2));
        port->reads_first = (port->reads_first + 1) % TRACKER_READS;
        port->reads_count--;
    }
    pin_set_words(port->r_data.pin, data);
}

static void drive_command(struct tile_tracker_port *port)
{
    if (!port->command_busy && !port->hold_commands && !port->advancing && random_chance(&port->random, 1, 16)) {
        const struct moehub_tile_tracker_config *config = &port->model.config;
        const uint64_t bounds[4] = {config->tiles + 1, config->gpus + 1, config->tokens + 1, 4};
        const unsigned operation = random_chance(&port->random, 1, 32) ? (unsigned)random_below(&port->random, 16)
                                                                      : (unsigned)random_below(&port->random, 3);
        pin_set(port->operation, operation);
        pin_set(port->command_context, random_below(&port->random, config->contexts + 1));
        pin_set(port->command_index, random_below(&port->random, bounds[operation < 3 ? operation : 3]));
        port->command_busy = port->command_offered = true;
        port->command_at = port->bench->cycle;
        port->result_known = false;
    }
    pin_set(port->command_valid, port->command_offered);
    pin_set(port->result_ready, random_chance(&port->random, 1, 2));
}

static void drive(struct tile_tracker_port *port)
{
    for (unsigned w = 0; w < port->ways; w++) {
        source_drive_way(&port->completed[w], false);
        source_drive_way(&port->close[w], false);
        source_drive_way(&port->notify[w], false);
    }
    source_drive_way(&port->expect, false);
    source_drive_way(&port->done, port->hold_done);
    source_drive_way(&port->set, port->command_busy);
    for (unsigned s = 0; s < 6; s++) {
        pin_set_words(port->valid[s].pin, port->valid[s].words);
        pin_set_words(port->data[s].pin, port->data[s].words);
    }
    port->advancing = port->set.count > 0;
    tile_tracker_port_contexts(port);
    pin_set(port->own, port->model.config.own);
    pin_set(port->link_up, port->link_up_now);
    pin_set(port->closed, port->closed_pulses);
    pin_set(port->stores_in_flight, port->in_flight);
    pin_set(port->ready_ready, !stall_next(&port->ready_stall));
    pin_set(port->notice_ready, !stall_next(&port->notice_stall));
    drive_list(port);
    drive_command(port);
}

/* ---- sample ---------------------------------------------------------------------------------------------------------------- */

static void sample_sources(struct tile_tracker_port *port)
{
    struct tracker_taken taken;
    for (unsigned w = 0; w < port->ways; w++) {
        taken = source_take(port, &port->completed[w]);
        if (taken.valid)
            act_later(port, &port->pipes, PIPELINE, ACT_COMPLETED, 0, taken.item);
        taken = source_take(port, &port->close[w]);
        if (taken.valid)
            act_later(port, &port->pipes, PIPELINE, ACT_CLOSE, 0, taken.item);
        taken = source_take(port, &port->notify[w]);
        if (taken.valid)
            act_later(port, &port->token_pipe, TOKEN_PIPELINE, ACT_NOTIFY, 0, taken.item);
    }
    taken = source_take(port, &port->expect);
    if (taken.valid)
        act_later(port, &port->token_pipe, TOKEN_PIPELINE, ACT_EXPECT, 0, taken.item);
    taken = source_take(port, &port->done);
    if (taken.valid)
        act_later(port, &port->pipes, PIPELINE, ACT_DONE, 0, taken.item);
    if (pin_get(port->tile_valid)) {
        pin_get_words(port->tile.pin, port->tile.words);
        act_later(port, &port->pipes, PIPELINE, ACT_TILE, (unsigned)pin_get(port->look_kind), port->tile.words);
    }
    if (pin_get(port->arrival_valid)) {
        pin_get_words(port->arrival.pin, port->arrival.words);
        const uint64_t item[2] = {port->arrival.words[0], 0};
        act_later(port, &port->pipes, PIPELINE, ACT_ARRIVAL, 0, item);
    }
    if (pin_get(port->token_valid)) {
        pin_get_words(port->token.pin, port->token.words);
        const uint64_t item[2] = {port->token.words[0], 0};
        act_later(port, &port->token_pipe, TOKEN_PIPELINE, ACT_TOKEN, 0, item);
    }
    taken = source_take(port, &port->set);
    if (taken.valid && bits_get(taken.item, 0, 2) == 2) {
        const unsigned context = (unsigned)bits_get(taken.item, 2, 3);
        port->has_arrived &= ~(UINT64_C(1) << context);
        port->has_failed &= ~(UINT64_C(1) << context);
        port->restarted &= ~(UINT64_C(1) << context);
        port->advances++;
    }
}

/* A timer's end is checked to come at its time; SETTLE by counts, not before it may. */
static void sample_timers(struct tile_tracker_port *port)
{
    const uint64_t settle = pin_get(port->settle), late = pin_get(port->late), expire = pin_get(port->expire);
    const uint64_t restart = pin_get(port->restart);
    for (unsigned c = 0; c < port->model.config.contexts; c++) {
        const uint64_t bit = UINT64_C(1) << c;
        if (restart & bit) {
            moehub_tile_tracker_advance(&port->model, c);
            port->counting[c] = false;
            port->restarted |= bit;
            port->timer[c] = 0;
        }
        if (settle & ~port->settled_before & bit) {
            act_later(port, &port->timers, TIMER, late & bit ? ACT_LATE : ACT_SETTLE, c, NULL);
            if (late & bit && port->timer[c] < port->arrival_timeout[c])
                bench_fail(port->bench, BENCH_MISMATCH, "the arrival timer of context %u ends early", c);
            if (!(late & bit) && (port->in_flight_before & bit || port->bench->cycle < port->arrived_at[c] + 8))
                bench_fail(port->bench, BENCH_MISMATCH, "SETTLE of context %u begins with a store in flight", c);
        }
        if (expire & ~port->expired_before & bit) {
            act_later(port, &port->timers, TIMER, ACT_EXPIRE, c, NULL);
            if (port->timer[c] < port->token_timeout[c])
                bench_fail(port->bench, BENCH_MISMATCH, "the token timer of context %u ends early", c);
        }
        if (port->counting[c] && !(settle & bit) && port->timer[c] > (uint64_t)port->arrival_timeout[c] + LATE)
            bench_fail(port->bench, BENCH_MISMATCH, "the arrival timer of context %u does not end", c);
        if (port->counting[c] && !(expire & bit) && port->model.contexts[c].tokens &&
            port->timer[c] > (uint64_t)port->token_timeout[c] + LATE)
            bench_fail(port->bench, BENCH_MISMATCH, "the token timer of context %u does not end", c);
        if (port->counting[c] && port->enabled & bit)
            port->timer[c]++;
        if (port->closed_pulses & bit) {
            port->counting[c] = true;
            moehub_tile_tracker_closed(&port->model, c);
        }
    }
    port->enabled_before = port->enabled;
    port->settled_before = settle;
    port->expired_before = expire;
    port->in_flight_before = port->in_flight;
    port->closed_pulses = 0;
}

/* A context with a tile in the machine is notifying; one without anything to tell is not, soon after. */
static void sample_notifying(struct tile_tracker_port *port)
{
    enum { SOON = 32 };
    uint64_t telling = 0, idle = pin_get(port->notifying);
    for (unsigned i = 0; i < port->model.notifying_count; i++)
        telling |= UINT64_C(1) << port->model.notifying[i].context;
    if (telling & ~idle)
        bench_fail(port->bench, BENCH_MISMATCH, "contexts with tiles in the notify machine: model %#" PRIx64
                   ", design %#" PRIx64, telling, idle);
    for (unsigned c = 0; c < port->model.config.contexts; c++)
        if (moehub_tile_tracker_is_notifying(&port->model, c))
            idle &= ~(UINT64_C(1) << c);
    port->notifying_idle = idle == 0 || port->notice_waits ? 0 : port->notifying_idle + 1;
    if (port->notifying_idle > SOON)
        bench_fail(port->bench, BENCH_MISMATCH, "contexts %#" PRIx64 " are notifying and have nothing to tell", idle);
}

static void sample_flags(struct tile_tracker_port *port)
{
    const uint64_t failed = pin_get(port->failed), arrived = pin_get(port->arrived);
    uint64_t model_failed = 0, model_arrived = 0;
    for (unsigned c = 0; c < port->model.config.contexts; c++) {
        model_failed |= (uint64_t)port->model.contexts[c].failed << c;
        model_arrived |= (uint64_t)port->model.contexts[c].arrived << c;
    }
    /* The model advances at once, the design's context keeps its flags until it is done. */
    if (((port->has_failed | failed) & ~port->restarted) != model_failed)
        bench_fail(port->bench, BENCH_MISMATCH, "contexts flagged: model %#" PRIx64 ", design %#" PRIx64, model_failed,
                   port->has_failed | failed);
    if (port->arrived_check & ~model_arrived)
        bench_fail(port->bench, BENCH_MISMATCH, "contexts arrived: model %#" PRIx64 ", design %#" PRIx64, model_arrived,
                   port->arrived_check);
    for (unsigned c = 0; c < port->model.config.contexts; c++)
        if (arrived >> c & 1)
            port->arrived_at[c] = port->bench->cycle;
    if (arrived & port->has_arrived)
        bench_fail(port->bench, BENCH_MISMATCH, "a context arrives twice: %#" PRIx64, arrived & port->has_arrived);
    port->arrived_check = arrived;
    port->has_failed |= failed;
    port->has_arrived |= arrived;
}

static void sample_causes(struct tile_tracker_port *port)
{
    const struct moehub_offenders *offenders = &port->model.offenders;
    const struct moehub_offender *smallest = moehub_offenders_smallest(offenders);
    const bool valid = pin_get(port->error_valid) != 0;
    if (valid != (smallest != NULL))
        bench_fail(port->bench, BENCH_MISMATCH, "%zu offenders, error_valid is %d", offenders->count, valid);
    if (smallest != NULL) {
        struct moehub_offender got = {.cause = (uint8_t)pin_get(port->error_cause)};
        pin_get_words(port->error_header.pin, port->error_header.words);
        memcpy(&got.header, port->error_header.words, sizeof got.header);
        scoreboard_value(&port->causes, "cause", smallest->cause, got.cause);
        if (!moehub_offenders_contain(offenders, &got))
            bench_fail(port->bench, BENCH_MISMATCH, "cause %u: header %016" PRIx64 "%016" PRIx64 ", the model has %016" PRIx64
                       "%016" PRIx64, got.cause, port->error_header.words[1], port->error_header.words[0],
                       ((const uint64_t *)&smallest->header)[1], ((const uint64_t *)&smallest->header)[0]);
    }
    moehub_offenders_clear(&port->model.offenders);
    pin_get_words(port->events.pin, port->events.words);
    for (unsigned e = 0; e < MOEHUB_TILE_TRACKER_EVENTS; e++)
        port->counted[e] += bits_get(port->events.words, e, 1);
}

static void sample_ready(struct tile_tracker_port *port)
{
    const bool valid = pin_get(port->ready_valid) != 0, ready = pin_get(port->ready_ready) != 0;
    pin_get_words(port->ready_data.pin, port->ready_data.words);
    const uint64_t *data = port->ready_data.words;
    if (port->ready_waits && (!valid || memcmp(data, port->ready_held, sizeof port->ready_held) != 0))
        bench_fail(port->bench, BENCH_MISMATCH, "ready: withdrawn or changed");
    const struct moehub_ready_event event = {
        .kind = (uint8_t)bits_get(data, 0, 2), .failed = bits_get(data, 2, 1) != 0, .context = (uint8_t)bits_get(data, 3, 3),
        .round = (uint8_t)bits_get(data, 6, 4), .expert = (uint16_t)bits_get(data, 10, 16),
        .rows = (uint16_t)bits_get(data, 26, 16), .name = (uint32_t)bits_get(data, 42, 32)};
    if (valid && !port->ready_waits && event.kind >= MOEHUB_READY_TOKEN_READY)
        expect_event(port, event.kind, event.context);
    if (valid && ready) {
        const uint64_t item[] = {event.kind, event.failed, event.context, event.round, event.expert, event.rows, event.name};
        scoreboard_check(&port->told, 0, item);
        port->moved = port->bench->cycle;
        if (port->on_ready != NULL)
            port->on_ready(port->context, &event);
    }
    port->ready_waits = valid && !ready;
    memcpy(port->ready_held, data, sizeof port->ready_held);
}

static void sample_notices(struct tile_tracker_port *port)
{
    const bool valid = pin_get(port->notice_valid) != 0, ready = pin_get(port->notice_ready) != 0;
    pin_get_words(port->notice_data.pin, port->notice_data.words);
    const uint64_t *data = port->notice_data.words;
    if (port->notice_waits && (!valid || memcmp(data, port->notice_held, sizeof port->notice_held) != 0))
        bench_fail(port->bench, BENCH_MISMATCH, "notices: withdrawn or changed");
    memcpy(port->notice_held, data, sizeof port->notice_held);
    port->notice_waits = valid && !ready;
    /* The model is told of a word when the design flags it: a notify may leave in the cycle before. */
    if (port->notice_taken)
        scoreboard_check(&port->notified, 0, port->notice);
    port->notice_taken = valid && ready;
    memcpy(port->notice, data, sizeof port->notice);
    if (valid && ready)
        port->moved = port->bench->cycle;
}

static void sample_list(struct tile_tracker_port *port)
{
    const bool valid = pin_get(port->ar_valid) != 0, ready = pin_get(port->ar_ready) != 0;
    const uint64_t address = pin_get(port->ar_address);
    if (port->ar_waits && (!valid || address != port->ar_held))
        bench_fail(port->bench, BENCH_MISMATCH, "AR: withdrawn or changed");
    if (valid && address % 16 != 0)
        bench_fail(port->bench, BENCH_MISMATCH, "AR: not aligned");
    port->ar_waits = valid && !ready;
    port->ar_held = address;
    if (!valid || !ready)
        return;
    if (port->reads_count == TRACKER_READS) {
        bench_fail(port->bench, BENCH_MISMATCH, "more than %u reads of the row list", TRACKER_READS);
        return;
    }
    port->reads[(port->reads_first + port->reads_count++) % TRACKER_READS] =
        (__typeof__(port->reads[0])){address, port->bench->cycle + port->list_latency + random_below(&port->random, 40)};
}

static void sample_command(struct tile_tracker_port *port)
{
    if (port->command_busy && port->bench->cycle > port->command_at + COMMAND)
        bench_fail(port->bench, BENCH_MISMATCH, "a command has no result after %d cycles", COMMAND);
    if (pin_get(port->command_ready) && port->command_offered) {
        port->command_offered = false;
        const unsigned operation = (unsigned)pin_get(port->operation);
        uint64_t data[2];
        if (!moehub_tile_tracker_command(&port->model, operation, (unsigned)pin_get(port->command_context),
                                         (uint32_t)pin_get(port->command_index), data))
            know_result(port);
        else
            port->gets[operation]++;
    }
    if (!(pin_get(port->result_valid) && pin_get(port->result_ready)))
        return;
    if (!port->result_known)
        bench_fail(port->bench, BENCH_MISMATCH, "a result before its command's turn");
    const uint64_t item[] = {pin_get(port->operation), pin_get(port->command_context), pin_get(port->command_index),
                             port->expected[0], port->expected[1], port->expected[2]};
    const uint64_t got[] = {item[0], item[1], item[2], pin_get(port->refused), pin_get(port->result0), pin_get(port->result1)};
    scoreboard_expect(&port->commands, 0, item);
    scoreboard_check(&port->commands, 0, got);
    port->command_busy = false;
}

static void sample(struct tile_tracker_port *port)
{
    if (port->bench->reset || !pin_get(port->initialised))
        return;
    /* An event that is offered now was made in the cycle before: the flags until then count. */
    sample_ready(port);
    apply(port, &port->timers);
    apply(port, &port->rows);
    apply(port, &port->pipes);
    apply(port, &port->token_pipe);
    sample_sources(port);
    sample_timers(port);
    sample_flags(port);
    sample_notifying(port);
    sample_causes(port);
    sample_list(port);
    sample_command(port);
    if (pin_get(port->row))
        act_later(port, &port->rows, ROW, ACT_ROW, (unsigned)port->link_up_before, NULL);
    port->link_up_before = port->link_up_now;
    sample_notices(port);
}

void tile_tracker_port_step(void *context)
{
    struct tile_tracker_port *port = context;
    drive(port);
    bench_settle(port->bench);
    sample(port);
    bench_tick(port->bench);
}

bool tile_tracker_port_quiet(const struct tile_tracker_port *port)
{
    for (unsigned w = 0; w < port->ways; w++)
        if (port->completed[w].count + port->close[w].count + port->notify[w].count > 0)
            return false;
    const unsigned acts = port->pipes.count + port->token_pipe.count + port->timers.count + port->rows.count;
    return port->expect.count + port->done.count + port->set.count + acts == 0 && port->told.waiting == 0 &&
           port->notified.waiting == 0 && !port->ready_waits && !port->notice_taken && !port->command_busy &&
           pin_get(port->notifying) == 0;
}

void tile_tracker_port_compare_counters(struct tile_tracker_port *port)
{
    for (unsigned e = 0; e < MOEHUB_TILE_TRACKER_ORDER_EVENTS; e++) {
        char name[32];
        (void)snprintf(name, sizeof name, "counter %u", e);
        scoreboard_value(&port->states, name, port->model.counters[e], port->counted[e]);
    }
}

/* ---- create ---------------------------------------------------------------------------------------------------------------- */

static void vector_find(struct tile_tracker_port *port, struct tracker_vector *vector, const char *name)
{
    vector->pin = bench_pin(port->bench, name);
    if ((vector->pin->bits + 63) / 64 > TRACKER_VECTOR_WORDS)
        bench_fail(port->bench, BENCH_CONFIGURATION, "%s is wider than the bench holds", name);
}

static void find_pins(struct tile_tracker_port *port)
{
    const struct { const char *name; const struct pin **pin; } pins[] = {
        {"own", &port->own}, {"link_up", &port->link_up}, {"initialised", &port->initialised}, {"arrived", &port->arrived},
        {"failed", &port->failed}, {"notifying", &port->notifying}, {"closed", &port->closed},
        {"stores_in_flight", &port->stores_in_flight}, {"m_axis_ready_tvalid", &port->ready_valid},
        {"m_axis_ready_tready", &port->ready_ready}, {"m_axis_notices_tvalid", &port->notice_valid},
        {"m_axis_notices_tready", &port->notice_ready}, {"m_axi_list_arvalid", &port->ar_valid},
        {"m_axi_list_arready", &port->ar_ready}, {"m_axi_list_araddr", &port->ar_address},
        {"m_axi_list_rvalid", &port->r_valid}, {"m_axi_list_rresp", &port->r_response},
        {"command_valid", &port->command_valid}, {"command_ready", &port->command_ready},
        {"command_operation", &port->operation}, {"command_context", &port->command_context},
        {"command_index", &port->command_index}, {"result_valid", &port->result_valid},
        {"result_ready", &port->result_ready}, {"result_refused", &port->refused}, {"result_data0", &port->result0},
        {"result_data1", &port->result1}, {"error_valid", &port->error_valid}, {"error_cause", &port->error_cause},
        {"watch_tile_valid", &port->tile_valid}, {"watch_kind", &port->look_kind}, {"watch_arrival_valid", &port->arrival_valid},
        {"watch_token_valid", &port->token_valid}, {"watch_settle", &port->settle}, {"watch_late", &port->late},
        {"watch_expire", &port->expire}, {"watch_restart", &port->restart}, {"watch_row", &port->row}};
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(port->bench, pins[i].name);
    const struct { const char *name; struct tracker_vector *vector; } vectors[] = {
        {"m_axis_ready_tdata", &port->ready_data}, {"m_axis_notices_tdata", &port->notice_data},
        {"m_axi_list_rdata", &port->r_data}, {"events", &port->events}, {"error_header", &port->error_header},
        {"watch_tile", &port->tile}, {"watch_arrival", &port->arrival}, {"watch_token", &port->token}};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        vector_find(port, vectors[i].vector, vectors[i].name);
    for (unsigned f = 0; f < CONTEXT_FIELDS; f++)
        vector_find(port, &port->contexts[f], context_names[f]);
}

static void read_config(struct tile_tracker_port *port, struct moehub_tile_tracker_config *config)
{
    uint32_t links = 1, slot_width = 22, offset_width = 14;
    *config = moehub_tile_tracker_config_default();
    const struct parameter parameters[] = {{"LINKS", &links}, {"GPUS", &config->gpus}, {"CONTEXTS", &config->contexts},
                                           {"LOCAL_EXPERTS", &config->local_experts}, {"SLOT_WIDTH", &slot_width},
                                           {"OFFSET_WIDTH", &offset_width}, {"ADDRESS_WIDTH", &config->address_width},
                                           {"TILES", &config->tiles}, {"TOKENS", &config->tokens}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    config->own = (uint32_t)(port->bench->options.seed % config->gpus);
    port->ways = links + 1;
    port->slot_width = slot_width;
    port->offset_width = offset_width;
}

void tile_tracker_port_create(struct tile_tracker_port *port, struct bench *bench)
{
    static const struct field events[] = {{"kind", 2}, {"failed", 1}, {"context", 3}, {"round", 4}, {"expert", 16}, {"rows", 16},
                                          {"name", 32}};
    static const struct field notices[] = {{"flit", 128}, {"way", 3}};
    static const struct field results[] = {{"operation", 4}, {"context", 8}, {"index", 16}, {"refused", 1}, {"data0", 64},
                                           {"data1", 64}};
    static const struct field values[] = {{"value", 64}};
    struct moehub_tile_tracker_config config;
    port->bench = bench;
    read_config(port, &config);
    bench_random(bench, &port->random, "tracker");
    if (moehub_tile_tracker_create(&port->model, &config) != 0)
        bench_fail(bench, BENCH_CONFIGURATION, "the model refuses these parameters");
    find_pins(port);
    for (unsigned w = 0; w < port->ways; w++) {
        source_make(port, &port->completed[w], COMPLETED, w, 28 + port->slot_width, "completed");
        source_make(port, &port->close[w], CLOSE, w, 41, "close");
        source_make(port, &port->notify[w], NOTIFY, w, 42, "notify");
    }
    source_make(port, &port->expect, EXPECT, 0, 25, "expect");
    source_make(port, &port->done, DONE, 0, 52, "done");
    source_make(port, &port->set, SET, 0, 54, "set");
    stall_init(&port->ready_stall, STALL_MIXED, bench->options.seed, "ready");
    port->list_latency = 1;
    stall_init(&port->notice_stall, STALL_MIXED, bench->options.seed, "notices");
    stall_init(&port->list_stall, STALL_MIXED, bench->options.seed, "list");
    scoreboard_create(&port->told, bench, "events", events, 7, 1, 64);
    scoreboard_create(&port->notified, bench, "notifies", notices, 2, 1, 64);
    scoreboard_create(&port->commands, bench, "commands", results, 6, 1, 4);
    scoreboard_create(&port->causes, bench, "causes", values, 1, 1, 4);
    scoreboard_create(&port->states, bench, "states", values, 1, 1, 4);
    port->row_seed = random_next(&port->random);
    port->link_up_now = port->link_up_before = 1;
}

void tile_tracker_port_destroy(struct tile_tracker_port *port)
{
    struct scoreboard *boards[] = {&port->told, &port->notified, &port->commands, &port->causes, &port->states};
    for (size_t i = 0; i < sizeof boards / sizeof *boards; i++)
        scoreboard_destroy(boards[i]);
    for (unsigned w = 0; w < port->ways; w++) {
        free(port->completed[w].items);
        free(port->close[w].items);
        free(port->notify[w].items);
    }
    free(port->expect.items);
    free(port->done.items);
    free(port->set.items);
    moehub_tile_tracker_destroy(&port->model);
}
