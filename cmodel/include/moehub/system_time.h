/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a layer at the best level that a scheme has: tile flows, else rates. Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_TIME_H
#define MOEHUB_SYSTEM_TIME_H

#include "moehub/system_flow.h"

/* What the tables take: four classes of GPUs (tests compare them with all 32), units of one tile or more. */
extern const struct moehub_system_plan_options moehub_system_forward;
extern const struct moehub_system_plan_options moehub_system_backward;

/* Seconds of a layer; negative: an error, with a sentence. */
double moehub_system_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                          enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options,
                          struct moehub_message *message);

/* "tiles", "rates" or "bound". */
const char *moehub_system_level_name(enum moehub_system_scheme scheme);

#endif
