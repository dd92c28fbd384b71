/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_gemm.h"

#include <math.h>

static const unsigned tile_rows[] = {64, 128};
static const unsigned tile_columns[] = {64, 96, 128, 160, 192, 224, 256};

enum {
    TILE_ROWS = sizeof tile_rows / sizeof tile_rows[0],
    TILE_COLUMNS = sizeof tile_columns / sizeof tile_columns[0],
};

double moehub_system_gemm_flops(const struct moehub_system_gemm *gemm)
{
    return 2.0 * gemm->groups * gemm->m * gemm->n * gemm->k;
}

/* Bytes of fp8 operands and bf16 results, each once. */
static double memory_bytes(const struct moehub_system_gemm *gemm)
{
    const double m = gemm->m;
    const double n = gemm->n;
    const double k = gemm->k;
    return gemm->groups * (m * k + n * k + 2 * m * n);
}

/* Seconds of all waves with one tile shape, without the launch. */
static double shape_time(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm, double sms,
                         unsigned rows, unsigned columns)
{
    const double tiles = gemm->groups * ceil((double)gemm->m / rows) * ceil((double)gemm->n / columns);
    const double depth = gemm->k + moehub_system_value(constants, MOEHUB_SYSTEM_gemm_tile_overhead);
    const double rate = moehub_system_value(constants, MOEHUB_SYSTEM_gemm_efficiency) *
                        moehub_system_value(constants, MOEHUB_SYSTEM_fp8_peak) /
                        moehub_system_value(constants, MOEHUB_SYSTEM_sms);
    return ceil(tiles / sms) * 2 * rows * columns * depth / rate;
}

/* Every SM starts on weights that no other has read: the memory's share that the products do not hide. */
static double exposed_time(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm)
{
    const double weights = (double)gemm->groups * gemm->n * gemm->k;
    return moehub_system_value(constants, MOEHUB_SYSTEM_gemm_weights_exposed) * weights /
           moehub_system_value(constants, MOEHUB_SYSTEM_hbm_rate);
}

double moehub_system_gemm_time(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm,
                               double sms)
{
    double best = INFINITY;
    for (int i = 0; i < TILE_ROWS; i++)
        for (int j = 0; j < TILE_COLUMNS; j++)
            best = fmin(best, shape_time(constants, gemm, sms, tile_rows[i], tile_columns[j]));
    const double memory = memory_bytes(gemm) / moehub_system_value(constants, MOEHUB_SYSTEM_hbm_rate);
    return moehub_system_value(constants, MOEHUB_SYSTEM_gemm_launch) + fmax(best + exposed_time(constants, gemm), memory);
}
