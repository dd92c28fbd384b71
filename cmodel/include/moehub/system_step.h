/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds a MoE layer: attention, projections, everything that moves rows through memory. The weakest part of the model:
 * two assumed constants, no measurement of its own. Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_STEP_H
#define MOEHUB_SYSTEM_STEP_H

#include "moehub/system_layer.h"

/* Seconds of a transformer layer's forward pass without its MoE part: four square projections, causal attention over one
 * sequence of all the GPU's tokens, and passes over memory. Backward is twice that. */
double moehub_system_surroundings(const struct moehub_system_constants *constants, const struct moehub_system_work *work);

#endif
