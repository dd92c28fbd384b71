/* SPDX-License-Identifier: Apache-2.0 */
/* The GPUs of the plane send what a layer's plan says. */
#ifndef BENCH_SWITCH_PLANE_LAYER_H
#define BENCH_SWITCH_PLANE_LAYER_H

#include "bench/switch/layer_plan.h"
#include "bench/switch/switch_plane_run.h"

struct plane_layer_source {
    uint64_t stores, requests;               /* sent */
    uint64_t store_count, request_count, result_count;
    uint64_t finished;                       /* cycle in which all its stores had arrived and all its results left; 0: not yet */
};

struct plane_layer {
    struct plane_run *run;
    struct dispatch_rows rows;      /* its lines: of a dispatched row */
    struct layer_plan plan;
    struct plane_layer_source *sources;
    struct random_source random;
};

void plane_layer_create(struct plane_layer *layer, struct plane_run *run, const struct dispatch_layer *shape,
                        const struct layer_plan *plan);
void plane_layer_destroy(struct plane_layer *layer);

/* Before each cycle: the queues of every GPU never run dry while it has packets. */
void plane_layer_feed(struct plane_layer *layer);

/* After each cycle: notes which sources have finished. */
void plane_layer_note(struct plane_layer *layer);

/* All packets are in the queues, or sent. */
bool plane_layer_sent(const struct plane_layer *layer);

#endif
