/* SPDX-License-Identifier: Apache-2.0 */
/* Where the constants of `moehub system` lie: FOLDER/NAME.machine, FOLDER/NAME.assumptions. */
#ifndef MOEHUB_CLI_SYSTEM_FILES_H
#define MOEHUB_CLI_SYSTEM_FILES_H

#include "moehub/system_constants.h"

/* Reads a machine or a set of assumptions by its name. 0, or an error with a sentence. */
int system_read_file(struct moehub_system_constants *constants, enum moehub_system_home home, const char *folder,
                     const char *name, struct moehub_message *message);

#endif
