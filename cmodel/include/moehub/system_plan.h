/* SPDX-License-Identifier: Apache-2.0 */
/* What a scheme does with a layer, for the tile flows: what crosses which link, what waits for what, which SMs compute.
 * Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_PLAN_H
#define MOEHUB_SYSTEM_PLAN_H

#include "moehub/system_gemm.h"
#include "moehub/system_load.h"
#include "moehub/system_transfer.h"

#include <stdbool.h>

enum { MOEHUB_SYSTEM_TILE_ROWS = 128, MOEHUB_SYSTEM_UNITS_OF_EXPERT_MAX = 96 };

/* The stages of a unit: both GEMMs, and, backward, the gradients of the weights, for which nothing waits. */
enum moehub_system_stage { MOEHUB_SYSTEM_GEMM_1, MOEHUB_SYSTEM_GEMM_2, MOEHUB_SYSTEM_WEIGHTS, MOEHUB_SYSTEM_STAGES };

/* How a stage of `r` rows becomes tasks of one SM: ceil(r / rows) * columns of them. */
struct moehub_system_cut {
    unsigned rows, columns;  /* columns 0: the stage does not exist */
    double seconds;          /* of a task, alone with the memory */
    double memory;           /* of these the least that the memory takes */
};

enum moehub_system_traffic { MOEHUB_SYSTEM_DISPATCH, MOEHUB_SYSTEM_COMBINE, MOEHUB_SYSTEM_REQUESTS, MOEHUB_SYSTEM_TRAFFICS };

/* Bytes on the links of one GPU, framing included. */
struct moehub_system_bytes {
    double up[MOEHUB_SYSTEM_TRAFFICS];
    double down[MOEHUB_SYSTEM_TRAFFICS];
};

struct moehub_system_plan {
    struct moehub_system_load load;
    double link_rate;         /* B/s */
    double efficiency[MOEHUB_SYSTEM_PATTERNS];  /* share of the link's time that rows can have, by what shares the links */

    double dispatch_rows[MOEHUB_SYSTEM_CLASSES_MAX];  /* that each GPU of a class receives */
    double combine_rows[MOEHUB_SYSTEM_CLASSES_MAX];   /* that each sends */
    bool multicast;           /* one stream of tokens that the slowest receiver holds up, rather than a flow for each */
    double dispatch_seconds;  /* of a row on the link to its receiver */
    double dispatch_up_seconds;  /* on its source's link, for each that is received: a row is sent once for all its copies */
    double combine_seconds;
    double combine_down;      /* rows received for each that is sent: 1, or 1 / copies */
    double request_seconds;   /* of the requests for a row, on the link to its sender */

    /* Shares of a GPU's memory rate that a row a second takes: */
    double written[MOEHUB_SYSTEM_CLASSES_MAX];  /* of dispatch, where it comes: once for each of its experts there */
    double summed[MOEHUB_SYSTEM_CLASSES_MAX];   /* of combine, where it leaves: the results of these are read */
    double sent;              /* of dispatch, where it leaves, for each that is received */
    double returned;          /* of combine, where it comes, for each that is sent */

    /* Where dispatch and combine have groups of SMs of their own; else 0 SMs and no limit: */
    unsigned dispatch_sms, combine_sms;
    double dispatch_sm_seconds;  /* of an SM of its source, for each row that is received */
    double combine_sm_seconds;   /* of an SM of its sender, or of the owner that asks for it (`pull`), for each that is sent */

    double start;             /* before the first row may move */
    double kernel_start;      /* between what a kernel waits for and its first task */
    double combine_start;     /* between what a combine waits for and its first row */
    double end;               /* after the last row has moved */

    bool tiles_ready;         /* GEMM-1 of a unit starts with its last row; else with the GPU's last row */
    bool kernels_apart;       /* GEMM-2 starts after all of the GPU's GEMM-1, combine after all dispatch */
    bool combine_tiles;       /* a unit's rows may leave with its last task; else with the GPU's last task */
    bool pull;                /* a row leaves when all partial sums of its token are ready (reduction in the switch) */
    bool serial;              /* the gradients of the weights, too, before combine */
    bool split;               /* a group of SMs for each GEMM */
    unsigned sms[2];          /* of these groups; the first for both GEMMs if they are not split */
    unsigned group;           /* 128-row tiles of a unit */
    struct moehub_system_cut cuts[MOEHUB_SYSTEM_CLASSES_MAX][MOEHUB_SYSTEM_STAGES];
};

struct moehub_system_plan_options {
    bool backward;
    unsigned classes;         /* of GPUs; see moehub_system_load_make */
    unsigned group;           /* tiles of a unit; more are taken where an expert would have too many units */
    const struct moehub_trace *trace;  /* loads, or NULL */
    const struct moehub_system_load *load;  /* loads, or NULL; before those of a trace */
    bool lossless;            /* links without loss: what bounds take */
    bool one_pool;            /* all SMs take the tasks of either GEMM, also where the scheme has a group for each */
    unsigned first_sms;       /* of GEMM-1's group; 0: in proportion to what the GEMMs take */
    unsigned dispatch_sms;    /* where the scheme has such a group; 0: as many as fill the links */
    unsigned combine_sms;     /* the same */
};

/* Whether the scheme is modelled by tile flows. The others have a hidden share as input and exist by rates only, or are
 * bounds. */
bool moehub_system_plan_exists(enum moehub_system_scheme scheme);

/* Seconds before the first row may move: count exchange and host read-back. */
double moehub_system_mediation(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                               enum moehub_system_scheme scheme);

/* For every scheme, also where no tile flows take it: rows, links and SMs are the same then. 0, or an error of the slices that
 * tell the hardware's share of the links, with a sentence. */
int moehub_system_plan_make(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                            const struct moehub_system_work *work, enum moehub_system_scheme scheme,
                            const struct moehub_system_plan_options *options, struct moehub_message *message);

/* The same plan with the options' units of tiles and groups of SMs; loads and shares of the links, which do not depend on them,
 * stay. `backward` as when it was made. */
void moehub_system_plan_resize(struct moehub_system_plan *plan, const struct moehub_system_constants *constants,
                               const struct moehub_system_work *work, enum moehub_system_scheme scheme,
                               const struct moehub_system_plan_options *options);

/* Rows of a phase at a GPU (dispatch_rows, combine_rows), averaged over all GPUs. */
double moehub_system_plan_mean(const struct moehub_system_plan *plan, const double *rows);

/* What the plan's rows put on the links of a GPU of a class. */
struct moehub_system_bytes moehub_system_plan_bytes(const struct moehub_system_plan *plan, unsigned number);

/* Both products of a GPU of a class (one expert or more). Backward: those for the gradients of the inputs, rows come in at
 * the second matrix; the gradients of the weights are as many again. */
void moehub_system_plan_gemms(struct moehub_system_gemm *gemms, const struct moehub_system_constants *constants,
                              const struct moehub_system_work *work, const struct moehub_system_class *one, bool backward);

#endif
