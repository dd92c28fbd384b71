/* SPDX-License-Identifier: Apache-2.0 */
/* The order-only counters of every port, read through the registers and compared with the model's
 * (rtl/doc/plane/switch.md sections 7 and 8). */
#ifndef BENCH_SWITCH_PLANE_COUNTERS_H
#define BENCH_SWITCH_PLANE_COUNTERS_H

#include "bench/switch/switch_plane_run.h"

void plane_counters_create(struct plane_run *run);

/* With nothing under way: SNAPSHOT of both blocks of each port, then every counter that does not depend on cycles. */
void plane_counters_check(struct plane_run *run);

#endif
