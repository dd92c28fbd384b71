/* SPDX-License-Identifier: Apache-2.0 */
/* Where the constants of `moehub system` come from: FOLDER/NAME.machine, .assumptions, .packet, .hub, --set NAME=VALUE. */
#ifndef MOEHUB_CLI_SYSTEM_FILES_H
#define MOEHUB_CLI_SYSTEM_FILES_H

#include "moehub/system_constants.h"

#include <argp.h>
#include <stddef.h>

enum { SYSTEM_SETS_MAX = 64 };

/* The values of --set, in order. */
struct system_values {
    const char *assignments[SYSTEM_SETS_MAX];
    size_t count;
};

/* Reads a machine, a set of assumptions, a plane or hubs by their name. 0, or an error with a sentence: what there is instead. */
int system_read_file(struct moehub_system_constants *constants, enum moehub_system_home home, const char *folder,
                     const char *name, struct moehub_message *message);

/* Reads the file that --OPTION names, or its default. */
int system_read_option(struct moehub_system_constants *constants, enum moehub_system_home home, const char *path,
                       const char *option, struct moehub_message *message);

/* Keeps an argument of --set, or ends the program if there are too many. */
void system_values_add(struct system_values *values, const char *assignment, struct argp_state *state);

/* Sets them all, after the files are read. 0, or an error with a sentence. */
int system_values_set(const struct system_values *values, struct moehub_system_constants *constants,
                      struct moehub_message *message);

#endif
