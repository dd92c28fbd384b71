/* SPDX-License-Identifier: Apache-2.0 */
#include "traffic/trace_rows.h"

#include "moehub/layer.h"

#include <stdlib.h>

bool trace_rows_wants(struct trace_rows *rows, long layer)
{
    if (rows->any_layer) {
        rows->trace->layer = layer;
        rows->any_layer = false;
    }
    return rows->trace->layer == layer;
}

/* The first row fixes top-k, unless the file's meta line has. */
static int check_count(struct trace_rows *rows, size_t count)
{
    const unsigned topk = rows->trace->topk;
    if (count < 1 || count > MOEHUB_LAYER_TOPK_MAX)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "a token goes to %zu experts; legal are 1..%d", count,
                                MOEHUB_LAYER_TOPK_MAX);
    if (topk != 0 && count != topk)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "a token goes to %zu experts, others to %u", count, topk);
    rows->trace->topk = (unsigned)count;
    return 0;
}

static int check_ids(const struct trace_rows *rows, const long long *ids, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (ids[i] < 0 || ids[i] >= rows->limit)
            return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "expert %lld: legal are 0..%u", ids[i], rows->limit - 1);
        for (size_t j = 0; j < i; j++)
            if (ids[i] == ids[j])
                return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "expert %lld twice in one token", ids[i]);
    }
    return 0;
}

/* At the limit there are more rows than any layer that a machine could take; an endless file is refused here. */
static int grow(struct trace_rows *rows)
{
    const size_t most = MOEHUB_TRACE_IDS_MAX / rows->trace->topk;
    if (rows->capacity >= most)
        return line_reader_fail(&rows->reader, MOEHUB_E_LIMIT, "more than %zu tokens of layer %ld", most,
                                rows->trace->layer);
    const size_t wanted = rows->capacity == 0 ? 1024 : rows->capacity * 2;
    const size_t capacity = wanted < most ? wanted : most;
    uint16_t *grown = realloc(rows->trace->rows, capacity * rows->trace->topk * sizeof *grown);
    if (grown == NULL)
        return MOEHUB_E_MEMORY;
    rows->trace->rows = grown;
    rows->capacity = capacity;
    return 0;
}

int trace_rows_add(struct trace_rows *rows, const long long *ids, size_t count)
{
    struct moehub_trace *trace = rows->trace;
    int error = check_count(rows, count);
    if (error == 0)
        error = check_ids(rows, ids, count);
    if (error == 0 && trace->tokens == rows->capacity)
        error = grow(rows);
    if (error != 0)
        return error;
    uint16_t *row = trace->rows + trace->tokens++ * trace->topk;
    for (size_t i = 0; i < count; i++) {
        row[i] = (uint16_t)ids[i];
        if (row[i] >= trace->experts_seen)
            trace->experts_seen = row[i] + 1u;
    }
    return 0;
}
