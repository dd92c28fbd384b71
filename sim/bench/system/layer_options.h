/* SPDX-License-Identifier: Apache-2.0 */
/* What the arguments of a layer become: the layer, its phases, options of the parts, manners of the GPUs. And which of them do
 * not go together, or not with the hubs: that ends the program (layer_refuse). */
#ifndef BENCH_LAYER_OPTIONS_H
#define BENCH_LAYER_OPTIONS_H

#include "bench/system/layer_arguments.h"
#include "bench/system/layer_report.h"

/* All that is known to be wrong before there is a layer. */
void layer_options_check(const struct layer_arguments *arguments, const struct system_shape *shape);

/* ---- of arguments that were checked ---------------------------------------------------------------------------- */

/* Rounds that go on together. */
unsigned layer_options_together(const struct layer_arguments *arguments);

/* As a round begins. */
struct layer_phases layer_options_phases(const struct layer_arguments *arguments);

/* Without `model`, and what the GPUs tell each other: `spoiled`, `failed_rows`, `departures`. */
struct system_options layer_options_parts(const struct layer_arguments *arguments);

/* Of the first round; but `short_*`. */
struct gpu_manners layer_options_manners(const struct layer_arguments *arguments);

/* The layer of a round; `seed` is that of all else. */
void layer_options_create_layer(const struct layer_arguments *arguments, unsigned gpus, uint64_t seed, unsigned round,
                                struct moehub_layer *layer);

/* `short_*` of --short-slots, if given: the local expert to which the most rows of the layer go. */
void layer_options_shorten(const struct layer_arguments *arguments, const struct moehub_layer *layer,
                           struct gpu_manners *manners);

#endif
