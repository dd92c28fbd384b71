/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of a layer: names of the arguments, their ranges, defaults and values. What they are to the run, and which do
 * not go together, is in layer_options.h. */
#ifndef BENCH_LAYER_ARGUMENTS_H
#define BENCH_LAYER_ARGUMENTS_H

#include "kit/bench.h"

/* The help texts say what each is. One without a default that was not given: NULL; 0, or -1 where 0 is a GPU or a seed. */
struct layer_arguments {
    const char *model, *routing, *type, *phase, *stall, *packets, *timeline, *withheld;
    int64_t hidden, experts, topk, tokens, rounds, overlap, layer_seed;
    int64_t latency, memory_least, memory_most, timeout, line_timeout, port_timeout, group_timeout;
    int64_t tile_shift, rows_open, window, store_parts, tokens_asked, gemm, gemm_in_turn, tile_readiness, kernel_start, nops;
    int64_t silent, abort_of, withholder, withheld_cycles, withheld_after, withheld_plane, flood, flood_unlisted, short_slots;
    int64_t bad_items, bad_packets, read_errors, write_errors, write_errors_of;
    int64_t counted, check_hubs, threads;
};

/* Creates `bench` from the command line. Returns what it says beside the common options: nothing changes that any more. */
const struct layer_arguments *layer_arguments_read(struct bench *bench, int argc, char **argv);

/* What the run was asked for, by the names of its arguments, into the summary: so that others can run the same. */
void layer_arguments_report(struct summary *summary);

/* Ends the program as one that was asked for what is wrong, or what this build cannot do (status 2). */
_Noreturn void layer_refuse(const char *text);

#endif
