/* SPDX-License-Identifier: Apache-2.0 */
/* The tile flows beside the packet level: the same rows on the same links, nothing computed, every row ready at the start.
 *
 * A case is a drawn layer and what of it moves. The packet level says how long it takes, and so which share of its busiest link's
 * time a layer has. The shares of the slices, the first case of each pattern, are the constants hardware_dispatch,
 * hardware_combine and hardware_fused of the set `measured`; the other cases test them. Time is in cycles of a flit.
 * Method: cmodel/doc/system.md. */
#ifndef MOEHUB_SYSTEM_LEVELS_H
#define MOEHUB_SYSTEM_LEVELS_H

#include "moehub/system_packet.h"
#include "moehub/system_transfer.h"

struct moehub_system_level_case {
    const char *name;
    unsigned gpus, experts, topk, tokens;  /* tokens of a GPU */
    const char *routing;                   /* as moehub_routing_parse reads it */
    uint32_t dispatch_lines, combine_lines;
    unsigned planes;                       /* 1 in a slice: the rows of one of a machine's links */
};

struct moehub_system_level_result {
    uint64_t ideal_cycles;   /* flits of the busiest direction */
    uint64_t packet_cycles;
    double flow_cycles;
    double share;            /* ideal / packet cycles, latency of one packet taken off */
};

/* The cases; the first is the slice. Each runs in each pattern. */
const struct moehub_system_level_case *moehub_system_level_cases(size_t *count);

/* Runs a case at both levels. `constants` has a machine, `measured` and the plane's constants. 0 or an error with a sentence. */
int moehub_system_level_run(const struct moehub_system_constants *constants, const struct moehub_system_level_case *one,
                            enum moehub_system_pattern pattern, struct moehub_system_level_result *result,
                            struct moehub_message *message);

/* Whether the constant of a pattern is the share that the slice has, to half a thousandth. MOEHUB_E_STATE with a sentence. */
int moehub_system_level_check(const struct moehub_system_constants *constants, enum moehub_system_pattern pattern,
                              const struct moehub_system_level_result *slice, struct moehub_message *message);

#endif
