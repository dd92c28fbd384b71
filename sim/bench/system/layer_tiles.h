/* SPDX-License-Identifier: Apache-2.0 */
/* When the tiles of all GPUs were told as ready, and when their first GEMMs began and ended. */
#ifndef BENCH_LAYER_TILES_H
#define BENCH_LAYER_TILES_H

#include <jansson.h>

#include "bench/system/system_hub.h"

/* Of the last round, in cycles since `begun`. Prints a line of each; the object has members ready, began, ended, each with first,
 * median and last of all tiles, and the number of tiles. A tile that was never told is not among them. The caller owns the
 * object. */
json_t *layer_tiles(const struct system_hub *hubs, uint64_t begun);

#endif
