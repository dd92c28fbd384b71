/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor-parallel GEMMs beside their communication, by rates. Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_TENSOR_H
#define MOEHUB_SYSTEM_TENSOR_H

#include "moehub/system_gemm.h"

/* Seconds on the fuller direction of a GPU's link when `rows` bf16 rows of each of `gpus` GPUs are gathered by all, or sums of
 * as many are scattered: (gpus - 1) * rows of them, at the framed link's rate. */
double moehub_system_tensor_wire(const struct moehub_system_constants *constants, unsigned gpus, double rows, double elements);

/* Seconds of a GEMM on `sms` SMs that is overlapped by tiles with `wire` seconds of gathering before it, or scattering after it:
 * the share of one of `gpus` GPUs cannot be. */
double moehub_system_tensor_overlapped(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm,
                                       double sms, unsigned gpus, double wire);

/* arXiv 2605.05628: forward and backward of a transformer layer's GEMMs on 8 GPUs with collectives in the switch apart, over the
 * same with them in the GEMMs; geometric mean of three layers. */
double moehub_system_tensor_gain(const struct moehub_system_constants *constants);

#endif
