/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/moe_requests.h"

#include "kit/options.h"
#include "moehub/ingress.h"

#include <stdio.h>
#include <stdlib.h>

enum { BATCH = 1024 };

void moe_requests_create(struct moe_requests *requests, const struct moehub_layer *layer, unsigned stage, unsigned gpu,
                         unsigned context, unsigned inflight, unsigned payload, unsigned ports)
{
    *requests = (struct moe_requests){
        .layer = layer, .gpu = gpu, .context = context, .ports = ports, .reads = stage == MOEHUB_STAGE_COMBINE,
        .packets = moehub_packets_create(layer, stage, inflight, payload),
        .batch = calloc(BATCH, sizeof *requests->batch),
    };
    if (requests->packets == NULL || requests->batch == NULL) {
        fputs("no packets of this layer: out of memory, or a packet size that does not fit its elements\n", stderr);
        exit(BENCH_CONFIGURATION);
    }
}

void moe_requests_destroy(struct moe_requests *requests)
{
    moehub_packets_destroy(requests->packets);
    free(requests->batch);
}

/* Moves on to the next packet with a target here; its place in the batch stays `batch_next - 1`. */
static bool next_packet(struct moe_requests *requests)
{
    while (requests->target_count == 0) {
        if (requests->batch_next == requests->batch_count) {
            requests->batch_count = moehub_packets_next(requests->packets, requests->batch, BATCH);
            requests->batch_next = 0;
            if (requests->batch_count == 0)
                return false;
        }
        const struct moehub_packet *packet = &requests->batch[requests->batch_next++];
        requests->targets = moehub_targets_on(packet->targets, requests->layer->topk, requests->gpu, &requests->target_count);
    }
    return true;
}

bool moe_requests_next(void *context, struct moehub_hub_request *request)
{
    struct moe_requests *requests = context;
    if (!next_packet(requests))
        return false;
    const struct moehub_packet *packet = &requests->batch[requests->batch_next - 1];
    *request = (struct moehub_hub_request){
        .operation = requests->reads ? MOEHUB_REQUEST_READ_LOOKUP : MOEHUB_REQUEST_WRITE_TOUCH,
        .first = !requests->reads && packet->first,
        .context = (uint8_t)requests->context,
        .expert = requests->targets->local,
        .row_index = packet->row,
        .offset = (uint16_t)packet->offset,
        .length = packet->length,
        .source = packet->gpu,
        .port = (uint8_t)moehub_ingress_port(requests->context, packet->row, requests->ports),
        .tag = requests->count++,
    };
    requests->targets++;
    requests->target_count--;
    return true;
}
