/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of the library: every fallible function returns 0 or one of these negative values. */
#ifndef MOEHUB_ERROR_H
#define MOEHUB_ERROR_H

/* X(name, value, sentence) */
#define MOEHUB_ERRORS(X)                                                      \
    X(MOEHUB_E_ARGUMENT, -1, "an argument is out of its range")               \
    X(MOEHUB_E_MEMORY, -2, "out of memory")                                   \
    X(MOEHUB_E_FILE, -3, "a file cannot be opened, read or written")          \
    X(MOEHUB_E_FORMAT, -4, "a file's content is not of the expected form")    \
    X(MOEHUB_E_LIMIT, -5, "a size exceeds what the configuration allows")     \
    X(MOEHUB_E_STATE, -6, "the call is not allowed in this state")            \
    X(MOEHUB_E_BUS, -7, "a register could not be read or written")            \
    X(MOEHUB_E_REFUSED, -8, "the hardware refused a command")                 \
    X(MOEHUB_E_TIMEOUT, -9, "what was waited for has not come")               \
    X(MOEHUB_E_CLEAR, -10, "the AL table must be zeroed first")

enum {
#define MOEHUB_ERROR_ENUM(name, value, sentence) name = value,
    MOEHUB_ERRORS(MOEHUB_ERROR_ENUM)
#undef MOEHUB_ERROR_ENUM
};

/* A sentence for a reader's user: "file:line: what is wrong" (line 0: no line). Always terminated. */
struct moehub_message {
    char text[512];
};

/* Every reader of text (traces, placement tables, reductions) takes UTF-8 with or without a byte-order mark, line ends
 * with or without a carriage return, and refuses a NUL byte and a line of more bytes than this: a file without line ends
 * is told by its name and does not fill the memory. */
#define MOEHUB_LINE_BYTES_MAX (1 << 24)

/* The sentence of an error value; "success" for 0, "unknown error" for anything else. Never NULL. */
const char *moehub_strerror(int error);

/* Fills `message` (may be NULL) printf-like as "file:line: text"; line 0 leaves the line out, file NULL both.
 * Of a very long path the end is shown, so that the text has its room. */
void moehub_message_set(struct moehub_message *message, const char *file, long line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
