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

/* Bytes of operands and bf16 results, each once. */
static double memory_bytes(const struct moehub_system_gemm *gemm)
{
    const double m = gemm->m;
    const double n = gemm->n;
    const double k = gemm->k;
    return gemm->groups * ((m * k + n * k) * gemm->element_bytes + 2 * m * n);
}

/* Multiplications and additions a second of one SM. */
static double rate_of_sm(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm)
{
    const double peak = moehub_system_value(constants, gemm->element_bytes == 1 ? MOEHUB_SYSTEM_fp8_peak :
                                                                                  MOEHUB_SYSTEM_bf16_peak);
    return moehub_system_value(constants, MOEHUB_SYSTEM_gemm_efficiency) * peak /
           moehub_system_value(constants, MOEHUB_SYSTEM_sms);
}

static double task_time(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm, unsigned rows,
                        unsigned columns)
{
    const double depth = gemm->k + moehub_system_value(constants, MOEHUB_SYSTEM_gemm_tile_overhead);
    return 2.0 * rows * columns * depth / rate_of_sm(constants, gemm);
}

static double task_count(const struct moehub_system_gemm *gemm, const struct moehub_system_tasks *tasks)
{
    return gemm->groups * ceil((double)gemm->m / tasks->rows) * ceil((double)gemm->n / tasks->columns);
}

/* Seconds of all waves with one tile shape, without the launch. */
static double waves_time(const struct moehub_system_gemm *gemm, double sms, const struct moehub_system_tasks *tasks)
{
    return ceil(task_count(gemm, tasks) / sms) * tasks->seconds;
}

/* The i-th shape and the time of its waves. */
static double shape_time(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm, double sms,
                         int i, struct moehub_system_tasks *tasks)
{
    *tasks = (struct moehub_system_tasks){tile_rows[i / TILE_COLUMNS], tile_columns[i % TILE_COLUMNS], 0};
    tasks->seconds = task_time(constants, gemm, tasks->rows, tasks->columns);
    return waves_time(gemm, sms, tasks);
}

static double least_time(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm, double sms)
{
    double least = INFINITY;
    struct moehub_system_tasks tasks;
    for (int i = 0; i < TILE_ROWS * TILE_COLUMNS; i++)
        least = fmin(least, shape_time(constants, gemm, sms, i, &tasks));
    return least;
}

struct moehub_system_tasks moehub_system_gemm_tasks(const struct moehub_system_constants *constants,
                                                    const struct moehub_system_gemm *gemm, double sms)
{
    const double least = least_time(constants, gemm, sms);
    struct moehub_system_tasks found = {0};
    for (int i = 0; i < TILE_ROWS * TILE_COLUMNS; i++) {
        struct moehub_system_tasks tasks;
        const double time = shape_time(constants, gemm, sms, i, &tasks);
        if (time <= least * (1 + MOEHUB_SYSTEM_SHAPE_TOLERANCE) && tasks.rows * tasks.columns > found.rows * found.columns)
            found = tasks;
    }
    return found;
}

/* Every SM starts on weights that no other has read: the memory's share that the products do not hide. */
double moehub_system_gemm_exposed(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm)
{
    const double weights = (double)gemm->groups * gemm->n * gemm->k * gemm->element_bytes;
    return moehub_system_value(constants, MOEHUB_SYSTEM_gemm_weights_exposed) * weights /
           moehub_system_value(constants, MOEHUB_SYSTEM_hbm_rate);
}

double moehub_system_gemm_time(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm,
                               double sms)
{
    const double products = least_time(constants, gemm, sms) + moehub_system_gemm_exposed(constants, gemm);
    const double memory = memory_bytes(gemm) / moehub_system_value(constants, MOEHUB_SYSTEM_hbm_rate);
    return moehub_system_value(constants, MOEHUB_SYSTEM_gemm_launch) + fmax(products, memory);
}

double moehub_system_gemm_least(const struct moehub_system_constants *constants, const struct moehub_system_gemm *gemm,
                                double sms)
{
    double least = INFINITY;
    struct moehub_system_tasks tasks;
    for (int i = 0; i < TILE_ROWS * TILE_COLUMNS; i++) {
        shape_time(constants, gemm, sms, i, &tasks);
        least = fmin(least, task_count(gemm, &tasks) / sms * tasks.seconds);
    }
    return fmax(least, memory_bytes(gemm) / moehub_system_value(constants, MOEHUB_SYSTEM_hbm_rate));
}
