/* SPDX-License-Identifier: Apache-2.0 */
/* The shapes of published MoE models.
 * Sources: the models' configuration files; dysharp-* is Table "models" of arXiv 2605.05607 (top-k 8 of 8, 16, 32). */
#ifndef MOEHUB_PRESETS_H
#define MOEHUB_PRESETS_H

#include <stddef.h>

struct moehub_preset {
    const char *name;
    unsigned experts;       /* routed experts of a layer */
    unsigned topk;          /* experts of a token, all different */
    unsigned hidden;        /* elements of a row */
    unsigned intermediate;  /* elements between an expert's two GEMMs */
    unsigned layers;        /* MoE layers of the model; 0: not a whole model */
    unsigned groups;        /* expert groups of the router; 0: the router knows no groups */
    unsigned groups_kept;   /* best groups that a token's experts come from */
    const char *router;     /* how the model scores experts, in words */
};

/* All presets; *count receives their number. */
const struct moehub_preset *moehub_presets(size_t *count);

/* The preset of a name, or NULL. */
const struct moehub_preset *moehub_preset_find(const char *name);

#endif
