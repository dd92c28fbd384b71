/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the rows of one layer while a trace is read. Private to the library's trace readers. */
#ifndef MOEHUB_TRACE_ROWS_H
#define MOEHUB_TRACE_ROWS_H

#include "common/line_reader.h"
#include "moehub/trace.h"

struct trace_rows {
    struct line_reader reader;
    struct moehub_trace *trace;
    unsigned wanted;  /* number of experts that the reader's caller has; 0: any */
    unsigned limit;   /* ids are below */
    bool any_layer;   /* no row seen yet, and its layer will be taken */
    size_t capacity;  /* rows that fit into trace->rows */
};

/* Whether rows of `layer` are collected. */
bool trace_rows_wants(struct trace_rows *rows, long layer);

/* Appends a row of `count` ids read from the current line, checking their number, range and difference. */
int trace_rows_add(struct trace_rows *rows, const long long *ids, size_t count);

/* The formats: each reads to the end of the file. */
int trace_read_json(struct trace_rows *rows);
int trace_read_csv(struct trace_rows *rows);

#endif
