/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/error.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

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
    int written = 0;
    if (file != NULL && line > 0)
        written = snprintf(message->text, sizeof message->text, "%s:%ld: ", file, line);
    else if (file != NULL)
        written = snprintf(message->text, sizeof message->text, "%s: ", file);
    if (written > 0)
        used = (size_t)written < sizeof message->text ? (size_t)written : sizeof message->text - 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message->text + used, sizeof message->text - used, format, arguments);
    va_end(arguments);
}
