/* SPDX-License-Identifier: Apache-2.0 */
/* One MoE layer's routed tokens, cut into GPUs: what dispatch and combine move.
 *
 * A row is named by its algebraic index = source GPU * tokens_per_gpu + token, where tokens_per_gpu is the largest
 * number of tokens on a GPU. Where GPUs have unequal numbers the indices of the missing tokens name no row.
 * All arrays by row are indexed by the algebraic index. */
#ifndef MOEHUB_LAYER_H
#define MOEHUB_LAYER_H

#include "moehub/error.h"
#include "moehub/placement.h"
#include "moehub/routing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOEHUB_LAYER_GPUS_MAX 1024
#define MOEHUB_LAYER_EXPERTS_MAX 4096
#define MOEHUB_LAYER_TOPK_MAX 64
#define MOEHUB_LAYER_ROW_BYTES_MAX 65536
#define MOEHUB_LAYER_ASSIGNMENT_BYTES 10   /* of memory: the expert drawn, its target, its place among the remote GPUs */

enum moehub_cut { MOEHUB_CUT_BLOCK, MOEHUB_CUT_ROUND_ROBIN };

struct moehub_layer_options {
    unsigned gpus;          /* 1..1024 */
    size_t tokens;          /* per GPU; 0 with a trace: all its rows, as evenly as they divide */
    unsigned experts;       /* 1..4096; 0 with a trace: what its meta line says */
    unsigned topk;          /* 1..64, at most experts; 0 with a trace: the trace's */
    unsigned hidden;        /* elements of a row; row bytes at most 65536 */
    unsigned element;       /* MOEHUB_ELEMENT_* of dispatch; combine: moehub_element_combine() of it */
    uint64_t seed;
    struct moehub_routing routing;
    enum moehub_cut cut;    /* traces only: contiguous runs of rows, or row i to GPU i mod gpus */
    long trace_layer;       /* traces only: see trace.h */
    bool keep_warmup;       /* traces only */
    const char *placement;  /* path of a placement table; NULL: block */
    bool turned;            /* equal work for all: each GPU has GPU 0's tokens, and of each expert the one as far behind its own;
                             * drawn rows, block placement, as many experts on each GPU */
};

/* What a layer asks of the hardware that runs it: the least parameters of these names. */
struct moehub_layer_needs {
    unsigned gpus;             /* of the hub's GPUS and the switch's ports */
    unsigned row_index_width;  /* 0: only the trace tells */
    unsigned offset_width;
};

/* One destination of a row. */
struct moehub_target {
    uint16_t gpu;
    uint16_t local;   /* local expert on that GPU */
    uint16_t expert;  /* the same expert's global number */
};

struct moehub_layer {
    unsigned gpus;
    unsigned experts;
    unsigned topk;
    unsigned hidden;
    size_t tokens;                    /* rows of the layer, all GPUs */
    uint32_t tokens_per_gpu;          /* largest number on a GPU = stride of the algebraic index */
    uint32_t row_limit;               /* gpus * tokens_per_gpu: algebraic indices are below it */
    uint32_t *gpu_tokens;             /* [gpus]: tokens of each GPU; GPU g has rows g*tokens_per_gpu + 0..gpu_tokens[g]-1 */
    unsigned dispatch_element;        /* MOEHUB_ELEMENT_* */
    unsigned combine_element;
    uint32_t dispatch_row_bytes;      /* hidden * element size */
    uint32_t combine_row_bytes;
    struct moehub_placement placement;
    struct moehub_target *targets;    /* [row_limit * topk]: a row's k targets sorted by (gpu, local) */
    uint16_t *remotes;                /* [row_limit * topk]: a row's distinct destination GPUs without the source, ascending */
    uint16_t *remote_counts;          /* [row_limit]: how many of them; 0 for indices that name no row */
    size_t warmup_rows;               /* dropped from the trace */
};

/* Everything about options that can be said before a row is drawn or read. 0, or MOEHUB_E_ARGUMENT with a sentence. */
int moehub_layer_options_check(const struct moehub_layer_options *options, struct moehub_message *message);

/* The same of what the layer will need; the options are right. */
struct moehub_layer_needs moehub_layer_options_needs(const struct moehub_layer_options *options);

/* What a layer does need. */
struct moehub_layer_needs moehub_layer_needs(const struct moehub_layer *layer);

/* Bytes of a hub's slot: room for a row of either stage. */
static inline uint32_t moehub_layer_slot_bytes(const struct moehub_layer *layer)
{
    return layer->dispatch_row_bytes > layer->combine_row_bytes ? layer->dispatch_row_bytes : layer->combine_row_bytes;
}

/* Routes, cuts and places a layer. 0, or an error with a sentence in `message`; then nothing is left to destroy.
 * Cost: MOEHUB_LAYER_ASSIGNMENT_BYTES * topk + 2 bytes a token. */
int moehub_layer_create(struct moehub_layer *layer, const struct moehub_layer_options *options,
                        struct moehub_message *message);

void moehub_layer_destroy(struct moehub_layer *layer);

/* Algebraic index of a GPU's token. */
static inline uint32_t moehub_layer_row(const struct moehub_layer *layer, unsigned gpu, uint32_t token)
{
    return gpu * layer->tokens_per_gpu + token;
}

/* Source (owner) GPU of a row, and the token on it. */
static inline unsigned moehub_layer_row_gpu(const struct moehub_layer *layer, uint32_t row)
{
    return row / layer->tokens_per_gpu;
}

static inline uint32_t moehub_layer_row_token(const struct moehub_layer *layer, uint32_t row)
{
    return row % layer->tokens_per_gpu;
}

/* Whether an algebraic index names a row. */
static inline bool moehub_layer_row_exists(const struct moehub_layer *layer, uint32_t row)
{
    return row < layer->row_limit && moehub_layer_row_token(layer, row) < layer->gpu_tokens[moehub_layer_row_gpu(layer, row)];
}

/* A row's `topk` targets, sorted by (gpu, local). */
static inline const struct moehub_target *moehub_layer_targets(const struct moehub_layer *layer, uint32_t row)
{
    return layer->targets + (size_t)row * layer->topk;
}

/* The part of a sorted target list that lives on `gpu`: its start, and its length in *count (0: none). */
static inline const struct moehub_target *moehub_targets_on(const struct moehub_target *targets, unsigned topk,
                                                            unsigned gpu, unsigned *count)
{
    unsigned first = 0;
    while (first < topk && targets[first].gpu < gpu)
        first++;
    unsigned end = first;
    while (end < topk && targets[end].gpu == gpu)
        end++;
    *count = end - first;
    return targets + first;
}

#endif
