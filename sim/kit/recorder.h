/* SPDX-License-Identifier: Apache-2.0 */
/* Records the pins of every cycle, so that another simulator can replay the same stimulus and show the same handshakes.
 *
 * FILE is for $readmemh: one word a cycle, most significant first: the inputs but clk, then the outputs whose names end in
 * valid or ready; each port in port order, zero-extended to whole hexadecimal digits. FILE.vh holds what
 * sim/tops/replay.v needs to connect the same top with the same parameters. */
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
