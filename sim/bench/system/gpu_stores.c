/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_stores.h"

#include "bench/system/gpu.h"

enum { WINDOW_STEP = 5, WINDOW_START = 3, GRAINS = 5, PIECES_IN_ONE = 8 };

static uint32_t pieces_of_row(const struct gpu *gpu)
{
    return (gpu->layout->row_bytes[0] + gpu->options.store_bytes - 1) / gpu->options.store_bytes;
}

uint32_t gpu_stores_of_row(const struct gpu *gpu)
{
    return pieces_of_row(gpu) * gpu->options.store_parts;
}

static uint64_t hash_of_row(const struct gpu *gpu, uint32_t row_index)
{
    return random_hash(gpu->bench->random_seed + 1, row_index);
}

static uint32_t piece_in_window(const struct gpu *gpu, uint32_t n)
{
    const uint32_t window = gpu->options.window, first = n / window * window;
    if (first + window > pieces_of_row(gpu))
        return n;
    return first + (n * WINDOW_STEP + WINDOW_START) % window;
}

struct gpu_store gpu_store_of(const struct gpu *gpu, uint32_t row_index, uint32_t n)
{
    const uint32_t parts = gpu->options.store_parts, pieces = pieces_of_row(gpu), row_bytes = gpu->layout->row_bytes[0];
    const bool together = (hash_of_row(gpu, row_index) & 1) != 0;
    const uint32_t piece = piece_in_window(gpu, together ? n / parts : n % pieces);
    const uint32_t part = together ? n % parts : n / pieces, offset = piece * gpu->options.store_bytes;
    const uint32_t left = row_bytes - offset;
    return (struct gpu_store){.row_index = row_index,
                              .number = part * pieces + piece,
                              .offset = offset,
                              .bytes = left < gpu->options.store_bytes ? left : gpu->options.store_bytes,
                              .part = part};
}

/* Bytes of a grain are in one part; of one piece in eight all are. */
bool gpu_store_has(const struct gpu *gpu, const struct gpu_store *store, uint32_t byte)
{
    if (byte >= store->bytes)
        return false;
    if (gpu->options.store_parts == 1)
        return true;
    const uint64_t piece = random_hash(hash_of_row(gpu, store->row_index), store->offset);
    const uint64_t grain = piece / PIECES_IN_ONE % GRAINS;
    const uint64_t place = piece % PIECES_IN_ONE == 0 ? 0 : 1 + (byte >> grain);
    return random_hash(piece, place) % gpu->options.store_parts == store->part;
}
