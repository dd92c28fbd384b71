/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_check.h"

#include "bench/switch/reduction_config.h"
#include "moehub/event_names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct field grant_fields[] = {{"status", 4}, {"entry", 16}, {"generation", 8}};
static const struct field command_fields[] = {{"refused", 1}};
static const struct field candidate_fields[] = {{"cause", 5}, {"port", 6}, {"header", 128}};
static const struct field status_fields[] = {{"occupancy", 16}, {"empty", 1}, {"draining", 1}, {"initialised", 1}};

static void create_scoreboards(struct reduction_check *check)
{
    const struct moehub_reduction_buffer_config *config = &check->model.config;
    struct bench *bench = check->bench;
    unsigned flits = reduction_config_flits(config, 2 * config->payload_bytes);
    scoreboard_create(&check->grants, bench, "grant", grant_fields, 3, 1, 64);
    scoreboard_create_for(&check->results, bench, "result", check->result_fields, config->entries, flits);
    scoreboard_create(&check->commands, bench, "switch command", command_fields, 1, 1, 4);
    scoreboard_create(&check->candidates, bench, "error candidate", candidate_fields, 3, 1, 1);
    scoreboard_create(&check->status, bench, "status and counters", status_fields, 4, 1, 1);
    check->commands.block.may_be_empty = true;
    check->candidates.block.may_be_empty = true;
    check->status.block.may_be_empty = true;
}

void reduction_check_create(struct reduction_check *check, struct bench *bench,
                            const struct moehub_reduction_buffer_config *config, const struct field_table *result_fields)
{
    *check = (struct reduction_check){.bench = bench, .result_fields = result_fields};
    if (moehub_reduction_buffer_create(&check->model, config) != 0)
        bench_fail(bench, BENCH_CONFIGURATION, "the model cannot be created");
    create_scoreboards(check);
    reduction_groups_create(check);
}

void reduction_check_destroy(struct reduction_check *check)
{
    scoreboard_destroy(&check->grants);
    scoreboard_destroy(&check->results);
    scoreboard_destroy(&check->commands);
    scoreboard_destroy(&check->candidates);
    scoreboard_destroy(&check->status);
    reduction_groups_destroy(check);
    moehub_reduction_buffer_destroy(&check->model);
}

/* ---- notes ------------------------------------------------------------------------------------------------------ */

static struct reduction_cycle *slot_of(struct reduction_check *check, uint64_t cycle)
{
    return &check->window[cycle % REDUCTION_WINDOW];
}

struct reduction_cycle *reduction_check_now(struct reduction_check *check)
{
    return slot_of(check, check->bench->cycle);
}

static struct reduction_cycle *note(struct reduction_check *check)
{
    check->last_activity = check->bench->cycle;
    return reduction_check_now(check);
}

/* When the grant of an entry's group was taken; 0: not yet. */
static uint64_t *grant_cycle(const struct reduction_check *check, unsigned entry)
{
    return &check->groups.list[entry / check->model.config.request_lines].grant_cycle;
}

void reduction_check_note_reserve(struct reduction_check *check, const struct moehub_reduction_reserve *reserve)
{
    struct reduction_cycle *now = note(check);
    now->has_reserve = true;
    now->reserve = *reserve;
}

void reduction_check_note_grant(struct reduction_check *check, const uint64_t *item)
{
    struct reduction_cycle *now = note(check);
    now->has_grant = true;
    memcpy(now->grant, item, sizeof now->grant);
    if (item[reduction_grant_at_status] == MOEHUB_STATUS_OK && item[reduction_grant_at_entry] < check->model.config.entries)
        *grant_cycle(check, (unsigned)item[reduction_grant_at_entry]) = check->bench->cycle;
}

void reduction_check_note_packet(struct reduction_check *check, const struct reduction_packet *packet)
{
    struct reduction_cycle *now = note(check);
    now->has_packet = true;
    now->packet.header = packet->header;
    memcpy(now->packet.data, packet->data, (size_t)packet->header.flits * check->model.config.flit_bytes);
    now->packet.header.data = now->packet.data;
}

void reduction_check_note_result_flit(struct reduction_check *check, const uint64_t *item)
{
    struct reduction_cycle *now = note(check);
    now->has_result = true;
    memcpy(now->result, item, check->result_fields->words * sizeof *item);
    now->result_entry = (uint16_t)item[reduction_result_at_entry];
    now->result_last = item[check->result_fields->words - 1] != 0;
}

/* The pulse comes after the partials of the cycles before its last TIMEOUT_ORDER ones. */
void reduction_check_note_timeout(struct reduction_check *check, unsigned entry)
{
    uint64_t cycle = check->bench->cycle;
    note(check);
    struct reduction_cycle *slot = slot_of(check, cycle > REDUCTION_TIMEOUT_ORDER ? cycle - REDUCTION_TIMEOUT_ORDER : 0);
    slot->has_timeout = true;
    slot->timeout_entry = (uint16_t)entry;
    slot->timeout_cycle = cycle;
}

/* A command stands behind the results taken until COMMAND_ORDER cycles after it. */
void reduction_check_note_command(struct reduction_check *check, const struct reduction_command *command)
{
    note(check);
    struct reduction_cycle *slot = slot_of(check, check->bench->cycle + REDUCTION_COMMAND_ORDER);
    slot->has_command = true;
    slot->command = *command;
}

void reduction_check_note_done(struct reduction_check *check, bool refused)
{
    struct reduction_cycle *now = note(check);
    now->has_done = true;
    now->done_refused = refused;
}

void reduction_check_note_released(struct reduction_check *check, unsigned entry)
{
    struct reduction_cycle *now = note(check);
    now->has_released = true;
    now->released_entry = (uint16_t)entry;
}

/* A group that is free one cycle after a condition: it stands behind that condition, in its cycle. */
void reduction_check_note_freed(struct reduction_check *check, unsigned entry)
{
    const uint64_t cycle = check->bench->cycle;
    note(check);
    struct reduction_cycle *slot = slot_of(check, cycle > 0 ? cycle - 1 : 0);
    slot->has_freed = true;
    slot->freed_entry = (uint16_t)entry;
}

void reduction_check_note_missing(struct reduction_check *check, uint64_t ports)
{
    struct reduction_cycle *now = note(check);
    now->has_missing = true;
    now->missing = ports;
}

void reduction_check_note_judged(struct reduction_check *check)
{
    reduction_check_now(check)->judged = true;
}

void reduction_check_note_candidate(struct reduction_check *check, const uint64_t *item)
{
    struct reduction_cycle *now = note(check);
    now->has_candidate = true;
    memcpy(now->candidate, item, sizeof now->candidate);
}

void reduction_check_note_events(struct reduction_check *check, uint64_t events)
{
    check->counts_events = true;
    for (; events != 0; events &= events - 1) {
        check->counted[__builtin_ctzll(events)]++;
        check->ever[__builtin_ctzll(events)]++;
    }
}

/* ---- what the model says ------------------------------------------------------------------------------------------ */

/* Keeps what the model would offer to the error latch, and empties its list, so that no offender is ever left out. */
static void collect_offenders(struct reduction_check *check)
{
    struct moehub_offenders *found = &check->model.offenders;
    for (size_t i = 0; i < found->count; i++) {
        struct reduction_offender *offender = &check->offenders[check->offender_count++ % REDUCTION_OFFENDERS];
        const struct moehub_offender *from = &found->list[i];
        *offender = (struct reduction_offender){{from->cause, from->port, from->header.half[0], from->header.half[1]}, false};
    }
    moehub_offenders_clear(found);
}

/* The result that waits in an entry, flit by flit. */
static void expect_result(struct reduction_check *check, unsigned entry)
{
    struct moehub_reduction_result result;
    if (moehub_reduction_buffer_result_peek(&check->model, entry, &result) != 0)
        bench_fail(check->bench, BENCH_MISMATCH, "the model has no result in entry %u", entry);
    unsigned flit_bytes = check->model.config.flit_bytes;
    uint64_t item[ITEM_WORDS_MAX];
    for (unsigned flit = 0; flit < result.flits; flit++) {
        memset(item, 0, sizeof item);
        reduction_result_pack(item, &result);
        memcpy(&item[RESULT_DATA], result.data + (size_t)flit * flit_bytes, flit_bytes); /* little-endian host */
        item[check->result_fields->words - 1] = flit + 1 == result.flits;
        scoreboard_expect(&check->results, entry, item);
    }
}

static void step_reserve(struct reduction_check *check, const struct moehub_reduction_reserve *reserve, uint64_t cycle)
{
    struct moehub_reduction_grant grant;
    if (moehub_reduction_buffer_reserve(&check->model, reserve, &grant) != 0)
        bench_fail(check->bench, BENCH_MISMATCH, "a reservation was accepted while no group is free");
    uint64_t item[reduction_grant_words];
    reduction_grant_pack(item, &grant);
    scoreboard_expect(&check->grants, 0, item);
    if (grant.status != MOEHUB_STATUS_OK)
        return;
    if (*grant_cycle(check, grant.entry) < cycle)
        *grant_cycle(check, grant.entry) = 0; /* that was the use before; this one's grant is still to be taken */
    check->total_reservations++;
}

static void step_packet(struct reduction_check *check, const struct reduction_packet *packet)
{
    const struct moehub_reduction_buffer *model = &check->model;
    unsigned entry = packet->header.entry;
    bool waited = entry < model->config.entries && model->entries[entry].state == MOEHUB_REDUCTION_OPEN;
    moehub_reduction_buffer_partial(&check->model, &packet->header);
    if (waited && model->entries[entry].state == MOEHUB_REDUCTION_COMPLETE)
        expect_result(check, entry);
}

static uint64_t timeout_latest(const struct reduction_check *check, unsigned entry)
{
    const uint64_t granted = *grant_cycle(check, entry);
    uint64_t from = granted > check->timeout_set_cycle ? granted : check->timeout_set_cycle;
    uint64_t due = granted + check->model.timeout;
    return (due > from ? due : from) + 2 * (uint64_t)check->model.config.entries + 64;
}

static void step_timeout(struct reduction_check *check, unsigned entry, uint64_t cycle)
{
    if (entry >= check->model.config.entries || moehub_reduction_buffer_timeout(&check->model, entry) != 0)
        bench_fail(check->bench, BENCH_MISMATCH, "entry %u timed out although it misses no port", entry);
    bool changing = check->timeout_changes || cycle < check->timeout_set_cycle + REDUCTION_COMMAND_TIME;
    if (check->model.timeout == 0 && !changing)
        bench_fail(check->bench, BENCH_MISMATCH, "entry %u timed out although timeouts are off", entry);
    if (cycle < *grant_cycle(check, entry) + check->model.timeout && !changing)
        bench_fail(check->bench, BENCH_MISMATCH, "entry %u, granted in cycle %" PRIu64 ", timed out in cycle %" PRIu64
                   ", earlier than the %" PRIu32 " cycles set", entry, *grant_cycle(check, entry), cycle, check->model.timeout);
    if (cycle > timeout_latest(check, entry) && !changing)
        bench_fail(check->bench, BENCH_MISMATCH, "entry %u, granted in cycle %" PRIu64 ", timed out only in cycle %" PRIu64
                   " (time set: %" PRIu32 ")", entry, *grant_cycle(check, entry), cycle, check->model.timeout);
    check->timeouts++;
    reduction_groups_timed_out(check, entry);
    expect_result(check, entry);
}

static void step_result(struct reduction_check *check, const struct reduction_cycle *then, uint64_t cycle)
{
    scoreboard_check(&check->results, then->result_entry, then->result);
    if (!then->result_last)
        return;
    if (moehub_reduction_buffer_result_taken(&check->model, then->result_entry, NULL) != 0)
        bench_fail(check->bench, BENCH_MISMATCH, "a result left entry %u, which has none", then->result_entry);
    reduction_groups_result(check, then->result_entry, cycle);
    check->results_taken++;
    check->total_results++;
}

static void step_grant(struct reduction_check *check, const uint64_t *item)
{
    scoreboard_check(&check->grants, 0, item);
    if (item[reduction_grant_at_status] == MOEHUB_STATUS_OK)
        reduction_groups_granted(check, (unsigned)item[reduction_grant_at_entry]);
}

static void step_command(struct reduction_check *check, const struct reduction_command *command, uint64_t cycle)
{
    bool refused = moehub_reduction_buffer_command(&check->model, command->operation, command->data);
    scoreboard_expect(&check->commands, 0, (const uint64_t[]){refused});
    if (command->operation == MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET && !refused)
        check->timeout_set_cycle = cycle;
    check->groups.times_refused += command->operation == MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET && refused;
    if (command->operation == MOEHUB_REDUCTION_COMMAND_FLUSH)
        *(refused ? &check->flushes_in_use : &check->flushes_empty) += 1;
}

/* A candidate must be an offender that was not a candidate before. */
static void step_candidate(struct reduction_check *check, const uint64_t *candidate)
{
    uint64_t kept = check->offender_count < REDUCTION_OFFENDERS ? check->offender_count : REDUCTION_OFFENDERS;
    struct reduction_offender *newest = NULL;
    for (uint64_t i = 1; i <= kept; i++) {
        struct reduction_offender *offender = &check->offenders[(check->offender_count - i) % REDUCTION_OFFENDERS];
        if (offender->latched)
            continue;
        if (newest == NULL)
            newest = offender;
        if (memcmp(offender->words, candidate, sizeof offender->words) != 0)
            continue;
        offender->latched = true;
        scoreboard_expect(&check->candidates, 0, candidate);
        scoreboard_check(&check->candidates, 0, candidate);
        return;
    }
    if (newest != NULL) /* none fits: show the difference to the last one */
        scoreboard_expect(&check->candidates, 0, newest->words);
    scoreboard_check(&check->candidates, 0, candidate);
}

/* One cycle's events, in their order: a group is freed behind its last condition and before it is taken again; `released`
 * counts in a later cycle than the grant; a command stands before or after a reservation, never beside it; a timeout before
 * the partials that it excludes. */
static void step_model(struct reduction_check *check, const struct reduction_cycle *then, uint64_t cycle)
{
    if (then->has_result)
        step_result(check, then, cycle);
    if (then->has_released)
        reduction_groups_released(check, then->released_entry, cycle);
    if (then->has_freed)
        reduction_groups_freed(check, then->freed_entry, cycle + 1);
    if (then->has_reserve)
        step_reserve(check, &then->reserve, cycle);
    if (then->has_grant)
        step_grant(check, then->grant);
    if (then->has_timeout)
        step_timeout(check, then->timeout_entry, then->timeout_cycle);
    if (then->has_missing)
        reduction_groups_missing(check, then->missing);
    if (then->has_packet)
        step_packet(check, &then->packet);
    if (then->has_command)
        step_command(check, &then->command, cycle);
    if (then->has_done && check->timeout_set_cycle + REDUCTION_COMMAND_TIME > cycle)
        check->timeout_set_cycle = cycle; /* perhaps of another command: then it only judges a little less */
    if (then->has_done)
        scoreboard_check(&check->commands, 0, (const uint64_t[]){then->done_refused});
    if (!check->keeps_offenders)
        collect_offenders(check);
    if (then->has_candidate)
        step_candidate(check, then->candidate);
    reduction_groups_cycle(check, cycle, then->has_result && then->result_last, then->judged);
}

/* ---- end of a cycle ------------------------------------------------------------------------------------------------- */

static void clear_slot(struct reduction_cycle *slot)
{
    slot->has_reserve = slot->has_grant = slot->has_packet = slot->has_result = slot->has_timeout = false;
    slot->has_command = slot->has_done = slot->has_candidate = false;
    slot->has_released = slot->has_freed = slot->has_missing = slot->judged = false;
}

bool reduction_check_is_settled(const struct reduction_check *check)
{
    return check->bench->cycle > check->last_activity + REDUCTION_SETTLE;
}

static void check_status(struct reduction_check *check, const struct reduction_status *status)
{
    uint32_t occupancy = moehub_reduction_buffer_occupancy(&check->model);
    uint64_t expected[] = {occupancy, occupancy == 0, check->model.draining, true};
    uint64_t got[] = {status->occupancy, status->empty, status->draining, status->initialised};
    scoreboard_expect(&check->status, 0, expected);
    scoreboard_check(&check->status, 0, got);
    check->status_checked = true;
}

/* Timeouts that should have fired long ago. */
static void check_overdue(struct reduction_check *check)
{
    uint64_t now = check->bench->cycle;
    if (check->model.timeout == 0 || check->timeout_changes || now % 64 != 0)
        return;
    for (unsigned entry = 0; entry < check->model.config.entries; entry++)
        if (check->model.entries[entry].state == MOEHUB_REDUCTION_OPEN && *grant_cycle(check, entry) != 0 &&
            now > timeout_latest(check, entry) + REDUCTION_LAG)
            bench_fail(check->bench, BENCH_MISMATCH,
                       "entry %u, granted in cycle %" PRIu64 ", has not timed out (time set: %" PRIu32 ")",
                       entry, *grant_cycle(check, entry), check->model.timeout);
}

void reduction_check_cycle(struct reduction_check *check, const struct reduction_status *status)
{
    uint64_t now = check->bench->cycle;
    if (now >= REDUCTION_LAG) {
        step_model(check, slot_of(check, now - REDUCTION_LAG), now - REDUCTION_LAG);
        clear_slot(slot_of(check, now - REDUCTION_LAG));
    }
    check_overdue(check);
    if (!reduction_check_is_settled(check))
        check->status_checked = false;
    else if (!check->status_checked && status->initialised)
        check_status(check, status);
}

void reduction_check_reset(struct reduction_check *check)
{
    check->resets_in_use += moehub_reduction_buffer_occupancy(&check->model) != 0;
    moehub_reduction_buffer_reset(&check->model);
    collect_offenders(check);
    scoreboard_forget(&check->grants);
    scoreboard_forget(&check->results);
    scoreboard_forget(&check->commands);
    for (unsigned i = 0; i < REDUCTION_WINDOW; i++)
        clear_slot(&check->window[i]);
    reduction_groups_reset(check);
    memset(check->counted, 0, sizeof check->counted);
    memset(check->observed, 0, sizeof check->observed);
    memset(check->offenders, 0, sizeof check->offenders);
    check->offender_count = 0;
    check->timeout_set_cycle = check->bench->cycle;
    check->last_activity = check->bench->cycle;
    check->results_taken = 0;
}

/* ---- the settled state ------------------------------------------------------------------------------------------------ */

static void check_counters(struct reduction_check *check)
{
    for (unsigned i = 0; i < MOEHUB_REDUCTION_ORDER_EVENTS; i++)
        scoreboard_value(&check->status, moehub_reduction_event_name(i), check->model.counters[i], check->counted[i]);
    for (unsigned i = MOEHUB_REDUCTION_ORDER_EVENTS; i < MOEHUB_REDUCTION_EVENT_DEFERRED; i++)
        scoreboard_value(&check->status, moehub_reduction_event_name(i), check->observed[i], check->counted[i]);
}

/* Asked lines that have given no result. */
static uint64_t lines_left(const struct reduction_check *check)
{
    uint64_t left = 0;
    for (unsigned entry = 0; entry < check->model.config.entries; entry++)
        left += check->model.entries[entry].state == MOEHUB_REDUCTION_OPEN ||
                moehub_reduction_buffer_result_available(&check->model, entry);
    return left;
}

void reduction_check_settled(struct reduction_check *check)
{
    if (!moehub_reduction_buffer_is_valid(&check->model))
        bench_fail(check->bench, BENCH_MISMATCH, "the model's invariants do not hold");
    if (check->counts_events)
        check_counters(check);
    scoreboard_value(&check->status, "results given", check->model.lines - lines_left(check), check->results_taken);
}

/* ---- coverage --------------------------------------------------------------------------------------------------------- */

void reduction_check_demand(const struct reduction_check *check, const char *what, uint64_t count)
{
    if (count == 0)
        bench_fail(check->bench, BENCH_NOTHING_COMPARED, "\"%s\" never happened", what);
}

void reduction_check_demand_coverage(struct reduction_check *check)
{
    const bool duplicates = check->model.config.ports > 2 && check->model.config.max_contributors > 1;
    for (unsigned i = 0; i < MOEHUB_REDUCTION_ORDER_EVENTS; i++)
        if (i != MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_DUPLICATE || duplicates)
            reduction_check_demand(check, moehub_reduction_event_name(i), check->ever[i]);
    reduction_check_demand(check, "a reset while entries are in use", check->resets_in_use);
    reduction_check_demand(check, "FLUSH while entries are in use", check->flushes_in_use);
    reduction_check_demand(check, "FLUSH of the empty buffer", check->flushes_empty);
    reduction_groups_demand_coverage(check);
}
