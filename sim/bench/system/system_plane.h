/* SPDX-License-Identifier: Apache-2.0 */
/* One plane of the switch between the links of all GPUs. */
#ifndef BENCH_SYSTEM_PLANE_H
#define BENCH_SYSTEM_PLANE_H

#include "bench/common/packet_log.h"
#include "bench/switch/switch_plane_pins.h"
#include "bench/system/system_link.h"

enum { SYSTEM_GPUS_MAX = 64 };

struct system_plane {
    struct bench *bench;
    struct plane_pins pins;
    unsigned ports;
    struct packet_log log; /* of what crosses the pins; the caller creates it */
    struct system_link up[SYSTEM_GPUS_MAX], down[SYSTEM_GPUS_MAX]; /* of a GPU */
};

/* `latency` of each direction of each link, cycles. */
void system_plane_create(struct system_plane *plane, struct bench *bench, unsigned ports, unsigned latency);
void system_plane_destroy(struct system_plane *plane);

/* Flits that a GPU has sent to all planes, and got from all. */
static inline uint64_t system_planes_up(const struct system_plane *planes, unsigned count, unsigned gpu)
{
    uint64_t flits = 0;
    for (unsigned plane = 0; plane < count; plane++)
        flits += planes[plane].up[gpu].flits;
    return flits;
}

static inline uint64_t system_planes_down(const struct system_plane *planes, unsigned count, unsigned gpu)
{
    uint64_t flits = 0;
    for (unsigned plane = 0; plane < count; plane++)
        flits += planes[plane].down[gpu].flits;
    return flits;
}

/* One cycle. */
void system_plane_step(struct system_plane *plane);

#endif
