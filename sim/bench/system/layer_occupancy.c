/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_occupancy.h"

#include <inttypes.h>
#include <stdio.h>

#include "moehub/driver.h"

enum { HALF = 16, EACH = 0, LINKS_ALONE, LOOP_ALONE };

/* A half of a register. Marks of several ways are not added up: they are of different cycles. */
static const struct {
    unsigned window, ways, number, half; /* `ways`: which windows from there on; `number` of the register, from HIGH_WATER on */
    const char *name;
} levels[] = {
    {MOEHUB_WINDOW_PACKET_MANAGER, EACH, 0, 1, "packet manager: rows open"},
    {MOEHUB_WINDOW_PACKET_MANAGER, EACH, 0, 0, "packet manager: lines that wait, of 8 flits"},
    {MOEHUB_WINDOW_ADDRESS_PATH, EACH, 0, 0, "address path: requests that wait for an entry"},
    {MOEHUB_WINDOW_ADDRESS_PATH, EACH, 0, 1, "address path: entries that are fetched"},
    {MOEHUB_WINDOW_TILE_TRACKER, EACH, 0, 0, "tile tracker: tiles whose events wait"},
    {MOEHUB_WINDOW_TILE_TRACKER, EACH, 0, 1, "tile tracker: tokens whose events wait"},
    {MOEHUB_WINDOW_FINAL_REDUCE, EACH, 0, 0, "final_reduce of a link: lines of sums"},
    {MOEHUB_WINDOW_WAY, LINKS_ALONE, 0, 0, "link: flits of stores"},
    {MOEHUB_WINDOW_WAY, LINKS_ALONE, 1, 1, "link: flits of requests"},
    {MOEHUB_WINDOW_WAY, LINKS_ALONE, 1, 0, "link: flits of responses"},
    {MOEHUB_WINDOW_WAY, LINKS_ALONE, 2, 0, "link: questions of stores"},
    {MOEHUB_WINDOW_WAY, LINKS_ALONE, 0, 1, "link: writes without a response"},
    {MOEHUB_WINDOW_WAY, LINKS_ALONE, 2, 1, "link: lines read for sums"},
    {MOEHUB_WINDOW_WAY, LOOP_ALONE, 0, 0, "loop-back: flits of stores"},
    {MOEHUB_WINDOW_WAY, LOOP_ALONE, 0, 1, "loop-back: writes without a response"},
};

unsigned layer_occupancy_registers(const struct system_shape *shape, unsigned window)
{
    if (window == MOEHUB_WINDOW_PACKET_MANAGER || window == MOEHUB_WINDOW_ADDRESS_PATH || window == MOEHUB_WINDOW_TILE_TRACKER)
        return 1;
    if (window >= MOEHUB_WINDOW_FINAL_REDUCE && window < MOEHUB_WINDOW_FINAL_REDUCE + shape->links)
        return 1;
    return window >= MOEHUB_WINDOW_WAY && window <= MOEHUB_WINDOW_WAY + shape->links ? SYSTEM_MARKS : 0;
}

static uint32_t most_of(const struct system_hub *hub, size_t level)
{
    const unsigned links = hub->shape.links, window = levels[level].window;
    unsigned first = 0, count = 1;
    if (window == MOEHUB_WINDOW_FINAL_REDUCE || levels[level].ways == LINKS_ALONE)
        count = links;
    else if (levels[level].ways == LOOP_ALONE)
        first = links;
    uint32_t most = 0;
    for (unsigned i = first; i < first + count; i++) {
        const uint32_t mark = hub->marks[window + i][levels[level].number] >> levels[level].half * HALF & 0xFFFF;
        most = mark > most ? mark : most;
    }
    return most;
}

json_t *layer_occupancy(const struct system_hub *hubs)
{
    json_t *occupancy = json_object();
    for (size_t level = 0; level < sizeof levels / sizeof *levels; level++) {
        uint32_t most = 0;
        unsigned fullest = 0;
        for (unsigned gpu = 0; gpu < hubs->shape.gpus; gpu++) {
            const uint32_t one = most_of(&hubs[gpu], level);
            fullest = one > most ? gpu : fullest;
            most = one > most ? one : most;
        }
        printf("at most: %-48s %8" PRIu32 "  (GPU %u)\n", levels[level].name, most, fullest);
        json_object_set_new(occupancy, levels[level].name,
                            json_pack("{s:I, s:I}", "most", (json_int_t)most, "gpu", (json_int_t)fullest));
    }
    return occupancy;
}
