/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_write_errors.h"

#include "bench/system/gpu_rounds.h"

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

/* What was to be written: a word of the row list, or of a row. */
static bool find_slot(const struct gpu_layout *layout, const struct memory_access *write, unsigned *expert, uint32_t *slot)
{
    return is_word(layout, write, expert, slot) || gpu_layout_find_row(layout, 0, write->address, expert, slot);
}

static void note_first(struct gpu_way_errors *way, const struct gpu *gpu, unsigned expert, uint32_t slot)
{
    way->context = gpu->options.context;
    way->source = (uint16_t)(gpu_layout_word(gpu->layout, gpu->memory, expert, slot) >> gpu->layout->owner_shift);
}

void gpu_rounds_write_failed(struct gpu_rounds *rounds, unsigned way, const struct memory_access *write)
{
    unsigned round = rounds->first, expert;
    uint32_t slot;
    while (round < rounds->end && !find_slot(&rounds->layouts[round], write, &expert, &slot))
        round++;
    if (round == rounds->end)
        bench_fail(rounds->gpus->bench, BENCH_MISMATCH,
                   "GPU %u: a write that is neither in a row list nor in a region: 0x%" PRIx64, rounds->layouts->gpu,
                   write->address);
    struct gpu *gpu = &rounds->gpus[round];
    if (rounds->writes_failed[way].writes++ == 0)
        note_first(&rounds->writes_failed[way], gpu, expert, slot);
    gpu->write_errors.writes++;
    gpu->write_errors.tiles[gpu->layout->regions[expert].tile_first + (slot >> gpu->layout->tile_shift)] = 1;
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
