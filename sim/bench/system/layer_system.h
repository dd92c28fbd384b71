/* SPDX-License-Identifier: Apache-2.0 */
/* A whole system that computes a layer: GPUs with their hubs, the planes of the switch, the links between them, and what all of
 * them have in common. */
#ifndef BENCH_LAYER_SYSTEM_H
#define BENCH_LAYER_SYSTEM_H

#include "bench/system/layer_arguments.h"
#include "bench/system/layer_timeline.h"
#include "bench/system/layer_verdict.h"

struct layer_system {
    struct bench bench;                        /* of plane 0 */
    struct bench plane_parts[GPU_LINKS_MAX];   /* of the other planes, by their numbers */
    const struct layer_arguments *arguments;
    struct system_round *rounds;               /* that go on together: one, or with --overlap all of them */
    unsigned round_count;
    struct system_shape shape;
    struct gpu_manners manners;                /* of the first round */
    struct gpu_departures departures;          /* of --abort */
    struct system_plane planes[GPU_LINKS_MAX]; /* link N of every hub goes to plane N */
    struct system_hub *hubs;
    unsigned quantum;                          /* cycles that all step alone */
    struct layer_phases phases;                /* of these rounds */
    struct layer_timeline timeline;
    uint64_t steps, step_cycle;                /* what the GPUs have done, and when that last grew (layer_watch.h) */
    struct layer_verdict verdict;
};

/* Planes, hubs, links, and the files that are written on the way; `system` is zeroed but for `bench`, which is that of the
 * command line, and outlives its parts. Ends the program where the arguments are refused, or switch and hubs do not fit each
 * other. */
void layer_system_create(struct layer_system *system, const struct layer_arguments *arguments);

/* These files are whole: the last round is over, and can still be read. Ends the program when one could not be written. */
void layer_system_close_files(struct layer_system *system);

void layer_system_destroy(struct layer_system *system);

#endif
