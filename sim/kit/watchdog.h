/* SPDX-License-Identifier: Apache-2.0 */
/* A watchdog over all queues: streams and scoreboards register themselves and say what of theirs waits.
 *
 * A queue is stuck when something of it waits and nothing of it has moved for `limit` cycles. How long one event has been
 * expected is no measure: behind a slow memory it may be old while its queue flows. */
#ifndef KIT_WATCHDOG_H
#define KIT_WATCHDOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WATCHDOG_QUEUES_MAX = 256, WATCHDOG_PERIOD = 64, WATCHDOG_TEXT = 256 };

/* What waits in a queue. */
struct watchdog_wait {
    uint64_t still_since;     /* cycle since which something waits and nothing of the queue has moved */
    char text[WATCHDOG_TEXT]; /* what waits, for what, since when */
};

/* False when nothing of `self` waits. */
typedef bool watchdog_waits(const void *self, struct watchdog_wait *wait);

struct watchdog {
    struct {
        watchdog_waits *waits;
        const void *self;
    } queues[WATCHDOG_QUEUES_MAX];
    unsigned count;
    uint64_t limit; /* cycles; 0 switches it off */
};

void watchdog_add(struct watchdog *watchdog, watchdog_waits *waits, const void *self);

/* How many queues are stuck in cycle `now`. When any is, prints them to stderr, then whatever else waits. */
unsigned watchdog_check(const struct watchdog *watchdog, uint64_t now);

#endif
