/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/golden.h"

#include "system/golden_hubs.h"
#include "system/golden_sum.h"
#include "moehub/element.h"
#include "moehub/finalize.h"
#include "moehub/ingress.h"
#include "moehub/packets.h"
#include "moehub/payload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 1024
#define PAYLOAD_MAX MOEHUB_REDUCTION_PAYLOAD_MAX

/* One packet's elements, of any type. */
union payload {
    uint8_t bytes[PAYLOAD_MAX];
    uint16_t halves[PAYLOAD_MAX / 2];
    uint32_t words[PAYLOAD_MAX / 4];
};

/* A combine request on its way. */
struct request {
    const struct moehub_packet *packet;
    struct moehub_reduction_grant grant;
    const struct golden_place *places;   /* [topk]: what the targets' read addresses name */
};

/* A lookup to be made: a target of a packet of the batch. */
struct lookup {
    uint16_t packet;
    uint16_t target;
};

struct golden {
    const struct moehub_layer *layer;
    const struct moehub_golden_options *options;
    struct moehub_golden_report *report;
    struct golden_hubs hubs;
    struct moehub_reduction_buffer *buffers;   /* [gpus]: of the port to each GPU */
    struct moehub_packets *packets;            /* of the present stage */
    struct moehub_packet *batch;               /* [BATCH] */
    struct request *requests;                  /* [BATCH] */
    struct golden_place *places;               /* [BATCH * topk]: what the answers' addresses name */
    struct lookup *sorted;                     /* [BATCH * topk]: the batch's lookups, by GPU */
    uint32_t starts[MOEHUB_GOLDEN_GPUS_MAX + 1];   /* where each GPU's begin in it */
    struct moehub_arithmetic arithmetic;
    uint64_t lookups;
    uint64_t fault_at;                         /* lookup to spoil */
    bool fault_done;
    uint64_t done;                             /* packets of the sources, both stages */
    uint64_t total;
};

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

static bool is_first_failure(const struct golden *golden)
{
    return golden->report->failures++ == 0;
}

/* Counts a failed check and keeps the first one's sentence (a printf format and its arguments). */
#define fail(golden, ...)                                                                            \
    do {                                                                                             \
        if (is_first_failure(golden))                                                                \
            snprintf((golden)->report->failure, sizeof(golden)->report->failure, __VA_ARGS__);       \
    } while (0)

/* Whether the deliberate error `kind` is due; it happens once. */
static bool fault_due(struct golden *golden, enum moehub_golden_fault kind)
{
    if (golden->options->fault != kind || golden->fault_done || golden->lookups < golden->fault_at)
        return false;
    golden->fault_done = true;
    return true;
}

/* ---- lookups ---------------------------------------------------------------------- */

/* Whether the answer is what the row's place in the region demands; `place` receives what its address names. */
static bool answer_is_right(const struct golden *golden, const struct golden_hub *hub,
                            const struct moehub_hub_request *request, const struct moehub_hub_answer *answer,
                            bool announces, struct golden_place *place)
{
    return answer->status == MOEHUB_STATUS_OK && answer->tag == request->tag && answer->port == request->port &&
           answer->allocated == announces && golden_hub_place(&golden->hubs, hub, answer->address, place) &&
           place->local == request->expert && place->row == request->row_index && place->offset == request->offset &&
           place->slot == answer->slot && (!announces || place->slot + 1 == hub->announced[place->local]);
}

/* Sends a packet to one target's hub; `place` receives what the answer's address names. */
static void look_up(struct golden *golden, const struct moehub_packet *packet, const struct moehub_target *target,
                    unsigned operation, struct golden_place *place)
{
    struct golden_hub *hub = &golden->hubs.list[target->gpu];
    const bool announces = packet->first && operation == MOEHUB_REQUEST_WRITE_TOUCH;
    const struct moehub_hub_request request = {
        .tag = golden->lookups & 0xFFFFFF,
        .row_index = packet->row,
        .expert = target->local,
        .offset = (uint16_t)packet->offset,
        .length = packet->length,
        .source = packet->gpu,
        .operation = (uint8_t)operation,
        .port = (uint8_t)moehub_ingress_port(0, packet->row, golden->options->ports),
        .first = packet->first,
    };
    struct moehub_hub_answer answer;
    moehub_address_path_request(&hub->path, &request, &answer);
    if (announces)
        golden_hub_announce(hub, target->local, packet->row);
    if (fault_due(golden, MOEHUB_GOLDEN_FAULT_ADDRESS))
        answer.address += golden->hubs.row_size;
    golden->lookups++;
    golden->report->checks++;
    if (answer_is_right(golden, hub, &request, &answer, announces, place))
        return;
    fail(golden, "GPU %u, expert %u, row %u, offset %u: status %u, slot %u, address 0x%llx do not belong there",
         target->gpu, target->expert, packet->row, packet->offset, answer.status, answer.slot,
         (unsigned long long)answer.address);
    *place = (struct golden_place){0, 0, 0, 0};
}

/* Sorts the batch's lookups by GPU, each GPU's in the order of the packets. */
static void sort_lookups(struct golden *golden, size_t count)
{
    const unsigned topk = golden->layer->topk;
    uint32_t next[MOEHUB_GOLDEN_GPUS_MAX + 1] = {0};
    for (size_t packet = 0; packet < count; packet++)
        for (unsigned target = 0; target < topk; target++)
            next[golden->batch[packet].targets[target].gpu + 1]++;
    for (unsigned gpu = 0; gpu < golden->layer->gpus; gpu++)
        next[gpu + 1] += next[gpu];
    memcpy(golden->starts, next, sizeof next);
    for (size_t packet = 0; packet < count; packet++)
        for (unsigned target = 0; target < topk; target++)
            golden->sorted[next[golden->batch[packet].targets[target].gpu]++] =
                (struct lookup){(uint16_t)packet, (uint16_t)target};
}

/* All lookups of a batch, hub after hub: a hub's state stays in the host's cache, and hubs do not see each other. */
static void look_up_batch(struct golden *golden, size_t count, unsigned operation)
{
    sort_lookups(golden, count);
    for (unsigned gpu = 0; gpu < golden->layer->gpus; gpu++)
        for (uint32_t i = golden->starts[gpu]; i < golden->starts[gpu + 1]; i++) {
            const struct lookup lookup = golden->sorted[i];
            const struct moehub_packet *packet = &golden->batch[lookup.packet];
            look_up(golden, packet, &packet->targets[lookup.target], operation,
                    &golden->places[(size_t)lookup.packet * golden->layer->topk + lookup.target]);
        }
}

/* ---- dispatch ---------------------------------------------------------------------- */

/* Elements of a dispatched row, by the place that they lie at. */
static void dispatched(const struct moehub_layer *layer, uint32_t row, uint32_t offset, unsigned length,
                       union payload *out)
{
    const unsigned size = moehub_element_size(layer->dispatch_element);
    moehub_payload_fill(layer->dispatch_element, moehub_payload_key(row, MOEHUB_PAYLOAD_DISPATCH), offset / size,
                        length / size, out);
}

/* The packet's payload was written to `place`: it must be what belongs there. */
static void check_write(struct golden *golden, const struct moehub_packet *packet, const struct golden_place *place,
                        const union payload *sent)
{
    union payload written = *sent;
    union payload expected;
    if (fault_due(golden, MOEHUB_GOLDEN_FAULT_PAYLOAD))
        written.bytes[packet->length / 2] ^= 1;
    dispatched(golden->layer, place->row, place->offset, packet->length, &expected);
    golden->report->checks++;
    golden->report->elements += packet->length / moehub_element_size(golden->layer->dispatch_element);
    if (memcmp(&written, &expected, packet->length) != 0)
        fail(golden, "row %u, offset %u: the payload written to local expert %u, slot %u does not belong there",
             packet->row, packet->offset, place->local, place->slot);
}

static void check_writes(struct golden *golden, const struct moehub_packet *packet, const struct golden_place *places)
{
    union payload sent;
    dispatched(golden->layer, packet->row, packet->offset, packet->length, &sent);
    for (unsigned i = 0; i < golden->layer->topk; i++)
        check_write(golden, packet, &places[i], &sent);
}

static void dispatch_batch(struct golden *golden, size_t count)
{
    look_up_batch(golden, count, MOEHUB_REQUEST_WRITE_TOUCH);
    if (!golden->options->payloads)
        return;
    for (size_t i = 0; i < count; i++)
        check_writes(golden, &golden->batch[i], golden->places + i * golden->layer->topk);
}

/* ---- combine ------------------------------------------------------------------------ */

static unsigned elements_of(const struct golden *golden, const struct moehub_packet *packet)
{
    return packet->length / moehub_element_size(golden->layer->combine_element);
}

/* Elements that expert `expert` returned for a row. */
static void returned(const struct golden *golden, uint32_t row, unsigned expert, uint32_t offset, unsigned length,
                     union payload *out)
{
    const unsigned type = golden->layer->combine_element;
    const unsigned size = moehub_element_size(type);
    moehub_payload_fill(type, moehub_payload_key(row, expert), offset / size, length / size, out);
}

/* One target's elements, read where its address says. */
static void read_target(const struct golden *golden, const struct request *request, unsigned gpu, unsigned target,
                        union payload *out)
{
    const struct golden_place *place = &request->places[target];
    const unsigned expert = moehub_placement_expert(&golden->layer->placement, gpu, place->local);
    returned(golden, place->row, expert, place->offset, request->packet->length, out);
}

/* What a GPU sends: the sum of its targets' elements. Those of a single target are their own sum (none is -0 or NaN). */
static void pre_sum(struct golden *golden, const struct request *request, unsigned gpu,
                    const struct moehub_target *targets, unsigned count, union payload *partial)
{
    const struct moehub_packet *packet = request->packet;
    const unsigned type = golden->layer->combine_element;
    const unsigned elements = elements_of(golden, packet);
    const unsigned first = (unsigned)(targets - packet->targets);
    golden->report->elements += (uint64_t)elements * count;
    if (count == 1) {
        read_target(golden, request, gpu, first, partial);
        return;
    }
    struct moehub_accumulator_lanes lanes[PAYLOAD_MAX / 2 / MOEHUB_LANES];
    moehub_accumulate_empty_row(lanes, elements, type);
    for (unsigned i = 0; i < count; i++) {
        union payload read;
        read_target(golden, request, gpu, first + i, &read);
        moehub_accumulate_add_row(&golden->arithmetic, lanes, type, &read, elements);
    }
    moehub_finalize_row(&golden->arithmetic, lanes, type, false, partial, elements);
}

/* The same from the definition: the targets' true rows, summed without bins. */
static void expected_pre_sum(const struct golden *golden, const struct moehub_packet *packet,
                             const struct moehub_target *targets, unsigned count, union payload *partial)
{
    if (count == 1) {
        returned(golden, packet->row, targets->expert, packet->offset, packet->length, partial);
        return;
    }
    union payload rows[MOEHUB_LAYER_TOPK_MAX];
    const void *inputs[MOEHUB_LAYER_TOPK_MAX];
    for (unsigned i = 0; i < count; i++) {
        returned(golden, packet->row, targets[i].expert, packet->offset, packet->length, &rows[i]);
        inputs[i] = &rows[i];
    }
    golden_sum(golden->layer->combine_element, inputs, count, elements_of(golden, packet), partial);
}

static void expected_result(const struct golden *golden, const struct moehub_packet *packet, union payload *result)
{
    union payload partials[MOEHUB_GOLDEN_GPUS_MAX];
    const void *inputs[MOEHUB_GOLDEN_GPUS_MAX];
    for (unsigned i = 0; i < packet->remote_count; i++) {
        unsigned count;
        const struct moehub_target *targets =
            moehub_targets_on(packet->targets, golden->layer->topk, packet->remotes[i], &count);
        expected_pre_sum(golden, packet, targets, count, &partials[i]);
        inputs[i] = &partials[i];
    }
    golden_sum(golden->layer->combine_element, inputs, packet->remote_count, elements_of(golden, packet), result);
}

/* False: the buffer has no free entry, nothing happened. */
static bool reserve(struct golden *golden, struct request *request)
{
    const struct moehub_packet *packet = request->packet;
    if (packet->remote_count == 0)
        return true;
    uint64_t contributors = 0;
    for (unsigned i = 0; i < packet->remote_count; i++)
        contributors |= UINT64_C(1) << packet->remotes[i];
    const struct moehub_reduction_reserve reservation = {
        .tag = packet->row & 0xFFFFFF,
        .contributors = contributors,
        .requester = packet->gpu,
        .length = packet->length,
        .element = (uint8_t)golden->layer->combine_element,
    };
    struct moehub_reduction_buffer *buffer = &golden->buffers[packet->gpu];
    if (moehub_reduction_buffer_reserve(buffer, &reservation, &request->grant) != 0)
        return false;
    const uint32_t occupancy = moehub_reduction_buffer_occupancy(buffer);
    if (occupancy > golden->report->occupancy)
        golden->report->occupancy = occupancy;
    if (request->grant.status != MOEHUB_STATUS_OK)
        fail(golden, "row %u, offset %u: reservation refused with status %u", packet->row, packet->offset,
             request->grant.status);
    return true;
}

/* The partial of the request's `rank`-th remote GPU reaches the switch. */
static void send_partial(struct golden *golden, const struct request *request, unsigned rank)
{
    const struct moehub_packet *packet = request->packet;
    const unsigned gpu = packet->remotes[rank];
    union payload sum;
    if (golden->options->payloads) {
        unsigned count;
        const struct moehub_target *targets = moehub_targets_on(packet->targets, golden->layer->topk, gpu, &count);
        pre_sum(golden, request, gpu, targets, count, &sum);
        if (fault_due(golden, MOEHUB_GOLDEN_FAULT_PARTIAL))
            memmove(sum.bytes, sum.bytes + sizeof(uint32_t), sizeof sum - sizeof(uint32_t));
    }
    struct moehub_reduction_partial partial = {
        .data = golden->options->payloads ? &sum : NULL,
        .flits = (packet->length + MOEHUB_FLIT_BYTES - 1u) / MOEHUB_FLIT_BYTES,
        .entry = request->grant.entry,
        .length = packet->length,
        .generation = request->grant.generation,
        .port = (uint8_t)gpu,
        .status = MOEHUB_STATUS_OK,
        .element = (uint8_t)golden->layer->combine_element,
    };
    if (fault_due(golden, MOEHUB_GOLDEN_FAULT_PORT))
        partial.port = (uint8_t)packet->gpu;
    const unsigned cause = moehub_reduction_buffer_partial(&golden->buffers[packet->gpu], &partial);
    golden->report->packets++;
    if (cause != MOEHUB_REDUCTION_NO_CAUSE)
        fail(golden, "row %u, offset %u: the partial of GPU %u was refused, cause %u", packet->row, packet->offset, gpu,
             cause);
}

static void check_sum(struct golden *golden, const struct moehub_packet *packet, const char *what,
                      const void *got, const void *expected)
{
    golden->report->checks++;
    if (memcmp(got, expected, packet->length) != 0)
        fail(golden, "row %u, offset %u: %s is wrong", packet->row, packet->offset, what);
}

/* The owner adds the sum of its own targets to the switch's result (if it has any of both). */
static void check_owner(struct golden *golden, const struct request *request, const void *remote)
{
    const struct moehub_packet *packet = request->packet;
    const unsigned type = golden->layer->combine_element;
    const unsigned elements = elements_of(golden, packet);
    unsigned count;
    const struct moehub_target *targets =
        moehub_targets_on(packet->targets, golden->layer->topk, packet->gpu, &count);
    if (count == 0)
        return;
    union payload own;
    union payload expected_own;
    pre_sum(golden, request, packet->gpu, targets, count, &own);
    expected_pre_sum(golden, packet, targets, count, &expected_own);
    check_sum(golden, packet, "the owner's own sum", &own, &expected_own);
    if (remote == NULL)
        return;
    union payload total;
    union payload expected_total;
    struct moehub_accumulator_lanes lanes[PAYLOAD_MAX / 2 / MOEHUB_LANES];
    moehub_accumulate_empty_row(lanes, elements, type);
    moehub_accumulate_add_row(&golden->arithmetic, lanes, type, remote, elements);
    moehub_accumulate_add_row(&golden->arithmetic, lanes, type, &own, elements);
    moehub_finalize_row(&golden->arithmetic, lanes, type, false, &total, elements);
    golden_sum(type, (const void *const[]){remote, &own}, 2, elements, &expected_total);
    check_sum(golden, packet, "the owner's total", &total, &expected_total);
}

/* Takes the request's result off the switch and checks it. */
static void take_result(struct golden *golden, const struct request *request)
{
    const struct moehub_packet *packet = request->packet;
    if (packet->remote_count == 0) {
        if (golden->options->payloads)
            check_owner(golden, request, NULL);
        return;
    }
    struct moehub_reduction_result result;
    golden->report->checks++;
    if (moehub_reduction_buffer_result_taken(&golden->buffers[packet->gpu], request->grant.entry, &result) != 0 ||
        result.status != MOEHUB_STATUS_OK || result.tag != (packet->row & 0xFFFFFF) ||
        result.requester != packet->gpu || result.length != packet->length) {
        fail(golden, "row %u, offset %u: no result, or one that is not this request's", packet->row, packet->offset);
        return;
    }
    if (!golden->options->payloads)
        return;
    union payload words;
    union payload expected;
    memcpy(&words, result.data, packet->length);
    expected_result(golden, packet, &expected);
    check_sum(golden, packet, "the switch's sum", &words, &expected);
    check_owner(golden, request, &words);
}

/* Requests on their way: partials arrive from all remote GPUs in turn, so that entries fill side by side. */
static void finish_requests(struct golden *golden, const struct request *requests, size_t count)
{
    for (unsigned rank = 0; rank < golden->layer->topk; rank++)
        for (size_t i = 0; i < count; i++)
            if (rank < requests[i].packet->remote_count && requests[i].grant.status == MOEHUB_STATUS_OK)
                send_partial(golden, &requests[i], rank);
    for (size_t i = 0; i < count; i++)
        take_result(golden, &requests[i]);
}

/* As many requests at once as the buffers have entries. */
static void combine_batch(struct golden *golden, size_t count)
{
    look_up_batch(golden, count, MOEHUB_REQUEST_READ_LOOKUP);
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        struct request *request = &golden->requests[i];
        *request = (struct request){.packet = &golden->batch[i], .places = golden->places + i * golden->layer->topk};
        if (!reserve(golden, request)) {
            finish_requests(golden, golden->requests + first, i - first);
            first = i;
            if (!reserve(golden, request)) {
                fail(golden, "row %u, offset %u: no entry is free and no result is due", request->packet->row,
                     request->packet->offset);
                first = i + 1;
            }
        }
    }
    finish_requests(golden, golden->requests + first, count - first);
}

/* ---- the run -------------------------------------------------------------------------- */

static void run_stage(struct golden *golden, void (*run_batch)(struct golden *, size_t))
{
    size_t count;
    while ((count = moehub_packets_next(golden->packets, golden->batch, BATCH)) > 0) {
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

/* Sums the counters and makes the checks that only the end allows. */
static void finish(struct golden *golden)
{
    struct moehub_golden_report *report = golden->report;
    for (unsigned gpu = 0; gpu < golden->layer->gpus; gpu++) {
        const struct golden_hub *hub = &golden->hubs.list[gpu];
        const struct moehub_reduction_buffer *buffer = &golden->buffers[gpu];
        for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++)
            report->hub[event] += hub->path.counters[event];
        for (unsigned event = 0; event < MOEHUB_REDUCTION_ORDER_EVENTS; event++)
            report->reduction[event] += buffer->counters[event];
        report->checks += 3;
        if (!moehub_address_path_is_valid(&hub->path))
            fail(golden, "GPU %u: the address path's invariants do not hold", gpu);
        if (!golden_hub_table_matches(&golden->hubs, hub))
            fail(golden, "GPU %u: the table image differs from the slots handed out", gpu);
        if (!moehub_reduction_buffer_is_valid(buffer) || moehub_reduction_buffer_occupancy(buffer) != 0)
            fail(golden, "port %u: the reduction buffer's invariants do not hold, or it is not empty", gpu);
    }
    report->packets += golden->lookups;
    uint64_t errors = 0;
    for (unsigned cause = 0; cause < MOEHUB_HUB_CAUSES; cause++)
        errors += report->hub[MOEHUB_HUB_EVENT_CAUSES + cause];
    for (unsigned cause = 0; cause < MOEHUB_REDUCTION_CAUSES; cause++)
        errors += report->reduction[MOEHUB_REDUCTION_EVENT_CAUSES + cause];
    report->checks += 3;
    if (errors != 0)
        fail(golden, "%llu errors were counted", (unsigned long long)errors);
    if (report->hub[MOEHUB_HUB_EVENT_LOOKUPS] != golden->lookups || golden->lookups == 0)
        fail(golden, "the hubs counted other lookups than they were asked for");
    if (report->hub[MOEHUB_HUB_EVENT_ALLOCATIONS] != (uint64_t)golden->layer->tokens * golden->layer->topk)
        fail(golden, "allocations differ from the layer's assignments");
}

static int create_buffers(struct golden *golden, struct moehub_message *message)
{
    const unsigned gpus = golden->layer->gpus;
    struct moehub_reduction_buffer_config config = moehub_reduction_buffer_config_default();
    config.entries = golden->options->entries;
    config.ports = gpus > 2 ? gpus : 2;
    config.payload_bytes = golden->options->packet_bytes;
    config.payloads = golden->options->payloads;
    if (moehub_reduction_buffer_config_check(&config) != 0) {
        moehub_message_set(message, NULL, 0, "no reduction buffer has %u entries (1..4096) of %u-byte packets (a multiple "
                           "of 16, 16..256)", golden->options->entries, golden->options->packet_bytes);
        return MOEHUB_E_ARGUMENT;
    }
    golden->buffers = calloc(gpus, sizeof *golden->buffers);
    if (golden->buffers == NULL)
        return MOEHUB_E_MEMORY;
    int error = 0;
    for (unsigned gpu = 0; gpu < gpus && error == 0; gpu++) {
        config.own_port = gpu;
        error = moehub_reduction_buffer_create(&golden->buffers[gpu], &config);
    }
    return error;
}

static int check_limits(const struct moehub_layer *layer, const struct moehub_golden_options *options,
                        struct moehub_message *message)
{
    if (layer->gpus > MOEHUB_GOLDEN_GPUS_MAX) {
        moehub_message_set(message, NULL, 0, "%u GPUs; a switch has at most %u ports", layer->gpus, MOEHUB_GOLDEN_GPUS_MAX);
        return MOEHUB_E_LIMIT;
    }
    if (options->payloads && layer->topk > GOLDEN_SUM_INPUTS_MAX) {
        moehub_message_set(message, NULL, 0, "payloads are checked up to %u experts a token", GOLDEN_SUM_INPUTS_MAX);
        return MOEHUB_E_LIMIT;
    }
    if (options->inflight < 1 || options->inflight > 65536) {
        moehub_message_set(message, NULL, 0, "%u rows in flight; legal are 1..65536", options->inflight);
        return MOEHUB_E_ARGUMENT;
    }
    return 0;
}

static int create(struct golden *golden, struct moehub_message *message)
{
    const size_t topk = golden->layer->topk;
    int error = check_limits(golden->layer, golden->options, message);
    if (error == 0)
        error = create_buffers(golden, message);
    if (error == 0)
        error = golden_hubs_create(&golden->hubs, golden->layer, golden->options, message);
    if (error == 0)
        error = moehub_arithmetic_init(&golden->arithmetic, 3, 64);
    if (error != 0)
        return error;
    golden->batch = calloc(BATCH, sizeof *golden->batch);
    golden->requests = calloc(BATCH, sizeof *golden->requests);
    golden->places = calloc(BATCH * topk, sizeof *golden->places);
    golden->sorted = calloc(BATCH * topk, sizeof *golden->sorted);
    return golden->batch && golden->requests && golden->places && golden->sorted ? 0 : MOEHUB_E_MEMORY;
}

static void destroy(struct golden *golden)
{
    for (unsigned gpu = 0; gpu < golden->layer->gpus && golden->buffers != NULL; gpu++)
        moehub_reduction_buffer_destroy(&golden->buffers[gpu]);
    golden_hubs_destroy(&golden->hubs);
    free(golden->buffers);
    free(golden->batch);
    free(golden->requests);
    free(golden->places);
    free(golden->sorted);
}

int moehub_golden_run(const struct moehub_layer *layer, const struct moehub_golden_options *options,
                      struct moehub_golden_report *report, struct moehub_message *message)
{
    struct golden golden = {.layer = layer, .options = options, .report = report};
    memset(report, 0, sizeof *report);
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
