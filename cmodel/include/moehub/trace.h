/* SPDX-License-Identifier: Apache-2.0 */
/* Recorded router traces, one MoE layer of them.
 *
 * Three formats, told apart by the first line that is not blank:
 *   vLLM JSONL      {"type": "meta", "num_experts": ..}, then {"type": "route", "layer": 0, "topk_ids": [..]} per token
 *   Megatron JSONL  {"step": .., "layer": 0, "rank": .., "num_tokens": N, "topk": K, "top_indices": [[..], ..]};
 *                   top_indices is N lists of K, or one flat list of N * K
 *   llama.cpp CSV   layer_id,"52 40 85 ..." per token; a heading line is allowed
 * Rows keep the order of the file. Every row of the layer has the same number of different experts.
 *
 * Engines record their warm-up batch too: a run of at least MOEHUB_TRACE_WARMUP_LEAST identical rows at the start of
 * the layer (same experts in the same order) is dropped and counted. A trace that is nothing else is refused. */
#ifndef MOEHUB_TRACE_H
#define MOEHUB_TRACE_H

#include "moehub/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MOEHUB_TRACE_WARMUP_LEAST 8
#define MOEHUB_TRACE_ANY_LAYER (-1)
#define MOEHUB_TRACE_IDS_MAX (1 << 28)   /* tokens * top-k of the layer taken: 512 MiB */

enum moehub_trace_format { MOEHUB_TRACE_VLLM, MOEHUB_TRACE_MEGATRON, MOEHUB_TRACE_LLAMA_CPP };

struct moehub_trace_options {
    long layer;           /* layer to take; MOEHUB_TRACE_ANY_LAYER: that of the file's first row */
    unsigned experts;     /* ids must be below, and num_experts the same where the file says it; 0: the
                             file's own num_experts, or 65535 */
    bool keep_warmup;     /* leave warm-up rows in */
};

struct moehub_trace {
    enum moehub_trace_format format;
    long layer;             /* the layer taken */
    unsigned topk;
    unsigned experts;       /* num_experts of the file's meta line; 0: not said */
    unsigned experts_seen;  /* largest id of the layer + 1 */
    size_t tokens;          /* rows kept */
    size_t warmup_rows;     /* rows dropped */
    uint16_t *rows;         /* [tokens * topk] */
};

/* Reads an open file; `name` stands for it in messages. 0, MOEHUB_E_FORMAT ("name:line: ..."), MOEHUB_E_LIMIT,
 * MOEHUB_E_FILE or MOEHUB_E_MEMORY; on failure nothing is left to destroy. */
int moehub_trace_read(struct moehub_trace *trace, FILE *file, const char *name,
                      const struct moehub_trace_options *options, struct moehub_message *message);

/* The same by path. */
int moehub_trace_open(struct moehub_trace *trace, const char *path, const struct moehub_trace_options *options,
                      struct moehub_message *message);

void moehub_trace_destroy(struct moehub_trace *trace);

/* "vllm", "megatron", "llama.cpp" */
const char *moehub_trace_format_name(enum moehub_trace_format format);

#endif
