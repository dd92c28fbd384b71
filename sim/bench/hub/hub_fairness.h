/* SPDX-License-Identifier: Apache-2.0 */
/* No port starves: an answer that nothing outside the design holds back leaves within a bound (rtl/doc/address_path.md
 * section 9, "Fairness").
 *
 * An answer is *due* once it is the oldest of its port and every table access of its request, and of all requests before it, has
 * been answered by the memory. Cycles in which the answer stream is stalled do not count. Looked at every HUB_FAIRNESS_PERIOD
 * cycles, so that a bound is exceeded by at most as many before it is noticed. */
#ifndef BENCH_HUB_FAIRNESS_H
#define BENCH_HUB_FAIRNESS_H

#include "kit/axi_memory.h"
#include "kit/bench.h"
#include "moehub/hub.h"

enum { HUB_FAIRNESS_PERIOD = 32 };

/* Table accesses since reset that must be answered before an answer is due. */
struct hub_need {
    uint64_t reads, writes;
};

struct hub_fairness_port {
    struct hub_need *needs;         /* ring: of the expected answers */
    uint64_t expected, answered;    /* numbers */
    bool is_due;                    /* the oldest one */
    uint64_t due_since;             /* in `counted` cycles */
};

struct hub_fairness {
    struct bench *bench;
    const struct axi_memory *memory;
    struct hub_fairness_port *ports;
    unsigned count;
    uint64_t bound;
    uint64_t counted;               /* cycles in which the answer stream was not stalled */
    struct hub_need at_reset;       /* accesses accepted before */
    uint64_t longest;               /* that an answer has been due */
};

void hub_fairness_create(struct hub_fairness *fairness, struct bench *bench, const struct axi_memory *memory,
                         const struct moehub_address_path_config *config);
void hub_fairness_destroy(struct hub_fairness *fairness);

/* Cycles within which a due answer leaves. */
uint64_t hub_fairness_bound(const struct moehub_address_path_config *config);

/* The next answer of a port is known to the model; it has been given. */
void hub_fairness_expect(struct hub_fairness *fairness, unsigned port, const struct hub_need *need);
void hub_fairness_answered(struct hub_fairness *fairness, unsigned port);

/* Step 3 of a cycle. */
void hub_fairness_sample(struct hub_fairness *fairness, bool stalled);

/* After a reset. */
void hub_fairness_forget(struct hub_fairness *fairness);

#endif
