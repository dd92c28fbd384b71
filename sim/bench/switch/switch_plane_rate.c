/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_rate.h"

#include "bench/switch/ideal_plane.h"
#include "bench/switch/switch_plane_layer.h"
#include "kit/allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GPU_PLACES = 4096, SETTLED = 100, SAMPLE = 16 };
enum { BOUND = 8 }; /* of the planes that are measured */

/* Flits that have come in and that have left, of each port, every SAMPLE cycles. */
struct flits {
    uint64_t in, out;
};
struct progress {
    unsigned ports;
    struct flits *flits;              /* [count][ports] */
    uint64_t count, capacity;
};

/* The direction of a link with the most flits. */
struct busiest {
    uint64_t flits, payload;
    unsigned port;
    bool out;
};

/* Whole lines in stores and responses, nothing in requests. */
static uint64_t payload_flits(const uint64_t packets[MOEHUB_CLASSES])
{
    return MOEHUB_LINE_UNITS * (packets[MOEHUB_CLASS_STORE] + packets[MOEHUB_CLASS_RESPONSE]);
}

static struct busiest find_busiest(const struct plane_run *run)
{
    struct busiest busiest = {0};
    for (unsigned port = 0; port < run->config.ports; port++) {
        const struct moehub_switch_plane_counts *counts = &run->check.model.ports[port].counts;
        if (counts->flits_in > busiest.flits)
            busiest = (struct busiest){counts->flits_in, payload_flits(counts->packets_in), port, false};
        if (counts->flits_out > busiest.flits)
            busiest = (struct busiest){counts->flits_out, payload_flits(counts->packets_out), port, true};
    }
    return busiest;
}

static void grow(struct progress *progress)
{
    const uint64_t used = progress->count * progress->ports;
    progress->capacity = 2 * progress->capacity + 1024;
    struct flits *grown = allocate(progress->capacity * progress->ports, sizeof *grown);
    if (used > 0)
        memcpy(grown, progress->flits, used * sizeof *grown);
    free(progress->flits);
    progress->flits = grown;
}

static void note(struct progress *progress, const struct plane_run *run)
{
    if (run->bench->cycle % SAMPLE != 0)
        return;
    if (progress->count == progress->capacity)
        grow(progress);
    struct flits *now = &progress->flits[progress->count++ * progress->ports];
    for (unsigned port = 0; port < progress->ports; port++)
        now[port] = (struct flits){run->check.model.ports[port].counts.flits_in, run->check.model.ports[port].counts.flits_out};
}

static uint64_t flits_at(const struct progress *progress, uint64_t sample, unsigned port, bool out)
{
    const struct flits *flits = &progress->flits[sample * progress->ports + port];
    return out ? flits->out : flits->in;
}

/* The first sample with so many quarters of all flits of a direction of a link. */
static uint64_t quarter(const struct progress *progress, uint64_t quarters, const struct busiest *link)
{
    const uint64_t all = flits_at(progress, progress->count - 1, link->port, link->out);
    uint64_t sample = 0;
    while (sample + 1 < progress->count && 4 * flits_at(progress, sample, link->port, link->out) < quarters * all)
        sample++;
    return sample;
}

/* Shares of the cycles from the first quarter of the busiest direction's flits to the third in which a flit crossed: there, and
 * on average of that direction of all links. 0: too few to tell. */
struct steady_use {
    double busiest, all;
};

static struct steady_use steady_use(const struct progress *progress, const struct busiest *busiest)
{
    const uint64_t first = quarter(progress, 1, busiest), third = quarter(progress, 3, busiest);
    const double cycles = (double)(third - first) * SAMPLE;
    struct steady_use use = {0, 0};
    for (unsigned port = 0; port < progress->ports && third > first; port++) {
        const double share = (double)(flits_at(progress, third, port, busiest->out) -
                                      flits_at(progress, first, port, busiest->out)) / cycles;
        use.all += share / progress->ports;
        if (port == busiest->port)
            use.busiest = share;
    }
    return use;
}

/* From a switch at rest with all credits granted; returns the cycles to the last flit. */
static uint64_t run_layer(struct plane_run *run, struct plane_layer *layer, struct progress *progress)
{
    const uint64_t start = run->bench->cycle;
    do {
        plane_layer_feed(layer);
        plane_run_step(run);
        plane_layer_note(layer);
        note(progress, run);
    } while (!plane_layer_sent(layer) || !plane_run_idle(run));
    return run->check.left + 1 - start;
}

/* Time of the source that finishes last, of that which finishes first. */
static double slowest_of_fastest(const struct plane_layer *layer, uint64_t start)
{
    uint64_t first = UINT64_MAX, last = 0;
    for (unsigned i = 0; i < layer->rows.layer.ports; i++) {
        const uint64_t finished = layer->sources[i].finished - start;
        first = finished < first ? finished : first;
        last = finished > last ? finished : last;
    }
    return (double)last / (double)first;
}

/* A header and a line for each GPU that a row goes to, and again for its part of the sum: what the busiest direction of a link
 * carries without multicast and reduction. */
static uint64_t unicast_cycles(const struct plane_layer *layer)
{
    const uint64_t lines = (layer->plan.dispatches ? layer->rows.layer.lines : 0) + layer->plan.combine_lines;
    return dispatch_rows_pairs(&layer->rows) * (1 + MOEHUB_LINE_UNITS) * lines;
}

/* On average. */
static double fan_out(const struct dispatch_rows *rows)
{
    uint64_t count = 0;
    for (unsigned source = 0; source < rows->layer.ports; source++)
        count += rows->counts[source];
    return (double)rows->copies / (double)(count * rows->layer.lines);
}

/* What was run, so that others can run the same. */
static json_t *layer_run(const struct plane_rate *rate)
{
    return json_pack("{s:s, s:I, s:I, s:s, s:s, s:b, s:I, s:I, s:I, s:I}", "phase", rate->phase, "experts",
                     (json_int_t)rate->experts, "topk", (json_int_t)rate->topk, "routing", rate->routing, "placement",
                     rate->placement, "turned", rate->turned != 0, "lines", (json_int_t)rate->lines, "combine_lines",
                     (json_int_t)rate->combine_lines, "rows_in_flight", (json_int_t)rate->rows_in_flight, "rows_in_turn",
                     (json_int_t)rate->rows_in_turn);
}

static json_t *plane_run_on(const struct plane_run *run, const struct plane_rate *rate)
{
    const struct moehub_switch_plane_config *config = &run->config;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "places_store", (json_int_t)config->places[MOEHUB_CLASS_STORE],
                     "places_request", (json_int_t)config->places[MOEHUB_CLASS_REQUEST], "places_response",
                     (json_int_t)config->places[MOEHUB_CLASS_RESPONSE], "groups", (json_int_t)config->groups, "request_lines",
                     (json_int_t)config->request_lines, "loop", (json_int_t)rate->loop);
}

/* `reference`: cycles of an ideal plane. */
static void report(struct plane_run *run, const struct plane_rate *rate, const struct plane_layer *layer, uint64_t start,
                   uint64_t cycles, uint64_t reference, const struct progress *progress)
{
    const struct busiest busiest = find_busiest(run);
    const double ideal = (double)busiest.flits, d = fan_out(&layer->rows);
    const double gain = (double)unicast_cycles(layer) / (double)cycles;
    const struct steady_use use = steady_use(progress, &busiest);
    const struct {
        const char *name, *key;
        double value;
    } figures[] = {
        {"fan-out", "fan_out", d},
        {"ideal cycles", "ideal_cycles", ideal},
        {"cycles", "cycles", (double)cycles},
        {"ratio", "ratio", ideal / (double)cycles},
        {"steady use", "steady_use", use.busiest},
        {"steady use of all links", "steady_use_all", use.all},
        {"ratio of an ideal plane", "ideal_plane_ratio", ideal / (double)reference},
        {"payload of the busiest direction", "payload", (double)busiest.payload / ideal},
        {"slowest of fastest source", "slowest_of_fastest", slowest_of_fastest(layer, start)},
        {"times as fast as unicast", "unicast_gain", gain},
        {"of 2d / (1 + d)", "unicast_share", gain / (2 * d / (1 + d))},
        {"cycles per second", "cycles_per_second", (double)run->bench->cycle / summary_seconds(&run->bench->summary)},
    };
    char bottleneck[32];
    snprintf(bottleneck, sizeof bottleneck, "port %u, %s", busiest.port, busiest.out ? "out" : "in");
    json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:s, s:o, s:o}", "case", rate->name[0] != 0 ? rate->name : rate->phase,
                               "ports", (json_int_t)run->config.ports, "tokens", (json_int_t)rate->tokens, "seed",
                               (json_int_t)run->bench->options.seed, "bottleneck", bottleneck, "layer", layer_run(rate), "plane",
                               plane_run_on(run, rate));
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        summary_number(&run->bench->summary, figures[i].name, figures[i].value, "");
        json_object_set_new(object, figures[i].key, json_real(figures[i].value));
    }
    summary_json(&run->bench->summary, "rate", object);
}

static struct dispatch_layer layer_shape(struct plane_run *run, const struct plane_rate *rate)
{
    struct dispatch_layer shape = {
        .ports = run->config.ports, .local_expert_bits = run->config.local_expert_bits, .experts = (uint32_t)rate->experts,
        .topk = (uint32_t)rate->topk, .tokens = (uint32_t)rate->tokens, .lines = (uint32_t)rate->lines,
        .rows_in_turn = (uint32_t)rate->rows_in_turn, .seed = run->bench->options.seed,
        .placement = rate->placement[0] != 0 ? rate->placement : NULL, .turned = rate->turned != 0};
    struct moehub_message message;
    if (moehub_routing_parse(rate->routing, &shape.routing, &message) != 0)
        bench_fail(run->bench, BENCH_CONFIGURATION, "--routing %s: %s", rate->routing, message.text);
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

static struct layer_plan layer_plan(struct plane_run *run, const struct plane_rate *rate)
{
    const bool dispatches = strcmp(rate->phase, "combine") != 0, combines = strcmp(rate->phase, "dispatch") != 0;
    if (dispatches && combines && strcmp(rate->phase, "fused") != 0)
        bench_fail(run->bench, BENCH_CONFIGURATION, "--phase %s: there are dispatch, combine and fused", rate->phase);
    return (struct layer_plan){.dispatches = dispatches, .combine_lines = combines ? (uint32_t)rate->combine_lines : 0,
                               .request_lines = run->config.request_lines, .rows_in_flight = (uint32_t)rate->rows_in_flight};
}

static uint64_t reference_cycles(const struct plane_run *run, const struct plane_rate *rate, const struct plane_layer *layer)
{
    struct ideal_plane plane = {.loop = (uint32_t)rate->loop, .groups = run->config.groups, .bound = BOUND};
    memcpy(plane.places, run->config.places, sizeof plane.places);
    return ideal_plane_cycles(&plane, &layer->rows, &layer->plan);
}

int plane_rate_run(struct plane_run *run, const struct plane_rate *rate)
{
    const struct dispatch_layer shape = layer_shape(run, rate);
    const struct layer_plan plan = layer_plan(run, rate);
    struct progress progress = {.ports = run->config.ports};
    struct plane_layer layer;
    plane_layer_create(&layer, run, &shape, &plan);
    reset(run, (uint64_t)rate->loop);
    bench_run(run->bench, (uint64_t)rate->loop + SETTLED);
    const uint64_t start = run->bench->cycle;
    const uint64_t cycles = run_layer(run, &layer, &progress), reference = reference_cycles(run, rate, &layer);
    report(run, rate, &layer, start, cycles, reference, &progress);
    plane_run_settle(run);
    plane_layer_destroy(&layer);
    free(progress.flits);
    return bench_finish(run->bench);
}
