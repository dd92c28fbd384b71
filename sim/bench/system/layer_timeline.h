/* SPDX-License-Identifier: Apache-2.0 */
/* A layer's run over time: Chrome's trace JSON, for Perfetto. A process is a GPU: its phases and context as spans, tiles ready
 * and all arrived as instants, the use of each of its links as counters, a sample a turn. A microsecond of the trace is a
 * cycle. */
#ifndef BENCH_LAYER_TIMELINE_H
#define BENCH_LAYER_TIMELINE_H

#include "bench/system/layer_report.h"

#include <stdio.h>

struct layer_timeline {
    FILE *file; /* NULL: nothing is written */
    bool more;  /* something is written already */
    uint64_t since;
    uint64_t up[GPU_LINKS_MAX][SYSTEM_GPUS_MAX], down[GPU_LINKS_MAX][SYSTEM_GPUS_MAX]; /* flits at the last sample */
};

/* `name` NULL: none. A file that cannot be opened ends the program with status 2. */
void layer_timeline_create(struct layer_timeline *timeline, const char *name);
/* The links count from 0 again. */
void layer_timeline_begin(struct layer_timeline *timeline, uint64_t cycle);
/* After each turn. */
void layer_timeline_sample(struct layer_timeline *timeline, const struct system_plane *planes, unsigned links);
/* At the end: spans and instants. False: it could not be written. */
bool layer_timeline_destroy(struct layer_timeline *timeline, const struct system_plane *planes, const struct system_hub *hubs,
                            const struct layer_phases *phases);

#endif
