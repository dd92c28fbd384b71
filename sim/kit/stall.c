/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/stall.h"

#include <string.h>

enum { MIXED_PERIOD = 256 };

void stall_init(struct stall *stall, enum stall_kind kind, uint64_t seed, const char *name)
{
    *stall = (struct stall){.kind = kind, .now = kind};
    random_init(&stall->random, seed, name);
}

void stall_set(struct stall *stall, enum stall_kind kind)
{
    stall->kind = stall->now = kind;
    stall->redraw = 0;
}

/* Runs of free and of stalled cycles, drawn in turn. */
static bool burst_next(struct stall *stall)
{
    if (stall->left == 0) {
        stall->stalled = !stall->stalled;
        stall->left = (uint32_t)random_range(&stall->random, 1, stall->stalled ? 64 : 32);
    }
    stall->left--;
    return stall->stalled;
}

bool stall_next(struct stall *stall)
{
    if (stall->held)
        return true;
    if (stall->kind == STALL_MIXED && stall->redraw-- == 0) {
        stall->now = (enum stall_kind)random_below(&stall->random, STALL_MIXED);
        stall->redraw = MIXED_PERIOD - 1;
    }
    switch (stall->now) {
    case STALL_LIGHT:
        return random_chance(&stall->random, 1, 8);
    case STALL_HEAVY:
        return random_chance(&stall->random, 3, 4);
    case STALL_BURSTS:
        return burst_next(stall);
    default:
        return false;
    }
}

int stall_kind_of(const char *name)
{
    static const char *const names[STALL_KINDS] = {"none", "light", "heavy", "bursts", "mixed"};
    for (int i = 0; i < STALL_KINDS; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}
