/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU at a port of the switch plane: both ends of its link, the wires to the switch, what it sends and what it answers. */
#ifndef BENCH_SWITCH_PLANE_GPU_H
#define BENCH_SWITCH_PLANE_GPU_H

#include "bench/common/link_wires.h"
#include "bench/switch/switch_plane_downlink.h"
#include "bench/switch/switch_plane_responder.h"
#include "bench/switch/switch_plane_traffic.h"
#include "bench/switch/switch_plane_uplink.h"

struct plane_gpu {
    struct plane_uplink uplink;
    struct plane_downlink downlink;
    struct plane_responder responder;
    struct plane_traffic traffic;
    bool sends;                          /* random packets */
    struct link_wires up, down;          /* to the switch, from it: the same link, so they fall together */
};

/* What is at the switch's end of the link in a cycle. */
struct plane_gpu_cycle {
    bool link_up;
    struct moehub_link_flit in;          /* arrives at the switch */
    struct moehub_link_grant in_grant;   /* of the switch, for it */
    struct moehub_link_flit out;         /* leaves the switch */
    struct moehub_link_grant out_grant;  /* arrives at the switch, for it */
};

void plane_gpu_create(struct plane_gpu *gpu, const struct bench *bench, const struct moehub_switch_plane_config *config,
                      unsigned port);
void plane_gpu_destroy(struct plane_gpu *gpu);

/* Nothing is under way; the link is down and rises after `cycles`. */
void plane_gpu_reset(struct plane_gpu *gpu, unsigned latency, unsigned cycles);

/* The link falls, both directions at once, and rises again. */
void plane_gpu_fall(struct plane_gpu *gpu, struct random_source *random);

/* One cycle: in_grant and out are given, the others come back. */
void plane_gpu_step(struct plane_gpu *gpu, struct plane_gpu_cycle *now, uint64_t cycle);

/* Nothing waits, here and on the way. */
bool plane_gpu_idle(const struct plane_gpu *gpu, uint64_t cycle);

#endif
