/* SPDX-License-Identifier: Apache-2.0 */
/* Events of the tile flows, earliest first; of the same time, in the order in which they were made. */
#ifndef SYSTEM_FLOW_HEAP_H
#define SYSTEM_FLOW_HEAP_H

#include "system/system_flow_state.h"

/* false: no memory, and nothing has changed. */
bool system_heap_push(struct system_heap *heap, const struct system_event *event);

/* The earliest; there must be one. */
struct system_event system_heap_pop(struct system_heap *heap);

#endif
