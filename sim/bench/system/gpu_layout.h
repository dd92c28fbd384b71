/* SPDX-License-Identifier: Apache-2.0 */
/* Where a GPU keeps what a layer needs of its memory, and what its hub is told of it (rtl/doc/hub/hub.md sections 4, 5).
 *
 * From an address on: the AL table, the row list, the regions of both stages of each local expert, target lists of the own
 * tokens, and one that is no list.
 * A region has as many slots as rows come to its expert, up to a whole tile. */
#ifndef BENCH_GPU_LAYOUT_H
#define BENCH_GPU_LAYOUT_H

#include "moehub/layer.h"

enum { GPU_LAYOUT_LIST_IDS = 8, GPU_LAYOUT_LIST_FLITS_MAX = 8 };

struct gpu_region {
    uint64_t base[2];          /* of stage 0 dispatched rows, 1 combined ones */
    uint32_t rows, capacity;   /* slots */
    uint32_t tile_first, tiles;
};

struct gpu_layout {
    const struct moehub_layer *layer;
    unsigned gpu, local_experts, local_expert_bits;
    unsigned owner_shift, tile_shift, list_shift;
    uint32_t row_limit, tiles;
    uint32_t tile_first, tile_count, token_first; /* of the hub's TILES and TOKENS: the context's; 0, `tiles`, 0 */
    uint32_t row_bytes[2], stride[2];
    uint64_t table, table_bytes, list, targets, bad_list, end; /* bad_list: two ids that do not ascend */
    struct gpu_region *regions; /* a local expert */
};

/* From address `table` on, a multiple of 4 KB. `local_experts` and `local_expert_bits` are the hub's. Ends the program with
 * status 2 when they are too small. */
void gpu_layout_create(struct gpu_layout *layout, const struct moehub_layer *layer, unsigned gpu, uint64_t table,
                       unsigned local_experts, unsigned local_expert_bits, unsigned tile_shift);
/* The region takes that many rows less than come. */
void gpu_layout_shorten(struct gpu_layout *layout, unsigned expert, uint32_t slots);
void gpu_layout_destroy(struct gpu_layout *layout);

/* Row indices as the hardware has them, and as the layer has them. */
static inline uint32_t gpu_layout_index(const struct gpu_layout *layout, unsigned gpu, uint32_t token)
{
    return gpu << layout->owner_shift | token;
}
uint32_t gpu_layout_row(const struct gpu_layout *layout, uint32_t row_index);

/* Its own tokens. */
static inline uint32_t gpu_layout_tokens(const struct gpu_layout *layout)
{
    return layout->layer->gpu_tokens[layout->gpu];
}

/* The list of an own token: address, and its ids into memory from there on. */
uint64_t gpu_layout_targets(const struct gpu_layout *layout, uint32_t token);
void gpu_layout_write_targets(const struct gpu_layout *layout, uint8_t *memory);

uint64_t gpu_layout_row_address(const struct gpu_layout *layout, unsigned expert, unsigned stage, uint32_t slot);
uint64_t gpu_layout_word_address(const struct gpu_layout *layout, unsigned expert, uint32_t slot);

/* The row index in a slot's word of the row list. */
uint32_t gpu_layout_word(const struct gpu_layout *layout, const uint8_t *memory, unsigned expert, uint32_t slot);

/* Whose row of the stage has that address; false: none. */
bool gpu_layout_find_row(const struct gpu_layout *layout, unsigned stage, uint64_t address, unsigned *expert, uint32_t *slot);

#endif
