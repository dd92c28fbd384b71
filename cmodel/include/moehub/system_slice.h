/* SPDX-License-Identifier: Apache-2.0 */
/* A slice: some rows of one link of a layer, run by packets, to learn which share of its busiest link a layer of that shape has.
 *
 * A slice has the layer's GPUs, copies, lines of a row and loads. Its rows are drawn so that each GPU gets exactly the rows that
 * its load says; which rows those are, and their order, is random, as in a layer that is drawn. So a slice is never the layer
 * that it speaks for. Method and limits: cmodel/doc/system.md, "Tile flows". */
#ifndef MOEHUB_SYSTEM_SLICE_H
#define MOEHUB_SYSTEM_SLICE_H

#include "moehub/system_load.h"
#include "moehub/system_packet.h"
#include "moehub/system_transfer.h"

enum { MOEHUB_SYSTEM_SLICE_GPUS_MAX = MOEHUB_SYSTEM_CLASSES_MAX, MOEHUB_SYSTEM_SLICE_TOPK_MAX = 32 };

struct moehub_system_slice {
    unsigned gpus, topk;
    uint32_t dispatch_lines, combine_lines;  /* of 128 B */
    uint32_t rows;       /* of a GPU on one link */
    unsigned draws;      /* that are run; what counts is their mean */
    bool in_switch;      /* multicast and reduction there; else pieces of 1 KB, one for each receiver, both ways */
    double hits[MOEHUB_SYSTEM_SLICE_GPUS_MAX];  /* chance that a row of another GPU goes here, to a millionth */
};

/* What the packet level says of a slice. */
struct moehub_system_slice_result {
    double share[MOEHUB_SYSTEM_PATTERNS];    /* of the busiest link's time, latency of one packet taken off */
    double spread[MOEHUB_SYSTEM_PATTERNS];   /* standard deviation of a draw's time over the mean */
};

/* The slice of a layer on a machine with `links` links a GPU: `load` has a class for each GPU, or, of more than fit, some. */
void moehub_system_slice_of(struct moehub_system_slice *slice, const struct moehub_system_constants *constants,
                            const struct moehub_system_load *load, const struct moehub_system_work *work, bool in_switch);

/* One draw as a layer, the caller's to destroy. 0 or MOEHUB_E_MEMORY. */
int moehub_system_slice_draw(const struct moehub_system_slice *slice, uint32_t seed, struct moehub_layer *layer);

/* The phase that runs what shares a link. */
enum moehub_system_packet_phase moehub_system_slice_phase(enum moehub_system_pattern pattern);

/* Cycles from the last flit that a source can send to the end of what it asks for: there is nothing to overlap it with. */
double moehub_system_slice_latency(const struct moehub_system_constants *constants, enum moehub_system_pattern pattern);

/* Runs all draws in all patterns. 0 or an error with a sentence. Cost: `draws` runs of the packet level for each pattern. */
int moehub_system_slice_run(const struct moehub_system_constants *constants, const struct moehub_system_slice *slice,
                            struct moehub_system_slice_result *result, struct moehub_message *message);

#endif
