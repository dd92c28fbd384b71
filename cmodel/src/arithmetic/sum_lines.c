/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/sum_lines.h"

#include "common/line_reader.h"
#include "moehub/defines.h"
#include "moehub/element.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char separators[] = " \t,";

/* One word of `length` characters; false when it is none of the type. */
static bool parse_word(const char *text, size_t length, unsigned digits, uint32_t *word)
{
    if (length > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        text += 2;
        length -= 2;
    }
    if (length > digits)
        return false;
    *word = 0;
    for (size_t i = 0; i < length; i++) {
        if (!isxdigit((unsigned char)text[i]))
            return false;
        const char digit = (char)tolower((unsigned char)text[i]);
        *word = *word << 4 | (uint32_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    }
    return true;
}

/* The words of the current line. */
static int parse_line(const struct line_reader *reader, unsigned element, size_t limit, uint32_t *words, size_t *count)
{
    const unsigned digits = 2 * moehub_element_size(element);
    const char *cursor = reader->text;
    for (*count = 0;; ++*count) {
        cursor += strspn(cursor, separators);
        if (*cursor == '\0' || *cursor == '#')
            return 0;
        const size_t length = strcspn(cursor, " \t,#");
        if (*count == limit)
            return line_reader_fail(reader, MOEHUB_E_FORMAT, "more than %zu words in one reduction", limit);
        if (!parse_word(cursor, length, digits, &words[*count]))
            return line_reader_fail(reader, MOEHUB_E_FORMAT, "'%.*s' is no hexadecimal word of type %s (1 to %u digits)",
                                    length < 40 ? (int)length : 40, cursor, moehub_element_name(element), digits);
        cursor += length;
    }
}

static int read_lines(struct line_reader *reader, unsigned element, size_t limit, uint32_t *words,
                      moehub_sum_line *take, void *context)
{
    int status;
    size_t count;
    while ((status = line_reader_next(reader)) == 1) {
        status = parse_line(reader, element, limit, words, &count);
        if (status == 0 && count > 0)
            status = take(context, words, count);
        if (status != 0)
            return status;
    }
    return status;
}

int moehub_sum_lines_read(FILE *file, const char *name, unsigned element, size_t limit, moehub_sum_line *take,
                          void *context, struct moehub_message *message)
{
    if (element > MOEHUB_ELEMENT_FP32 || limit == 0)
        return MOEHUB_E_ARGUMENT;
    uint32_t *words = calloc(limit, sizeof *words);
    if (words == NULL)
        return MOEHUB_E_MEMORY;
    struct line_reader reader;
    line_reader_init(&reader, file, name, message);
    const int status = read_lines(&reader, element, limit, words, take, context);
    line_reader_destroy(&reader);
    free(words);
    return status;
}
