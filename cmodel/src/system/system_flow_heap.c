/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_flow_heap.h"

#include <stdlib.h>

static bool before(const struct system_event *a, const struct system_event *b)
{
    return a->time < b->time || (a->time <= b->time && a->number < b->number);
}

bool system_heap_push(struct system_heap *heap, const struct system_event *event)
{
    if (heap->count == heap->capacity) {
        const size_t capacity = heap->capacity == 0 ? 256 : 2 * heap->capacity;
        struct system_event *events = realloc(heap->events, capacity * sizeof *events);
        if (events == NULL)
            return false;
        heap->events = events;
        heap->capacity = capacity;
    }
    size_t at = heap->count++;
    for (; at > 0 && before(event, &heap->events[(at - 1) / 2]); at = (at - 1) / 2)
        heap->events[at] = heap->events[(at - 1) / 2];
    heap->events[at] = *event;
    return true;
}

struct system_event system_heap_pop(struct system_heap *heap)
{
    const struct system_event first = heap->events[0], *last = &heap->events[--heap->count];
    for (size_t at = 0, child = 1;; at = child, child = 2 * at + 1) {
        if (child + 1 < heap->count && before(&heap->events[child + 1], &heap->events[child]))
            child++;
        if (child >= heap->count || before(last, &heap->events[child])) {
            heap->events[at] = *last;
            return first;
        }
        heap->events[at] = heap->events[child];
    }
}
