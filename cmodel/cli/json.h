/* SPDX-License-Identifier: Apache-2.0 */
/* What the subcommands' JSON has in common. */
#ifndef MOEHUB_CLI_JSON_H
#define MOEHUB_CLI_JSON_H

#include "moehub/options.h"

#include <jansson.h>

/* Any text as a JSON string. JSON is UTF-8 and a file's name need not be: each byte that belongs to no character becomes
 * U+FFFD, because a run's numbers should not be lost for a name. NULL without memory. */
json_t *json_text(const char *text);

/* The model's name, "custom" for a shape by hand or of a trace. */
const char *model_name(const struct moehub_options *options);

/* What describes the layer, from model to assignments. NULL without memory. */
json_t *json_layer(const struct moehub_options *options, const struct moehub_layer *layer);

/* Prints one object with the members of all parts, which are used up (any may be NULL: no memory). A status; what went
 * wrong has been said, or is when the program ends (standard output cannot be written). */
int json_print(const char *program, json_t *const *parts, size_t count);

#endif
