/* SPDX-License-Identifier: Apache-2.0 */
/* The stores of a way against what their page says of each packet: contexts that change under the traffic, the address path and
 * memory with random waits and errors, packets that the receiver rejects; the rate and the latency that are demanded; resets. */
#include "bench/common/packet_draw.h"
#include "kit/bits.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "kit/stream.h"
#include "moehub/way.h"

#include <string.h>

enum { PACKETS = 8192, PAIRS = 32768, IDLE_CYCLES = 4, RATE_ANSWER = 22, RATE_MEMORY = 600 };
enum { ANSWER, WRITE, BYTES, REFUSED, LINES, WORDS, QUESTION_STALLED, NO_ANSWER_PLACE, ANSWER_MISSING, MEMORY_STALLED,
       NO_WRITE_PLACE, COMPLETED_STALLED, EVENTS };

struct given_answer {
    uint64_t due, slot, address; /* due: the cycle in which it may come */
    uint8_t status, expert;
    bool allocated;
};

/* Rings, by numbers that only rise. */
struct stores_bench {
    struct bench bench;
    const struct pin *enabled, *has_arrived, *rounds, *owner_shifts, *peers, *list_bases, *list_shifts, *space, *write_valid,
        *write_first, *write_data, *end_valid, *end_good, *free_places, *others_check, *checked, *causes, *check_error_valid,
        *check_error_cause, *check_error_header, *answer_valid, *answer_status, *answer_expert, *answer_allocated, *answer_slot,
        *answer_address, *b_valid, *b_ready, *b_response, *in_flight, *check_failed, *answer_failed, *events,
        *answer_error_valid, *answer_error_header, *write_error_valid, *write_error_header;
    struct sink question, aw, w, completed;
    struct scoreboard questions, addresses, beats, records, checks, errors, states;
    struct random_source random;
    struct stall writes, answers, responses;
    struct moehub_way model;
    struct moehub_way_context drawn[MOEHUB_WAY_CONTEXTS_MAX]; /* what the pins say; the model's are those of the last cycle */
    uint32_t gpus, slot_width, places, answers_most, writes_most;
    /* how the run is now */
    bool steady;                 /* contexts stay, and nothing is refused */
    unsigned steady_targets;     /* 0: any */
    unsigned answer_wait, memory_wait; /* at most; steady: exactly */
    bool pausing;                /* no packet begins */
    /* packets: written, checked, moved */
    struct moehub_way_packet packets[PACKETS];
    uint8_t verdicts[PACKETS];
    uint64_t whole, checked_packets, moved;
    struct moehub_way_packet *open;      /* the packet that is being written, NULL: none */
    unsigned written;
    bool open_good;
    unsigned target;             /* of the packet that moves */
    /* answers: drawn as the question was taken, given in order */
    struct given_answer pairs[PAIRS];
    uint64_t asked, given;
    /* memory */
    bool write_errors[PAIRS];
    uint64_t write_due[PAIRS];
    uint64_t expected_writes, started, finished, answered; /* AW taken, last W taken, B given */
    /* records that the tracker takes */
    uint64_t record_writes;      /* of them with a B */
    uint64_t live[MOEHUB_WAY_CONTEXTS_MAX], idle_since[MOEHUB_WAY_CONTEXTS_MAX];
    uint64_t failed_seen[MOEHUB_WAY_CONTEXTS_MAX]; /* flags of refused pairs whose record was not taken */
    uint8_t record_context[PAIRS];
    bool record_ends[PAIRS], record_flags[PAIRS];
    uint64_t records_expected, records_taken;
    /* what was met */
    uint64_t causes_met[5], flits, rejected, refused_answers, errors_met, words_met, strays;
    uint64_t event_met[EVENTS], expected_event[EVENTS];
    bool was_question_stalled, was_completed_stalled;
    uint64_t last_write_cycle, first_aw_cycle;
};

static const struct field beat_fields[] = {{"data", 256}, {"strobes", 32}, {"last", 1}};
static const struct field check_fields[] = {{"cause", 5}, {"header", 128}, {"failed", 8}};
static const struct field error_fields[] = {{"header", 128}};
static const struct field state_fields[] = {{"value", 64}};
enum { ANSWER_ERRORS, WRITE_ERRORS };

static bool chance(struct stores_bench *self, unsigned numerator, unsigned denominator)
{
    return random_chance(&self->random, numerator, denominator);
}

static unsigned below(struct stores_bench *self, uint64_t bound)
{
    return (unsigned)random_below(&self->random, bound);
}

/* ---- contexts -------------------------------------------------------------------------------------------------------------- */

/* Rows of all GPUs fit into the 26 bits of a compact copy. */
static void draw_context(struct stores_bench *self, unsigned c)
{
    struct moehub_way_context *context = &self->drawn[c];
    context->enabled = self->steady || chance(self, 15, 16);
    context->arrived = !self->steady && chance(self, 1, 16);
    context->round = (uint8_t)below(self, 16);
    context->owner_shift = (uint8_t)below(self, 20);
    context->peers = (self->steady || chance(self, 3, 4) ? UINT64_MAX : random_next(&self->random)) & bits_mask(self->gpus);
}

static void draw_list(struct stores_bench *self, unsigned c)
{
    struct moehub_way_context *context = &self->drawn[c];
    context->list_shift = (uint8_t)below(self, self->slot_width < 16 ? self->slot_width + 1 : 17);
    const unsigned array = context->list_shift + 2u + self->model.config.local_expert_bits;
    context->list_base = random_next(&self->random) & bits_mask(self->model.config.address_width) & ~bits_mask(array);
}

static void drive_contexts(struct stores_bench *self)
{
    uint64_t enabled = 0, arrived = 0, rounds = 0, owner_shifts = 0, list_shifts = 0, peers[8] = {0}, bases[8] = {0};
    for (unsigned c = 0; c < self->model.config.contexts; c++) {
        const struct moehub_way_context *context = &self->drawn[c];
        enabled |= (uint64_t)context->enabled << c;
        arrived |= (uint64_t)context->arrived << c;
        bits_set(&rounds, 4 * c, 4, context->round);
        bits_set(&owner_shifts, 5 * c, 5, context->owner_shift);
        bits_set(&list_shifts, 5 * c, 5, context->list_shift);
        bits_set(peers, self->gpus * c, self->gpus, context->peers);
        bits_set(bases, self->model.config.address_width * c, self->model.config.address_width, context->list_base);
    }
    pin_set(self->enabled, enabled);
    pin_set(self->has_arrived, arrived);
    pin_set(self->rounds, rounds);
    pin_set(self->owner_shifts, owner_shifts);
    pin_set(self->list_shifts, list_shifts);
    pin_set_words(self->peers, peers);
    pin_set_words(self->list_bases, bases);
}

/* Lists change only while nothing is inside. */
static void change_contexts(struct stores_bench *self)
{
    for (unsigned c = 0; c < self->model.config.contexts; c++) {
        if (!self->steady && chance(self, 1, 400))
            draw_context(self, c);
        if (self->whole == self->moved && self->records_expected == self->records_taken && self->open == NULL)
            draw_list(self, c);
    }
}

/* ---- packets --------------------------------------------------------------------------------------------------------------- */

/* A peer of the context, some other GPU now and then. */
static unsigned draw_source(struct stores_bench *self, const struct moehub_way_context *context)
{
    for (unsigned i = 0; i < 64; i++) {
        const unsigned source = below(self, self->gpus);
        if ((context->peers >> source & 1) != 0)
            return source;
    }
    return below(self, self->gpus);
}

static void draw_names(struct stores_bench *self, struct moehub_header *header)
{
    const bool any = !self->steady && chance(self, 1, 64);
    header->context = (uint8_t)below(self, any ? MOEHUB_WAY_CONTEXTS_MAX : self->model.config.contexts);
    const struct moehub_way_context *context = &self->model.contexts[header->context];
    header->source = (uint16_t)draw_source(self, context);
    header->round = context->round;
    header->row_index = (uint32_t)header->source << context->owner_shift |
                        (uint32_t)(random_next(&self->random) & bits_mask(context->owner_shift));
    if (self->steady)
        return;
    if (chance(self, 1, 40))
        header->source = (uint16_t)below(self, self->gpus);
    if (chance(self, 1, 60))
        header->round = (uint8_t)below(self, 16);
    if (chance(self, 1, 40))
        header->row_index ^= 1u << below(self, 26);
}

static void draw_targets(struct stores_bench *self, struct moehub_way_packet *store)
{
    struct moehub_header *header = &store->header;
    const unsigned locals = 1u << self->model.config.local_expert_bits;
    unsigned wanted = self->steady_targets;
    if (wanted == 0)
        wanted = 1 + below(self, chance(self, 1, 4) ? 32 : 3);
    unsigned count = 0;
    for (unsigned i = 0; i < 4 * wanted && count < wanted && count < locals; i++)
        count = packet_insert_target(store->ids, count,
                                     (uint16_t)(5u << self->model.config.local_expert_bits | below(self, locals)));
    header->target_count = (uint8_t)(header->type == MOEHUB_PACKET_ROW_STORE ? 1 : count);
}

static void make_compact(struct stores_bench *self, struct moehub_way_packet *store)
{
    struct moehub_header *header = &store->header;
    if (header->target_count > MOEHUB_COMPACT_TARGETS || header->offset % MOEHUB_LINE_BYTES != 0)
        return;
    header->format = MOEHUB_FORMAT_COMPACT;
    header->offset &= 0x3FFF;
    header->row_index &= 0x3FFFFFF;
    for (unsigned i = 0; i < header->target_count; i++)
        header->local_targets[i] = (uint8_t)(store->ids[i] & ((1u << self->model.config.local_expert_bits) - 1));
}

static void draw_packet(struct stores_bench *self, struct moehub_way_packet *store)
{
    static const struct packet_shape any = {.length = LENGTH_ANY}, whole = {.length = LENGTH_LONGEST, .compactable = true};
    *store = (struct moehub_way_packet){.flits = {{{0, 0}}}};
    store->header.type = !self->steady && chance(self, 1, 4) ? MOEHUB_PACKET_ROW_STORE : MOEHUB_PACKET_MULTIMEM_STORE;
    packet_draw_store(&self->random, self->steady || chance(self, 1, 2) ? &whole : &any, &store->header);
    draw_names(self, &store->header);
    draw_targets(self, store);
    if (self->steady) {
        store->header.offset = (uint16_t)(128 * below(self, 100));
        store->header.length = MOEHUB_LINE_BYTES;
        store->header.byte_enables = false;
    }
    if (self->steady || chance(self, 2, 3))
        make_compact(self, store);
    struct moehub_flit flits[MOEHUB_WAY_STORE_FLITS];
    const unsigned count = moehub_packet_flits(&store->header);
    packet_fill(&store->header, store->ids, store->header.target_count, &self->random, flits, count);
    moehub_way_packet_read(store, flits, count);
}

static void end_packet(struct stores_bench *self)
{
    self->rejected += !self->open_good;
    self->whole += self->open_good;
    self->open = NULL;
}

static void drive_writer(struct stores_bench *self)
{
    const bool whole = self->open != NULL && self->written == moehub_packet_flits(&self->open->header) && !self->bench.reset;
    const bool may = !self->bench.reset && pin_get(self->space) != 0 && !stall_next(&self->writes);
    const bool end = whole && (self->steady || may || chance(self, 1, 2));
    pin_set(self->end_valid, end);
    pin_set(self->end_good, self->open_good);
    if (end)
        end_packet(self);
    if (self->open == NULL && may && !self->pausing && self->whole - self->moved < PACKETS / 2) {
        self->open = &self->packets[self->whole % PACKETS];
        self->open_good = self->steady || chance(self, 15, 16);
        self->written = 0;
        draw_packet(self, self->open);
    }
    const bool write = may && self->open != NULL && self->written < moehub_packet_flits(&self->open->header);
    pin_set(self->write_valid, write);
    pin_set(self->write_first, self->written == 0);
    if (!write)
        return;
    pin_set_words(self->write_data, self->open->flits[self->written++].half);
    self->flits++;
    self->last_write_cycle = self->bench.cycle;
}

/* ---- what is expected of a packet ------------------------------------------------------------------------------------------ */

static void expect_record(struct stores_bench *self, struct moehub_way_completed *completed, bool error)
{
    moehub_way_completed_taken(&self->model, completed, error);
    const uint64_t record[7] = {completed->kind, completed->context, completed->source, completed->expert,
                                completed->slot, completed->value,   completed->error};
    const uint64_t at = self->records_expected++ % PAIRS;
    scoreboard_expect(&self->records, 0, record);
    self->record_context[at] = completed->context;
    self->record_ends[at] = completed->last;
    self->record_flags[at] = false;
}

/* What the latch is told of a write or an answer. */
static void expect_error(struct stores_bench *self, unsigned port, const struct moehub_header *told)
{
    const struct moehub_flit flit = moehub_header_pack(told);
    scoreboard_expect(&self->errors, port, flit.half);
}

static bool expect_write(struct stores_bench *self, const struct moehub_header *header, const struct moehub_way_write *write)
{
    const uint64_t item[2] = {write->address, write->beats - 1};
    const bool error = !self->steady && chance(self, 1, 50);
    scoreboard_expect(&self->addresses, 0, item);
    for (unsigned i = 0; i < write->beats; i++) {
        uint64_t beat[6] = {0, 0, 0, 0, write->strobes[i], i + 1 == write->beats};
        for (unsigned byte = 0; byte < MOEHUB_WAY_BEAT_BYTES; byte++)
            beat[byte / 8] |= (uint64_t)write->data[i][byte] << (byte % 8 * 8);
        scoreboard_expect(&self->beats, 0, beat);
    }
    self->write_errors[self->expected_writes++ % PAIRS] = error;
    self->expected_event[WRITE] += error;
    if (error)
        expect_error(self, WRITE_ERRORS, &(struct moehub_header){.context = header->context, .source = header->source});
    return error;
}

static void expect_refused(struct stores_bench *self, const struct moehub_header *header, const struct given_answer *answer)
{
    expect_error(self, ANSWER_ERRORS, &(struct moehub_header){.context = header->context, .source = header->source,
                                                              .row_index = header->row_index, .status = answer->status});
    self->record_flags[(self->records_expected - 1) % PAIRS] = true;
    self->expected_event[REFUSED]++;
    self->expected_event[ANSWER]++;
}

static void expect_pair(struct stores_bench *self, const struct moehub_way_packet *store, const struct given_answer *given,
                        bool last)
{
    const struct moehub_way_answer answer = {.status = given->status, .expert = given->expert, .allocated = given->allocated,
                                             .slot = (uint32_t)given->slot, .address = given->address};
    struct moehub_way_outcome outcome;
    moehub_way_answered(&self->model, store, &answer, last, &outcome);
    for (unsigned i = 0; i < outcome.records; i++)
        expect_record(self, &outcome.record[i], i < outcome.writes && expect_write(self, &store->header, &outcome.write[i]));
    if (outcome.writes == 0)
        expect_refused(self, &store->header, given);
    self->expected_event[WORDS] += outcome.writes > 1;
    self->expected_event[LINES] += outcome.writes > 0;
    self->expected_event[BYTES] += outcome.writes > 0;
}

static void end_records(struct stores_bench *self)
{
    self->moved++;
    self->target = 0;
}

/* A packet that was refused waits for those before it, and for no answer. */
static void expect_all_refused(struct stores_bench *self, const struct moehub_way_packet *store, unsigned cause)
{
    struct moehub_way_completed record;
    if (moehub_way_refused(store, cause, &record)) {
        expect_record(self, &record, false);
        self->expected_event[REFUSED]++;
    }
    end_records(self);
}

static void move_refused(struct stores_bench *self)
{
    while (self->moved < self->checked_packets && self->verdicts[self->moved % PACKETS] != 0)
        expect_all_refused(self, &self->packets[self->moved % PACKETS], self->verdicts[self->moved % PACKETS]);
}

static void move_answer(struct stores_bench *self, const struct given_answer *answer)
{
    const struct moehub_way_packet *store = &self->packets[self->moved % PACKETS];
    const bool last = self->target + 1 == store->header.target_count;
    expect_pair(self, store, answer, last);
    self->target++;
    if (last)
        end_records(self);
    move_refused(self);
}

/* ---- check, questions, answers --------------------------------------------------------------------------------------------- */

static void expect_questions(struct stores_bench *self, const struct moehub_way_packet *store)
{
    for (unsigned i = 0; i < store->header.target_count; i++) {
        struct moehub_way_question question;
        moehub_way_ask(&self->model, store, i, &question);
        const uint64_t item[7] = {question.first,  question.context, question.expert, question.row_index,
                                  question.offset, question.length,  question.source};
        scoreboard_expect(&self->questions, 0, item);
    }
}

static void expect_cause(struct stores_bench *self, const struct moehub_way_packet *store, unsigned cause)
{
    const uint64_t item[4] = {cause, store->flits[0].half[0], store->flits[0].half[1], self->model.failed};
    scoreboard_expect(&self->checks, 0, item);
    self->causes_met[cause - MOEHUB_HUB_WAY_CAUSE_CONTEXT]++;
}

static void sample_check(struct stores_bench *self)
{
    const bool told = pin_get(self->check_error_valid) != 0;
    const uint64_t causes = pin_get(self->causes);
    const unsigned cause = told ? (unsigned)pin_get(self->check_error_cause) : 0;
    if (causes != (told ? UINT64_C(1) << (cause - MOEHUB_HUB_WAY_CAUSE_CONTEXT) : 0))
        bench_fail(&self->bench, BENCH_MISMATCH, "causes are 0x%x, the error's cause is %u", (unsigned)causes, cause);
    if (told || pin_get(self->check_failed) != 0) {
        uint64_t item[4] = {cause, 0, 0, pin_get(self->check_failed)};
        pin_get_words(self->check_error_header, item + 1);
        scoreboard_check(&self->checks, 0, item);
    }
    if (pin_get(self->checked) == 0)
        return;
    if (self->checked_packets == self->whole)
        bench_fail(&self->bench, BENCH_MISMATCH, "a packet is checked that has not come");
    const struct moehub_way_packet *store = &self->packets[self->checked_packets % PACKETS];
    self->model.failed = 0;
    const unsigned verdict = moehub_way_check(&self->model, store->flits[0]);
    self->verdicts[self->checked_packets++ % PACKETS] = (uint8_t)verdict;
    if (verdict != 0)
        expect_cause(self, store, verdict);
    else
        expect_questions(self, store);
    if (verdict == 0 || moehub_way_cause_counts(verdict))
        self->live[store->header.context]++;
    if (self->target == 0)
        move_refused(self);
}

static void sample_question(struct stores_bench *self)
{
    const uint64_t *item = sink_sample(&self->question);
    if (item == NULL)
        return;
    scoreboard_check(&self->questions, 0, item);
    struct given_answer *answer = &self->pairs[self->asked++ % PAIRS];
    const bool refused = !self->steady && chance(self, 1, 24);
    const uint64_t address = random_next(&self->random) & bits_mask(self->model.config.address_width) & ~UINT64_C(127);
    *answer = (struct given_answer){
        .status = (uint8_t)(refused ? 1 + below(self, 15) : MOEHUB_STATUS_OK), .expert = (uint8_t)item[2],
        .allocated = !self->steady && chance(self, 1, 3),
        .slot = random_bits(&self->random, self->slot_width), .address = address | (item[4] & 127),
        .due = self->bench.cycle + (self->steady ? self->answer_wait : below(self, self->answer_wait) + 1)};
}

static void drive_answer(struct stores_bench *self)
{
    const struct given_answer *answer = &self->pairs[self->given % PAIRS];
    const bool give = self->given < self->asked && answer->due <= self->bench.cycle && !self->bench.reset &&
                      !stall_next(&self->answers);
    pin_set(self->answer_valid, give);
    if (!give)
        return;
    pin_set(self->answer_status, answer->status);
    pin_set(self->answer_expert, answer->expert);
    pin_set(self->answer_allocated, answer->allocated);
    pin_set(self->answer_slot, answer->slot);
    pin_set(self->answer_address, answer->address);
    self->refused_answers += answer->status != MOEHUB_STATUS_OK;
    self->words_met += answer->status == MOEHUB_STATUS_OK && answer->allocated;
    self->given++;
    move_refused(self);
    move_answer(self, answer);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

static void drive_response(struct stores_bench *self)
{
    const uint64_t ready = self->started < self->finished ? self->started : self->finished;
    const bool give = self->answered < ready && self->write_due[self->answered % PAIRS] <= self->bench.cycle &&
                      !self->bench.reset && !self->bench.quiet && !stall_next(&self->responses);
    /* With nothing to be written it belongs to nothing. */
    const bool stray = self->answered == self->expected_writes && !self->bench.reset && chance(self, 1, 64);
    self->strays += stray;
    pin_set(self->b_valid, give || stray);
    pin_set(self->b_response, self->write_errors[self->answered % PAIRS] ? 2 + below(self, 2) : below(self, 2));
    if (!give)
        return;
    self->errors_met += self->write_errors[self->answered % PAIRS];
    self->answered++;
}

static void sample_memory(struct stores_bench *self)
{
    const uint64_t *aw = sink_sample(&self->aw), *w = sink_sample(&self->w);
    if (!self->bench.reset && !self->bench.quiet && pin_get(self->b_ready) == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "B is not taken at once");
    if (aw != NULL) {
        scoreboard_check(&self->addresses, 0, aw);
        self->started++;
        if (self->first_aw_cycle == 0)
            self->first_aw_cycle = self->bench.cycle;
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
        self->write_due[self->finished++ % PAIRS] =
            self->bench.cycle + (self->steady ? self->memory_wait : below(self, self->memory_wait) + 1);
}

/* ---- records, what is in flight, events ------------------------------------------------------------------------------------ */

static void sample_record(struct stores_bench *self)
{
    const uint64_t *item = sink_sample(&self->completed);
    if (item == NULL)
        return;
    scoreboard_check(&self->records, 0, item);
    if (item[0] != MOEHUB_COMPLETED_REFUSED && self->record_writes++ >= self->answered)
        bench_fail(&self->bench, BENCH_MISMATCH, "a record comes before the B response of its write");
    const uint64_t at = self->records_taken++ % PAIRS;
    const unsigned c = self->record_context[at];
    if (self->record_flags[at] && self->failed_seen[c]-- == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "context %u is not flagged before the record of a refused pair", c);
    if (self->record_ends[at]) {
        self->live[c]--;
        self->idle_since[c] = self->bench.cycle;
    }
}

/* It rises in the cycle after the check, and falls at most IDLE_CYCLES after the last record. */
static void check_flight(struct stores_bench *self)
{
    const uint64_t in_flight = pin_get(self->in_flight);
    for (unsigned c = 0; c < self->model.config.contexts; c++) {
        const bool shown = in_flight >> c & 1;
        if (self->live[c] > 0 && !shown)
            bench_fail(&self->bench, BENCH_MISMATCH, "context %u is not in flight, and has %u packets", c,
                       (unsigned)self->live[c]);
        if (self->live[c] == 0 && shown && self->bench.cycle > self->idle_since[c] + IDLE_CYCLES)
            bench_fail(&self->bench, BENCH_MISMATCH, "context %u is in flight without a packet", c);
    }
    const uint64_t failed = pin_get(self->answer_failed);
    for (unsigned c = 0; c < self->model.config.contexts; c++)
        self->failed_seen[c] += failed >> c & 1;
}

static void check_error(struct stores_bench *self, unsigned port, const struct pin *valid, const struct pin *header)
{
    uint64_t item[2];
    if (pin_get(valid) == 0)
        return;
    pin_get_words(header, item);
    scoreboard_check(&self->errors, port, item);
}

static void check_events(struct stores_bench *self)
{
    const uint64_t events = pin_get(self->events);
    for (unsigned i = 0; i < EVENTS; i++)
        self->event_met[i] += events >> i & 1;
    if ((events >> QUESTION_STALLED & 1) != self->was_question_stalled)
        bench_fail(&self->bench, BENCH_MISMATCH, "event of a stalled question: %d", !self->was_question_stalled);
    if ((events >> COMPLETED_STALLED & 1) != self->was_completed_stalled)
        bench_fail(&self->bench, BENCH_MISMATCH, "event of a stalled completed write: %d", !self->was_completed_stalled);
    self->was_question_stalled = pin_get(self->question.stream.valid) != 0 && pin_get(self->question.stream.ready) == 0;
    self->was_completed_stalled = pin_get(self->completed.stream.valid) != 0 && pin_get(self->completed.stream.ready) == 0;
}

/* ---- one cycle ------------------------------------------------------------------------------------------------------------- */

static void forget(struct stores_bench *self)
{
    struct scoreboard *const all[] = {&self->questions, &self->addresses, &self->beats, &self->records, &self->checks,
                                      &self->errors};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        scoreboard_forget(all[i]);
    self->whole = self->checked_packets = self->moved = self->asked = self->given = 0;
    self->expected_writes = self->started = self->finished = self->answered = 0;
    self->records_expected = self->records_taken = self->record_writes = 0;
    self->open = NULL;
    self->target = self->written = 0;
    self->was_question_stalled = self->was_completed_stalled = false;
    memset(self->live, 0, sizeof self->live);
    memset(self->idle_since, 0, sizeof self->idle_since);
    memset(self->failed_seen, 0, sizeof self->failed_seen);
    memset(self->event_met, 0, sizeof self->event_met);
    memset(self->expected_event, 0, sizeof self->expected_event);
}

static void drive(struct stores_bench *self)
{
    change_contexts(self);
    drive_contexts(self);
    drive_writer(self);
    drive_answer(self);
    drive_response(self);
    pin_set(self->others_check, chance(self, 1, 2));
    sink_drive(&self->question);
    sink_drive(&self->aw);
    sink_drive(&self->w);
    sink_drive(&self->completed);
}

static void step(void *context)
{
    struct stores_bench *self = context;
    if (self->bench.reset)
        forget(self);
    drive(self);
    bench_settle(&self->bench);
    if (!self->bench.reset && !self->bench.quiet) {
        check_flight(self);
        check_events(self);
        check_error(self, ANSWER_ERRORS, self->answer_error_valid, self->answer_error_header);
        check_error(self, WRITE_ERRORS, self->write_error_valid, self->write_error_header);
    }
    if (!self->bench.reset)
        sample_check(self);
    sample_question(self);
    sample_memory(self);
    sample_record(self);
    memcpy(self->model.contexts, self->drawn, sizeof self->drawn); /* the check looks a cycle before its verdict shows */
    bench_tick(&self->bench);
}

/* ---- the run --------------------------------------------------------------------------------------------------------------- */

static void set_stalls(struct stores_bench *self, enum stall_kind kind)
{
    struct stall *const all[] = {&self->writes, &self->answers, &self->responses, &self->question.stream.stall,
                                 &self->aw.stream.stall, &self->w.stream.stall, &self->completed.stream.stall};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        all[i]->kind = all[i]->now = kind;
}

static void draw_stalls(struct stores_bench *self)
{
    static const enum stall_kind kinds[] = {STALL_NONE, STALL_LIGHT, STALL_MIXED, STALL_HEAVY};
    struct stall *const all[] = {&self->writes, &self->answers, &self->responses, &self->question.stream.stall,
                                 &self->aw.stream.stall, &self->w.stream.stall, &self->completed.stream.stall};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        all[i]->kind = all[i]->now = kinds[below(self, 4)];
    self->answer_wait = 1 + below(self, 40);
    self->memory_wait = 1 + below(self, chance(self, 1, 4) ? 600 : 30);
}

/* All that came is over; all events were told, and all places are free. */
static void drain(struct stores_bench *self)
{
    enum { MOST = 400000 };
    self->pausing = true;
    unsigned cycles = 0;
    while ((self->open != NULL || self->whole != self->moved || self->records_expected != self->records_taken) && cycles++ < MOST)
        step(self);
    if (cycles >= MOST)
        bench_fail(&self->bench, BENCH_TIMEOUT, "%u packets are not over after %u cycles", (unsigned)(self->whole - self->moved),
                   MOST);
    bench_run(&self->bench, self->answers_most + 2 * IDLE_CYCLES); /* records of packets that count nothing go one a cycle */
    self->pausing = false;
    static const char *const names[] = {"answers refused", "write errors", "BYTES", "REFUSED", "lines", "words"};
    for (unsigned i = 0; i <= WORDS; i++)
        scoreboard_value(&self->states, names[i], self->expected_event[i], self->event_met[i]);
    scoreboard_value(&self->states, "free places", self->places, pin_get(self->free_places));
    for (unsigned c = 0; c < self->model.config.contexts; c++)
        scoreboard_value(&self->states, "flags of refused pairs that are left", 0, self->failed_seen[c]);
}

static void begin_steady(struct stores_bench *self, unsigned targets)
{
    bench_reset(&self->bench, 2);
    self->steady = true;
    self->steady_targets = targets;
    self->answer_wait = RATE_ANSWER;
    self->memory_wait = RATE_MEMORY;
    for (unsigned c = 0; c < self->model.config.contexts; c++)
        draw_context(self, c);
    set_stalls(self, STALL_NONE);
}

/* A flit a cycle, with memory of 600 cycles: what the hub demands. */
static void check_rate(struct stores_bench *self, unsigned targets)
{
    enum { CYCLES = 4000, WARM = 3000, PILE = 4 * 9 };
    begin_steady(self, targets);
    bench_run(&self->bench, WARM);
    const uint64_t flits = self->flits;
    bench_run(&self->bench, CYCLES);
    scoreboard_value(&self->states, "flits taken in without a gap", CYCLES, self->flits - flits);
    const uint64_t inside = self->places - pin_get(self->free_places);
    scoreboard_value(&self->states, "fewer places in use than 4 packets have", 1, inside < PILE);
    drain(self);
}

static void check_latency(struct stores_bench *self)
{
    enum { DEMANDED = 60 };
    begin_steady(self, 1);
    bench_run(&self->bench, 4);
    drain(self);
    self->first_aw_cycle = 0;
    while (self->open == NULL)
        step(self);
    drain(self);
    const uint64_t cycles = self->first_aw_cycle - self->last_write_cycle;
    summary_number(&self->bench.summary, "last flit of a store written, to AW", (double)cycles, "cycles");
    scoreboard_value(&self->states, "last flit to AW within 60 cycles", 1, cycles <= DEMANDED);
}

static void demand(struct stores_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void check_covered(struct stores_bench *self)
{
    static const char *const causes[] = {"CONTEXT", "PEER", "ROUND", "OWNER", "ARRIVED"};
    for (unsigned i = 0; i < 5; i++)
        demand(self, causes[i], self->causes_met[i]);
    demand(self, "rejected by the receiver", self->rejected);
    demand(self, "refused by the address path", self->refused_answers);
    demand(self, "writes with an error", self->errors_met);
    demand(self, "row list words", self->words_met);
    demand(self, "B responses of nothing", self->strays);
}

/* ---- set up ---------------------------------------------------------------------------------------------------------------- */

static void find_pins(struct stores_bench *self)
{
    const struct {
        const struct pin **pin;
        const char *name;
    } pins[] = {
        {&self->enabled, "enabled"}, {&self->has_arrived, "has_arrived"}, {&self->rounds, "rounds"},
        {&self->owner_shifts, "owner_shifts"}, {&self->peers, "peers"}, {&self->list_bases, "list_bases"},
        {&self->list_shifts, "list_shifts"}, {&self->space, "space"}, {&self->write_valid, "write_valid"},
        {&self->write_first, "write_first"}, {&self->write_data, "write_data"}, {&self->end_valid, "end_valid"},
        {&self->end_good, "end_good"}, {&self->free_places, "free_places"}, {&self->others_check, "others_check"},
        {&self->checked, "checked"}, {&self->causes, "causes"}, {&self->check_error_valid, "check_error_valid"},
        {&self->check_error_cause, "check_error_cause"}, {&self->check_error_header, "check_error_header"},
        {&self->answer_valid, "answer_valid"}, {&self->answer_status, "answer_status"},
        {&self->answer_expert, "answer_expert"}, {&self->answer_allocated, "answer_allocated"},
        {&self->answer_slot, "answer_slot"}, {&self->answer_address, "answer_address"}, {&self->b_valid, "b_valid"},
        {&self->b_ready, "b_ready"}, {&self->b_response, "b_response"}, {&self->in_flight, "in_flight"},
        {&self->check_failed, "check_failed"}, {&self->answer_failed, "answer_failed"}, {&self->events, "events"},
        {&self->answer_error_valid, "answer_error_valid"}, {&self->answer_error_header, "answer_error_header"},
        {&self->write_error_valid, "write_error_valid"}, {&self->write_error_header, "write_error_header"},
    };
    for (unsigned i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(&self->bench, pins[i].name);
}

static void read_parameters(struct stores_bench *self)
{
    uint32_t contexts = 4, local_expert_bits = 8, address_width = 48;
    self->gpus = 8;
    self->slot_width = 22;
    self->places = 2048;
    self->answers_most = 128;
    self->writes_most = 256;
    const struct parameter parameters[] = {
        {"GPUS", &self->gpus}, {"CONTEXTS", &contexts}, {"LOCAL_EXPERT_BITS", &local_expert_bits},
        {"SLOT_WIDTH", &self->slot_width}, {"ADDRESS_WIDTH", &address_width}, {"PLACES", &self->places},
        {"ANSWERS", &self->answers_most}, {"WRITES", &self->writes_most}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    const struct moehub_way_config config = {.contexts = contexts, .local_expert_bits = local_expert_bits,
                                             .address_width = address_width};
    if (moehub_way_create(&self->model, &config, 1) != 0)
        bench_fail(&self->bench, BENCH_TIMEOUT, "no memory for the model");
}

static void create(struct stores_bench *self)
{
    struct bench *bench = &self->bench;
    find_pins(self);
    read_parameters(self);
    bench_random(bench, &self->random, "stores");
    stall_init(&self->writes, STALL_MIXED, bench->options.seed, "writes");
    stall_init(&self->answers, STALL_MIXED, bench->options.seed, "answers");
    stall_init(&self->responses, STALL_MIXED, bench->options.seed, "responses");
    sink_create(&self->question, bench, "question", "first context expert row_index offset length source", STALL_MIXED);
    sink_create(&self->aw, bench, "aw", "address len", STALL_MIXED);
    sink_create(&self->w, bench, "w", "data strobes last", STALL_MIXED);
    sink_create(&self->completed, bench, "completed", "kind context source expert slot value error", STALL_MIXED);
    scoreboard_create_for(&self->questions, bench, "questions", &self->question.stream.table, 1, PAIRS);
    scoreboard_create_for(&self->addresses, bench, "AW", &self->aw.stream.table, 1, PAIRS);
    scoreboard_create(&self->beats, bench, "W", beat_fields, 3, 1, PAIRS);
    scoreboard_create_for(&self->records, bench, "completed", &self->completed.stream.table, 1, PAIRS);
    scoreboard_create(&self->checks, bench, "checks", check_fields, 3, 1, PACKETS);
    scoreboard_create(&self->errors, bench, "errors", error_fields, 1, 2, PAIRS);
    scoreboard_create(&self->states, bench, "states", state_fields, 1, 1, 4);
}

/* As many places as the demanded rate needs: answers over the address path's latency, writes over memory's. */
static bool demands_rate(const struct stores_bench *self)
{
    return self->places >= 2048 && self->answers_most >= 128 && self->writes_most >= 256;
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Stores of a way against their page", .events = 100000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct stores_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    create(&self);
    bench->step = step;
    bench->context = &self;
    if (demands_rate(&self)) {
        check_rate(&self, 1);
        check_rate(&self, 2);
    }
    check_latency(&self);
    self.steady = false;
    self.steady_targets = 0;
    while (bench_running(bench)) {
        draw_stalls(&self);
        for (unsigned c = 0; c < self.model.config.contexts; c++)
            draw_context(&self, c);
        bench_run(bench, random_range(&self.random, 500, 4000));
        if (chance(&self, 1, 4))
            bench_reset(bench, (unsigned)random_range(&self.random, 1, 3));
        else if (chance(&self, 1, 2))
            drain(&self);
    }
    drain(&self);
    check_covered(&self);
    return bench_finish(bench);
}
