/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that a context needs. */
#include "access.h"
#include "check.h"

#include "moehub/driver_memory.h"

enum { WORD = 4, LINE = 128 };

/* Experts are address bits of the row list: their number counts as the next power of two. */
static uint64_t list_bytes(const struct moehub_hub *hub, const struct moehub_context_shape *shape)
{
    uint64_t bytes = (uint64_t)WORD << shape->list_shift;
    for (uint64_t experts = 1; experts < hub->shape.local_experts; experts *= 2)
        bytes *= 2;
    return bytes;
}

static uint64_t region_bytes(uint32_t row_bytes, uint32_t capacity)
{
    return ((uint64_t)row_bytes + LINE - 1) / LINE * LINE * capacity;
}

int moehub_context_bytes(struct moehub_hub *hub, const struct moehub_context_shape *shape, uint32_t capacity,
                         struct moehub_context_memory *memory)
{
    int error = driver_check_shape(hub, shape);
    if (error == 0)
        error = driver_check_most(hub, "capacity", capacity, (UINT64_C(1) << hub->shape.slot_width) - 1);
    if (error != 0)
        return error;
    const uint64_t rows = (uint64_t)hub->shape.gpus << shape->owner_shift;
    const uint64_t list = list_bytes(hub, shape);
    *memory = (struct moehub_context_memory){
        .table = {WORD * rows * hub->shape.local_experts, WORD},
        .list = {list, list},
        .region = {{region_bytes(shape->row_bytes[0], capacity), LINE}, {region_bytes(shape->row_bytes[1], capacity), LINE}},
    };
    return 0;
}
