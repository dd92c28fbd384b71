/* SPDX-License-Identifier: Apache-2.0 */
/* Random traffic through the switch plane: links of any latency, phases of stalls, starvation, malformed packets, broken link
 * rules and bad answers, resets in the middle. */
#ifndef BENCH_SWITCH_PLANE_RANDOM_H
#define BENCH_SWITCH_PLANE_RANDOM_H

#include "bench/switch/switch_plane_run.h"

/* What random traffic may contain; all false: well-formed stores, without stalls, over short links. `silence`: partials that
 * never come, and timeouts of the reduction buffers; not with stalls, which would keep copies for longer than that. `falls`:
 * links fall; with silence, as what is lost is never answered. `downs`: ports go down and are revived; not
 * with stalls, silence or falls, for which they might. `unasked`: partials for groups of which their GPU is none; not
 * with stalls, under which such a group's name may be another's when they arrive. */
struct plane_mix {
    bool requests, notices, malformed, stalls, errors, silence, falls, downs, unasked;
};

/* Until `events` more flits are compared, in `resets` + 1 parts, each but the last cut off by a reset; then everything leaves. */
void plane_random_run(struct plane_run *run, const struct plane_mix *mix, uint64_t events, uint64_t resets);

#endif
