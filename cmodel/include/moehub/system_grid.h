/* SPDX-License-Identifier: Apache-2.0 */
/* Layer times of many shapes and all schemes under one set of constants, computed once. */
#ifndef MOEHUB_SYSTEM_GRID_H
#define MOEHUB_SYSTEM_GRID_H

#include "moehub/system_time.h"

enum { MOEHUB_SYSTEM_GRID_MAX = 16 };

struct moehub_system_grid {
    const struct moehub_system_constants *constants;  /* the caller's; they outlive the grid */
    const struct moehub_system_work *works;
    size_t count;
    double forward[MOEHUB_SYSTEM_GRID_MAX][MOEHUB_SYSTEM_SCHEME_COUNT];   /* seconds */
    double backward[MOEHUB_SYSTEM_GRID_MAX][MOEHUB_SYSTEM_SCHEME_COUNT];
    double window[MOEHUB_SYSTEM_GRID_MAX][MOEHUB_SYSTEM_SCHEME_COUNT];    /* forward, until GEMM-1 ends; 0: by rates */
};

/* At most MOEHUB_SYSTEM_GRID_MAX works; without `backward`, those times stay 0. 0 or an error with a sentence. */
int moehub_system_grid_make(struct moehub_system_grid *grid, const struct moehub_system_constants *constants,
                            const struct moehub_system_work *works, size_t count, bool backward,
                            struct moehub_message *message);

/* What one scheme takes over what another takes. */
enum moehub_system_part {
    MOEHUB_SYSTEM_FORWARD,
    MOEHUB_SYSTEM_BACKWARD,
    MOEHUB_SYSTEM_WINDOW,
    MOEHUB_SYSTEM_STEP,       /* forward and backward, with what surrounds the layer */
    MOEHUB_SYSTEM_INFERENCE   /* forward, with what surrounds the layer */
};

double moehub_system_gain(const struct moehub_system_grid *grid, size_t work, enum moehub_system_part part,
                          enum moehub_system_scheme slow, enum moehub_system_scheme fast);

struct moehub_system_gains {
    double least, most, mean;  /* geometric mean over the works */
};

struct moehub_system_gains moehub_system_gains(const struct moehub_system_grid *grid, enum moehub_system_part part,
                                               enum moehub_system_scheme slow, enum moehub_system_scheme fast);

#endif
