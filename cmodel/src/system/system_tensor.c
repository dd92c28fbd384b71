/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_tensor.h"

#include "moehub/system_transfer.h"

#include <math.h>

double moehub_system_tensor_wire(const struct moehub_system_constants *constants, unsigned gpus, double rows, double elements)
{
    const double element_bytes = 2;
    return moehub_system_rows_time(constants, (gpus - 1) * rows, elements * element_bytes) /
           moehub_system_value(constants, MOEHUB_SYSTEM_regular_efficiency);
}

double moehub_system_tensor_overlapped(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm,
                                       double sms, unsigned gpus, double wire)
{
    const double launch = moehub_system_value(constants, MOEHUB_SYSTEM_gemm_launch);
    const double products = moehub_system_gemm_time(constants, gemm, sms) - launch;
    return launch + fmax(products, wire + products / gpus);
}

/* ---- a transformer layer -------------------------------------------------------- */

enum { LAYER_GPUS = 8, LAYER_TOKENS = 4096, LAYER_GEMMS = 4, INNER = 4 };

/* Seconds of the layer's GEMMs, with collectives apart and inside. */
struct layer_times {
    double apart, inside;
};

static void add_gemm(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm, unsigned hidden,
                     struct layer_times *times)
{
    const double sms = moehub_system_value(constants, MOEHUB_SYSTEM_sms);
    const double wire = moehub_system_tensor_wire(constants, LAYER_GPUS, (double)LAYER_TOKENS / LAYER_GPUS, hidden);
    const double alone = moehub_system_gemm_time(constants, gemm, sms);
    /* Forward and for the gradients of the inputs; then for those of the weights, as many products without a collective. */
    times->apart += 2 * (alone + moehub_system_value(constants, MOEHUB_SYSTEM_nvls_start) + wire) + alone;
    times->inside += 2 * moehub_system_tensor_overlapped(constants, gemm, sms, LAYER_GPUS, wire) + alone;
}

static double layer_gain(const struct moehub_system_constants *constants, unsigned hidden)
{
    const unsigned part = hidden / LAYER_GPUS;
    const struct moehub_system_gemm gemms[LAYER_GEMMS] = {
        {1, LAYER_TOKENS, 3 * part, hidden, 2}, {1, LAYER_TOKENS, hidden, part, 2},
        {1, LAYER_TOKENS, INNER * part, hidden, 2}, {1, LAYER_TOKENS, hidden, INNER * part, 2}};
    struct layer_times times = {0, 0};
    for (int i = 0; i < LAYER_GEMMS; i++)
        add_gemm(constants, &gemms[i], hidden, &times);
    return times.apart / times.inside;
}

double moehub_system_tensor_gain(const struct moehub_system_constants *constants)
{
    static const unsigned hidden[] = {4096, 8192, 12288};
    const int layers = sizeof hidden / sizeof hidden[0];
    double logarithms = 0;
    for (int i = 0; i < layers; i++)
        logarithms += log(layer_gain(constants, hidden[i]));
    return exp(logarithms / layers);
}
