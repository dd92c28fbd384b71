/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_layer.h"

#include "moehub/system_bounds.h"
#include "moehub/system_gemm.h"
#include "moehub/system_transfer.h"

#include <math.h>
#include <stdbool.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

/* Rows in each direction: what a GPU sends and receives of a phase, hot receiver included. */
struct rows {
    double up, down;
};

static unsigned gpus_of(const struct moehub_system_constants *constants)
{
    return (unsigned)VALUE(gpus);
}

/* Expected largest of n normal deviates, by Blom's approximation, for n >= 2. */
static double largest_deviate(double n)
{
    const double chance = (n - 0.375) / (n + 0.25);
    /* A bisection needs no library and no table. */
    double low = 0;
    double high = 8;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (0.5 * erfc(-middle / sqrt(2)) < chance)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Load of the fullest GPU over the mean: its experts' loads add up. */
static double hot(const struct moehub_system_constants *constants, const struct moehub_system_work *work)
{
    const double gpus = VALUE(gpus);
    return 1 + VALUE(load_variation) / sqrt(work->experts / gpus) * largest_deviate(gpus);
}

static bool in_switch(enum moehub_system_scheme scheme)
{
    return scheme == MOEHUB_SYSTEM_SCHEME_ADDRESSING || scheme == MOEHUB_SYSTEM_SCHEME_ADDRESSING_COMET ||
           scheme == MOEHUB_SYSTEM_SCHEME_DYSHARP || scheme == MOEHUB_SYSTEM_SCHEME_IDEAL;
}

/* Dispatch as seen from the fullest GPU; combine is the same with the directions exchanged. */
static struct rows dispatch_rows(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                 enum moehub_system_scheme scheme)
{
    const double copies = moehub_system_copies(work->experts, gpus_of(constants), work->topk);
    const double tokens = work->tokens;
    if (scheme == MOEHUB_SYSTEM_SCHEME_NVLS)
        return (struct rows){tokens, tokens * (VALUE(gpus) - 1)};
    const double down = tokens * copies * hot(constants, work);
    return (struct rows){in_switch(scheme) ? tokens : tokens * copies, down};
}

static double efficiency(const struct moehub_system_constants *constants, enum moehub_system_scheme scheme)
{
    if (scheme == MOEHUB_SYSTEM_SCHEME_IDEAL)
        return 1;
    return in_switch(scheme) ? VALUE(hardware_efficiency) : VALUE(software_efficiency);
}

/* Whether dispatch and combine share the links at the same time. */
static bool fused(enum moehub_system_scheme scheme)
{
    return scheme == MOEHUB_SYSTEM_SCHEME_DYSHARP || scheme == MOEHUB_SYSTEM_SCHEME_FUSION ||
           scheme == MOEHUB_SYSTEM_SCHEME_IDEAL;
}

double moehub_system_wire_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                               enum moehub_system_scheme scheme)
{
    const struct rows rows = dispatch_rows(constants, work, scheme);
    const double out = (double)work->hidden * work->dispatch_element_bytes;
    const double back = 2.0 * work->hidden;
    const double dispatch_up = moehub_system_rows_time(constants, rows.up, out);
    const double dispatch_down = moehub_system_rows_time(constants, rows.down, out);
    const double combine_up = moehub_system_rows_time(constants, rows.down, back);
    const double combine_down = moehub_system_rows_time(constants, rows.up, back);
    /* A read request for each packet that is reduced goes to every responder: the price of ld_reduce. */
    const double request = in_switch(scheme) || scheme == MOEHUB_SYSTEM_SCHEME_NVLS ?
                               combine_up * VALUE(request_flits) / VALUE(packet_flits) : 0;
    const double time = fused(scheme) ?
        fmax(dispatch_up + combine_up, dispatch_down + combine_down + request) :
        fmax(dispatch_up, dispatch_down) + fmax(combine_up, combine_down + request);
    return time / efficiency(constants, scheme);
}

/* SMs left for the GEMMs while communication runs beside them; all of them where it does not. */
static double compute_sms(const struct moehub_system_constants *constants, enum moehub_system_scheme scheme)
{
    switch (scheme) {
    case MOEHUB_SYSTEM_SCHEME_COMET:
    case MOEHUB_SYSTEM_SCHEME_CCFUSER:
    case MOEHUB_SYSTEM_SCHEME_TUTEL:
    case MOEHUB_SYSTEM_SCHEME_FASTERMOE:
    case MOEHUB_SYSTEM_SCHEME_PERFECT:
    case MOEHUB_SYSTEM_SCHEME_FUSION:
        return VALUE(sms) - VALUE(software_sms);
    case MOEHUB_SYSTEM_SCHEME_ADDRESSING_COMET:
    case MOEHUB_SYSTEM_SCHEME_DYSHARP:
    case MOEHUB_SYSTEM_SCHEME_IDEAL:
        return VALUE(sms) - VALUE(hardware_sms);
    default:
        return VALUE(sms);
    }
}

double moehub_system_compute_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                  enum moehub_system_scheme scheme)
{
    const double gpus = VALUE(gpus);
    const double rows = ceil((double)work->tokens * work->topk * gpus / work->experts * hot(constants, work));
    const unsigned groups = work->experts / gpus_of(constants);
    const unsigned m = (unsigned)rows;
    const unsigned columns = work->intermediate * (unsigned)(VALUE(expert_matrices) - 1);
    const struct moehub_system_gemm first = {groups, m, columns, work->hidden};
    const struct moehub_system_gemm second = {groups, m, work->hidden, work->intermediate};
    const double sms = fmax(1, compute_sms(constants, scheme));
    return moehub_system_gemm_time(constants, &first, sms) + moehub_system_gemm_time(constants, &second, sms);
}

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
    case MOEHUB_SYSTEM_SCHEME_PERFECT:
    case MOEHUB_SYSTEM_SCHEME_FUSION:
    case MOEHUB_SYSTEM_SCHEME_DYSHARP:
    case MOEHUB_SYSTEM_SCHEME_IDEAL:
        return 1;
    default:
        return 0;
    }
}

/* Count exchange and host read-back, in proportion to the tokens of a GPU. NVLS and the hardware need no counts. */
static double mediation(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                        enum moehub_system_scheme scheme)
{
    const double tokens_of_constant = 8192;
    const bool free_of_it = in_switch(scheme) || scheme == MOEHUB_SYSTEM_SCHEME_NVLS;
    return free_of_it ? 0 : VALUE(mediation) * fmin(1, work->tokens / tokens_of_constant);
}

double moehub_system_layer_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                enum moehub_system_scheme scheme)
{
    const double wire = moehub_system_wire_time(constants, work, scheme);
    const double compute = moehub_system_compute_time(constants, work, scheme);
    const double exposed = (1 - hidden_share(constants, scheme)) * fmin(wire, compute);
    return mediation(constants, work, scheme) + fmax(wire, compute) + exposed;
}
