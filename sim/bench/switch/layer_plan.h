/* SPDX-License-Identifier: Apache-2.0 */
/* What the sources of a layer send for their rows: the lines as stores (dispatch), requests for the lines (combine), or both at
 * once (fused). */
#ifndef BENCH_LAYER_PLAN_H
#define BENCH_LAYER_PLAN_H

#include "bench/switch/dispatch_rows.h"
#include "moehub/header_check.h"

struct layer_plan {
    bool dispatches;
    uint32_t combine_lines;   /* of a combined row, up to 512; 0: no combine */
    uint32_t request_lines;   /* of a request, at most */
    uint32_t rows_in_flight;  /* rows of a source that are asked for in turn, a request each */
};

/* Part of the lines of a row: the first, and how many. */
struct layer_part {
    uint32_t line, lines;
};

struct layer_request {
    const struct dispatch_row *row;
    struct layer_part part;
};

/* A row of `all` lines in requests of `most`: how many; the part of one of them. */
uint64_t layer_row_requests(uint32_t all, uint32_t most);
struct layer_part layer_row_part(uint32_t all, uint32_t most, uint32_t number);

/* Packets of a source, and the results that it gets. */
uint64_t layer_plan_stores(const struct layer_plan *plan, const struct dispatch_rows *rows, unsigned source);
uint64_t layer_plan_requests(const struct layer_plan *plan, const struct dispatch_rows *rows, unsigned source);
uint64_t layer_plan_results(const struct layer_plan *plan, const struct dispatch_rows *rows, unsigned source);

struct layer_request layer_plan_request(const struct layer_plan *plan, const struct dispatch_rows *rows, unsigned source,
                                        uint64_t number);

/* A request is a line's packet without the line; so is its copy. */
static inline unsigned layer_request_flits(unsigned store_flits)
{
    return store_flits - MOEHUB_LINE_UNITS;
}

#endif
