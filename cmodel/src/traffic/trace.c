/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/trace.h"

#include "traffic/trace_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Looks at the first line and reads the file in its format. */
static int read_rows(struct trace_rows *rows)
{
    const int status = line_reader_next(&rows->reader);
    if (status < 0)
        return status;
    if (status == 0)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "the trace is empty");
    const char *text = rows->reader.text;
    scan_blanks(&text);
    line_reader_push_back(&rows->reader);
    return *text == '{' ? trace_read_json(rows) : trace_read_csv(rows);
}

/* The number of rows at the start that equal the first one, if it takes them for warm-up. */
static size_t count_warmup(const struct moehub_trace *trace)
{
    const size_t row_bytes = trace->topk * sizeof *trace->rows;
    size_t run = 1;
    while (run < trace->tokens && memcmp(trace->rows, trace->rows + run * trace->topk, row_bytes) == 0)
        run++;
    return run >= MOEHUB_TRACE_WARMUP_LEAST ? run : 0;
}

static int drop_warmup(const struct trace_rows *rows)
{
    struct moehub_trace *trace = rows->trace;
    trace->warmup_rows = count_warmup(trace);
    if (trace->warmup_rows == trace->tokens)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "all %zu rows are the same: nothing but warm-up",
                                trace->tokens);
    trace->tokens -= trace->warmup_rows;
    memmove(trace->rows, trace->rows + trace->warmup_rows * trace->topk, trace->tokens * trace->topk * sizeof *trace->rows);
    return 0;
}

static int finish(const struct trace_rows *rows, const struct moehub_trace_options *options)
{
    if (rows->trace->tokens == 0 && !rows->any_layer)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "the trace ends without a row of layer %ld",
                                rows->trace->layer);
    if (rows->trace->tokens == 0)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "the trace ends without a row");
    return options->keep_warmup ? 0 : drop_warmup(rows);
}

int moehub_trace_read(struct moehub_trace *trace, FILE *file, const char *name,
                      const struct moehub_trace_options *options, struct moehub_message *message)
{
    *trace = (struct moehub_trace){.layer = options->layer};
    struct trace_rows rows = {
        .trace = trace,
        .wanted = options->experts,
        .limit = options->experts > 0 && options->experts < UINT16_MAX ? options->experts : UINT16_MAX,
        .any_layer = options->layer == MOEHUB_TRACE_ANY_LAYER,
    };
    line_reader_init(&rows.reader, file, name, message);
    int error = read_rows(&rows);
    if (error == 0)
        error = finish(&rows, options);
    line_reader_destroy(&rows.reader);
    if (error != 0)
        moehub_trace_destroy(trace);
    return error;
}

int moehub_trace_open(struct moehub_trace *trace, const char *path, const struct moehub_trace_options *options,
                      struct moehub_message *message)
{
    *trace = (struct moehub_trace){0};
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        moehub_message_set(message, path, 0, "%s", strerror(errno));
        return MOEHUB_E_FILE;
    }
    const int error = moehub_trace_read(trace, file, path, options, message);
    fclose(file);
    return error;
}

void moehub_trace_destroy(struct moehub_trace *trace)
{
    if (trace == NULL)
        return;
    free(trace->rows);
    trace->rows = NULL;
    trace->tokens = 0;
}

const char *moehub_trace_format_name(enum moehub_trace_format format)
{
    switch (format) {
    case MOEHUB_TRACE_VLLM:
        return "vllm";
    case MOEHUB_TRACE_MEGATRON:
        return "megatron";
    case MOEHUB_TRACE_LLAMA_CPP:
        return "llama.cpp";
    }
    return "?";
}
