/* SPDX-License-Identifier: Apache-2.0 */
/* Commands of the hub's control window by chance: most are near to what is legal in the context's state, on both sides. */
#ifndef BENCH_HUB_CONTROL_DRAW_H
#define BENCH_HUB_CONTROL_DRAW_H

#include "kit/random.h"
#include "moehub/hub_contexts.h"

struct moehub_hub_command draw_hub_command(struct random_source *random, const struct moehub_hub_contexts *contexts);

/* Whether such a hub can refuse for that reason at all. */
bool hub_refusal_possible(const struct moehub_hub_contexts_config *config, enum moehub_hub_refusal why);

#endif
