/* SPDX-License-Identifier: Apache-2.0 */
/* Ideal output queues: what no switch does better. A packet whose last flit has arrived is at all its outputs at once; an
 * output sends one flit a cycle, its copies in the order of their arrival; the places that it has taken are free again when
 * it has arrived, so that only the way of the credits limits a source. */
#ifndef BENCH_OUTPUT_QUEUES_H
#define BENCH_OUTPUT_QUEUES_H

#include "bench/switch/dispatch_rows.h"

/* The links on both sides of the switch. */
struct output_queues_link {
    uint32_t loop;         /* cycles: there and the credits back, together */
    uint32_t places;       /* flits that a source may have on the way */
};

/* The cycle in which the last flit has left, when every source has all its rows ready in cycle 0. */
uint64_t output_queues_cycles(const struct dispatch_rows *rows, const struct output_queues_link *link);

#endif
