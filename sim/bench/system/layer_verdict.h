/* SPDX-License-Identifier: Apache-2.0 */
/* What the rounds of a run have compared, and what they had refused, and with it whether the run passes: the blocks of the
 * summary. */
#ifndef BENCH_LAYER_VERDICT_H
#define BENCH_LAYER_VERDICT_H

#include "bench/system/gpu.h"
#include "bench/system/link_injector.h"

struct layer_system;

/* Of all rounds that were added. */
struct layer_verdict {
    struct gpu_counts counts; /* of all GPUs; not of what only one round has */
    uint64_t counters_compared;
    unsigned together;                              /* of --overlap: rounds that were under way at a GPU at once, at most */
    uint64_t items_refused;                         /* of --bad-items */
    uint64_t packets_refused[LINK_INJECTOR_CAUSES]; /* of --bad-packets, by cause */
    uint64_t packets_late, lines_answered;          /* of them those of older rounds; answers of the switch */
    uint64_t flood_rows;                            /* of --flood */
    uint64_t writes_failed;                         /* of --write-errors */
    struct gpu_abort_rows abort_rows;               /* of --abort; stores, and those that its hub counted as of such rows */
    uint64_t stores_dropped, stores_aborted, tiles_cut;
    struct summary_block edges, rows, sums, tiles, tokens, counters, items, packets, late, flood, missing, writes, dropped;
};

/* Adds a round that is over, of which all can still be read. Its counters are compared first: one that is wrong ends the run as
 * a mismatch. */
void layer_verdict_add(struct layer_system *system);

/* At the end of the last round, once. Prints, too, what became of an aborted context, ports that were down, and digests of what
 * came. */
void layer_verdict_report(struct layer_system *system);

#endif
