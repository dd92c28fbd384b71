/* SPDX-License-Identifier: Apache-2.0 */
/* What a way asks and feeds: the address path, memory, tile tracker, pre_reduce, final_reduce. */
#include "bench/hub/way_bench.h"

#include "kit/bits.h"

#include <string.h>

/* ---- answers --------------------------------------------------------------------------------------------------------------- */

void way_sample_questions(struct way_bench *self)
{
    for (unsigned asker = 0; asker < ASKERS; asker++) {
        const uint64_t *item = sink_sample(&self->question[asker]);
        if (item == NULL)
            continue;
        scoreboard_check(&self->questions, asker, item);
        const uint64_t address = random_next(&self->random) & bits_mask(self->model.config.address_width) & ~UINT64_C(127);
        self->pairs[asker][self->asked_count[asker]++ % PAIRS] = (struct asked_pair){
            .status = (uint8_t)(way_chance(self, 1, self->failing ? 2 : 24) ? 1 + way_below(self, 15) : MOEHUB_STATUS_OK),
            .expert = (uint8_t)item[2],
            .allocated = asker == STORES && way_chance(self, 1, 3), .slot = random_bits(&self->random, self->slot_width),
            .address = address | (item[4] & 127), .due = self->bench.cycle + 1 + way_below(self, self->answer_wait)};
    }
}

/* One answer a cycle for all ports; some are another way's. */
void way_drive_answer(struct way_bench *self)
{
    const unsigned asker = way_below(self, ASKERS);
    const struct asked_pair *pair = &self->pairs[asker][self->given[asker] % PAIRS];
    const bool ours = self->given[asker] < self->asked_count[asker] && pair->due <= self->bench.cycle &&
                      !self->bench.reset && !stall_next(&self->respond);
    const struct asked_pair noise = {.status = (uint8_t)way_below(self, 16),
                                     .slot = random_bits(&self->random, self->slot_width)};
    if (!ours)
        pair = &noise;
    pin_set(self->answer_valid, ours || (!self->bench.reset && way_chance(self, 1, 4)));
    pin_set(self->answer_port, (2 * self->way + asker + (ours ? 0 : 2)) % 10);
    pin_set(self->answer_status, pair->status);
    pin_set(self->answer_expert, pair->expert);
    pin_set(self->answer_allocated, pair->allocated);
    pin_set(self->answer_slot, pair->slot);
    pin_set(self->answer_address, pair->address);
    if (!ours)
        return;
    self->given[asker]++;
    if (asker == STORES)
        way_expect_pair(self, pair);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

void way_drive_responses(struct way_bench *self)
{
    const uint64_t ready = self->started < self->finished ? self->started : self->finished;
    const bool give = self->responded < ready && self->write_due[self->responded % PAIRS] <= self->bench.cycle &&
                      !self->bench.reset && !self->bench.quiet && !stall_next(&self->memory);
    pin_set(self->b_valid, give);
    pin_set(self->b_response, self->write_errors[self->responded % PAIRS] ? 2 + way_below(self, 2) : way_below(self, 2));
    self->responded += give;
}

void way_sample_memory(struct way_bench *self)
{
    const uint64_t *aw = sink_sample(&self->aw), *w = sink_sample(&self->w);
    if (!self->bench.reset && !self->bench.quiet && pin_get(self->b_ready) == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "B is not taken at once");
    if (aw != NULL) {
        scoreboard_check(&self->addresses, 0, aw);
        self->started++;
    }
    if (w == NULL)
        return;
    uint64_t beat[6];
    memcpy(beat, w, sizeof beat);
    for (unsigned i = 0; i < 32; i++)
        if ((beat[4] >> i & 1) == 0)
            beat[i / 8] &= ~(UINT64_C(0xFF) << (i % 8 * 8));
    scoreboard_check(&self->beats, 0, beat);
    if (beat[5])
        self->write_due[self->finished++ % PAIRS] = self->bench.cycle + 1 + way_below(self, self->memory_wait);
}

/* ---- tile tracker, final_reduce -------------------------------------------------------------------------------------------- */

void way_sample_completed(struct way_bench *self)
{
    const uint64_t *item = sink_sample(&self->completed);
    if (item == NULL)
        return;
    scoreboard_check(&self->records, 0, item);
    const uint64_t at = self->records_taken++ % PAIRS;
    if (self->record_kind[at] == MOEHUB_COMPLETED_REFUSED) {
        if ((self->flagged >> self->record_context[at] & 1) == 0)
            bench_fail(&self->bench, BENCH_MISMATCH, "context %u is not flagged before the record of a refused pair",
                       self->record_context[at]);
    } else if (self->writes_told++ >= self->responded)
        bench_fail(&self->bench, BENCH_MISMATCH, "a record comes before the B response of its write");
}

void way_sample_streams(struct way_bench *self)
{
    const uint64_t *close = sink_sample(&self->close), *notify = sink_sample(&self->notify), *result = sink_sample(&self->result);
    if (close != NULL) {
        const uint64_t item[4] = {close[0], close[1], close[2], 0};
        scoreboard_check(&self->closes, 0, item);
    }
    if (notify != NULL)
        scoreboard_check(&self->notifies, 0, notify);
    if (result != NULL)
        scoreboard_check(&self->results, 0, result);
}

/* ---- pre_reduce ------------------------------------------------------------------------------------------------------------ */

void way_drive_pre_reduce(struct way_bench *self)
{
    const struct asked_request *request = &self->requests_sent[self->requests_done % PACKETS];
    const bool has = !self->bench.reset && !self->bench.quiet && self->requests_done < self->requests_taken;
    const unsigned needed = has && request->status == MOEHUB_STATUS_OK ? request->targets : 0;
    const bool may = has && pin_get(self->answers_there) >= needed && !stall_next(&self->reads);
    const bool ends = may && (needed == 0 || way_chance(self, 1, 2u * needed));
    const bool read = may && needed > 0;
    const unsigned index = read ? way_below(self, needed) : 0;
    pin_set(self->answer_read_valid, read);
    pin_set(self->answer_read_index, index);
    pin_set(self->answers_release_valid, ends && needed > 0);
    pin_set(self->answers_release_count, needed);
    pin_set(self->partial_queued_valid, ends && needed > 0);
    pin_set(self->partial_queued_context, request->context);
    if (read) {
        const struct asked_pair *pair = &self->pairs[REQUESTS][(self->released + index) % PAIRS];
        const uint64_t item[2] = {pair->status, pair->address};
        scoreboard_expect(&self->answers, 0, item);
    }
    if (ends) {
        self->released += needed;
        self->requests_done++;
    }
}

/* Its pulses are the way's events. */
void way_drive_partial_events(struct way_bench *self)
{
    static const unsigned numbers[] = {MOEHUB_HUB_WAY_EVENT_LINES_READ, MOEHUB_HUB_WAY_EVENT_PARTIALS,
                                       MOEHUB_HUB_WAY_EVENT_PARTIAL_ERRORS,
                                       MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_HUB_WAY_CAUSE_READ,
                                       MOEHUB_HUB_WAY_EVENT_NO_DATA, MOEHUB_HUB_WAY_EVENT_NO_PARTIAL_PLACE};
    const bool quiet = self->bench.reset || self->bench.quiet || self->resting;
    const uint64_t events = quiet ? 0 : random_next(&self->random) & random_next(&self->random) & 63;
    const uint64_t header[2] = {random_next(&self->random), random_next(&self->random)};
    pin_set(self->partial_events, events);
    pin_set_words(self->read_error_header, header);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        self->events_expected[numbers[i]] += events >> i & 1;
}

void way_sample_pre_reduce(struct way_bench *self)
{
    if (self->reading) {
        const uint64_t item[2] = {pin_get(self->read_status), pin_get(self->read_address)};
        scoreboard_check(&self->answers, 0, item);
    }
    self->reading = pin_get(self->answer_read_valid) != 0 && !self->bench.reset;
    const uint64_t there = self->bench.quiet || self->bench.reset ? 0 : pin_get(self->answers_there);
    if (there > self->request_answers)
        bench_fail(&self->bench, BENCH_MISMATCH, "%u answers are there", (unsigned)there);
    const uint64_t *item = sink_sample(&self->asked);
    if (item == NULL)
        return;
    scoreboard_check(&self->requests, 0, item);
    self->requests_taken++;
}
