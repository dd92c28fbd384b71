/* SPDX-License-Identifier: Apache-2.0 */
/* moehub system --levels */
#ifndef MOEHUB_CLI_SYSTEM_LEVELS_H
#define MOEHUB_CLI_SYSTEM_LEVELS_H

#include "moehub/system_levels.h"

/* Runs all cases at both levels on so many threads, prints the table, and writes levels.json into `folder` unless that is NULL.
 * 0 or an error with a sentence. */
int system_levels(const struct moehub_system_constants *constants, unsigned threads, const char *folder,
                  struct moehub_message *message);

/* The same without tables: for the slices that it asks for. */
int system_levels_measure(const struct moehub_system_constants *constants, unsigned threads, struct moehub_message *message);

#endif
