/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of reductions as text: one a line, its elements as hexadecimal words.
 *
 * Words are separated by blanks, tabs or commas; 0x in front is allowed, case does not matter, and a word has at most as
 * many digits as its type (4, fp32 8). `#` starts a comment. A line without words is no reduction and is skipped. */
#ifndef MOEHUB_SUM_LINES_H
#define MOEHUB_SUM_LINES_H

#include "moehub/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Takes one reduction, which it may reorder; anything but 0 ends the reading and is passed on. */
typedef int moehub_sum_line(void *context, uint32_t *words, size_t count);

/* Reads `file` to its end; lines before a bad one have been taken. `element` is bf16, fp16 or fp32, a line has at most
 * `limit` words. Errors: MOEHUB_E_FORMAT with "name:line: what is wrong" in `message`, MOEHUB_E_FILE,
 * MOEHUB_E_MEMORY, MOEHUB_E_ARGUMENT for another element type. */
int moehub_sum_lines_read(FILE *file, const char *name, unsigned element, size_t limit, moehub_sum_line *take,
                          void *context, struct moehub_message *message);

#endif
