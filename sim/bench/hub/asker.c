/* SPDX-License-Identifier: Apache-2.0 */
/* The asker of requests against its page: its queue, the check, the address path and the taker of records are the bench's. What
 * is freed is overwritten at once. */
#include "bench/common/packet_draw.h"
#include "kit/bits.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "moehub/header_check.h"

enum { RING = 64, LONGEST = 5, PLACES_MOST = 8191, LINES = 8, REFUSALS = 4 };

struct request {
    struct moehub_header header;
    uint16_t ids[32];
    unsigned flits;
};

struct asker_bench {
    struct bench bench;
    const struct pin *packet_there, *take, *read_valid, *read_place, *read_data, *gone, *gone_flits, *check_valid, *check,
        *check_taken, *passed, *counted, *cause, *record_room, *record_valid, *record, *question_valid,
        *question_ready, *question, *released;
    struct scoreboard checks, records, questions, gones;
    struct random_source random;
    struct stall takes, checkers, askers, rooms;
    uint32_t places, answers, local_expert_bits;
    struct moehub_flit ring[PLACES_MOST];
    struct request requests[RING];
    uint64_t put, taken, checked, left; /* packets, by numbers that only rise */
    uint32_t next, used;                /* places */
    struct moehub_flit read;            /* what shows in this cycle */
    bool known;                         /* it was read in the last cycle */
    bool room;                          /* the records have a place */
    unsigned to_read;                   /* target flits of the packet checked last that were not read */
    bool refused;
    uint64_t asked, freed;              /* questions taken; answers released */
    unsigned releases;                  /* once in so many cycles; 0: never */
    bool draining;                      /* no packet comes, and all answers are released */
    uint64_t passes, refusals[REFUSALS], several, waits;
};

static const struct field vector_fields[] = {{"vector", 128}};
static const struct field gone_fields[] = {{"flits", 5}};

static bool chance(struct asker_bench *self, unsigned numerator, unsigned denominator)
{
    return random_chance(&self->random, numerator, denominator);
}

/* ---- packets ------------------------------------------------------------------------------------------------------------- */

static void draw_request(struct asker_bench *self, struct request *request)
{
    static const struct packet_shape shape = {.length = LENGTH_ANY, .compactable = true};
    struct moehub_header *header = &request->header;
    const unsigned locals = 1u << self->local_expert_bits;
    *request = (struct request){.header = {.type = MOEHUB_PACKET_LD_REDUCE}};
    packet_draw_request(&self->random, &shape, LINES, header);
    packet_draw_names(&self->random, header);
    header->source = (uint16_t)random_below(&self->random, 64);
    const unsigned wanted = 1 + (unsigned)random_below(&self->random, chance(self, 1, 2) ? 3 : 32);
    unsigned count = 0;
    for (unsigned i = 0; i < wanted; i++)
        count = packet_insert_target(request->ids, count,
                                     (uint16_t)(3u << self->local_expert_bits | random_below(&self->random, locals)));
    header->target_count = (uint8_t)count;
    if (count <= MOEHUB_COMPACT_TARGETS && chance(self, 2, 3)) {
        header->format = MOEHUB_FORMAT_COMPACT;
        header->offset &= 0x3FFF;
        header->row_index &= 0x3FFFFFF;
        for (unsigned i = 0; i < count; i++)
            header->local_targets[i] = (uint8_t)(request->ids[i] & (locals - 1));
    }
    request->flits = moehub_packet_flits(header);
}

static void put_requests(struct asker_bench *self)
{
    while (!self->draining && self->used + LONGEST <= self->places && self->put - self->left < RING &&
           !stall_next(&self->takes)) {
        struct request *request = &self->requests[self->put % RING];
        struct moehub_flit flits[LONGEST];
        draw_request(self, request);
        packet_fill(&request->header, request->ids, request->header.target_count, &self->random, flits, request->flits);
        for (unsigned i = 0; i < request->flits; i++)
            self->ring[(self->next + i) % self->places] = flits[i];
        self->next = (self->next + request->flits) % self->places;
        self->used += request->flits;
        self->put++;
    }
}

static void sample_gone(struct asker_bench *self)
{
    if (pin_get(self->gone) == 0)
        return;
    const struct request *request = &self->requests[self->left % RING];
    const uint64_t flits = pin_get(self->gone_flits);
    if (self->left >= self->checked || (!self->refused && self->to_read > 0))
        bench_fail(&self->bench, BENCH_MISMATCH, "a packet is gone before it was checked or read");
    scoreboard_check(&self->gones, 0, &flits);
    const uint32_t first = (self->next + self->places - self->used) % self->places;
    for (unsigned i = 0; i < request->flits; i++)
        self->ring[(first + i) % self->places] = (struct moehub_flit){{random_next(&self->random), random_next(&self->random)}};
    self->used -= request->flits;
    self->left++;
}

/* ---- queue --------------------------------------------------------------------------------------------------------------- */

static void drive_queue(struct asker_bench *self)
{
    const struct moehub_flit noise = {{random_next(&self->random), random_next(&self->random)}};
    pin_set(self->packet_there, self->put > self->taken);
    pin_set_words(self->read_data, self->known ? self->read.half : noise.half);
    self->room = self->room || !stall_next(&self->rooms);
    pin_set(self->record_room, self->room);
}

static void sample_queue(struct asker_bench *self)
{
    const bool take = pin_get(self->take) != 0;
    if (take && (pin_get(self->record_room) == 0 || self->put == self->taken))
        bench_fail(&self->bench, BENCH_MISMATCH, "a packet is taken that is not there, or whose record has no place");
    self->taken += take;
    self->known = pin_get(self->read_valid) != 0;
    if (!self->known)
        return;
    if (pin_get(self->read_place) >= self->places)
        bench_fail(&self->bench, BENCH_MISMATCH, "a place is read that the queue has not");
    self->read = self->ring[pin_get(self->read_place)];
    if (!take && self->to_read-- == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "a target flit is read that the packet has not");
}

/* ---- check, record, questions ---------------------------------------------------------------------------------------------- */

static const unsigned refusals[REFUSALS] = {MOEHUB_HUB_WAY_CAUSE_CONTEXT, MOEHUB_HUB_WAY_CAUSE_PEER, MOEHUB_HUB_WAY_CAUSE_ROUND,
                                            MOEHUB_HUB_WAY_CAUSE_OWNER};

static void expect_check(struct asker_bench *self, const struct moehub_header *header)
{
    uint64_t vector[2] = {0, 0};
    bits_set(vector, 1, 3, header->context);
    bits_set(vector, 4, 6, header->source);
    bits_set(vector, 10, 4, header->round);
    bits_set(vector, 14, 32, header->row_index);
    bits_set(vector, 46, 1, 1);
    bits_set(vector, 47, 6, header->source);
    scoreboard_expect(&self->checks, 0, vector);
}

static void expect_record(struct asker_bench *self, const struct moehub_header *header, unsigned status)
{
    uint64_t vector[2] = {0, 0};
    bits_set(vector, 0, 6, header->source);
    bits_set(vector, 6, 3, header->context);
    bits_set(vector, 9, 4, header->round);
    bits_set(vector, 13, 24, header->tag);
    bits_set(vector, 37, 2, header->element);
    bits_set(vector, 39, 12, header->offset / MOEHUB_FLIT_BYTES);
    bits_set(vector, 51, 7, header->length);
    bits_set(vector, 58, 6, header->target_count);
    bits_set(vector, 64, 4, status);
    scoreboard_expect(&self->records, 0, vector);
}

static void expect_questions(struct asker_bench *self, const struct request *request)
{
    const struct moehub_header *header = &request->header;
    for (unsigned i = 0; i < header->target_count; i++) {
        uint64_t vector[2] = {0, 0};
        bits_set(vector, 1, 3, header->context);
        bits_set(vector, 4, 8, request->ids[i] & ((1u << self->local_expert_bits) - 1));
        bits_set(vector, 12, 32, header->row_index);
        bits_set(vector, 44, 16, header->offset);
        bits_set(vector, 60, 11, header->length * 16u);
        bits_set(vector, 71, 6, header->source);
        scoreboard_expect(&self->questions, 0, vector);
    }
}

static void compare(struct scoreboard *scoreboard, const struct pin *pin)
{
    uint64_t vector[2] = {0, 0};
    pin_get_words(pin, vector);
    scoreboard_check(scoreboard, 0, vector);
}

/* Offered since the last cycle's edge: it is taken in this one, or not yet. */
static void drive_check(struct asker_bench *self)
{
    const bool taken = pin_get(self->check_valid) != 0 && !self->bench.reset && !stall_next(&self->checkers);
    const unsigned which = (unsigned)random_below(&self->random, REFUSALS);
    const bool refused = chance(self, 1, 4);
    pin_set(self->check_taken, taken);
    pin_set(self->passed, !refused);
    pin_set(self->counted, refused && refusals[which] == MOEHUB_HUB_WAY_CAUSE_OWNER);
    pin_set(self->cause, refusals[which]);
    if (!taken)
        return;
    if (self->checked == self->taken)
        bench_fail(&self->bench, BENCH_MISMATCH, "a packet is checked that was not taken");
    const struct request *request = &self->requests[self->checked++ % RING];
    const bool of_context = which == 0 || which == 2;
    const uint64_t flits = request->flits;
    expect_check(self, &request->header);
    expect_record(self, &request->header, !refused ? MOEHUB_STATUS_OK : of_context ? MOEHUB_STATUS_CONTEXT : MOEHUB_STATUS_PEER);
    scoreboard_expect(&self->gones, 0, &flits);
    if (!refused)
        expect_questions(self, request);
    self->refused = refused;
    self->to_read = refused ? 0 : moehub_header_target_flits(&request->header);
    self->several += self->to_read > 1;
    *(refused ? &self->refusals[which] : &self->passes) += 1;
}

static void sample_check(struct asker_bench *self)
{
    const bool taken = pin_get(self->check_taken) != 0;
    if ((pin_get(self->record_valid) != 0) != taken)
        bench_fail(&self->bench, BENCH_MISMATCH, "record_valid is not check_taken");
    if (!taken)
        return;
    compare(&self->checks, self->check);
    compare(&self->records, self->record);
    self->room = false;
}

static void drive_address_path(struct asker_bench *self)
{
    const uint64_t most = self->asked - self->freed < 32 ? self->asked - self->freed : 32;
    const uint64_t some = self->releases > 0 && chance(self, 1, self->releases) ? random_below(&self->random, most + 1) : 0;
    const uint64_t released = self->draining ? most : some;
    pin_set(self->question_ready, !stall_next(&self->askers));
    pin_set(self->released, self->bench.reset ? 0 : released);
    self->freed += self->bench.reset ? 0 : released;
}

static void sample_question(struct asker_bench *self, uint64_t freed_before)
{
    if (pin_get(self->question_valid) == 0)
        return;
    if (self->asked + 1 - freed_before > self->answers)
        bench_fail(&self->bench, BENCH_MISMATCH, "a question is offered whose answer has no place");
    self->waits += self->asked + 1 - freed_before == self->answers;
    if (pin_get(self->question_ready) == 0)
        return;
    compare(&self->questions, self->question);
    self->asked++;
}

/* ---- one cycle ------------------------------------------------------------------------------------------------------------- */

static void forget(struct asker_bench *self)
{
    struct scoreboard *const all[] = {&self->checks, &self->records, &self->questions, &self->gones};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        scoreboard_forget(all[i]);
    self->put = self->taken = self->checked = self->left = self->asked = self->freed = 0;
    self->next = self->used = self->to_read = 0;
    self->known = false;
}

static void step(void *context)
{
    struct asker_bench *self = context;
    if (self->bench.reset)
        forget(self);
    else
        put_requests(self);
    drive_queue(self);
    drive_check(self);
    const uint64_t freed_before = self->freed;
    drive_address_path(self);
    bench_settle(&self->bench);
    if (!self->bench.reset) {
        sample_queue(self);
        sample_check(self);
        sample_gone(self);
        sample_question(self, freed_before);
    }
    bench_tick(&self->bench);
}

/* ---- the run ------------------------------------------------------------------------------------------------------------- */

/* All packets go, with all their questions. */
static void drain(struct asker_bench *self)
{
    enum { MOST = 200000 };
    self->draining = true;
    for (unsigned i = 0; i < MOST && (self->left != self->put || self->questions.waiting > 0); i++)
        step(self);
    if (self->left != self->put || self->questions.waiting > 0)
        bench_fail(&self->bench, BENCH_TIMEOUT, "packets or questions are left after %d cycles", MOST);
    self->draining = false;
}

/* As many questions as there are answer places go out, with none released. */
static void fill(struct asker_bench *self)
{
    enum { MOST = 200000 };
    self->releases = 0;
    for (unsigned i = 0; i < MOST && self->asked - self->freed < self->answers; i++)
        step(self);
    scoreboard_value(&self->questions, "questions without an answer released", self->answers, self->asked - self->freed);
}

static void demand(struct asker_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void find_pins(struct asker_bench *self)
{
    const struct {
        const struct pin **pin;
        const char *name;
    } pins[] = {
        {&self->packet_there, "packet_there"}, {&self->take, "take"}, {&self->read_valid, "read_valid"},
        {&self->read_place, "read_place"}, {&self->read_data, "read_data"}, {&self->gone, "gone"},
        {&self->gone_flits, "gone_flits"}, {&self->check_valid, "check_valid"}, {&self->check, "check"},
        {&self->check_taken, "check_taken"}, {&self->passed, "passed"}, {&self->counted, "counted"}, {&self->cause, "cause"},
        {&self->record_room, "record_room"}, {&self->record_valid, "record_valid"}, {&self->record, "record"},
        {&self->question_valid, "question_valid"}, {&self->question_ready, "question_ready"},
        {&self->question, "question"}, {&self->released, "released"},
    };
    for (unsigned i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(&self->bench, pins[i].name);
}

static void create(struct asker_bench *self)
{
    struct bench *bench = &self->bench;
    uint32_t operation = 0;
    self->places = 2048;
    self->answers = 128;
    self->local_expert_bits = 8;
    const struct parameter parameters[] = {{"OPERATION", &operation}, {"LOCAL_EXPERT_BITS", &self->local_expert_bits},
                                           {"PLACES", &self->places}, {"ANSWERS", &self->answers}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    find_pins(self);
    scoreboard_create(&self->checks, bench, "checks", vector_fields, 1, 1, RING);
    scoreboard_create(&self->records, bench, "records", vector_fields, 1, 1, RING);
    scoreboard_create(&self->questions, bench, "questions", vector_fields, 1, 1, 32 * RING);
    scoreboard_create(&self->gones, bench, "freed", gone_fields, 1, 1, RING);
    bench_random(bench, &self->random, "requests");
    stall_init(&self->takes, STALL_MIXED, bench->options.seed, "takes");
    stall_init(&self->checkers, STALL_MIXED, bench->options.seed, "checks");
    stall_init(&self->askers, STALL_MIXED, bench->options.seed, "questions");
    stall_init(&self->rooms, STALL_MIXED, bench->options.seed, "rooms");
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Asker of requests against its page", .events = 100000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct asker_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    create(&self);
    bench->step = step;
    bench->context = &self;
    self.releases = 8;
    bench_reset(bench, 2);
    while (bench_running(bench)) {
        self.releases = chance(&self, 1, 2) ? 8 : 400;
        bench_run(bench, random_range(&self.random, 2000, 20000));
        if (chance(&self, 1, 2))
            bench_reset(bench, (unsigned)random_range(&self.random, 1, 3));
        else
            fill(&self);
        drain(&self);
    }
    drain(&self);
    static const char *const causes[REFUSALS] = {"CONTEXT", "PEER", "ROUND", "OWNER"};
    for (unsigned i = 0; i < REFUSALS; i++)
        demand(&self, causes[i], self.refusals[i]);
    demand(&self, "passed", self.passes);
    demand(&self, "several target flits", self.several);
    demand(&self, "every answer place held", self.waits);
    return bench_finish(bench);
}
