/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/address_path_run.h"
#include "bench/system/moe_requests.h"
#include "moehub/presets.h"

#include <inttypes.h>

enum { INFLIGHT = 4, PAYLOAD = 128, TOKENS = 16, TRACE_TOKENS = 48 };

/* The largest number of GPUs up to 8 that the parameters can take. */
static bool make_layer(struct address_path_run *run, const char *model, const char *trace, struct moehub_layer *layer)
{
    const struct moehub_address_path_config *config = &run->path.config;
    const struct moehub_preset *preset = model == NULL ? NULL : moehub_preset_find(model);
    struct moehub_layer_options options = {
        .gpus = config->gpus < 8 ? config->gpus : 8, .tokens = trace == NULL ? TOKENS : TRACE_TOKENS, .hidden = 1024,
        .element = MOEHUB_ELEMENT_BF16, .seed = run->path.bench.options.seed,
    };
    if (preset != NULL) {
        options.experts = preset->experts;
        options.topk = preset->topk;
        options.hidden = preset->hidden;
    }
    if (trace != NULL)
        options.routing = (struct moehub_routing){.kind = MOEHUB_ROUTING_TRACE, .trace = trace};
    struct moehub_message message;
    if (moehub_layer_create(layer, &options, &message) != 0)
        bench_fail(&run->path.bench, BENCH_CONFIGURATION, "%s", message.text);
    const unsigned locals = (layer->experts + layer->gpus - 1) / layer->gpus;
    if (locals <= config->local_experts && layer->row_limit <= UINT64_C(1) << config->row_index_width &&
        layer->dispatch_row_bytes <= 1u << config->offset_width && layer->row_limit < 1u << config->slot_width)
        return true;
    printf("  %s skipped: the layer does not fit these parameters\n", trace == NULL ? model : trace);
    moehub_layer_destroy(layer);
    return false;
}

/* The packets of one stage, and whether there are more. */
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

static uint64_t run_stage(struct address_path_run *run, const struct moehub_layer *layer, unsigned stage, unsigned context)
{
    struct stage now = {.over = false};
    moe_requests_create(&now.requests, layer, stage, layer->gpus - 1, context, INFLIGHT, PAYLOAD, run->path.config.ports);
    run->path.requests.supply = supply_stage;
    run->path.requests.supply_user = &now;
    while (!now.over)
        hub_path_step(&run->path);
    run->path.requests.supply = NULL;
    hub_path_settle(&run->path);
    const uint64_t count = now.requests.count;
    moehub_hub_requests_destroy(&now.requests);
    return count;
}

void address_path_layer(struct address_path_run *run, const char *model, const char *trace)
{
    struct moehub_layer layer;
    if (!make_layer(run, model, trace, &layer))
        return;
    const unsigned context = run->path.config.contexts - 1;
    struct axi_memory_options *memory = axi_memory_options(run->path.memory);
    const bool few = run->path.config.pending < 8; /* they cannot hide a long latency: the run would take hours */
    memory->latency_minimum = few ? 1 : 300;
    memory->latency_maximum = few ? 40 : 900;
    run->path.errors = (struct hub_table_errors){0};
    hub_path_stalls(&run->path, STALL_NONE, STALL_NONE, STALL_NONE);
    const struct hub_layout layout = {
        .table_base = hub_flight_table(&run->path.flight, context),
        .row_limit = layer.row_limit,
        .row_size = layer.dispatch_row_bytes,
        .capacity = layer.row_limit,
        .combine_row_size = run->path.config.stages == 2 ? layer.combine_row_bytes : 0,
    };
    hub_software_open(&run->software, context, &layout);
    hub_path_stalls(&run->path, STALL_LIGHT, STALL_MIXED, STALL_LIGHT);
    const uint64_t dispatch = run_stage(run, &layer, MOEHUB_STAGE_DISPATCH, context);
    const uint64_t combine = run_stage(run, &layer, MOEHUB_STAGE_COMBINE, context);
    printf("  %s: %" PRIu64 " dispatch and %" PRIu64 " combine requests of GPU %u of %u\n", trace == NULL ? model : trace,
           dispatch, combine, layer.gpus - 1, layer.gpus);
    moehub_layer_destroy(&layer);
}
