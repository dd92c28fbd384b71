/* SPDX-License-Identifier: Apache-2.0 */
/* A recorded router trace as traffic of the switch plane: each GPU dispatches the rows of its tokens, and asks for their sums,
 * both at once. Every packet is compared with the model, as ever. */
#ifndef BENCH_SWITCH_PLANE_TRACE_H
#define BENCH_SWITCH_PLANE_TRACE_H

#include "bench/switch/switch_plane_run.h"

struct plane_trace {
    const char *file;
    int64_t tokens, experts;         /* of a GPU; of the layer, 0: as the file says */
    int64_t lines, combine_lines;    /* of a dispatched row, of a combined one */
};

/* The exit status. A file that is no trace, or a layer that the design has no room for, ends the program with status 2 and a
 * sentence. */
int plane_trace_run(struct plane_run *run, const struct plane_trace *trace);

#endif
