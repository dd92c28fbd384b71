/* SPDX-License-Identifier: Apache-2.0 */
/* A whole switch plane with a GPU at each port against the C model: each copy once, at its port, with its ids, in its order; each
 * line asked for one result with the right bits, or its error; malformed packets beside good ones; nothing left at the end.
 *
 *   --scenario NAME     directed scenarios before the random part: a name, all (default) or none
 *   --mix NAME          what the random traffic contains: stores, sums, silence, falls, downs, all; every (default)
 *   --events N          its length, in flits that leave
 *   --resets N          resets in mid-traffic, spread over it
 *   --trace FILE       a recorded router trace as traffic instead: --trace-tokens, --trace-experts, --lines, --combine-lines
 *   --packets FILE      every packet that crosses a link, as JSON lines (packet_log.h)
 *   --rate TOKENS       measure a layer instead: --case, --phase, --experts, --topk, --routing, --placement, --turned, --lines,
 *                       --combine-lines, --rows-in-flight, --rows-in-turn, --loop */
#include "bench/switch/switch_plane_random.h"
#include "bench/switch/switch_plane_rate.h"
#include "bench/switch/switch_plane_scenarios.h"
#include "bench/switch/switch_plane_trace.h"
#include "moehub/layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned share; /* of the events */
    struct plane_mix mix;
} mixes[] = {
    {"stores", 1, {.requests = false}},
    {"sums", 1, {.requests = true, .notices = true, .unasked = true}},
    {"silence", 1, {.requests = true, .notices = true, .errors = true, .silence = true}},
    {"falls", 1, {.requests = true, .notices = true, .errors = true, .silence = true, .falls = true}},
    {"downs", 1, {.requests = true, .notices = true, .downs = true}},
    {"all", 2, {.requests = true, .notices = true, .malformed = true, .stalls = true, .errors = true}},
};
enum { MIXES = sizeof mixes / sizeof *mixes, SHARES = 7 };
#define EVERY "every"

static bool is_mix(const char *name)
{
    for (unsigned i = 0; i < MIXES; i++)
        if (strcmp(mixes[i].name, name) == 0)
            return true;
    return strcmp(name, EVERY) == 0;
}

static void demand_mix(const char *name)
{
    if (is_mix(name))
        return;
    fprintf(stderr, "--mix %s: there is no such mix; there are %s", name, EVERY);
    for (unsigned i = 0; i < MIXES; i++)
        fprintf(stderr, ", %s", mixes[i].name);
    fputc('\n', stderr);
    exit(BENCH_CONFIGURATION);
}

/* ---- coverage -------------------------------------------------------------------------------------------- */

struct needed {
    const char *name;
    bool possible;
    uint64_t count;
};

static void demand(struct plane_run *run, const struct needed *needed, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (needed[i].possible && needed[i].count == 0)
            bench_fail(run->bench, BENCH_NOTHING_COMPARED, "no %s in the whole run", needed[i].name);
}

static void demand_packets(struct plane_run *run, const struct plane_mix *mix)
{
    const uint64_t *kinds = run->check.kinds, *statuses = run->check.statuses;
    const struct needed needed[] = {
        {"row store", true, kinds[MOEHUB_PACKET_ROW_STORE]},
        {"multimem store", true, kinds[MOEHUB_PACKET_MULTIMEM_STORE]},
        {"request copy", mix->requests, kinds[MOEHUB_PACKET_LD_REDUCE]},
        {"close", mix->notices, kinds[MOEHUB_PACKET_CLOSE]},
        {"notify", mix->notices, kinds[MOEHUB_PACKET_NOTIFY]},
        {"result", mix->requests, statuses[MOEHUB_STATUS_OK]},
        {"result that says PARTIAL", mix->errors, statuses[MOEHUB_STATUS_PARTIAL]},
        {"result that says TYPE", mix->errors, statuses[MOEHUB_STATUS_TYPE]},
        {"result that says LENGTH", mix->errors, statuses[MOEHUB_STATUS_LENGTH]},
        {"result that says MALFORMED", mix->malformed, statuses[MOEHUB_STATUS_MALFORMED]},
        {"link that fell", mix->falls, run->falls},
        {"port that went down", mix->downs, run->outages},
        {"port that was revived", mix->downs, run->revivals},
        {"request refused as a port was down", mix->downs, run->refused_down},
        {"result that says TIMEOUT", mix->silence || mix->downs, statuses[MOEHUB_STATUS_TIMEOUT]},
    };
    demand(run, needed, sizeof needed / sizeof *needed);
}

/* PLACE and CREDIT need senders without credits and credits without end: scenarios of their own. */
static void demand_causes(struct plane_run *run, const struct plane_mix *mix)
{
    static const char *const names[] = {"packet refused for TYPE",   "packet refused for CLASS",  "packet refused for FORMAT",
                                        "packet refused for FIELD",  "packet refused for SOURCE", "packet refused for LENGTH",
                                        "packet refused for COUNT",  "packet refused for TARGET", "packet refused for FRAME",
                                        "flit of a bad class",       "flit outside of a packet",  "packet that did not end"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const struct needed needed = {names[i], mix->malformed, run->causes[i]};
        demand(run, &needed, 1);
    }
}

/* ---- the run ------------------------------------------------------------------------------------------------- */

static void report(struct plane_run *run)
{
    struct summary *summary = &run->bench->summary;
    uint64_t results = 0, refused = 0;
    for (unsigned i = 0; i < 16; i++)
        results += run->check.statuses[i];
    for (unsigned i = 0; i < MOEHUB_LINK_CAUSES; i++)
        refused += run->causes[i];
    summary_number(summary, "packets that came", (double)run->check.begun, "");
    summary_number(summary, "store copies", (double)(run->check.kinds[MOEHUB_PACKET_ROW_STORE] +
                                                     run->check.kinds[MOEHUB_PACKET_MULTIMEM_STORE]), "");
    summary_number(summary, "request copies", (double)run->check.kinds[MOEHUB_PACKET_LD_REDUCE], "");
    summary_number(summary, "results", (double)results, "");
    summary_number(summary, "results without error", (double)run->check.statuses[MOEHUB_STATUS_OK], "");
    summary_number(summary, "closes and notifies", (double)(run->check.kinds[MOEHUB_PACKET_CLOSE] +
                                                            run->check.kinds[MOEHUB_PACKET_NOTIFY]), "");
    summary_number(summary, "causes counted", (double)refused, "");
    summary_number(summary, "high-water marks known exactly", (double)run->exact_marks, "");
    summary_number(summary, "longest link", (double)run->longest, "cycles");
    summary_number(summary, "links that fell", (double)run->falls, "");
    summary_number(summary, "ports that went down in random traffic", (double)run->outages, "");
    summary_number(summary, "resets while in use", (double)run->resets_in_use, "");
    summary_number(summary, "cycles per second", (double)run->bench->cycle / summary_seconds(summary), "1/s");
}

static void run_scenarios(struct plane_run *run, const char *name)
{
    if (strcmp(name, "none") == 0 || plane_scenarios_run(run, name))
        return;
    fprintf(stderr, "--scenario %s: there is no such scenario; there are all, none and\n", name);
    plane_scenarios_list();
    exit(BENCH_CONFIGURATION);
}

/* The named mix, or each in turn with its share of the events. */
static void run_mixes(struct plane_run *run, const char *name, uint64_t resets)
{
    const bool every = strcmp(name, EVERY) == 0;
    for (unsigned i = 0; i < MIXES; i++)
        if (every || strcmp(mixes[i].name, name) == 0)
            plane_random_run(run, &mixes[i].mix, every ? run->bench->options.events * mixes[i].share / SHARES
                                                       : run->bench->options.events, resets);
    plane_run_end(run);
    report(run);
    for (unsigned i = 0; i < MIXES; i++)
        if (every || strcmp(mixes[i].name, name) == 0) {
            demand_packets(run, &mixes[i].mix);
            demand_causes(run, &mixes[i].mix);
        }
}

static int run_checks(struct plane_run *run, const char *scenario, const char *mix, uint64_t resets)
{
    run_scenarios(run, scenario);
    if (run->bench->options.events > 0)
        run_mixes(run, mix, resets);
    return bench_finish(run->bench);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {.description = "Compares a switch plane with the C model.", .events = 20000,
                                                     .cycles = UINT64_MAX, .watchdog = 20000};
    static const char *scenario = "all", *mix = EVERY, *packets;
    static int64_t resets = 1;
    static struct plane_rate rate = {
        .name = "", .phase = "dispatch", .routing = "uniform", .placement = "", .experts = 256, .topk = 8, .lines = 56,
        .combine_lines = 56, .rows_in_flight = 32, .rows_in_turn = 1, .loop = 874};
    static struct plane_trace trace = {.tokens = 4};
    const struct knob knobs[] = {
        {.name = "scenario", .help = "directed scenario: a name, all or none", .text = &scenario},
        {.name = "mix", .help = "what the random traffic contains: stores, sums, silence, falls, downs, all; every: each in turn",
         .text = &mix},
        {.name = "resets", .help = "resets in mid-traffic", .number = &resets, .minimum = 0, .maximum = 1000000},
        {.name = "rate", .help = "measure a layer of so many tokens a port instead",
         .number = &rate.tokens, .minimum = 0, .maximum = 100000},
        {.name = "case", .help = "with --rate: name of the case (the phase)", .text = &rate.name},
        {.name = "phase", .help = "with --rate: dispatch, combine or fused", .text = &rate.phase},
        {.name = "experts", .help = "with --rate: experts of the layer (256)",
         .number = &rate.experts, .minimum = 2, .maximum = 4096},
        {.name = "topk", .help = "with --rate: experts of a token (8)", .number = &rate.topk, .minimum = 1, .maximum = 32},
        {.name = "routing", .help = "with --rate: uniform, zipf:S, normal:STD, trace:FILE", .text = &rate.routing},
        {.name = "placement", .help = "with --rate: file of experts and their GPUs (in blocks)", .text = &rate.placement},
        {.name = "turned", .help = "with --rate, 1: equal work for all (0)", .number = &rate.turned, .minimum = 0, .maximum = 1},
        {.name = "lines", .help = "with --rate or --trace: lines of a dispatched row (56)",
         .number = &rate.lines, .minimum = 1, .maximum = 128},
        {.name = "combine-lines", .help = "with --rate or --trace: lines of a combined row (56)",
         .number = &rate.combine_lines, .minimum = 1, .maximum = 512},
        {.name = "rows-in-flight", .help = "with --rate: rows of a source that are asked for in turn (32)",
         .number = &rate.rows_in_flight, .minimum = 1, .maximum = 100000},
        {.name = "rows-in-turn", .help = "with --rate: rows of a source that are dispatched in turn, a packet each (1)",
         .number = &rate.rows_in_turn, .minimum = 1, .maximum = 100000},
        {.name = "loop", .help = "with --rate: cycles of a link, there and back (874)",
         .number = &rate.loop, .minimum = 0, .maximum = 2 * LINK_LATENCY_MAX},
        {.name = "trace", .help = "recorded router trace: what its tokens dispatch and combine, instead of scenarios and mixes",
         .text = &trace.file},
        {.name = "trace-tokens", .help = "with --trace: of a GPU (4)", .number = &trace.tokens, .minimum = 1, .maximum = 1 << 20},
        {.name = "trace-experts", .help = "with --trace: of the layer, where the file does not say it",
         .number = &trace.experts, .minimum = 1, .maximum = MOEHUB_LAYER_EXPERTS_MAX},
        {.name = "packets", .help = "file for every packet that crosses a link, as JSON lines", .text = &packets},
        {.name = NULL},
    };
    static struct bench bench;
    static struct plane_run run;
    bench_create(&bench, argc, argv, &defaults, knobs);
    demand_mix(mix);
    plane_run_create(&run, &bench, packets);
    trace.lines = rate.lines;
    trace.combine_lines = rate.combine_lines;
    const int status = rate.tokens > 0     ? plane_rate_run(&run, &rate)
                       : trace.file != NULL ? plane_trace_run(&run, &trace)
                                            : run_checks(&run, scenario, mix, (uint64_t)resets);
    plane_run_destroy(&run);
    return status;
}
