/* SPDX-License-Identifier: Apache-2.0 */
/* The combine of a layer as one switch port sees it: the owner GPU's requests in their order, and the partials that its
 * remote GPUs answer with (both moehub/layer_driver.h), each after a round trip and a skew of its own. */
#ifndef BENCH_MOE_COMBINE_H
#define BENCH_MOE_COMBINE_H

#include "bench/switch/reduction_stimulus.h"
#include "kit/random.h"
#include "moehub/event_queue.h"
#include "moehub/layer_driver.h"

struct moe_combine {
    const struct moehub_layer *layer;
    struct moehub_owner_requests asking;
    unsigned round_trip, skew; /* cycles: shortest answer, most beyond it */
    const uint64_t *cycle;     /* the bench's clock */
    struct random_source random;
    struct moehub_arithmetic arithmetic;
    struct moehub_packet *granting;        /* ring: reserved, not yet granted */
    uint64_t granting_head, granting_tail;
    struct moehub_event_queue under_way;   /* of struct moe_partial */
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
