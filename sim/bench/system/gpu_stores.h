/* SPDX-License-Identifier: Apache-2.0 */
/* How a GPU cuts a dispatched row into stores: pieces of STORE_BYTES, each of them one store, or of `parts` stores that have each
 * of its bytes once. Byte enables of such a part have holes of 1, 2, 4 or more bytes; some parts have no byte at all.
 * The row ends with the store of its last byte: parts without any that would follow are not given.
 *
 * Pieces come in any order within a window of them. Parts of a piece follow each other, or each goes over the whole row before
 * the next begins, as the row has it. A row is cut in the same way whenever it is asked for. */
#ifndef BENCH_GPU_STORES_H
#define BENCH_GPU_STORES_H

#include <stdbool.h>
#include <stdint.h>

enum { GPU_STORE_PARTS_MAX = 8 };

struct gpu;

struct gpu_store {
    uint32_t row_index;
    uint32_t number; /* of the row's: no two have the same */
    uint32_t offset, bytes, part;
};

/* Of a row; the one that is given as the n-th. */
uint32_t gpu_stores_of_row(const struct gpu *gpu);
struct gpu_store gpu_store_of(const struct gpu *gpu, uint32_t row_index, uint32_t n);

/* Whether the store has that byte of its piece. */
bool gpu_store_has(const struct gpu *gpu, const struct gpu_store *store, uint32_t byte);

#endif
