/* SPDX-License-Identifier: Apache-2.0 */
/* How fast a dispatch goes through the crossbar: rows of a layer over links, to the last flit, against the flits of the busiest
 * direction and against ideal output queues. */
#ifndef BENCH_CROSSBAR_RATE_H
#define BENCH_CROSSBAR_RATE_H

#include "bench/switch/crossbar_run.h"

struct crossbar_rate {
    int64_t tokens, experts, topk, lines, loop;
};

/* Measures, prints, and ends the run as a mismatch when the crossbar stays too far behind ideal output queues. */
int crossbar_rate_run(struct crossbar_run *run, const struct crossbar_rate *rate);

#endif
