/* SPDX-License-Identifier: Apache-2.0 */
/* How often each cause of a receiver was met: a run that has missed one is not covered (status 4). */
#ifndef BENCH_CAUSE_COUNT_H
#define BENCH_CAUSE_COUNT_H

#include "kit/bench.h"
#include "moehub/defines.h"

struct cause_count {
    uint64_t of[MOEHUB_LINK_CAUSES];
};

/* Writes the counts of causes first .. last into the summary; a missing one ends the run, unless it is in the set `absent`. */
void cause_count_report(const struct cause_count *count, struct bench *bench, unsigned first, unsigned last, uint32_t absent);

#endif
