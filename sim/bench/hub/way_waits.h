/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles in which a way's stores and requests wait (events of rtl/doc/hub/ingress.md section 7), each event against what the
 * pins and what was asked and answered say of the cycle before: it must not come where it cannot be, and must come where
 * nothing else can be. Between the two lie the few cycles in which only the design knows how far it is. */
#ifndef BENCH_WAY_WAITS_H
#define BENCH_WAY_WAITS_H

#include "kit/stream.h"
#include "moehub/defines.h"

enum { WAY_ASKERS = 2, WAY_WAITS = 5 }; /* no answer place of either asker; then the three of the mover */

/* What the bench knows of an asker, before this cycle. */
struct way_asker {
    uint64_t taken, given; /* questions, answers */
    uint64_t released;     /* answers of requests that pre_reduce is done with */
    bool inside;           /* the packet of the newest question has more targets */
};

struct way_waits {
    struct bench *bench;
    const struct pin *events, *used_answers, *used_writes;
    const struct stream *questions[WAY_ASKERS], *aw, *w, *completed;
    uint32_t answers[WAY_ASKERS], writes; /* places */
    /* of the cycle before */
    bool question_stalled, completed_stalled;
    bool possible[WAY_WAITS];
    unsigned certain[WAY_WAITS]; /* cycles in a row in which it can be nothing else */
    uint64_t stalled_at;         /* AW or W, cycle */
    uint64_t met[WAY_WAITS];     /* cycles of one of them alone */
};

/* streams: of questions, of stores and requests; AW, W, completed. answers, writes: set by the caller. */
void way_waits_create(struct way_waits *self, struct bench *bench);

/* Before the edge, once a cycle. unanswered: the first store that is not answered passed, and a question of it was offered. */
void way_waits_check(struct way_waits *self, const struct way_asker askers[WAY_ASKERS], bool unanswered);

#endif
