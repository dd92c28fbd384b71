/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_rates.h"

#include <math.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

bool moehub_system_is_bound(enum moehub_system_scheme scheme)
{
    return scheme == MOEHUB_SYSTEM_SCHEME_IDEAL || scheme == MOEHUB_SYSTEM_SCHEME_PERFECT ||
           scheme == MOEHUB_SYSTEM_SCHEME_HUB_IDEAL;
}

/* ---- links ---------------------------------------------------------------------- */

/* Seconds of the busier direction of a GPU's links, of dispatch, of combine with its requests, and of both at once. */
struct busier {
    double dispatch, combine, both;
};

static struct busier busier_of(const struct moehub_system_plan *plan, unsigned number)
{
    const struct moehub_system_bytes bytes = moehub_system_plan_bytes(plan, number);
    const double up = bytes.up[MOEHUB_SYSTEM_COMBINE] + bytes.up[MOEHUB_SYSTEM_REQUESTS];
    const double down = bytes.down[MOEHUB_SYSTEM_COMBINE] + bytes.down[MOEHUB_SYSTEM_REQUESTS];
    return (struct busier){
        .dispatch = fmax(bytes.up[MOEHUB_SYSTEM_DISPATCH], bytes.down[MOEHUB_SYSTEM_DISPATCH]) / plan->link_rate,
        .combine = fmax(up, down) / plan->link_rate,
        .both = fmax(up + bytes.up[MOEHUB_SYSTEM_DISPATCH], down + bytes.down[MOEHUB_SYSTEM_DISPATCH]) / plan->link_rate,
    };
}

/* Seconds on the fullest links; with kernels apart one phase after the other. */
static double links_time(const struct moehub_system_plan *plan, bool apart)
{
    struct busier most = {0, 0, 0};
    for (unsigned i = 0; i < plan->load.count; i++) {
        const struct busier one = busier_of(plan, i);
        most.dispatch = fmax(most.dispatch, one.dispatch);
        most.combine = fmax(most.combine, one.combine);
        most.both = fmax(most.both, one.both);
    }
    return apart ? most.dispatch / plan->efficiency[MOEHUB_SYSTEM_DISPATCH_ALONE] +
                       most.combine / plan->efficiency[MOEHUB_SYSTEM_COMBINE_ALONE] :
                   most.both / plan->efficiency[MOEHUB_SYSTEM_BOTH];
}

/* The least of the ways that rows can go, both ways at once, on links without loss: in the switch or one by one. Where tokens
 * have hardly a copy, lists and requests make the first the dearer one. A gather moves no less than the second. */
static double least_links_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                               const struct moehub_system_plan_options *lossless, struct moehub_message *message)
{
    static const enum moehub_system_scheme ways[] = {MOEHUB_SYSTEM_SCHEME_DYSHARP, MOEHUB_SYSTEM_SCHEME_MEGAMOE};
    struct moehub_system_plan plan;
    double least = INFINITY;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const int error = moehub_system_plan_make(&plan, constants, work, ways[i], lossless, message);
        if (error != 0)
            return error;
        least = fmin(least, links_time(&plan, false));
    }
    return least;
}

double moehub_system_wire_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                               enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options,
                               struct moehub_message *message)
{
    struct moehub_system_plan plan;
    struct moehub_system_plan_options own = *options;
    own.lossless = options->lossless || scheme == MOEHUB_SYSTEM_SCHEME_IDEAL || scheme == MOEHUB_SYSTEM_SCHEME_HUB_IDEAL;
    if (scheme == MOEHUB_SYSTEM_SCHEME_IDEAL)
        return least_links_time(constants, work, &own, message);
    const int error = moehub_system_plan_make(&plan, constants, work, scheme, &own, message);
    return error != 0 ? error : links_time(&plan, plan.kernels_apart);
}

/* ---- products ------------------------------------------------------------------- */

/* By kernels, the second after the first; backward, as many products again for the gradients of the weights. */
static double kernels_time(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemms, unsigned sms,
                           bool backward)
{
    const double sum = moehub_system_gemm_time(constants, &gemms[0], sms) + moehub_system_gemm_time(constants, &gemms[1], sms);
    return backward ? 2 * sum : sum;
}

/* What no cut into tiles is faster than. Where kernels are apart, the first must end its last wave, and the second is launched;
 * what comes after may fill the gaps of the second's last wave. */
static double least_products(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemms,
                             unsigned sms, bool apart, bool backward)
{
    const double first = moehub_system_gemm_least(constants, &gemms[0], sms);
    const double second = moehub_system_gemm_least(constants, &gemms[1], sms);
    if (!apart)
        return backward ? 2 * (first + second) : first + second;
    const double whole = moehub_system_gemm_time(constants, &gemms[0], sms);
    return backward ? whole + second + first + second :
                      whole + moehub_system_gemm_time(constants, &gemms[1], sms) - VALUE(gemm_launch);
}

double moehub_system_compute_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                  enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options)
{
    struct moehub_system_plan plan;
    struct moehub_message unused;
    struct moehub_system_plan_options lossless = *options;
    lossless.lossless = true;  /* no slice of the links is needed, so that nothing can fail */
    moehub_system_plan_make(&plan, constants, work, scheme, &lossless, &unused);
    const unsigned sms = plan.sms[0] + plan.sms[1];
    double most = 0;
    for (unsigned i = 0; i < plan.load.count; i++) {
        struct moehub_system_gemm gemms[2];
        if (plan.load.classes[i].experts == 0 || plan.load.classes[i].rows <= 0)
            continue;
        moehub_system_plan_gemms(gemms, constants, work, &plan.load.classes[i], options->backward);
        most = fmax(most, moehub_system_is_bound(scheme) ?
                              least_products(constants, gemms, sms, plan.kernels_apart, options->backward) :
                              kernels_time(constants, gemms, sms, options->backward));
    }
    return most;
}

/* ---- the layer ------------------------------------------------------------------ */

static double hidden_share(const struct moehub_system_constants *constants, enum moehub_system_scheme scheme)
{
    switch (scheme) {
    case MOEHUB_SYSTEM_SCHEME_FASTERMOE:
        return VALUE(hidden_fastermoe);
    case MOEHUB_SYSTEM_SCHEME_TUTEL:
        return VALUE(hidden_tutel);
    case MOEHUB_SYSTEM_SCHEME_CCFUSER:
        return VALUE(hidden_ccfuser);
    case MOEHUB_SYSTEM_SCHEME_COMET:
    case MOEHUB_SYSTEM_SCHEME_ADDRESSING_COMET:
        return VALUE(hidden_comet);
    case MOEHUB_SYSTEM_SCHEME_DEEPEP:
    case MOEHUB_SYSTEM_SCHEME_NVLS:
    case MOEHUB_SYSTEM_SCHEME_MEGATRON:
    case MOEHUB_SYSTEM_SCHEME_ADDRESSING:
        return 0;
    default:
        return 1;
    }
}

/* Starts of the library's calls, for the schemes that are made of such calls; the others are kernels of their own. */
static double library_starts(const struct moehub_system_constants *constants, enum moehub_system_scheme scheme)
{
    const bool calls = scheme == MOEHUB_SYSTEM_SCHEME_FASTERMOE || scheme == MOEHUB_SYSTEM_SCHEME_TUTEL;
    return calls ? VALUE(dispatch_start) + VALUE(combine_start) : 0;
}

double moehub_system_rates_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                enum moehub_system_scheme scheme, const struct moehub_system_plan_options *options,
                                struct moehub_message *message)
{
    const double rows = moehub_system_wire_time(constants, work, scheme, options, message);
    if (rows < 0)
        return rows;
    const double wire = rows + library_starts(constants, scheme);
    const double compute = moehub_system_compute_time(constants, work, scheme, options);
    const double exposed = (1 - hidden_share(constants, scheme)) * fmin(wire, compute);
    return moehub_system_mediation(constants, work, scheme) + fmax(wire, compute) + exposed;
}
