/* SPDX-License-Identifier: Apache-2.0 */
/* moehub system: the model of a whole machine, its validation and the papers' claims. */
#include "command.h"
#include "moehub/system_validation.h"
#include "system_files.h"
#include "system_levels.h"
#include "system_matrix.h"
#include "system_packet.h"
#include "system_question.h"
#include "system_shares.h"
#include "system_tables.h"

#include <argp.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_CONSTANTS = 256,
    KEY_OUTPUT,
    KEY_SET,
    KEY_FOLDER,
    KEY_MODEL,
    KEY_SCHEME,
    KEY_GPUS,
    KEY_TOKENS,
    KEY_PRECISION,
    KEY_TRACE,
    KEY_TIMELINE,
    KEY_BACKWARD,
    KEY_VALIDATION,
    KEY_PACKET_LEVEL,
    KEY_LEVELS,
    KEY_WRITE_SHARES,
    KEY_MATRIX
};

struct arguments {
    const char *folder;   /* of the machine and assumption files */
    const char *machine;
    const char *output;   /* folder for the JSON files, or NULL */
    struct system_values values;
    const char *gpus;     /* of the machine of the layers, or NULL */
    struct system_question question;
    bool list_constants;
    bool validation;      /* print that alone */
    bool levels;          /* the same */
    const char *write_shares;  /* the file to write, or NULL */
};

static const struct argp_option entries[] = {
    {"machine", 'm', "NAME", 0, "machine of the layer tables: a file NAME.machine (default h200-nvl32)", 1},
    {"folder", KEY_FOLDER, "FOLDER", 0, "where the .machine and .assumptions files lie (default cmodel/machines)", 1},
    {"set", KEY_SET, "NAME=VALUE", 0, "another value of a constant, in both sets; again for another", 1},
    {"scheme", KEY_SCHEME, "A,B,...", 0, "your own question: these schemes on one layer, gains over the first; 'list': all",
     2},
    {"model", KEY_MODEL, "NAME", 0, "the layer's model (default deepseek-v3; 'moehub traffic --model list' lists them)", 2},
    {"gpus", KEY_GPUS, "N", 0, "GPUs of the machine", 2},
    {"tokens", KEY_TOKENS, "N", 0, "tokens of a GPU (default 4096)", 2},
    {"precision", KEY_PRECISION, "TYPE", 0, "of dispatched rows: bf16 (default) or fp8; results are bf16", 2},
    {"backward", KEY_BACKWARD, 0, 0, "the backward pass", 2},
    {"trace", KEY_TRACE, "FILE", 0, "recorded routing: its loads in place of the assumed ones", 2},
    {"timeline", KEY_TIMELINE, "FILE", 0, "write the first scheme's layer as Chrome trace JSON (open it in Perfetto)", 2},
    {"constants", KEY_CONSTANTS, 0, 0, "list every constant with value, unit, evidence and source, and stop", 3},
    {"packet-level", KEY_PACKET_LEVEL, 0, 0, "a layer packet by packet, with options of its own: add --help", 3},
    {"levels", KEY_LEVELS, 0, 0, "compare tile flows with packets, and stop", 3},
    {"write-shares", KEY_WRITE_SHARES, "FILE", 0, "run the slices of all tables and of --levels that FOLDER/rtl.shares has not, "
     "write them all, and stop", 3},
    {"matrix", KEY_MATRIX, "FILE", 0, "flows of an htsim matrix packet by packet, with options of its own: add --help", 3},
    {"validation", KEY_VALIDATION, 0, 0, "compare with published measurements, and stop", 3},
    {"output", KEY_OUTPUT, "FOLDER", 0, "write the tables (JSON, CSV) and plots (SVG) there; the folder must exist", 3},
    {0}};

static const char documentation[] =
    "What a MoE layer's communication costs on a whole machine, beside published measurements and the papers' claims."
    "\vEverything runs twice: under `measured` (public rates of real machines) and under `paper` (what the papers state or "
    "imply). Try:\n\n"
    "  moehub system                          all tables\n"
    "  moehub system --scheme list            what can be compared\n"
    "  moehub system --model kimi-k2 --gpus 16 --scheme deepep,dysharp\n"
    "  moehub system --scheme dysharp --timeline layer.json   one layer, for Perfetto\n"
    "  moehub system --constants              what it stands on\n"
    "  moehub system --levels                 tile flows beside packets\n"
    "  moehub system --set packet_flits=9     another framing of the links\n"
    "  moehub system --packet-level --phase fused --gpus 8   a layer by packets\n"
    "  moehub system --matrix dispatch.cm     flows of 'moehub traffic --matrix'\n"
    "  moehub system --folder mine -m box     your machine: mine/box.machine\n\n"
    "Method and limits: cmodel/doc/system.md.";

static error_t parse_tokens(const char *argument, unsigned *tokens, struct argp_state *state)
{
    char *end;
    errno = 0;
    const unsigned long value = strtoul(argument, &end, 10);
    if (argument[0] < '0' || argument[0] > '9' || *end != '\0' || errno != 0 || value == 0 || value > 1 << 20)
        argp_error(state, "--tokens %s: expected 1..%d", argument, 1 << 20);
    *tokens = (unsigned)value;
    return 0;
}

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
    case KEY_GPUS:
        arguments->gpus = argument;
        return 0;
    case KEY_TOKENS:
        return parse_tokens(argument, &arguments->question.tokens, state);
    case KEY_MODEL:
        arguments->question.model = argument;
        return 0;
    case KEY_SCHEME:
        arguments->question.schemes = argument;
        return 0;
    case KEY_PRECISION:
        arguments->question.precision = argument;
        return 0;
    case KEY_TRACE:
        arguments->question.trace = argument;
        return 0;
    case KEY_TIMELINE:
        arguments->question.timeline = argument;
        return 0;
    case KEY_BACKWARD:
        arguments->question.backward = true;
        return 0;
    case KEY_PACKET_LEVEL:  /* these have been looked for before */
    case KEY_MATRIX:
        return 0;
    case KEY_VALIDATION:
        arguments->validation = true;
        return 0;
    case KEY_LEVELS:
        arguments->levels = true;
        return 0;
    case KEY_WRITE_SHARES:
        arguments->write_shares = argument;
        return 0;
    case KEY_CONSTANTS:
        arguments->list_constants = true;
        return 0;
    case KEY_SET:
        system_values_add(&arguments->values, argument, state);
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* A machine under a set of assumptions, with the user's values last. */
static int load(const struct arguments *arguments, const char *machine, const char *assumptions,
                struct moehub_system_constants *constants, struct moehub_message *message)
{
    *constants = (struct moehub_system_constants){0};
    int error = system_read_file(constants, MOEHUB_SYSTEM_MACHINE, arguments->folder, machine, message);
    if (error == 0)
        error = system_read_file(constants, MOEHUB_SYSTEM_ASSUMPTION, arguments->folder, assumptions, message);
    if (error == 0)
        error = system_read_file(constants, MOEHUB_SYSTEM_PACKET, arguments->folder, "rtl", message);
    if (error == 0)
        error = system_read_file(constants, MOEHUB_SYSTEM_HUB, arguments->folder, "rtl", message);
    return error != 0 ? error : system_values_set(&arguments->values, constants, message);
}

/* --gpus is --set gpus=N for the machine of the layers alone. */
static int set_gpus(const struct arguments *arguments, struct moehub_system_constants *constants, struct moehub_message *message)
{
    char assignment[64];
    if (arguments->gpus == NULL)
        return 0;
    snprintf(assignment, sizeof assignment, "gpus=%.40s", arguments->gpus);
    return moehub_system_set(constants, assignment, message);
}

/* Machines under `measured` and under `paper`. */
struct system_machines {
    struct moehub_system_constants training[2];
    struct moehub_system_constants hub[2];
};

static int load_machines(const struct arguments *arguments, struct moehub_system_shares *shares, struct system_machines *machines,
                         struct moehub_message *message)
{
    static const char *const sets[] = {"measured", "paper"};
    static const char *const hubs[] = {"h800-8", "h800-8-paper"};
    int error = 0;
    for (int i = 0; i < 2 && error == 0; i++) {
        error = load(arguments, arguments->machine, sets[i], &machines->training[i], message);
        if (error == 0)
            error = set_gpus(arguments, &machines->training[i], message);
        if (error == 0)
            error = load(arguments, hubs[i], sets[i], &machines->hub[i], message);
        machines->training[i].shares = machines->hub[i].shares = shares;
    }
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

/* The layers of a set; `hub` is the machine of arXiv 2605.05888. */
static int make_set(struct moehub_system_evidence_set *set, const struct moehub_system_constants *training,
                    const struct moehub_system_constants *hub, struct moehub_message *message)
{
    size_t count;
    const struct moehub_system_work *works = moehub_system_training(&count);
    int error = moehub_system_grid_make(&set->training, training, works, count, true, message);
    if (error != 0)
        return error;
    works = moehub_system_hub_cases(&count);
    error = moehub_system_grid_make(&set->hub, hub, works, count, false, message);
    return error != 0 ? error : moehub_system_figures_run(training, &set->figures, message);
}

/* One set's work for a thread of its own. */
struct set_task {
    const struct system_machines *machines;
    struct system_tables *tables;
    int number;
    int error;
    struct moehub_message message;
};

static void *run_set(void *argument)
{
    struct set_task *task = argument;
    const int i = task->number;
    const struct moehub_system_constants *training = &task->machines->training[i];
    task->error = make_set(&task->tables->sets[i], training, &task->machines->hub[i], &task->message);
    if (task->error == 0)
        task->error = moehub_system_influences(training, task->tables->influences[i], &task->message);
    if (task->error == 0) {
        const int count = moehub_system_sweeps(training, task->tables->points[i], &task->message);
        task->tables->point_counts[i] = count < 0 ? 0 : count;
        task->error = count < 0 ? count : 0;
    }
    return NULL;
}

/* Both sets, side by side: neither sees what the other writes, so that their order does not matter. */
static int make_sets(const struct system_machines *machines, struct system_tables *tables, struct moehub_message *message)
{
    struct set_task tasks[SYSTEM_SETS] = {{machines, tables, 0, 0, {""}}, {machines, tables, 1, 0, {""}}};
    pthread_t other;
    const bool beside = pthread_create(&other, NULL, run_set, &tasks[1]) == 0;
    run_set(&tasks[0]);
    if (beside)
        pthread_join(other, NULL);
    else
        run_set(&tasks[1]);
    *message = tasks[0].error != 0 ? tasks[0].message : tasks[1].message;
    return tasks[0].error != 0 ? tasks[0].error : tasks[1].error;
}

static void print_sets(const struct moehub_system_evidence_set *sets)
{
    char title[80];
    for (int i = 0; i < SYSTEM_SETS; i++) {
        snprintf(title, sizeof title, "Training layers under `%s`", system_set_names[i]);
        print_layers(title, &sets[i].training, false);
        print_layers(title, &sets[i].training, true);
        snprintf(title, sizeof title, "Layers of arXiv 2605.05888 under `%s`", system_set_names[i]);
        print_layers(title, &sets[i].hub, false);
    }
}

static int fill_tables(const struct arguments *arguments, const struct system_machines *machines, struct system_tables *tables,
                       struct moehub_message *message)
{
    moehub_system_rows(&tables->result_count);
    int error = tables->result_count <= SYSTEM_ROWS_MAX ? validate(arguments, tables->results, message) : MOEHUB_E_LIMIT;
    if (error == 0)
        error = make_sets(machines, tables, message);
    if (error != 0)
        return error;
    tables->claim_count = moehub_system_claims(&tables->sets[0], &tables->sets[1], tables->claims, SYSTEM_CLAIMS_MAX);
    return tables->claim_count <= SYSTEM_CLAIMS_MAX ? 0 : MOEHUB_E_LIMIT;
}

static int write_tables(const char *folder, const struct system_tables *tables, struct moehub_message *message)
{
    int error = write_json(folder, tables, message);
    if (error == 0)
        error = write_csv(folder, tables, message);
    return error != 0 ? error : write_plots(folder, tables, message);
}

static int print_all(const struct arguments *arguments, const struct system_machines *machines, struct moehub_message *message)
{
    static struct system_tables tables;
    const int error = fill_tables(arguments, machines, &tables, message);
    if (error != 0)
        return error;
    print_bounds();
    print_validation(tables.results, tables.result_count);
    print_sets(tables.sets);
    print_claims(tables.claims, tables.claim_count);
    print_ablations(&tables);
    print_influences(&tables);
    print_points(&tables);
    print_open();
    return arguments->output != NULL ? write_tables(arguments->output, &tables, message) : 0;
}

static int print_validation_alone(const struct arguments *arguments, struct moehub_message *message)
{
    struct system_result results[SYSTEM_ROWS_MAX];
    size_t rows;
    moehub_system_rows(&rows);
    const int error = rows <= SYSTEM_ROWS_MAX ? validate(arguments, results, message) : MOEHUB_E_LIMIT;
    if (error == 0)
        print_validation(results, rows);
    return error;
}

static int check_output(const struct arguments *arguments, struct moehub_message *message)
{
    if (arguments->output == NULL || access(arguments->output, W_OK | X_OK) == 0)
        return 0;
    moehub_message_set(message, arguments->output, 0, "cannot be written: %s", strerror(errno));
    return MOEHUB_E_FILE;
}

/* The set `measured` on the layers' machine, with the RTL's plane. */
static int compare_levels(const struct arguments *arguments, const struct system_machines *machines,
                          struct moehub_message *message)
{
    const int error = check_output(arguments, message);
    return error != 0 ? error : system_levels(&machines->training[0], arguments->output, message);
}

/* All that the tables and the levels ask for. */
static int measure_shares(const struct arguments *arguments, const struct system_machines *machines,
                          struct moehub_system_shares *shares, struct moehub_message *message)
{
    static struct system_tables tables;
    int error = check_machine(&machines->training[0], message);
    if (error == 0)
        error = fill_tables(arguments, machines, &tables, message);
    if (error == 0)
        error = system_levels_measure(&machines->training[0], message);
    return error != 0 ? error : system_shares_write(shares, arguments->write_shares, message);
}

static int answer_all(const struct arguments *arguments, const struct system_machines *machines, struct moehub_message *message)
{
    int error = check_output(arguments, message);
    if (error == 0)
        error = check_machine(&machines->training[0], message);
    return error != 0 ? error : print_all(arguments, machines, message);
}

static int answer(const struct arguments *arguments, const struct system_machines *machines,
                  struct moehub_system_shares *shares, struct moehub_message *message)
{
    if (question_asked(&arguments->question))
        return question_answer(&arguments->question, machines->training, message);
    if (arguments->levels)
        return compare_levels(arguments, machines, message);
    if (arguments->validation)
        return print_validation_alone(arguments, message);
    if (arguments->write_shares != NULL)
        return measure_shares(arguments, machines, shares, message);
    return answer_all(arguments, machines, message);
}

int command_system(int argc, char **argv)
{
    if (system_packet_asked(argc, argv))
        return command_system_packet(argc, argv);
    if (system_matrix_asked(argc, argv))
        return command_system_matrix(argc, argv);
    const struct argp argp = {entries, parse, NULL, documentation, NULL, NULL, NULL};
    struct arguments arguments = {.folder = "cmodel/machines", .machine = "h200-nvl32"};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct moehub_message message = {""};
    struct moehub_system_shares *shares = NULL;
    struct system_machines machines;
    int error = system_shares_open(&shares, arguments.folder, &message);
    if (error == 0)
        error = load_machines(&arguments, shares, &machines, &message);
    if (error == 0 && arguments.list_constants)
        print_constants(&machines.training[0], &machines.training[1]);
    else if (error == 0)
        error = answer(&arguments, &machines, shares, &message);
    moehub_system_shares_destroy(shares);
    return error == 0 ? STATUS_OK : command_fail(argv[0], error, &message);
}
