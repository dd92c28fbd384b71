/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/gpu_bad_items.h"

#include "bench/system/gpu.h"

#include <string.h>

enum { CONTEXT_OF_NOBODY = 7, ENTRY_OF_NOBODY = 0xFF };

/* Tags that no token has: the asker's context and the status that must come. */
enum { TAG_BAD = 0xFFF000, TAG_CONTEXT_SHIFT = 4, TAG_STATUS = 0xF };

void gpu_bad_counts_add(struct gpu_bad_counts *sum, const struct gpu_bad_counts *one)
{
    sum->rows += one->rows;
    sum->handles += one->handles;
    sum->ranges += one->ranges;
    sum->reduces += one->reduces;
    sum->done += one->done;
    sum->reduce_lines += one->reduce_lines;
    sum->lines_answered += one->lines_answered;
}

bool gpu_bad_turn(struct gpu *gpu)
{
    return gpu->options.bad_items != 0 && random_chance(&gpu->random, 1, gpu->options.bad_items);
}

static uint32_t row_of_other(const struct gpu *gpu)
{
    return gpu_layout_index(gpu->layout, (gpu->layout->gpu + 1) % gpu->layout->layer->gpus, 0);
}

/* Fields 0 to 5 of rows and reduces: a good one of the own token 0, and one thing that is wrong with it. Returns the status. */
static unsigned spoil_list(struct gpu *gpu, uint64_t *item)
{
    item[0] = gpu->options.context;
    item[1] = 0;
    item[2] = gpu->layout->layer->topk;
    item[3] = gpu_layout_targets(gpu->layout, 0);
    item[4] = 0;
    item[5] = gpu_layout_index(gpu->layout, gpu->layout->gpu, 0);
    switch (random_below(&gpu->random, 6)) {
    case 0:
        item[0] = CONTEXT_OF_NOBODY;
        return MOEHUB_STATUS_CONTEXT;
    case 1:
        item[5] = row_of_other(gpu);
        return MOEHUB_STATUS_RANGE;
    case 2:
        item[2] = gpu->options.targets_most + 1;
        return MOEHUB_STATUS_RANGE;
    case 3:
        item[3] += 8;
        return MOEHUB_STATUS_RANGE;
    case 4:
        item[2] = 2;
        item[3] = gpu->layout->bad_list;
        return MOEHUB_STATUS_MALFORMED;
    default:
        item[1] = 1;
        item[4] = (uint64_t)gpu->layout->layer->gpus << gpu->layout->local_expert_bits;
        return MOEHUB_STATUS_PEER;
    }
}

unsigned gpu_bad_row(struct gpu *gpu, uint64_t *item)
{
    gpu->bad.rows++;
    return spoil_list(gpu, item);
}

void gpu_bad_store(struct gpu *gpu, uint16_t handle, uint64_t *item)
{
    const unsigned bytes = gpu->options.store_bytes;
    memset(item, 0, (3 + (bytes + 63) / 64 + (bytes + 7) / 8) * sizeof *item);
    item[0] = handle;
    item[3] = 1;
    switch (random_below(&gpu->random, 3)) {
    case 0:
        item[0] = ENTRY_OF_NOBODY;
        gpu->bad.handles++;
        return;
    case 1:
        item[1] = 1;
        break;
    default:
        item[1] = (gpu->layout->row_bytes[0] + bytes - 1) / bytes * bytes;
    }
    gpu->bad.ranges++;
}

void gpu_bad_reduce(struct gpu *gpu, uint64_t *item)
{
    const unsigned most = gpu->options.group_lines * MOEHUB_LINE_UNITS;
    unsigned status = spoil_list(gpu, item);
    item[6] = 0;
    item[7] = MOEHUB_LINE_UNITS;
    item[8] = MOEHUB_ELEMENT_BF16;
    if (status == MOEHUB_STATUS_PEER && random_chance(&gpu->random, 1, 2)) {
        item[8] = MOEHUB_ELEMENT_BYTES;
        status = MOEHUB_STATUS_TYPE;
    } else if (status == MOEHUB_STATUS_MALFORMED && random_chance(&gpu->random, 1, 2)) {
        item[7] = random_chance(&gpu->random, 1, 2) ? 0 : most + 1;
        status = MOEHUB_STATUS_LENGTH;
    }
    const uint64_t lines = (item[7] + MOEHUB_LINE_UNITS - 1) / MOEHUB_LINE_UNITS;
    item[9] = TAG_BAD | gpu->options.context << TAG_CONTEXT_SHIFT | status;
    gpu->bad.reduces++;
    gpu->bad.reduce_lines += lines == 0 ? 1 : lines < gpu->options.group_lines ? lines : gpu->options.group_lines;
}

void gpu_bad_done(struct gpu *gpu, uint64_t *item)
{
    item[0] = gpu->options.context;
    item[1] = 0;
    item[2] = gpu->layout->regions[0].tiles;
    item[3] = random_below(&gpu->random, 2);
    switch (random_below(&gpu->random, 3)) {
    case 0:
        item[0] = CONTEXT_OF_NOBODY;
        break;
    case 1:
        item[1] = gpu->layout->local_experts;
        break;
    default:
        break;
    }
    gpu->bad.done++;
}

unsigned gpu_bad_context(uint32_t tag, unsigned context)
{
    return tag < TAG_BAD ? context : tag >> TAG_CONTEXT_SHIFT & 0xF;
}

bool gpu_bad_answer(struct gpu *gpu, uint32_t tag, unsigned status, unsigned length)
{
    if (tag < TAG_BAD)
        return false;
    if (status != (tag & TAG_STATUS) || length != 0)
        bench_fail(gpu->bench, BENCH_MISMATCH, "GPU %u: a bad reduce is answered with status %u and %u bytes, expected status %u",
                   gpu->layout->gpu, status, length, (unsigned)(tag & TAG_STATUS));
    gpu->bad.lines_answered++;
    return true;
}
