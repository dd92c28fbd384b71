/* SPDX-License-Identifier: Apache-2.0 */
/* A subcommand of `moehub`: one file each, one line in the table of main.c. */
#ifndef MOEHUB_CLI_COMMAND_H
#define MOEHUB_CLI_COMMAND_H

/* Exit statuses of every subcommand. */
enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

struct command {
    const char *name;
    const char *summary;
    int (*function)(int argc, char **argv);  /* argv[0] is "moehub NAME"; returns a status */
};

#endif
