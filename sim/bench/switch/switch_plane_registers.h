/* SPDX-License-Identifier: Apache-2.0 */
/* What the registers say, compared with the model: order-only counters, error latches, interrupts, ports that are down
 * (rtl/doc/plane/switch.md sections 7 and 8). */
#ifndef BENCH_SWITCH_PLANE_REGISTERS_H
#define BENCH_SWITCH_PLANE_REGISTERS_H

#include "bench/switch/switch_plane_commands.h"

void plane_registers_create(struct plane_run *run);

/* With nothing under way, and no status bit or latch cleared since the reset: SNAPSHOT of both blocks of each port, then every
 * counter that does not depend on cycles, and what the blocks say beside them. */
void plane_registers_check(struct plane_run *run);

/* No place and no group of any port is in use. What was on its way to a link meanwhile takes some cycles more. */
bool plane_registers_are_empty(struct plane_run *run);

/* The counters of a block as they are now; then one of them; which must be so high. */
void plane_registers_snapshot(struct plane_run *run, enum plane_block block, unsigned port);
uint64_t plane_registers_counter(struct plane_run *run, enum plane_block block, unsigned port, unsigned event);
void plane_registers_expect(struct plane_run *run, enum plane_block block, unsigned port, unsigned event, uint64_t expected);

/* The error latch of a block: nothing, or this offender. Then it is free. */
void plane_registers_expect_free(struct plane_run *run, enum plane_block block, unsigned port);
void plane_registers_expect_offender(struct plane_run *run, enum plane_block block, unsigned port, unsigned cause,
                                     struct moehub_flit header, unsigned came_from);

/* A register must read so. */
void plane_registers_expect_value(struct plane_run *run, enum plane_block block, unsigned port, const char *name,
                                  unsigned offset, uint32_t expected);

#endif
