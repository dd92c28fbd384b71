/* SPDX-License-Identifier: Apache-2.0 */
/* What a layer's run leaves for people and machines beside its verdict: members of the summary's JSON, and the same as a table.
 *
 * A direction's use is its flits by the cycles of the layer; payload share: flits of payload among its flits. The ideal is the
 * busiest direction's flits, a cycle each, of each phase. */
#ifndef BENCH_LAYER_REPORT_H
#define BENCH_LAYER_REPORT_H

#include "bench/system/system_hub.h"
#include "bench/system/system_plane.h"

struct layer_phases {
    bool fused;
    bool sums; /* false: a dispatch alone */
    bool over; /* all have stopped, and the ports of the planes are told so */
    uint64_t begun, served, asked, ended; /* cycles: rows may go; unfused: all GPUs have theirs; sums may be asked for, unfused
                                           * after counters were read; all have finished */
    uint64_t up[GPU_LINKS_MAX][SYSTEM_GPUS_MAX]; /* unfused: flits of each link when sums may be asked for */
    uint64_t down[GPU_LINKS_MAX][SYSTEM_GPUS_MAX];
};

/* The events compared so far have been added to `bench`. */
void layer_report(struct bench *bench, const struct moehub_layer *layer, const struct system_plane *planes,
                  const struct system_hub *hubs, const struct layer_phases *phases);

#endif
