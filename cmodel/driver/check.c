/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "access.h"

#include <inttypes.h>
#include <stddef.h>

struct limit {
    const char *name;
    uint64_t value, most;
};

int driver_check_most(struct moehub_hub *hub, const char *name, uint64_t value, uint64_t most)
{
    if (value <= most)
        return 0;
    return driver_error(hub, MOEHUB_E_ARGUMENT, "hub %u: %s is %" PRIu64 ", and may be %" PRIu64 " at most: nothing was written",
                        hub->own, name, value, most);
}

static int check_all(struct moehub_hub *hub, const struct limit *limits, size_t count)
{
    int error = 0;
    for (size_t i = 0; i < count && error == 0; i++)
        error = driver_check_most(hub, limits[i].name, limits[i].value, limits[i].most);
    return error;
}

/* The address path's row limit has 32 bits, and it and the hub's owners must mean the same rows. */
static int check_rows(struct moehub_hub *hub, const struct moehub_context_shape *shape)
{
    const uint64_t width_rows = UINT64_C(1) << hub->shape.row_index_width;
    const uint64_t rows = (uint64_t)hub->shape.gpus << shape->owner_shift;
    return driver_check_most(hub, "number of rows, GPUs << owner_shift,", rows,
                             width_rows > UINT32_MAX ? UINT32_MAX : width_rows);
}

int driver_check_shape(struct moehub_hub *hub, const struct moehub_context_shape *shape)
{
    const struct limit limits[] = {
        {"owner_shift", shape->owner_shift, 31},
        {"row_bytes[0]", shape->row_bytes[0], UINT64_C(1) << hub->shape.offset_width},
        {"row_bytes[1]", shape->row_bytes[1], UINT64_C(1) << hub->shape.offset_width},
        {"token_first", shape->token_first, UINT16_MAX},
        {"list_shift", shape->list_shift, 31},
        {"tile_shift", shape->tile_shift, 12},
        {"tile_first", shape->tile_first, UINT16_MAX},
        {"tile_count", shape->tile_count, UINT16_MAX + UINT64_C(1)},
    };
    const int error = check_all(hub, limits, sizeof limits / sizeof *limits);
    return error != 0 ? error : check_rows(hub, shape);
}

int driver_check_region(struct moehub_hub *hub, const struct moehub_hub_region *region)
{
    const struct limit limits[] = {
        {"tile_first of a region", region->tile_first, UINT16_MAX},
        {"tile_count of a region", region->tile_count, UINT16_MAX + UINT64_C(1)},
    };
    return check_all(hub, limits, sizeof limits / sizeof *limits);
}
