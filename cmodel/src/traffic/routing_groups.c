/* SPDX-License-Identifier: Apache-2.0 */
/* Group-limited top-k: the best experts of the best groups. */
#include "traffic/routing_draw.h"

#include "moehub/error.h"

#include <stdlib.h>

/* The `wanted` highest of `count` scores, highest first, into best[] (numbers of scores, counted from `first`),
 * behind the `have` already there; all scores are different in practice, a tie keeps the earlier one. */
static unsigned keep_best(const double *scores, unsigned first, unsigned count, unsigned wanted, unsigned have,
                          uint16_t *best)
{
    for (unsigned i = first; i < first + count; i++) {
        if (have == wanted && scores[i] <= scores[best[have - 1]])
            continue;
        unsigned place = have < wanted ? have++ : have - 1;
        for (; place > 0 && scores[best[place - 1]] < scores[i]; place--)
            best[place] = best[place - 1];
        best[place] = (uint16_t)i;
    }
    return have;
}

/* A group counts the sum of its two best scores. */
static double group_score(const double *scores, unsigned first, unsigned size)
{
    uint16_t best[2];
    const unsigned have = keep_best(scores, first, size, 2, 0, best);
    return scores[best[0]] + (have == 2 ? scores[best[1]] : 0);
}

int draw_by_groups(gsl_rng *random, unsigned experts, unsigned groups, unsigned kept, unsigned topk, size_t tokens,
                   uint16_t *rows)
{
    const unsigned size = experts / groups;
    double *scores = malloc(experts * sizeof *scores);
    double *group_scores = malloc(groups * sizeof *group_scores);
    uint16_t *best_groups = malloc(groups * sizeof *best_groups);
    const int error = scores && group_scores && best_groups ? 0 : MOEHUB_E_MEMORY;
    for (size_t token = 0; error == 0 && token < tokens; token++) {
        for (unsigned expert = 0; expert < experts; expert++)
            scores[expert] = gsl_rng_uniform(random);
        for (unsigned group = 0; group < groups; group++)
            group_scores[group] = group_score(scores, group * size, size);
        keep_best(group_scores, 0, groups, kept, 0, best_groups);
        unsigned have = 0;
        for (unsigned i = 0; i < kept; i++)
            have = keep_best(scores, best_groups[i] * size, size, topk, have, rows + token * topk);
    }
    free(scores);
    free(group_scores);
    free(best_groups);
    return error;
}
