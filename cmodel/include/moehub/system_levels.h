/* SPDX-License-Identifier: Apache-2.0 */
/* The tile flows beside the packet level: the same rows on the same links, nothing computed, every row ready at the start.
 *
 * A case is a layer and what of it moves. It is drawn several times, and both levels run each draw: the packet level all packets,
 * the flows with the shares of the layer's slices (system_shares.h), which are drawn with other seeds. Where few rows decide, the
 * order of the rows alone moves a draw's time by some per cent, which no flow can know; the sums of all draws are compared.
 * Time is in cycles of a flit. Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_LEVELS_H
#define MOEHUB_SYSTEM_LEVELS_H

#include "moehub/system_packet.h"
#include "moehub/system_transfer.h"

struct moehub_system_level_case {
    const char *name;
    unsigned gpus, experts, topk, tokens;  /* tokens of a GPU */
    const char *routing;                   /* as moehub_routing_parse reads it */
    uint32_t dispatch_lines, combine_lines;
    unsigned planes;
    unsigned draws;                        /* seeds 1 to this */
};

/* Sums of all draws. */
struct moehub_system_level_result {
    uint64_t ideal_cycles;   /* flits of the busiest direction */
    uint64_t packet_cycles;
    double flow_cycles;
    double share;            /* ideal / packet cycles, latency of one packet taken off */
    double worst;            /* largest error of a draw */
};

/* The cases. Each runs in each pattern. */
const struct moehub_system_level_case *moehub_system_level_cases(size_t *count);

/* Runs a case at both levels. `constants` has a machine, `measured` and the plane's constants. 0 or an error with a sentence. */
int moehub_system_level_run(const struct moehub_system_constants *constants, const struct moehub_system_level_case *one,
                            enum moehub_system_pattern pattern, struct moehub_system_level_result *result,
                            struct moehub_message *message);

#endif
