/* SPDX-License-Identifier: Apache-2.0 */
/* moehub system: the model of a whole machine, its validation and the papers' claims. */
#include "command.h"
#include "moehub/system_claims.h"
#include "moehub/system_layer.h"
#include "moehub/system_validation.h"
#include "system_print.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { SETS_MAX = 64, KEY_CONSTANTS = 256, KEY_OUTPUT, KEY_SET, KEY_FOLDER };

struct arguments {
    const char *folder;   /* of the machine and assumption files */
    const char *machine;
    const char *output;   /* folder for the JSON files, or NULL */
    const char *sets[SETS_MAX];
    size_t set_count;
    bool list_constants;
};

static const struct argp_option entries[] = {
    {"machine", 'm', "NAME", 0, "machine of the layer tables: a file NAME.machine (default h200-nvl32)", 1},
    {"folder", KEY_FOLDER, "FOLDER", 0, "where the .machine and .assumptions files lie (default cmodel/machines)", 1},
    {"set", KEY_SET, "NAME=VALUE", 0, "another value of a constant, in both sets; again for another", 1},
    {"constants", KEY_CONSTANTS, 0, 0, "list every constant with value, unit, evidence and source, and stop", 2},
    {"output", KEY_OUTPUT, "FOLDER", 0, "write claims.json and validation.json there (the folder must exist)", 2},
    {0}};

static const char documentation[] =
    "What a MoE layer's communication costs on a whole machine, beside published measurements and the papers' claims."
    "\vEverything runs twice: under `measured` (public rates of real machines) and under `paper` (what the papers state or "
    "imply). Try:\n\n"
    "  moehub system                          all tables\n"
    "  moehub system --constants              what it stands on\n"
    "  moehub system --set packet_flits=9     another framing of the links\n"
    "  moehub system --folder mine -m box     a machine of your own: mine/box.machine\n\n"
    "Method and limits: cmodel/doc/system.md.";

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 'm':
        arguments->machine = argument;
        return 0;
    case KEY_FOLDER:
        arguments->folder = argument;
        return 0;
    case KEY_OUTPUT:
        arguments->output = argument;
        return 0;
    case KEY_CONSTANTS:
        arguments->list_constants = true;
        return 0;
    case KEY_SET:
        if (arguments->set_count == SETS_MAX)
            argp_error(state, "at most %d values can be set", SETS_MAX);
        else
            arguments->sets[arguments->set_count++] = argument;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int read_file(const struct arguments *arguments, struct moehub_system_constants *constants, enum moehub_system_home home,
                     const char *name, struct moehub_message *message)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s/%s.%s", arguments->folder, name,
                                home == MOEHUB_SYSTEM_MACHINE ? "machine" : "assumptions");
    if (length >= (int)sizeof path) {
        moehub_message_set(message, NULL, 0, "the path of '%.80s' is too long", name);
        return MOEHUB_E_ARGUMENT;
    }
    return moehub_system_read_path(constants, home, path, message);
}

/* A machine under a set of assumptions, with the user's values last. */
static int load(const struct arguments *arguments, const char *machine, const char *assumptions,
                struct moehub_system_constants *constants, struct moehub_message *message)
{
    *constants = (struct moehub_system_constants){0};
    int error = read_file(arguments, constants, MOEHUB_SYSTEM_MACHINE, machine, message);
    if (error == 0)
        error = read_file(arguments, constants, MOEHUB_SYSTEM_ASSUMPTION, assumptions, message);
    for (size_t i = 0; i < arguments->set_count && error == 0; i++)
        error = moehub_system_set(constants, arguments->sets[i], message);
    return error;
}

/* The layers' experts lie in equal blocks. */
static int check_machine(const struct moehub_system_constants *constants, struct moehub_message *message)
{
    size_t count;
    const struct moehub_system_work *works = moehub_system_training(&count);
    const double gpus = moehub_system_value(constants, MOEHUB_SYSTEM_gpus);
    for (size_t i = 0; i < count; i++)
        if (gpus != (unsigned)gpus || works[i].experts % (unsigned)gpus != 0) {
            moehub_message_set(message, NULL, 0, "gpus: %g do not divide the %u experts of %s", gpus, works[i].experts,
                               works[i].name);
            return MOEHUB_E_ARGUMENT;
        }
    return 0;
}

/* The model's value of each row, on the row's own machine. */
static int validate(const struct arguments *arguments, struct system_result *results, struct moehub_message *message)
{
    size_t count;
    const struct moehub_system_row *rows = moehub_system_rows(&count);
    for (size_t i = 0; i < count; i++) {
        struct moehub_system_constants constants;
        const int error = load(arguments, rows[i].machine, "measured", &constants, message);
        if (error != 0)
            return error;
        const double value = moehub_system_row_value(&constants, &rows[i]);
        results[i] = (struct system_result){&rows[i], value, value / rows[i].value - 1};
    }
    return 0;
}

static int print_all(const struct arguments *arguments, const struct moehub_system_constants *measured,
                     const struct moehub_system_constants *paper, struct moehub_message *message)
{
    size_t rows;
    moehub_system_rows(&rows);
    struct system_result results[SYSTEM_ROWS_MAX];
    struct moehub_system_claim claims[SYSTEM_CLAIMS_MAX];
    const int error = rows <= SYSTEM_ROWS_MAX ? validate(arguments, results, message) : MOEHUB_E_LIMIT;
    if (error != 0)
        return error;
    const size_t count = moehub_system_claims(measured, paper, claims, SYSTEM_CLAIMS_MAX);
    if (count > SYSTEM_CLAIMS_MAX)
        return MOEHUB_E_LIMIT;
    print_bounds();
    print_validation(results, rows);
    print_layers("measured", measured);
    print_layers("paper", paper);
    print_claims(claims, count);
    print_open();
    return arguments->output != NULL ? write_json(arguments->output, results, rows, claims, count, message) : 0;
}

int command_system(int argc, char **argv)
{
    const struct argp argp = {entries, parse, NULL, documentation, NULL, NULL, NULL};
    struct arguments arguments = {.folder = "cmodel/machines", .machine = "h200-nvl32"};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct moehub_message message = {""};
    struct moehub_system_constants measured;
    struct moehub_system_constants paper;
    int error = load(&arguments, arguments.machine, "measured", &measured, &message);
    if (error == 0)
        error = load(&arguments, arguments.machine, "paper", &paper, &message);
    if (error == 0 && arguments.list_constants) {
        print_constants(&measured, &paper);
        return STATUS_OK;
    }
    if (error == 0)
        error = check_machine(&measured, &message);
    if (error == 0)
        error = print_all(&arguments, &measured, &paper, &message);
    return error == 0 ? STATUS_OK : command_fail(argv[0], error, &message);
}
