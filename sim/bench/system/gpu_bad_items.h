/* SPDX-License-Identifier: Apache-2.0 */
/* Items that a GPU gives its hub and that the hub must refuse, and count, and nothing else: no context is flagged by them
 * (rtl/doc/hub/packet_manager.md sections 3 and 4, reduce.md section 1, tile_tracker.md section 3). */
#ifndef BENCH_GPU_BAD_ITEMS_H
#define BENCH_GPU_BAD_ITEMS_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;

/* What was given, by the cause that must count it. */
struct gpu_bad_counts {
    uint64_t rows, handles, ranges, reduces, done;
    uint64_t reduce_lines, lines_answered; /* of the reduces: packets that must come, and came */
};

/* Adds what one has counted. */
void gpu_bad_counts_add(struct gpu_bad_counts *sum, const struct gpu_bad_counts *one);

/* Whether this turn's item is to be a bad one. */
bool gpu_bad_turn(struct gpu *gpu);

/* One of each stream. A row returns the status that its handle must have; the offset and mask of a store belong to `handle`,
 * that of an open row. */
unsigned gpu_bad_row(struct gpu *gpu, uint64_t *item);
void gpu_bad_store(struct gpu *gpu, uint16_t handle, uint64_t *item);
void gpu_bad_reduce(struct gpu *gpu, uint64_t *item);
void gpu_bad_done(struct gpu *gpu, uint64_t *item);

/* The context of the GPU's round that has asked for what came: a bad reduce may have named another one. */
unsigned gpu_bad_context(uint32_t tag, unsigned context);
/* The answer to a bad reduce, by its tag; false: it is none. A wrong status ends the run. */
bool gpu_bad_answer(struct gpu *gpu, uint32_t tag, unsigned status, unsigned length);

#endif
