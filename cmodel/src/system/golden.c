/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/golden.h"

#include "system/golden_run.h"
#include "system/golden_sum.h"

#include "moehub/error.h"
#include "moehub/integer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(MOEHUB_GOLDEN_TOPK_MAX <= GOLDEN_SUM_INPUTS_MAX, "a token's experts are summed in double precision");

struct moehub_golden_options moehub_golden_options_default(void)
{
    return (struct moehub_golden_options){
        .sets = 128,
        .ways = 4,
        .replacement = MOEHUB_REPLACEMENT_PLRU,
        .ports = 16,
        .entries = 107,
        .inflight = 16,
        .packet_bytes = 128,
    };
}

/* ---- verdicts --------------------------------------------------------------------- */

void golden_fail(struct golden *golden, const char *format, ...)
{
    if (golden->report->failures++ != 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(golden->report->failure, sizeof golden->report->failure, format, arguments);
    va_end(arguments);
}

bool golden_fault_due(struct golden *golden, enum moehub_golden_fault kind)
{
    if (golden->options->fault != kind || golden->fault_done || golden->lookups < golden->fault_at)
        return false;
    golden->fault_done = true;
    return true;
}

/* ---- what can be said before the run ---------------------------------------------- */

static int check_hub(const struct moehub_golden_options *options, struct moehub_message *message)
{
    struct moehub_address_path_config config = moehub_address_path_config_default();
    golden_hubs_configure(&config, options);
    if (moehub_address_path_config_check(&config) == 0)
        return 0;
    moehub_message_set(message, NULL, 0, "no AL-TLB has %u sets (a power of two, 1..%u) of %u ways (1..%u, a power of two "
                       "with pseudo-LRU) behind %u ports (1..64)", options->sets, MOEHUB_SETS_MAX, options->ways,
                       MOEHUB_WAYS_MAX, options->ports);
    return MOEHUB_E_ARGUMENT;
}

static int check_switch(const struct moehub_golden_options *options, struct moehub_message *message)
{
    const struct moehub_reduction_buffer_config config = golden_switch_config(2, options);
    if (moehub_reduction_buffer_config_check(&config) == 0)
        return 0;
    moehub_message_set(message, NULL, 0, "no reduction buffer has %u entries (1..4096) of %u-byte packets (a multiple of "
                       "%u, %u..%u)", options->entries, options->packet_bytes, MOEHUB_FLIT_BYTES, MOEHUB_FLIT_BYTES,
                       MOEHUB_REDUCTION_PAYLOAD_MAX);
    return MOEHUB_E_ARGUMENT;
}

/* `locals`: experts on the GPU that has most, 0 where that is not known yet. */
static int check(unsigned gpus, unsigned topk, unsigned locals, const struct moehub_golden_options *options,
                 struct moehub_message *message)
{
    if (options->payloads && topk > MOEHUB_GOLDEN_TOPK_MAX) {
        moehub_message_set(message, NULL, 0, "payloads are checked up to %u experts a token", MOEHUB_GOLDEN_TOPK_MAX);
        return MOEHUB_E_LIMIT;
    }
    if (locals > MOEHUB_LOCAL_EXPERTS_MAX) {
        moehub_message_set(message, NULL, 0, "a GPU has %u experts; its hub takes %u", locals, MOEHUB_LOCAL_EXPERTS_MAX);
        return MOEHUB_E_LIMIT;
    }
    if (gpus > MOEHUB_GOLDEN_SWITCH_GPUS_MAX && options->fault == MOEHUB_GOLDEN_FAULT_PORT) {
        moehub_message_set(message, NULL, 0, "%u GPUs run without the switch (it has at most %u ports): no partial can "
                           "come through a wrong port", gpus, MOEHUB_GOLDEN_SWITCH_GPUS_MAX);
        return MOEHUB_E_ARGUMENT;
    }
    if (!moehub_within(options->inflight, 1, 65536)) {
        moehub_message_set(message, NULL, 0, "%u rows in flight; legal are 1..65536", options->inflight);
        return MOEHUB_E_ARGUMENT;
    }
    const int error = check_hub(options, message);
    return error != 0 ? error : check_switch(options, message);
}

int moehub_golden_check(const struct moehub_layer_options *layer, const struct moehub_golden_options *options,
                        struct moehub_message *message)
{
    const unsigned locals = layer->placement == NULL ? (layer->experts + layer->gpus - 1) / layer->gpus : 0;
    return check(layer->gpus, layer->topk, locals, options, message);
}

/* ---- the stages ----------------------------------------------------------------------- */

static void dispatch_batch(struct golden *golden, size_t count)
{
    golden_look_up(golden, count, MOEHUB_STAGE_DISPATCH);
    for (size_t i = 0; i < count && golden->options->payloads; i++)
        golden_check_writes(golden, &golden->batch[i], golden->places + i * golden->layer->topk);
}

/* No switch takes the partials: each is checked where it would leave. */
static void check_partials(struct golden *golden, const struct golden_request *request)
{
    const struct moehub_packet *packet = request->packet;
    for (unsigned i = 0; i < packet->remote_count; i++) {
        union golden_payload sum;
        golden_partial(golden, request, packet->remotes[i], &sum);
        if (golden_fault_due(golden, MOEHUB_GOLDEN_FAULT_PARTIAL))
            memmove(sum.bytes, sum.bytes + sizeof(uint32_t), sizeof sum - sizeof(uint32_t));
        golden_check_partial(golden, request, packet->remotes[i], &sum);
    }
    golden_check_owner(golden, request, NULL);
}

static void combine_batch(struct golden *golden, size_t count)
{
    golden_look_up(golden, count, MOEHUB_STAGE_COMBINE);
    for (size_t i = 0; i < count; i++)
        golden->requests[i] = (struct golden_request){.packet = &golden->batch[i],
                                                      .places = golden->places + i * golden->layer->topk};
    if (golden->report->with_switch)
        golden_switch_combine(golden, count);
    else
        for (size_t i = 0; i < count && golden->options->payloads; i++)
            check_partials(golden, &golden->requests[i]);
}

static void run_stage(struct golden *golden, void (*run_batch)(struct golden *, size_t))
{
    size_t count;
    while ((count = moehub_packets_next(golden->packets, golden->batch, GOLDEN_BATCH)) > 0) {
        run_batch(golden, count);
        golden->done += count;
        if (golden->options->progress != NULL)
            golden->options->progress(golden->options->progress_user, golden->done, golden->total);
    }
}

static struct moehub_packets *open_stage(const struct golden *golden, unsigned stage)
{
    return moehub_packets_create(golden->layer, stage, golden->options->inflight, golden->options->packet_bytes);
}

static int run_stages(struct golden *golden)
{
    struct moehub_packets *dispatch = open_stage(golden, MOEHUB_STAGE_DISPATCH);
    struct moehub_packets *combine = open_stage(golden, MOEHUB_STAGE_COMBINE);
    if (dispatch != NULL && combine != NULL) {
        const uint64_t dispatched_packets = moehub_packets_total(dispatch);
        golden->total = dispatched_packets + moehub_packets_total(combine);
        golden->fault_at = dispatched_packets * golden->layer->topk / 2;
        golden->packets = dispatch;
        run_stage(golden, dispatch_batch);
        golden->packets = combine;
        run_stage(golden, combine_batch);
    }
    moehub_packets_destroy(dispatch);
    moehub_packets_destroy(combine);
    return dispatch != NULL && combine != NULL ? 0 : MOEHUB_E_MEMORY;
}

/* ---- the end -------------------------------------------------------------------------- */

static void finish_hub(struct golden *golden, unsigned gpu)
{
    struct moehub_golden_report *report = golden->report;
    const struct golden_hub *hub = &golden->hubs.list[gpu];
    for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++)
        report->hub[event] += hub->path.counters[event];
    report->checks += 2;
    if (!moehub_address_path_is_valid(&hub->path))
        golden_fail(golden, "GPU %u: the address path's invariants do not hold", gpu);
    if (!golden_hub_table_matches(&golden->hubs, hub))
        golden_fail(golden, "GPU %u: the table image differs from the slots handed out", gpu);
}

static void finish_port(struct golden *golden, unsigned gpu)
{
    struct moehub_golden_report *report = golden->report;
    const struct moehub_reduction_buffer *buffer = &golden->buffers[gpu];
    for (unsigned event = 0; event < MOEHUB_REDUCTION_ORDER_EVENTS; event++)
        report->reduction[event] += buffer->counters[event];
    report->checks++;
    if (!moehub_reduction_buffer_is_valid(buffer) || moehub_reduction_buffer_occupancy(buffer) != 0)
        golden_fail(golden, "port %u: the reduction buffer's invariants do not hold, or it is not empty", gpu);
}

/* Sums the counters and makes the checks that only the end allows. */
static void finish(struct golden *golden)
{
    struct moehub_golden_report *report = golden->report;
    for (unsigned gpu = 0; gpu < golden->layer->gpus; gpu++) {
        finish_hub(golden, gpu);
        if (report->with_switch)
            finish_port(golden, gpu);
    }
    report->packets += golden->lookups;
    uint64_t errors = 0;
    for (unsigned cause = 0; cause < MOEHUB_HUB_ORDER_CAUSES; cause++)
        errors += report->hub[MOEHUB_HUB_EVENT_CAUSES + cause];
    for (unsigned cause = 0; cause < MOEHUB_REDUCTION_ORDER_CAUSES; cause++)
        errors += report->reduction[MOEHUB_REDUCTION_EVENT_CAUSES + cause];
    report->checks += 3;
    if (errors != 0)
        golden_fail(golden, "%llu errors were counted", (unsigned long long)errors);
    if (report->hub[MOEHUB_HUB_EVENT_LOOKUPS] != golden->lookups || golden->lookups == 0)
        golden_fail(golden, "the hubs counted other lookups than they were asked for");
    if (report->hub[MOEHUB_HUB_EVENT_ALLOCATIONS] != (uint64_t)golden->layer->tokens * golden->layer->topk)
        golden_fail(golden, "allocations differ from the layer's assignments");
}

/* ---- the run -------------------------------------------------------------------------- */

static int allocate(struct golden *golden)
{
    const size_t lookups = (size_t)GOLDEN_BATCH * golden->layer->topk;
    const size_t bounds = golden->layer->gpus + 1u;
    golden->batch = calloc(GOLDEN_BATCH, sizeof *golden->batch);
    golden->requests = calloc(GOLDEN_BATCH, sizeof *golden->requests);
    golden->places = calloc(lookups, sizeof *golden->places);
    golden->sorted = calloc(lookups, sizeof *golden->sorted);
    golden->starts = calloc(bounds, sizeof *golden->starts);
    golden->next = calloc(bounds, sizeof *golden->next);
    return golden->batch && golden->requests && golden->places && golden->sorted && golden->starts && golden->next
               ? 0
               : MOEHUB_E_MEMORY;
}

static int create(struct golden *golden, struct moehub_message *message)
{
    const struct moehub_layer *layer = golden->layer;
    int error = check(layer->gpus, layer->topk, golden_hubs_most_experts(layer), golden->options, message);
    if (error == 0)
        error = golden_hubs_create(&golden->hubs, layer, golden->options, message);
    if (error == 0 && golden->report->with_switch)
        error = golden_switch_create(golden);
    if (error == 0)
        error = moehub_arithmetic_init(&golden->arithmetic, 3, 64);
    return error != 0 ? error : allocate(golden);
}

static void destroy(struct golden *golden)
{
    golden_switch_destroy(golden);
    golden_hubs_destroy(&golden->hubs);
    free(golden->batch);
    free(golden->requests);
    free(golden->places);
    free(golden->sorted);
    free(golden->starts);
    free(golden->next);
}

int moehub_golden_run(const struct moehub_layer *layer, const struct moehub_golden_options *options,
                      struct moehub_golden_report *report, struct moehub_message *message)
{
    struct golden golden = {.layer = layer, .options = options, .report = report};
    *report = (struct moehub_golden_report){.with_switch = moehub_golden_has_switch(layer->gpus)};
    moehub_message_set(message, NULL, 0, "%s", "");
    int error = create(&golden, message);
    if (error == 0)
        error = run_stages(&golden);
    if (error == 0 && options->fault != MOEHUB_GOLDEN_NO_FAULT && !golden.fault_done) {
        moehub_message_set(message, NULL, 0, "this run has no place for the deliberate error");
        error = MOEHUB_E_ARGUMENT;
    }
    if (error == 0)
        finish(&golden);
    destroy(&golden);
    return error;
}
