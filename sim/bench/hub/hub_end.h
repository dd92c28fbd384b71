/* SPDX-License-Identifier: Apache-2.0 */
/* The end check: whatever can be compared only while nothing is in flight - counters, accesses, table entries, the error
 * latch's candidates - and what the run has covered. */
#ifndef BENCH_HUB_END_H
#define BENCH_HUB_END_H

#include "kit/axi_memory.h"
#include "kit/scoreboard.h"
#include "moehub/address_path.h"

struct hub_path;

struct hub_end {
    struct scoreboard state;
    struct axi_memory_counts counts_at_reset;
    uint64_t totals[MOEHUB_HUB_ORDER_EVENTS]; /* over resets too */
    uint64_t offenders_checked, settles;
    bool demand_coverage; /* every order-only event must have happened */
};

void hub_end_create(struct hub_end *end, struct bench *bench);

/* Compares all of it; the path is quiet. `all`: every table entry ever seen, not only those written since the last time. */
void hub_end_compare(struct hub_path *path, bool all);

/* What was counted since the last reset joins the totals. */
void hub_end_keep_totals(struct hub_path *path);

/* Coverage and measurements, for the summary. */
void hub_end_report(struct hub_path *path);

#endif
