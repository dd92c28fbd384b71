/* SPDX-License-Identifier: Apache-2.0 */
/* Random packets of a GPU: stores, requests, closes, notifies; malformed ones of every cause; partials that nobody asked for. */
#ifndef BENCH_SWITCH_PLANE_TRAFFIC_H
#define BENCH_SWITCH_PLANE_TRAFFIC_H

#include "bench/switch/switch_plane_queue.h"
#include "moehub/switch_plane.h"

struct plane_traffic {
    struct packet_maker maker;
    unsigned malformed;       /* of 256: how many packets may be */
    unsigned classes;         /* set of classes that are sent */
    uint32_t next_tag;        /* of a request: no two that are under way have lines of the same tag */
    uint32_t entries;         /* of a reduction buffer */
};

void plane_traffic_create(struct plane_traffic *traffic, const struct bench *bench,
                          const struct moehub_switch_plane_config *config, unsigned port);

/* Makes a packet, which joins the queue of its class where that is short. */
void plane_traffic_draw(struct plane_traffic *traffic, struct plane_queue queues[MOEHUB_CLASSES]);

/* Makes a notify, well-formed. */
void plane_traffic_notify(struct plane_traffic *traffic, struct made_packet *packet);

#endif
