/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_figures.h"

#include "moehub/header_check.h"
#include "moehub/system_layer.h"

#include <math.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

enum { LARGE = 6, SEED = 1, LINE_BYTES = MOEHUB_LINE_BYTES };

/* Runs so far on one layer. */
struct runs {
    const struct moehub_layer *layer;
    unsigned links;      /* of a GPU */
    uint32_t lines[2];   /* of a row, dispatched and combined */
    struct moehub_message *message;
    int error;
};

static int create_layer(struct moehub_layer *layer, const struct moehub_system_constants *constants,
                        const struct moehub_system_work *work, unsigned tokens, struct moehub_message *message)
{
    const struct moehub_layer_options options = {
        .gpus = (unsigned)VALUE(gpus), .tokens = tokens, .experts = work->experts, .topk = work->topk,
        .hidden = work->hidden, .element = work->dispatch_element_bytes == 1 ? MOEHUB_ELEMENT_BYTES : MOEHUB_ELEMENT_BF16,
        .seed = SEED,
        .routing = {.kind = MOEHUB_ROUTING_NORMAL, .parameter = fmin(VALUE(load_variation), MOEHUB_ROUTING_NORMAL_MAX)}};
    const int error = moehub_layer_options_check(&options, message);
    return error != 0 ? error : moehub_layer_create(layer, &options, message);
}

static void set(struct moehub_system_constants *constants, enum moehub_system_constant constant, double value)
{
    const struct moehub_system_constant_facts *facts = moehub_system_facts(constant);
    constants->entries[constant].value = fmin(facts->highest, fmax(facts->lowest, value));
}

/* Links that share an AL-TLB, as many as a hub has here. */
static unsigned links_of_hub(const struct moehub_system_constants *constants)
{
    return (unsigned)fmin(MOEHUB_SYSTEM_PACKET_LINKS_MAX, fmin(VALUE(links), VALUE(tlb_links)));
}

/* Switch and hub as the set has them. Where more links share an AL-TLB, these have their part of it; sets are a power of two. */
static struct moehub_system_constants of_set(const struct moehub_system_constants *constants)
{
    struct moehub_system_constants own = *constants;
    const double lines = VALUE(hardware_packets) > 0 ? VALUE(plane_request_lines) : fmin(8, VALUE(request_packets));
    set(&own, MOEHUB_SYSTEM_plane_request_lines, lines);
    set(&own, MOEHUB_SYSTEM_plane_groups, floor(VALUE(reduction_entries) / lines));
    set(&own, MOEHUB_SYSTEM_hub_final_groups, floor(VALUE(reduction_entries) / lines));
    set(&own, MOEHUB_SYSTEM_hub_sets, exp2(round(log2(VALUE(hub_sets) * links_of_hub(constants) / VALUE(tlb_links)))));
    return own;
}

/* As many sets and ways as the model has. */
static struct moehub_system_constants with_endless_tlb(const struct moehub_system_constants *constants)
{
    struct moehub_system_constants own = *constants;
    set(&own, MOEHUB_SYSTEM_hub_sets, INFINITY);
    set(&own, MOEHUB_SYSTEM_hub_ways, INFINITY);
    return own;
}

/* Eight times the entries, and places for the partials that come for them. */
static struct moehub_system_constants with_large_buffer(const struct moehub_system_constants *constants)
{
    struct moehub_system_constants own = *constants;
    set(&own, MOEHUB_SYSTEM_plane_groups, 8 * VALUE(plane_groups));
    set(&own, MOEHUB_SYSTEM_plane_places_response, INFINITY);
    return own;
}

static struct moehub_system_packet_result run(struct runs *runs, const struct moehub_system_constants *constants,
                                              enum moehub_system_packet_phase phase, bool hubs)
{
    const struct moehub_system_packet_options options = {
        .phase = phase, .dispatch_lines = runs->lines[0], .combine_lines = runs->lines[1],
        .planes = runs->links, .hubs = hubs};
    struct moehub_system_packet_result result = {0};
    if (runs->error == 0)
        runs->error = moehub_system_packet_run(constants, runs->layer, &options, &result, runs->message);
    return result;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double share(const struct moehub_system_packet_result *result)
{
    return ratio((double)result->ideal_cycles, (double)result->cycles);
}

static double hits(const struct moehub_system_packet_result *result)
{
    return 1 - ratio((double)result->misses, (double)result->lookups);
}

static void judge_hubs(struct runs *runs, const struct moehub_system_constants *constants, struct moehub_system_figures *figures)
{
    const struct moehub_system_constants endless = with_endless_tlb(constants);
    const struct moehub_system_packet_result dispatch = run(runs, constants, MOEHUB_SYSTEM_PACKET_DISPATCH, true);
    const struct moehub_system_packet_result combine = run(runs, constants, MOEHUB_SYSTEM_PACKET_COMBINE, true);
    const struct moehub_system_packet_result without_end = run(runs, &endless, MOEHUB_SYSTEM_PACKET_COMBINE, true);
    figures->communication = ratio((double)(dispatch.ideal_cycles + combine.ideal_cycles),
                                   (double)(dispatch.cycles + combine.cycles));
    figures->dispatch = share(&dispatch);
    figures->combine = share(&combine);
    figures->combine_endless = share(&without_end);
    figures->hits = hits(&combine);
    figures->hits_endless = hits(&without_end);
    figures->hits_stores = hits(&dispatch);
}

static double compare_buffers(struct runs *runs, const struct moehub_system_constants *constants,
                              enum moehub_system_packet_phase phase)
{
    const struct moehub_system_constants large = with_large_buffer(constants);
    const struct moehub_system_packet_result with = run(runs, constants, phase, false);
    const struct moehub_system_packet_result more = run(runs, &large, phase, false);
    return ratio((double)more.cycles, (double)with.cycles);
}

static void judge_buffers(struct runs *runs, const struct moehub_system_constants *constants,
                          struct moehub_system_figures *figures)
{
    figures->buffer = compare_buffers(runs, constants, MOEHUB_SYSTEM_PACKET_COMBINE);
    figures->buffer_fused = compare_buffers(runs, constants, MOEHUB_SYSTEM_PACKET_FUSED);
}

/* Rows of each GPU on each link: 0, or an error and nothing to destroy. */
static int begin(struct runs *runs, struct moehub_layer *layer, const struct moehub_system_constants *constants, unsigned rows)
{
    size_t count;
    const struct moehub_system_work *work = &moehub_system_training(&count)[LARGE];
    runs->layer = layer;
    runs->lines[0] = work->hidden * work->dispatch_element_bytes / LINE_BYTES;
    runs->lines[1] = (uint32_t)ceil(work->hidden * VALUE(combine_element_bytes) / LINE_BYTES);
    return create_layer(layer, constants, work, runs->links * rows, runs->message);
}

int moehub_system_figures_run(const struct moehub_system_constants *constants, struct moehub_system_figures *figures,
                              struct moehub_message *message)
{
    const struct moehub_system_constants own = of_set(constants);
    struct runs hubs = {.links = links_of_hub(constants), .message = message}, links_alone = {.links = 1, .message = message};
    struct moehub_layer layer;
    *figures = (struct moehub_system_figures){0};
    int error = begin(&hubs, &layer, constants, MOEHUB_SYSTEM_FIGURE_HUB_ROWS);
    if (error != 0)
        return error;
    judge_hubs(&hubs, &own, figures);
    moehub_layer_destroy(&layer);
    error = hubs.error != 0 ? hubs.error : begin(&links_alone, &layer, constants, MOEHUB_SYSTEM_FIGURE_ROWS);
    if (error != 0)
        return error;
    judge_buffers(&links_alone, &own, figures);
    moehub_layer_destroy(&layer);
    return links_alone.error;
}
