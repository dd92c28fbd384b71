/* SPDX-License-Identifier: Apache-2.0 */
/* The main job: one MoE layer's dispatch and combine through the hub of one GPU and the reduction buffer of its switch
 * port, every event compared with the C model.
 *
 *   dispatch   every packet with a target on the GPU: the hub allocates at first touch, finds the row again later
 *   combine    the hub looks its rows up for whoever asks, while the switch port sums the partials that the other GPUs
 *              send for the rows that the GPU owns */
#include "bench/hub/hub_path.h"
#include "bench/system/moe_combine.h"
#include "bench/system/moe_requests.h"
#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_port.h"
#include "moehub/element.h"
#include "moehub/options.h"
#include "moehub/traffic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONTEXT = 0, DEFAULT_TOKENS = 768, PROGRESS_CYCLES = 1 << 18 };

static const char *model = "", *routing = "uniform", *trace = "", *type = "fp8", *cut = "block";
static int64_t gpus = 8, tokens = 0, gpu = 0, inflight = 4, table_latency = 600, round_trip = 1750, skew = 500;

static const struct knob knobs[] = {
    {"model", "shape of a published model (default deepseek-v3; moehub traffic --model list)", NULL, 0, 0, &model},
    {"gpus", "GPUs behind the switch (default 8)", &gpus, 2, 64, NULL},
    {"tokens", "tokens on each GPU (default 768; of a trace: all)", &tokens, 1, 1 << 20, NULL},
    {"routing", "uniform, normal:STD, zipf:S, group (default uniform)", NULL, 0, 0, &routing},
    {"trace", "recorded router trace instead of --routing", NULL, 0, 0, &trace},
    {"cut", "trace: block or roundrobin (default block)", NULL, 0, 0, &cut},
    {"type", "elements of dispatched rows: bf16, fp16, fp32, fp8 (default fp8)", NULL, 0, 0, &type},
    {"gpu", "the GPU whose hub and switch port are simulated (default 0)", &gpu, 0, 63, NULL},
    {"inflight", "rows in flight per source (default 4)", &inflight, 1, 65536, NULL},
    {"table-latency", "cycles of a table access (default 600)", &table_latency, 1, 4000, NULL},
    {"round-trip", "cycles from a grant to the first partial (default 1750)", &round_trip, 1, 1 << 20, NULL},
    {"skew", "most cycles beyond it (default 500)", &skew, 0, 1 << 20, NULL},
    {NULL, NULL, NULL, 0, 0, NULL},
};

static const struct options_defaults defaults = {
    .description = "A MoE layer through the hub's address path and the switch's reduction buffer, against the C model.",
    .watchdog = 100000,
};

/* What one phase took. */
struct phase {
    const char *name;
    uint64_t start, cycles;
    uint64_t lookups, partial_flits, result_flits;
};

struct job {
    struct hub_path hub;
    struct reduction_port port;
    struct moehub_layer layer;
    struct moehub_options options;
    struct moehub_traffic traffic;
    struct moehub_hub_requests requests;
    struct moe_combine combine;
    bool requests_left;
    const struct pin *waiting_used;
    bool measuring;
    uint64_t unanswered_peak; /* requests accepted and not answered */
    uint64_t waiting_peak;    /* of them, those that wait behind a miss (the others are in the pipeline) */
    uint64_t occupancy_sum, occupancy_peak;
};

/* ---- the layer ------------------------------------------------------------------- */

/* The layer options know their own rules and messages: hand them over as a command line. */
static void parse_layer(struct job *job)
{
    char numbers[3][24];
    snprintf(numbers[0], sizeof numbers[0], "%" PRId64, gpus);
    snprintf(numbers[1], sizeof numbers[1], "%" PRId64, tokens != 0 ? tokens : DEFAULT_TOKENS);
    snprintf(numbers[2], sizeof numbers[2], "%" PRIu64, job->hub.bench.options.seed & INT64_MAX);
    char source[4096];
    snprintf(source, sizeof source, trace[0] != '\0' ? "trace:%s" : "%s", trace[0] != '\0' ? trace : routing);
    char *argv[20] = {"main_job", "--gpus", numbers[0], "--seed", numbers[2], "--type", (char *)(uintptr_t)type, "--routing",
                      source};
    int argc = 9;
    if (tokens != 0 || trace[0] == '\0') {
        argv[argc++] = "--tokens";
        argv[argc++] = numbers[1];
    }
    if (trace[0] != '\0') {
        argv[argc++] = "--cut";
        argv[argc++] = (char *)(uintptr_t)cut;
    }
    if (trace[0] == '\0' || model[0] != '\0') {
        argv[argc++] = "--model";
        argv[argc++] = model[0] != '\0' ? (char *)(uintptr_t)model : "deepseek-v3";
    }
    argp_err_exit_status = BENCH_CONFIGURATION;
    moehub_options_init(&job->options);
    argp_parse(&moehub_options_argp, argc, argv, 0, NULL, &job->options);
}

static void demand(struct job *job, bool holds, const char *what, unsigned needed, unsigned built)
{
    if (!holds)
        bench_fail(&job->hub.bench, BENCH_CONFIGURATION, "this layer needs %s %u, this design was built with %u", what, needed,
                   built);
}

static unsigned log2_ceiling(uint64_t value)
{
    unsigned bits = 0;
    while (UINT64_C(1) << bits < value)
        bits++;
    return bits;
}

static uint32_t row_size(const struct moehub_layer *layer)
{
    return layer->dispatch_row_bytes > layer->combine_row_bytes ? layer->dispatch_row_bytes : layer->combine_row_bytes;
}

static void check_fit(struct job *job)
{
    const struct moehub_layer *layer = &job->layer;
    const struct moehub_address_path_config *hub = &job->hub.config;
    if (gpu >= gpus)
        bench_fail(&job->hub.bench, BENCH_CONFIGURATION, "--gpu %" PRId64 ": there are GPUs 0..%" PRId64, gpu, gpus - 1);
    const unsigned local = layer->placement.local_counts[gpu];
    demand(job, local <= hub->local_experts, "LOCAL_EXPERTS", local, hub->local_experts);
    demand(job, (unsigned)gpus <= hub->gpus, "GPUS", (unsigned)gpus, hub->gpus);
    demand(job, (unsigned)gpus <= job->port.config.ports, "SWITCH_PORTS", (unsigned)gpus, job->port.config.ports);
    demand(job, log2_ceiling(layer->row_limit) <= hub->row_index_width, "ROW_INDEX_WIDTH", log2_ceiling(layer->row_limit),
           hub->row_index_width);
    demand(job, log2_ceiling(row_size(layer)) <= hub->offset_width, "OFFSET_WIDTH", log2_ceiling(row_size(layer)),
           hub->offset_width);
}

static void create_layer(struct job *job)
{
    struct moehub_message message = {""};
    parse_layer(job);
    if (moehub_layer_create(&job->layer, &job->options.layer, &message) != 0 ||
        moehub_traffic_measure(&job->layer, &job->traffic) != 0) {
        fprintf(stderr, "main_job: %s\n", message.text);
        exit(BENCH_CONFIGURATION);
    }
    check_fit(job);
}

static void print_layer(const struct job *job)
{
    const struct moehub_layer *layer = &job->layer;
    printf("layer       %s: %u experts, top-%u, hidden %u; routing %s, seed %" PRIu64 "\n",
           job->options.model != NULL ? job->options.model : "trace", layer->experts, layer->topk, layer->hidden,
           trace[0] != '\0' ? trace : routing, job->hub.bench.options.seed);
    if (layer->warmup_rows > 0)
        printf("            %zu warm-up rows dropped from the trace\n", layer->warmup_rows);
    printf("GPUs        %u, %zu tokens in all; GPU %" PRId64 ": hub with %u local experts, and its switch port\n", layer->gpus,
           layer->tokens, gpu, layer->placement.local_counts[gpu]);
    printf("rows        dispatch %" PRIu32 " B (%s), combine %" PRIu32 " B (%s), %u B a packet, %" PRId64 " in flight per source\n\n",
           layer->dispatch_row_bytes, moehub_element_name(layer->dispatch_element), layer->combine_row_bytes,
           moehub_element_name(layer->combine_element), job->port.config.payload_bytes, inflight);
    fflush(stdout);
}

/* ---- the hub's context: what the driver does before a layer ------------------------ */

static void command(struct job *job, unsigned operation, unsigned index, uint64_t data0, uint64_t data1)
{
    const struct moehub_hub_result result = hub_path_command(&job->hub, operation, CONTEXT, index, data0, data1);
    if (result.refused)
        bench_fail(&job->hub.bench, BENCH_MISMATCH, "command %u of the context's set-up was refused", operation);
}

static void clear_table(struct job *job)
{
    const uint64_t base = hub_flight_table(&job->hub.flight, CONTEXT);
    const uint64_t entries = (uint64_t)job->layer.placement.local_counts[gpu] * job->layer.row_limit;
    for (uint64_t entry = 0; entry < entries; entry++)
        table_image_store(&job->hub.table, base + 4 * entry, 0);
}

/* Regions one after the other, each large enough for every row of the layer: nobody has counted yet. */
static void open_context(struct job *job)
{
    const struct moehub_layer *layer = &job->layer;
    const uint64_t region_bytes = (uint64_t)layer->row_limit * row_size(layer);
    command(job, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, hub_flight_table(&job->hub.flight, CONTEXT),
            layer->row_limit | (uint64_t)row_size(layer) << 32);
    for (unsigned word = 0; 32 * word < job->hub.config.gpus; word++)
        command(job, MOEHUB_HUB_COMMAND_PEERS_SET, word, UINT32_MAX, 0);
    for (unsigned expert = 0; expert < layer->placement.local_counts[gpu]; expert++)
        command(job, MOEHUB_HUB_COMMAND_REGION_SET, expert, expert * region_bytes, layer->row_limit);
    clear_table(job);
    command(job, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, 0, 0, 0);
    command(job, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0);
}

/* ---- a cycle ----------------------------------------------------------------------- */

static bool supply(void *context, struct moehub_hub_request *request)
{
    struct job *job = context;
    if (job->requests_left)
        job->requests_left = moehub_hub_requests_next(&job->requests, request);
    return job->requests_left;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void drive_switch(void *context)
{
    struct job *job = context;
    reduction_port_drive(&job->port);
}

static void sample_switch(void *context)
{
    struct job *job = context;
    reduction_port_sample(&job->port);
    if (!job->measuring)
        return;
    const uint64_t occupancy = pin_get(job->port.occupancy);
    job->occupancy_sum += occupancy;
    job->occupancy_peak = larger(job->occupancy_peak, occupancy);
    job->unanswered_peak = larger(job->unanswered_peak, job->hub.answers.waiting);
    job->waiting_peak = larger(job->waiting_peak, pin_get(job->waiting_used));
}

static void progress(const struct job *job, const struct phase *phase)
{
    if (job->hub.bench.cycle % PROGRESS_CYCLES == 0 && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%s: cycle %" PRIu64 ", %" PRIu64 " requests, %" PRIu64 " results, %.0f s ", phase->name,
                job->hub.bench.cycle, job->requests.count, job->combine.results, summary_seconds(&job->hub.bench.summary));
}

/* Runs until the hub has answered everything and, in combine, every result is taken. */
static struct phase run_phase(struct job *job, const char *name, unsigned stage)
{
    struct phase phase = {.name = name, .start = job->hub.bench.cycle};
    const uint64_t lookups = job->hub.model.counters[MOEHUB_HUB_EVENT_LOOKUPS];
    const uint64_t partial_flits = job->port.partial_flits, result_flits = job->port.result_flits;
    moe_requests_create(&job->requests, &job->layer, stage, (unsigned)gpu, CONTEXT, (unsigned)inflight,
                        job->port.config.payload_bytes, job->hub.config.ports);
    job->requests_left = true;
    job->combine.started = stage == MOEHUB_STAGE_COMBINE;
    uint64_t hub_done = 0;
    while (!hub_path_quiet(&job->hub) || job->requests_left ||
           (job->combine.started && !moe_combine_is_done(&job->combine))) {
        hub_path_step(&job->hub);
        progress(job, &phase);
        if (hub_done == 0 && !job->requests_left && job->hub.answers.waiting == 0)
            hub_done = job->hub.bench.cycle;
    }
    phase.lookups = job->hub.model.counters[MOEHUB_HUB_EVENT_LOOKUPS] - lookups;
    phase.cycles = (hub_done != 0 ? hub_done : job->hub.bench.cycle) - phase.start;
    phase.partial_flits = job->port.partial_flits - partial_flits;
    phase.result_flits = job->port.result_flits - result_flits;
    moehub_hub_requests_destroy(&job->requests);
    return phase;
}

/* ---- the report ----------------------------------------------------------------------- */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : (double)part / (double)whole;
}

static uint64_t all_bytes(const struct moehub_link_bytes *bytes)
{
    return bytes->dispatch_up + bytes->dispatch_down + bytes->combine_up + bytes->combine_down;
}

static void report_hub(struct job *job, const struct phase *dispatch, const struct phase *combine)
{
    struct summary *summary = &job->hub.bench.summary;
    const uint64_t *counters = job->hub.model.counters;
    summary_number(summary, "AL-TLB hit rate", 100 * ratio(counters[MOEHUB_HUB_EVENT_HITS], counters[MOEHUB_HUB_EVENT_LOOKUPS]), "%");
    summary_number(summary, "lookups per cycle, dispatch", ratio(dispatch->lookups, dispatch->cycles), "");
    summary_number(summary, "lookups per cycle, combine", ratio(combine->lookups, combine->cycles), "");
    summary_number(summary, "answer latency p50", (double)histogram_percentile(job->hub.answers.latency, 50), "cycles");
    summary_number(summary, "answer latency p99", (double)histogram_percentile(job->hub.answers.latency, 99), "cycles");
    summary_number(summary, "payload behind misses, at most", (double)(job->waiting_peak * job->port.config.payload_bytes), "B");
    summary_number(summary, "payload unanswered, at most", (double)(job->unanswered_peak * job->port.config.payload_bytes), "B");
    summary_number(summary, "rows allocated", (double)counters[MOEHUB_HUB_EVENT_ALLOCATIONS], "");
    summary_number(summary, "evictions", (double)counters[MOEHUB_HUB_EVENT_EVICTIONS], "");
}

static void report_switch(struct job *job, const struct phase *combine, uint64_t combine_cycles)
{
    struct summary *summary = &job->hub.bench.summary;
    summary_number(summary, "partial flits per cycle", ratio(combine->partial_flits, combine_cycles), "");
    summary_number(summary, "result flits per cycle", ratio(combine->result_flits, combine_cycles), "");
    summary_number(summary, "reduction entries used, mean", ratio(job->occupancy_sum, combine_cycles), "");
    summary_number(summary, "reduction entries used, most", (double)job->occupancy_peak, "");
    summary_number(summary, "partials summed", (double)job->combine.partials, "");
    summary_number(summary, "results", (double)job->combine.results, "");
}

static void report_traffic(struct job *job)
{
    struct summary *summary = &job->hub.bench.summary;
    const struct moehub_traffic *traffic = &job->traffic;
    summary_number(summary, "remote GPUs of a token, mean", traffic->remote_fanout_mean, "");
    summary_number(summary, "link traffic, unicast", (double)all_bytes(&traffic->unicast) / 1e6, "MB");
    summary_number(summary, "link traffic, in the switch", (double)all_bytes(&traffic->in_switch) / 1e6, "MB");
    summary_number(summary, "link traffic, NVLS", (double)all_bytes(&traffic->nvls) / 1e6, "MB");
    summary_number(summary, "cut against unicast", 100 * traffic->traffic_cut, "%");
    summary_number(summary, "useless dispatch of NVLS", 100 * traffic->nvls_useless, "%");
}

int main(int argc, char **argv)
{
    static struct job job;
    hub_path_create(&job.hub, argc, argv, &defaults, knobs, true);
    struct bench *bench = &job.hub.bench;
    bench->pin_prefix = "switch_";
    struct moehub_reduction_buffer_config config = reduction_config_read(dut_description(), "SWITCH_");
    config.own_port = (uint32_t)gpu;
    reduction_port_create(&job.port, bench, &config, STALL_NONE, true);
    bench->pin_prefix = NULL;
    create_layer(&job);
    print_layer(&job);
    struct axi_memory_options *memory = axi_memory_options(job.hub.memory);
    memory->latency_minimum = memory->latency_maximum = (unsigned)table_latency;

    moe_combine_create(&job.combine, &job.layer, (unsigned)gpu, (unsigned)inflight, config.payload_bytes, config.entries,
                       (unsigned)round_trip, (unsigned)skew, bench->options.seed, &bench->cycle);
    job.port.stimulus = moe_combine_stimulus(&job.combine);
    job.hub.supply = supply;
    job.hub.drive_more = drive_switch;
    job.hub.sample_more = sample_switch;
    job.hub.supply_user = job.hub.more_user = &job;
    job.waiting_used = bench_pin(bench, "waiting_used");
    hub_path_reset(&job.hub, 4, bench->options.seed);
    hub_path_wait_initialised(&job.hub);
    reduction_port_wait_initialised(&job.port);
    open_context(&job);
    job.measuring = true;

    const struct phase dispatch = run_phase(&job, "dispatch", MOEHUB_STAGE_DISPATCH);
    hub_path_settle(&job.hub);
    job.occupancy_sum = 0;
    const struct phase combine = run_phase(&job, "combine", MOEHUB_STAGE_COMBINE);
    const uint64_t combine_cycles = bench->cycle - combine.start;
    reduction_port_settle(&job.port, 1 << 16);
    hub_path_settle(&job.hub);
    report_hub(&job, &dispatch, &combine);
    report_switch(&job, &combine, combine_cycles);
    report_traffic(&job);
    return bench_finish(bench);
}
