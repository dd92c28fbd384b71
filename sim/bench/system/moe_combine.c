/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/moe_combine.h"

#include "kit/options.h"
#include "moehub/element.h"
#include "moehub/finalize.h"
#include "moehub/payload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024, GRANTING = 4096 };

static void *must(void *memory)
{
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(BENCH_CONFIGURATION);
    }
    return memory;
}

void moe_combine_create(struct moe_combine *combine, const struct moehub_layer *layer, unsigned owner, unsigned inflight,
                        unsigned payload, unsigned entries, unsigned round_trip, unsigned skew, uint64_t seed,
                        const uint64_t *cycle)
{
    *combine = (struct moe_combine){
        .layer = layer, .owner = owner, .round_trip = round_trip, .skew = skew, .cycle = cycle,
        .heap_size = (size_t)entries * layer->gpus,
    };
    combine->packets = must(moehub_packets_create(layer, MOEHUB_STAGE_COMBINE, inflight, payload));
    combine->batch = must(calloc(BATCH, sizeof *combine->batch));
    combine->granting = must(calloc(GRANTING, sizeof *combine->granting));
    combine->heap = must(calloc(combine->heap_size, sizeof *combine->heap));
    random_init(&combine->random, seed, "moe combine");
    if (moehub_arithmetic_init(&combine->arithmetic, 3, 64) != 0)
        exit(BENCH_CONFIGURATION);
}

void moe_combine_destroy(struct moe_combine *combine)
{
    moehub_packets_destroy(combine->packets);
    free(combine->batch);
    free(combine->granting);
    free(combine->heap);
}

/* ---- partials under way: a binary heap by due cycle ------------------------------ */

static void heap_push(struct moe_combine *combine, const struct moe_partial *partial)
{
    size_t place = combine->heap_count++;
    while (place > 0 && combine->heap[(place - 1) / 2].due > partial->due) {
        combine->heap[place] = combine->heap[(place - 1) / 2];
        place = (place - 1) / 2;
    }
    combine->heap[place] = *partial;
}

static struct moe_partial heap_pop(struct moe_combine *combine)
{
    const struct moe_partial top = combine->heap[0];
    const struct moe_partial last = combine->heap[--combine->heap_count];
    size_t place = 0;
    for (;;) {
        size_t child = 2 * place + 1;
        if (child >= combine->heap_count)
            break;
        if (child + 1 < combine->heap_count && combine->heap[child + 1].due < combine->heap[child].due)
            child++;
        if (combine->heap[child].due >= last.due)
            break;
        combine->heap[place] = combine->heap[child];
        place = child;
    }
    combine->heap[place] = last;
    return top;
}

/* ---- requests -------------------------------------------------------------------- */

/* The owner's next packet that has somebody to ask. */
static const struct moehub_packet *next_request(struct moe_combine *combine)
{
    for (;;) {
        if (combine->batch_next == combine->batch_count) {
            combine->batch_count = moehub_packets_next(combine->packets, combine->batch, BATCH);
            combine->batch_next = 0;
            if (combine->batch_count == 0)
                return NULL;
        }
        const struct moehub_packet *packet = &combine->batch[combine->batch_next++];
        if (packet->gpu == combine->owner && packet->remote_count > 0)
            return packet;
    }
}

static bool next_reserve(void *context, struct moehub_reduction_reserve *reserve)
{
    struct moe_combine *combine = context;
    if (!combine->started || combine->asked_all || combine->granting_tail - combine->granting_head == GRANTING)
        return false;
    const struct moehub_packet *packet = next_request(combine);
    if (packet == NULL) {
        combine->asked_all = true;
        return false;
    }
    combine->granting[combine->granting_tail++ % GRANTING] = *packet;
    uint64_t contributors = 0;
    for (unsigned i = 0; i < packet->remote_count; i++)
        contributors |= UINT64_C(1) << packet->remotes[i];
    *reserve = (struct moehub_reduction_reserve){
        .tag = combine->requests++ & 0xFFFFFF,
        .contributors = contributors,
        .requester = packet->gpu,
        .length = packet->length,
        .element = (uint8_t)combine->layer->combine_element,
    };
    return true;
}

/* The copies of the request are on their way: every remote GPU will answer. */
static void granted(void *context, const struct moehub_reduction_reserve *reserve,
                    const struct moehub_reduction_grant *grant)
{
    struct moe_combine *combine = context;
    (void)reserve;
    const struct moehub_packet *packet = &combine->granting[combine->granting_head++ % GRANTING];
    for (unsigned i = 0; grant->status == MOEHUB_STATUS_OK && i < packet->remote_count; i++) {
        const struct moe_partial partial = {
            .due = *combine->cycle + combine->round_trip + random_below(&combine->random, combine->skew + UINT64_C(1)),
            .row = packet->row, .offset = packet->offset, .entry = grant->entry, .length = packet->length,
            .gpu = packet->remotes[i], .generation = grant->generation,
        };
        heap_push(combine, &partial);
    }
}

/* ---- partials -------------------------------------------------------------------- */

/* What one expert returns for a piece of a row. */
static void expert_piece(const struct moe_combine *combine, const struct moe_partial *partial, unsigned expert, void *data)
{
    const unsigned element = combine->layer->combine_element;
    const unsigned size = moehub_element_size(element);
    moehub_payload_fill(element, moehub_payload_key(partial->row, expert), partial->offset / size, partial->length / size,
                        data);
}

/* The responder's local pre-reduction: one expert is passed on as it is, several are summed and rounded once. */
static void fill_partial(const struct moe_combine *combine, const struct moe_partial *partial, uint8_t *data)
{
    const struct moehub_layer *layer = combine->layer;
    const unsigned element = layer->combine_element;
    const size_t count = partial->length / moehub_element_size(element);
    unsigned experts = 0;
    const struct moehub_target *targets =
        moehub_targets_on(moehub_layer_targets(layer, partial->row), layer->topk, partial->gpu, &experts);
    if (experts == 1) {
        expert_piece(combine, partial, targets[0].expert, data);
        return;
    }
    struct moehub_accumulator_lanes lanes[MOEHUB_REDUCTION_PAYLOAD_MAX / 2 / MOEHUB_LANES];
    uint32_t words[MOEHUB_REDUCTION_PAYLOAD_MAX / 4];
    moehub_accumulate_empty_row(lanes, count, element);
    for (unsigned i = 0; i < experts; i++) {
        expert_piece(combine, partial, targets[i].expert, words);
        moehub_accumulate_add_row(&combine->arithmetic, lanes, element, words, count);
    }
    moehub_finalize_row(&combine->arithmetic, lanes, element, false, data, count);
}

static bool next_packet(void *context, struct reduction_packet *packet)
{
    struct moe_combine *combine = context;
    if (combine->heap_count == 0 || combine->heap[0].due > *combine->cycle)
        return false;
    const struct moe_partial partial = heap_pop(combine);
    packet->header = (struct moehub_reduction_partial){
        .entry = partial.entry, .length = partial.length, .generation = partial.generation, .port = (uint8_t)partial.gpu,
        .status = MOEHUB_STATUS_OK, .element = (uint8_t)combine->layer->combine_element,
        .flits = (partial.length + 15u) / 16u,
    };
    memset(packet->data, 0, packet->header.flits * 16u);
    fill_partial(combine, &partial, packet->data);
    combine->partials++;
    return true;
}

static bool no_command(void *context, struct reduction_command *command)
{
    (void)context;
    (void)command;
    return false;
}

static void result_taken(void *context, unsigned entry, unsigned status)
{
    struct moe_combine *combine = context;
    (void)entry;
    combine->results += status == MOEHUB_STATUS_OK;
}

static void ignore_timeout(void *context, unsigned entry)
{
    (void)context;
    (void)entry;
}

static void ignore_reset(void *context)
{
    (void)context;
}

struct reduction_stimulus moe_combine_stimulus(struct moe_combine *combine)
{
    return (struct reduction_stimulus){
        .context = combine,
        .next_reserve = next_reserve,
        .next_packet = next_packet,
        .next_command = no_command,
        .granted = granted,
        .result_taken = result_taken,
        .timed_out = ignore_timeout,
        .reset = ignore_reset,
    };
}

bool moe_combine_is_done(const struct moe_combine *combine)
{
    return combine->asked_all && combine->results == combine->requests;
}
