/* SPDX-License-Identifier: Apache-2.0 */
/* Request unit, beside a crossbar at one store, against the C model: directed scenarios, then random requests with resets in
 * traffic.
 *
 *   --events N    length of the random part */
#include "bench/switch/request_unit_port.h"
#include "kit/bits.h"
#include "kit/parameters.h"

#include <inttypes.h>

struct request_bench {
    struct bench bench;
    struct request_unit_port port;
    struct random_source random;
    unsigned refused_left;   /* directed: so many refused requests, then so many granted ones */
    unsigned granted_left;
};

/* ---- requests ------------------------------------------------------------------------------------------------------------ */

static uint64_t draw_ports(struct request_bench *self)
{
    const unsigned count = self->port.model.config.ports;
    uint64_t ports = random_next(&self->random) & random_next(&self->random) & bits_mask(count);
    return ports != 0 ? ports : UINT64_C(1) << random_below(&self->random, count);
}

static struct moehub_request draw_request(struct request_bench *self, bool refused)
{
    const uint64_t longest = refused ? 511 : 8 * (uint64_t)self->port.model.config.request_lines;
    return (struct moehub_request){
        .ports = draw_ports(self),
        .tag = random_chance(&self->random, 1, 8) ? MOEHUB_TAG_MASK - (uint32_t)random_below(&self->random, 8)
                                                  : (uint32_t)random_bits(&self->random, 24),
        .length = (uint16_t)random_range(&self->random, refused ? 0 : 1, longest),
        .context = (uint8_t)random_bits(&self->random, 3),
        .round = (uint8_t)random_bits(&self->random, 4),
        .element = (uint8_t)random_below(&self->random, 3),
        .out_fp32 = random_chance(&self->random, 1, 2),
        .refused = refused,
    };
}

static bool random_request(void *context, struct moehub_request *request)
{
    struct request_bench *self = context;
    *request = draw_request(self, random_chance(&self->random, self->port.mood.malformed, 1024));
    return true;
}

static bool directed_request(void *context, struct moehub_request *request)
{
    struct request_bench *self = context;
    if (self->refused_left == 0 && self->granted_left == 0)
        return false;
    const bool refused = self->refused_left > 0;
    *(refused ? &self->refused_left : &self->granted_left) -= 1;
    *request = draw_request(self, refused);
    return true;
}

/* ---- directed ------------------------------------------------------------------------------------------------------------- */

static void expect(struct request_bench *self, const char *what, uint64_t expected, uint64_t got)
{
    scoreboard_value(&self->port.counts, what, expected, got);
}

/* Nothing is refused, and what surrounds the unit never waits. */
static void begin_directed(struct request_bench *self)
{
    request_unit_port_reset(&self->port, 2);
    request_unit_port_stall(&self->port, STALL_NONE);
    self->port.next_request = directed_request;
    self->port.mood = (struct request_unit_mood){.finds = 1024, .frees = 1024};
    bench_run(&self->bench, 4);
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* 8 cycles from `packet` to the copy list with a reservation that takes 6. */
static void check_latency(struct request_bench *self)
{
    enum { LATENCY = 8, AFTER = 64 };
    begin_directed(self);
    self->granted_left = 1;
    bench_run(&self->bench, AFTER);
    expect(self, "cycles from packet to copies", LATENCY, self->port.copy_cycle - self->port.accepted_cycle);
    request_unit_port_settle(&self->port);
}

/* 4 requests in 8 cycles, where there are groups enough. */
static void check_rate(struct request_bench *self)
{
    enum { CYCLES = 800, WARM = 50, GROUPS = 13 };
    if (self->port.model.config.groups < GROUPS)
        return;
    begin_directed(self);
    self->granted_left = UINT32_MAX;
    bench_run(&self->bench, WARM);
    const uint64_t before = self->port.copies_taken;
    bench_run(&self->bench, CYCLES);
    const uint64_t copies = self->port.copies_taken - before;
    summary_number(&self->bench.summary, "requests a cycle", (double)copies / CYCLES, "");
    expect(self, "4 requests in 8 cycles", true, copies >= CYCLES / 2 - 4);
    self->granted_left = 0;
    request_unit_port_settle(&self->port);
}

/* One answer at a time: lines + 4 cycles each. */
static void check_answers(struct request_bench *self)
{
    enum { ANSWERS = 40 };
    struct request_unit_port *port = &self->port;
    begin_directed(self);
    const uint64_t before = port->answers;
    uint64_t first = 0, lines_before = 0;
    self->refused_left = ANSWERS;
    while (port->answers < before + ANSWERS) {
        const bool none = port->answers == before;
        bench_run(&self->bench, 1);
        if (none && port->answers > before) {
            first = port->answer_cycle;
            lines_before = port->seen.error_results;
        }
    }
    bench_run(&self->bench, 4); /* the last pulse */
    expect(self, "cycles of 39 answers", port->seen.error_results - lines_before + 4 * (ANSWERS - 1),
           port->answer_cycle - first);
    request_unit_port_settle(port);
}

/* While a refused request waits for the egress, granted ones behind it go on; a refused one behind them waits, and those
 * behind that one. */
static void check_passing(struct request_bench *self)
{
    enum { LONG_AFTER = 100 };
    struct request_unit_port *port = &self->port;
    begin_directed(self);
    const unsigned granted = smaller(3, port->model.config.groups);
    const uint64_t before = port->copies_taken;
    port->hold_errors = true;
    self->refused_left = 1;
    self->granted_left = granted;
    bench_run(&self->bench, LONG_AFTER);
    expect(self, "requests that passed an answer", granted, port->copies_taken - before);
    self->refused_left = 1;
    self->granted_left = 1;
    bench_run(&self->bench, LONG_AFTER);
    expect(self, "requests that passed two answers", granted, port->copies_taken - before);
    port->hold_errors = false;
    bench_run(&self->bench, LONG_AFTER);
    expect(self, "requests after the answers", granted + 1, port->copies_taken - before);
    request_unit_port_settle(port);
}

/* Every group is released while the reduction buffer takes none: none is lost. */
static void check_released(struct request_bench *self)
{
    struct request_unit_port *port = &self->port;
    begin_directed(self);
    const unsigned granted = smaller(port->model.config.groups, port->model.config.places);
    port->hold_released = true;
    self->granted_left = granted;
    for (unsigned i = 0; i < 100 * granted && port->releases.waiting < granted; i++)
        bench_run(&self->bench, 1);
    expect(self, "entries that wait to be released", granted, port->releases.waiting);
    port->hold_released = false;
    request_unit_port_settle(port);
}

/* The crossbar finds in every cycle but a few: the unit's answer waits, and what the crossbar found stays. */
static void check_shared(struct request_bench *self)
{
    enum { ROUNDS = 40 };
    struct request_unit_port *port = &self->port;
    begin_directed(self);
    port->mood.frees = 0;
    self->granted_left = 1;
    bench_run(&self->bench, 20);
    for (unsigned round = 0; round < ROUNDS && port->model.config.places > 1; round++) {
        self->refused_left = 1;
        port->mood.finds_again = 1024;
        bench_run(&self->bench, 32);
        expect(self, "answered requests that were freed while the crossbar finds", 0, port->model.in_use != 2);
        port->mood.finds_again = 0;
        bench_run(&self->bench, 1 + round % 2);
        port->mood.finds_again = 1024;
        bench_run(&self->bench, 16);
        port->mood.finds_again = 0;
        bench_run(&self->bench, 16);
        expect(self, "requests inside", 1, port->model.in_use);
    }
    request_unit_port_settle(port);
}

/* ---- random ---------------------------------------------------------------------------------------------------------------- */

static unsigned draw_rate(struct request_bench *self)
{
    static const unsigned rates[] = {0, 16, 256, 768};
    return rates[random_below(&self->random, 4)];
}

static void draw_mood(struct request_bench *self)
{
    static const unsigned busy[] = {32, 256, 800, 1000};
    self->port.mood = (struct request_unit_mood){
        .malformed = draw_rate(self),
        .down = draw_rate(self),
        .refusals = draw_rate(self),
        .finds = busy[random_below(&self->random, 4)],
        .frees = busy[random_below(&self->random, 4)],
        .finds_again = draw_rate(self),
        .grant_delay = random_chance(&self->random, 1, 2) ? 0 : 30,
        .hold = random_chance(&self->random, 1, 2) ? 0 : 60,
    };
    request_unit_port_stall(&self->port, random_chance(&self->random, 1, 4) ? STALL_NONE : STALL_MIXED);
}

static void run_random(struct request_bench *self)
{
    struct request_unit_port *port = &self->port;
    request_unit_port_reset(port, 2);
    port->next_request = random_request;
    while (bench_running(&self->bench)) {
        draw_mood(self);
        bench_run(&self->bench, random_range(&self->random, 200, 2000));
        if (random_chance(&self->random, 1, 4))
            request_unit_port_settle(port);
        else if (random_chance(&self->random, 1, 4))
            request_unit_port_reset(port, (unsigned)random_range(&self->random, 1, 4));
    }
    request_unit_port_settle(port);
}

static void demand(struct request_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "\"%s\" never happened", what);
}

static void demand_coverage(struct request_bench *self)
{
    const struct request_unit_port *port = &self->port;
    demand(self, "granted", port->by_status[MOEHUB_STATUS_OK]);
    demand(self, "malformed", port->by_status[MOEHUB_STATUS_MALFORMED]);
    demand(self, "down", port->by_status[MOEHUB_STATUS_TIMEOUT]);
    demand(self, "refused: DRAINING", port->by_status[MOEHUB_STATUS_DRAINING]);
    demand(self, "refused: CONTRIBUTORS", port->by_status[MOEHUB_STATUS_CONTRIBUTORS]);
    demand(self, "refused: TYPE", port->by_status[MOEHUB_STATUS_TYPE]);
    demand(self, "refused: LENGTH", port->by_status[MOEHUB_STATUS_LENGTH]);
    for (unsigned lines = 1; lines <= port->model.config.request_lines; lines++)
        if (port->by_lines[lines] == 0)
            bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "no request of %u lines", lines);
    demand(self, "resets in use", port->resets_in_use);
}

/* ---- main ---------------------------------------------------------------------------------------------------------------- */

static struct moehub_request_unit_config built_config(void)
{
    struct moehub_request_unit_config config = {.ports = 8, .request_lines = 8, .groups = 13, .places = 256};
    const struct parameter parameters[] = {{.name = "PORTS", .value = &config.ports},
                                           {.name = "REQUEST_LINES", .value = &config.request_lines},
                                           {.name = "GROUPS", .value = &config.groups},
                                           {.name = "PLACES", .value = &config.places}};
    _Static_assert(sizeof parameters / sizeof *parameters == MOEHUB_REQUEST_UNIT_PARAMETERS, "every parameter");
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    return config;
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Request unit against the C model", .events = 60000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct request_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    const struct moehub_request_unit_config config = built_config();
    bench_random(bench, &self.random, "requests");
    request_unit_port_create(&self.port, bench, &config);
    self.port.context = &self;
    bench->step = request_unit_port_step;
    bench->context = &self.port;
    check_latency(&self);
    check_rate(&self);
    check_answers(&self);
    check_passing(&self);
    check_released(&self);
    check_shared(&self);
    run_random(&self);
    demand_coverage(&self);
    const int status = bench_finish(bench);
    request_unit_port_destroy(&self.port);
    return status;
}
