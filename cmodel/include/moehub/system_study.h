/* SPDX-License-Identifier: Apache-2.0 */
/* Questions beyond the papers' tables: which constant moves what, sweeps of the layer, parts taken away, parts added.
 * Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_STUDY_H
#define MOEHUB_SYSTEM_STUDY_H

#include "moehub/system_time.h"

#include <stdbool.h>

enum { MOEHUB_SYSTEM_POINTS_MAX = 64 };

/* What a constant moves: the gain of dysharp over comet, geometric mean of three training layers. */
struct moehub_system_influence {
    enum moehub_system_constant constant;
    double low, high;              /* the values tried */
    bool ranged;                   /* the ends of its range; else it has none */
    double at_low, at_base, at_high;
    double influence;              /* the larger relative change of the gain */
};

/* Every constant, most influential first; each is moved to both ends of its range. One that has none is lowered and raised by a
 * fifth, a count by whole numbers.
 * `influences` has MOEHUB_SYSTEM_LAYER_COUNT places. 0 or an error with a sentence. */
int moehub_system_influences(const struct moehub_system_constants *constants, struct moehub_system_influence *influences,
                             struct moehub_message *message);

/* One point of a sweep: a layer changed in one way, always the same change for all schemes. */
struct moehub_system_point {
    const char *study;             /* which sweep */
    char change[48];               /* what is different */
    double seconds;                /* dysharp's layer, forward, geometric mean if there are several */
    double over_comet;             /* gains of dysharp; baselines with the same precision and placement */
    double over_software;          /* over megamoe: the best software in one kernel */
    double over_deepep;
};

/* Sweeps over GPUs, tokens, top-k, load, power laws of load, precision of the large layer; software's rates and "beyond the
 * papers" on three layers. Returns how many points there are (at most MOEHUB_SYSTEM_POINTS_MAX) or an error with a sentence. */
int moehub_system_sweeps(const struct moehub_system_constants *constants, struct moehub_system_point *points,
                         struct moehub_message *message);

#endif
