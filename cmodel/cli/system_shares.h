/* SPDX-License-Identifier: Apache-2.0 */
/* The file of measured slices: FOLDER/rtl.shares (moehub/system_shares.h). */
#ifndef MOEHUB_CLI_SYSTEM_SHARES_H
#define MOEHUB_CLI_SYSTEM_SHARES_H

#include "moehub/system_shares.h"

/* A book with what the folder's file has; an empty one without the file. 0 or an error with a sentence. */
int system_shares_open(struct moehub_system_shares **shares, const char *folder, struct moehub_message *message);

/* Writes what was asked for. 0 or an error with a sentence. */
int system_shares_write(struct moehub_system_shares *shares, const char *path, struct moehub_message *message);

#endif
