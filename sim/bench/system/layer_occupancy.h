/* SPDX-License-Identifier: Apache-2.0 */
/* What waited in a hub at most, since its reset: the HIGH_WATER registers of its blocks. */
#ifndef BENCH_LAYER_OCCUPANCY_H
#define BENCH_LAYER_OCCUPANCY_H

#include "bench/system/system_hub.h"

#include <jansson.h>

/* How many registers of a window, from HIGH_WATER on, have such marks: at most SYSTEM_MARKS. */
unsigned layer_occupancy_registers(const struct system_shape *shape, unsigned window);

/* Prints a line for each kind of what waits, and returns {NAME: {"most": .., "gpu": ..}}: of all hubs the fullest one. */
json_t *layer_occupancy(const struct system_hub *hubs);

#endif
