/* SPDX-License-Identifier: Apache-2.0 */
#include "system/system_flow_heap.h"

#include <stdlib.h>

static bool before(const struct system_event *a, const struct system_event *b)
{
    return a->time < b->time || (a->time <= b->time && a->number < b->number);
}

static void swap(struct system_event *a, struct system_event *b)
{
    const struct system_event kept = *a;
    *a = *b;
    *b = kept;
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
    heap->events[at] = *event;
    for (; at > 0 && before(&heap->events[at], &heap->events[(at - 1) / 2]); at = (at - 1) / 2)
        swap(&heap->events[at], &heap->events[(at - 1) / 2]);
    return true;
}

struct system_event system_heap_pop(struct system_heap *heap)
{
    const struct system_event first = heap->events[0];
    heap->events[0] = heap->events[--heap->count];
    for (size_t at = 0;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap->count; child++)
            if (before(&heap->events[child], &heap->events[least]))
                least = child;
        if (least == at)
            return first;
        swap(&heap->events[at], &heap->events[least]);
        at = least;
    }
}
