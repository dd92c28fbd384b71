/* SPDX-License-Identifier: Apache-2.0 */
/* The combine of a layer as one switch port sees it: the owner GPU's ld_reduce requests in their order, and the partials
 * that its remote GPUs answer with, each after a round trip and a skew of its own. A partial is the sum of what the
 * responder's local experts return for that piece of the row, as moehub_pre_sum makes it.
 *
 * GPU g answers through port g. */
#ifndef BENCH_MOE_COMBINE_H
#define BENCH_MOE_COMBINE_H

#include "bench/switch/reduction_stimulus.h"
#include "kit/random.h"
#include "moehub/accumulate.h"
#include "moehub/layer.h"
#include "moehub/packets.h"

/* A partial on its way: where it goes and what it carries. */
struct moe_partial {
    uint64_t due; /* cycle */
    uint32_t row, offset;
    uint16_t entry, length, gpu;
    uint8_t generation;
};

struct moe_combine {
    const struct moehub_layer *layer;
    struct moehub_packets *packets;
    struct moehub_packet *batch;
    size_t batch_next, batch_count;
    unsigned owner;
    unsigned round_trip, skew; /* cycles: shortest answer, most beyond it */
    const uint64_t *cycle;     /* the bench's clock */
    struct random_source random;
    struct moehub_arithmetic arithmetic;
    struct moehub_packet *granting;  /* ring: reserved, not yet granted */
    uint64_t granting_head, granting_tail;
    struct moe_partial *heap;        /* earliest due first */
    size_t heap_count, heap_size;
    uint64_t requests, partials, results; /* asked for, sent, taken with status OK */
    bool started;  /* set by the bench when combine begins: no request before */
    bool asked_all;
};

/* Partials of at most `entries` requests are under way at once. Ends the program when memory is out. */
void moe_combine_create(struct moe_combine *combine, const struct moehub_layer *layer, unsigned owner, unsigned inflight,
                        unsigned payload, unsigned entries, unsigned round_trip, unsigned skew, uint64_t seed,
                        const uint64_t *cycle);
void moe_combine_destroy(struct moe_combine *combine);

/* The stimulus that it is. */
struct reduction_stimulus moe_combine_stimulus(struct moe_combine *combine);

/* Every request of the owner has its result. */
bool moe_combine_is_done(const struct moe_combine *combine);

#endif
