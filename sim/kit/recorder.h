/* SPDX-License-Identifier: Apache-2.0 */
/* Records the input pins of every cycle, so that another simulator can replay exactly the same stimulus.
 *
 * The file is for $readmemh: one line a cycle, all inputs but clk, first port in the most significant place, each
 * zero-extended to whole hexadecimal digits. Comment lines at its head name port, bits and digits. Beside it FILE.vh defines REPLAY_WIDTH,
 * REPLAY_CYCLES and REPLAY_PORTS, from which sim/tops/replay.v connects the top module. */
#ifndef KIT_RECORDER_H
#define KIT_RECORDER_H

#include "kit/dut.h"

struct recorder;

/* NULL (with errno set) when the file cannot be written. */
struct recorder *recorder_create(const char *file, const struct dut *dut);
/* The pins of the present cycle, once settled. */
void recorder_cycle(struct recorder *recorder);
/* Closes the files; false when they could not be written whole. */
bool recorder_destroy(struct recorder *recorder);

#endif
