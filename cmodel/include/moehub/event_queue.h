/* SPDX-License-Identifier: Apache-2.0 */
/* What is under way, by the time at which it is due: the earliest leaves first. Which of several equals leaves first
 * depends on what was pushed and popped before and on nothing else, so that a run repeats itself.
 *
 *                 count
 *                   |
 *     events  [heap | rest]      each with the number of its place: together every place exactly once
 *     items   [place 0, place 1, ...]     `item_bytes` each, moved on the way in and out only
 *
 * A binary heap: some log2(count) comparisons to push and to pop. No allocation after create. */
#ifndef MOEHUB_EVENT_QUEUE_H
#define MOEHUB_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct moehub_event {
    uint64_t due;
    size_t place;     /* of its item */
};

struct moehub_event_queue {
    struct moehub_event *events;  /* [capacity]; the first `count` are the heap */
    unsigned char *items;
    size_t item_bytes;
    size_t capacity;
    size_t count;
};

/* Room for `capacity` items of `item_bytes` bytes, both at least 1. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure
 * nothing is left to destroy. */
int moehub_event_queue_create(struct moehub_event_queue *queue, size_t capacity, size_t item_bytes);
void moehub_event_queue_destroy(struct moehub_event_queue *queue);

/* Forgets all that is under way. */
void moehub_event_queue_clear(struct moehub_event_queue *queue);

/* Copies an item in. 0, or MOEHUB_E_LIMIT (nothing changes) when the queue is full. */
int moehub_event_queue_push(struct moehub_event_queue *queue, uint64_t due, const void *item);

/* Moves the earliest item out to `item` if it is due by `now`; false: none is. */
bool moehub_event_queue_pop(struct moehub_event_queue *queue, uint64_t now, void *item);

/* When the earliest item is due; UINT64_MAX without any. */
static inline uint64_t moehub_event_queue_next(const struct moehub_event_queue *queue)
{
    return queue->count > 0 ? queue->events[0].due : UINT64_MAX;
}

#endif
