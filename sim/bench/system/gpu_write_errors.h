/* SPDX-License-Identifier: Apache-2.0 */
/* Writes of received rows that a GPU's memory answers with an error, and what must follow (rtl/doc/hub/tile_tracker.md sections 3
 * and 8): the row's tile is told as failed, so are the owners' tokens with a row in it, and the way latches the first. The bytes
 * are written all the same. */
#ifndef BENCH_GPU_WRITE_ERRORS_H
#define BENCH_GPU_WRITE_ERRORS_H

#include "bench/system/gpu_memory.h"

enum { GPU_WAYS_MAX = GPU_MEMORY_PORTS };

struct gpu;

/* Of one round. */
struct gpu_write_errors {
    uint64_t writes;
    uint8_t *tiles; /* one of its writes failed */
};

/* Of one way, in all rounds: how many, and what the first one's header has. */
struct gpu_way_errors {
    uint64_t writes;
    unsigned context;
    uint16_t source;
};

/* Of all rounds that are on. */
struct gpu_rounds;
void gpu_rounds_write_failed(struct gpu_rounds *rounds, unsigned way, const struct memory_access *write);

/* Whether the tile must be told as failed for that; it is told. */
bool gpu_tile_spoiled(const struct gpu *gpu, unsigned expert, uint32_t tile);
void gpu_tell_spoiled(struct gpu *gpu, unsigned expert, uint32_t tile, uint32_t rows);

/* Whether a GPU has told a failed tile with that row of the layer. */
bool gpu_row_spoiled(const struct gpu *gpu, uint32_t row);

#endif
