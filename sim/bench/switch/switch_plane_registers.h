/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of the ports: their order-only counters, compared with the model's, and commands (rtl/doc/plane/switch.md
 * sections 7 and 8). */
#ifndef BENCH_SWITCH_PLANE_REGISTERS_H
#define BENCH_SWITCH_PLANE_REGISTERS_H

#include "bench/switch/switch_plane_run.h"

void plane_registers_create(struct plane_run *run);

/* TIMEOUT_SET of a port's reduction buffer, which has no timeout yet: 1 cycle or more. */
void plane_registers_set_timeout(struct plane_run *run, unsigned port, uint32_t timeout);

/* With nothing under way: SNAPSHOT of both blocks of each port, then every counter that does not depend on cycles. */
void plane_registers_check_counters(struct plane_run *run);

#endif
