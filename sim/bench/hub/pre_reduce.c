/* SPDX-License-Identifier: Apache-2.0 */
/* pre_reduce against its model: the way, the memory and the taker of partials are the bench's. What stands at an address is a
 * function of the address. At the end requests of whole lines without stalls show the cycles a line. */
#include "kit/bits.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "moehub/pre_reduce.h"

#include <string.h>

enum {
    RECORDS = 64,
    ANSWERS = 1024,
    READS = 2048,
    LINES = 8,
    LINE = MOEHUB_LINE_BYTES,
    BEAT = 32,
    TARGETS = 32,
    PARTIAL_EVENTS = 6,
    NO_DATA = 4, NO_ROOM = 5, /* of these */
    SETTLED = 16,             /* cycles after which a line that was asked for is waited for */
    STUCK = 200               /* ... after which no partial has a place */
};

struct read {
    uint64_t address, due;
    unsigned beats;
};

struct pre_reduce_bench {
    struct bench bench;
    const struct pin *own, *asked_valid, *asked_ready, *asked, *answers_there, *answer_read_valid, *answer_read_index,
        *read_status, *read_address, *release_valid, *release_count, *queued_valid, *queued_context, *ar_valid,
        *ar_ready, *ar_address, *ar_len, *r_valid, *r_ready, *r_data, *r_resp, *r_last, *partial_valid, *partial_ready,
        *partial, *partial_last, *partial_flits, *events, *error_header, *used_lines;
    struct scoreboard reads_board, partials, queued, errors;
    struct random_source random;
    struct stall askers, answerers, addresses, data, takers;
    struct stall *stuck; /* one of these that stalls for the whole part of the run; NULL: none */
    struct moehub_pre_reduce_block model;
    uint32_t max_targets, address_width, request_answers, read_lines, lane_bytes, partial_rows, with_fp32;
    uint64_t records[RECORDS][2]; /* that wait for asked */
    uint64_t put, asked_count;
    struct moehub_way_answer answers[ANSWERS]; /* a ring, numbers that only rise */
    uint64_t drawn, there, released;
    struct moehub_way_answer shown; /* answer of the read in the last cycle */
    bool shows, asked_offered, r_offered;
    struct read reads[READS];
    uint64_t asked_reads, done_reads;
    unsigned beat;
    unsigned latency, error_share; /* cycles of the memory; one beat in so many with an error */
    uint64_t held[2]; /* partial that was not taken */
    bool holds, draining, measuring;
    unsigned measured_targets, measured_more; /* one more target of every so-manyth request; 0: of none */
    uint64_t counts[PARTIAL_EVENTS];
    uint64_t flits, last_flit_cycle;
    uint64_t idle_at, outstanding_at, moved_at, asks_at, more_at, changed_at; /* last cycle: see check_waits */
    uint64_t used_before, outstanding_before;
    uint64_t waited_data, waited_room;
    uint64_t one_target, several_lines, short_lines, refusals, answer_errors, type_errors, memory_errors, places_full;
};

static const struct field read_fields[] = {{"address", 64}, {"len", 8}};
static const struct field partial_fields[] = {{"data", 128}, {"last", 1}, {"flits", 5}};
static const struct field context_fields[] = {{"context", 3}};
static const struct field header_fields[] = {{"header", 128}};

static bool chance(struct pre_reduce_bench *self, unsigned numerator, unsigned denominator)
{
    return random_chance(&self->random, numerator, denominator);
}

/* ---- memory --------------------------------------------------------------------------------------------------------------- */

static void memory_beat(const struct pre_reduce_bench *self, uint64_t address, uint64_t words[4])
{
    for (unsigned i = 0; i < 4; i++)
        words[i] = random_hash(self->bench.options.seed, address / 8 + i);
}

static bool memory_error(const struct pre_reduce_bench *self, uint64_t address)
{
    return self->error_share > 0 && random_hash(self->bench.options.seed + 1, address / BEAT) % self->error_share == 0;
}

/* ---- what a request gives -------------------------------------------------------------------------------------------- */

static void expect_packet(struct pre_reduce_bench *self, const struct moehub_partial_packet *packet)
{
    for (unsigned i = 0; i < packet->count; i++) {
        const uint64_t item[4] = {packet->flits[i].half[0], packet->flits[i].half[1], i + 1 == packet->count, packet->count};
        scoreboard_expect(&self->partials, 0, item);
    }
    if (packet->read_error)
        scoreboard_expect(&self->errors, 0, packet->error_header.half);
    self->memory_errors += packet->read_error;
}

static void expect_read(struct pre_reduce_bench *self, const struct moehub_line_read *read, struct moehub_line_data *data)
{
    const uint64_t item[2] = {read->address, read->beats - 1};
    data->error = false;
    for (unsigned beat = 0; beat < read->beats; beat++) {
        uint64_t words[4];
        memory_beat(self, read->address + (uint64_t)BEAT * beat, words);
        memcpy(&data->bytes[(size_t)BEAT * beat], words, BEAT);
        data->error = data->error || memory_error(self, read->address + (uint64_t)BEAT * beat);
    }
    scoreboard_expect(&self->reads_board, 0, item);
}

static void expect_line(struct pre_reduce_bench *self, const struct moehub_pre_reduce_request *request, unsigned line,
                        unsigned status)
{
    struct moehub_line_data data[TARGETS];
    struct moehub_partial_packet packet;
    for (unsigned i = 0; i < request->asked.targets && status == MOEHUB_STATUS_OK; i++) {
        struct moehub_line_read read;
        moehub_pre_reduce_read(&self->model, request, line, i, &read);
        expect_read(self, &read, &data[i]);
    }
    moehub_pre_reduce_partial(&self->model, request, line, data, &packet);
    expect_packet(self, &packet);
}

static void expect_request(struct pre_reduce_bench *self, const struct moehub_pre_reduce_request *request)
{
    const unsigned status = moehub_pre_reduce_status(&self->model, request), lines = moehub_pre_reduce_lines(request);
    for (unsigned line = 0; line < lines; line++)
        expect_line(self, request, line, status);
    const uint64_t of_context = request->asked.context;
    const bool counts = moehub_pre_reduce_counts(request);
    if (counts)
        scoreboard_expect(&self->queued, 0, &of_context);
    self->refusals += !counts;
    self->type_errors += status == MOEHUB_STATUS_TYPE;
    self->answer_errors += status != MOEHUB_STATUS_OK && counts && status != MOEHUB_STATUS_TYPE;
    self->one_target += status == MOEHUB_STATUS_OK && request->asked.targets == 1;
    self->several_lines += status == MOEHUB_STATUS_OK && lines > 1;
    self->short_lines += status == MOEHUB_STATUS_OK && request->asked.length % 8 != 0;
}

/* ---- requests -------------------------------------------------------------------------------------------------------- */

static void draw_asked(struct pre_reduce_bench *self, struct moehub_way_request *asked)
{
    static const unsigned refusals[] = {MOEHUB_STATUS_CONTEXT, MOEHUB_STATUS_PEER};
    const unsigned few = self->max_targets < 3 ? self->max_targets : 3;
    *asked = (struct moehub_way_request){
        .source = (uint8_t)random_below(&self->random, 64),
        .context = (uint8_t)random_below(&self->random, 8),
        .round = (uint8_t)random_below(&self->random, 16),
        .tag = (uint32_t)random_bits(&self->random, 24),
        .element = (uint8_t)random_below(&self->random, 3),
        .offset = (uint16_t)random_bits(&self->random, 12),
        .length = (uint16_t)(1 + random_below(&self->random, chance(self, 1, 2) ? 8 : 64)),
        .targets = (uint8_t)(1 + random_below(&self->random, chance(self, 1, 8) ? self->max_targets : few))};
    if (!self->measuring && chance(self, 1, 8))
        asked->status = (uint8_t)refusals[random_below(&self->random, 2)];
    if (!self->measuring)
        return;
    asked->element = MOEHUB_ELEMENT_BF16;
    asked->length = 64;
    asked->targets = (uint8_t)(self->measured_targets + (self->measured_more > 0 && self->put % self->measured_more == 0));
}

static void draw_request(struct pre_reduce_bench *self, struct moehub_pre_reduce_request *request)
{
    draw_asked(self, &request->asked);
    const bool fails = !self->measuring && chance(self, 1, 8);
    for (unsigned i = 0; i < request->asked.targets; i++)
        request->answers[i] = (struct moehub_way_answer){
            .address = random_bits(&self->random, self->address_width) & ~(uint64_t)(LINE * LINES - 1),
            .status = (uint8_t)(fails && chance(self, 1, 2) ? 1 + random_below(&self->random, 7) : 0)};
}

static void put_request(struct pre_reduce_bench *self)
{
    struct moehub_pre_reduce_request request;
    const struct moehub_way_request *asked = &request.asked;
    if (self->draining || self->put - self->asked_count == RECORDS || self->drawn + TARGETS - self->released > ANSWERS)
        return;
    draw_request(self, &request);
    uint64_t *record = self->records[self->put++ % RECORDS];
    record[0] = record[1] = 0;
    bits_set(record, 0, 6, asked->source);
    bits_set(record, 6, 3, asked->context);
    bits_set(record, 9, 4, asked->round);
    bits_set(record, 13, 24, asked->tag);
    bits_set(record, 37, 2, asked->element);
    bits_set(record, 39, 12, asked->offset);
    bits_set(record, 51, 7, asked->length);
    bits_set(record, 58, 6, asked->targets);
    bits_set(record, 64, 4, asked->status);
    for (unsigned i = 0; i < asked->targets && asked->status == MOEHUB_STATUS_OK; i++)
        self->answers[self->drawn++ % ANSWERS] = request.answers[i];
    expect_request(self, &request);
}

static void drive_way(struct pre_reduce_bench *self)
{
    uint64_t noise[2] = {random_next(&self->random), random_next(&self->random)};
    if (!self->asked_offered)
        self->asked_offered = self->asked_count < self->put && !stall_next(&self->askers);
    pin_set(self->asked_valid, self->asked_offered);
    noise[1] &= 15;
    pin_set_words(self->asked, self->asked_offered ? self->records[self->asked_count % RECORDS] : noise);
    pin_set(self->answers_there, self->there - self->released);
    pin_set(self->read_status, self->shows ? self->shown.status : noise[0] & 15);
    pin_set(self->read_address, (self->shows ? self->shown.address : noise[0]) & bits_mask(self->address_width));
}

static void sample_way(struct pre_reduce_bench *self)
{
    if (self->asked_offered && pin_get(self->asked_ready) != 0) {
        self->asked_count++;
        self->asked_offered = false;
    }
    self->shows = pin_get(self->answer_read_valid) != 0;
    if (self->shows) {
        if (pin_get(self->answer_read_index) >= self->there - self->released)
            bench_fail(&self->bench, BENCH_MISMATCH, "an answer is read that is not there");
        self->shown = self->answers[(self->released + pin_get(self->answer_read_index)) % ANSWERS];
    }
    if (pin_get(self->release_valid) != 0) {
        self->released += pin_get(self->release_count);
        if (self->released > self->there)
            bench_fail(&self->bench, BENCH_MISMATCH, "answers are released that are not there");
    }
    if (self->there < self->drawn && self->there - self->released < self->request_answers &&
        !(stall_next(&self->answerers) && !self->measuring))
        self->there++;
    const uint64_t of_context = pin_get(self->queued_context);
    if (pin_get(self->queued_valid) != 0)
        scoreboard_check(&self->queued, 0, &of_context);
}

/* ---- memory's port --------------------------------------------------------------------------------------------------- */

static void drive_memory(struct pre_reduce_bench *self)
{
    uint64_t words[4] = {random_next(&self->random), 1, 2, 3};
    unsigned response = 0;
    const struct read *read = &self->reads[self->done_reads % READS];
    if (!self->r_offered)
        self->r_offered = self->done_reads < self->asked_reads && read->due <= self->bench.cycle &&
                          (!stall_next(&self->data) || self->measuring);
    pin_set(self->ar_ready, !stall_next(&self->addresses) || self->measuring);
    pin_set(self->r_valid, self->r_offered);
    pin_set(self->r_last, self->r_offered ? self->beat + 1 == read->beats : words[0] & 1);
    if (self->r_offered) {
        const uint64_t address = read->address + (uint64_t)BEAT * self->beat;
        memory_beat(self, address, words);
        response = memory_error(self, address) ? 2 + (unsigned)(address / BEAT & 1) : 0;
    }
    pin_set_words(self->r_data, words);
    pin_set(self->r_resp, response);
}

static void sample_memory(struct pre_reduce_bench *self)
{
    if (self->r_offered && pin_get(self->r_ready) == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "rready is low");
    if (self->r_offered) {
        self->r_offered = false;
        if (++self->beat == self->reads[self->done_reads % READS].beats) {
            self->beat = 0;
            self->done_reads++;
        }
    }
    if (pin_get(self->ar_valid) == 0 || pin_get(self->ar_ready) == 0)
        return;
    const uint64_t item[2] = {pin_get(self->ar_address), pin_get(self->ar_len)};
    scoreboard_check(&self->reads_board, 0, item);
    struct read *read = &self->reads[self->asked_reads++ % READS];
    const unsigned latency = self->measuring ? self->latency : 1 + (unsigned)random_below(&self->random, self->latency);
    *read = (struct read){item[0], self->bench.cycle + latency, (unsigned)item[1] + 1};
    if (self->asked_reads - self->done_reads > self->read_lines)
        bench_fail(&self->bench, BENCH_MISMATCH, "more lines are read than there are places");
}

/* ---- partials, events ------------------------------------------------------------------------------------------------ */

static void sample_partials(struct pre_reduce_bench *self)
{
    uint64_t item[4] = {0, 0, 0, 0};
    pin_get_words(self->partial, item);
    item[2] = pin_get(self->partial_last);
    item[3] = pin_get(self->partial_flits);
    const bool valid = pin_get(self->partial_valid) != 0;
    if (self->holds && (!valid || item[0] != self->held[0] || item[1] != self->held[1]))
        bench_fail(&self->bench, BENCH_MISMATCH, "a partial that was not taken changes");
    self->held[0] = item[0];
    self->held[1] = item[1];
    self->holds = valid && pin_get(self->partial_ready) == 0;
    if (!valid || self->holds)
        return;
    scoreboard_check(&self->partials, 0, item);
    self->flits++;
    self->last_flit_cycle = self->bench.cycle;
}

/* Cycles without data: never while nothing is inside, nor long after a line was chosen and all that was asked for has come;
 * always while all that is inside waits for memory. Cycles without a place for a partial: always while the partial at the output
 * stands for long, and nothing that is inside waits for memory. Both were so in the cycle before. */
static void check_waits(struct pre_reduce_bench *self)
{
    const uint64_t now = self->bench.cycle, events = pin_get(self->events), used = pin_get(self->used_lines);
    const uint64_t outstanding = self->asked_reads - self->done_reads;
    const bool no_data = events >> NO_DATA & 1, no_room = events >> NO_ROOM & 1;
    const bool data_certain = now > self->more_at + SETTLED && now > self->idle_at + SETTLED;
    const bool still = now > self->asks_at + SETTLED && now > self->changed_at + SETTLED;
    const bool room_certain = still && now > self->moved_at + STUCK && self->outstanding_before == 0 && self->used_before > 0;
    const bool data_there = now > self->outstanding_at + SETTLED && now > self->changed_at + SETTLED;
    if ((no_data && (now == self->idle_at + 1 || data_there)) || (!no_data && data_certain))
        bench_fail(&self->bench, BENCH_MISMATCH, "event of a cycle without data: %d", no_data);
    if ((no_room && (now == self->idle_at + 1 || no_data)) || (!no_room && room_certain))
        bench_fail(&self->bench, BENCH_MISMATCH, "event of a cycle without a place for a partial: %d", no_room);
    self->waited_data += data_certain;
    self->waited_room += room_certain;
    const bool asks = pin_get(self->ar_valid) != 0;
    if (used == 0)
        self->idle_at = now;
    if (outstanding > 0 || asks)
        self->outstanding_at = now;
    if (pin_get(self->partial_valid) == 0 || pin_get(self->partial_ready) != 0)
        self->moved_at = now;
    if (asks)
        self->asks_at = now;
    if (used != outstanding)
        self->more_at = now;
    if (used != self->used_before || outstanding != self->outstanding_before)
        self->changed_at = now;
    self->used_before = used;
    self->outstanding_before = outstanding;
}

static void sample_events(struct pre_reduce_bench *self)
{
    const uint64_t events = pin_get(self->events);
    check_waits(self);
    for (unsigned i = 0; i < PARTIAL_EVENTS; i++)
        self->counts[i] += events >> i & 1;
    if (events >> 3 & 1) {
        uint64_t header[2];
        pin_get_words(self->error_header, header);
        scoreboard_check(&self->errors, 0, header);
    }
    if (pin_get(self->used_lines) > self->read_lines)
        bench_fail(&self->bench, BENCH_MISMATCH, "more places are used than there are");
    self->places_full += pin_get(self->used_lines) == self->read_lines;
}

/* ---- one cycle ------------------------------------------------------------------------------------------------------- */

static void forget(struct pre_reduce_bench *self)
{
    struct scoreboard *const all[] = {&self->reads_board, &self->partials, &self->queued, &self->errors};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        scoreboard_forget(all[i]);
    for (unsigned i = 0; i < PARTIAL_EVENTS; i++)
        self->counts[i] = 0;
    self->model.lines_read = self->model.partials = self->model.partial_errors = self->model.read_errors = 0;
    self->put = self->asked_count = self->drawn = self->there = self->released = self->asked_reads = self->done_reads = 0;
    self->beat = 0;
    self->idle_at = self->outstanding_at = self->moved_at = self->asks_at = self->bench.cycle;
    self->more_at = self->changed_at = self->bench.cycle;
    self->shows = self->asked_offered = self->r_offered = self->holds = false;
}

static void step(void *context)
{
    struct pre_reduce_bench *self = context;
    const bool reset = self->bench.quiet;
    if (self->bench.reset)
        forget(self);
    else
        put_request(self);
    drive_way(self);
    drive_memory(self);
    if (self->bench.reset) {
        pin_set(self->asked_valid, 0);
        pin_set(self->r_valid, 0);
        self->asked_offered = self->r_offered = false;
    }
    pin_set(self->partial_ready, !stall_next(&self->takers) || self->measuring);
    bench_settle(&self->bench);
    if (reset && (pin_get(self->asked_ready) | pin_get(self->ar_valid) | pin_get(self->partial_valid) |
                  pin_get(self->r_ready)) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "a valid or ready is high in reset or in the cycle after it");
    if (!self->bench.reset) {
        sample_events(self);
        sample_memory(self);
        sample_way(self);
        sample_partials(self);
    }
    bench_tick(&self->bench);
}

/* ---- the run --------------------------------------------------------------------------------------------------------- */

static void hold(struct pre_reduce_bench *self, struct stall *stall)
{
    if (self->stuck != NULL)
        self->stuck->held = false;
    self->stuck = stall;
    if (stall != NULL)
        stall->held = true;
}

static void drain(struct pre_reduce_bench *self)
{
    enum { MOST = 400000 };
    self->draining = true;
    hold(self, NULL);
    for (unsigned i = 0; i < MOST && (self->partials.waiting > 0 || self->queued.waiting > 0); i++)
        step(self);
    bench_run(&self->bench, 20);
    if (self->partials.waiting + self->queued.waiting + self->reads_board.waiting + self->errors.waiting > 0)
        bench_fail(&self->bench, BENCH_TIMEOUT, "partials, reads or pulses are left after %d cycles", MOST);
    if (self->released != self->drawn || pin_get(self->used_lines) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "answers or places are held though nothing is asked");
    scoreboard_value(&self->partials, "lines", self->model.lines_read, self->counts[0]);
    scoreboard_value(&self->partials, "partials", self->model.partials, self->counts[1]);
    scoreboard_value(&self->partials, "statuses", self->model.partial_errors, self->counts[2]);
    scoreboard_value(&self->partials, "errors", self->model.read_errors, self->counts[3]);
    self->draining = false;
}

/* Requests of eight whole lines for so many targets, one in `more` for one more, without stalls: cycles a line, once the first
 * ones have passed. */
static void measure(struct pre_reduce_bench *self, unsigned targets, unsigned more, unsigned latency)
{
    enum { WARM = 2000, RUN = 20000 };
    char name[80];
    self->measuring = true;
    self->measured_targets = targets;
    self->measured_more = more;
    self->latency = latency;
    self->error_share = 0;
    bench_run(&self->bench, latency + WARM);
    const uint64_t before = self->flits;
    bench_run(&self->bench, RUN);
    const double cycles = RUN * 9.0 / (double)(self->flits - before);
    const double average = targets + (more > 0 ? 1.0 / more : 0);
    snprintf(name, sizeof name, "cycles a line, %.3f targets, memory %u", average, latency);
    summary_number(&self->bench.summary, name, cycles, "cycles");
    drain(self);
    const double lanes = average * (double)LINE / self->lane_bytes, link = 9;
    const double memory = (latency + 40.0) * average / self->read_lines; /* places, a round trip each */
    const double even = lanes > link ? lanes : link;
    /* Requests of one and of two targets in turn: the partials that wait even them out as far as they have rows. */
    const double bound = more > 0 && self->lane_bytes == 16 ? (self->partial_rows < 72 ? 9.6 : 9.05) : even;
    if (cycles > 1.01 * (memory > bound ? memory : bound) && self->partial_rows >= 40)
        bench_fail(&self->bench, BENCH_MISMATCH, "%s: %.2f, expected %.2f", name, cycles, bound);
    self->measuring = false;
}

static void demand(struct pre_reduce_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void find_pins(struct pre_reduce_bench *self)
{
    const struct {
        const struct pin **pin;
        const char *name;
    } pins[] = {
        {&self->own, "own"}, {&self->asked_valid, "s_axis_asked_tvalid"}, {&self->asked_ready, "s_axis_asked_tready"},
        {&self->asked, "s_axis_asked_tdata"}, {&self->answers_there, "answers_there"},
        {&self->answer_read_valid, "answer_read_valid"}, {&self->answer_read_index, "answer_read_index"},
        {&self->read_status, "read_status"}, {&self->read_address, "read_address"},
        {&self->release_valid, "answers_release_valid"}, {&self->release_count, "answers_release_count"},
        {&self->queued_valid, "partial_queued_valid"}, {&self->queued_context, "partial_queued_context"},
        {&self->ar_valid, "m_axi_data_arvalid"}, {&self->ar_ready, "m_axi_data_arready"},
        {&self->ar_address, "m_axi_data_araddr"}, {&self->ar_len, "m_axi_data_arlen"}, {&self->r_valid, "m_axi_data_rvalid"},
        {&self->r_ready, "m_axi_data_rready"}, {&self->r_data, "m_axi_data_rdata"}, {&self->r_resp, "m_axi_data_rresp"},
        {&self->r_last, "m_axi_data_rlast"}, {&self->partial_valid, "m_axis_partial_tvalid"},
        {&self->partial_ready, "m_axis_partial_tready"}, {&self->partial, "m_axis_partial_tdata"},
        {&self->partial_last, "m_axis_partial_tlast"}, {&self->partial_flits, "m_axis_partial_tflits"},
        {&self->events, "partial_events"}, {&self->error_header, "read_error_header"}, {&self->used_lines, "used_lines"},
    };
    for (unsigned i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(&self->bench, pins[i].name);
}

static void create(struct pre_reduce_bench *self)
{
    struct bench *bench = &self->bench;
    const uint64_t seed = bench->options.seed;
    self->max_targets = 32, self->address_width = 48, self->request_answers = 64, self->read_lines = 96;
    self->lane_bytes = 16, self->partial_rows = 40, self->with_fp32 = 1;
    const struct parameter parameters[] = {
        {"MAX_TARGETS", &self->max_targets}, {"ADDRESS_WIDTH", &self->address_width},
        {"REQUEST_ANSWERS", &self->request_answers}, {"READ_LINES", &self->read_lines}, {"LANE_BYTES", &self->lane_bytes},
        {"PARTIAL_ROWS", &self->partial_rows}, {"WITH_FP32", &self->with_fp32}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    find_pins(self);
    scoreboard_create(&self->reads_board, bench, "reads", read_fields, 2, 1, 1 << 16);
    scoreboard_create(&self->partials, bench, "partials", partial_fields, 3, 1, 1 << 16);
    scoreboard_create(&self->queued, bench, "queued", context_fields, 1, 1, 1 << 12);
    scoreboard_create(&self->errors, bench, "read errors", header_fields, 1, 1, 1 << 12);
    bench_random(bench, &self->random, "requests");
    stall_init(&self->askers, STALL_MIXED, seed, "asked");
    stall_init(&self->answerers, STALL_MIXED, seed, "answers");
    stall_init(&self->addresses, STALL_MIXED, seed, "addresses");
    stall_init(&self->data, STALL_MIXED, seed, "data");
    stall_init(&self->takers, STALL_MIXED, seed, "partials");
    pin_set(self->own, random_below(&self->random, 64));
    const struct moehub_pre_reduce_config config = {self->max_targets, self->address_width, self->with_fp32,
                                                    (uint32_t)pin_get(self->own)};
    if (moehub_pre_reduce_init(&self->model, &config) != 0)
        bench_fail(bench, BENCH_CONFIGURATION, "the model has no such configuration");
}

static void demand_all(struct pre_reduce_bench *self)
{
    demand(self, "one target", self->one_target);
    demand(self, "several lines", self->several_lines);
    demand(self, "short lines", self->short_lines);
    demand(self, "refused requests", self->refusals);
    demand(self, "answers that are not OK", self->answer_errors);
    demand(self, "read errors", self->memory_errors);
    demand(self, "cycles without data", self->waited_data);
    demand(self, "cycles without a place for a partial", self->waited_room);
    if (self->read_lines < 200)
        demand(self, "all places used", self->places_full);
    if (self->with_fp32 == 0)
        demand(self, "fp32 without sums of fp32", self->type_errors);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "pre_reduce against its model", .events = 300000, .cycles = UINT64_MAX, .watchdog = 400000};
    static struct pre_reduce_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    create(&self);
    bench->step = step;
    bench->context = &self;
    self.latency = 1;
    bench_reset(bench, 2);
    while (bench_running(bench)) {
        self.latency = (unsigned)random_range(&self.random, 1, chance(&self, 1, 2) ? 4 : 700);
        self.error_share = chance(&self, 1, 4) ? 0 : (unsigned)random_range(&self.random, 16, 400);
        bench_run(bench, random_range(&self.random, 2000, 20000));
        struct stall *const neighbours[] = {&self.askers, &self.answerers, &self.addresses, &self.data, &self.takers};
        hold(&self, neighbours[random_below(&self.random, sizeof neighbours / sizeof *neighbours)]);
        bench_run(bench, random_range(&self.random, 100, 1000));
        hold(&self, NULL);
        if (chance(&self, 1, 3))
            bench_reset(bench, (unsigned)random_range(&self.random, 1, 3));
        drain(&self);
    }
    for (unsigned targets = 1; targets <= self.max_targets && targets <= 8; targets *= 2)
        measure(&self, targets, 0, targets == 1 ? 600 : 300);
    if (self.max_targets > 1)
        measure(&self, self.lane_bytes / 16, self.lane_bytes == 16 ? 8 : 4, 600); /* 9/8, 9/4: what the link carries */
    demand_all(&self);
    return bench_finish(bench);
}
