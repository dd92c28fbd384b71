/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/layer.h"

#include "traffic/layer_rows.h"
#include "moehub/element.h"
#include "moehub/integer.h"

#include <stdlib.h>

void moehub_layer_destroy(struct moehub_layer *layer)
{
    if (layer == NULL)
        return;
    moehub_placement_destroy(&layer->placement);
    free(layer->gpu_tokens);
    free(layer->targets);
    free(layer->remotes);
    free(layer->remote_counts);
    *layer = (struct moehub_layer){0};
}

/* ---- what the options say ------------------------------------------------------- */

/* Bytes of an element in the stage that has the larger ones; 0 for an unknown type. */
static unsigned larger_element(unsigned element)
{
    return (unsigned)moehub_larger(moehub_element_size(element), moehub_element_size(moehub_element_combine(element)));
}

static int check_row(const struct moehub_layer_options *options, struct moehub_message *message)
{
    if (moehub_element_size(options->element) == 0) {
        moehub_message_set(message, NULL, 0, "unknown element type %u", options->element);
        return MOEHUB_E_ARGUMENT;
    }
    const unsigned most = MOEHUB_LAYER_ROW_BYTES_MAX / larger_element(options->element);
    if (moehub_within(options->hidden, 1, most))
        return 0;
    moehub_message_set(message, NULL, 0, "hidden: %u; legal are 1..%u for %s", options->hidden, most,
                       moehub_element_name(options->element));
    return MOEHUB_E_ARGUMENT;
}

int moehub_layer_options_check(const struct moehub_layer_options *options, struct moehub_message *message)
{
    const int error = check_row(options, message);
    if (error != 0)
        return error;
    if (options->cut != MOEHUB_CUT_BLOCK && options->cut != MOEHUB_CUT_ROUND_ROBIN) {
        moehub_message_set(message, NULL, 0, "unknown cut %d", (int)options->cut);
        return MOEHUB_E_ARGUMENT;
    }
    return layer_rows_check(options, message);
}

static struct moehub_layer_needs needs(unsigned gpus, uint64_t rows, uint64_t slot_bytes)
{
    return (struct moehub_layer_needs){gpus, moehub_log2_ceiling(rows), moehub_log2_ceiling(slot_bytes)};
}

struct moehub_layer_needs moehub_layer_options_needs(const struct moehub_layer_options *options)
{
    return needs(options->gpus, options->gpus * (uint64_t)options->tokens,
                 options->hidden * (uint64_t)larger_element(options->element));
}

struct moehub_layer_needs moehub_layer_needs(const struct moehub_layer *layer)
{
    return needs(layer->gpus, layer->row_limit, moehub_layer_slot_bytes(layer));
}

/* ---- building ------------------------------------------------------------------- */

static void size_rows(struct moehub_layer *layer, const struct moehub_layer_options *options)
{
    layer->hidden = options->hidden;
    layer->dispatch_element = options->element;
    layer->combine_element = moehub_element_combine(options->element);
    layer->dispatch_row_bytes = options->hidden * moehub_element_size(layer->dispatch_element);
    layer->combine_row_bytes = options->hidden * moehub_element_size(layer->combine_element);
}

static int place_experts(struct moehub_layer *layer, const char *path, struct moehub_message *message)
{
    if (path == NULL)
        return moehub_placement_create_block(&layer->placement, layer->gpus, layer->experts);
    return moehub_placement_create_file(&layer->placement, layer->gpus, layer->experts, path, message);
}

static int allocate(struct moehub_layer *layer)
{
    const size_t targets = (size_t)layer->row_limit * layer->topk;
    layer->targets = calloc(targets, sizeof *layer->targets);
    layer->remotes = calloc(targets, sizeof *layer->remotes);
    layer->remote_counts = calloc(layer->row_limit, sizeof *layer->remote_counts);
    return layer->targets && layer->remotes && layer->remote_counts ? 0 : MOEHUB_E_MEMORY;
}

/* Where GPU `gpu` starts when `tokens` are cut into contiguous runs of nearly equal length. */
static size_t block_start(const struct moehub_layer *layer, size_t gpu)
{
    return layer->tokens * gpu / layer->gpus;
}

/* Tokens of every GPU. */
static int cut_tokens(struct moehub_layer *layer, enum moehub_cut cut)
{
    layer->gpu_tokens = calloc(layer->gpus, sizeof *layer->gpu_tokens);
    if (layer->gpu_tokens == NULL)
        return MOEHUB_E_MEMORY;
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++) {
        const size_t tokens = cut == MOEHUB_CUT_ROUND_ROBIN
                                  ? (layer->tokens + layer->gpus - 1 - gpu) / layer->gpus
                                  : block_start(layer, gpu + 1u) - block_start(layer, gpu);
        layer->gpu_tokens[gpu] = (uint32_t)tokens;
        if (layer->gpu_tokens[gpu] > layer->tokens_per_gpu)
            layer->tokens_per_gpu = layer->gpu_tokens[gpu];
    }
    layer->row_limit = layer->gpus * layer->tokens_per_gpu;
    return 0;
}

static bool comes_before(struct moehub_target a, struct moehub_target b)
{
    return a.gpu < b.gpu || (a.gpu == b.gpu && a.local < b.local);
}

/* Sorts a row's experts into its targets, and lists the remote GPUs among them. */
static void place_row(struct moehub_layer *layer, unsigned source, uint32_t row, const uint16_t *experts)
{
    struct moehub_target *targets = layer->targets + (size_t)row * layer->topk;
    for (unsigned i = 0; i < layer->topk; i++) {
        const struct moehub_place place = layer->placement.places[experts[i]];
        const struct moehub_target target = {place.gpu, place.local, experts[i]};
        unsigned at = i;
        for (; at > 0 && comes_before(target, targets[at - 1]); at--)
            targets[at] = targets[at - 1];
        targets[at] = target;
    }
    uint16_t *remotes = layer->remotes + (size_t)row * layer->topk;
    uint16_t count = 0;
    for (unsigned i = 0; i < layer->topk; i++)
        if (targets[i].gpu != source && (count == 0 || remotes[count - 1] != targets[i].gpu))
            remotes[count++] = targets[i].gpu;
    layer->remote_counts[row] = count;
}

static void place_rows(struct moehub_layer *layer, enum moehub_cut cut, const uint16_t *rows)
{
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        for (uint32_t token = 0; token < layer->gpu_tokens[gpu]; token++) {
            const size_t from = cut == MOEHUB_CUT_ROUND_ROBIN ? (size_t)token * layer->gpus + gpu
                                                              : block_start(layer, gpu) + token;
            place_row(layer, gpu, moehub_layer_row(layer, gpu, token), rows + from * layer->topk);
        }
}

/* Cuts and places rows that are there. */
static int build(struct moehub_layer *layer, const struct moehub_layer_options *options, const struct layer_rows *rows,
                 struct moehub_message *message)
{
    layer->experts = rows->experts;
    layer->topk = rows->topk;
    layer->tokens = rows->tokens;
    layer->warmup_rows = rows->warmup_rows;
    int error = options->experts == 0 ? place_experts(layer, options->placement, message) : 0;
    if (error == 0)
        error = cut_tokens(layer, options->cut);
    if (error == 0)
        error = allocate(layer);
    if (error == 0)
        place_rows(layer, options->cut, rows->rows);
    return error;
}

/* A layer of a known size asks for all its memory at once, before minutes are spent on drawing: what a machine cannot
 * have is refused then. */
static int check_memory(const struct moehub_layer_options *options, struct moehub_message *message)
{
    const size_t bytes = options->gpus * options->tokens * (MOEHUB_LAYER_ASSIGNMENT_BYTES * options->topk + 2);
    void *volatile all = malloc(bytes + 1);   /* volatile: or the compiler leaves out both calls */
    const bool enough = all != NULL;
    free(all);
    if (enough)
        return 0;
    moehub_message_set(message, NULL, 0, "out of memory: %u x %zu tokens to %u experts each take %.1f GB", options->gpus,
                       options->tokens, options->topk, (double)bytes / 1e9);
    return MOEHUB_E_MEMORY;
}

/* What takes no time comes first: a wrong placement is told before any row is drawn or read. */
static int create(struct moehub_layer *layer, const struct moehub_layer_options *options, struct moehub_message *message)
{
    struct layer_rows rows = {0};
    int error = moehub_layer_options_check(options, message);
    if (error != 0)
        return error;
    size_rows(layer, options);
    layer->gpus = options->gpus;
    layer->experts = options->experts;
    if (options->experts != 0)
        error = place_experts(layer, options->placement, message);
    if (error == 0)
        error = check_memory(options, message);
    if (error == 0)
        error = layer_rows_obtain(&rows, options, message);
    if (error == 0)
        error = build(layer, options, &rows, message);
    free(rows.rows);
    return error;
}

int moehub_layer_create(struct moehub_layer *layer, const struct moehub_layer_options *options,
                        struct moehub_message *message)
{
    *layer = (struct moehub_layer){0};
    if (message != NULL)
        message->text[0] = '\0';
    const int error = create(layer, options, message);
    if (error != 0)
        moehub_layer_destroy(layer);
    if (error != 0 && message != NULL && message->text[0] == '\0')
        moehub_message_set(message, NULL, 0, "%s", moehub_strerror(error));
    return error;
}
