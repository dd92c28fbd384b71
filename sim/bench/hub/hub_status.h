/* SPDX-License-Identifier: Apache-2.0 */
/* The watcher of the status pins: counts the events, keeps the candidates for the error latch, and checks what the other pins
 * show in the same cycles. A top with registers has no such pins (`present` is false). */
#ifndef BENCH_HUB_STATUS_H
#define BENCH_HUB_STATUS_H

#include "bench/hub/hub_flight.h"
#include "kit/bench.h"
#include "moehub/defines.h"
#include "moehub/offenders.h"

enum { HUB_OFFENDERS_MAX = 64 };

struct hub_status {
    struct bench *bench;
    const struct hub_flight *flight;
    bool present;
    const struct pin *events, *in_flight, *waiting_used, *pending_used;
    const struct pin *error_valid, *error_cause, *error_header, *error_expert, *error_port;
    uint32_t stalled; /* events of stalled streams that the cycle before asks for */
    uint64_t counters[MOEHUB_HUB_EVENTS];
    struct moehub_offender offenders[HUB_OFFENDERS_MAX]; /* the first since the list was emptied */
    size_t offender_count;
    bool parity_expected;  /* otherwise a parity error is a mismatch: nothing flips a stored bit */
    uint32_t counted_with[MOEHUB_HUB_EVENTS]; /* for each cause: all that came in a cycle where it was the smallest */
    uint64_t parity_count; /* candidates for the latch with that cause */
    unsigned parity_memory; /* the last one's memory */
};

void hub_status_create(struct hub_status *status, struct bench *bench, const struct hub_flight *flight);

/* Which streams are stalled in this cycle. */
struct hub_stalls {
    bool request, answer, table_read, table_write;
};

/* Step 3 of a cycle without reset. `up_to_date`: the model has seen all that the design has. */
void hub_status_sample(struct hub_status *status, const struct hub_stalls *stalls, bool up_to_date);

/* The pins in_flight; 0 without them. */
unsigned hub_status_in_flight(const struct hub_status *status);

/* After a reset: everything is counted anew. */
void hub_status_forget(struct hub_status *status);

#endif
