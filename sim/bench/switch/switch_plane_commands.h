/* SPDX-License-Identifier: Apache-2.0 */
/* The register blocks of the plane, and their commands (rtl/doc/plane/switch.md section 8). What a command changes, and whether
 * it was refused, the model is told here. */
#ifndef BENCH_SWITCH_PLANE_COMMANDS_H
#define BENCH_SWITCH_PLANE_COMMANDS_H

#include "bench/switch/switch_plane_run.h"

enum plane_block { PLANE_BUFFER, PLANE_PORT, PLANE_ALL };

/* Of a register; `port` means nothing with PLANE_ALL, the plane's own block. */
uint64_t plane_address(enum plane_block block, unsigned port, unsigned offset);
uint32_t plane_read(struct plane_run *run, enum plane_block block, unsigned port, unsigned offset);
void plane_write(struct plane_run *run, enum plane_block block, unsigned port, unsigned offset, uint32_t data);

/* Starts a command and waits until it is done. False: it was refused. */
bool plane_command(struct plane_run *run, enum plane_block block, unsigned port, unsigned operation, uint32_t data);
/* It must not be refused, or must be. */
void plane_command_good(struct plane_run *run, enum plane_block block, unsigned port, unsigned operation, uint32_t data);
void plane_command_bad(struct plane_run *run, enum plane_block block, unsigned port, unsigned operation, uint32_t data);

/* TIMEOUT_SET of a port's reduction buffer, which has no timeout yet: 1 cycle or more. */
void plane_set_timeout(struct plane_run *run, unsigned port, uint32_t timeout);
/* TIMEOUT_LIMIT_SET of the plane. */
void plane_set_timeout_limit(struct plane_run *run, uint32_t limit);
/* REVIVE of a port that is down. */
void plane_revive(struct plane_run *run, unsigned port);

#endif
