/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the switch plane that the design was built with. */
#ifndef BENCH_SWITCH_PLANE_CONFIG_H
#define BENCH_SWITCH_PLANE_CONFIG_H

#include "moehub/switch_plane.h"

struct switch_plane_parameters {
    struct moehub_switch_plane_config model;
    uint32_t copies, slots;      /* COPIES and SLOTS */
};

/* Ends the program with status 2 when a parameter of the design is unknown. */
struct switch_plane_parameters switch_plane_config_read(const char *description);

/* What the receiver of a port checks. */
struct moehub_check_config switch_plane_check_config(const struct moehub_switch_plane_config *config, unsigned port);

#endif
