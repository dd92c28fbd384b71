/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds that a GPU works at together, each in a context of its own: one, or with --overlap all of a run, of which some are
 * on at a time (rtl/doc/hub/hub.md section 8). Each stream takes items of those in turn; what comes goes to the round that it is
 * of. */
#ifndef BENCH_GPU_ROUNDS_H
#define BENCH_GPU_ROUNDS_H

#include "bench/system/gpu.h"

enum { GPU_CONTEXTS_MAX = 8, GPU_HANDLES_MAX = 1024 };

enum gpu_stream { GPU_STREAM_ROW, GPU_STREAM_STORE, GPU_STREAM_REDUCE, GPU_STREAM_DONE, GPU_STREAMS };

struct gpu_rounds {
    struct gpu_layout *layouts; /* of each round; of the first one those in which something goes wrong */
    struct gpu *gpus;
    unsigned count;
    unsigned first, end;                   /* those that are on */
    unsigned of_context[GPU_CONTEXTS_MAX]; /* the round that was begun there last */
    unsigned turns[GPU_STREAMS];
    unsigned handles[GPU_HANDLES_MAX];     /* rounds of the rows whose handles are to come: a ring */
    unsigned handle_first, handle_count;
    struct gpu_way_errors writes_failed[GPU_WAYS_MAX];
};

/* Layouts and GPUs are made by the caller. */
void gpu_rounds_create(struct gpu_rounds *rounds, unsigned count);
/* With GPUs and layouts. */
void gpu_rounds_destroy(struct gpu_rounds *rounds);

/* A context is set up for the round, or was stopped after it. They begin in order, and end in order. */
void gpu_rounds_begin(struct gpu_rounds *rounds, unsigned round);
void gpu_rounds_end(struct gpu_rounds *rounds, unsigned round);

/* As the functions of gpu.h. */
bool gpu_rounds_next(struct gpu_rounds *rounds, enum gpu_stream stream, uint64_t *item);
void gpu_rounds_take_handle(struct gpu_rounds *rounds, const uint64_t *item);
void gpu_rounds_take_ready(struct gpu_rounds *rounds, const uint64_t *item);
void gpu_rounds_take_reduced(struct gpu_rounds *rounds, unsigned link, const uint64_t *data, uint64_t user, bool last);

/* A read for a sum that fails is of the round that has a region there, of those that are on. */
void gpu_rounds_spoil_line(struct gpu_rounds *rounds, uint64_t address);

/* Of all rounds: whether sums may be asked for, whether all has come. */
void gpu_rounds_may_ask(struct gpu_rounds *rounds, bool may);
bool gpu_rounds_served(const struct gpu_rounds *rounds);
bool gpu_rounds_finished(const struct gpu_rounds *rounds);

/* How many have rows that were taken, and not all that must come. */
unsigned gpu_rounds_under_way(const struct gpu_rounds *rounds);

/* What is counted, in all of them. */
struct gpu_sums {
    struct gpu_counts counts;
    struct gpu_bad_counts bad;
    uint64_t rows_taken, rows_stored, arrived, tiles, writes_failed;
};
struct gpu_sums gpu_rounds_sums(const struct gpu_rounds *rounds);

/* Looks at all tokens: at an end. */
uint64_t gpu_rounds_notifies_coming(const struct gpu_rounds *rounds);
uint64_t gpu_rounds_spoiled_lines(const struct gpu_rounds *rounds, unsigned owner, bool of_others);

#endif
