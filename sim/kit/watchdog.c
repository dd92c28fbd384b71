/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/watchdog.h"

#include <stdio.h>
#include <stdlib.h>

void watchdog_add(struct watchdog *watchdog, watchdog_stuck *stuck, const void *self)
{
    if (watchdog->count == WATCHDOG_QUEUES_MAX) {
        fprintf(stderr, "watchdog: more than %d queues\n", WATCHDOG_QUEUES_MAX);
        abort();
    }
    watchdog->queues[watchdog->count].stuck = stuck;
    watchdog->queues[watchdog->count++].self = self;
}

unsigned watchdog_check(const struct watchdog *watchdog, uint64_t now)
{
    unsigned stuck = 0;
    if (watchdog->limit == 0)
        return 0;
    for (unsigned i = 0; i < watchdog->count; i++) {
        char text[256];
        if (!watchdog->queues[i].stuck(watchdog->queues[i].self, now, watchdog->limit, text, sizeof text))
            continue;
        fflush(stdout);
        fprintf(stderr, "%s  %s\n", stuck == 0 ? "DEADLOCK: waiting for too long:\n" : "", text);
        stuck++;
    }
    return stuck;
}
