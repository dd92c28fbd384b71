/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_rounds.h"

#include "kit/allocate.h"
#include "moehub/final_reduce.h"

#include <stdlib.h>

void gpu_rounds_create(struct gpu_rounds *rounds, unsigned count)
{
    *rounds = (struct gpu_rounds){.layouts = allocate(count, sizeof *rounds->layouts),
                                  .gpus = allocate(count, sizeof *rounds->gpus),
                                  .count = count};
}

void gpu_rounds_destroy(struct gpu_rounds *rounds)
{
    for (unsigned round = 0; round < rounds->count; round++) {
        gpu_destroy(&rounds->gpus[round]);
        gpu_layout_destroy(&rounds->layouts[round]);
    }
    free(rounds->layouts);
    free(rounds->gpus);
}

void gpu_rounds_begin(struct gpu_rounds *rounds, unsigned round)
{
    rounds->end = round + 1;
    rounds->of_context[rounds->gpus[round].options.context] = round;
}

void gpu_rounds_end(struct gpu_rounds *rounds, unsigned round)
{
    rounds->first = round + 1;
}

/* ---- streams -------------------------------------------------------------------------------------------------- */

static void await_handle(struct gpu_rounds *rounds, unsigned round)
{
    if (rounds->handle_count == GPU_HANDLES_MAX)
        bench_fail(rounds->gpus->bench, BENCH_MISMATCH, "%d rows were taken without a handle", GPU_HANDLES_MAX);
    rounds->handles[(rounds->handle_first + rounds->handle_count++) % GPU_HANDLES_MAX] = round;
}

bool gpu_rounds_next(struct gpu_rounds *rounds, enum gpu_stream stream, uint64_t *item)
{
    typedef bool gpu_next(struct gpu *gpu, uint64_t *item);
    static gpu_next *const next[GPU_STREAMS] = {gpu_next_row, gpu_next_store, gpu_next_reduce, gpu_next_done};
    const unsigned on = rounds->end - rounds->first;
    for (unsigned i = 0; i < on; i++) {
        const unsigned round = rounds->first + (rounds->turns[stream] + i) % on;
        if (!next[stream](&rounds->gpus[round], item))
            continue;
        rounds->turns[stream] += i + 1;
        if (stream == GPU_STREAM_ROW)
            await_handle(rounds, round);
        return true;
    }
    return false;
}

void gpu_rounds_take_handle(struct gpu_rounds *rounds, const uint64_t *item)
{
    if (rounds->handle_count == 0)
        bench_fail(rounds->gpus->bench, BENCH_MISMATCH, "a handle of no row that was taken");
    const unsigned round = rounds->handles[rounds->handle_first];
    rounds->handle_first = (rounds->handle_first + 1) % GPU_HANDLES_MAX;
    rounds->handle_count--;
    gpu_take_handle(&rounds->gpus[round], item);
}

/* Of a context that never had one it is no round's: the first one refuses it. */
static struct gpu *gpu_of(struct gpu_rounds *rounds, uint64_t context)
{
    return &rounds->gpus[context < GPU_CONTEXTS_MAX ? rounds->of_context[context] : 0];
}

void gpu_rounds_take_ready(struct gpu_rounds *rounds, const uint64_t *item)
{
    gpu_take_ready(gpu_of(rounds, item[2]), item);
}

void gpu_rounds_take_reduced(struct gpu_rounds *rounds, unsigned link, const uint64_t *data, uint64_t user, bool last)
{
    struct moehub_reduced told;
    moehub_reduced_read_user(user, &told);
    gpu_take_reduced(gpu_of(rounds, gpu_bad_context(told.tag, told.context)), link, data, user, last);
}

void gpu_rounds_spoil_line(struct gpu_rounds *rounds, uint64_t address)
{
    unsigned round = rounds->first, expert;
    uint32_t slot;
    while (round + 1 < rounds->end && !gpu_layout_find_row(&rounds->layouts[round], 1, address, &expert, &slot))
        round++;
    gpu_spoil_line(&rounds->gpus[round], address);
}

/* ---- all of them ---------------------------------------------------------------------------------------------- */

void gpu_rounds_may_ask(struct gpu_rounds *rounds, bool may)
{
    for (unsigned round = 0; round < rounds->count; round++)
        rounds->gpus[round].may_ask = may;
}

static bool all(const struct gpu_rounds *rounds, bool (*holds)(const struct gpu *gpu))
{
    for (unsigned round = 0; round < rounds->count; round++)
        if (!holds(&rounds->gpus[round]))
            return false;
    return true;
}

bool gpu_rounds_served(const struct gpu_rounds *rounds)
{
    return all(rounds, gpu_served);
}

bool gpu_rounds_finished(const struct gpu_rounds *rounds)
{
    return all(rounds, gpu_finished);
}

unsigned gpu_rounds_under_way(const struct gpu_rounds *rounds)
{
    unsigned count = 0;
    for (unsigned round = rounds->first; round < rounds->end; round++)
        count += rounds->gpus[round].rows_taken != 0 && !gpu_finished(&rounds->gpus[round]);
    return count;
}

struct gpu_sums gpu_rounds_sums(const struct gpu_rounds *rounds)
{
    struct gpu_sums sums = {.tiles = 0};
    for (unsigned round = 0; round < rounds->count; round++) {
        const struct gpu *gpu = &rounds->gpus[round];
        gpu_counts_add(&sums.counts, &gpu->counts);
        gpu_bad_counts_add(&sums.bad, &gpu->bad);
        sums.rows_taken += gpu->rows_taken;
        sums.rows_stored += gpu->rows_stored;
        sums.arrived += gpu->arrived;
        sums.tiles += gpu->layout->tiles;
        sums.writes_failed += gpu->write_errors.writes;
    }
    return sums;
}

uint64_t gpu_rounds_notifies_coming(const struct gpu_rounds *rounds)
{
    uint64_t notifies = 0;
    for (unsigned round = 0; round < rounds->count; round++)
        notifies += gpu_notifies_coming(&rounds->gpus[round]);
    return notifies;
}

uint64_t gpu_rounds_spoiled_lines(const struct gpu_rounds *rounds, unsigned owner, bool of_others)
{
    uint64_t lines = 0;
    for (unsigned round = 0; round < rounds->count; round++)
        lines += gpu_spoiled_lines(&rounds->gpus[round], owner, of_others);
    return lines;
}
