/* SPDX-License-Identifier: Apache-2.0 */
/* Plane state against the C model, cycle by cycle: what each reduction buffer missed, seldom and in every cycle, also as it is
 * visited; commands of every kind; resets. */
#include "bench/switch/brief_command_port.h"
#include "kit/parameters.h"
#include "moehub/defines.h"
#include "moehub/plane_state.h"

enum { PORTS_MAX = MOEHUB_PLANE_PORTS_MAX };

struct plane_bench {
    struct bench bench;
    struct moehub_plane_state model;
    struct brief_command_port commands;
    const struct pin *missing_valid, *missing_ports, *missed, *timeout_limit;
    struct scoreboard states;
    struct random_source random;
    uint32_t ports;
    unsigned missing_chance;           /* of 64: that a buffer says something in a cycle */
    uint64_t told, joined, at_visit;   /* sets; said before a buffer's visit more than once; in the cycle of its visit */
};

static const struct field state_fields[] = {{"missed", 64}, {"timeout_limit", 16}};

/* Any ports, often one. */
static uint64_t draw_ports(struct plane_bench *self)
{
    if (random_chance(&self->random, 1, 2))
        return UINT64_C(1) << random_below(&self->random, self->ports);
    return random_bits(&self->random, self->ports);
}

static void put_bits(uint64_t *words, unsigned at, unsigned bits, uint64_t value)
{
    words[at / 64] |= value << at % 64;
    if (at % 64 + bits > 64)
        words[at / 64 + 1] |= value >> (64 - at % 64);
}

/* What is not valid is noise. */
static void drive_missing(struct plane_bench *self, struct moehub_plane_state_cycle *cycle)
{
    uint64_t valid = 0, words[PORTS_MAX + 1] = {0};
    for (unsigned i = 0; i < self->ports; i++) {
        const uint64_t ports = draw_ports(self);
        put_bits(words, i * self->ports, self->ports, ports);
        if (!random_chance(&self->random, self->missing_chance, 64))
            continue;
        valid |= UINT64_C(1) << i;
        cycle->missing[i] = ports;
    }
    pin_set(self->missing_valid, valid);
    pin_set_words(self->missing_ports, words);
}

static void drive_command(struct plane_bench *self)
{
    static const uint32_t limits[] = {0, 1, UINT16_MAX - 1, UINT16_MAX, UINT16_MAX + 1, UINT16_MAX + 2, UINT32_MAX};
    if (brief_command_port_free(&self->commands)) {
        const unsigned operation = random_chance(&self->random, 1, 4) ? (unsigned)random_below(&self->random, 16)
                                                                      : MOEHUB_SWITCH_PLANE_COMMAND_TIMEOUT_LIMIT_SET;
        const bool near = random_chance(&self->random, 1, 2);
        brief_command_port_offer(&self->commands, operation,
                                 near ? limits[random_below(&self->random, 7)] : (uint32_t)random_bits(&self->random, 17));
    }
    brief_command_port_drive(&self->commands);
}

static void compare(struct plane_bench *self)
{
    const uint64_t expected[2] = {self->model.missed, self->model.timeout_limit};
    const uint64_t got[2] = {pin_get(self->missed), pin_get(self->timeout_limit)};
    scoreboard_expect(&self->states, 0, expected);
    scoreboard_check(&self->states, 0, got);
}

static void note_met(struct plane_bench *self, const struct moehub_plane_state_cycle *cycle)
{
    const struct moehub_plane_state *model = &self->model;
    for (unsigned i = 0; i < self->ports; i++)
        self->joined += i != model->visit && (cycle->missing[i] & ~model->sticky[i]) != 0 && model->sticky[i] != 0;
    self->at_visit += cycle->missing[model->visit] != 0 && model->sticky[model->visit] != 0;
    self->told += model->missed != 0;
}

static void step(void *context)
{
    struct plane_bench *self = context;
    struct moehub_plane_state_cycle cycle = {.missing = {0}};
    drive_missing(self, &cycle);
    drive_command(self);
    bench_settle(&self->bench);
    cycle.command = brief_command_port_sample(&self->commands, &self->model.command);
    if (self->bench.reset)
        moehub_plane_state_reset(&self->model, self->ports);
    else {
        compare(self);
        note_met(self, &cycle);
        moehub_plane_state_step(&self->model, &cycle);
    }
    bench_tick(&self->bench);
}

static void run(struct plane_bench *self)
{
    static const unsigned chances[] = {0, 1, 8, 64};
    while (bench_running(&self->bench)) {
        bench_reset(&self->bench, (unsigned)random_range(&self->random, 1, 3));
        for (unsigned i = 0; i < 4; i++) {
            self->missing_chance = chances[random_below(&self->random, 4)];
            bench_run(&self->bench, random_range(&self->random, 10, 500));
        }
    }
}

static void demand(struct plane_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Plane state against the C model", .events = 200000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct plane_bench self = {.ports = 8};
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    const struct parameter parameters[] = {{.name = "PORTS", .value = &self.ports}};
    parameters_read(dut_description(), "", NULL, parameters, 1);
    self.missing_valid = bench_pin(bench, "missing_valid");
    self.missing_ports = bench_pin(bench, "missing_ports");
    self.missed = bench_pin(bench, "missed");
    self.timeout_limit = bench_pin(bench, "timeout_limit");
    bench_random(bench, &self.random, "traffic");
    brief_command_port_create(&self.commands, bench);
    scoreboard_create(&self.states, bench, "state", state_fields, 2, 1, 1);
    bench->step = step;
    bench->context = &self;
    run(&self);
    demand(&self, "sets told", self.told);
    demand(&self, "sets joined", self.joined);
    demand(&self, "said in the cycle of the visit", self.at_visit);
    demand(&self, "commands accepted", self.commands.accepted);
    demand(&self, "commands refused", self.commands.refusals);
    const int status = bench_finish(bench);
    brief_command_port_destroy(&self.commands);
    scoreboard_destroy(&self.states);
    return status;
}
