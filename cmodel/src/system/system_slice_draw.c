/* SPDX-License-Identifier: Apache-2.0 */
/* One draw of a slice. */
#include "moehub/system_slice.h"

#include "moehub/header_check.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

enum { GPUS_MAX = MOEHUB_SYSTEM_SLICE_GPUS_MAX, LINE_BYTES = MOEHUB_LINE_BYTES };

/* What is left to draw: rows that each GPU still gets, of as many that could still go there. */
struct draw {
    const struct moehub_system_slice *slice;
    gsl_rng *random;
    double left[GPUS_MAX], candidates[GPUS_MAX];
    unsigned order[GPUS_MAX];
};

static void begin(struct draw *draw)
{
    const struct moehub_system_slice *slice = draw->slice;
    const double candidates = (double)slice->rows * (slice->gpus - 1);
    for (unsigned gpu = 0; gpu < slice->gpus; gpu++) {
        draw->left[gpu] = slice->hits[gpu] * candidates;
        draw->candidates[gpu] = candidates;
        draw->order[gpu] = gpu;
    }
}

/* Sequential sampling: at the end every GPU has had its rows, and which they are is as in a draw of all rows at once. */
static double chance(const struct draw *draw, unsigned source, unsigned gpu)
{
    return gpu == source ? draw->slice->hits[gpu] : fmin(1, fmax(0, draw->left[gpu] / draw->candidates[gpu]));
}

/* Systematic sampling in a new order for each row: a GPU is chosen with its chance, and rows have nearly as many copies each.
 * Returns the GPUs as bits; a row without any stays at home. */
static uint64_t choose(struct draw *draw, unsigned source)
{
    const struct moehub_system_slice *slice = draw->slice;
    gsl_ran_shuffle(draw->random, draw->order, slice->gpus, sizeof draw->order[0]);
    double sum = gsl_rng_uniform(draw->random);
    uint64_t chosen = 0;
    unsigned count = 0;
    for (unsigned i = 0; i < slice->gpus && count < slice->topk; i++) {
        const unsigned gpu = draw->order[i];
        const double next = sum + chance(draw, source, gpu);
        if (floor(next) > floor(sum)) {
            chosen |= UINT64_C(1) << gpu;
            count++;
        }
        sum = next;
    }
    for (unsigned gpu = 0; gpu < slice->gpus; gpu++)
        if (gpu != source) {
            draw->left[gpu] -= (double)(chosen >> gpu & 1);
            draw->candidates[gpu]--;
        }
    return count > 0 ? chosen : UINT64_C(1) << source;
}

/* A row's targets, spread evenly over its GPUs. */
static void fill_row(struct moehub_layer *layer, uint32_t row, uint64_t chosen)
{
    const unsigned source = moehub_layer_row_gpu(layer, row), count = (unsigned)__builtin_popcountll(chosen);
    struct moehub_target *target = layer->targets + (size_t)row * layer->topk;
    uint16_t *remote = layer->remotes + (size_t)row * layer->topk;
    for (unsigned number = 0; chosen != 0; chosen &= chosen - 1, number++) {
        const uint16_t gpu = (uint16_t)__builtin_ctzll(chosen);
        for (unsigned i = number; i < layer->topk; i += count)
            *target++ = (struct moehub_target){gpu, (uint16_t)(i / count), gpu};
        if (gpu != source)
            remote[layer->remote_counts[row]++] = gpu;
    }
}

static bool take_memory(struct moehub_layer *layer)
{
    const size_t places = (size_t)layer->row_limit * layer->topk;
    layer->gpu_tokens = calloc(layer->gpus, sizeof *layer->gpu_tokens);
    layer->targets = calloc(places, sizeof *layer->targets);
    layer->remotes = calloc(places, sizeof *layer->remotes);
    layer->remote_counts = calloc(layer->row_limit, sizeof *layer->remote_counts);
    return moehub_placement_create_block(&layer->placement, layer->gpus, layer->gpus) == 0 && layer->gpu_tokens != NULL &&
           layer->targets != NULL && layer->remotes != NULL && layer->remote_counts != NULL;
}

static void draw_rows(struct moehub_layer *layer, struct draw *draw)
{
    begin(draw);
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        layer->gpu_tokens[gpu] = layer->tokens_per_gpu;
    for (uint32_t token = 0; token < layer->tokens_per_gpu; token++)
        for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
            fill_row(layer, moehub_layer_row(layer, gpu, token), choose(draw, gpu));
}

int moehub_system_slice_draw(const struct moehub_system_slice *slice, uint32_t seed, struct moehub_layer *layer)
{
    *layer = (struct moehub_layer){.gpus = slice->gpus, .experts = slice->gpus, .topk = slice->topk,
                                   .hidden = slice->dispatch_lines * LINE_BYTES, .tokens = (size_t)slice->gpus * slice->rows,
                                   .tokens_per_gpu = slice->rows, .row_limit = slice->gpus * slice->rows,
                                   .dispatch_element = MOEHUB_ELEMENT_BYTES, .combine_element = MOEHUB_ELEMENT_BF16,
                                   .dispatch_row_bytes = slice->dispatch_lines * LINE_BYTES,
                                   .combine_row_bytes = slice->combine_lines * LINE_BYTES};
    struct draw draw = {.slice = slice, .random = gsl_rng_alloc(gsl_rng_taus2)};
    const bool room = draw.random != NULL && take_memory(layer);
    if (room) {
        gsl_rng_set(draw.random, seed);
        draw_rows(layer, &draw);
    } else {
        moehub_layer_destroy(layer);
    }
    if (draw.random != NULL)
        gsl_rng_free(draw.random);
    return room ? 0 : MOEHUB_E_MEMORY;
}
