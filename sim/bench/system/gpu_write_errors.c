/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_write_errors.h"

#include "bench/system/gpu.h"

#include <inttypes.h>
#include <string.h>

struct place {
    unsigned expert;
    uint32_t slot;
};

static uint32_t row_index_at(const struct gpu *gpu, const struct place *place)
{
    uint32_t row_index;
    memcpy(&row_index, gpu->memory + gpu_layout_word_address(gpu->layout, place->expert, place->slot), sizeof row_index);
    return row_index;
}

static bool is_word(const struct gpu *gpu, const struct memory_access *write, struct place *place)
{
    const struct gpu_layout *layout = gpu->layout;
    const uint64_t of_expert = UINT64_C(4) << layout->list_shift;
    const uint64_t address = write->address + (write->strobes[0] != 0 ? (unsigned)__builtin_ctz(write->strobes[0]) : 0);
    if (address < layout->list || address >= layout->list + layout->local_experts * of_expert)
        return false;
    const uint64_t offset = address - layout->list;
    *place = (struct place){(unsigned)(offset / of_expert), (uint32_t)(offset % of_expert / 4)};
    return true;
}

static bool is_line(const struct gpu *gpu, const struct memory_access *write, struct place *place)
{
    const struct gpu_layout *layout = gpu->layout;
    for (unsigned expert = 0; expert < layout->local_experts; expert++) {
        const struct gpu_region *region = &layout->regions[expert];
        if (write->address < region->base[0] ||
            write->address >= region->base[0] + (uint64_t)region->capacity * layout->stride[0])
            continue;
        *place = (struct place){expert, (uint32_t)((write->address - region->base[0]) / layout->stride[0])};
        return true;
    }
    return false;
}

void gpu_write_failed(struct gpu *gpu, unsigned way, const struct memory_access *write)
{
    struct gpu_write_errors *errors = &gpu->write_errors;
    struct place place;
    if (!is_word(gpu, write, &place) && !is_line(gpu, write, &place))
        bench_fail(gpu->bench, BENCH_MISMATCH, "GPU %u: a write that is neither in the row list nor in a region: 0x%" PRIx64,
                   gpu->layout->gpu, write->address);
    if (errors->ways[way]++ == 0)
        errors->first[way] = (uint16_t)(row_index_at(gpu, &place) >> gpu->layout->owner_shift);
    errors->tiles[gpu->layout->regions[place.expert].tile_first + (place.slot >> gpu->layout->tile_shift)] = 1;
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
    if (!gpu_tile_spoiled(gpu, expert, tile))
        return;
    gpu->counts.tiles_failed++;
    for (uint32_t i = 0; i < rows; i++) {
        const struct place place = {expert, (tile << gpu->layout->tile_shift) + i};
        gpu->options.failed_rows[gpu->layout->gpu][gpu_layout_row(gpu->layout, row_index_at(gpu, &place))] = 1;
    }
}

bool gpu_row_spoiled(const struct gpu *gpu, uint32_t row)
{
    for (unsigned other = 0; other < gpu->layout->layer->gpus; other++)
        if (gpu->options.failed_rows[other][row] != 0)
            return true;
    return false;
}
