/* SPDX-License-Identifier: Apache-2.0 */
/* The watcher of the pins that say something of each context: row sizes and enabled are the model's whenever a command has
 * ended and when all is quiet; a fault comes in the cycle of its event, and its context has one. */
#ifndef BENCH_HUB_CONTEXTS_H
#define BENCH_HUB_CONTEXTS_H

#include "kit/bench.h"
#include "kit/bus.h"
#include "moehub/address_path.h"

struct hub_contexts {
    struct bench *bench;
    const struct moehub_address_path *model;
    const struct pin *enabled, *faults;
    const struct pin *events; /* NULL: a top with registers */
    struct bus row_sizes;     /* of context c, stage s at c * stages + s */
    uint64_t pulses[MOEHUB_CONTEXTS_MAX]; /* of faults, since the last reset */
    uint64_t compared, told;
};

void hub_contexts_create(struct hub_contexts *contexts, struct bench *bench, const struct moehub_address_path *model);

/* Step 3 of a cycle without reset: the faults of the cycle. */
void hub_contexts_sample(struct hub_contexts *contexts);
/* Row sizes and enabled. */
void hub_contexts_compare(struct hub_contexts *contexts);
/* When all is quiet: the faults since the reset. */
void hub_contexts_compare_faults(const struct hub_contexts *contexts);

/* After a reset. */
void hub_contexts_forget(struct hub_contexts *contexts);

#endif
