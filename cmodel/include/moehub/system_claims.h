/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' figures beside the model's, under both sets of assumptions, with a verdict. No verdict without a run. */
#ifndef MOEHUB_SYSTEM_CLAIMS_H
#define MOEHUB_SYSTEM_CLAIMS_H

#include "moehub/system_constants.h"

#include <stdbool.h>
#include <stddef.h>

/* A value within this share of the paper's counts as reproduced. */
#define MOEHUB_SYSTEM_TOLERANCE 0.10
/* The same for arithmetic, which has no constants: rounding in print. */
#define MOEHUB_SYSTEM_ROUNDING 0.005

struct moehub_system_claim {
    const char *name;
    double paper;
    bool run;            /* false: nothing in this program computes it yet */
    bool arithmetic;     /* a closed form: the sets do not matter */
    double measured;     /* under each set; 0 where it did not run */
    double paper_set;
    char verdict[32];
    const char *reason;  /* a sentence */
};

/* Fills at most `capacity` claims and returns how many there are. Both constants: a machine of 32 GPUs. */
size_t moehub_system_claims(const struct moehub_system_constants *measured, const struct moehub_system_constants *paper,
                            struct moehub_system_claim *claims, size_t capacity);

#endif
