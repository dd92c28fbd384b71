/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_layer.h"

#include "moehub/system_gemm.h"
#include "moehub/system_load.h"
#include "moehub/system_shares.h"

#include <math.h>
#include <stdbool.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

/* Rows in each direction: what a GPU sends and receives of a phase, hot receiver included. */
struct rows {
    double up, down;
};

static bool in_switch(enum moehub_system_scheme scheme)
{
    return scheme == MOEHUB_SYSTEM_SCHEME_ADDRESSING || scheme == MOEHUB_SYSTEM_SCHEME_ADDRESSING_COMET ||
           scheme == MOEHUB_SYSTEM_SCHEME_ADDRESSING_TILES || scheme == MOEHUB_SYSTEM_SCHEME_DYSHARP ||
           scheme == MOEHUB_SYSTEM_SCHEME_IDEAL;
}

/* Schemes of arXiv 2605.05888: stores whose receiver chooses the address, so that nothing is counted before. */
static bool by_stores(enum moehub_system_scheme scheme)
{
    return scheme >= MOEHUB_SYSTEM_SCHEME_HUB_BASE && scheme <= MOEHUB_SYSTEM_SCHEME_HUB_IDEAL;
}

/* Dispatch as seen from the fullest GPU; combine is the same with the directions exchanged. */
static struct rows dispatch_rows(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                 enum moehub_system_scheme scheme)
{
    struct moehub_system_load load;
    moehub_system_load_make(&load, constants, work, 2);
    const double tokens = work->tokens;
    if (scheme == MOEHUB_SYSTEM_SCHEME_NVLS)
        return (struct rows){tokens, tokens * (VALUE(gpus) - 1)};
    return (struct rows){in_switch(scheme) ? tokens : tokens * load.copies, load.classes[0].arrivals};
}

static int find_efficiency(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                           enum moehub_system_scheme scheme, double *efficiency)
{
    const bool lossless = scheme == MOEHUB_SYSTEM_SCHEME_IDEAL || scheme == MOEHUB_SYSTEM_SCHEME_HUB_IDEAL;
    struct moehub_system_load load;
    struct moehub_message message;
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++)
        efficiency[i] = lossless ? 1 : VALUE(software_efficiency);
    if (lossless || !(in_switch(scheme) || by_stores(scheme)))
        return 0;
    moehub_system_load_make(&load, constants, work, MOEHUB_SYSTEM_CLASSES_MAX);
    return moehub_system_hardware_shares(constants, &load, work, in_switch(scheme), efficiency, &message);
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
    const double back = VALUE(combine_element_bytes) * work->hidden;
    const double dispatch_up = in_switch(scheme) ? moehub_system_listed_rows_time(constants, rows.up, out) :
                                                   moehub_system_rows_time(constants, rows.up, out);
    const double dispatch_down = in_switch(scheme) ? moehub_system_copies_time(constants, rows.down, out) :
                                                     moehub_system_rows_time(constants, rows.down, out);
    const double combine_up = moehub_system_rows_time(constants, rows.down, back);
    const double combine_down = moehub_system_rows_time(constants, rows.up, back);
    /* A read request for each packet that is reduced goes to every responder: the price of ld_reduce. */
    const double request = in_switch(scheme) || scheme == MOEHUB_SYSTEM_SCHEME_NVLS ?
                               combine_up * VALUE(request_flits) / VALUE(packet_flits) / VALUE(request_packets) : 0;
    double efficiency[MOEHUB_SYSTEM_PATTERNS];
    const int error = find_efficiency(constants, work, scheme, efficiency);
    if (error != 0)
        return error;
    if (fused(scheme))
        return fmax(dispatch_up + combine_up, dispatch_down + combine_down + request) / efficiency[MOEHUB_SYSTEM_BOTH];
    return fmax(dispatch_up, dispatch_down) / efficiency[MOEHUB_SYSTEM_DISPATCH_ALONE] +
           fmax(combine_up, combine_down + request) / efficiency[MOEHUB_SYSTEM_COMBINE_ALONE];
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
    case MOEHUB_SYSTEM_SCHEME_COMET_TILES:
    case MOEHUB_SYSTEM_SCHEME_MEGAMOE:
    case MOEHUB_SYSTEM_SCHEME_DUALPIPE:
        return VALUE(sms) - VALUE(software_sms);
    case MOEHUB_SYSTEM_SCHEME_ADDRESSING_COMET:
    case MOEHUB_SYSTEM_SCHEME_ADDRESSING_TILES:
    case MOEHUB_SYSTEM_SCHEME_HUB_BASE:
    case MOEHUB_SYSTEM_SCHEME_HUB_PACKETS:
    case MOEHUB_SYSTEM_SCHEME_HUB_READY:
    case MOEHUB_SYSTEM_SCHEME_HUB:
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
    struct moehub_system_load load;
    moehub_system_load_make(&load, constants, work, 2);
    const unsigned groups = load.classes[0].experts;
    const unsigned m = (unsigned)ceil(load.classes[0].rows / groups);
    const unsigned columns = work->intermediate * (unsigned)(VALUE(expert_matrices) - 1);
    const struct moehub_system_gemm first = {groups, m, columns, work->hidden, work->gemm_element_bytes};
    const struct moehub_system_gemm second = {groups, m, work->hidden, work->intermediate, work->gemm_element_bytes};
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
    case MOEHUB_SYSTEM_SCHEME_DEEPEP:
    case MOEHUB_SYSTEM_SCHEME_NVLS:
    case MOEHUB_SYSTEM_SCHEME_MEGATRON:
    case MOEHUB_SYSTEM_SCHEME_ADDRESSING:
        return 0;
    default:
        return 1;
    }
}

/* NVLS and the hardware need no counts. */
double moehub_system_mediation(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                               enum moehub_system_scheme scheme)
{
    const double tokens_of_constant = 8192;
    if (in_switch(scheme) || by_stores(scheme) || scheme == MOEHUB_SYSTEM_SCHEME_NVLS)
        return 0;
    const double growth = fmax(0, VALUE(mediation) - VALUE(mediation_least));
    return VALUE(mediation_least) + growth * fmin(1, work->tokens / tokens_of_constant);
}

/* Starts of the library's calls, for the schemes that are made of such calls; the others are kernels of their own. */
static double library_starts(const struct moehub_system_constants *constants, enum moehub_system_scheme scheme)
{
    const bool calls = scheme == MOEHUB_SYSTEM_SCHEME_FASTERMOE || scheme == MOEHUB_SYSTEM_SCHEME_TUTEL;
    return calls ? VALUE(dispatch_start) + VALUE(combine_start) : 0;
}

/* The layer, its products `times` as many as forward. */
static double layer_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                         enum moehub_system_scheme scheme, double times)
{
    const double rows = moehub_system_wire_time(constants, work, scheme);
    const double wire = rows + library_starts(constants, scheme);
    if (rows < 0)
        return rows;
    const double compute = times * moehub_system_compute_time(constants, work, scheme);
    const double exposed = (1 - hidden_share(constants, scheme)) * fmin(wire, compute);
    return moehub_system_mediation(constants, work, scheme) + fmax(wire, compute) + exposed;
}

double moehub_system_layer_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                enum moehub_system_scheme scheme)
{
    return layer_time(constants, work, scheme, 1);
}

double moehub_system_backward_time(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                                   enum moehub_system_scheme scheme)
{
    return layer_time(constants, work, scheme, 2);
}
