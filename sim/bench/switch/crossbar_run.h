/* SPDX-License-Identifier: Apache-2.0 */
/* A crossbar with its stores, the receivers before it, the takers behind it, and the model: what all runs of the bench share. */
#ifndef BENCH_CROSSBAR_RUN_H
#define BENCH_CROSSBAR_RUN_H

#include "bench/switch/crossbar_inputs.h"
#include "bench/switch/crossbar_outputs.h"

struct crossbar_run {
    struct bench *bench;
    struct crossbar_config config;
    struct moehub_crossbar model;
    struct crossbar_inputs inputs;
    struct crossbar_outputs outputs;
    struct crossbar_waits waits;
    uint64_t resets_in_use;
};

void crossbar_run_create(struct crossbar_run *run, struct bench *bench);
void crossbar_run_destroy(struct crossbar_run *run);

/* One cycle; `context` is the run. */
void crossbar_run_step(void *context);

/* Resets the design, and waits until the stores are initialised. */
void crossbar_run_reset(struct crossbar_run *run, unsigned cycles);

/* Without stalls and without new packets, until all copies have left; then every place has to be free. */
void crossbar_run_settle(struct crossbar_run *run);

/* Runs until nothing has moved for so long that nothing will, while outputs are held. */
void crossbar_run_until_still(struct crossbar_run *run);

#endif
