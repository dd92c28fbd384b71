/* SPDX-License-Identifier: Apache-2.0 */
/* Counters in memories against the C model, cycle by cycle: events seldom, often and in every cycle; snapshots one after the
 * other and far apart while events run; every counter read after each; resets at any time, also inside a round. */
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "moehub/counter_memory.h"

struct counter_bench {
    struct bench bench;
    struct moehub_counter_memory model;
    const struct pin *events, *snapshot, *snapshot_done, *index, *value;
    struct scoreboard done, values;
    struct random_source random;
    uint64_t quiet;                    /* events that do not come in this phase */
    unsigned event_chance;             /* of 64 */
    unsigned snapshot_chance;          /* of 64, while none is under way */
    uint64_t snapshots, at_once, full, wrapped;
};

static const struct field done_fields[] = {{"snapshot_done", 1}};
static const struct field value_fields[] = {{"value", 64}};

/* ---- drive ------------------------------------------------------------------------------------------------------ */

static void drive(struct counter_bench *self, struct moehub_counter_memory_cycle *cycle)
{
    const struct moehub_counter_memory *model = &self->model;
    for (unsigned i = 0; i < model->events; i++)
        cycle->events |= (uint64_t)random_chance(&self->random, self->event_chance, 64) << i;
    cycle->events &= ~self->quiet;
    cycle->snapshot = !self->bench.reset && model->left == 0 && random_chance(&self->random, self->snapshot_chance, 64);
    cycle->index = (uint32_t)(random_next(&self->random) & self->index->mask);
    pin_set(self->events, cycle->events);
    pin_set(self->snapshot, cycle->snapshot);
    pin_set(self->index, cycle->index);
}

/* ---- compare ------------------------------------------------------------------------------------------------------ */

static void compare(struct counter_bench *self)
{
    const uint64_t done = self->model.snapshot_done, got_done = pin_get(self->snapshot_done);
    const uint64_t got_value = pin_get(self->value);
    scoreboard_expect(&self->done, 0, &done);
    scoreboard_check(&self->done, 0, &got_done);
    if (!self->model.value_known)
        return;
    scoreboard_expect(&self->values, 0, &self->model.value);
    scoreboard_check(&self->values, 0, &got_value);
}

static void note_met(struct counter_bench *self, const struct moehub_counter_memory_cycle *cycle)
{
    const struct moehub_counter_memory *model = &self->model;
    const uint64_t all = UINT64_MAX >> (64 - model->events);
    self->snapshots += cycle->snapshot;
    self->at_once += cycle->snapshot && model->snapshot_done;
    self->full += cycle->snapshot && cycle->events == all;
    for (unsigned i = 0; i < model->events; i++)
        self->wrapped += (cycle->events >> i & 1) && model->counters[i] == UINT64_MAX >> (64 - model->width);
}

static void step(void *context)
{
    struct counter_bench *self = context;
    struct moehub_counter_memory_cycle cycle = {.events = 0};
    drive(self, &cycle);
    bench_settle(&self->bench);
    if (self->bench.reset)
        moehub_counter_memory_reset(&self->model, self->model.events, self->model.width);
    else {
        compare(self);
        note_met(self, &cycle);
        if (!moehub_counter_memory_step(&self->model, &cycle))
            bench_fail(&self->bench, BENCH_CONFIGURATION, "the bench takes a snapshot too early");
    }
    bench_tick(&self->bench);
}

/* ---- the run --------------------------------------------------------------------------------------------------------- */

static void draw_phase(struct counter_bench *self)
{
    static const unsigned chances[] = {1, 8, 32, 64};
    self->event_chance = chances[random_below(&self->random, 4)];
    self->snapshot_chance = chances[random_below(&self->random, 4)];
    self->quiet = random_chance(&self->random, 1, 2) ? 0 : random_next(&self->random);
}

/* Some rounds and some snapshots; now and then so long that a narrow counter wraps. */
static void run(struct counter_bench *self)
{
    enum { LONG = 2000 };
    const unsigned some = 8 * (self->model.events + 8);
    while (bench_running(&self->bench)) {
        bench_reset(&self->bench, (unsigned)random_range(&self->random, 1, 3));
        const unsigned phases = (unsigned)random_range(&self->random, 1, 8);
        for (unsigned i = 0; i < phases; i++) {
            draw_phase(self);
            bench_run(&self->bench, random_range(&self->random, 1, random_chance(&self->random, 1, 16) ? LONG : some));
        }
    }
}

static void demand(struct counter_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void check_covered(struct counter_bench *self)
{
    enum { NARROW = 16 }; /* a run may reach the end of such a counter */
    demand(self, "snapshots", self->snapshots);
    demand(self, "snapshots as the last one is done", self->at_once);
    demand(self, "snapshots with every event", self->full);
    if (self->model.width < NARROW)
        demand(self, "counters wrapped", self->wrapped);
}

static void create(struct counter_bench *self)
{
    struct bench *bench = &self->bench;
    uint32_t events = 38, width = 48;
    const struct parameter parameters[] = {{.name = "EVENTS", .value = &events}, {.name = "WIDTH", .value = &width}};
    parameters_read(dut_description(), "", NULL, parameters, 2);
    moehub_counter_memory_reset(&self->model, events, width);
    self->events = bench_pin(bench, "events");
    self->snapshot = bench_pin(bench, "snapshot");
    self->snapshot_done = bench_pin(bench, "snapshot_done");
    self->index = bench_pin(bench, "index");
    self->value = bench_pin(bench, "value");
    bench_random(bench, &self->random, "traffic");
    scoreboard_create(&self->done, bench, "done", done_fields, 1, 1, 1);
    scoreboard_create(&self->values, bench, "value", value_fields, 1, 1, 1);
    bench->step = step;
    bench->context = self;
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Counters in memories against the C model", .events = 400000, .cycles = UINT64_MAX};
    static struct counter_bench self;
    bench_create(&self.bench, argc, argv, &defaults, NULL);
    create(&self);
    run(&self);
    check_covered(&self);
    const int status = bench_finish(&self.bench);
    scoreboard_destroy(&self.done);
    scoreboard_destroy(&self.values);
    return status;
}
