/* SPDX-License-Identifier: Apache-2.0 */
/* Text files line by line, with the position that messages need. Private to the library's readers. */
#ifndef MOEHUB_LINE_READER_H
#define MOEHUB_LINE_READER_H

#include "moehub/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct line_reader {
    FILE *file;
    const char *name;
    struct moehub_message *message;
    char *text;       /* the line, without its end, terminated */
    size_t length;
    size_t capacity;
    long line;        /* its number, from 1 */
    bool pushed_back;
};

void line_reader_init(struct line_reader *reader, FILE *file, const char *name, struct moehub_message *message);

/* Reads the next line that is not blank: 1; the end: 0; MOEHUB_E_FILE; MOEHUB_E_MEMORY; MOEHUB_E_FORMAT for a NUL byte
 * or a line of more than MOEHUB_LINE_BYTES_MAX bytes. A byte-order mark before the first line is no part of it. */
int line_reader_next(struct line_reader *reader);

/* The current line is what the next call returns again. */
void line_reader_push_back(struct line_reader *reader);

/* Sets the message to "name:line: ..." and returns `error`. */
int line_reader_fail(const struct line_reader *reader, int error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

void line_reader_destroy(struct line_reader *reader);

/* Reads an unsigned decimal number at *cursor and moves past it; false: there is none, or it does not fit. */
bool scan_number(const char **cursor, unsigned long long *number);

/* Moves past blanks and tabs. */
void scan_blanks(const char **cursor);

#endif
