/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_queue.h"

#include "kit/allocate.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 16 };

static void grow(struct plane_queue *queue)
{
    const unsigned capacity = queue->capacity == 0 ? FIRST_CAPACITY : 2 * queue->capacity;
    struct made_packet *packets = allocate(capacity, sizeof *packets);
    for (unsigned i = 0; i < queue->count; i++)
        packets[i] = queue->packets[(queue->first + i) % queue->capacity];
    free(queue->packets);
    *queue = (struct plane_queue){.packets = packets, .capacity = capacity, .count = queue->count};
}

struct made_packet *plane_queue_add(struct plane_queue *queue)
{
    if (queue->count == queue->capacity)
        grow(queue);
    return &queue->packets[(queue->first + queue->count++) % queue->capacity];
}

void plane_queue_add_built(struct plane_queue *queue, unsigned packet_class, const struct crossbar_packet *built)
{
    struct made_packet *packet = plane_queue_add(queue);
    packet->packet_class = packet_class;
    packet->count = built->packet.count;
    memcpy(packet->flits, built->packet.flits, built->packet.count * sizeof *packet->flits);
}
