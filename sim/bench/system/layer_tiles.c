/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_tiles.h"

#include "kit/allocate.h"
#include "kit/sort.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint64_t tile_moment(const struct gpu *gpu, uint32_t tile);

static uint64_t ready(const struct gpu *gpu, uint32_t tile)
{
    return gpu->tile_ready[tile];
}

static uint64_t began(const struct gpu *gpu, uint32_t tile)
{
    return gpu->tile_computed[tile] - gpu->options.gemm;
}

static uint64_t ended(const struct gpu *gpu, uint32_t tile)
{
    return gpu->tile_computed[tile];
}

static uint32_t tiles_of_all(const struct system_hub *hubs)
{
    uint32_t tiles = 0;
    for (unsigned gpu = 0; gpu < hubs->shape.gpus; gpu++)
        tiles += (uint32_t)gpu_rounds_sums(&hubs[gpu].rounds).tiles;
    return tiles;
}

static size_t collect_of(const struct gpu *gpu, tile_moment *moment, uint64_t *cycles)
{
    size_t count = 0;
    for (uint32_t tile = 0; tile < gpu->layout->tiles; tile++)
        if (gpu->tile_computed[tile] != 0)
            cycles[count++] = moment(gpu, tile);
    return count;
}

/* In ascending order; returns how many. */
static size_t collect(const struct system_hub *hubs, tile_moment *moment, uint64_t *cycles)
{
    size_t count = 0;
    for (unsigned i = 0; i < hubs->shape.gpus; i++)
        for (unsigned round = 0; round < hubs[i].rounds.count; round++)
            count += collect_of(&hubs[i].rounds.gpus[round], moment, cycles + count);
    sort_numbers(cycles, count);
    return count;
}

json_t *layer_tiles(const struct system_hub *hubs, uint64_t begun)
{
    static const struct {
        const char *name;
        tile_moment *moment;
    } moments[] = {{"ready", ready}, {"began", began}, {"ended", ended}};
    uint64_t *cycles = allocate(tiles_of_all(hubs) + 1, sizeof *cycles);
    json_t *tiles = json_object();
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        const size_t count = collect(hubs, moments[i].moment, cycles);
        if (count == 0)
            continue;
        const uint64_t first = cycles[0] - begun, median = cycles[(count - 1) / 2] - begun, last = cycles[count - 1] - begun;
        printf("tiles   %-5s  first %" PRIu64 "  median %" PRIu64 "  last %" PRIu64 " cycles\n", moments[i].name, first, median,
               last);
        json_object_set_new(tiles, moments[i].name,
                            json_pack("{s:I, s:I, s:I}", "first", (json_int_t)first, "median", (json_int_t)median, "last",
                                      (json_int_t)last));
        json_object_set_new(tiles, "tiles", json_integer((json_int_t)count));
    }
    free(cycles);
    return tiles;
}
