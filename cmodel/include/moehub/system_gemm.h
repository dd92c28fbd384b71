/* SPDX-License-Identifier: Apache-2.0 */
/* Time of a grouped GEMM: waves of tiles over the SMs, the best of the tile shapes. Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_GEMM_H
#define MOEHUB_SYSTEM_GEMM_H

#include "moehub/system_constants.h"

/* `groups` products of an m x k with a k x n matrix, all sizes at least 1. */
struct moehub_system_gemm {
    unsigned groups;
    unsigned m, n, k;
    unsigned element_bytes;  /* of the operands: 1 is FP8, 2 is bf16 */
};

/* How a shape cuts a product into tasks of one SM each. */
struct moehub_system_tasks {
    unsigned rows, columns;  /* of a task */
    double seconds;          /* of a task, without launch, memory and the start on the weights */
};

/* Multiplications and additions. */
double moehub_system_gemm_flops(const struct moehub_system_gemm *gemm);

/* Seconds on `sms` SMs (at least 1), launch included; never less than the memory needs for operands and bf16 results. */
double moehub_system_gemm_time(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm,
                               double sms);

/* The least that any cut into tiles can take where no SM ever waits: tasks of the best shape without whole waves, launch or
 * start on the weights; never less than the memory needs. */
double moehub_system_gemm_least(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm,
                                double sms);

/* The largest shape that is at most this share slower than the fastest: large tiles read less. */
#define MOEHUB_SYSTEM_SHAPE_TOLERANCE 0.01

struct moehub_system_tasks moehub_system_gemm_tasks(const struct moehub_system_constants *constants,
                                                    const struct moehub_system_gemm *gemm, double sms);

/* Seconds that a GEMM's start on weights that no SM has read adds. */
double moehub_system_gemm_exposed(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm);

#endif
