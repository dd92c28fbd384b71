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

/* Room for the line's next byte and for the end behind it. */
static int make_room(struct line_reader *reader)
{
    if (reader->length + 1 < reader->capacity)
        return 0;
    const size_t capacity = reader->capacity == 0 ? 256 : reader->capacity * 2;
    char *grown = realloc(reader->text, capacity);
    if (grown == NULL)
        return MOEHUB_E_MEMORY;
    reader->text = grown;
    reader->capacity = capacity;
    return 0;
}

/* Takes the bytes of a line, of which `byte` is the first, up to its end. */
static int take_bytes(struct line_reader *reader, int byte)
{
    for (reader->length = 0; byte != EOF && byte != '\n'; byte = getc_unlocked(reader->file)) {
        if (byte == '\0')
            return line_reader_fail(reader, MOEHUB_E_FORMAT, "a NUL byte: not a text file");
        if (reader->length == MOEHUB_LINE_BYTES_MAX)
            return line_reader_fail(reader, MOEHUB_E_FORMAT, "a line of more than %d bytes", MOEHUB_LINE_BYTES_MAX);
        const int error = make_room(reader);
        if (error != 0)
            return error;
        reader->text[reader->length++] = (char)byte;
    }
    const int error = make_room(reader);
    if (error == 0)
        reader->text[reader->length] = '\0';
    return error;
}

static void drop_start(struct line_reader *reader, const char *start)
{
    const size_t length = strlen(start);
    if (strncmp(reader->text, start, length) != 0)
        return;
    reader->length -= length;
    memmove(reader->text, reader->text + length, reader->length + 1);
}

/* One line of any kind into `text`. */
static int read_line(struct line_reader *reader)
{
    errno = 0;
    const int byte = getc_unlocked(reader->file);
    if (byte != EOF)
        reader->line++;
    const int error = byte != EOF ? take_bytes(reader, byte) : 0;
    if (error == 0 && ferror(reader->file))
        return line_reader_fail(reader, MOEHUB_E_FILE, "cannot read on: %s", strerror(errno));
    if (error != 0 || byte == EOF)
        return error;
    while (reader->length > 0 && reader->text[reader->length - 1] == '\r')
        reader->text[--reader->length] = '\0';
    if (reader->line == 1)
        drop_start(reader, "\xEF\xBB\xBF"); /* the byte-order mark */
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
