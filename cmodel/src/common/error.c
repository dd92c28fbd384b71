/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SHOWN = 240 };

const char *moehub_strerror(int error)
{
    switch (error) {
    case 0:
        return "success";
#define MOEHUB_ERROR_CASE(name, value, sentence) \
    case name:                                   \
        return sentence;
        MOEHUB_ERRORS(MOEHUB_ERROR_CASE)
#undef MOEHUB_ERROR_CASE
    default:
        return "unknown error";
    }
}

void moehub_message_set(struct moehub_message *message, const char *file, long line, const char *format, ...)
{
    if (message == NULL)
        return;
    size_t used = 0;
    if (file != NULL) {
        const size_t length = strlen(file);
        const bool whole = length <= PATH_SHOWN;
        used = (size_t)snprintf(message->text, sizeof message->text, "%s%s", whole ? "" : "...",
                                file + (whole ? 0 : length - PATH_SHOWN));
        used += (size_t)snprintf(message->text + used, sizeof message->text - used, line > 0 ? ":%ld: " : ": ", line);
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text + used, sizeof message->text - used, format, arguments);
    va_end(arguments);
}
