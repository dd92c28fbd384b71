/* SPDX-License-Identifier: Apache-2.0 */
/* A watchdog per queue: streams, scoreboards and memories register themselves and say what of theirs is stuck. */
#ifndef KIT_WATCHDOG_H
#define KIT_WATCHDOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WATCHDOG_QUEUES_MAX = 256, WATCHDOG_PERIOD = 64 };

/* True when something of `self` has been waiting since `now - limit` or longer; `text` then says what, where, since when. */
typedef bool watchdog_stuck(const void *self, uint64_t now, uint64_t limit, char *text, size_t size);

struct watchdog {
    struct {
        watchdog_stuck *stuck;
        const void *self;
    } queues[WATCHDOG_QUEUES_MAX];
    unsigned count;
    uint64_t limit; /* cycles; 0 switches it off */
};

void watchdog_add(struct watchdog *watchdog, watchdog_stuck *stuck, const void *self);

/* Prints every stuck queue to stderr and returns how many there are. */
unsigned watchdog_check(const struct watchdog *watchdog, uint64_t now);

#endif
