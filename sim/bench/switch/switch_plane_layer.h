/* SPDX-License-Identifier: Apache-2.0 */
/* What the GPUs send when a layer runs: its rows' lines as stores (dispatch), requests for the lines of its rows (combine), or
 * both at once (fused). */
#ifndef BENCH_SWITCH_PLANE_LAYER_H
#define BENCH_SWITCH_PLANE_LAYER_H

#include "bench/switch/dispatch_rows.h"
#include "bench/switch/switch_plane_run.h"

struct plane_layer_source {
    uint64_t stores, requests;      /* sent */
    uint64_t store_count, request_count;
};

struct plane_layer {
    struct plane_run *run;
    struct dispatch_rows rows;      /* its lines: of a dispatched row */
    uint32_t combine_lines;         /* of a combined row; 0: no combine */
    bool dispatches;
    struct plane_layer_source *sources;
    struct random_source random;
};

void plane_layer_create(struct plane_layer *layer, struct plane_run *run, const struct dispatch_layer *shape, bool dispatches,
                        uint32_t combine_lines);
void plane_layer_destroy(struct plane_layer *layer);

/* Before each cycle: the queues of every GPU never run dry while it has packets. */
void plane_layer_feed(struct plane_layer *layer);

/* All packets are in the queues, or sent. */
bool plane_layer_sent(const struct plane_layer *layer);

#endif
