/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_validation.h"

#include "moehub/system_bounds.h"
#include "moehub/system_tensor.h"
#include "moehub/system_time.h"
#include "moehub/system_transfer.h"

/* The shape of all dispatch and combine rows: 7168 elements, top-8 of 256. */
enum { EXPERTS = 256, TOPK = 8, HIDDEN = 7168, SCALE_BYTES = HIDDEN / 128 * 4 };

static double uniform_copies(unsigned gpus)
{
    return moehub_system_copies(EXPERTS, gpus, TOPK);
}

static double row_bytes(bool fp8)
{
    return fp8 ? HIDDEN + SCALE_BYTES : 2.0 * HIDDEN;
}

/* Seconds: start, and the link's time at the library's efficiency. `copies`: of a token. */
static double exchange_time(const struct moehub_system_constants *constants, const struct moehub_system_row *row, bool fp8,
                            double copies, enum moehub_system_constant start, enum moehub_system_constant efficiency)
{
    const double rows = row->tokens * copies;
    return moehub_system_value(constants, start) +
           moehub_system_rows_time(constants, rows, row_bytes(fp8)) / moehub_system_value(constants, efficiency);
}

static double library_time(const struct moehub_system_constants *constants, const struct moehub_system_row *row)
{
    return exchange_time(constants, row, !row->combine, uniform_copies(row->gpus),
                         row->combine ? MOEHUB_SYSTEM_combine_start : MOEHUB_SYSTEM_dispatch_start,
                         MOEHUB_SYSTEM_software_efficiency);
}

static double onesided_time(const struct moehub_system_constants *constants, const struct moehub_system_row *row)
{
    return exchange_time(constants, row, false, moehub_system_spread_copies(row->gpus, TOPK),
                         row->combine ? MOEHUB_SYSTEM_onesided_combine_start : MOEHUB_SYSTEM_onesided_dispatch_start,
                         MOEHUB_SYSTEM_onesided_efficiency);
}

/* Bytes a second, the own GPU counted as a destination: of `gpus` equal ones, one is not remote. */
static double logical_rate(const struct moehub_system_constants *constants, const struct moehub_system_row *row)
{
    const double remote = row->tokens * uniform_copies(row->gpus) * row_bytes(!row->combine);
    return remote * row->gpus / (row->gpus - 1) / library_time(constants, row);
}

static double gemm_rate(const struct moehub_system_constants *constants, const struct moehub_system_row *row)
{
    const struct moehub_system_gemm gemm = {row->groups, row->m, row->n, row->k, 1};
    return moehub_system_gemm_flops(&gemm) /
           moehub_system_gemm_time(constants, &gemm, moehub_system_value(constants, MOEHUB_SYSTEM_sms));
}

static double layer_time(const struct moehub_system_constants *constants, const struct moehub_system_row *row)
{
    const struct moehub_system_work work = {row->name, row->groups, row->m, row->k, row->n, row->tokens, 1, 1};
    struct moehub_message message = {""};
    return moehub_system_time(constants, &work, row->scheme, &moehub_system_forward, &message);
}

/* `k` is the hidden dimension before the GEMM, `n` after it. */
static double tensor_time(const struct moehub_system_constants *constants, const struct moehub_system_row *row)
{
    const bool scatter = row->kind == MOEHUB_SYSTEM_ROW_SCATTER;
    const struct moehub_system_gemm gemm = {row->groups, row->m, row->n, row->k, 2};
    const double taken = scatter ? moehub_system_value(constants, MOEHUB_SYSTEM_software_sms) : 0;
    const double wire = moehub_system_tensor_wire(constants, row->gpus, row->tokens, scatter ? row->n : row->k);
    return moehub_system_tensor_overlapped(constants, &gemm, moehub_system_value(constants, MOEHUB_SYSTEM_sms) - taken,
                                           row->gpus, wire);
}

double moehub_system_row_value(const struct moehub_system_constants *constants, const struct moehub_system_row *row)
{
    switch (row->kind) {
    case MOEHUB_SYSTEM_ROW_GEMM:
        return gemm_rate(constants, row) / 1e12;
    case MOEHUB_SYSTEM_ROW_LIBRARY:
        return library_time(constants, row) * 1e6;
    case MOEHUB_SYSTEM_ROW_LOGICAL:
        return logical_rate(constants, row) / 1e9;
    case MOEHUB_SYSTEM_ROW_ONESIDED:
        return onesided_time(constants, row) * 1e6;
    case MOEHUB_SYSTEM_ROW_LAYER:
        return layer_time(constants, row) * 1e6;
    case MOEHUB_SYSTEM_ROW_SMALL:
        return moehub_system_small_allreduce_time(constants, row->tokens) * 1e6;
    case MOEHUB_SYSTEM_ROW_GATHER:
    case MOEHUB_SYSTEM_ROW_SCATTER:
        return tensor_time(constants, row) * 1e6;
    case MOEHUB_SYSTEM_ROW_COPY:
        return moehub_system_copy_rate(constants) / 1e9;
    case MOEHUB_SYSTEM_ROW_ALLREDUCE:
    default:
        return moehub_system_allreduce_rate(constants, row->gpus) / 1e9;
    }
}
