/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that a context needs of its GPU (rtl/doc/hub/driver.md section 3). The caller has it: the driver owns none. */
#ifndef MOEHUB_DRIVER_MEMORY_H
#define MOEHUB_DRIVER_MEMORY_H

#include "moehub/driver.h"

struct moehub_memory_size {
    uint64_t bytes;
    uint64_t alignment;  /* a power of two */
};

struct moehub_context_memory {
    struct moehub_memory_size table;      /* AL table, zeroed: 4 bytes for each local expert and row of the context */
    struct moehub_memory_size list;       /* row list: 4 bytes for each of 2^list_shift slots of each local expert */
    struct moehub_memory_size region[2];  /* one local expert's, of each stage; rows lie multiples of 128 bytes apart */
};

/* `capacity`: slots of a region, up to 2^SLOT_WIDTH - 1. No access to the hub. 0, or MOEHUB_E_ARGUMENT as in
 * moehub_context_create. */
int moehub_context_bytes(struct moehub_hub *hub, const struct moehub_context_shape *shape, uint32_t capacity,
                         struct moehub_context_memory *memory);

#endif
