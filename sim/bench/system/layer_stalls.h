/* SPDX-License-Identifier: Apache-2.0 */
/* Where a layer waited: cycles that blocks of hubs and switch ports stood still, by cause, as their event counters tell. */
#ifndef BENCH_LAYER_STALLS_H
#define BENCH_LAYER_STALLS_H

#include <jansson.h>

#include "bench/system/system_hub.h"
#include "bench/system/system_plane.h"

/* Of the last round. Prints the causes that are not 0; the object has all of them, a member `block: cause` each, with the sum of
 * the cycles of all hubs (and their ways, loop-back included) or of all ports of all planes. A port that is blocked has a packet
 * and no credits. The caller owns the object. */
json_t *layer_stalls(const struct system_plane *planes, const struct system_hub *hubs);

#endif
