/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_share.h"

#include <math.h>

/* What the flows that still rise take of a link for each unit of rate. */
static double demand(const struct moehub_system_share *share, const bool *rising, unsigned link)
{
    double sum = 0;
    for (unsigned flow = 0; flow < share->flows; flow++)
        if (rising[flow])
            sum += share->use[flow][link];
    return sum;
}

/* The next link to be full; `*step` is how far the flows rise until then. */
static unsigned tightest(const struct moehub_system_share *share, const bool *rising, const double *left, double *step)
{
    unsigned found = share->links;
    *step = INFINITY;
    for (unsigned link = 0; link < share->links; link++) {
        const double sum = demand(share, rising, link);
        if (sum > 0 && left[link] / sum < *step) {
            *step = left[link] / sum;
            found = link;
        }
    }
    return found;
}

static void rise(struct moehub_system_share *share, bool *rising, double *left, unsigned full, double step)
{
    for (unsigned flow = 0; flow < share->flows; flow++) {
        if (!rising[flow])
            continue;
        share->rate[flow] += step;
        for (unsigned link = 0; link < share->links; link++)
            left[link] = fmax(0, left[link] - step * share->use[flow][link]);
    }
    for (unsigned flow = 0; flow < share->flows; flow++)
        rising[flow] = rising[flow] && share->use[flow][full] <= 0;
}

void moehub_system_share_solve(struct moehub_system_share *share)
{
    bool rising[MOEHUB_SYSTEM_FLOWS_MAX];
    double left[MOEHUB_SYSTEM_LINKS_MAX];
    for (unsigned flow = 0; flow < share->flows; flow++) {
        rising[flow] = share->active[flow];
        share->rate[flow] = 0;
    }
    for (unsigned link = 0; link < share->links; link++)
        left[link] = share->capacity[link];
    double step;
    for (unsigned full; (full = tightest(share, rising, left, &step)) < share->links;)
        rise(share, rising, left, full, step);
}
