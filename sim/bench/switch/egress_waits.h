/* SPDX-License-Identifier: Apache-2.0 */
/* How long who waits at the egress, in packets of others, against the worst cases of rtl/doc/plane/switch.md section 3. */
#ifndef BENCH_EGRESS_WAITS_H
#define BENCH_EGRESS_WAITS_H

#include "kit/bench.h"
#include "moehub/egress.h"

struct egress_wait {
    bool waiting;
    unsigned packets;            /* of others, since then */
    unsigned longest;
};

struct egress_waits {
    struct bench *bench;
    struct egress_wait classes[MOEHUB_CLASSES];        /* from eligible to chosen */
    struct egress_wait sources[MOEHUB_EGRESS_SOURCES]; /* of a response, from candidate to chosen: others of its class */
};

/* After a step of the model. `sending`: a packet was being sent in that cycle. */
void egress_waits_count(struct egress_waits *waits, const struct moehub_egress *egress, bool sending);

/* Nobody waits any more: after a reset. */
void egress_waits_forget(struct egress_waits *waits);

/* The end of a run: every worst case must have been met. */
void egress_waits_check(const struct egress_waits *waits, const struct moehub_egress *egress);

#endif
