/* SPDX-License-Identifier: Apache-2.0 */
/* A subcommand of `moehub`: one file each, one line here and one in the table of main.c. */
#ifndef MOEHUB_CLI_COMMAND_H
#define MOEHUB_CLI_COMMAND_H

#include "moehub/error.h"

/* Exit statuses of every subcommand. */
enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

struct command {
    const char *name;
    const char *summary;
    int (*function)(int argc, char **argv);  /* argv[0] is "moehub NAME"; returns a status */
};

int command_traffic(int argc, char **argv);
int command_golden(int argc, char **argv);
int command_sum(int argc, char **argv);
int command_system(int argc, char **argv);

/* Prints "moehub NAME: sentence" on standard error; returns STATUS_USAGE for bad input, STATUS_FAILED for no memory. */
int command_fail(const char *program, int error, const struct moehub_message *message);

#endif
