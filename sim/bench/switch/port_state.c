/* SPDX-License-Identifier: Apache-2.0 */
/* Port state against the C model, cycle by cycle: classes that are blocked in every pattern around the limit, timeouts and
 * answers, also at once, limits that are near, far and off, commands of every kind, timeouts up to what the counter holds,
 * resets. */
#include "bench/switch/brief_command_port.h"
#include "moehub/port_state.h"

enum { CLASSES = MOEHUB_CLASSES };

struct state_pins {
    const struct pin *blocked, *missed, *answered, *timeout_limit, *group_timeout, *down, *went_down, *port_timeout, *timeouts;
};

struct state_bench {
    struct bench bench;
    struct moehub_port_state model;
    struct brief_command_port commands;
    struct state_pins pins;
    struct scoreboard states;
    struct random_source random;
    struct stall classes[CLASSES];     /* which are blocked: a stall is a blocked cycle */
    unsigned missed_chance, answered_chance; /* of 64 */
    unsigned command_chance;           /* of 64 */
    uint16_t timeout_limit;
    uint32_t group_timeout;
    uint64_t late[CLASSES], silent, revived, both, full;
};

static const struct field state_fields[] = {{"down", 1}, {"went_down", 1}, {"port_timeout", 32}, {"timeouts", 16}};

/* ---- drive ------------------------------------------------------------------------------------------------------ */

/* About what the group timeout allows. */
static uint32_t draw_timeout(struct state_bench *self)
{
    switch (random_below(&self->random, 4)) {
    case 0: return self->group_timeout + (uint32_t)random_below(&self->random, 3) - 1;
    case 1: return UINT32_C(1) << random_below(&self->random, 10);
    case 2: return (uint32_t)random_below(&self->random, 300);
    default: return random_chance(&self->random, 1, 2) ? 0 : UINT32_MAX;
    }
}

static void drive_command(struct state_bench *self)
{
    if (brief_command_port_free(&self->commands) && random_chance(&self->random, self->command_chance, 64)) {
        const unsigned operation = random_chance(&self->random, 1, 8) ? (unsigned)random_below(&self->random, 16)
                                   : random_chance(&self->random, 1, 2) ? MOEHUB_SWITCH_PORT_COMMAND_REVIVE
                                                                        : MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET;
        brief_command_port_offer(&self->commands, operation, draw_timeout(self));
    }
    brief_command_port_drive(&self->commands);
}

static void drive(struct state_bench *self, struct moehub_port_state_cycle *cycle)
{
    for (unsigned i = 0; i < CLASSES; i++)
        cycle->blocked |= (uint8_t)(stall_next(&self->classes[i]) << i);
    cycle->missed = random_chance(&self->random, self->missed_chance, 64);
    cycle->answered = random_chance(&self->random, self->answered_chance, 64);
    cycle->timeout_limit = self->timeout_limit;
    cycle->group_timeout = self->group_timeout;
    pin_set(self->pins.blocked, cycle->blocked);
    pin_set(self->pins.missed, cycle->missed);
    pin_set(self->pins.answered, cycle->answered);
    pin_set(self->pins.timeout_limit, cycle->timeout_limit);
    pin_set(self->pins.group_timeout, cycle->group_timeout);
    drive_command(self);
}

/* ---- compare ------------------------------------------------------------------------------------------------------ */

static void compare(struct state_bench *self)
{
    const struct moehub_port_state *model = &self->model;
    const uint64_t expected[4] = {model->down, model->went_down, model->port_timeout, model->timeouts};
    const uint64_t got[4] = {pin_get(self->pins.down), pin_get(self->pins.went_down), pin_get(self->pins.port_timeout),
                             pin_get(self->pins.timeouts)};
    scoreboard_expect(&self->states, 0, expected);
    scoreboard_check(&self->states, 0, got);
}

static void note_met(struct state_bench *self, const struct moehub_port_state_cycle *cycle,
                     const struct moehub_port_state *before)
{
    const bool goes_down = self->model.went_down;
    bool late = false;
    for (unsigned i = 0; i < CLASSES; i++) {
        const bool above = before->port_timeout != 0 && before->blocked[i] > UINT64_C(4) * before->port_timeout;
        self->late[i] += goes_down && above;
        late |= above;
    }
    self->silent += goes_down && !late;
    self->revived += before->down && !self->model.down;
    self->both += cycle->missed && cycle->answered && before->timeouts > 0;
    self->full += before->timeouts == UINT16_MAX && cycle->missed;
}

static void step(void *context)
{
    struct state_bench *self = context;
    struct moehub_port_state_cycle cycle = {.blocked = 0};
    drive(self, &cycle);
    bench_settle(&self->bench);
    cycle.command = brief_command_port_sample(&self->commands, &self->model.command);
    if (self->bench.reset)
        self->model = (struct moehub_port_state){.down = false};
    else {
        compare(self);
        const struct moehub_port_state before = self->model;
        moehub_port_state_step(&self->model, &cycle);
        note_met(self, &cycle, &before);
    }
    bench_tick(&self->bench);
}

/* ---- the run --------------------------------------------------------------------------------------------------------- */

static void set_blocked(struct state_bench *self, unsigned packet_class, enum stall_kind kind)
{
    self->classes[packet_class].kind = self->classes[packet_class].now = kind;
}

/* Timeouts without an answer: as many as each bit of the limit says, then more than the counter holds. */
static void run_silent(struct state_bench *self)
{
    enum { MORE = 100 };
    self->command_chance = self->answered_chance = 0;
    self->missed_chance = 64;
    for (unsigned i = 0; i < CLASSES; i++)
        set_blocked(self, i, STALL_NONE);
    for (unsigned bit = 0; bit < 16; bit++) {
        self->timeout_limit = (uint16_t)(1u << bit);
        bench_reset(&self->bench, 2);
        bench_run(&self->bench, self->timeout_limit + MORE);
        scoreboard_value(&self->states, "down at the limit", 1, pin_get(self->pins.down));
    }
    self->timeout_limit = 0;
    bench_reset(&self->bench, 2);
    bench_run(&self->bench, UINT16_MAX - MORE);
    self->timeout_limit = UINT16_MAX;
    bench_run(&self->bench, 2 * MORE);
    scoreboard_value(&self->states, "down at the largest limit", 1, pin_get(self->pins.down));
}

/* Each class alone, most of the time, up to a limit that only the upper bits of its counter pass. */
static void run_late(struct state_bench *self)
{
    for (unsigned i = 0; i < CLASSES; i++) {
        const uint32_t limit = UINT32_C(4096) << i;
        bench_reset(&self->bench, 2);
        self->missed_chance = self->command_chance = self->group_timeout = 0;
        for (unsigned c = 0; c < CLASSES; c++)
            set_blocked(self, c, c == i ? STALL_HEAVY : STALL_LIGHT);
        brief_command_port_offer(&self->commands, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, limit);
        bench_run(&self->bench, 2 * limit); /* a count of 11 in 4 cycles: above 4 x limit */
        scoreboard_value(&self->states, "down at a late limit", 1, pin_get(self->pins.down));
    }
}

static void draw_traffic(struct state_bench *self)
{
    static const enum stall_kind kinds[] = {STALL_NONE, STALL_LIGHT, STALL_HEAVY, STALL_BURSTS, STALL_MIXED};
    static const unsigned chances[] = {0, 1, 8, 32};
    for (unsigned i = 0; i < CLASSES; i++)
        set_blocked(self, i, kinds[random_below(&self->random, 5)]);
    self->missed_chance = chances[random_below(&self->random, 4)];
    self->answered_chance = chances[random_below(&self->random, 4)];
    self->command_chance = chances[random_below(&self->random, 4)];
    self->timeout_limit = (uint16_t)random_below(&self->random, random_chance(&self->random, 1, 2) ? 2 : 8);
    self->group_timeout = (uint32_t)random_bits(&self->random, (unsigned)random_below(&self->random, 33)); /* often 0 */
}

static void demand(struct state_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void check_covered(struct state_bench *self)
{
    static const char *const late[] = {"down for stores", "down for requests", "down for responses"};
    for (unsigned i = 0; i < CLASSES; i++)
        demand(self, late[i], self->late[i]);
    demand(self, "down for timeouts", self->silent);
    demand(self, "revived", self->revived);
    demand(self, "timeout and answer at once", self->both);
    demand(self, "timeouts beyond the counter", self->full);
    demand(self, "commands accepted", self->commands.accepted);
    demand(self, "commands refused", self->commands.refusals);
}

/* ---- set up ------------------------------------------------------------------------------------------------------------- */

static void create(struct state_bench *self)
{
    static const char *const names[] = {"store", "request", "response"};
    struct bench *bench = &self->bench;
    self->pins.blocked = bench_pin(bench, "blocked");
    self->pins.missed = bench_pin(bench, "missed");
    self->pins.answered = bench_pin(bench, "answered");
    self->pins.timeout_limit = bench_pin(bench, "timeout_limit");
    self->pins.group_timeout = bench_pin(bench, "group_timeout");
    self->pins.down = bench_pin(bench, "down");
    self->pins.went_down = bench_pin(bench, "went_down");
    self->pins.port_timeout = bench_pin(bench, "port_timeout");
    self->pins.timeouts = bench_pin(bench, "timeouts");
    for (unsigned i = 0; i < CLASSES; i++)
        stall_init(&self->classes[i], STALL_MIXED, bench->options.seed, names[i]);
    bench_random(bench, &self->random, "traffic");
    brief_command_port_create(&self->commands, bench);
    scoreboard_create(&self->states, bench, "state", state_fields, 4, 1, 1);
    bench->step = step;
    bench->context = self;
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Port state against the C model", .events = 800000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct state_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    create(&self);
    run_silent(&self);
    run_late(&self);
    while (bench_running(bench)) {
        draw_traffic(&self);
        bench_run(bench, random_range(&self.random, 100, 1500));
        if (random_chance(&self.random, 1, 8))
            bench_reset(bench, (unsigned)random_range(&self.random, 1, 3));
    }
    check_covered(&self);
    const int status = bench_finish(bench);
    brief_command_port_destroy(&self.commands);
    scoreboard_destroy(&self.states);
    return status;
}
