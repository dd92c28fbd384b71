/* SPDX-License-Identifier: Apache-2.0 */
#include "traffic/layer_rows.h"

#include "moehub/trace.h"

#include <stdlib.h>

static int check_range(const char *what, size_t value, size_t most, struct moehub_message *message)
{
    if (value >= 1 && value <= most)
        return 0;
    moehub_message_set(message, NULL, 0, "%s: %zu; legal are 1..%zu", what, value, most);
    return MOEHUB_E_ARGUMENT;
}

static int check_shape(unsigned experts, unsigned topk, struct moehub_message *message)
{
    int error = check_range("experts", experts, MOEHUB_LAYER_EXPERTS_MAX, message);
    if (error == 0)
        error = check_range("top-k", topk, MOEHUB_LAYER_TOPK_MAX, message);
    if (error == 0 && topk > experts) {
        moehub_message_set(message, NULL, 0, "top-k %u of %u experts: a token's experts are different", topk, experts);
        error = MOEHUB_E_ARGUMENT;
    }
    return error;
}

/* Where a trace fixes the shape, 0 leaves it open. */
static int check_trace_options(const struct moehub_layer_options *options, struct moehub_message *message)
{
    const unsigned experts = options->experts != 0 ? options->experts : MOEHUB_LAYER_EXPERTS_MAX;
    return check_shape(experts, options->topk != 0 ? options->topk : 1, message);
}

static int check_turned(const struct moehub_layer_options *options, struct moehub_message *message)
{
    if (options->routing.kind != MOEHUB_ROUTING_TRACE && options->placement == NULL && options->experts % options->gpus == 0)
        return 0;
    moehub_message_set(message, NULL, 0, "equal work for all GPUs: rows are drawn, experts placed in blocks of equal size");
    return MOEHUB_E_ARGUMENT;
}

int layer_rows_check(const struct moehub_layer_options *options, struct moehub_message *message)
{
    const bool trace = options->routing.kind == MOEHUB_ROUTING_TRACE;
    int error = check_range("GPUs", options->gpus, MOEHUB_LAYER_GPUS_MAX, message);
    if (error == 0 && !(trace && options->tokens == 0))
        error = check_range("tokens per GPU", options->tokens, UINT32_MAX / options->gpus, message);
    if (error == 0 && options->turned)
        error = check_turned(options, message);
    if (error == 0 && trace)
        return check_trace_options(options, message);
    if (error == 0)
        error = check_shape(options->experts, options->topk, message);
    return error != 0 ? error : moehub_routing_check(&options->routing, options->experts, options->topk, message);
}

/* GPU 0's choices for all. */
static void turn_rows(struct layer_rows *rows, const struct moehub_layer_options *options)
{
    const size_t choices = options->tokens * rows->topk;
    for (size_t i = choices; i < rows->tokens * rows->topk; i++) {
        const size_t turn = i / choices * (rows->experts / options->gpus);
        rows->rows[i] = (uint16_t)((rows->rows[i % choices] + turn) % rows->experts);
    }
}

static int draw_rows(struct layer_rows *rows, const struct moehub_layer_options *options,
                     struct moehub_message *message)
{
    *rows = (struct layer_rows){
        .experts = options->experts, .topk = options->topk, .tokens = options->tokens * options->gpus};
    rows->rows = malloc(rows->tokens * rows->topk * sizeof *rows->rows);
    if (rows->rows == NULL)
        return MOEHUB_E_MEMORY;
    const int error = moehub_routing_draw(&options->routing, rows->experts, rows->topk, rows->tokens, options->seed,
                                          rows->rows, message);
    if (error != 0) {
        free(rows->rows);
        rows->rows = NULL;
    } else if (options->turned) {
        turn_rows(rows, options);
    }
    return error;
}

/* The trace against what was asked for. */
static int check_trace(const struct moehub_trace *trace, const struct moehub_layer_options *options,
                       struct moehub_message *message)
{
    const char *path = options->routing.trace;
    const unsigned experts = options->experts != 0 ? options->experts : trace->experts;
    if (experts == 0)
        moehub_message_set(message, path, 0, "it does not say the number of experts: give it or a model");
    else if (options->topk != 0 && options->topk != trace->topk)
        moehub_message_set(message, path, 0, "its tokens go to %u experts, not to %u", trace->topk, options->topk);
    else if (options->tokens > trace->tokens / options->gpus)
        moehub_message_set(message, path, 0, "it has %zu tokens of layer %ld, too few for %zu on each of %u GPUs",
                           trace->tokens, trace->layer, options->tokens, options->gpus);
    else if (trace->tokens > UINT32_MAX - options->gpus)
        moehub_message_set(message, path, 0, "it has more rows than a 32-bit index can name");
    else
        return check_shape(experts, trace->topk, message);
    return MOEHUB_E_ARGUMENT;
}

static int read_rows(struct layer_rows *rows, const struct moehub_layer_options *options,
                     struct moehub_message *message)
{
    const struct moehub_trace_options wanted = {
        .layer = options->trace_layer, .experts = options->experts, .keep_warmup = options->keep_warmup};
    struct moehub_trace trace;
    int error = moehub_trace_open(&trace, options->routing.trace, &wanted, message);
    if (error != 0)
        return error;
    error = check_trace(&trace, options, message);
    if (error != 0) {
        moehub_trace_destroy(&trace);
        return error;
    }
    *rows = (struct layer_rows){
        .experts = options->experts != 0 ? options->experts : trace.experts,
        .topk = trace.topk,
        .tokens = options->tokens != 0 ? options->tokens * options->gpus : trace.tokens,
        .warmup_rows = trace.warmup_rows,
        .rows = trace.rows,
    };
    return 0;
}

int layer_rows_obtain(struct layer_rows *rows, const struct moehub_layer_options *options,
                      struct moehub_message *message)
{
    return options->routing.kind == MOEHUB_ROUTING_TRACE ? read_rows(rows, options, message)
                                                         : draw_rows(rows, options, message);
}
