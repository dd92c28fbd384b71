/* SPDX-License-Identifier: Apache-2.0 */
/* Rows take a GPU's links by what their source has sent on each: its links are alike, those of a receiver are not. */
#include "moehub/system_shares.h"

#include <math.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

/* Seconds of a direction of all links of a GPU: of its own tokens, and of each row that others send it. */
struct direction {
    double own, row;
};

/* Down and up, of a pattern in the switch. */
static void find_directions(struct direction *directions, const struct moehub_system_constants *constants,
                            const struct moehub_system_work *work, enum moehub_system_pattern pattern)
{
    const double out = (double)work->hidden * work->dispatch_element_bytes;
    const double back = work->hidden * VALUE(combine_element_bytes);
    const double tokens = work->tokens;
    struct direction *down = &directions[0], *up = &directions[1];
    *down = *up = (struct direction){0, 0};
    if (pattern != MOEHUB_SYSTEM_COMBINE_ALONE) {
        down->row += moehub_system_copies_time(constants, 1, out);
        up->own += tokens * moehub_system_listed_rows_time(constants, 1, out);
    }
    if (pattern != MOEHUB_SYSTEM_DISPATCH_ALONE) {
        down->row += moehub_system_requests_time(constants, back);
        down->own += tokens * moehub_system_rows_time(constants, 1, back);
        up->row += moehub_system_rows_time(constants, 1, back);
        up->own += tokens * moehub_system_requests_time(constants, back);
    }
}

/* A normal deviate for each link of each GPU. */
struct normals {
    const struct moehub_system_load *load;
    struct direction direction;
    double tokens, links;
    double others;      /* GPUs that send to one */
    double mean;        /* of the fullest GPU's links */
    double deviation;   /* the largest */
};

static double mean_of(const struct normals *normals, unsigned number)
{
    return (normals->direction.own + normals->direction.row * normals->load->classes[number].arrivals) / normals->links;
}

/* A source's rows are the same on all links: if it sent a receiver all of them, or none, that receiver's links would be alike. */
static double deviation_of(const struct normals *normals, unsigned number)
{
    const double rows = normals->load->classes[number].arrivals;
    const double chance = fmin(1, rows / (normals->tokens * normals->others));
    return normals->direction.row * sqrt(rows / normals->links * (1 - chance));
}

static struct normals make_normals(const struct moehub_system_load *load, const struct direction *direction, double tokens,
                                   double links)
{
    struct normals normals = {.load = load, .direction = *direction, .tokens = tokens, .links = links, .others = -1};
    for (unsigned i = 0; i < load->count; i++)
        normals.others += load->classes[i].gpus;
    for (unsigned i = 0; i < load->count; i++) {
        normals.mean = fmax(normals.mean, mean_of(&normals, i));
        normals.deviation = fmax(normals.deviation, deviation_of(&normals, i));
    }
    return normals;
}

/* Chance that no link has more than `limit`. */
static double chance_below(const struct normals *normals, double limit)
{
    double chance = 1;
    for (unsigned i = 0; i < normals->load->count; i++) {
        const double deviation = deviation_of(normals, i);
        const double above = limit - mean_of(normals, i);
        const double one = deviation > 0 ? 0.5 * erfc(-above / deviation / sqrt(2)) : above >= 0;
        chance *= pow(one, normals->links * normals->load->classes[i].gpus);
    }
    return chance;
}

/* Mean of the largest, by steps: what it is above a value that it always reaches. */
static double expected_largest(const struct normals *normals)
{
    enum { STEPS = 1000 };
    const double deviations = 8;  /* nothing is further from its mean */
    const double least = normals->mean - deviations * normals->deviation;
    const double step = 2 * deviations * normals->deviation / STEPS;
    double sum = least;
    for (int i = 0; i < STEPS; i++)
        sum += step * (1 - chance_below(normals, least + (i + 0.5) * step));
    return sum;
}

double moehub_system_links_excess(const struct moehub_system_constants *constants, const struct moehub_system_load *load,
                                  const struct moehub_system_work *work, enum moehub_system_pattern pattern)
{
    struct direction directions[2];
    struct normals normals[2];
    if (VALUE(links) <= 1)
        return 1;
    find_directions(directions, constants, work, pattern);
    for (int i = 0; i < 2; i++)
        normals[i] = make_normals(load, &directions[i], work->tokens, VALUE(links));
    const struct normals *busier = &normals[normals[1].mean > normals[0].mean];
    return busier->mean > 0 ? expected_largest(busier) / busier->mean : 1;
}
