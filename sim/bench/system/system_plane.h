/* SPDX-License-Identifier: Apache-2.0 */
/* One plane of the switch between the links of all GPUs. */
#ifndef BENCH_SYSTEM_PLANE_H
#define BENCH_SYSTEM_PLANE_H

#include "bench/common/packet_log.h"
#include "bench/switch/switch_plane_pins.h"
#include "bench/system/software.h"
#include "bench/system/system_link.h"
#include "kit/axi_lite.h"
#include "moehub/csr.h"

struct system_plane {
    struct bench *bench;
    struct plane_pins pins;
    unsigned ports;
    struct packet_log log; /* of what crosses the pins; the caller creates it */
    struct system_link up[SYSTEM_GPUS_MAX], down[SYSTEM_GPUS_MAX]; /* of a GPU */
    struct axi_lite registers;
    struct software software;
    uint32_t port_timeout, group_timeout; /* cycles, 0: none */
    bool counted;            /* counters are read at the end of a round */
    bool started;            /* set up */
    bool round_over;         /* counters are to be read and ports that are down to be revived; then it is false again */
    uint64_t was_down;       /* these were */
    /* At the end, of each port and its reduction buffer; and of the round before. */
    uint64_t counters[SYSTEM_GPUS_MAX][MOEHUB_CSR_EVENTS_MAX], counters_before[SYSTEM_GPUS_MAX][MOEHUB_CSR_EVENTS_MAX];
    uint64_t sums[SYSTEM_GPUS_MAX][MOEHUB_CSR_EVENTS_MAX], sums_before[SYSTEM_GPUS_MAX][MOEHUB_CSR_EVENTS_MAX];
};

/* `latency` of each direction of each link, cycles; `port_timeout`, `group_timeout`, `counted` as the fields. */
void system_plane_create(struct system_plane *plane, struct bench *bench, unsigned ports, unsigned latency,
                         uint32_t port_timeout, uint32_t group_timeout, bool counted);
void system_plane_destroy(struct system_plane *plane);

/* Flits that a GPU has sent to all planes, and got from all. */
static inline uint64_t system_planes_up(const struct system_plane *planes, unsigned count, unsigned gpu)
{
    uint64_t flits = 0;
    for (unsigned plane = 0; plane < count; plane++)
        flits += planes[plane].up[gpu].sent.flits;
    return flits;
}

static inline uint64_t system_planes_down(const struct system_plane *planes, unsigned count, unsigned gpu)
{
    uint64_t flits = 0;
    for (unsigned plane = 0; plane < count; plane++)
        flits += planes[plane].down[gpu].sent.flits;
    return flits;
}

/* One cycle. */
void system_plane_step(struct system_plane *plane);

#endif
