/* SPDX-License-Identifier: Apache-2.0 */
/* Random stalls: when a source holds back, or a sink is not ready. */
#ifndef KIT_STALL_H
#define KIT_STALL_H

#include "kit/random.h"

enum stall_kind {
    STALL_NONE,   /* never */
    STALL_LIGHT,  /* one cycle in eight */
    STALL_HEAVY,  /* three cycles in four */
    STALL_BURSTS, /* runs of 1..32 free cycles, then runs of 1..64 stalled ones */
    STALL_MIXED,  /* one of the above, drawn anew every 256 cycles */
    STALL_KINDS
};

struct stall {
    enum stall_kind kind;
    enum stall_kind now; /* what STALL_MIXED has drawn */
    struct random_source random;
    uint32_t left;   /* cycles until the run ends (bursts) */
    uint32_t redraw; /* cycles until the next draw (mixed) */
    bool stalled;
    bool held; /* stalls, whatever the profile says, until it is let go */
};

void stall_init(struct stall *stall, enum stall_kind kind, uint64_t seed, const char *name);

/* Another kind from now on. */
void stall_set(struct stall *stall, enum stall_kind kind);

/* Whether to stall in this cycle; call once a cycle. */
bool stall_next(struct stall *stall);

/* The kind of that name ("none", "light", "heavy", "bursts", "mixed"), -1 when there is none. */
int stall_kind_of(const char *name);

#endif
