/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of `missing`: the ports that timed-out entries still missed, in the order of the timeouts (rtl/doc/plane/groups.md
 * section 4). A number that finds the queue of 4 full is lost, and how full the queue is cannot be seen. So the judge
 * keeps every way in which what was told fits what was expected, and fails when none is left. */
#ifndef BENCH_REDUCTION_MISSING_H
#define BENCH_REDUCTION_MISSING_H

#include <stdbool.h>
#include <stdint.h>

enum { REDUCTION_MISSING_QUEUE = 4 };

struct reduction_missing {
    uint64_t *sets;       /* expected, the oldest first */
    bool *may_be_lost;    /* so many were waiting that the queue could be full */
    bool *reached;        /* [count + 1]: perhaps the first i are over, told or lost */
    unsigned count, capacity;
    uint64_t told;
};

/* Room for `capacity` numbers that wait. Ends the program when there is no memory. */
void reduction_missing_create(struct reduction_missing *missing, unsigned capacity);
void reduction_missing_destroy(struct reduction_missing *missing);
void reduction_missing_forget(struct reduction_missing *missing);

/* An entry timed out that missed `ports`. False: more wait than there is room for. */
bool reduction_missing_expect(struct reduction_missing *missing, uint64_t ports);

/* `ports` was told. False: it fits nothing that is expected. */
bool reduction_missing_tell(struct reduction_missing *missing, uint64_t ports);

/* The queue has had time enough to become empty: what is still expected must have been lost. False: it cannot have been. */
bool reduction_missing_end(struct reduction_missing *missing);

/* Numbers that wait, at most. */
static inline unsigned reduction_missing_waiting(const struct reduction_missing *missing)
{
    return missing->count;
}

#endif
