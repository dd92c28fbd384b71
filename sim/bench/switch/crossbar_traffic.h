/* SPDX-License-Identifier: Apache-2.0 */
/* Random packets for a crossbar's inputs. What they are like changes every few hundred packets (struct crossbar_mood), for all
 * inputs at once, so that a hot output is hot for all. */
#ifndef BENCH_CROSSBAR_TRAFFIC_H
#define BENCH_CROSSBAR_TRAFFIC_H

#include "bench/switch/crossbar_inputs.h"

struct crossbar_traffic_input {
    struct crossbar_targets targets;
    uint32_t burst_left;             /* packets that these targets still get */
    struct crossbar_packet packet;   /* waits for places */
    bool waits;
};

struct crossbar_traffic {
    struct crossbar_kind kind;
    struct random_source random;
    struct crossbar_mood mood;
    uint32_t mood_left;              /* packets */
    struct crossbar_traffic_input *inputs;
};

void crossbar_traffic_create(struct crossbar_traffic *traffic, const struct crossbar_kind *kind, uint64_t seed);
void crossbar_traffic_destroy(struct crossbar_traffic *traffic);

struct crossbar_stimulus crossbar_traffic_stimulus(struct crossbar_traffic *traffic);

#endif
