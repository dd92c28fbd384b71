/* SPDX-License-Identifier: Apache-2.0 */
/* The switch plane with a GPU at each port, and the model: what all runs of the bench share. */
#ifndef BENCH_SWITCH_PLANE_RUN_H
#define BENCH_SWITCH_PLANE_RUN_H

#include "bench/switch/switch_plane_check.h"
#include "bench/switch/switch_plane_gpu.h"
#include "bench/switch/switch_plane_pins.h"
#include "kit/axi_lite.h"

struct plane_run {
    struct bench *bench;
    struct moehub_switch_plane_config config;
    uint32_t copies, slots;                   /* copy records of an input, copy buffers of an output: of stores */
    struct plane_pins pins;
    struct plane_gpu *gpus;
    struct plane_check check;
    struct packet_log log;
    struct axi_lite registers;
    struct scoreboard counters;               /* values of the registers */
    struct random_source random;
    const struct pin *initialised, *interrupt;
    uint32_t timeout_limit;                   /* of the plane */
    bool plane_refused;                       /* a command of the plane, since the reset */
    bool went_down[MOEHUB_CROSSBAR_PORTS_MAX]; /* since the reset */
    bool unmasked;                            /* an interrupt may raise the pin */
    uint64_t causes[MOEHUB_LINK_CAUSES];      /* of all ports, over all resets */
    uint64_t exact_marks;                     /* high-water marks that could be no other */
    uint64_t resets_in_use, falls;            /* of links */
    uint64_t outages, revivals;               /* of ports, in random traffic */
    uint64_t refused_down;                    /* requests that named a port that was down, over all resets */
    uint64_t longest;                         /* latency of a link that was used */
};

/* `packets`: file for every packet; NULL: none. */
void plane_run_create(struct plane_run *run, struct bench *bench, const char *packets);
void plane_run_destroy(struct plane_run *run);

/* One cycle; `context` is the run. */
void plane_run_step(void *context);

/* Links of so many cycles a way, and places of the GPUs' receivers, from the next reset on. */
struct plane_links {
    unsigned latency;
    uint32_t places[MOEHUB_CLASSES];
};

/* Resets the design with what is inside, gives port p `links[p]`, and waits until the plane is initialised. */
void plane_run_reset(struct plane_run *run, unsigned cycles, const struct plane_links *links);

/* Nothing is on a link or at a GPU, and inside nothing but what may have been lost. */
bool plane_run_idle(const struct plane_run *run);

/* Every GPU sends nothing new, stalls nowhere, starves nothing and keeps the rules. */
void plane_run_calm(struct plane_run *run);

/* After the last part: its counts join those of the others. */
void plane_run_end(struct plane_run *run);

/* Until everything has left; then every place has to be free, and the registers to agree. */
void plane_run_empty(struct plane_run *run);
/* Calm, and empty. */
void plane_run_settle(struct plane_run *run);

#endif
