/* SPDX-License-Identifier: Apache-2.0 */
/* The part of the judge that knows groups (rtl/doc/plane/groups.md): when each returns to the free list, how long its
 * quarantine was, and which ports were told as missing. Called by reduction_check.c with the cycles of the pins. */
#ifndef BENCH_REDUCTION_GROUPS_H
#define BENCH_REDUCTION_GROUPS_H

#include "bench/switch/reduction_missing.h"
#include "kit/scoreboard.h"
#include "moehub/reduction_buffer.h"

enum { REDUCTION_LINES_MAX = 8 };

struct reduction_group {
    uint64_t grant_cycle; /* when its grant was taken; 0: not yet */
    uint64_t due;         /* cycle of freed_valid by the last result and `released` */
    uint64_t overtime;    /* cycles that its quarantine has lasted beyond its time */
    bool owed;            /* nothing but a quarantine holds it */
    bool may_be_over;     /* its quarantine has lasted long enough */
};

struct reduction_groups {
    struct reduction_group *list;
    struct reduction_missing missing;
    struct scoreboard freed, told;
    unsigned calm;             /* cycles in a row with neither a timeout nor a flit that the check reads for */
    bool watched;              /* the pins are there */
    uint64_t asked[REDUCTION_LINES_MAX]; /* groups granted with so many lines, less one */
    uint64_t by_result, by_release, by_quarantine; /* what came last */
    uint64_t counted, ignored; /* `released` */
    uint64_t times_refused;    /* TIMEOUT_SET */
};

struct reduction_check;

void reduction_groups_create(struct reduction_check *check);
void reduction_groups_destroy(struct reduction_check *check);
void reduction_groups_reset(struct reduction_check *check);

/* The last flit of an entry's result was taken. */
void reduction_groups_result(struct reduction_check *check, unsigned entry, uint64_t cycle);
void reduction_groups_released(struct reduction_check *check, unsigned entry, uint64_t cycle);
void reduction_groups_granted(struct reduction_check *check, unsigned entry);
void reduction_groups_timed_out(struct reduction_check *check, unsigned entry);
void reduction_groups_freed(struct reduction_check *check, unsigned entry, uint64_t cycle);
void reduction_groups_missing(struct reduction_check *check, uint64_t ports);

/* End of a cycle; `result_ended`: the last flit of a result was taken; `judged`: the first or last flit of a partial came. */
void reduction_groups_cycle(struct reduction_check *check, uint64_t cycle, bool result_ended, bool judged);

/* What never happened was not tested: the run fails. */
void reduction_groups_demand_coverage(struct reduction_check *check);

#endif
