/* SPDX-License-Identifier: Apache-2.0 */
/* FIFO, deep FIFO and skid buffer against a plain queue: order and payload of every item, when ready must be high and low, the
 * count, sustained rate, and resets in mid-traffic. */
#include "kit/bench.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct queue_bench {
    struct bench bench;
    struct source in;
    struct sink out;
    struct scoreboard items;  /* what leaves */
    struct scoreboard states; /* ready, valid, count of every cycle */
    const struct pin *count;  /* NULL for the skid buffer */
    bool deep;                /* what stood behind others shows up to two cycles later */
    unsigned hidden;          /* cycles in which nothing shows, and something is inside */
    struct random_source random;
    uint64_t depth;
    int64_t states_checked, drained;
    uint64_t inside;
};

/* What a queue of `depth` shows in a cycle: all of it registered, so it follows from what is inside alone. */
static void check_state(struct queue_bench *self)
{
    enum { MOST_HIDDEN = 2 };
    const bool hides = self->inside > 0 && pin_get(self->out.stream.valid) == 0;
    self->hidden = hides ? self->hidden + 1 : 0;
    const bool may_hide = self->deep && self->hidden <= MOST_HIDDEN;
    uint64_t got[3] = {pin_get(self->in.stream.ready), pin_get(self->out.stream.valid),
                       self->count != NULL ? pin_get(self->count) : self->inside};
    uint64_t expected[3] = {self->inside < self->depth && !self->bench.quiet, self->inside > 0 && !(hides && may_hide),
                            self->inside};
    scoreboard_expect(&self->states, 0, expected);
    scoreboard_check(&self->states, 0, got);
}

static void sample(struct queue_bench *self)
{
    const uint64_t *entered = source_sample(&self->in);
    const uint64_t *left = sink_sample(&self->out);
    if (self->bench.reset) {
        self->inside = self->hidden = 0;
        scoreboard_forget(&self->items);
        return;
    }
    if (self->states_checked != 0)
        check_state(self);
    if (entered != NULL)
        scoreboard_expect(&self->items, 0, entered);
    if (left != NULL)
        scoreboard_check(&self->items, 0, left);
    self->inside += (entered != NULL) - (uint64_t)(left != NULL);
}

static void step(void *context)
{
    struct queue_bench *self = context;
    if (source_free(&self->in) && !self->bench.reset) {
        uint64_t *item = source_offer(&self->in);
        for (unsigned i = 0; i < self->in.stream.table.words; i++)
            item[i] = random_next(&self->random);
        unsigned bits = self->in.stream.table.fields[0].bits;
        if (bits % 64 != 0)
            item[self->in.stream.table.words - 1] &= (UINT64_C(1) << bits % 64) - 1;
    }
    source_drive(&self->in);
    sink_drive(&self->out);
    bench_settle(&self->bench);
    sample(self);
    bench_tick(&self->bench);
}

static uint64_t built_depth(void)
{
    uint32_t depth = 2, width = 0; /* a skid buffer holds two */
    const struct parameter parameters[] = {{.name = "DEPTH", .value = &depth}, {.name = "WIDTH", .value = &width}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    return depth;
}

static void create(struct queue_bench *self, enum stall_kind stall)
{
    static const struct field state_fields[] = {{"in_ready", 1}, {"out_valid", 1}, {"count", 32}};
    source_create(&self->in, &self->bench, "in", ".", stall);
    sink_create(&self->out, &self->bench, "out", ".", stall);
    scoreboard_create_for(&self->items, &self->bench, "items", &self->out.stream.table, 1, 1024);
    scoreboard_create(&self->states, &self->bench, "states", state_fields, 3, 1, 1);
    self->states.block.may_be_empty = self->states_checked == 0;
    self->count = bench_optional_pin(&self->bench, "count");
    self->depth = built_depth();
    self->deep = strncmp(dut_description(), "moehub_deep_fifo", strlen("moehub_deep_fifo")) == 0;
    bench_random(&self->bench, &self->random, "payload");
    self->bench.step = step;
    self->bench.context = self;
}

static void set_stalls(struct queue_bench *self, enum stall_kind in, enum stall_kind out)
{
    self->in.stream.stall.kind = self->in.stream.stall.now = in;
    self->out.stream.stall.kind = self->out.stream.stall.now = out;
}

/* Without stalls one item a cycle goes through, every second cycle where only one fits. */
static void check_rate(struct queue_bench *self)
{
    enum { CYCLES = 1000, DEEP_LEAST = 4 };
    if (self->deep && self->depth < DEEP_LEAST)
        return;
    set_stalls(self, STALL_NONE, STALL_NONE);
    bench_run(&self->bench, 10 + 2 * self->depth);
    uint64_t before = self->out.stream.transfers;
    bench_run(&self->bench, CYCLES);
    scoreboard_value(&self->items, "items in 1000 cycles without stalls", self->depth > 1 ? CYCLES : CYCLES / 2,
                     self->out.stream.transfers - before);
}

/* rst at a random cycle, with the queue full in half of the cases. */
static void reset_in_traffic(struct queue_bench *self)
{
    const bool fill = random_chance(&self->random, 1, 2);
    set_stalls(self, STALL_NONE, fill ? STALL_HEAVY : STALL_MIXED);
    bench_run(&self->bench, random_below(&self->random, 8 * self->depth + 8));
    bench_reset(&self->bench, (unsigned)random_range(&self->random, 1, 3));
}

static void drain(struct queue_bench *self)
{
    self->in.stream.stall.kind = self->in.stream.stall.now = STALL_NONE;
    self->out.stream.stall.kind = self->out.stream.stall.now = STALL_NONE;
    for (uint64_t i = 0; (self->inside > 0 || self->in.driving) && i < 100 + 10 * self->depth; i++) {
        source_drive(&self->in);
        sink_drive(&self->out);
        bench_settle(&self->bench);
        sample(self);
        bench_tick(&self->bench);
    }
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "FIFO or skid buffer against a queue", .events = 100000, .cycles = UINT64_MAX, .watchdog = 2000};
    static struct queue_bench self;
    const struct knob knobs[] = {
        {.name = "states", .help = "compare ready, valid and count in every cycle (1) or only items (0)",
         .number = &self.states_checked, .maximum = 1},
        {.name = "drain", .help = "empty the queue at the end (1) or leave items inside, which must be noticed (0)",
         .number = &self.drained, .maximum = 1},
        {0}};
    self.states_checked = self.drained = 1;
    bench_create(&self.bench, argc, argv, &defaults, knobs);
    create(&self, STALL_MIXED);
    bench_reset(&self.bench, 4);
    while (bench_running(&self.bench)) {
        set_stalls(&self, STALL_MIXED, STALL_MIXED);
        bench_run(&self.bench, 3000);
        check_rate(&self);
        reset_in_traffic(&self);
    }
    if (self.drained != 0)
        drain(&self);
    else
        bench_run(&self.bench, 20);
    int status = bench_finish(&self.bench);
    scoreboard_destroy(&self.items);
    scoreboard_destroy(&self.states);
    return status;
}
