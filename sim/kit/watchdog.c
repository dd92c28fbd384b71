/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/watchdog.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void watchdog_add(struct watchdog *watchdog, watchdog_waits *waits, const void *self)
{
    if (watchdog->count == WATCHDOG_QUEUES_MAX) {
        fprintf(stderr, "watchdog: more than %d queues\n", WATCHDOG_QUEUES_MAX);
        abort();
    }
    watchdog->queues[watchdog->count].waits = waits;
    watchdog->queues[watchdog->count++].self = self;
}

static bool look(const struct watchdog *watchdog, unsigned queue, struct watchdog_wait *wait)
{
    return watchdog->queues[queue].waits(watchdog->queues[queue].self, wait);
}

static bool is_stuck(const struct watchdog *watchdog, const struct watchdog_wait *wait, uint64_t now)
{
    return now - wait->still_since >= watchdog->limit;
}

/* The queues that wait and are stuck, or those that only wait. */
static void print(const struct watchdog *watchdog, uint64_t now, bool stuck)
{
    struct watchdog_wait wait;
    for (unsigned i = 0; i < watchdog->count; i++)
        if (look(watchdog, i, &wait) && is_stuck(watchdog, &wait, now) == stuck)
            fprintf(stderr, "  %s\n", wait.text);
}

unsigned watchdog_check(const struct watchdog *watchdog, uint64_t now)
{
    struct watchdog_wait wait;
    unsigned stuck = 0, waiting = 0;
    for (unsigned i = 0; watchdog->limit != 0 && i < watchdog->count; i++)
        if (look(watchdog, i, &wait)) {
            waiting++;
            stuck += is_stuck(watchdog, &wait, now);
        }
    if (stuck == 0)
        return 0;
    fflush(stdout);
    fprintf(stderr, "DEADLOCK: nothing of these has moved for %" PRIu64 " cycles:\n", watchdog->limit);
    print(watchdog, now, true);
    if (waiting > stuck)
        fprintf(stderr, "waiting too:\n");
    print(watchdog, now, false);
    return stuck;
}
