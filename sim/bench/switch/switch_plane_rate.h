/* SPDX-License-Identifier: Apache-2.0 */
/* How fast a layer goes through the whole switch plane, to the last flit: against the flits of the busiest direction of a link,
 * and against an ideal plane (ideal_plane.h). */
#ifndef BENCH_SWITCH_PLANE_RATE_H
#define BENCH_SWITCH_PLANE_RATE_H

#include "bench/switch/switch_plane_run.h"

struct plane_rate {
    const char *name;                 /* of the case; empty: the phase */
    const char *phase;                /* dispatch, combine, fused */
    const char *routing;              /* as moehub_routing_parse reads it */
    const char *placement;            /* file; empty: in blocks */
    int64_t tokens, experts, topk;
    int64_t lines, combine_lines;     /* of a dispatched row, of a combined one */
    int64_t rows_in_flight, rows_in_turn, turned; /* layer_plan.h, dispatch_rows.h */
    int64_t loop;                     /* cycles of a link, there and back */
};

/* Measures and prints; everything that leaves is compared as ever. */
int plane_rate_run(struct plane_run *run, const struct plane_rate *rate);

#endif
