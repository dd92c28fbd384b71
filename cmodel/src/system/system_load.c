/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_load.h"

#include "moehub/system_bounds.h"
#include "system/system_normal.h"

#include <math.h>
#include <stdlib.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

/* Load of the GPU of a rank (0: the fullest) over what it would be if all experts had the same. */
static double load_of_rank(const struct moehub_system_constants *constants, unsigned experts, unsigned rank, unsigned gpus)
{
    const double deviation = VALUE(load_variation) / sqrt(experts) * system_normal_rank(gpus - rank, gpus);
    return fmax(0, 1 + deviation);
}

static unsigned experts_of_rank(const struct moehub_system_work *work, unsigned rank, unsigned gpus)
{
    return work->experts / gpus + (rank < work->experts % gpus);
}

/* One GPU's class. */
static struct moehub_system_class single(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                         unsigned rank, unsigned gpus)
{
    const unsigned experts = experts_of_rank(work, rank, gpus);
    const double factor = load_of_rank(constants, experts, rank, gpus);
    const double chance = 1 - moehub_system_chance_of_none(work->experts, experts, work->topk);
    const double hits = fmin(1, factor * chance);
    return (struct moehub_system_class){
        .gpus = 1,
        .experts = experts,
        .rows = factor * work->tokens * (double)work->topk * gpus * experts / work->experts,
        .arrivals = work->tokens * (double)(gpus - 1) * hits,
        .hits = hits,
    };
}

static void append(struct moehub_system_class *sum, const struct moehub_system_class *one)
{
    sum->gpus++;
    sum->rows += one->rows;
    sum->arrivals += one->arrivals;
    sum->hits += one->hits;
}

/* The class that a rank belongs to: the first rank alone, the others in equal shares. */
static unsigned class_of_rank(unsigned rank, unsigned gpus, unsigned classes)
{
    return rank == 0 || classes >= gpus ? rank : 1 + (rank - 1) * (classes - 1) / (gpus - 1);
}

/* Joins GPUs, fullest first, into classes of equal experts; sums become means. */
static void join(struct moehub_system_load *load, const struct moehub_system_class *singles, unsigned gpus, unsigned classes,
                 double tokens)
{
    load->count = 0;
    double arrivals = 0;
    for (unsigned rank = 0; rank < gpus; rank++) {
        const bool opens = rank == 0 || class_of_rank(rank, gpus, classes) != class_of_rank(rank - 1, gpus, classes) ||
                           singles[rank].experts != singles[rank - 1].experts;
        arrivals += singles[rank].arrivals;
        if (opens && load->count < MOEHUB_SYSTEM_CLASSES_MAX)
            load->classes[load->count++] = (struct moehub_system_class){.experts = singles[rank].experts};
        append(&load->classes[load->count - 1], &singles[rank]);
    }
    for (unsigned i = 0; i < load->count; i++) {
        struct moehub_system_class *one = &load->classes[i];
        one->rows /= one->gpus;
        one->arrivals /= one->gpus;
        one->hits /= one->gpus;
    }
    load->copies = arrivals / (tokens * gpus);
}

void moehub_system_load_make(struct moehub_system_load *load, const struct moehub_system_constants *constants,
                             const struct moehub_system_work *work, unsigned classes)
{
    struct moehub_system_class singles[1024];
    const unsigned gpus = (unsigned)VALUE(gpus);
    for (unsigned rank = 0; rank < gpus; rank++)
        singles[rank] = single(constants, work, rank, gpus);
    join(load, singles, gpus, classes, work->tokens);
}

static int fuller_first(const void *left, const void *right)
{
    const struct moehub_system_class *a = left;
    const struct moehub_system_class *b = right;
    if (a->experts != b->experts)
        return a->experts < b->experts ? 1 : -1;
    return (a->rows < b->rows) - (a->rows > b->rows);
}

/* The first E % G GPUs have one expert more. */
static unsigned gpu_of_expert(const struct moehub_system_work *work, unsigned gpus, unsigned expert)
{
    const unsigned few = work->experts / gpus;
    const unsigned larger = work->experts % gpus;
    const unsigned in_larger = larger * (few + 1);
    return expert < in_larger ? expert / (few + 1) : larger + (expert - in_larger) / few;
}

/* A token's experts, counted at their GPUs; `last` says which token reached a GPU last. */
static void count_token(struct moehub_system_class *singles, size_t *last, const struct moehub_system_work *work, unsigned gpus,
                        const struct moehub_trace *trace, size_t token)
{
    for (unsigned i = 0; i < trace->topk; i++) {
        const unsigned gpu = gpu_of_expert(work, gpus, trace->rows[token * trace->topk + i]);
        singles[gpu].rows++;
        singles[gpu].hits += last[gpu] != token + 1;
        last[gpu] = token + 1;
    }
}

void moehub_system_load_from_trace(struct moehub_system_load *load, const struct moehub_system_constants *constants,
                                   const struct moehub_system_work *work, const struct moehub_trace *trace, unsigned classes)
{
    struct moehub_system_class singles[1024] = {{0}};
    size_t last[1024] = {0};
    const unsigned gpus = (unsigned)VALUE(gpus);
    for (size_t token = 0; token < trace->tokens; token++)
        count_token(singles, last, work, gpus, trace, token);
    const double scale = (double)work->tokens * gpus / (double)trace->tokens;
    for (unsigned gpu = 0; gpu < gpus; gpu++) {
        struct moehub_system_class *one = &singles[gpu];
        one->gpus = 1;
        one->experts = experts_of_rank(work, gpu, gpus);
        one->rows *= scale;
        one->hits /= (double)trace->tokens;
        one->arrivals = work->tokens * (double)(gpus - 1) * one->hits;
    }
    qsort(singles, gpus, sizeof singles[0], fuller_first);
    join(load, singles, gpus, classes, work->tokens);
}

void moehub_system_load_from_layer(struct moehub_system_load *load, const struct moehub_layer *layer)
{
    double sent = 0;
    double arrivals = 0;
    *load = (struct moehub_system_load){.count = layer->gpus};
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        load->classes[gpu].gpus = 1;
    for (uint32_t row = 0; row < layer->row_limit; row++) {
        const unsigned copies = layer->remote_counts[row];
        sent += copies > 0;
        arrivals += copies;
        for (unsigned i = 0; i < copies; i++)
            load->classes[layer->remotes[(size_t)row * layer->topk + i]].arrivals++;
    }
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        load->classes[gpu].hits = load->classes[gpu].arrivals / (double)layer->tokens;
    load->copies = sent > 0 ? arrivals / sent : 0;
}
