/* SPDX-License-Identifier: Apache-2.0 */
/* The llama.cpp format: layer_id,"52 40 85 ..." */
#include "traffic/trace_rows.h"

#include "moehub/layer.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* The ids between the quotes, of which the closing one is at *cursor in the end. */
static int scan_ids(const struct trace_rows *rows, const char **cursor, long long *ids, size_t *count)
{
    for (*count = 0;; ++*count) {
        unsigned long long id = 0;
        scan_blanks(cursor);
        if (**cursor == '"' || **cursor == '\0')
            return 0;
        if (!scan_number(cursor, &id) || id > LLONG_MAX)
            return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "expected expert numbers with blanks between them");
        if (*count == MOEHUB_LAYER_TOPK_MAX)
            return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "more than %d experts in one token", MOEHUB_LAYER_TOPK_MAX);
        ids[*count] = (long long)id;
    }
}

static int read_row(struct trace_rows *rows)
{
    const char *cursor = rows->reader.text;
    long long ids[MOEHUB_LAYER_TOPK_MAX];
    unsigned long long layer = 0;
    size_t count = 0;
    scan_blanks(&cursor);
    if (!scan_number(&cursor, &layer) || layer > INT_MAX || *cursor++ != ',')
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "expected a layer number and a comma");
    scan_blanks(&cursor);
    const bool quoted = *cursor == '"';
    cursor += quoted;
    const int error = scan_ids(rows, &cursor, ids, &count);
    if (error != 0)
        return error;
    if (quoted && *cursor != '"')
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "the closing quote is missing");
    cursor += quoted;
    scan_blanks(&cursor);
    if (*cursor != '\0')
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "something behind the experts");
    return trace_rows_wants(rows, (long)layer) ? trace_rows_add(rows, ids, count) : 0;
}

/* A first line such as layer_id,experts or "layer_id","experts": names. A wrong row is none. */
static bool is_heading(const char *text)
{
    scan_blanks(&text);
    text += *text == '"';
    return isalpha((unsigned char)*text) && strchr(text, ',') != NULL;
}

int trace_read_csv(struct trace_rows *rows)
{
    rows->trace->format = MOEHUB_TRACE_LLAMA_CPP;
    int status;
    for (bool first = true; (status = line_reader_next(&rows->reader)) == 1; first = false) {
        if (first && is_heading(rows->reader.text))
            continue;
        const int error = read_row(rows);
        if (error != 0)
            return error;
    }
    return status;
}
