/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_levels.h"

#include "moehub/defines.h"
#include "moehub/header_check.h"
#include "moehub/system_flow.h"
#include "moehub/system_slice.h"

#include <math.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

enum { LINE_BYTES = MOEHUB_LINE_BYTES, LINE_FLITS = MOEHUB_LINE_UNITS };

/* 455 rows a link: 8192 tokens on 18 links. Of few GPUs, where the order of the rows moves a draw most, draws cost little.
 * The last ten came after the method, to see whether it holds where nobody had looked. */
static const struct moehub_system_level_case cases[] = {
    {"slice", 32, 256, 8, 455, "normal:0.256", 56, 56, 1, 2},
    {"8 GPUs", 8, 256, 8, 455, "normal:0.256", 56, 56, 1, 4},
    {"16 GPUs", 16, 256, 8, 455, "normal:0.256", 56, 56, 1, 4},
    {"128 rows a link", 32, 256, 8, 128, "normal:0.256", 56, 56, 1, 2},
    {"1024 rows a link", 8, 256, 8, 1024, "normal:0.256", 56, 56, 1, 4},
    {"top-16", 32, 256, 16, 256, "normal:0.256", 56, 56, 1, 2},
    {"top-32", 32, 256, 32, 256, "normal:0.256", 56, 56, 1, 2},
    {"balanced", 32, 256, 8, 256, "uniform", 56, 56, 1, 2},
    {"hot receiver", 32, 256, 8, 256, "zipf:1", 56, 56, 1, 2},
    {"fp8 out, bf16 back", 8, 256, 8, 256, "normal:0.256", 56, 112, 1, 4},
    {"4 planes", 8, 256, 8, 512, "normal:0.256", 56, 56, 4, 4},
    {"60 experts, top-4", 8, 64, 4, 256, "normal:0.256", 32, 32, 1, 8},
    {"8 experts, top-2", 8, 8, 2, 256, "normal:0.256", 64, 64, 1, 8},
    {"small-8, a link", 32, 64, 8, 114, "normal:0.256", 32, 32, 1, 2},
    {"medium-8, a link", 32, 128, 8, 228, "normal:0.256", 64, 64, 1, 2},
    {"large-8, a link", 32, 256, 8, 455, "normal:0.256", 112, 112, 1, 1},
    {"64 GPUs", 64, 256, 8, 128, "normal:0.256", 56, 56, 1, 1},
    {"9 planes", 8, 256, 8, 1024, "normal:0.256", 56, 56, 9, 4},
    {"16 experts, top-2", 8, 16, 2, 512, "normal:0.256", 64, 64, 1, 8},
    {"top-1", 8, 8, 1, 512, "normal:0.256", 64, 64, 1, 8},
    {"128 experts, skew", 16, 128, 4, 256, "zipf:0.5", 64, 64, 1, 4},
    {"4 GPUs, top-6", 4, 64, 6, 512, "normal:0.256", 28, 28, 1, 8},
    {"small-8, 18 planes", 32, 64, 8, 2048, "normal:0.256", 32, 32, 18, 1},
};

const struct moehub_system_level_case *moehub_system_level_cases(size_t *count)
{
    *count = sizeof cases / sizeof cases[0];
    return cases;
}

static int create_layer(struct moehub_layer *layer, const struct moehub_system_level_case *one, uint64_t seed,
                        struct moehub_message *message)
{
    struct moehub_layer_options options = {.gpus = one->gpus, .tokens = one->tokens, .experts = one->experts, .topk = one->topk,
                                           .hidden = LINE_BYTES * one->dispatch_lines, .element = MOEHUB_ELEMENT_BYTES,
                                           .seed = seed};
    int error = moehub_routing_parse(one->routing, &options.routing, message);
    if (error == 0)
        error = moehub_layer_options_check(&options, message);
    return error != 0 ? error : moehub_layer_create(layer, &options, message);
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
        {MOEHUB_SYSTEM_links, one->planes},
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        constants->entries[values[i].constant].value = values[i].value;
}

/* The layer's links as a plan: everything may move from the start. */
static int plan_links(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                      const struct moehub_system_level_case *one, enum moehub_system_pattern pattern,
                      const struct moehub_layer *layer, struct moehub_message *message)
{
    struct moehub_system_constants own = *constants;
    struct moehub_system_load load;
    set_framing(&own, one);
    moehub_system_load_from_layer(&load, layer);
    const struct moehub_system_work work = {.name = one->name, .experts = one->experts, .topk = one->topk, .tokens = one->tokens,
                                            .hidden = LINE_BYTES * one->dispatch_lines, .intermediate = 1,
                                            .dispatch_element_bytes = 1, .gemm_element_bytes = 1};
    const struct moehub_system_plan_options options = {.classes = one->gpus, .group = 1, .load = &load};
    const int error = moehub_system_plan_make(plan, &own, &work, MOEHUB_SYSTEM_SCHEME_DYSHARP, &options, message);
    plan->start = 0;
    plan->end = moehub_system_slice_latency(constants, pattern);
    for (unsigned i = 0; i < plan->load.count; i++) {
        plan->dispatch_rows[i] *= pattern != MOEHUB_SYSTEM_COMBINE_ALONE;
        plan->combine_rows[i] *= pattern != MOEHUB_SYSTEM_DISPATCH_ALONE;
    }
    return error;
}

static int run_flows(const struct moehub_system_constants *constants, const struct moehub_system_level_case *one,
                     enum moehub_system_pattern pattern, const struct moehub_layer *layer, double *cycles,
                     struct moehub_message *message)
{
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result = {0};
    int error = plan_links(&plan, constants, one, pattern, layer, message);
    if (error == 0)
        error = moehub_system_flow_run(&plan, NULL, &result);
    if (error == 0)
        error = moehub_system_flow_check(&plan, &result, message);
    *cycles = result.seconds;
    return error;
}

/* One draw, added to the sums. */
static int run_draw(const struct moehub_system_constants *constants, const struct moehub_system_level_case *one,
                    enum moehub_system_pattern pattern, uint64_t seed, struct moehub_system_level_result *result,
                    struct moehub_message *message)
{
    const struct moehub_system_packet_options options = {.phase = moehub_system_slice_phase(pattern),
                                                          .dispatch_lines = one->dispatch_lines,
                                                          .combine_lines = one->combine_lines, .planes = one->planes};
    struct moehub_system_packet_result packets;
    struct moehub_layer layer;
    double flows = 0;
    int error = create_layer(&layer, one, seed, message);
    if (error != 0)
        return error;
    error = moehub_system_packet_run(constants, &layer, &options, &packets, message);
    if (error == 0)
        error = run_flows(constants, one, pattern, &layer, &flows, message);
    moehub_layer_destroy(&layer);
    if (error != 0)
        return error;
    result->ideal_cycles += packets.ideal_cycles;
    result->packet_cycles += packets.cycles;
    result->flow_cycles += flows;
    result->worst = fmax(result->worst, fabs(flows / (double)packets.cycles - 1));
    return 0;
}

int moehub_system_level_run(const struct moehub_system_constants *constants, const struct moehub_system_level_case *one,
                            enum moehub_system_pattern pattern, struct moehub_system_level_result *result,
                            struct moehub_message *message)
{
    int error = 0;
    *result = (struct moehub_system_level_result){0};
    for (unsigned seed = 1; seed <= one->draws && error == 0; seed++)
        error = run_draw(constants, one, pattern, seed, result, message);
    const double latency = one->draws * moehub_system_slice_latency(constants, pattern);
    result->share = (double)result->ideal_cycles / ((double)result->packet_cycles - latency);
    return error;
}
