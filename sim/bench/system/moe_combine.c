/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/moe_combine.h"

#include "kit/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRANTING = 4096 };

/* A partial on its way: what asked for it, and who sends it where. */
struct moe_partial {
    struct moehub_packet packet;
    struct moehub_reduction_grant grant;
    unsigned gpu;
};

void moe_combine_create(struct moe_combine *combine, const struct moehub_layer *layer, unsigned owner, unsigned inflight,
                        unsigned payload, unsigned entries, unsigned round_trip, unsigned skew, uint64_t seed,
                        const uint64_t *cycle)
{
    *combine = (struct moe_combine){.layer = layer, .round_trip = round_trip, .skew = skew, .cycle = cycle};
    combine->granting = calloc(GRANTING, sizeof *combine->granting);
    random_init(&combine->random, seed, "moe combine");
    if (combine->granting != NULL &&
        moehub_owner_requests_create(&combine->asking, layer, owner, inflight, payload) == 0 &&
        moehub_event_queue_create(&combine->under_way, (size_t)entries * layer->gpus, sizeof(struct moe_partial)) == 0 &&
        moehub_arithmetic_init(&combine->arithmetic, 3, 64) == 0)
        return;
    fputs("no combine of this layer: out of memory, or a packet size that does not fit its elements\n", stderr);
    exit(BENCH_CONFIGURATION);
}

void moe_combine_destroy(struct moe_combine *combine)
{
    moehub_owner_requests_destroy(&combine->asking);
    moehub_event_queue_destroy(&combine->under_way);
    free(combine->granting);
}

static bool next_reserve(void *context, struct moehub_reduction_reserve *reserve)
{
    struct moe_combine *combine = context;
    if (!combine->started || combine->asked_all || combine->granting_tail - combine->granting_head == GRANTING)
        return false;
    struct moehub_packet *packet = &combine->granting[combine->granting_tail % GRANTING];
    if (!moehub_owner_requests_next(&combine->asking, packet, reserve)) {
        combine->asked_all = true;
        return false;
    }
    combine->granting_tail++;
    combine->requests++;
    return true;
}

/* The copies of the request are on their way: every remote GPU will answer. */
static void granted(void *context, const struct moehub_reduction_reserve *reserve,
                    const struct moehub_reduction_grant *grant)
{
    struct moe_combine *combine = context;
    (void)reserve;
    struct moe_partial partial = {.packet = combine->granting[combine->granting_head++ % GRANTING], .grant = *grant};
    for (unsigned i = 0; grant->status == MOEHUB_STATUS_OK && i < partial.packet.remote_count; i++) {
        const uint64_t due =
            *combine->cycle + combine->round_trip + random_below(&combine->random, combine->skew + UINT64_C(1));
        partial.gpu = partial.packet.remotes[i];
        if (moehub_event_queue_push(&combine->under_way, due, &partial) == 0)
            continue;
        fputs("more partials under way than the buffer's entries can have asked for\n", stderr);
        exit(BENCH_MISMATCH);
    }
}

static bool next_packet(void *context, struct reduction_packet *packet)
{
    struct moe_combine *combine = context;
    struct moe_partial partial;
    if (!moehub_event_queue_pop(&combine->under_way, *combine->cycle, &partial))
        return false;
    packet->header = moehub_driver_partial(combine->layer, &partial.packet, &partial.grant, partial.gpu);
    memset(packet->data, 0, packet->header.flits * (size_t)MOEHUB_FLIT_BYTES);
    moehub_driver_pre_reduced(combine->layer, &combine->arithmetic, &partial.packet, partial.gpu, packet->data);
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
