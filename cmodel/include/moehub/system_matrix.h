/* SPDX-License-Identifier: Apache-2.0 */
/* Plain unicast of a traffic matrix at packet level (system_packet.h): all flows at once, one target a packet, a switch plane for
 * each link of a GPU. Pieces of at most `lines` lines of a flow take the planes in turn, whatever the GPU's other flows do. */
#ifndef MOEHUB_SYSTEM_MATRIX_H
#define MOEHUB_SYSTEM_MATRIX_H

#include "moehub/system_packet.h"
#include "moehub/traffic_matrix.h"

struct moehub_system_matrix_options {
    uint32_t lines;   /* 1..128 */
    unsigned planes;  /* 1..64 */
    uint32_t seed;    /* at least 1, of the order in which a GPU sends */
    bool ideal_plane; /* system_packet.h */
};

struct moehub_system_matrix_result {
    uint64_t bytes;          /* of all flows */
    uint64_t busiest_bytes;  /* of the GPU that sends or receives most */
    uint64_t cycles;         /* until the last packet has left its switch */
    uint64_t ideal_cycles;   /* flits of the busiest direction of a GPU, evenly on its links */
    uint64_t packets;        /* that came */
    uint32_t lines;          /* of a piece: at most what was asked for */
};

/* 0, or an error with a sentence: those of moehub_system_packet_run and of moehub_traffic_matrix_layer, MOEHUB_E_ARGUMENT for a
 * matrix without flows. */
int moehub_system_matrix_run(const struct moehub_system_constants *constants, const struct moehub_traffic_matrix *matrix,
                             const struct moehub_system_matrix_options *options, struct moehub_system_matrix_result *result,
                             struct moehub_message *message);

#endif
