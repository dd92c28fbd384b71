/* SPDX-License-Identifier: Apache-2.0 */
/* The question arbiter against its page (rtl/doc/hub/ingress.md section 4): all askers of a hub and the address path are the
 * bench's. Each question leaves once and with the asker's name, in the order in which they were taken; nobody waits for more
 * than one question of each other asker; while somebody asks and the address path takes, one leaves in every cycle. */
#include "kit/bits.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "kit/stream.h"

enum { ASKERS_MOST = 10, QUESTION_BITS = 77, INSIDE = 8 };

struct asker {
    struct stall stall;
    uint64_t question[2];
    bool asks;
    unsigned passed; /* questions of others that were taken since it asks */
};

struct arbiter_bench {
    struct bench bench;
    const struct pin *asks, *taken, *questions;
    struct sink request;
    struct scoreboard requests;
    struct random_source random;
    struct asker askers[ASKERS_MOST];
    unsigned count;
    bool all_ask, pausing;             /* each asks in each cycle; nobody begins to ask */
    uint64_t entered, left, longest_waits, busy_cycles, resets;
    uint64_t by_asker[ASKERS_MOST];
};

/* ---- askers ---------------------------------------------------------------------------------------------------------------- */

static void drive_askers(struct arbiter_bench *self)
{
    uint64_t asks = 0, questions[(ASKERS_MOST * QUESTION_BITS + 63) / 64 + 1] = {0};
    for (unsigned i = 0; i < self->count; i++) {
        struct asker *asker = &self->askers[i];
        const bool silent = self->pausing || self->bench.reset || self->bench.quiet;
        if (!asker->asks && !silent && (self->all_ask || !stall_next(&asker->stall))) {
            asker->asks = true;
            asker->question[0] = random_next(&self->random);
            asker->question[1] = random_bits(&self->random, QUESTION_BITS - 64);
        }
        asks |= (uint64_t)asker->asks << i;
        bits_set(questions, i * QUESTION_BITS, 64, asker->question[0]);
        bits_set(questions, i * QUESTION_BITS + 64, QUESTION_BITS - 64, asker->question[1]);
    }
    pin_set(self->asks, asks);
    pin_set_words(self->questions, questions);
}

/* operation first context expert row_index offset length source port tag */
static void expect_request(struct arbiter_bench *self, unsigned port)
{
    const uint64_t *question = self->askers[port].question;
    const uint64_t expert = bits_get(question, 4, 8);
    const uint64_t request[10] = {port & 1,
                                  bits_get(question, 0, 1),
                                  bits_get(question, 1, 3),
                                  expert,
                                  bits_get(question, 12, 32),
                                  bits_get(question, 44, 16),
                                  bits_get(question, 60, 11),
                                  bits_get(question, 71, 6),
                                  port,
                                  expert};
    scoreboard_expect(&self->requests, 0, request);
}

static void count_waits(struct arbiter_bench *self, unsigned port)
{
    for (unsigned i = 0; i < self->count; i++) {
        struct asker *asker = &self->askers[i];
        asker->passed = i == port || !asker->asks ? 0 : asker->passed + 1;
        if (asker->passed >= self->count)
            bench_fail(&self->bench, BENCH_MISMATCH, "asker %u has waited for %u questions of others", i, asker->passed);
        self->longest_waits += asker->passed + 1 == self->count;
    }
}

/* Whose question is taken at the coming edge: nobody's, or one's. */
static void sample_askers(struct arbiter_bench *self)
{
    const uint64_t ready = pin_get(self->taken), asks = pin_get(self->asks);
    if (self->bench.reset && ready != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "a question is taken in reset");
    if ((ready & ~asks) != 0 || (ready & (ready - 1)) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "ready 0x%llx to askers 0x%llx", (unsigned long long)ready,
                   (unsigned long long)asks);
    for (unsigned i = 0; i < self->count; i++) {
        if ((ready >> i & 1) == 0)
            continue;
        expect_request(self, i);
        count_waits(self, i);
        self->askers[i].asks = false;
        self->by_asker[i]++;
        self->entered++;
    }
}

/* ---- one cycle ------------------------------------------------------------------------------------------------------------- */

static void forget(struct arbiter_bench *self)
{
    scoreboard_forget(&self->requests);
    self->entered = self->left = 0;
    for (unsigned i = 0; i < self->count; i++) {
        self->askers[i].asks = false;
        self->askers[i].passed = 0;
    }
}

static void step(void *context)
{
    struct arbiter_bench *self = context;
    if (self->bench.reset)
        forget(self);
    drive_askers(self);
    sink_drive(&self->request);
    bench_settle(&self->bench);
    const bool due = self->entered > self->left;
    if (!self->bench.reset && due != (pin_get(self->request.stream.valid) != 0))
        bench_fail(&self->bench, BENCH_MISMATCH, "request_valid is %d with %llu questions inside", !due,
                   (unsigned long long)(self->entered - self->left));
    const uint64_t *request = sink_sample(&self->request);
    if (request != NULL) {
        scoreboard_check(&self->requests, 0, request);
        self->left++;
    }
    sample_askers(self);
    bench_tick(&self->bench);
}

/* ---- the run --------------------------------------------------------------------------------------------------------------- */

/* With all asking and an address path that always takes, there is a question in every cycle, and each asker has its part. */
static void check_rate(struct arbiter_bench *self)
{
    enum { ROUNDS = 50 };
    const enum stall_kind kind = self->request.stream.stall.kind;
    self->all_ask = true;
    self->request.stream.stall.kind = self->request.stream.stall.now = STALL_NONE;
    bench_run(&self->bench, 20);
    const uint64_t before = self->left;
    uint64_t parts[ASKERS_MOST] = {0};
    for (unsigned i = 0; i < self->count; i++)
        parts[i] = self->by_asker[i];
    bench_run(&self->bench, ROUNDS * self->count);
    scoreboard_value(&self->requests, "questions in as many cycles", ROUNDS * self->count, self->left - before);
    for (unsigned i = 0; i < self->count; i++)
        scoreboard_value(&self->requests, "of one asker", ROUNDS, self->by_asker[i] - parts[i]);
    self->busy_cycles += ROUNDS * self->count;
    self->all_ask = false;
    self->request.stream.stall.kind = self->request.stream.stall.now = kind;
}

/* What is asked is taken, and leaves. */
static void drain(struct arbiter_bench *self)
{
    enum { CYCLES = 2000 };
    self->pausing = true;
    bench_run(&self->bench, CYCLES);
    self->pausing = false;
    for (unsigned i = 0; i < self->count; i++)
        scoreboard_value(&self->requests, "asks still", 0, self->askers[i].asks);
    scoreboard_value(&self->requests, "questions inside", 0, self->entered - self->left);
}

static void draw_stalls(struct arbiter_bench *self)
{
    static const enum stall_kind kinds[] = {STALL_NONE, STALL_LIGHT, STALL_MIXED, STALL_HEAVY};
    struct stall *request = &self->request.stream.stall;
    request->kind = request->now = kinds[random_below(&self->random, 4)];
    for (unsigned i = 0; i < self->count; i++) {
        struct stall *stall = &self->askers[i].stall;
        stall->kind = stall->now = kinds[random_below(&self->random, 4)];
    }
}

static void demand(struct arbiter_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void create(struct arbiter_bench *self)
{
    struct bench *bench = &self->bench;
    uint32_t links = 1;
    const struct parameter parameters[] = {{"LINKS", &links}};
    parameters_read(dut_description(), "", NULL, parameters, 1);
    self->count = 2 * (links + 1);
    self->asks = bench_pin(bench, "s_axis_question_tvalid");
    self->taken = bench_pin(bench, "s_axis_question_tready");
    self->questions = bench_pin(bench, "s_axis_question_tdata");
    sink_create(&self->request, bench, "request", "operation first context expert row_index offset length source port tag",
                STALL_MIXED);
    scoreboard_create_for(&self->requests, bench, "questions", &self->request.stream.table, 1, INSIDE);
    bench_random(bench, &self->random, "questions");
    static const char *const names[ASKERS_MOST] = {"asker 0", "asker 1", "asker 2", "asker 3", "asker 4",
                                                   "asker 5", "asker 6", "asker 7", "asker 8", "asker 9"};
    for (unsigned i = 0; i < self->count; i++)
        stall_init(&self->askers[i].stall, STALL_MIXED, bench->options.seed, names[i]);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Question arbiter against its page", .events = 100000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct arbiter_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    create(&self);
    bench->step = step;
    bench->context = &self;
    for (bool first = true; first || bench_running(bench); first = false) {
        if (first || random_chance(&self.random, 1, 3)) {
            bench_reset(bench, (unsigned)random_range(&self.random, 1, 4));
            self.resets++;
        }
        draw_stalls(&self);
        bench_run(bench, random_range(&self.random, 200, 2000));
        check_rate(&self);
    }
    drain(&self);
    demand(&self, "an asker waited for all others", self.longest_waits);
    demand(&self, "cycles at full rate", self.busy_cycles);
    demand(&self, "resets", self.resets);
    for (unsigned i = 0; i < self.count; i++)
        demand(&self, "questions of each asker", self.by_asker[i]);
    return bench_finish(bench);
}
