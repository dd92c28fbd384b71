/* SPDX-License-Identifier: Apache-2.0 */
#include "traffic/routing_draw.h"

#include "moehub/error.h"
#include "moehub/layer.h"
#include "moehub/routing.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/* No share is smaller than this part of the mean one: every expert can be drawn. */
#define LEAST_SHARE 0x1p-20

static void shares_uniform(double *shares, unsigned experts)
{
    for (unsigned expert = 0; expert < experts; expert++)
        shares[expert] = 1;
}

static void shares_normal(gsl_rng *random, double deviation, double *shares, unsigned experts)
{
    for (unsigned expert = 0; expert < experts; expert++)
        shares[expert] = fmax(1 + gsl_ran_gaussian_ziggurat(random, deviation), LEAST_SHARE);
}

static void shares_zipf(gsl_rng *random, double exponent, double *shares, unsigned experts)
{
    for (unsigned expert = 0; expert < experts; expert++)
        shares[expert] = pow(expert + 1.0, -exponent);
    gsl_ran_shuffle(random, shares, experts, sizeof *shares);
}

static int draw_shares(gsl_rng *random, const struct moehub_routing *routing, unsigned experts, unsigned topk,
                       size_t tokens, uint16_t *rows)
{
    double *shares = malloc(experts * sizeof *shares);
    if (shares == NULL)
        return MOEHUB_E_MEMORY;
    if (routing->kind == MOEHUB_ROUTING_NORMAL)
        shares_normal(random, routing->parameter, shares, experts);
    else if (routing->kind == MOEHUB_ROUTING_ZIPF)
        shares_zipf(random, routing->parameter, shares, experts);
    else
        shares_uniform(shares, experts);
    const int error = draw_from_shares(random, shares, experts, topk, tokens, rows);
    free(shares);
    return error;
}

static int check_groups(const struct moehub_routing *routing, unsigned experts, unsigned topk,
                        struct moehub_message *message)
{
    if (routing->groups < 1 || experts % routing->groups != 0)
        moehub_message_set(message, NULL, 0, "group routing: %u groups do not divide %u experts", routing->groups, experts);
    else if (routing->groups_kept < 1 || routing->groups_kept > routing->groups)
        moehub_message_set(message, NULL, 0, "group routing: %u groups kept out of %u", routing->groups_kept, routing->groups);
    else if (experts / routing->groups * routing->groups_kept < topk)
        moehub_message_set(message, NULL, 0, "group routing: top-%u does not fit into %u groups of %u experts", topk,
                           routing->groups_kept, experts / routing->groups);
    else
        return 0;
    return MOEHUB_E_ARGUMENT;
}

/* GSL's generators take 32 bits of seed; all 64 of ours count. */
static unsigned long fold_seed(uint64_t seed)
{
    const uint64_t mixed = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    return (unsigned long)((mixed ^ mixed >> 32) & 0xFFFFFFFF);
}

static int check_parameter(const char *name, double parameter, double most, struct moehub_message *message)
{
    if (parameter >= 0 && parameter <= most)
        return 0;
    moehub_message_set(message, NULL, 0, "%s routing: parameter %g; legal are 0..%g", name, parameter, most);
    return MOEHUB_E_ARGUMENT;
}

int moehub_routing_check(const struct moehub_routing *routing, unsigned experts, unsigned topk,
                         struct moehub_message *message)
{
    if (experts < 1 || experts > MOEHUB_LAYER_EXPERTS_MAX || topk < 1 || topk > MOEHUB_LAYER_TOPK_MAX || topk > experts ||
        routing->kind == MOEHUB_ROUTING_TRACE) {
        moehub_message_set(message, NULL, 0, "cannot draw top-%u of %u experts", topk, experts);
        return MOEHUB_E_ARGUMENT;
    }
    switch (routing->kind) {
    case MOEHUB_ROUTING_UNIFORM:
        return 0;
    case MOEHUB_ROUTING_NORMAL:
        return check_parameter("normal", routing->parameter, MOEHUB_ROUTING_NORMAL_MAX, message);
    case MOEHUB_ROUTING_ZIPF:
        return check_parameter("zipf", routing->parameter, MOEHUB_ROUTING_ZIPF_MAX, message);
    case MOEHUB_ROUTING_GROUP:
        return check_groups(routing, experts, topk, message);
    default:
        moehub_message_set(message, NULL, 0, "unknown routing %d", (int)routing->kind);
        return MOEHUB_E_ARGUMENT;
    }
}

int moehub_routing_draw(const struct moehub_routing *routing, unsigned experts, unsigned topk, size_t tokens,
                        uint64_t seed, uint16_t *rows, struct moehub_message *message)
{
    int error = moehub_routing_check(routing, experts, topk, message);
    if (error != 0)
        return error;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    if (random == NULL)
        return MOEHUB_E_MEMORY;
    gsl_rng_set(random, fold_seed(seed));
    if (routing->kind == MOEHUB_ROUTING_GROUP)
        error = draw_by_groups(random, experts, routing->groups, routing->groups_kept, topk, tokens, rows);
    else
        error = draw_shares(random, routing, experts, topk, tokens, rows);
    gsl_rng_free(random);
    return error;
}
