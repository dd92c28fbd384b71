/* SPDX-License-Identifier: Apache-2.0 */
/* moehub_crossbar behind its packet stores against the C model: directed scenarios, then random traffic with resets in the
 * middle.
 *
 *   --scenario NAME|all|none    directed scenarios before the random part (default: all)
 *   --events N                  length of the random part
 *   --resets N                  resets in mid-traffic, spread over it
 *   --rate TOKENS               measure a dispatch instead */
#include "bench/switch/crossbar_rate.h"
#include "bench/switch/crossbar_scene.h"
#include "bench/switch/crossbar_traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PHASE = 3000 }; /* cycles of one kind of stalls */

static void run_scenarios(struct crossbar_run *run, const char *name)
{
    if (strcmp(name, "none") == 0 || crossbar_scenarios_run(run, name))
        return;
    fprintf(stderr, "--scenario %s: there is no such scenario; there are all, none and\n", name);
    crossbar_scenarios_list();
    exit(BENCH_CONFIGURATION);
}

/* Stalls for the next phase; in one of four nothing stalls. */
static void draw_stalls(struct crossbar_run *run, struct random_source *random)
{
    static const enum stall_kind kinds[] = {STALL_NONE, STALL_NONE, STALL_LIGHT, STALL_MIXED};
    crossbar_inputs_stall(&run->inputs, kinds[random_below(random, 4)]);
    crossbar_outputs_stall(&run->outputs, kinds[random_below(random, 4)], random_chance(random, 1, 2));
    run->inputs.late_ends = random_chance(random, 1, 2);
}

/* Until `events` events in all are compared, or the cycles are over. */
static void run_until(struct crossbar_run *run, uint64_t events, struct random_source *random)
{
    const struct bench *bench = run->bench;
    while (bench->cycle < bench->options.cycles && bench->compared < events) {
        draw_stalls(run, random);
        for (unsigned i = 0; i < PHASE && bench->cycle < bench->options.cycles && bench->compared < events; i++)
            crossbar_run_step(run);
    }
}

static void run_random(struct crossbar_run *run, uint64_t resets)
{
    struct bench *bench = run->bench;
    struct crossbar_traffic traffic;
    struct random_source random;
    const struct crossbar_kind kind = crossbar_config_kind(&run->config);
    crossbar_traffic_create(&traffic, &kind, bench->options.seed);
    bench_random(bench, &random, "stalls and resets");
    const uint64_t start = bench->compared;
    for (uint64_t part = 1; part <= resets + 1; part++) {
        crossbar_run_reset(run, (unsigned)random_range(&random, 1, 5));
        run->inputs.stimulus = crossbar_traffic_stimulus(&traffic);
        run_until(run, start + bench->options.events * part / (resets + 1), &random);
    }
    crossbar_run_settle(run);
    crossbar_traffic_destroy(&traffic);
}

/* What never happened in the whole run was not tested: the run fails. */
static void demand_coverage(struct crossbar_run *run, bool resets)
{
    const struct crossbar_config *config = &run->config;
    const uint64_t *counts = run->inputs.counts;
    /* Two packets of the longest target list are inside, and their records do not fit. */
    const bool records_run_out = config->with_ids != 0 && config->copies < 16 &&
                                 config->places >= 2 * (2 + (config->max_targets + 7) / 8);
    const bool meet = config->ports > 2; /* two ports: a packet has one copy, an output one input */
    const struct {
        const char *name;
        bool possible;
        uint64_t count;
    } needed[] = {
        {"joins", meet && config->join != 0, counts[CROSSBAR_JOINS]},
        {"proposals without grant", meet, counts[CROSSBAR_REFUSED]},
        {"waits for a record", records_run_out, counts[CROSSBAR_RECORD_WAITS]},
        {"target flits read from the store", config->with_ids != 0, counts[CROSSBAR_TARGET_READS]},
        {"packets rejected", true, run->inputs.rejected},
        {"resets while in use", resets, run->resets_in_use},
    };
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (needed[i].possible && needed[i].count == 0)
            bench_fail(run->bench, BENCH_NOTHING_COMPARED, "no %s in the whole run", needed[i].name);
}

static void report(struct crossbar_run *run)
{
    struct summary *summary = &run->bench->summary;
    summary_number(summary, "flits written", (double)run->inputs.flits, "");
    summary_number(summary, "packets rejected", (double)run->inputs.rejected, "");
    summary_number(summary, "passes", (double)run->inputs.counts[CROSSBAR_PASSES], "");
    summary_number(summary, "cycles with joins", (double)run->inputs.counts[CROSSBAR_JOINS], "");
    summary_number(summary, "proposals without grant", (double)run->inputs.counts[CROSSBAR_REFUSED], "");
    summary_number(summary, "cycles without a record", (double)run->inputs.counts[CROSSBAR_RECORD_WAITS], "");
    summary_number(summary, "target flits read from the store", (double)run->inputs.counts[CROSSBAR_TARGET_READS], "");
    summary_number(summary, "resets while in use", (double)run->resets_in_use, "");
    summary_number(summary, "cycles per second", (double)run->bench->cycle / summary_seconds(summary), "1/s");
}

static int run_checks(struct crossbar_run *run, const char *scenario, uint64_t resets)
{
    run_scenarios(run, scenario);
    if (run->bench->options.events > 0)
        run_random(run, resets);
    report(run);
    if (strcmp(scenario, "all") == 0 && run->bench->options.events > 0)
        demand_coverage(run, resets > 0);
    return bench_finish(run->bench);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Compares the crossbar and its packet stores with the C model.", .events = 10000,
        .cycles = UINT64_MAX, .watchdog = 20000};
    static const char *scenario = "all";
    static int64_t resets = 4, tokens = 0;
    static struct crossbar_rate rate = {.experts = 256, .topk = 8, .lines = 56, .loop = 874};
    const struct knob knobs[] = {
        {.name = "scenario", .help = "directed scenario: a name, all or none", .text = &scenario},
        {.name = "resets", .help = "resets in mid-traffic", .number = &resets, .minimum = 0, .maximum = 1000000},
        {.name = "rate", .help = "measure a dispatch of so many tokens a port instead",
         .number = &tokens, .minimum = 0, .maximum = 100000},
        {.name = "experts", .help = "with --rate: experts of the layer (256)",
         .number = &rate.experts, .minimum = 2, .maximum = 4096},
        {.name = "topk", .help = "with --rate: experts of a token (8)", .number = &rate.topk, .minimum = 1, .maximum = 32},
        {.name = "lines", .help = "with --rate: packets of a row (56)", .number = &rate.lines, .minimum = 1, .maximum = 128},
        {.name = "loop", .help = "with --rate: cycles of a link, there and back (874)",
         .number = &rate.loop, .minimum = 0, .maximum = 100000},
        {.name = NULL},
    };
    static struct bench bench;
    static struct crossbar_run run;
    bench_create(&bench, argc, argv, &defaults, knobs);
    crossbar_run_create(&run, &bench);
    rate.tokens = tokens;
    const int status = tokens == 0 ? run_checks(&run, scenario, (uint64_t)resets) : crossbar_rate_run(&run, &rate);
    crossbar_run_destroy(&run);
    return status;
}
