/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_rate.h"

#include "bench/switch/output_queues.h"
#include "bench/switch/switch_plane_layer.h"
#include "kit/allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How much of the ideal time a dispatch may lose beyond what ideal output queues lose. */
#define BEHIND_OUTPUT_QUEUES 0.02

enum { GPU_PLACES = 4096, SETTLED = 100, SAMPLE = 16 };

/* Flits that have come in and that have left, every SAMPLE cycles. */
struct flits {
    uint64_t in, out;
};
struct progress {
    struct flits *flits;
    uint64_t count, capacity;
};

/* The direction of a link with the most flits. */
struct busiest {
    uint64_t flits;
    unsigned port;
    bool out;
};

static struct flits all_flits(const struct plane_run *run)
{
    struct flits flits = {0};
    for (unsigned port = 0; port < run->config.ports; port++) {
        flits.in += run->check.model.ports[port].counts.flits_in;
        flits.out += run->check.model.ports[port].counts.flits_out;
    }
    return flits;
}

static struct busiest find_busiest(const struct plane_run *run)
{
    struct busiest busiest = {0};
    for (unsigned port = 0; port < run->config.ports; port++) {
        const struct moehub_switch_plane_counts *counts = &run->check.model.ports[port].counts;
        if (counts->flits_in > busiest.flits)
            busiest = (struct busiest){counts->flits_in, port, false};
        if (counts->flits_out > busiest.flits)
            busiest = (struct busiest){counts->flits_out, port, true};
    }
    return busiest;
}

static void note(struct progress *progress, const struct plane_run *run)
{
    if (run->bench->cycle % SAMPLE != 0)
        return;
    if (progress->count == progress->capacity) {
        progress->capacity = 2 * progress->capacity + 1024;
        struct flits *grown = allocate(progress->capacity, sizeof *grown);
        if (progress->count > 0)
            memcpy(grown, progress->flits, progress->count * sizeof *grown);
        free(progress->flits);
        progress->flits = grown;
    }
    progress->flits[progress->count++] = all_flits(run);
}

static uint64_t flits_at(const struct progress *progress, uint64_t sample, bool out)
{
    return out ? progress->flits[sample].out : progress->flits[sample].in;
}

/* The first sample with so many quarters of all flits of a direction. */
static uint64_t quarter(const struct progress *progress, uint64_t quarters, bool out)
{
    uint64_t sample = 0;
    while (sample + 1 < progress->count &&
           4 * flits_at(progress, sample, out) < quarters * flits_at(progress, progress->count - 1, out))
        sample++;
    return sample;
}

/* Share of all links' cycles in which a flit crossed, from the first quarter of the flits of this direction to the third. 0: too
 * few to tell. */
static double steady_use(const struct progress *progress, bool out, unsigned ports)
{
    const uint64_t first = quarter(progress, 1, out), third = quarter(progress, 3, out);
    if (third <= first)
        return 0;
    return (double)(flits_at(progress, third, out) - flits_at(progress, first, out)) / ((double)(third - first) * SAMPLE * ports);
}

/* From a switch at rest with all credits granted; returns the cycles to the last flit. */
static uint64_t run_layer(struct plane_run *run, struct plane_layer *layer, struct progress *progress, uint64_t loop)
{
    bench_run(run->bench, loop + SETTLED);
    const uint64_t start = run->bench->cycle;
    do {
        plane_layer_feed(layer);
        plane_run_step(run);
        note(progress, run);
    } while (!plane_layer_sent(layer) || !plane_run_idle(run));
    return run->check.left + 1 - start;
}

static void report(struct plane_run *run, const struct plane_rate *rate, uint64_t cycles, uint64_t reference,
                   const struct progress *progress)
{
    struct summary *summary = &run->bench->summary;
    const struct busiest busiest = find_busiest(run);
    const double ratio = (double)busiest.flits / (double)cycles, use = steady_use(progress, busiest.out, run->config.ports);
    char bottleneck[32];
    snprintf(bottleneck, sizeof bottleneck, "port %u, %s", busiest.port, busiest.out ? "out" : "in");
    summary_number(summary, "ideal cycles", (double)busiest.flits, "");
    summary_number(summary, "cycles", (double)cycles, "");
    summary_number(summary, "ratio", ratio, "");
    if (reference != 0)
        summary_number(summary, "ratio of ideal output queues", (double)busiest.flits / (double)reference, "");
    summary_number(summary, "steady use", use, "");
    json_t *figures = json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:s}", "case", rate->phase, "experts", (json_int_t)rate->experts,
        "topk", (json_int_t)rate->topk, "lines", (json_int_t)rate->lines, "ports", (json_int_t)run->config.ports, "tokens",
        (json_int_t)rate->tokens, "ideal_cycles", (json_int_t)busiest.flits, "cycles", (json_int_t)cycles, "ratio", ratio,
        "steady_use", use, "bottleneck", bottleneck);
    if (reference != 0)
        json_object_set_new(figures, "output_queues_cycles", json_integer((json_int_t)reference));
    summary_json(summary, "rate", figures);
}

static struct dispatch_layer layer_shape(struct plane_run *run, const struct plane_rate *rate)
{
    const struct dispatch_layer shape = {
        .ports = run->config.ports, .local_expert_bits = run->config.local_expert_bits, .experts = (uint32_t)rate->experts,
        .topk = (uint32_t)rate->topk, .tokens = (uint32_t)rate->tokens, .lines = (uint32_t)rate->lines,
        .seed = run->bench->options.seed};
    if (shape.topk > run->config.max_targets)
        bench_fail(run->bench, BENCH_CONFIGURATION, "--topk %" PRIu32 ": MAX_TARGETS is %" PRIu32, shape.topk,
                   run->config.max_targets);
    if (shape.experts > shape.ports << shape.local_expert_bits)
        bench_fail(run->bench, BENCH_CONFIGURATION, "--experts %" PRIu32 ": LOCAL_EXPERT_BITS has room for %" PRIu32,
                   shape.experts, shape.ports << shape.local_expert_bits);
    return shape;
}

static void reset(struct plane_run *run, uint64_t loop)
{
    struct plane_links links[MOEHUB_CROSSBAR_PORTS_MAX];
    for (unsigned port = 0; port < run->config.ports; port++)
        links[port] = (struct plane_links){(unsigned)(loop / 2), {GPU_PLACES, GPU_PLACES, GPU_PLACES}};
    plane_run_calm(run);
    plane_run_reset(run, 2, links);
}

int plane_rate_run(struct plane_run *run, const struct plane_rate *rate)
{
    const bool dispatches = strcmp(rate->phase, "combine") != 0, combines = strcmp(rate->phase, "dispatch") != 0;
    if (dispatches && combines && strcmp(rate->phase, "fused") != 0)
        bench_fail(run->bench, BENCH_CONFIGURATION, "--phase %s: there are dispatch, combine and fused", rate->phase);
    const struct dispatch_layer shape = layer_shape(run, rate);
    const struct output_queues_link link = {.loop = (uint32_t)rate->loop, .places = run->config.places[MOEHUB_CLASS_STORE]};
    struct progress progress = {0};
    struct plane_layer layer;
    plane_layer_create(&layer, run, &shape, dispatches, combines ? (uint32_t)rate->combine_lines : 0);
    reset(run, (uint64_t)rate->loop);
    const uint64_t cycles = run_layer(run, &layer, &progress, (uint64_t)rate->loop);
    const uint64_t reference = combines ? 0 : output_queues_cycles(&layer.rows, &link);
    report(run, rate, cycles, reference, &progress);
    const double ideal = (double)find_busiest(run).flits;
    plane_run_settle(run);
    plane_layer_destroy(&layer);
    free(progress.flits);
    if (reference != 0 && ideal / (double)cycles < ideal / (double)reference - BEHIND_OUTPUT_QUEUES)
        bench_fail(run->bench, BENCH_MISMATCH, "more than %.2f behind ideal output queues", BEHIND_OUTPUT_QUEUES);
    return bench_finish(run->bench);
}
