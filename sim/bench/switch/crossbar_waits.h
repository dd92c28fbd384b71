/* SPDX-License-Identifier: Apache-2.0 */
/* How long copies wait: for each input and output the cycles from the one in which a copy became the first of its line (it was
 * accepted, or the copy before it had left) to the one in which it has left, whole. */
#ifndef BENCH_CROSSBAR_WAITS_H
#define BENCH_CROSSBAR_WAITS_H

#include "bench/switch/crossbar_config.h"

struct crossbar_waits {
    unsigned ports;
    uint64_t *since;          /* [input][output]: cycle */
    uint64_t *left;           /* [input][output]: copies, ever */
    uint64_t longest;         /* since crossbar_waits_mark */
};

void crossbar_waits_create(struct crossbar_waits *waits, unsigned ports);
void crossbar_waits_destroy(struct crossbar_waits *waits);

/* Whatever waits is taken to have begun now. */
void crossbar_waits_mark(struct crossbar_waits *waits, uint64_t now);

/* A copy comes to a line that is empty. */
void crossbar_waits_come(struct crossbar_waits *waits, unsigned input, unsigned output, uint64_t now);
/* The first copy of a line has left. */
void crossbar_waits_leave(struct crossbar_waits *waits, unsigned input, unsigned output, uint64_t now);

/* A watch of an input, in cycles: rtl/doc/plane/crossbar.md section 4. */
uint64_t crossbar_waits_watch(const struct crossbar_config *config);

/* No copy waits longer when the outputs take in every cycle and no more than `starving` heads of an input wait for a whole
 * watch: until its grant, and then until it has left. */
uint64_t crossbar_waits_bound(const struct crossbar_config *config, unsigned starving);

#endif
