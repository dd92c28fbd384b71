/* SPDX-License-Identifier: Apache-2.0 */
/* Packets that wait at a GPU, first in first out, as many as come. */
#ifndef BENCH_SWITCH_PLANE_QUEUE_H
#define BENCH_SWITCH_PLANE_QUEUE_H

#include "bench/common/packet_maker.h"
#include "bench/switch/crossbar_packets.h"

struct plane_queue {
    struct made_packet *packets; /* a ring */
    unsigned capacity, first, count;
};

/* The place of a new last packet, to be filled by the caller. */
struct made_packet *plane_queue_add(struct plane_queue *queue);

/* This packet, of this class, is the new last one. */
void plane_queue_add_built(struct plane_queue *queue, unsigned packet_class, const struct crossbar_packet *built);

static inline struct made_packet *plane_queue_head(const struct plane_queue *queue)
{
    return &queue->packets[queue->first];
}

static inline void plane_queue_drop(struct plane_queue *queue)
{
    queue->first = (queue->first + 1) % queue->capacity;
    queue->count--;
}

static inline void plane_queue_clear(struct plane_queue *queue)
{
    queue->first = queue->count = 0;
}

#endif
