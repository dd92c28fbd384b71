/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the address path's bench share: design and model, random requests, software, and a script of requests
 * given by hand. */
#ifndef BENCH_ADDRESS_PATH_RUN_H
#define BENCH_ADDRESS_PATH_RUN_H

#include "bench/hub/hub_path.h"
#include "bench/hub/hub_software.h"
#include "bench/hub/hub_traffic.h"

enum { SCRIPT_MAX = 1 << 14 };

struct address_path_run {
    struct hub_path path;
    struct hub_traffic traffic;
    struct hub_software software;
    struct random_source random;
    struct moehub_hub_request script[SCRIPT_MAX]; /* supplied in order */
    unsigned script_next, script_count;
    uint64_t random_until; /* compared events that end the random rounds */
};

/* Named situations, each of which has to be reached; `only` NULL: all. */
void address_path_directed(struct address_path_run *run, const char *only);

/* Rounds of random layouts, requests, stalls, latencies, errors, commands and resets until --events more are compared. */
void address_path_random(struct address_path_run *run);

/* A MoE layer's dispatch and combine as one of its hubs sees them: a synthetic one, or `trace` cut into GPUs. */
void address_path_layer(struct address_path_run *run, const char *model, const char *trace);

#endif
