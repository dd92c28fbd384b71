/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_layout.h"

#include "kit/allocate.h"
#include "kit/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 128, LIST_FLIT = 16, WORD = 4 };

static unsigned bits_for(uint64_t count)
{
    unsigned bits = 0;
    while ((UINT64_C(1) << bits) < count)
        bits++;
    return bits;
}

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static void count_rows(struct gpu_layout *layout)
{
    const struct moehub_layer *layer = layout->layer;
    for (uint32_t row = 0; row < layer->row_limit; row++)
        for (unsigned i = 0; i < layer->topk && moehub_layer_row_exists(layer, row); i++)
            if (moehub_layer_targets(layer, row)[i].gpu == layout->gpu)
                layout->regions[moehub_layer_targets(layer, row)[i].local].rows++;
}

static uint64_t place_regions(struct gpu_layout *layout, uint64_t at)
{
    for (unsigned expert = 0; expert < layout->local_experts; expert++)
        for (unsigned stage = 0; stage < 2; stage++) {
            layout->regions[expert].base[stage] = at;
            at += (uint64_t)layout->regions[expert].capacity * layout->stride[stage];
        }
    return at;
}

void gpu_layout_create(struct gpu_layout *layout, const struct moehub_layer *layer, unsigned gpu, uint64_t table,
                       unsigned local_experts, unsigned local_expert_bits, unsigned tile_shift)
{
    *layout = (struct gpu_layout){.layer = layer,
                                  .gpu = gpu,
                                  .local_experts = local_experts,
                                  .local_expert_bits = local_expert_bits,
                                  .tile_shift = tile_shift,
                                  .owner_shift = bits_for(layer->tokens_per_gpu),
                                  .table = table,
                                  .row_bytes = {layer->dispatch_row_bytes, layer->combine_row_bytes},
                                  .regions = allocate(local_experts, sizeof *layout->regions)};
    if (layer->placement.local_counts[gpu] > local_experts) {
        fprintf(stderr, "GPU %u has %u experts, and a hub of this build %u: build one with more LOCAL_EXPERTS\n", gpu,
                layer->placement.local_counts[gpu], local_experts);
        exit(BENCH_CONFIGURATION);
    }
    layout->row_limit = layer->gpus << layout->owner_shift;
    for (unsigned stage = 0; stage < 2; stage++)
        layout->stride[stage] = (uint32_t)round_up(layout->row_bytes[stage], LINE);
    count_rows(layout);
    uint32_t most = 1;
    for (unsigned expert = 0; expert < local_experts; expert++) {
        struct gpu_region *region = &layout->regions[expert];
        region->capacity = (uint32_t)round_up(region->rows, UINT64_C(1) << tile_shift);
        region->tile_first = layout->tiles;
        region->tiles = region->capacity >> tile_shift;
        layout->tiles += region->tiles;
        most = region->capacity > most ? region->capacity : most;
    }
    layout->tile_count = layout->tiles;
    layout->list_shift = bits_for(most) < tile_shift ? tile_shift : bits_for(most);
    layout->table_bytes = (uint64_t)WORD * local_experts * layout->row_limit;
    const uint64_t list_bytes = (UINT64_C(1) << (layout->list_shift + 2 + bits_for(local_experts)));
    layout->list = round_up(table + layout->table_bytes, list_bytes);
    layout->targets = round_up(place_regions(layout, round_up(layout->list + list_bytes, LINE)), LINE);
    layout->bad_list = gpu_layout_targets(layout, layer->tokens_per_gpu);
    layout->end = round_up(layout->bad_list + LIST_FLIT, 4096);
}

void gpu_layout_shorten(struct gpu_layout *layout, unsigned expert, uint32_t slots)
{
    struct gpu_region *region = &layout->regions[expert];
    region->rows -= slots;
    region->capacity = region->rows;
    region->tiles = (uint32_t)(round_up(region->rows, UINT64_C(1) << layout->tile_shift) >> layout->tile_shift);
}

void gpu_layout_destroy(struct gpu_layout *layout)
{
    free(layout->regions);
}

uint32_t gpu_layout_row(const struct gpu_layout *layout, uint32_t row_index)
{
    return moehub_layer_row(layout->layer, row_index >> layout->owner_shift, row_index & ((1u << layout->owner_shift) - 1));
}

uint64_t gpu_layout_targets(const struct gpu_layout *layout, uint32_t token)
{
    return layout->targets +
           (uint64_t)token * LIST_FLIT * ((layout->layer->topk + GPU_LAYOUT_LIST_IDS - 1) / GPU_LAYOUT_LIST_IDS);
}

void gpu_layout_write_targets(const struct gpu_layout *layout, uint8_t *memory)
{
    const struct moehub_layer *layer = layout->layer;
    memory[layout->bad_list] = memory[layout->bad_list + 2] = 1;
    for (uint32_t token = 0; token < gpu_layout_tokens(layout); token++) {
        const struct moehub_target *targets = moehub_layer_targets(layer, moehub_layer_row(layer, layout->gpu, token));
        uint8_t *list = memory + gpu_layout_targets(layout, token);
        for (unsigned i = 0; i < layer->topk; i++) {
            const unsigned id = (unsigned)targets[i].gpu << layout->local_expert_bits | targets[i].local;
            list[2 * i] = (uint8_t)id;
            list[2 * i + 1] = (uint8_t)(id >> 8);
        }
    }
}

uint64_t gpu_layout_row_address(const struct gpu_layout *layout, unsigned expert, unsigned stage, uint32_t slot)
{
    return layout->regions[expert].base[stage] + (uint64_t)slot * layout->stride[stage];
}

uint64_t gpu_layout_word_address(const struct gpu_layout *layout, unsigned expert, uint32_t slot)
{
    return layout->list | (uint64_t)expert << (layout->list_shift + 2) | (uint64_t)slot << 2;
}

uint32_t gpu_layout_word(const struct gpu_layout *layout, const uint8_t *memory, unsigned expert, uint32_t slot)
{
    uint32_t row_index;
    memcpy(&row_index, memory + gpu_layout_word_address(layout, expert, slot), sizeof row_index);
    return row_index;
}

bool gpu_layout_find_row(const struct gpu_layout *layout, unsigned stage, uint64_t address, unsigned *expert, uint32_t *slot)
{
    for (*expert = 0; *expert < layout->local_experts; ++*expert) {
        const struct gpu_region *region = &layout->regions[*expert];
        const uint64_t base = region->base[stage];
        if (address < base || address >= base + (uint64_t)region->capacity * layout->stride[stage])
            continue;
        *slot = (uint32_t)((address - base) / layout->stride[stage]);
        return true;
    }
    return false;
}
