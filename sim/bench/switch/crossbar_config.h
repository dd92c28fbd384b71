/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters of the crossbar and of its stores that the design was built with. */
#ifndef BENCH_CROSSBAR_CONFIG_H
#define BENCH_CROSSBAR_CONFIG_H

#include "bench/switch/crossbar_packets.h"

struct crossbar_config {
    uint32_t ports, data_width, join, with_ids, with_tag, local_expert_bits, max_targets, copies, slots, ahead;
    uint32_t longest, shortest, places, packets, target_queue;
};

/* Ends the program with status 2 when a parameter is unknown or the model refuses it. */
struct crossbar_config crossbar_config_read(const char *description);

/* What such a crossbar carries: responses without ids, requests in narrow rows, else stores. */
struct crossbar_kind crossbar_config_kind(const struct crossbar_config *config);

struct moehub_crossbar_config crossbar_config_model(const struct crossbar_config *config);

/* Cycles in which a store that waits for no output moves all that it holds, with a margin: what the watchdog allows beyond
 * its own limit. */
uint64_t crossbar_config_patience(const struct crossbar_config *config);

#endif
