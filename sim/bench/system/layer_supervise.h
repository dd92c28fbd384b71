/* SPDX-License-Identifier: Apache-2.0 */
/* What no GPU can know alone: when all may go on. All stand in the same cycle then, between two turns of the workers. */
#ifndef BENCH_LAYER_SUPERVISE_H
#define BENCH_LAYER_SUPERVISE_H

#include "bench/system/layer_system.h"

/* After each turn: the phases of the round go on, and what is withheld or put between is told so. Ends the run as a mismatch
 * when a flit was sent while its link was down. */
void layer_supervise(struct layer_system *system);

/* The round is over: all that it counted was read. */
bool layer_supervise_over(const struct layer_system *system);

#endif
