/* SPDX-License-Identifier: Apache-2.0 */
/* moehub_reduction_buffer against the C model: directed scenarios, then random traffic with resets in the middle.
 *
 *   --scenario NAME|all|none    directed scenarios before the random part (default: all)
 *   --events N                  length of the random part
 *   --resets N                  resets in mid-traffic, spread over it
 *   --throughput N              measure instead, N cycles a row; with --fan-out one row, inside a network */
#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_round_trip.h"
#include "bench/switch/reduction_scenarios.h"
#include "bench/switch/reduction_throughput.h"
#include "bench/switch/reduction_traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run_scenarios(struct reduction_port *port, const char *name)
{
    if (strcmp(name, "none") == 0 || reduction_scenarios_run(port, name))
        return;
    fprintf(stderr, "--scenario %s: there is no such scenario; there are all, none and\n", name);
    reduction_scenarios_list();
    exit(BENCH_CONFIGURATION);
}

/* A reset of an empty buffer would show little: a while until an entry is in use. */
static void run_until_in_use(struct reduction_port *port)
{
    const uint64_t limit = port->bench->cycle + 10000;
    while (moehub_reduction_buffer_occupancy(&port->check.model) == 0 && port->bench->cycle < limit)
        port->bench->step(port->bench->context);
}

/* Runs random traffic until `events` events in all are compared, or the cycles are over. */
static void run_until(struct bench *bench, uint64_t events)
{
    while (bench->cycle < bench->options.cycles && bench->compared < events)
        bench->step(bench->context);
}

static void run_random(struct reduction_port *port, struct reduction_traffic *traffic, uint64_t resets)
{
    struct bench *bench = port->bench;
    struct random_source random;
    bench_random(bench, &random, "resets");
    port->stimulus = reduction_traffic_stimulus(traffic);
    reduction_port_stall(port, STALL_MIXED);
    uint64_t start = bench->compared;
    for (uint64_t part = 1; part <= resets + 1; part++) {
        if (part > 1)
            run_until_in_use(port);
        reduction_port_reset(port, (unsigned)random_range(&random, 1, 5));
        run_until(bench, start + bench->options.events * part / (resets + 1));
    }
    reduction_traffic_end(traffic);
    reduction_port_settle(port, REDUCTION_EMPTYING);
    reduction_scenarios_probe(port);
}

static void report(struct reduction_port *port)
{
    const struct bench *bench = port->bench;
    struct summary *summary = &port->bench->summary;
    summary_number(summary, "reservations", (double)port->check.total_reservations, "");
    summary_number(summary, "results", (double)port->check.total_results, "");
    summary_number(summary, "timeouts", (double)port->check.timeouts, "");
    summary_number(summary, "partial flits", (double)port->partial_flits, "");
    summary_number(summary, "resets while in use", (double)port->check.resets_in_use, "");
    summary_number(summary, "flushes refused", (double)port->check.flushes_in_use, "");
    summary_number(summary, "flushes done", (double)port->check.flushes_empty, "");
    summary_number(summary, "cycles per second", (double)bench->cycle / summary_seconds(summary), "1/s");
}

static int run_checks(struct reduction_port *port, const char *scenario, int64_t resets)
{
    struct bench *bench = port->bench;
    struct reduction_traffic traffic;
    run_scenarios(port, scenario);
    reduction_traffic_create(&traffic, &port->config, bench->options.seed, "traffic");
    if (bench->options.events > 0)
        run_random(port, &traffic, (uint64_t)resets);
    if (strcmp(scenario, "all") == 0 && bench->options.events > 0 && resets > 0)
        reduction_check_demand_coverage(&port->check);
    report(port);
    reduction_traffic_destroy(&traffic);
    return bench_finish(bench);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Compares the reduction buffer with the C model.", .events = 20000, .cycles = UINT64_MAX,
        .watchdog = 20000};
    static const char *scenario = "all";
    static int64_t resets = 4;
    static int64_t throughput = 0, entries = 0, fan_out = 0, round_trip = 1750, skew = 500;
    const struct knob knobs[] = {
        {.name = "scenario", .help = "directed scenario: a name, all or none", .text = &scenario},
        {.name = "resets", .help = "resets in mid-traffic", .number = &resets, .minimum = 0, .maximum = 1000000},
        {.name = "throughput", .help = "measure that many cycles per row instead",
         .number = &throughput, .minimum = 0, .maximum = 100000000},
        {.name = "fan-out", .help = "with --throughput: partials per result, one round trip after the request",
         .number = &fan_out, .minimum = 0, .maximum = 63},
        {.name = "entries", .help = "with --fan-out: use so many entries of the buffer (0: all)",
         .number = &entries, .minimum = 0, .maximum = 4096},
        {.name = "round-trip", .help = "with --fan-out: cycles (1750)", .number = &round_trip, .minimum = 0, .maximum = 100000},
        {.name = "skew", .help = "with --fan-out: cycles that the last responder is later, at most (500)",
         .number = &skew, .minimum = 0, .maximum = 100000},
        {.name = NULL},
    };
    static struct bench bench;
    static struct reduction_port port;
    bench_create(&bench, argc, argv, &defaults, knobs);
    struct moehub_reduction_buffer_config config = reduction_config_read(dut_description(), "");
    struct random_source random;
    bench_random(&bench, &random, "own port");
    config.own_port = (uint32_t)random_below(&random, config.ports);
    reduction_port_create(&port, &bench, &config, STALL_NONE, true);
    bench.watchdog.limit += 8 * reduction_config_patience(&config); /* stalls and gaps included */
    bench.step = reduction_port_step;
    bench.context = &port;
    const struct round_trip_options network = {
        .entries = (unsigned)entries,
        .fan_out = (unsigned)fan_out,
        .round_trip = (uint64_t)round_trip,
        .skew = (uint64_t)skew,
        .cycles = (uint64_t)throughput,
    };
    int status = throughput == 0 ? run_checks(&port, scenario, resets)
                 : fan_out > 0   ? reduction_round_trip_run(&port, &network)
                                 : reduction_throughput_run(&port, (uint64_t)throughput);
    reduction_port_destroy(&port);
    return status;
}
