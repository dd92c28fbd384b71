/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/crossbar_traffic.h"

#include "kit/allocate.h"

#include <stdlib.h>

enum { MOOD_PACKETS_MAX = 600 };

void crossbar_traffic_create(struct crossbar_traffic *traffic, const struct crossbar_kind *kind, uint64_t seed)
{
    *traffic = (struct crossbar_traffic){.kind = *kind, .inputs = allocate(kind->ports, sizeof *traffic->inputs)};
    random_init(&traffic->random, seed, "traffic");
}

void crossbar_traffic_destroy(struct crossbar_traffic *traffic)
{
    free(traffic->inputs);
    *traffic = (struct crossbar_traffic){0};
}

/* The link broke off, or the packet ended too early: the receiver rejects what came. */
static void cut(struct crossbar_packet *packet, struct random_source *random)
{
    if (!packet->good && random_chance(random, 1, 2))
        packet->packet.count = (uint32_t)random_range(random, 1, packet->packet.count);
}

static void draw(struct crossbar_traffic *traffic, unsigned input)
{
    struct crossbar_traffic_input *own = &traffic->inputs[input];
    if (traffic->mood_left == 0) {
        traffic->mood = crossbar_mood_draw(&traffic->kind, &traffic->random);
        traffic->mood_left = (uint32_t)random_range(&traffic->random, 1, MOOD_PACKETS_MAX);
        for (unsigned i = 0; i < traffic->kind.ports; i++)
            traffic->inputs[i].burst_left = 0;
    }
    traffic->mood_left--;
    if (own->burst_left == 0) {
        crossbar_draw_targets(&traffic->kind, &traffic->mood, input, &traffic->random, &own->targets);
        own->burst_left = traffic->mood.burst;
    }
    own->burst_left--;
    crossbar_draw_packet(&traffic->kind, &traffic->mood, input, &own->targets, &traffic->random, &own->packet);
    cut(&own->packet, &traffic->random);
    own->waits = true;
}

static bool next(void *self, unsigned input, unsigned places, struct crossbar_packet *packet)
{
    struct crossbar_traffic *traffic = self;
    struct crossbar_traffic_input *own = &traffic->inputs[input];
    if (!own->waits)
        draw(traffic, input);
    if (own->packet.packet.count > places)
        return false;
    *packet = own->packet;
    own->waits = false;
    return true;
}

struct crossbar_stimulus crossbar_traffic_stimulus(struct crossbar_traffic *traffic)
{
    return (struct crossbar_stimulus){.self = traffic, .next = next};
}
