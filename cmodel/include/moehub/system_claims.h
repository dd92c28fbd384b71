/* SPDX-License-Identifier: Apache-2.0 */
/* The papers' figures beside the model's, under both sets of assumptions, with a verdict. No verdict without a run. */
#ifndef MOEHUB_SYSTEM_CLAIMS_H
#define MOEHUB_SYSTEM_CLAIMS_H

#include "moehub/system_figures.h"
#include "moehub/system_grid.h"

#include <stdbool.h>
#include <stddef.h>

/* A value within this share of the paper's counts as reproduced, if it is a gain, */
#define MOEHUB_SYSTEM_TOLERANCE 0.10
/* and its part above 1 within this share of that of the paper's: 1.05 is not 1.13. */
#define MOEHUB_SYSTEM_GAIN_TOLERANCE 0.34
/* What is called near to another is within this share of it. */
#define MOEHUB_SYSTEM_NEAR 0.05
/* The same for arithmetic, which has no constants: rounding in print. */
#define MOEHUB_SYSTEM_ROUNDING 0.005

enum { MOEHUB_SYSTEM_REASON_BYTES = 400 };

struct moehub_system_claim {
    const char *name;
    double paper;
    bool run;            /* false: nothing in this program computes it */
    bool arithmetic;     /* a closed form: the sets do not matter */
    double measured;     /* under each set; 0 where it did not run */
    double paper_set;
    char verdict[32];
    char reason[MOEHUB_SYSTEM_REASON_BYTES];  /* a sentence, from this run's values where it names any */
};

/* The layers of one set of assumptions: the nine training configurations on 32 GPUs, the hub's cases on 8. */
struct moehub_system_evidence_set {
    struct moehub_system_grid training, hub;
    struct moehub_system_figures figures;
};

/* Fills at most `capacity` claims and returns how many there are. */
size_t moehub_system_claims(const struct moehub_system_evidence_set *measured, const struct moehub_system_evidence_set *paper,
                            struct moehub_system_claim *claims, size_t capacity);

#endif
