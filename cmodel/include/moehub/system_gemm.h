/* SPDX-License-Identifier: Apache-2.0 */
/* Time of a grouped FP8 GEMM: waves of tiles over the SMs, the best of the tile shapes. Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_GEMM_H
#define MOEHUB_SYSTEM_GEMM_H

#include "moehub/system_constants.h"

/* `groups` products of an m x k with a k x n matrix, all sizes at least 1. */
struct moehub_system_gemm {
    unsigned groups;
    unsigned m, n, k;
};

/* Multiplications and additions. */
double moehub_system_gemm_flops(const struct moehub_system_gemm *gemm);

/* Seconds on `sms` SMs (at least 1), launch included; never less than the memory needs for operands and bf16 results. */
double moehub_system_gemm_time(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm,
                               double sms);

#endif
