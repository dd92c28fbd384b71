/* SPDX-License-Identifier: Apache-2.0 */
/* Directed scenarios of the switch plane: what random traffic of honest senders never does, and cycles of a single packet. */
#ifndef BENCH_SWITCH_PLANE_SCENARIOS_H
#define BENCH_SWITCH_PLANE_SCENARIOS_H

#include "bench/switch/switch_plane_run.h"

/* Runs the named scenario, or all. False: there is none of that name. */
bool plane_scenarios_run(struct plane_run *run, const char *name);
void plane_scenarios_list(void);

#endif
