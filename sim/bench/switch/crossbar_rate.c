/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/crossbar_rate.h"

#include "bench/switch/dispatch_links.h"
#include "bench/switch/ideal_plane.h"

#include <inttypes.h>

/* How much of the ideal time may be lost beyond what ideal output queues lose. */
#define BEHIND_OUTPUT_QUEUES 0.02

/* The cycles in which a quarter and three quarters of so many flits had been taken. */
struct quarters {
    uint64_t flits, first, third;
};

/* Of the output that sends most, and of all together. */
struct progress {
    unsigned busiest;
    struct quarters of_busiest, of_all;
};

static struct progress progress_start(const struct dispatch_rows *rows)
{
    struct progress progress = {0};
    for (unsigned port = 0; port < rows->layer.ports; port++) {
        progress.of_all.flits += rows->down[port];
        if (rows->down[port] > rows->down[progress.busiest])
            progress.busiest = port;
    }
    progress.of_busiest.flits = rows->down[progress.busiest];
    return progress;
}

static void note_quarters(struct quarters *quarters, uint64_t taken, uint64_t cycle)
{
    if (quarters->first == 0 && 4 * taken >= quarters->flits)
        quarters->first = cycle;
    if (quarters->third == 0 && 4 * taken >= 3 * quarters->flits)
        quarters->third = cycle;
}

static void note_progress(const struct crossbar_run *run, struct progress *progress)
{
    uint64_t taken = 0;
    for (unsigned port = 0; port < run->config.ports; port++)
        taken += run->outputs.ports[port].flits;
    note_quarters(&progress->of_all, taken, run->bench->cycle);
    note_quarters(&progress->of_busiest, run->outputs.ports[progress->busiest].flits, run->bench->cycle);
}

/* Flits a cycle from the first quarter to the third. */
static double steady_rate(const struct quarters *quarters)
{
    return (double)quarters->flits / 2 / (double)(quarters->third - quarters->first);
}

/* Cycles to the last flit. */
static uint64_t dispatch(struct crossbar_run *run, const struct dispatch_rows *rows, const struct dispatch_link *link,
                         struct progress *progress)
{
    struct dispatch_links links;
    crossbar_run_reset(run, 2);
    crossbar_outputs_mark(&run->outputs);
    dispatch_links_create(&links, run->bench, rows, link);
    run->inputs.stimulus = dispatch_links_stimulus(&links);
    const uint64_t start = run->bench->cycle;
    while (!dispatch_links_done(&links) || !crossbar_inputs_idle(&run->inputs) || run->model.waiting > 0) {
        dispatch_links_step(&links);
        crossbar_run_step(run);
        note_progress(run, progress);
    }
    const uint64_t cycles = run->bench->cycle - start;
    crossbar_run_settle(run);
    dispatch_links_destroy(&links);
    return cycles;
}

/* The same on ideal output queues. */
static uint64_t reference_cycles(const struct dispatch_rows *rows, const struct dispatch_link *link)
{
    static const struct layer_plan plan = {.dispatches = true, .request_lines = 1, .rows_in_flight = 1};
    const struct ideal_plane plane = {.loop = link->loop, .places = {link->places, 0, 0}};
    return ideal_plane_cycles(&plane, rows, &plan);
}

static void report(struct crossbar_run *run, const struct dispatch_rows *rows, uint64_t cycles, uint64_t reference,
                   const struct progress *progress)
{
    struct summary *summary = &run->bench->summary;
    const double ideal = (double)dispatch_rows_ideal(rows);
    uint64_t packets = 0;
    for (unsigned source = 0; source < run->config.ports; source++)
        packets += dispatch_rows_packets(rows, source);
    summary_number(summary, "copies of a packet", (double)rows->copies / (double)packets, "");
    summary_number(summary, "passes of a packet", (double)run->inputs.counts[CROSSBAR_PASSES] / (double)packets, "");
    summary_number(summary, "target flits read from the store", (double)run->inputs.counts[CROSSBAR_TARGET_READS], "");
    summary_number(summary, "ideal cycles", ideal, "");
    summary_number(summary, "cycles", (double)cycles, "");
    summary_number(summary, "ratio", ideal / (double)cycles, "");
    summary_number(summary, "ratio of ideal output queues", ideal / (double)reference, "");
    summary_number(summary, "steady use of the busiest output", steady_rate(&progress->of_busiest), "");
    summary_number(summary, "steady use of all outputs", steady_rate(&progress->of_all) / run->config.ports, "");
}

int crossbar_rate_run(struct crossbar_run *run, const struct crossbar_rate *rate)
{
    const struct dispatch_layer layer = {
        .ports = run->config.ports, .local_expert_bits = run->config.local_expert_bits, .experts = (uint32_t)rate->experts,
        .topk = (uint32_t)rate->topk, .tokens = (uint32_t)rate->tokens, .lines = (uint32_t)rate->lines,
        .seed = run->bench->options.seed};
    const struct dispatch_link link = {.loop = (uint32_t)rate->loop, .places = run->config.places};
    struct dispatch_rows rows;
    if (crossbar_config_kind(&run->config).class != MOEHUB_CLASS_STORE || rate->topk > run->config.max_targets)
        bench_fail(run->bench, BENCH_CONFIGURATION, "--rate needs a crossbar of stores with MAX_TARGETS of at least --topk");
    if (layer.experts > layer.ports << layer.local_expert_bits)
        bench_fail(run->bench, BENCH_CONFIGURATION, "--experts %" PRIu32 ": LOCAL_EXPERT_BITS has room for %" PRIu32,
                   layer.experts, layer.ports << layer.local_expert_bits);
    dispatch_rows_create(&rows, &layer);
    struct progress progress = progress_start(&rows);
    const uint64_t reference = reference_cycles(&rows, &link);
    const uint64_t cycles = dispatch(run, &rows, &link, &progress);
    const double ideal = (double)dispatch_rows_ideal(&rows);
    report(run, &rows, cycles, reference, &progress);
    dispatch_rows_destroy(&rows);
    if (ideal / (double)cycles < ideal / (double)reference - BEHIND_OUTPUT_QUEUES)
        bench_fail(run->bench, BENCH_MISMATCH, "more than %.2f behind ideal output queues", BEHIND_OUTPUT_QUEUES);
    return bench_finish(run->bench);
}
