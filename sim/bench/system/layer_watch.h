/* SPDX-License-Identifier: Apache-2.0 */
/* Whether any GPU still gets on. */
#ifndef BENCH_LAYER_WATCH_H
#define BENCH_LAYER_WATCH_H

#include "bench/system/layer_system.h"

/* After each turn: notes how many rounds are under way together; ends the run as a deadlock, and tells how far each GPU has
 * come, when none got on for --watchdog cycles. */
void layer_watch(struct layer_system *system);

#endif
