/* SPDX-License-Identifier: Apache-2.0 */
/* The model against published measurements of real machines: one table of rows, one function that computes each.
 * Rows marked `fitted` have given a constant of cmodel/machines/measured.assumptions its value; the others tell how good
 * the model is. */
#ifndef MOEHUB_SYSTEM_VALIDATION_H
#define MOEHUB_SYSTEM_VALIDATION_H

#include "moehub/system_layer.h"

#include <stdbool.h>
#include <stddef.h>

enum moehub_system_row_kind {
    MOEHUB_SYSTEM_ROW_GEMM,        /* TFLOP/s of groups x m x n x k */
    MOEHUB_SYSTEM_ROW_LIBRARY,     /* us of a library's dispatch or combine of `tokens` a GPU */
    MOEHUB_SYSTEM_ROW_LOGICAL,     /* GB/s of the same, own GPU's rows counted */
    MOEHUB_SYSTEM_ROW_ONESIDED,    /* us of a one-sided all-to-all */
    MOEHUB_SYSTEM_ROW_COPY,        /* GB/s of a copy between two GPUs */
    MOEHUB_SYSTEM_ROW_ALLREDUCE,   /* GB/s of an all-reduce in the switch */
    MOEHUB_SYSTEM_ROW_SMALL,       /* us of one of `tokens` bytes */
    MOEHUB_SYSTEM_ROW_GATHER,      /* us of a grouped bf16 GEMM, its rows gathered from all GPUs, `tokens` of each */
    MOEHUB_SYSTEM_ROW_SCATTER,     /* us of one whose sums are scattered to all GPUs, `tokens` to each */
    MOEHUB_SYSTEM_ROW_LAYER        /* us of a whole layer of `scheme`, fp8 out, bf16 back */
};

struct moehub_system_row {
    const char *group;             /* rows of a group have one mean error */
    const char *name;
    const char *machine;           /* name of a machine file */
    enum moehub_system_row_kind kind;
    bool fitted;
    double value;                  /* as published, in the kind's unit */
    bool combine;                  /* bf16 rows back rather than rows out */
    unsigned gpus, tokens;
    unsigned groups, m, n, k;      /* of a layer: experts, top-k, inner elements of an expert, hidden elements */
    enum moehub_system_scheme scheme;
};

const struct moehub_system_row *moehub_system_rows(size_t *count);

/* The model's value of a row, in its unit (negative: no memory); `constants`: the row's machine under an assumption set. */
double moehub_system_row_value(const struct moehub_system_constants *constants, const struct moehub_system_row *row);

#endif
