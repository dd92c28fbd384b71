/* SPDX-License-Identifier: Apache-2.0 */
/* How a layer's rows spread over the GPUs: classes of GPUs that carry the same load. Method: cmodel/doc/system.md.
 *
 * Sources are alike: every GPU sends to every other in the same proportions. Receivers differ by the load of their experts.
 * Ranks of a normal distribution stand for the loads, so that nothing is drawn. The first class is the fullest GPU alone;
 * where GPUs do not divide experts, those with one expert more are counted as the fullest. */
#ifndef MOEHUB_SYSTEM_LOAD_H
#define MOEHUB_SYSTEM_LOAD_H

#include "moehub/layer.h"
#include "moehub/system_layer.h"
#include "moehub/trace.h"

enum { MOEHUB_SYSTEM_CLASSES_MAX = 64 };

struct moehub_system_class {
    unsigned gpus;    /* GPUs in it */
    unsigned experts; /* of each */
    double rows;      /* expert rows of each: a token counts once for each of its experts here */
    double arrivals;  /* rows that reach each over its links: a token counts once */
    double hits;      /* chance that a token has an expert on one of these GPUs */
};

struct moehub_system_load {
    unsigned count;
    struct moehub_system_class classes[MOEHUB_SYSTEM_CLASSES_MAX];
    double copies;    /* remote GPUs of a token on average: arrivals of all GPUs over tokens of all GPUs */
};

/* At most `classes` classes (2..MOEHUB_SYSTEM_CLASSES_MAX) on the machine's GPUs (2 or more whole ones, no more than experts).
 * If that many GPUs or more are asked for, each GPU is a class. */
void moehub_system_load_make(struct moehub_system_load *load, const struct moehub_system_constants *constants,
                             const struct moehub_system_work *work, unsigned classes);

/* The same with the loads of a recorded trace, scaled to the work's tokens; experts in equal blocks, `experts` at least the
 * trace's and the trace's top-k that of the work. */
void moehub_system_load_from_trace(struct moehub_system_load *load, const struct moehub_system_constants *constants,
                                   const struct moehub_system_work *work, const struct moehub_trace *trace, unsigned classes);

/* What a drawn layer of at most MOEHUB_SYSTEM_CLASSES_MAX GPUs puts on the links: each GPU a class, with the rows that cross
 * its link. Without experts: nothing is computed. */
void moehub_system_load_from_layer(struct moehub_system_load *load, const struct moehub_layer *layer);

#endif
