/* SPDX-License-Identifier: Apache-2.0 */
/* The program of a GPU (moehub/driver.h over AXI4-Lite): sets its hub up, starts, closes when all is stored, and stops the
 * context when the system says that all have finished, and reads all counters when nothing is on its way any more. Of rounds that
 * go on together it ends all but the last two by itself, and sets their contexts up again. */
#ifndef BENCH_GPU_PROGRAM_H
#define BENCH_GPU_PROGRAM_H

/* A software_program; `user` is the struct system_hub. */
void gpu_program(void *user);

#endif
