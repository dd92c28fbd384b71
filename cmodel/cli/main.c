/* SPDX-License-Identifier: Apache-2.0 */
/* moehub: dispatch to the subcommands. */
#include "command.h"
#include "moehub/defines.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct command commands[] = {
    {"traffic", "what a MoE layer's dispatch and combine cost the links", command_traffic},
    {"golden", "a whole layer through the models of all hubs and switch ports, checked", command_golden},
    {"sum", "the reduction arithmetic: one sum per line of hexadecimal words", command_sum},
    {"system", "the performance model of a whole machine: validation and the papers' claims", command_system},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

int command_fail(const char *program, int error, const struct moehub_message *message)
{
    fprintf(stderr, "%s: %s\n", program, message->text[0] != '\0' ? message->text : moehub_strerror(error));
    return error == MOEHUB_E_MEMORY ? STATUS_FAILED : STATUS_USAGE;
}

static void print_usage(FILE *out)
{
    fprintf(out, "Usage: moehub COMMAND [OPTION...]\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fprintf(out, "\n'moehub COMMAND --help' explains a command's options, 'moehub --version' prints the version.\n"
                 "Exit status: 0 success, 1 a check failed, 2 wrong usage or bad input.\n");
}

static const char *program = "moehub";

/* At any exit, also that of --help: what could not be written is a failure. */
static void close_output(int status, void *unused)
{
    (void)unused;
    const bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (!failed)
        return;
    fprintf(stderr, "%s: cannot write to standard output\n", program);
    _exit(status == STATUS_OK ? STATUS_FAILED : status);
}

static int run(const struct command *command, int argc, char **argv)
{
    static char name[64];
    snprintf(name, sizeof name, "moehub %s", command->name);
    program = argv[0] = name;
    argp_err_exit_status = STATUS_USAGE;
    return command->function(argc, argv);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    on_exit(close_output, NULL);
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return run(&commands[i], argc - 1, argv + 1);
    if (strcmp(name, "--version") == 0) {
        printf("moehub %d.%d.%d\n", MOEHUB_VERSION_MAJOR, MOEHUB_VERSION_MINOR, MOEHUB_VERSION_PATCH);
        return STATUS_OK;
    }
    const int asked = strcmp(name, "--help") == 0 || strcmp(name, "-?") == 0 || strcmp(name, "help") == 0;
    if (!asked && argc > 1)
        fprintf(stderr, "moehub: unknown command '%s'\n", name);
    print_usage(asked ? stdout : stderr);
    return asked ? STATUS_OK : STATUS_USAGE;
}
