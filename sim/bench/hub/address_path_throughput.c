/* SPDX-License-Identifier: Apache-2.0 */
/* How many lookups a cycle the address path sustains on a real layer's dispatch, and how much payload waits meanwhile:
 * DeepSeek-V3, 32 GPUs, uniform routing, fp8 rows (56 packets of 128 B), requests as fast as they are accepted, every
 * table access taking 600 cycles. A line per number of rows in flight per source. Every answer is compared. */
#include "bench/hub/hub_path.h"
#include "bench/hub/hub_software.h"
#include "bench/system/moe_requests.h"
#include "moehub/event_names.h"
#include "moehub/presets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PAYLOAD = 128, WARM_UP = 20000 };

struct measurement {
    uint64_t cycles, answers;
    uint64_t waiting_peak;
    uint64_t events[MOEHUB_HUB_EVENTS];
};

static struct hub_path path;
static struct hub_software software;

static void make_layer(struct moehub_layer *layer, int64_t gpus, int64_t tokens)
{
    const struct moehub_preset *preset = moehub_preset_find("deepseek-v3");
    const struct moehub_layer_options options = {
        .gpus = (unsigned)gpus, .tokens = (size_t)tokens, .experts = preset->experts, .topk = preset->topk,
        .hidden = preset->hidden, .element = MOEHUB_ELEMENT_BYTES, .seed = path.bench.options.seed,
    };
    struct moehub_message message;
    if (moehub_layer_create(layer, &options, &message) != 0)
        bench_fail(&path.bench, BENCH_CONFIGURATION, "%s", message.text);
}

/* The dispatch packets, and whether there are more. */
struct stage {
    struct moehub_hub_requests requests;
    bool over;
};

static bool supply_stage(void *user, struct moehub_hub_request *request)
{
    struct stage *stage = user;
    stage->over = stage->over || !moehub_hub_requests_next(&stage->requests, request);
    return !stage->over;
}

/* From the end of the warm-up to the last accepted request; what is waited for at the end does not count. */
static struct measurement measure(const struct moehub_layer *layer, unsigned inflight)
{
    struct stage stage = {.over = false};
    struct measurement result = {0};
    moe_requests_create(&stage.requests, layer, MOEHUB_STAGE_DISPATCH, 0, 0, inflight, PAYLOAD, path.config.ports);
    path.requests.supply = supply_stage;
    path.requests.supply_user = &stage;
    bench_run(&path.bench, WARM_UP);
    const uint64_t cycle = path.bench.cycle, answers = path.requests.answer.stream.transfers;
    memcpy(result.events, path.status.counters, sizeof result.events);
    while (!stage.over || !source_free(&path.requests.request)) {
        hub_path_step(&path);
        if (path.requests.answers.waiting > result.waiting_peak)
            result.waiting_peak = path.requests.answers.waiting;
    }
    result.cycles = path.bench.cycle - cycle;
    result.answers = path.requests.answer.stream.transfers - answers;
    for (unsigned event = 0; event < MOEHUB_HUB_EVENTS; event++)
        result.events[event] = path.status.counters[event] - result.events[event];
    path.requests.supply = NULL;
    hub_path_settle(&path);
    moehub_hub_requests_destroy(&stage.requests);
    return result;
}

/* Software zeroes the table before its first use; hub_software_open does so only for what has been seen of a large one. */
static void clear_table(const struct moehub_layer *layer)
{
    const uint64_t base = hub_flight_table(&path.flight, 0);
    const uint64_t entries = (uint64_t)layer->placement.local_counts[0] * layer->row_limit;
    for (uint64_t entry = 0; entry < entries; entry++)
        table_image_store(&path.table, base + 4 * entry, 0);
}

static void open_context(const struct moehub_layer *layer)
{
    const struct hub_layout layout = {
        .table_base = hub_flight_table(&path.flight, 0),
        .row_limit = layer->row_limit,
        .row_size = layer->dispatch_row_bytes,
        .capacity = layer->row_limit,
    };
    hub_software_open(&software, 0, &layout);
}

/* A correct layer's packets are all good. */
static void expect_no_errors(void)
{
    for (unsigned event = MOEHUB_HUB_EVENT_CAUSES; event < MOEHUB_HUB_ORDER_EVENTS; event++)
        if (path.status.counters[event] != 0)
            bench_fail(&path.bench, BENCH_MISMATCH, "%" PRIu64 " times \"%s\" in a correct layer", path.status.counters[event],
                       moehub_hub_event_name(event));
}

static double share(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : (double)part / (double)whole;
}

static double print_line(unsigned inflight, const struct measurement *m)
{
    const double rate = share(m->answers, m->cycles);
    printf("  %8u  %13.4f  %8.4f  %7" PRIu64 " (%5.1f KB)  %10.4f  %10.4f  %10.4f\n", inflight, rate,
           share(m->events[MOEHUB_HUB_EVENT_HITS], m->events[MOEHUB_HUB_EVENT_LOOKUPS]), m->waiting_peak,
           (double)(m->waiting_peak * PAYLOAD) / 1024, share(m->events[MOEHUB_HUB_EVENT_WAITED_VICTIM], m->cycles),
           share(m->events[MOEHUB_HUB_EVENT_WAITED_PENDING], m->cycles),
           share(m->events[MOEHUB_HUB_EVENT_WAITED_WAITING], m->cycles));
    char name[64];
    snprintf(name, sizeof name, "lookups per cycle, in-flight %u", inflight);
    summary_number(&path.bench.summary, name, rate, "");
    return rate;
}

int main(int argc, char **argv)
{
    int64_t gpus = 32, tokens = 256, latency = 600, inflight = 0;
    const char *at_least = NULL;
    const struct knob knobs[] = {
        {.name = "gpus", .help = "GPUs of the layer (32)", .number = &gpus, .minimum = 2, .maximum = 64},
        {.name = "tokens", .help = "tokens per GPU (256)", .number = &tokens, .minimum = 64, .maximum = 16384},
        {.name = "latency", .help = "cycles of a table access (600)",
         .number = &latency, .minimum = 1, .maximum = AXI_MEMORY_LATENCY_MAX},
        {.name = "inflight", .help = "rows in flight per source (0: 1, 2, 4 .. 64)",
         .number = &inflight, .minimum = 0, .maximum = 64},
        {.name = "at-least", .help = "fail below this many lookups per cycle", .text = &at_least},
        {0},
    };
    const struct options_defaults defaults = {
        .description = "Throughput of the address path on a layer's dispatch.",
        .own_end = "the measurement runs its layer to the end; --tokens and --inflight make it shorter",
        .watchdog = 50000,
    };
    struct moehub_layer layer;
    hub_path_create(&path, argc, argv, &defaults, knobs, true);
    hub_software_create(&software, &path, NULL, "software");
    make_layer(&layer, gpus, tokens);
    axi_memory_options(path.memory)->latency_minimum = axi_memory_options(path.memory)->latency_maximum = (unsigned)latency;
    printf("%" PRId64 " GPUs, %" PRId64 " tokens each, %" PRId64 " cycles table latency, %u ports, %u sets x %u ways, "
           "%u pending, %u waiting\n",
           gpus, tokens, latency, path.config.ports, path.config.sets, path.config.ways, path.config.pending,
           path.config.waiting);
    printf("  inflight  lookups/cycle  hit rate  waiting, at most    victim/cyc pending/cyc waiting/cyc\n");
    hub_path_reset(&path, 4, 0);
    hub_path_wait_initialised(&path);
    clear_table(&layer);
    double lowest = 1;
    for (int64_t rows = inflight == 0 ? 1 : inflight; rows <= (inflight == 0 ? 64 : inflight); rows *= 2) {
        open_context(&layer);
        const struct measurement measurement = measure(&layer, (unsigned)rows);
        const double rate = print_line((unsigned)rows, &measurement);
        lowest = rate < lowest ? rate : lowest;
    }
    moehub_layer_destroy(&layer);
    expect_no_errors();
    if (at_least != NULL && lowest < strtod(at_least, NULL))
        bench_fail(&path.bench, BENCH_MISMATCH, "%.4f lookups per cycle, expected at least %s", lowest, at_least);
    return hub_path_finish(&path);
}
