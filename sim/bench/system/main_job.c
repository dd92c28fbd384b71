/* SPDX-License-Identifier: Apache-2.0 */
/* The main job: one MoE layer's dispatch and combine through the hub of one GPU and the reduction buffer of its switch
 * port, every event compared with the C model.
 *
 *   dispatch   every packet with a target on the GPU: the hub allocates at first touch, finds the row again later
 *   combine    the hub looks its rows up for whoever asks, while the switch port sums the partials that the other GPUs
 *              send for the rows that the GPU owns
 *
 * With --reset-after both are cut off by rst first, in the middle of a layer, and must know nothing of it afterwards. Resets at
 * random cycles, and the bugs that they show, are the business of the blocks' own benches. */
#include "bench/hub/hub_path.h"
#include "bench/system/moe_combine.h"
#include "bench/system/moe_requests.h"
#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_port.h"
#include "moehub/element.h"
#include "moehub/integer.h"
#include "moehub/options.h"
#include "moehub/traffic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CONTEXT = 0, DEFAULT_TOKENS = 768, PROGRESS_CYCLES = 1 << 18 };

static const char *model = NULL, *routing = "uniform", *trace = NULL, *type = "fp8", *cut = NULL;
static int64_t gpus = 8, tokens = 0, hidden = 0, gpu = 0, inflight = 4, table_latency = 600, round_trip = 1750, skew = 500,
               reset_after = 0;

static const struct knob knobs[] = {
    {.name = "model", .help = "shape of a published model (default deepseek-v3; moehub traffic --model list)", .text = &model},
    {.name = "hidden", .help = "elements of a row, instead of the model's",
     .number = &hidden, .minimum = 1, .maximum = MOEHUB_LAYER_ROW_BYTES_MAX},
    {.name = "gpus", .help = "GPUs behind the switch (default 8)", .number = &gpus, .minimum = 2, .maximum = 64},
    {.name = "tokens", .help = "tokens on each GPU (default 768; of a trace: all)",
     .number = &tokens, .minimum = 1, .maximum = 1 << 20},
    {.name = "routing", .help = MOEHUB_ROUTING_NAMES " (default uniform)", .text = &routing},
    {.name = "trace", .help = "recorded router trace instead of --routing", .text = &trace},
    {.name = "cut", .help = "trace: block or roundrobin (default block)", .text = &cut},
    {.name = "type", .help = "elements of dispatched rows: " MOEHUB_ELEMENT_NAMES " (default fp8)", .text = &type},
    {.name = "gpu", .help = "the GPU whose hub and switch port are simulated (default 0)",
     .number = &gpu, .minimum = 0, .maximum = 63},
    {.name = "inflight", .help = "rows in flight per source (default 4)", .number = &inflight, .minimum = 1, .maximum = 65536},
    {.name = "table-latency", .help = "cycles of a table access (default 600)",
     .number = &table_latency, .minimum = 1, .maximum = 4000},
    {.name = "round-trip", .help = "cycles from a grant to the first partial (default 1750)",
     .number = &round_trip, .minimum = 1, .maximum = 1 << 20},
    {.name = "skew", .help = "most cycles beyond it (default 500)", .number = &skew, .minimum = 0, .maximum = 1 << 20},
    {.name = "reset-after", .help = "cycles of the layer, then rst, then the whole layer (default 0: no such reset)",
     .number = &reset_after, .minimum = 0, .maximum = 1 << 20},
    {.name = NULL},
};

static const struct options_defaults defaults = {
    .description = "A MoE layer through the hub's address path and the switch's reduction buffer, against the C model.",
    .own_end = "the main job runs its layer to the end; --tokens makes it shorter",
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
    char routing[4096]; /* of the options */
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

static _Noreturn void refuse(const char *text)
{
    fprintf(stderr, "main_job: %s\n", text);
    exit(BENCH_CONFIGURATION);
}

static void fill_options(struct job *job)
{
    struct moehub_options *options = &job->options;
    struct moehub_layer_options *layer = &options->layer;
    const int length = snprintf(job->routing, sizeof job->routing, "%s%s", trace != NULL ? "trace:" : "",
                                trace != NULL ? trace : routing);
    if ((size_t)length >= sizeof job->routing)
        refuse("--trace: the path is too long");
    moehub_options_init(options);
    options->model = model;
    options->routing = job->routing;
    options->cut_given = cut != NULL;
    const int element = moehub_element_parse(type);
    const int way = cut == NULL ? MOEHUB_CUT_BLOCK : moehub_options_parse_cut(cut);
    if (element < 0)
        refuse("--type: legal are " MOEHUB_ELEMENT_NAMES);
    if (way < 0)
        refuse("--cut: legal are block, roundrobin");
    layer->element = (unsigned)element;
    layer->cut = (enum moehub_cut)way;
    layer->gpus = (unsigned)gpus;
    layer->hidden = (unsigned)hidden;
    layer->tokens = tokens != 0 || trace != NULL ? (size_t)tokens : DEFAULT_TOKENS;
    layer->seed = job->hub.bench.options.seed & INT64_MAX;
}

static void demand(struct job *job, bool holds, const char *what, unsigned needed, unsigned built)
{
    if (!holds)
        bench_fail(&job->hub.bench, BENCH_CONFIGURATION, "this layer needs %s %u, this design was built with %u", what, needed,
                   built);
}

static void check_needs(struct job *job, const struct moehub_layer_needs *needs)
{
    const struct moehub_address_path_config *hub = &job->hub.config;
    const unsigned ports = job->port.config.ports;
    demand(job, needs->gpus <= hub->gpus, "GPUS", needs->gpus, hub->gpus);
    demand(job, needs->gpus <= ports, "SWITCH_PORTS", needs->gpus, ports);
    demand(job, needs->row_index_width <= hub->row_index_width, "ROW_INDEX_WIDTH", needs->row_index_width, hub->row_index_width);
    demand(job, needs->offset_width <= hub->offset_width, "OFFSET_WIDTH", needs->offset_width, hub->offset_width);
}

/* Targets on the simulated GPU, and rows of it that others answer for: without them there is nothing to compare. */
static void check_work(struct job *job)
{
    const struct moehub_layer *layer = &job->layer;
    const unsigned here = (unsigned)gpu, local = layer->placement.local_counts[here];
    uint64_t targets = 0, remotes = 0;
    demand(job, local <= job->hub.config.local_experts, "LOCAL_EXPERTS", local, job->hub.config.local_experts);
    for (uint32_t row = 0; row < layer->row_limit; row++) {
        unsigned count = 0;
        if (!moehub_layer_row_exists(layer, row))
            continue;
        moehub_targets_on(moehub_layer_targets(layer, row), layer->topk, here, &count);
        targets += count;
        remotes += moehub_layer_row_gpu(layer, row) == here ? layer->remote_counts[row] : 0;
    }
    if (targets == 0)
        bench_fail(&job->hub.bench, BENCH_CONFIGURATION, "no token of this layer goes to GPU %u, which has %u of the %u experts: "
                   "its hub would have nothing to do; choose another with --gpu", here, local, layer->experts);
    if (remotes == 0)
        bench_fail(&job->hub.bench, BENCH_CONFIGURATION,
                   "no token of GPU %u leaves it: its switch port would have nothing to sum; choose another with --gpu", here);
}

/* Whatever can be said before the rows are drawn is said before: that takes long for a large layer. */
static void create_layer(struct job *job)
{
    struct moehub_message message = {""};
    if (gpu >= gpus)
        bench_fail(&job->hub.bench, BENCH_CONFIGURATION, "--gpu %" PRId64 ": there are GPUs 0..%" PRId64, gpu, gpus - 1);
    fill_options(job);
    if (moehub_options_check(&job->options, &message) != 0)
        refuse(message.text);
    struct moehub_layer_needs needs = moehub_layer_options_needs(&job->options.layer);
    check_needs(job, &needs);
    if (moehub_layer_create(&job->layer, &job->options.layer, &message) != 0 ||
        moehub_traffic_measure(&job->layer, &job->traffic) != 0)
        refuse(message.text);
    needs = moehub_layer_needs(&job->layer);
    check_needs(job, &needs);
    check_work(job);
}

static void print_layer(const struct job *job)
{
    const struct moehub_layer *layer = &job->layer;
    printf("layer       %s: %u experts, top-%u, hidden %u; routing %s, seed %" PRIu64 "\n",
           job->options.model != NULL ? job->options.model : "trace", layer->experts, layer->topk, layer->hidden,
           trace != NULL ? trace : routing, job->hub.bench.options.seed);
    if (layer->warmup_rows > 0)
        printf("            %zu warm-up rows dropped from the trace\n", layer->warmup_rows);
    printf("GPUs        %u, %zu tokens in all; GPU %" PRId64 ": hub with %u local experts, and its switch port\n", layer->gpus,
           layer->tokens, gpu, layer->placement.local_counts[gpu]);
    printf("rows        dispatch %" PRIu32 " B (%s), combine %" PRIu32 " B (%s), %u B a packet, "
           "%" PRId64 " in flight per source\n\n",
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
    const uint64_t region_bytes = (uint64_t)layer->row_limit * moehub_layer_slot_bytes(layer);
    command(job, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, hub_flight_table(&job->hub.flight, CONTEXT),
            layer->row_limit | (uint64_t)moehub_layer_slot_bytes(layer) << 32);
    for (unsigned word = 0; 32 * word < job->hub.config.gpus; word++)
        command(job, MOEHUB_HUB_COMMAND_PEERS_SET, word, UINT32_MAX, 0);
    for (unsigned expert = 0; expert < layer->placement.local_counts[gpu]; expert++)
        command(job, MOEHUB_HUB_COMMAND_REGION_SET, expert, expert * region_bytes, layer->row_limit);
    clear_table(job);
    command(job, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, 0, 0, 0);
    command(job, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0);
}

/* Both blocks as after power-up, the layer's context open. */
static void start(struct job *job, unsigned cycles)
{
    const uint64_t seed = job->hub.bench.options.seed;
    moe_combine_create(&job->combine, &job->layer, (unsigned)gpu, (unsigned)inflight, job->port.config.payload_bytes,
                       job->port.config.entries, (unsigned)round_trip, (unsigned)skew, seed, &job->hub.bench.cycle);
    hub_path_reset(&job->hub, cycles, seed);
    hub_path_wait_initialised(&job->hub);
    reduction_port_wait_initialised(&job->port);
    open_context(job);
}

/* ---- a cycle ----------------------------------------------------------------------- */

static bool supply(void *context, struct moehub_hub_request *request)
{
    struct job *job = context;
    if (job->requests_left)
        job->requests_left = moehub_hub_requests_next(&job->requests, request);
    return job->requests_left;
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
    job->occupancy_peak = moehub_larger(job->occupancy_peak, occupancy);
    job->unanswered_peak = moehub_larger(job->unanswered_peak, job->hub.requests.answers.waiting);
    job->waiting_peak = moehub_larger(job->waiting_peak, pin_get(job->waiting_used));
}

static void progress(const struct job *job, const struct phase *phase)
{
    if (job->hub.bench.cycle % PROGRESS_CYCLES == 0 && isatty(STDERR_FILENO))
        fprintf(stderr, "\r%s: cycle %" PRIu64 ", %" PRIu64 " requests, %" PRIu64 " results, %.0f s ", phase->name,
                job->hub.bench.cycle, job->requests.count, job->combine.results, summary_seconds(&job->hub.bench.summary));
}

static void ask(struct job *job, unsigned stage)
{
    moe_requests_create(&job->requests, &job->layer, stage, (unsigned)gpu, CONTEXT, (unsigned)inflight,
                        job->port.config.payload_bytes, job->hub.config.ports);
    job->requests_left = true;
}

/* Dispatch and combine at once, cut off by a reset of one cycle. */
static void cut_off(struct job *job)
{
    ask(job, MOEHUB_STAGE_DISPATCH);
    job->combine.started = true;
    bench_run(&job->hub.bench, (uint64_t)reset_after);
    if (job->hub.requests.answers.waiting == 0 || pin_get(job->port.occupancy) == 0)
        bench_fail(&job->hub.bench, BENCH_CONFIGURATION,
                   "--reset-after %" PRId64 ": hub or switch port has nothing to lose then; other cycles, or more --tokens",
                   reset_after);
    job->requests_left = false;
    moehub_hub_requests_destroy(&job->requests);
    moe_combine_destroy(&job->combine);
    reduction_port_reset(&job->port, 0); /* the bench's side alone; rst comes with the hub's */
    start(job, 1);
}

/* Runs until the hub has answered everything and, in combine, every result is taken. */
static struct phase run_phase(struct job *job, const char *name, unsigned stage)
{
    struct phase phase = {.name = name, .start = job->hub.bench.cycle};
    const uint64_t lookups = job->hub.model.counters[MOEHUB_HUB_EVENT_LOOKUPS];
    const uint64_t partial_flits = job->port.partial_flits, result_flits = job->port.result_flits;
    ask(job, stage);
    job->combine.started = stage == MOEHUB_STAGE_COMBINE;
    uint64_t hub_done = 0;
    while (!hub_path_quiet(&job->hub) || job->requests_left ||
           (job->combine.started && !moe_combine_is_done(&job->combine))) {
        hub_path_step(&job->hub);
        progress(job, &phase);
        if (hub_done == 0 && !job->requests_left && job->hub.requests.answers.waiting == 0)
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
    summary_number(summary, "AL-TLB hit rate",
                   100 * ratio(counters[MOEHUB_HUB_EVENT_HITS], counters[MOEHUB_HUB_EVENT_LOOKUPS]), "%");
    summary_number(summary, "lookups per cycle, dispatch", ratio(dispatch->lookups, dispatch->cycles), "");
    summary_number(summary, "lookups per cycle, combine", ratio(combine->lookups, combine->cycles), "");
    summary_number(summary, "answer latency p50", (double)histogram_percentile(job->hub.requests.answers.latency, 50), "cycles");
    summary_number(summary, "answer latency p99", (double)histogram_percentile(job->hub.requests.answers.latency, 99), "cycles");
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
    bench->watchdog.limit += (uint64_t)(round_trip + skew); /* partials on their way are no deadlock */

    job.port.stimulus = moe_combine_stimulus(&job.combine);
    job.hub.requests.supply = supply;
    job.hub.drive_more = drive_switch;
    job.hub.sample_more = sample_switch;
    job.hub.requests.supply_user = job.hub.more_user = &job;
    job.waiting_used = bench_pin(bench, "waiting_used");
    start(&job, 4);
    if (reset_after > 0)
        cut_off(&job);
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
