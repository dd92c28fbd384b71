/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_write_errors.h"

#include "bench/system/gpu.h"

#include <inttypes.h>

static bool is_word(const struct gpu_layout *layout, const struct memory_access *write, unsigned *expert, uint32_t *slot)
{
    const uint64_t of_expert = UINT64_C(4) << layout->list_shift;
    const uint64_t address = write->address + (write->strobes[0] != 0 ? (unsigned)__builtin_ctz(write->strobes[0]) : 0);
    if (address < layout->list || address >= layout->list + layout->local_experts * of_expert)
        return false;
    *expert = (unsigned)((address - layout->list) / of_expert);
    *slot = (uint32_t)((address - layout->list) % of_expert / 4);
    return true;
}

void gpu_write_failed(struct gpu *gpu, unsigned way, const struct memory_access *write)
{
    const struct gpu_layout *layout = gpu->layout;
    struct gpu_write_errors *errors = &gpu->write_errors;
    unsigned expert;
    uint32_t slot;
    if (!is_word(layout, write, &expert, &slot) && !gpu_layout_find_row(layout, 0, write->address, &expert, &slot))
        bench_fail(gpu->bench, BENCH_MISMATCH, "GPU %u: a write that is neither in the row list nor in a region: 0x%" PRIx64,
                   layout->gpu, write->address);
    if (errors->ways[way]++ == 0)
        errors->first[way] = (uint16_t)(gpu_layout_word(layout, gpu->memory, expert, slot) >> layout->owner_shift);
    errors->tiles[layout->regions[expert].tile_first + (slot >> layout->tile_shift)] = 1;
}

uint64_t gpu_writes_failed(const struct gpu *gpu)
{
    uint64_t sum = 0;
    for (unsigned way = 0; way < GPU_WAYS_MAX; way++)
        sum += gpu->write_errors.ways[way];
    return sum;
}

bool gpu_tile_spoiled(const struct gpu *gpu, unsigned expert, uint32_t tile)
{
    return gpu->write_errors.tiles[gpu->layout->regions[expert].tile_first + tile] != 0;
}

void gpu_tell_spoiled(struct gpu *gpu, unsigned expert, uint32_t tile, uint32_t rows)
{
    gpu->counts.tiles_failed++;
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t slot = (tile << gpu->layout->tile_shift) + i;
        const uint32_t row_index = gpu_layout_word(gpu->layout, gpu->memory, expert, slot);
        gpu->options.failed_rows[gpu->layout->gpu][gpu_layout_row(gpu->layout, row_index)] = 1;
    }
}

bool gpu_row_spoiled(const struct gpu *gpu, uint32_t row)
{
    for (unsigned other = 0; other < gpu->layout->layer->gpus; other++)
        if (gpu->options.failed_rows[other][row] != 0)
            return true;
    return false;
}
