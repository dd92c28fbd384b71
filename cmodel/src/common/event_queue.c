/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/event_queue.h"

#include "moehub/error.h"

#include <stdlib.h>
#include <string.h>

int moehub_event_queue_create(struct moehub_event_queue *queue, size_t capacity, size_t item_bytes)
{
    *queue = (struct moehub_event_queue){.capacity = capacity, .item_bytes = item_bytes};
    if (capacity < 1 || item_bytes < 1)
        return MOEHUB_E_ARGUMENT;
    queue->events = calloc(capacity, sizeof *queue->events);
    queue->items = calloc(capacity, item_bytes);
    if (queue->events == NULL || queue->items == NULL) {
        moehub_event_queue_destroy(queue);
        return MOEHUB_E_MEMORY;
    }
    for (size_t place = 0; place < capacity; place++)
        queue->events[place].place = place;
    return 0;
}

void moehub_event_queue_destroy(struct moehub_event_queue *queue)
{
    if (queue == NULL)
        return;
    free(queue->events);
    free(queue->items);
    *queue = (struct moehub_event_queue){0};
}

void moehub_event_queue_clear(struct moehub_event_queue *queue)
{
    queue->count = 0;
}

/* Puts an event into the hole at `hole`, or above it. */
static void rise(struct moehub_event *heap, size_t hole, struct moehub_event event)
{
    while (hole > 0 && event.due < heap[(hole - 1) / 2].due) {
        heap[hole] = heap[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    heap[hole] = event;
}

/* Puts an event into the hole at the top of `count` events, or below it. */
static void sink(struct moehub_event *heap, size_t count, struct moehub_event event)
{
    size_t hole = 0;
    for (size_t child = 1; child < count; child = 2 * hole + 1) {
        if (child + 1 < count && heap[child + 1].due < heap[child].due)
            child++;
        if (event.due <= heap[child].due)
            break;
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = event;
}

int moehub_event_queue_push(struct moehub_event_queue *queue, uint64_t due, const void *item)
{
    if (queue->count == queue->capacity)
        return MOEHUB_E_LIMIT;
    const struct moehub_event event = {due, queue->events[queue->count].place};
    memcpy(queue->items + event.place * queue->item_bytes, item, queue->item_bytes);
    rise(queue->events, queue->count++, event);
    return 0;
}

bool moehub_event_queue_pop(struct moehub_event_queue *queue, uint64_t now, void *item)
{
    if (queue->count == 0 || queue->events[0].due > now)
        return false;
    const struct moehub_event first = queue->events[0];
    memcpy(item, queue->items + first.place * queue->item_bytes, queue->item_bytes);
    const size_t last = --queue->count;
    sink(queue->events, last, queue->events[last]);
    queue->events[last] = first;
    return true;
}
