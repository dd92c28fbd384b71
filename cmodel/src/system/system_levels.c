/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_levels.h"

#include "moehub/defines.h"
#include "moehub/header_check.h"
#include "moehub/system_flow.h"

#include <math.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

enum { LINE_BYTES = MOEHUB_LINE_BYTES, LINE_FLITS = MOEHUB_LINE_UNITS, SEED = 1 };

/* 455 rows a link: 8192 tokens on 18 links. */
static const struct moehub_system_level_case cases[] = {
    {"slice", 32, 256, 8, 455, "normal:0.256", 56, 56, 1},
    {"8 GPUs", 8, 256, 8, 455, "normal:0.256", 56, 56, 1},
    {"16 GPUs", 16, 256, 8, 455, "normal:0.256", 56, 56, 1},
    {"128 rows a link", 32, 256, 8, 128, "normal:0.256", 56, 56, 1},
    {"1024 rows a link", 8, 256, 8, 1024, "normal:0.256", 56, 56, 1},
    {"top-16", 32, 256, 16, 256, "normal:0.256", 56, 56, 1},
    {"top-32", 32, 256, 32, 256, "normal:0.256", 56, 56, 1},
    {"balanced", 32, 256, 8, 256, "uniform", 56, 56, 1},
    {"hot receiver", 32, 256, 8, 256, "zipf:1", 56, 56, 1},
    {"fp8 out, bf16 back", 8, 256, 8, 256, "normal:0.256", 56, 112, 1},
    {"4 planes", 8, 256, 8, 512, "normal:0.256", 56, 56, 4},
    {"60 experts, top-4", 8, 64, 4, 256, "normal:0.256", 32, 32, 1},
    {"8 experts, top-2", 8, 8, 2, 256, "normal:0.256", 64, 64, 1},
};

const struct moehub_system_level_case *moehub_system_level_cases(size_t *count)
{
    *count = sizeof cases / sizeof cases[0];
    return cases;
}

static int create_layer(struct moehub_layer *layer, const struct moehub_system_level_case *one, struct moehub_message *message)
{
    struct moehub_layer_options options = {.gpus = one->gpus, .tokens = one->tokens, .experts = one->experts, .topk = one->topk,
                                           .hidden = LINE_BYTES * one->dispatch_lines, .element = MOEHUB_ELEMENT_BYTES,
                                           .seed = SEED};
    int error = moehub_routing_parse(one->routing, &options.routing, message);
    if (error == 0)
        error = moehub_layer_options_check(&options, message);
    return error != 0 ? error : moehub_layer_create(layer, &options, message);
}

/* From the last flit that a source can send to the end of what it asks for: there is nothing to overlap it with. */
static double latency(const struct moehub_system_constants *constants, enum moehub_system_pattern pattern)
{
    if (pattern == MOEHUB_SYSTEM_DISPATCH_ALONE)
        return VALUE(plane_loop) / 2 + VALUE(plane_copy_latency);
    return 3 * VALUE(plane_loop) / 2 + VALUE(plane_request_latency) + VALUE(plane_answer_latency) + VALUE(plane_sum_latency);
}

/* The packets of the RTL (rtl/doc/packet.md), and a link of a flit a cycle for each plane. */
static void set_framing(struct moehub_system_constants *constants, const struct moehub_system_level_case *one)
{
    const struct { enum moehub_system_constant constant; double value; } values[] = {
        {MOEHUB_SYSTEM_gpus, one->gpus},
        {MOEHUB_SYSTEM_flit_bytes, MOEHUB_FLIT_BYTES},
        {MOEHUB_SYSTEM_packet_bytes, LINE_BYTES},
        {MOEHUB_SYSTEM_packet_flits, 1 + LINE_FLITS},
        {MOEHUB_SYSTEM_list_flits, 1},
        {MOEHUB_SYSTEM_copy_list_flits, 0},
        {MOEHUB_SYSTEM_request_flits, 1},
        {MOEHUB_SYSTEM_request_packets, moehub_system_value(constants, MOEHUB_SYSTEM_plane_request_lines)},
        {MOEHUB_SYSTEM_combine_element_bytes, (double)one->combine_lines / one->dispatch_lines},
        {MOEHUB_SYSTEM_link_rate, (double)MOEHUB_FLIT_BYTES * one->planes},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        constants->entries[values[i].constant].value = values[i].value;
}

/* The layer's links as a plan: everything may move from the start. */
static void plan_links(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                       const struct moehub_system_level_case *one, enum moehub_system_pattern pattern,
                       const struct moehub_layer *layer)
{
    struct moehub_system_constants own = *constants;
    struct moehub_system_load load;
    set_framing(&own, one);
    moehub_system_load_from_layer(&load, layer);
    const struct moehub_system_work work = {.name = one->name, .experts = one->experts, .topk = one->topk, .tokens = one->tokens,
                                            .hidden = LINE_BYTES * one->dispatch_lines, .intermediate = 1,
                                            .dispatch_element_bytes = 1, .gemm_element_bytes = 1};
    const struct moehub_system_plan_options options = {.classes = one->gpus, .group = 1, .load = &load};
    moehub_system_plan_make(plan, &own, &work, MOEHUB_SYSTEM_SCHEME_DYSHARP, &options);
    plan->start = 0;
    plan->end = latency(constants, pattern);
    for (unsigned i = 0; i < plan->load.count; i++) {
        plan->dispatch_rows[i] *= pattern != MOEHUB_SYSTEM_COMBINE_ALONE;
        plan->combine_rows[i] *= pattern != MOEHUB_SYSTEM_DISPATCH_ALONE;
    }
}

static int run_flows(const struct moehub_system_constants *constants, const struct moehub_system_level_case *one,
                     enum moehub_system_pattern pattern, const struct moehub_layer *layer, double *cycles,
                     struct moehub_message *message)
{
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result;
    plan_links(&plan, constants, one, pattern, layer);
    int error = moehub_system_flow_run(&plan, NULL, &result);
    if (error == 0)
        error = moehub_system_flow_check(&plan, &result, message);
    *cycles = result.seconds;
    return error;
}

int moehub_system_level_run(const struct moehub_system_constants *constants, const struct moehub_system_level_case *one,
                            enum moehub_system_pattern pattern, struct moehub_system_level_result *result,
                            struct moehub_message *message)
{
    static const enum moehub_system_packet_phase phases[MOEHUB_SYSTEM_PATTERNS] = {
        MOEHUB_SYSTEM_PACKET_DISPATCH, MOEHUB_SYSTEM_PACKET_COMBINE, MOEHUB_SYSTEM_PACKET_FUSED};
    const struct moehub_system_packet_options options = {.phase = phases[pattern],
                                                           .dispatch_lines = one->dispatch_lines,
                                                           .combine_lines = one->combine_lines,
                                                           .planes = one->planes};
    struct moehub_system_packet_result packets;
    struct moehub_layer layer;
    int error = create_layer(&layer, one, message);
    if (error != 0)
        return error;
    error = moehub_system_packet_run(constants, &layer, &options, &packets, message);
    if (error == 0) {
        result->ideal_cycles = packets.ideal_cycles;
        result->packet_cycles = packets.cycles;
        result->share = (double)packets.ideal_cycles / ((double)packets.cycles - latency(constants, pattern));
        error = run_flows(constants, one, pattern, &layer, &result->flow_cycles, message);
    }
    moehub_layer_destroy(&layer);
    return error;
}

int moehub_system_level_check(const struct moehub_system_constants *constants, enum moehub_system_pattern pattern,
                              const struct moehub_system_level_result *slice, struct moehub_message *message)
{
    const double rounding = 0.0005;
    const enum moehub_system_constant constant = moehub_system_hardware_constant(pattern);
    const double value = moehub_system_value(constants, constant);
    if (fabs(slice->share - value) <= rounding)
        return 0;
    moehub_message_set(message, NULL, 0, "%s is %g, the packet level's slice has %.3f: write that into the set's file",
                       moehub_system_facts(constant)->name, value, slice->share);
    return MOEHUB_E_STATE;
}
