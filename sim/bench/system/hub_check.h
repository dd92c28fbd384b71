/* SPDX-License-Identifier: Apache-2.0 */
/* A whole hub beside its model (moehub/hub_top.h): the model is shown what crosses the hub's edge in each cycle, in the order of
 * causes: flits, memory, streams. What it says cannot be ends the run as a mismatch. */
#ifndef BENCH_HUB_CHECK_H
#define BENCH_HUB_CHECK_H

#include "bench/system/gpu_memory.h"
#include "kit/bench.h"
#include "moehub/csr.h"
#include "moehub/hub_top.h"

struct hub_check {
    struct bench *bench;
    bool on;
    unsigned store_words[2];     /* of an item of the stream: mask, data */
    struct moehub_hub_top model;
    struct memory_watch data, list, table;
    unsigned table_beat;         /* bytes */
    uint64_t closed[MOEHUB_HUB_TOP_CONTEXTS];   /* cycle of the own close, 0: none */
    uint64_t timeouts[MOEHUB_HUB_TOP_CONTEXTS]; /* cycles of its timers */
    bool interrupt;              /* the pin */
    uint64_t caught;             /* offenders that latches had and the model knows */
    uint64_t compared;           /* packets, handles, events, lines of sums, accesses, counters that the hub gave */
};

/* The parameters of a hub's description, the RTL's defaults for all that it does not name. */
struct moehub_hub_top_config hub_check_config(const char *description);

/* `on` false: everything below does nothing. The hub's parameters are those of its description. */
void hub_check_create(struct hub_check *check, struct bench *bench, const char *description, unsigned own, bool on);
void hub_check_destroy(struct hub_check *check);

/* Software: a context is set up, with the regions of all local experts; its round begins; it closes; is about to be aborted, and
 * has been; is about to stop, and has. */
void hub_check_open(struct hub_check *check, unsigned context, const struct moehub_context_shape *shape);
void hub_check_region(struct hub_check *check, unsigned context, unsigned expert, const struct moehub_hub_region *region);
void hub_check_start(struct hub_check *check, unsigned context, unsigned round);
void hub_check_close(struct hub_check *check, unsigned context);
void hub_check_abort(struct hub_check *check, unsigned context);
void hub_check_aborted(struct hub_check *check, unsigned context);
void hub_check_disable(struct hub_check *check, unsigned context);
void hub_check_stop(struct hub_check *check, unsigned context);

/* Items of the streams, as the bench has them; NULL: none in this cycle. */
void hub_check_row(struct hub_check *check, const uint64_t *item);
void hub_check_store(struct hub_check *check, const uint64_t *item);
void hub_check_reduce(struct hub_check *check, const uint64_t *item);
void hub_check_done(struct hub_check *check, const uint64_t *item);
void hub_check_handle(struct hub_check *check, const uint64_t *item);
void hub_check_ready(struct hub_check *check, const uint64_t *item);
void hub_check_reduced(struct hub_check *check, unsigned link, const uint64_t *data, uint64_t user, bool last);

/* A cycle of a link: what left, what arrived, credits that came. */
void hub_check_link(struct hub_check *check, unsigned link, const struct moehub_link_flit *left,
                    const struct moehub_link_flit *arrived, const struct moehub_link_grant *grant);

/* The link fell, after that. */
void hub_check_link_fell(struct hub_check *check, unsigned link);

/* The pin interrupt_request, in each cycle. */
void hub_check_interrupt(struct hub_check *check, bool high);

/* Software has read a window's error latch; the rest when nothing is inside: and has freed it, has taken events, has written a
 * mask; has read which windows ask. */
void hub_check_latch(struct hub_check *check, unsigned window, const struct moehub_hub_offender *offender);
void hub_check_offender(struct hub_check *check, unsigned window, const struct moehub_hub_offender *offender);
void hub_check_events(struct hub_check *check, unsigned window, uint32_t events);
void hub_check_mask(struct hub_check *check, unsigned window, uint32_t mask);
void hub_check_interrupts(struct hub_check *check, uint32_t windows);

/* Counters of a window, since reset. */
void hub_check_counters(struct hub_check *check, unsigned window, unsigned events, const uint64_t *values);

#endif
