/* SPDX-License-Identifier: Apache-2.0 */
/* A layer's packets as one hub sees them: a request for each target of a packet that lives on this GPU, in the global
 * order of moehub/packets.h. Dispatch announces and writes rows; combine reads them back. */
#ifndef BENCH_MOE_REQUESTS_H
#define BENCH_MOE_REQUESTS_H

#include "moehub/hub.h"
#include "moehub/layer.h"
#include "moehub/packets.h"

struct moe_requests {
    const struct moehub_layer *layer;
    struct moehub_packets *packets;
    struct moehub_packet *batch;
    size_t batch_next, batch_count;
    const struct moehub_target *targets; /* of the present packet, still to be asked for */
    unsigned target_count;
    unsigned gpu, context, ports;
    bool reads;
    uint64_t count; /* requests so far: also the tag */
};

/* `stage` MOEHUB_STAGE_*, `payload` bytes a packet, `ports` ingress ports. Ends the program when memory is out. */
void moe_requests_create(struct moe_requests *requests, const struct moehub_layer *layer, unsigned stage, unsigned gpu,
                         unsigned context, unsigned inflight, unsigned payload, unsigned ports);
void moe_requests_destroy(struct moe_requests *requests);

/* The next request; false at the end. The signature of hub_path.supply. */
bool moe_requests_next(void *requests, struct moehub_hub_request *request);

#endif
