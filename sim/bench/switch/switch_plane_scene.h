/* SPDX-License-Identifier: Apache-2.0 */
/* What the scenarios of the switch plane share: a plane at rest, GPUs that starve or fall silent, packets made to order. */
#ifndef BENCH_SWITCH_PLANE_SCENE_H
#define BENCH_SWITCH_PLANE_SCENE_H

#include "bench/switch/crossbar_packets.h"
#include "bench/switch/switch_plane_run.h"

enum {
    SCENE_STILL = 100,         /* cycles in which nothing has moved: nothing will */
    SCENE_PLACES = 2048,       /* of a GPU's receiver */
    SCENE_ALL = (1 << MOEHUB_CLASSES) - 1,     /* classes */
    SCENE_NO_REQUESTS = 1 << MOEHUB_CLASS_STORE | 1 << MOEHUB_CLASS_RESPONSE,
};

/* Every GPU has so many places a class. Those of the set `starving` grant none of them; the others have granted all. */
void plane_scene_reset(struct plane_run *run, uint32_t places, uint64_t starving);

/* A GPU grants places of these classes no more, or of none but them. */
void plane_scene_starve(struct plane_run *run, unsigned port, unsigned classes);

/* All GPUs send well-formed random packets of these classes from now on, for so many cycles; then none. */
void plane_scene_traffic(struct plane_run *run, unsigned classes, unsigned cycles);
void plane_scene_send(struct plane_run *run, unsigned port, unsigned classes);

/* Runs until no flit has crossed a link for a while. */
void plane_scene_run_until_still(struct plane_run *run);

/* A well-formed packet of the class joins the GPU's queue. */
void plane_scene_add(struct plane_run *run, unsigned port, unsigned packet_class);
/* A store of a whole line to one expert of each port of the set; a request to them, of so many units of 16 bytes. */
void plane_scene_store(struct plane_run *run, unsigned port, uint64_t to);
void plane_scene_request(struct plane_run *run, unsigned port, uint64_t to, unsigned units);
/* A packet with this header and these targets (NULL: none), with a random payload. */
void plane_scene_packet(struct plane_run *run, unsigned port, unsigned packet_class, const struct moehub_header *header,
                        const struct crossbar_targets *targets);

/* The request of a port whose group is open, and of which a copy has left; NULL: there is none. */
const struct moehub_switch_plane_request *plane_scene_open_request(const struct plane_run *run, unsigned port);

/* Any port; any but one. */
unsigned plane_scene_port(struct plane_run *run);
unsigned plane_scene_other(struct plane_run *run, unsigned port);
uint64_t plane_scene_all_but(const struct plane_run *run, unsigned port);

#endif
