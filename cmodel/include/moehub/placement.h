/* SPDX-License-Identifier: Apache-2.0 */
/* Expert placement: expert -> (GPU, local expert).
 *
 * Block: expert e lives on GPU floor(e * G / E); E need not divide by G, and GPUs without experts are legal.
 * From a file: one line `expert gpu` per expert, in any order, every expert exactly once; `#` starts a comment.
 * Either way the local index counts a GPU's experts in ascending expert number: 0, 1, 2, ... */
#ifndef MOEHUB_PLACEMENT_H
#define MOEHUB_PLACEMENT_H

#include "moehub/error.h"

#include <stdint.h>
#include <stdio.h>

struct moehub_place {
    uint16_t gpu;
    uint16_t local;
};

struct moehub_placement {
    unsigned gpus;
    unsigned experts;
    struct moehub_place *places;  /* [experts] */
    uint16_t *local_counts;       /* [gpus]: experts on the GPU */
    uint32_t *firsts;             /* [gpus + 1]: where the GPU's experts start in by_gpu */
    uint16_t *by_gpu;             /* [experts]: experts sorted by (GPU, local index) */
};

/* 0, MOEHUB_E_ARGUMENT (gpus 1..1024, experts 1..4096) or MOEHUB_E_MEMORY. On failure nothing is left to destroy. */
int moehub_placement_create_block(struct moehub_placement *placement, unsigned gpus, unsigned experts);

/* As above from an open table; `name` stands for the file in messages ("name:line: what is wrong", MOEHUB_E_FORMAT). */
int moehub_placement_create_table(struct moehub_placement *placement, unsigned gpus, unsigned experts, FILE *file,
                                  const char *name, struct moehub_message *message);

/* As above from a file's path; MOEHUB_E_FILE when it cannot be read. */
int moehub_placement_create_file(struct moehub_placement *placement, unsigned gpus, unsigned experts, const char *path,
                                 struct moehub_message *message);

void moehub_placement_destroy(struct moehub_placement *placement);

/* The global number of a GPU's local expert (local < local_counts[gpu]). */
static inline unsigned moehub_placement_expert(const struct moehub_placement *placement, unsigned gpu, unsigned local)
{
    return placement->by_gpu[placement->firsts[gpu] + local];
}

#endif
