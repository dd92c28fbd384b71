/* SPDX-License-Identifier: Apache-2.0 */
/* Draws without replacement from given shares. */
#include "traffic/routing_draw.h"

#include "moehub/error.h"

#include <gsl/gsl_randist.h>
#include <stdbool.h>
#include <stdlib.h>

/* Repeats tolerated before the exact but slow way: at very uneven shares a last expert may hide for thousands of draws. */
enum { REPEATS = 64 };

struct shares_draw {
    gsl_rng *random;
    const gsl_ran_discrete_t *alias;
    const double *shares;
    unsigned experts;
    bool *taken;
};

/* One expert not yet taken, by a walk over the remaining shares. */
static unsigned draw_by_walk(const struct shares_draw *draw)
{
    double total = 0;
    for (unsigned expert = 0; expert < draw->experts; expert++)
        total += draw->taken[expert] ? 0 : draw->shares[expert];
    double left = gsl_rng_uniform(draw->random) * total;
    unsigned last = 0;
    for (unsigned expert = 0; expert < draw->experts; expert++) {
        if (draw->taken[expert])
            continue;
        last = expert;
        left -= draw->shares[expert];
        if (left < 0)
            break;
    }
    return last;
}

/* One expert not yet taken. Rejecting repeats and walking draw from the same distribution: the shares of the others. */
static unsigned draw_expert(const struct shares_draw *draw)
{
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        const size_t expert = gsl_ran_discrete(draw->random, draw->alias);
        if (!draw->taken[expert])
            return (unsigned)expert;
    }
    return draw_by_walk(draw);
}

static void draw_row(const struct shares_draw *draw, unsigned topk, uint16_t *row)
{
    for (unsigned i = 0; i < topk; i++) {
        const unsigned expert = draw_expert(draw);
        draw->taken[expert] = true;
        row[i] = (uint16_t)expert;
    }
    for (unsigned i = 0; i < topk; i++)
        draw->taken[row[i]] = false;
}

int draw_from_shares(gsl_rng *random, const double *shares, unsigned experts, unsigned topk, size_t tokens,
                     uint16_t *rows)
{
    gsl_ran_discrete_t *alias = gsl_ran_discrete_preproc(experts, shares);
    bool *taken = calloc(experts, sizeof *taken);
    if (alias != NULL && taken != NULL) {
        const struct shares_draw draw = {random, alias, shares, experts, taken};
        for (size_t token = 0; token < tokens; token++)
            draw_row(&draw, topk, rows + token * topk);
    }
    const int error = alias != NULL && taken != NULL ? 0 : MOEHUB_E_MEMORY;
    if (alias != NULL)
        gsl_ran_discrete_free(alias);
    free(taken);
    return error;
}
