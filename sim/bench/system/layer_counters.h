/* SPDX-License-Identifier: Apache-2.0 */
/* What all hubs and planes have counted in a round, compared with what the links brought and the GPUs did. */
#ifndef BENCH_LAYER_COUNTERS_H
#define BENCH_LAYER_COUNTERS_H

#include "bench/system/system_hub.h"
#include "bench/system/system_plane.h"

/* After a round in which nothing is on its way any more and all counters were read. `whole`: nobody failed in it, so what the
 * layer says was done in full. Returns how many counters were compared; one that is wrong ends the run as a mismatch. */
uint64_t layer_counters_check(const struct system_plane *planes, struct system_hub *hubs, bool whole);

#endif
