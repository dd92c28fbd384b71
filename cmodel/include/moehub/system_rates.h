/* SPDX-License-Identifier: Apache-2.0 */
/* Time of one MoE layer by rates: no tiles, no events, no queues. And the bounds. Method: cmodel/doc/system.md.
 *
 * wire: time of dispatch and combine on the links of the fullest GPU; compute: time of its GEMMs. A scheme that hides a share
 * s takes max(wire, compute) + (1 - s) min(wire, compute). A bound is max(wire, compute), each the least that there is. */
#ifndef MOEHUB_SYSTEM_RATES_H
#define MOEHUB_SYSTEM_RATES_H

#include "moehub/system_plan.h"

/* Whether the scheme is a bound: `ideal` of all schemes, `perfect` of unicast by software, `moehub-ideal` of moehub's. */
bool moehub_system_is_bound(enum moehub_system_scheme scheme);

/* Seconds on the links at the scheme's share of them, or, of a bound, the least seconds of any scheme that it bounds. At least
 * as many experts as GPUs. Negative: a slice at the packet level failed (system_shares.h), with a sentence. */
double moehub_system_wire_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                               enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options,
                               struct moehub_message *message);

/* Seconds of the GEMMs on the fullest GPU; backward those of the gradients of inputs and of weights. Of a bound: what no cut
 * into tiles can be faster than. */
double moehub_system_compute_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                  enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options);

/* Seconds of the layer; negative as above. Of `options` loads, trace, classes and direction matter. */
double moehub_system_rates_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options,
                                struct moehub_message *message);

#endif
