/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_trace.h"

#include "bench/switch/crossbar_packets.h"
#include "bench/switch/layer_plan.h"
#include "bench/switch/switch_plane_scene.h"
#include "moehub/element.h"
#include "moehub/layer.h"
#include "moehub/trace.h"

enum { QUEUE_SHORT = 4 };

/* A trace's layer, and how many packets of its rows each GPU has sent, by class. */
struct trace_traffic {
    struct plane_run *run;
    const struct plane_trace *trace;
    struct moehub_layer layer;
    uint64_t sent[MOEHUB_CROSSBAR_PORTS_MAX][MOEHUB_CLASSES];
};

/* ---- the layer ------------------------------------------------------------------------------------------- */

static void create_layer(struct trace_traffic *traffic)
{
    const struct plane_trace *trace = traffic->trace;
    const struct moehub_layer_options options = {
        .gpus = traffic->run->config.ports, .tokens = (size_t)trace->tokens, .experts = (unsigned)trace->experts,
        .hidden = (unsigned)trace->lines * MOEHUB_LINE_BYTES, .element = MOEHUB_ELEMENT_BYTES,
        .routing = {.kind = MOEHUB_ROUTING_TRACE, .trace = trace->file}, .cut = MOEHUB_CUT_BLOCK,
        .trace_layer = MOEHUB_TRACE_ANY_LAYER};
    struct moehub_message message;
    int error = moehub_layer_options_check(&options, &message);
    if (error == 0)
        error = moehub_layer_create(&traffic->layer, &options, &message);
    if (error != 0)
        bench_fail(traffic->run->bench, BENCH_CONFIGURATION, "--trace: %s%s", message.text,
                   error == MOEHUB_E_ARGUMENT && trace->experts == 0 ? " (--trace-experts)" : "");
}

static void demand_room(struct trace_traffic *traffic)
{
    const struct moehub_switch_plane_config *config = &traffic->run->config;
    const struct moehub_layer *layer = &traffic->layer;
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        if (layer->placement.local_counts[gpu] > 1u << config->local_expert_bits)
            bench_fail(traffic->run->bench, BENCH_CONFIGURATION,
                       "--trace %s: %u experts on GPU %u, LOCAL_EXPERT_BITS has room for %u", traffic->trace->file,
                       (unsigned)layer->placement.local_counts[gpu], gpu, 1u << config->local_expert_bits);
    if (layer->topk > config->max_targets)
        bench_fail(traffic->run->bench, BENCH_CONFIGURATION, "--trace %s: top-%u, MAX_TARGETS is %u", traffic->trace->file,
                   layer->topk, (unsigned)config->max_targets);
}

/* The ids of a row, but those of its own GPU. */
static struct crossbar_targets row_targets(const struct trace_traffic *traffic, unsigned gpu, uint32_t row)
{
    const struct moehub_target *targets = moehub_layer_targets(&traffic->layer, row);
    struct crossbar_targets ids = {.count = 0};
    for (unsigned i = 0; i < traffic->layer.topk; i++)
        if (targets[i].gpu != gpu)
            ids.ids[ids.count++] = (uint16_t)(targets[i].gpu << traffic->run->config.local_expert_bits | targets[i].local);
    return ids;
}

/* ---- packets ------------------------------------------------------------------------------------------------ */

/* Packets of a row: a line each, or as many lines as a request may ask for. */
static uint64_t row_packets(const struct trace_traffic *traffic, unsigned packet_class)
{
    return packet_class == MOEHUB_CLASS_STORE
               ? (uint64_t)traffic->trace->lines
               : layer_row_requests((uint32_t)traffic->trace->combine_lines, traffic->run->config.request_lines);
}

/* Request `number` of a row: its part of the row's lines. */
static struct moehub_header request_header(const struct trace_traffic *traffic, unsigned gpu, uint32_t row, unsigned number,
                                           unsigned targets)
{
    const struct layer_part part =
        layer_row_part((uint32_t)traffic->trace->combine_lines, traffic->run->config.request_lines, number);
    const uint64_t name = row * row_packets(traffic, MOEHUB_CLASS_REQUEST) + number;
    return crossbar_sum_header(gpu, row, part.line, MOEHUB_LINE_UNITS * part.lines,
                               (uint32_t)(name * MOEHUB_REQUEST_LINES_MAX) & MOEHUB_TAG_MASK, targets);
}

static bool all_sent(const struct trace_traffic *traffic, unsigned gpu, unsigned packet_class)
{
    return traffic->sent[gpu][packet_class] == traffic->layer.gpu_tokens[gpu] * row_packets(traffic, packet_class);
}

/* The next packet of a GPU joins its queue. A row whose experts are all at home has none. */
static void send_next(struct trace_traffic *traffic, unsigned gpu, unsigned packet_class)
{
    uint64_t *sent = &traffic->sent[gpu][packet_class];
    const uint64_t packets = row_packets(traffic, packet_class);
    const uint32_t row = moehub_layer_row(&traffic->layer, gpu, (uint32_t)(*sent / packets));
    const unsigned number = (unsigned)(*sent % packets);
    const struct crossbar_targets targets = row_targets(traffic, gpu, row);
    if (targets.count == 0) {
        *sent += packets;
        return;
    }
    const struct moehub_header header = packet_class == MOEHUB_CLASS_STORE
                                            ? crossbar_line_header(gpu, row, number, targets.count)
                                            : request_header(traffic, gpu, row, number, targets.count);
    plane_scene_packet(traffic->run, gpu, packet_class, &header, &targets);
    ++*sent;
}

/* The queues of every GPU never run dry while it has packets. False: all are sent. */
static bool feed(struct trace_traffic *traffic)
{
    bool more = false;
    for (unsigned gpu = 0; gpu < traffic->layer.gpus; gpu++)
        for (unsigned i = MOEHUB_CLASS_STORE; i <= MOEHUB_CLASS_REQUEST; i++) {
            while (!all_sent(traffic, gpu, i) && traffic->run->gpus[gpu].uplink.queues[i].count < QUEUE_SHORT)
                send_next(traffic, gpu, i);
            more |= !all_sent(traffic, gpu, i);
        }
    return more;
}

/* ---- the run ------------------------------------------------------------------------------------------------- */

static void report(const struct trace_traffic *traffic, uint64_t cycles)
{
    struct summary *summary = &traffic->run->bench->summary;
    const uint64_t *kinds = traffic->run->check.kinds;
    summary_number(summary, "tokens", (double)traffic->layer.tokens, "");
    summary_number(summary, "experts", traffic->layer.experts, "");
    summary_number(summary, "store copies", (double)kinds[MOEHUB_PACKET_MULTIMEM_STORE], "");
    summary_number(summary, "request copies", (double)kinds[MOEHUB_PACKET_LD_REDUCE], "");
    summary_number(summary, "results", (double)traffic->run->check.statuses[MOEHUB_STATUS_OK], "");
    summary_number(summary, "cycles of the layer", (double)cycles, "");
}

int plane_trace_run(struct plane_run *run, const struct plane_trace *trace)
{
    struct trace_traffic traffic = {.run = run, .trace = trace};
    create_layer(&traffic);
    demand_room(&traffic);
    plane_scene_reset(run, SCENE_PLACES, 0);
    const uint64_t start = run->bench->cycle;
    while (feed(&traffic))
        plane_run_step(run);
    plane_run_settle(run);
    report(&traffic, run->check.left + 1 - start);
    moehub_layer_destroy(&traffic.layer);
    return bench_finish(run->bench);
}
