/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/layer_plan.h"

uint64_t layer_row_requests(uint32_t all, uint32_t most)
{
    return ((uint64_t)all + most - 1) / most;
}

struct layer_part layer_row_part(uint32_t all, uint32_t most, uint32_t number)
{
    const uint32_t line = most * number, left = all - line;
    return (struct layer_part){.line = line, .lines = left < most ? left : most};
}

static uint64_t requests_of_row(const struct layer_plan *plan)
{
    return layer_row_requests(plan->combine_lines, plan->request_lines);
}

uint64_t layer_plan_stores(const struct layer_plan *plan, const struct dispatch_rows *rows, unsigned source)
{
    return plan->dispatches ? dispatch_rows_packets(rows, source) : 0;
}

uint64_t layer_plan_requests(const struct layer_plan *plan, const struct dispatch_rows *rows, unsigned source)
{
    return rows->counts[source] * requests_of_row(plan);
}

uint64_t layer_plan_results(const struct layer_plan *plan, const struct dispatch_rows *rows, unsigned source)
{
    return (uint64_t)rows->counts[source] * plan->combine_lines;
}

struct layer_request layer_plan_request(const struct layer_plan *plan, const struct dispatch_rows *rows, unsigned source,
                                        uint64_t number)
{
    const struct dispatch_turn turn = dispatch_turn(rows->counts[source], requests_of_row(plan), plan->rows_in_flight, number);
    return (struct layer_request){
        .row = &rows->rows[(size_t)source * rows->layer.tokens + turn.row],
        .part = layer_row_part(plan->combine_lines, plan->request_lines, turn.part)};
}
