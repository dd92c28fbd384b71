/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_missing.h"

#include "kit/allocate.h"

#include <stdlib.h>
#include <string.h>

void reduction_missing_create(struct reduction_missing *missing, unsigned capacity)
{
    *missing = (struct reduction_missing){.capacity = capacity};
    missing->sets = allocate(capacity, sizeof *missing->sets);
    missing->may_be_lost = allocate(capacity, sizeof *missing->may_be_lost);
    missing->reached = allocate(capacity + 1, sizeof *missing->reached);
    reduction_missing_forget(missing);
}

void reduction_missing_destroy(struct reduction_missing *missing)
{
    free(missing->sets);
    free(missing->may_be_lost);
    free(missing->reached);
}

void reduction_missing_forget(struct reduction_missing *missing)
{
    missing->count = 0;
    missing->reached[0] = true;
}

/* Drops what is over in every way that is left. */
static void forget_oldest(struct reduction_missing *missing)
{
    unsigned over = 0;
    while (!missing->reached[over])
        over++;
    missing->count -= over;
    memmove(missing->sets, missing->sets + over, missing->count * sizeof *missing->sets);
    memmove(missing->may_be_lost, missing->may_be_lost + over, missing->count * sizeof *missing->may_be_lost);
    memmove(missing->reached, missing->reached + over, (missing->count + 1) * sizeof *missing->reached);
}

bool reduction_missing_expect(struct reduction_missing *missing, uint64_t ports)
{
    if (missing->count == missing->capacity)
        return false;
    missing->sets[missing->count] = ports;
    missing->may_be_lost[missing->count] = missing->count >= REDUCTION_MISSING_QUEUE;
    missing->count++;
    missing->reached[missing->count] = false;
    return true;
}

/* A number that may be lost can be over before anything is told. */
static void lose(struct reduction_missing *missing)
{
    for (unsigned i = 0; i < missing->count; i++)
        missing->reached[i + 1] |= missing->reached[i] && missing->may_be_lost[i];
}

bool reduction_missing_tell(struct reduction_missing *missing, uint64_t ports)
{
    bool fits = false;
    lose(missing);
    for (unsigned i = missing->count; i > 0; i--) {
        missing->reached[i] = missing->reached[i - 1] && missing->sets[i - 1] == ports;
        fits |= missing->reached[i];
    }
    missing->reached[0] = false;
    if (!fits)
        return false;
    missing->told++;
    forget_oldest(missing);
    return true;
}

bool reduction_missing_end(struct reduction_missing *missing)
{
    lose(missing);
    const bool over = missing->reached[missing->count];
    reduction_missing_forget(missing);
    return over;
}
