/* SPDX-License-Identifier: Apache-2.0 */
#include "common/line_reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void line_reader_init(struct line_reader *reader, FILE *file, const char *name, struct moehub_message *message)
{
    *reader = (struct line_reader){.file = file, .name = name, .message = message};
}

static bool is_blank(const char *text)
{
    scan_blanks(&text);
    return *text == '\0';
}

/* One line of any kind into `text`. */
static int read_line(struct line_reader *reader)
{
    errno = 0;
    const ssize_t read = getline(&reader->text, &reader->capacity, reader->file);
    if (read < 0) {
        if (errno == ENOMEM)
            return MOEHUB_E_MEMORY;
        if (ferror(reader->file))
            return line_reader_fail(reader, MOEHUB_E_FILE, "cannot read on: %s", strerror(errno));
        return 0;
    }
    reader->line++;
    reader->length = (size_t)read;
    if (memchr(reader->text, '\0', reader->length) != NULL)
        return line_reader_fail(reader, MOEHUB_E_FORMAT, "a NUL byte: not a text file");
    while (reader->length > 0 && strchr("\r\n", reader->text[reader->length - 1]) != NULL)
        reader->text[--reader->length] = '\0';
    return 1;
}

int line_reader_next(struct line_reader *reader)
{
    if (reader->pushed_back) {
        reader->pushed_back = false;
        return 1;
    }
    int status;
    do
        status = read_line(reader);
    while (status == 1 && is_blank(reader->text));
    return status;
}

void line_reader_push_back(struct line_reader *reader)
{
    reader->pushed_back = true;
}

int line_reader_fail(const struct line_reader *reader, int error, const char *format, ...)
{
    char text[sizeof reader->message->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    moehub_message_set(reader->message, reader->name, reader->line > 0 ? reader->line : 1, "%s", text);
    return error;
}

void line_reader_destroy(struct line_reader *reader)
{
    free(reader->text);
    reader->text = NULL;
}

bool scan_number(const char **cursor, unsigned long long *number)
{
    const char *start = *cursor;
    unsigned long long value = 0;
    for (; **cursor >= '0' && **cursor <= '9'; (*cursor)++)
        if (__builtin_mul_overflow(value, 10u, &value) ||
            __builtin_add_overflow(value, (unsigned)(**cursor - '0'), &value))
            return false;
    *number = value;
    return *cursor != start;
}

void scan_blanks(const char **cursor)
{
    while (**cursor == ' ' || **cursor == '\t')
        (*cursor)++;
}
