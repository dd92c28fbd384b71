/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/request_unit_port.h"

#include "bench/switch/reduction_records.h"
#include "kit/allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const packet_parts[] = {"head", "last", "flits"};
static const char *const event_names[] = {"reserved", "refused", "refused_down", "error_results", "group_waits"};

/* ---- creation ---------------------------------------------------------------------------------------------------------- */

static void find_parts(struct bench *bench, const char *prefix, const struct pin *pins[3])
{
    char name[64];
    for (unsigned i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s_%s", prefix, packet_parts[i]);
        pins[i] = bench_pin(bench, name);
    }
}

static void find_pins(struct request_unit_port *port)
{
    struct bench *bench = port->bench;
    port->own_pin = bench_pin(bench, "own");
    port->down_pin = bench_pin(bench, "down");
    port->store_find_valid = bench_pin(bench, "store_find_valid");
    port->store_find_name = bench_pin(bench, "store_find_name");
    port->store_free_valid = bench_pin(bench, "store_free_valid");
    port->store_free_name = bench_pin(bench, "store_free_name");
    port->find_valid = bench_pin(bench, "crossbar_find_valid");
    port->find_name = bench_pin(bench, "crossbar_find_name");
    port->found_tag = bench_pin(bench, "crossbar_found_tag");
    port->free_valid = bench_pin(bench, "crossbar_free_valid");
    port->free_tag = bench_pin(bench, "crossbar_free_tag");
    port->free_name = bench_pin(bench, "crossbar_free_name");
    find_parts(bench, "store_found", port->store_found);
    find_parts(bench, "store_free", port->store_free);
    find_parts(bench, "crossbar_free", port->free);
    for (unsigned i = 0; i < 5; i++)
        port->events[i] = bench_pin(bench, event_names[i]);
}

static void create_scoreboards(struct request_unit_port *port)
{
    static const struct field found[] = {{"tag", 24}};
    static const struct field freed[] = {{"name", 13}, {"head", 13}, {"last", 13}, {"flits", 5}};
    static const struct field counted[] = {{"events", 64}};
    struct bench *bench = port->bench;
    const unsigned places = port->model.config.places, lines = port->model.config.request_lines;
    scoreboard_create_for(&port->reservations, bench, "reservation", &port->reserve.stream.table, 1, places);
    scoreboard_create_for(&port->copied, bench, "request to the crossbar", &port->copies.stream.table, 1, places);
    scoreboard_create_for(&port->errors, bench, "error result", &port->error.stream.table, 1, places * lines);
    scoreboard_create_for(&port->releases, bench, "released entry", &port->released.stream.table, 1, port->model.config.groups);
    scoreboard_create(&port->finds, bench, "found", found, 1, 1, 1);
    scoreboard_create(&port->frees, bench, "answered request freed", freed, 4, 1, places);
    scoreboard_create(&port->counts, bench, "events", counted, 1, 1, 1);
}

void request_unit_port_create(struct request_unit_port *port, struct bench *bench,
                              const struct moehub_request_unit_config *config)
{
    *port = (struct request_unit_port){.bench = bench};
    if (moehub_request_unit_create(&port->model, config) != 0)
        bench_fail(bench, BENCH_CONFIGURATION, "the model refuses the parameters");
    bench_random(bench, &port->random, "surroundings");
    source_create(&port->packet, bench, "packet", "name mark place", STALL_NONE);
    source_create(&port->grant, bench, "grant", RECORD_NAMES(REDUCTION_GRANT_FIELDS), STALL_NONE);
    sink_create(&port->reserve, bench, "reserve", RECORD_NAMES(REDUCTION_GROUP_RESERVE_FIELDS), STALL_NONE);
    sink_create(&port->copies, bench, "copies", "name mark place", STALL_NONE);
    sink_create(&port->error, bench, "error", "data", STALL_NONE);
    sink_create(&port->released, bench, "released", "entry", STALL_NONE);
    find_pins(port);
    create_scoreboards(port);
    port->packets = allocate(config->places, sizeof *port->packets);
    port->free_names = allocate(config->places, sizeof *port->free_names);
    port->granted = allocate(config->places, sizeof *port->granted);
    port->grant_due = allocate(config->places, sizeof *port->grant_due);
    port->group_free_at = allocate(config->groups, sizeof *port->group_free_at);
    port->beginning.items = allocate(config->places, sizeof *port->beginning.items);
    port->answering.items = allocate(config->places, sizeof *port->answering.items);
}

void request_unit_port_destroy(struct request_unit_port *port)
{
    struct scoreboard *boards[] = {&port->reservations, &port->copied, &port->errors, &port->releases, &port->finds,
                                   &port->frees, &port->counts};
    for (unsigned i = 0; i < sizeof boards / sizeof *boards; i++)
        scoreboard_destroy(boards[i]);
    moehub_request_unit_destroy(&port->model);
    free(port->packets);
    free(port->free_names);
    free(port->granted);
    free(port->grant_due);
    free(port->group_free_at);
    free(port->beginning.items);
    free(port->answering.items);
}

void request_unit_port_stall(struct request_unit_port *port, enum stall_kind kind)
{
    struct stream *streams[] = {&port->packet.stream, &port->grant.stream, &port->reserve.stream, &port->copies.stream,
                                &port->error.stream, &port->released.stream};
    for (unsigned i = 0; i < sizeof streams / sizeof *streams; i++) {
        struct stall *stall = &streams[i]->stall;
        stall->kind = kind;
        stall->redraw = stall->left = 0;
        stall->now = kind == STALL_MIXED ? STALL_NONE : kind;
    }
}

/* ---- rings ------------------------------------------------------------------------------------------------------------- */

static struct request_begin *ring_at(const struct request_unit_port *port, const struct request_ring *ring, unsigned i)
{
    return &ring->items[(ring->head + i) % port->model.config.places];
}

static void ring_add(const struct request_unit_port *port, struct request_ring *ring, struct request_begin item)
{
    ring->count++;
    *ring_at(port, ring, ring->count - 1) = item;
}

static void ring_drop(const struct request_unit_port *port, struct request_ring *ring)
{
    ring->head = (ring->head + 1) % port->model.config.places;
    ring->count--;
}

/* ---- sample: what goes in ----------------------------------------------------------------------------------------------- */

static void sample_packet(struct request_unit_port *port)
{
    struct moehub_reduction_reserve reserve;
    bool reserves;
    if (source_sample(&port->packet) == NULL)
        return;
    if (moehub_request_unit_accept(&port->model, &port->offered, port->down, &reserve, &reserves) != 0)
        bench_fail(port->bench, BENCH_CONFIGURATION, "name %u is in use", port->offered.name);
    port->requests++;
    port->accepted_cycle = port->bench->cycle;
    if (!reserves)
        return;
    uint64_t item[reduction_reserve_words];
    reduction_reserve_pack(item, &reserve);
    scoreboard_expect(&port->reservations, 0, item);
}

static bool sample_grant(struct request_unit_port *port)
{
    if (source_sample(&port->grant) == NULL)
        return false;
    if (moehub_request_unit_grant(&port->model, &port->granting) != 0)
        bench_fail(port->bench, BENCH_MISMATCH, "a grant was taken for which no request waits");
    return true;
}

static void expect_outcome(struct request_unit_port *port, const struct moehub_request_outcome *outcome)
{
    const struct request_packet *packet = &port->packets[outcome->request.name];
    const bool copied = outcome->status == MOEHUB_STATUS_OK;
    const struct request_begin begin = {.name = outcome->request.name, .copied = copied, .lines = outcome->lines};
    ring_add(port, &port->beginning, begin);
    port->by_status[outcome->status]++;
    port->by_lines[outcome->lines]++;
    if (copied) {
        scoreboard_expect(&port->copied, 0, (const uint64_t[]){outcome->request.name, packet->mark, packet->place});
        return;
    }
    ring_add(port, &port->answering, begin);
    for (unsigned line = 0; line < outcome->lines; line++)
        scoreboard_expect(&port->errors, 0, moehub_request_unit_error(&port->model, outcome, line).half);
}

/* ---- sample: what comes out --------------------------------------------------------------------------------------------- */

static void sample_reserve(struct request_unit_port *port)
{
    const uint64_t *item = sink_sample(&port->reserve);
    port->waits += port->reserve.stream.waiting;
    if (item == NULL)
        return;
    scoreboard_check(&port->reservations, 0, item);
    const uint64_t delay = port->mood.grant_delay > 0 ? random_below(&port->random, port->mood.grant_delay) : 0;
    const unsigned places = port->model.config.places;
    port->grant_due[(port->due_head + port->due_count++) % places] = port->bench->cycle + REQUEST_GRANT_CYCLES + delay;
}

/* The first of this kind that has not begun begins: everything before it has begun already, or does in this cycle. */
static void note_begin(struct request_unit_port *port, bool copied)
{
    for (unsigned i = 0; i < port->beginning.count; i++) {
        struct request_begin *begin = ring_at(port, &port->beginning, i);
        if (begin->copied != copied || begin->begun)
            continue;
        begin->begun = true;
        return;
    }
    bench_fail(port->bench, BENCH_MISMATCH, copied ? "a request goes to the crossbar that is not granted"
                                                   : "an error result of no refused request");
}

static const char *begins(const struct request_begin *begin)
{
    return begin->copied ? "copies" : "error results";
}

/* Before the copy list there are two places: while a request waits in one, the next one may have begun in the other. */
static bool is_hidden(const struct request_unit_port *port, const struct request_begin *begin, bool copies_began)
{
    return begin->copied && !copies_began && pin_get(port->copies.stream.valid) != 0;
}

static void check_order(struct request_unit_port *port, bool copies_began, bool errors_began)
{
    const struct request_begin *late = NULL; /* the oldest that has not begun */
    if (copies_began)
        note_begin(port, true);
    if (errors_began)
        note_begin(port, false);
    while (port->beginning.count > 0 && ring_at(port, &port->beginning, 0)->begun)
        ring_drop(port, &port->beginning);
    for (unsigned i = 0; i < port->beginning.count; i++) {
        const struct request_begin *begin = ring_at(port, &port->beginning, i);
        if (late != NULL && begin->begun)
            bench_fail(port->bench, BENCH_MISMATCH, "%s of request %u began before %s of request %u, which is older",
                       begins(begin), begin->name, begins(late), late->name);
        if (late == NULL && !begin->begun && !(i == 0 && is_hidden(port, begin, copies_began)))
            late = begin;
    }
}

/* A grant is taken when its request is the oldest and can go on: with it the group's time begins. */
static void check_grant(struct request_unit_port *port)
{
    if (port->beginning.count > 0)
        bench_fail(port->bench, BENCH_MISMATCH, "a grant was taken while %s of request %u, which is older, had not begun",
                   begins(ring_at(port, &port->beginning, 0)), ring_at(port, &port->beginning, 0)->name);
}

static bool shows_new(const struct sink *sink, bool waited)
{
    return pin_get(sink->stream.valid) != 0 && !waited;
}

static bool sample_copies(struct request_unit_port *port)
{
    const bool began = shows_new(&port->copies, port->copies.stream.waiting);
    const uint64_t *item = sink_sample(&port->copies);
    if (began)
        port->copy_cycle = port->bench->cycle;
    if (item != NULL) {
        scoreboard_check(&port->copied, 0, item);
        port->granted[port->granted_count++] = (uint16_t)item[0];
        port->copies_taken++;
    }
    return began;
}

/* After its last error result a request is found and freed, with what the store has of it. */
static void end_answer(struct request_unit_port *port)
{
    const struct request_begin *answer = ring_at(port, &port->answering, 0);
    const struct request_packet *packet = &port->packets[answer->name];
    scoreboard_expect(&port->frees, 0, (const uint64_t[]){answer->name, packet->head, packet->last, packet->flits});
    port->error_line = 0;
    ring_drop(port, &port->answering);
}

static bool sample_error(struct request_unit_port *port)
{
    const bool began = shows_new(&port->error, port->error.stream.waiting) && port->error_line == 0;
    const uint64_t *item = sink_sample(&port->error);
    if (item == NULL)
        return began;
    scoreboard_check(&port->errors, 0, item);
    if (++port->error_line == ring_at(port, &port->answering, 0)->lines)
        end_answer(port);
    return began;
}

static void sample_released(struct request_unit_port *port)
{
    const uint64_t *item = sink_sample(&port->released);
    if (item == NULL)
        return;
    scoreboard_check(&port->releases, 0, item);
    const uint64_t held = port->mood.hold > 0 ? random_below(&port->random, port->mood.hold) : 0;
    port->group_free_at[item[0] / port->model.config.request_lines] = port->bench->cycle + held;
}

/* ---- sample: finds and frees --------------------------------------------------------------------------------------------- */

static void read_parts(const struct pin *const pins[3], uint64_t *item)
{
    for (unsigned i = 0; i < 3; i++)
        item[i] = pin_get(pins[i]);
}

/* The patch of what the crossbar found in the cycle before is there. */
static void check_found(struct request_unit_port *port)
{
    const uint64_t item[] = {pin_get(port->found_tag)};
    if (port->finds.waiting > 0)
        scoreboard_check(&port->finds, 0, item);
}

static void sample_find(struct request_unit_port *port)
{
    const unsigned name = (unsigned)pin_get(port->store_find_name);
    const bool valid = pin_get(port->store_find_valid) != 0;
    check_found(port);
    if (port->finds_now) {
        struct request_packet *packet = &port->packets[port->finding];
        packet->found = true;
        packet->tag = moehub_request_unit_patch(&port->model, port->finding);
        const uint64_t item[] = {packet->tag};
        scoreboard_expect(&port->finds, 0, item);
        if (!valid || name != port->finding)
            bench_fail(port->bench, BENCH_MISMATCH, "the crossbar's find does not reach the store");
    }
    if (valid)
        port->store_packet = port->packets[name];
    if (valid && port->model.slots[name].state != MOEHUB_REQUEST_LEAVES)
        bench_fail(port->bench, BENCH_MISMATCH, "request %u is looked for, which has not begun to leave", name);
}

static void leave(struct request_unit_port *port, unsigned name, bool copied)
{
    uint16_t entry;
    if (moehub_request_unit_leave(&port->model, name, &entry) != 0)
        bench_fail(port->bench, BENCH_MISMATCH, "request %u was freed, which is not on its way", name);
    if (copied)
        scoreboard_expect(&port->releases, 0, (const uint64_t[]){entry});
    port->free_names[port->free_count++] = (uint16_t)name;
}

static void sample_free(struct request_unit_port *port)
{
    uint64_t item[4] = {pin_get(port->store_free_name)};
    read_parts(port->store_free, &item[1]);
    const bool valid = pin_get(port->store_free_valid) != 0;
    if (port->frees_now) {
        const struct request_packet *packet = &port->packets[port->freeing];
        const uint64_t expected[] = {port->freeing, packet->head, packet->last, packet->flits};
        if (!valid || memcmp(item, expected, sizeof item) != 0)
            bench_fail(port->bench, BENCH_MISMATCH, "the crossbar's free does not reach the store");
        leave(port, port->freeing, true);
    } else if (valid) {
        scoreboard_check(&port->frees, 0, item);
        leave(port, (unsigned)item[0], false);
        port->answers++;
        port->answer_cycle = port->bench->cycle;
    }
}

/* ---- whole cycles ------------------------------------------------------------------------------------------------------- */

static void sample_events(struct request_unit_port *port)
{
    uint64_t *counts[] = {&port->seen.reserved, &port->seen.refused, &port->seen.refused_down, &port->seen.error_results,
                          &port->seen.group_waits};
    for (unsigned i = 0; i < 5; i++)
        *counts[i] += pin_get(port->events[i]);
}

static void sample(struct request_unit_port *port)
{
    struct moehub_request_outcome outcome;
    sample_reserve(port);
    const bool copies_began = sample_copies(port), errors_began = sample_error(port);
    sample_released(port);
    sample_packet(port);
    const bool granted = sample_grant(port);
    if (port->bench->reset || port->bench->quiet)
        return;
    check_order(port, copies_began, errors_began);
    if (granted)
        check_grant(port);
    sample_find(port);
    sample_free(port);
    while (moehub_request_unit_next(&port->model, &outcome) == 0)
        expect_outcome(port, &outcome);
    sample_events(port);
}

void request_unit_port_step(void *context)
{
    struct request_unit_port *port = context;
    request_unit_drive(port);
    bench_settle(port->bench);
    sample(port);
    bench_tick(port->bench);
}

static void compare_counts(struct request_unit_port *port)
{
    const struct moehub_request_unit *model = &port->model;
    const uint64_t expected[] = {model->reserved, model->refused, model->refused_down, model->error_results, port->waits};
    const uint64_t seen[] = {port->seen.reserved, port->seen.refused, port->seen.refused_down, port->seen.error_results,
                             port->seen.group_waits};
    for (unsigned i = 0; i < 5; i++)
        scoreboard_value(&port->counts, event_names[i], expected[i], seen[i]);
}

static bool no_request(void *context, struct moehub_request *request)
{
    (void)context;
    (void)request;
    return false;
}

void request_unit_port_settle(struct request_unit_port *port)
{
    enum { LONG = 100000, AFTER = 16 };
    const struct request_unit_mood mood = port->mood;
    bool (*next_request)(void *, struct moehub_request *) = port->next_request;
    port->next_request = no_request;
    port->mood.finds = port->mood.frees = 512;
    port->mood.finds_again = 64;
    for (unsigned i = 0; port->model.in_use > 0 || !source_free(&port->packet) || port->releases.waiting > 0; i++) {
        if (i == LONG)
            bench_fail(port->bench, BENCH_TIMEOUT, "%" PRIu32 " requests do not leave", port->model.in_use);
        port->bench->step(port->bench->context);
    }
    bench_run(port->bench, AFTER);
    compare_counts(port);
    port->mood = mood;
    port->next_request = next_request;
}

static void forget(struct request_unit_port *port)
{
    struct scoreboard *boards[] = {&port->reservations, &port->copied, &port->errors, &port->releases, &port->finds,
                                   &port->frees};
    for (unsigned i = 0; i < sizeof boards / sizeof *boards; i++)
        scoreboard_forget(boards[i]);
    const unsigned places = port->model.config.places;
    moehub_request_unit_reset(&port->model);
    for (unsigned name = 0; name < places; name++)
        port->free_names[name] = (uint16_t)name;
    port->free_count = places;
    port->granted_count = port->due_count = port->beginning.count = port->answering.count = port->error_line = 0;
    memset(port->group_free_at, 0, port->model.config.groups * sizeof *port->group_free_at);
    memset(port->packets, 0, places * sizeof *port->packets);
    port->seen = (struct request_unit_counts){0};
    port->waits = 0;
}

void request_unit_port_reset(struct request_unit_port *port, unsigned cycles)
{
    port->resets_in_use += port->model.in_use > 0;
    forget(port);
    port->model.config.own = (uint32_t)random_below(&port->random, port->model.config.ports);
    pin_set(port->own_pin, port->model.config.own);
    bench_reset(port->bench, cycles);
    forget(port);
}
