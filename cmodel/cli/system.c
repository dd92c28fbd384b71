/* SPDX-License-Identifier: Apache-2.0 */
/* moehub system: the model of a whole machine, its validation and the papers' claims. */
#include "command.h"
#include "moehub/options.h"
#include "moehub/system_validation.h"
#include "system_files.h"
#include "system_levels.h"
#include "system_matrix.h"
#include "system_packet.h"
#include "system_question.h"
#include "system_shares.h"
#include "system_tables.h"
#include "system_threads.h"

#include <argp.h>
#include <errno.h>
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
    KEY_THREADS,
    KEY_MODEL,
    KEY_EXPERTS,
    KEY_TOPK,
    KEY_HIDDEN,
    KEY_INNER,
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
    KEY_SENSITIVITY,
    KEY_WRITE_SHARES,
    KEY_MATRIX
};

enum { TOKENS_MAX = 1 << 20, GPUS_MAX = 1024, SIDE_MAX = 32768, INFLUENCES_SHOWN = 12 };

struct arguments {
    const char *folder;   /* of the machine and assumption files */
    const char *machine;
    const char *output;   /* folder for the JSON files, or NULL */
    struct system_values values;
    unsigned gpus;        /* of the machine of the layers, or 0: its own */
    unsigned threads;
    struct system_question question;
    bool list_constants;
    bool validation;      /* print that alone */
    bool levels;          /* the same */
    bool sensitivity;     /* the same */
    const char *write_shares;  /* the file to write, or NULL */
};

static const struct argp_option entries[] = {
    {"machine", 'm', "NAME", 0, "machine of the layer tables: a file NAME.machine (default h200-nvl32)", 1},
    {"folder", KEY_FOLDER, "FOLDER", 0, "where the .machine and .assumptions files lie (default cmodel/machines)", 1},
    {"set", KEY_SET, "NAME=VALUE", 0, "another value of a constant, in both sets; again for another", 1},
    {"gpus", KEY_GPUS, "N", 0, "GPUs of that machine, 2..1024", 1},
    {"threads", KEY_THREADS, "N", 0, "threads, 1..64 (default 2); results do not depend on it", 1},
    {0, 0, 0, 0, "Your own question. Any of these, --tokens alone too, asks for one layer in place of all tables:", 2},
    {"scheme", KEY_SCHEME, "A,B,...", 0, "these schemes on one layer, gains over the first; 'list': all", 0},
    {"model", KEY_MODEL, "NAME", 0, "the layer's model (default deepseek-v3; 'moehub traffic --model list' lists them)", 0},
    {"experts", KEY_EXPERTS, "N", 0, "routed experts, 1..4096, instead of the model's", 0},
    {"topk", KEY_TOPK, "K", 0, "experts of a token, 1..32, instead of the model's", 0},
    {"hidden", KEY_HIDDEN, "N", 0, "elements of a row, instead of the model's", 0},
    {"inner", KEY_INNER, "N", 0, "elements between an expert's two GEMMs, instead of the model's", 0},
    {"tokens", KEY_TOKENS, "N", 0, "tokens of a GPU (default 4096)", 0},
    {"precision", KEY_PRECISION, "TYPE", 0, "of dispatched rows: bf16 (default) or fp8; results are bf16", 0},
    {"backward", KEY_BACKWARD, 0, 0, "the backward pass", 0},
    {"trace", KEY_TRACE, "FILE", 0, "recorded routing: its loads in place of the assumed ones", 0},
    {"timeline", KEY_TIMELINE, "FILE", 0, "write the first scheme's layer as Chrome trace JSON (open it in Perfetto)", 0},
    {0, 0, 0, 0, "Other questions, one at a time:", 3},
    {"constants", KEY_CONSTANTS, 0, 0, "list every constant with value, unit, evidence and source, and stop", 0},
    {"packet-level", KEY_PACKET_LEVEL, 0, 0, "a layer packet by packet, with options of its own: add --help", 0},
    {"levels", KEY_LEVELS, 0, 0, "compare tile flows with packets, and stop", 0},
    {"sensitivity", KEY_SENSITIVITY, 0, 0, "every constant over its range and what it moves, and stop", 0},
    {"write-shares", KEY_WRITE_SHARES, "FILE", 0, "run the slices of all tables and of --levels that FOLDER/rtl.shares has not, "
     "write them all, and stop", 0},
    {"matrix", KEY_MATRIX, "FILE", 0, "flows of an htsim matrix packet by packet, with options of its own: add --help", 0},
    {"validation", KEY_VALIDATION, 0, 0, "compare with published measurements, and stop", 0},
    {0, 0, 0, 0, "Files:", 4},
    {"output", KEY_OUTPUT, "FOLDER", 0, "write the tables (JSON, CSV) and plots (SVG) there; the folder must exist. Of your own "
     "question: layer.json, layer.csv, layer.svg", 0},
    {0}};

static const char documentation[] =
    "What a MoE layer's communication costs on a whole machine, beside published measurements and the papers' claims."
    "\vEverything runs twice: under `measured` (public rates of real machines) and under `paper` (what the papers state or "
    "imply). Try:\n\n"
    "  moehub system                          all tables\n"
    "  moehub system --scheme list            what can be compared\n"
    "  moehub system --model kimi-k2 --gpus 16 --scheme deepep,dysharp\n"
    "  moehub system --experts 64 --topk 4 --hidden 4096 --inner 1024   your model\n"
    "  moehub system --scheme dysharp --timeline layer.json   for Perfetto\n"
    "  moehub system --constants              what it stands on\n"
    "  moehub system --sensitivity            what moves the gain\n"
    "  moehub system --levels                 tile flows beside packets\n"
    "  moehub system --set packet_flits=9     another framing of the links\n"
    "  moehub system --packet-level --phase fused --gpus 8   a layer by packets\n"
    "  moehub system --matrix dispatch.cm     flows of 'moehub traffic --matrix'\n"
    "  moehub system --folder mine -m box     your machine: mine/box.machine\n\n"
    "Method and limits: cmodel/doc/system.md.";

/* The numbers of a question's layer. */
static error_t parse_shape(int key, const char *argument, struct system_question *question, struct argp_state *state)
{
    switch (key) {
    case KEY_TOKENS:
        question->tokens = (unsigned)moehub_options_parse_number(state, "tokens", argument, 1, TOKENS_MAX);
        return 0;
    case KEY_EXPERTS:
        question->experts = (unsigned)moehub_options_parse_number(state, "experts", argument, 1, MOEHUB_LAYER_EXPERTS_MAX);
        return 0;
    case KEY_TOPK:
        question->topk = (unsigned)moehub_options_parse_number(state, "topk", argument, 1, MOEHUB_SYSTEM_SLICE_TOPK_MAX);
        return 0;
    case KEY_HIDDEN:
        question->hidden = (unsigned)moehub_options_parse_number(state, "hidden", argument, 1, SIDE_MAX);
        return 0;
    case KEY_INNER:
        question->inner = (unsigned)moehub_options_parse_number(state, "inner", argument, 1, SIDE_MAX);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What the user asks about a layer of their own. */
static error_t parse_question(int key, char *argument, struct system_question *question, struct argp_state *state)
{
    switch (key) {
    case KEY_MODEL:
        question->model = argument;
        return 0;
    case KEY_SCHEME:
        question->schemes = argument;
        return 0;
    case KEY_PRECISION:
        question->precision = argument;
        return 0;
    case KEY_TRACE:
        question->trace = argument;
        return 0;
    case KEY_TIMELINE:
        question->timeline = argument;
        return 0;
    case KEY_BACKWARD:
        question->backward = true;
        return 0;
    default:
        return parse_shape(key, argument, question, state);
    }
}

/* Nothing that was asked for is left out in silence. */
static void check_together(struct argp_state *state, const struct arguments *arguments)
{
    const struct {
        bool asked;
        const char *what;
    } modes[] = {{question_asked(&arguments->question), "a question of your own (--scheme, --model, --tokens, ...)"},
                 {arguments->list_constants, "--constants"},
                 {arguments->levels, "--levels"},
                 {arguments->validation, "--validation"},
                 {arguments->sensitivity, "--sensitivity"},
                 {arguments->write_shares != NULL, "--write-shares"}};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        if (modes[i].asked && first != NULL)
            argp_error(state, "%s and %s: ask one at a time", first, modes[i].what);
        first = modes[i].asked ? modes[i].what : first;
    }
    if (arguments->output != NULL && (arguments->list_constants || arguments->validation || arguments->sensitivity ||
                                      arguments->write_shares != NULL))
        argp_error(state, "%s has no files for --output; 'moehub system --output FOLDER' alone writes all tables", first);
    if (arguments->gpus != 0 && arguments->validation)
        argp_error(state, "--validation and --gpus: its rows have machines of their own");
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
        arguments->gpus = (unsigned)moehub_options_parse_number(state, "gpus", argument, 2, GPUS_MAX);
        return 0;
    case KEY_THREADS:
        arguments->threads = (unsigned)moehub_options_parse_number(state, "threads", argument, 1, SYSTEM_THREADS_MAX);
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
    case KEY_SENSITIVITY:
        arguments->sensitivity = true;
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
    case ARGP_KEY_END:
        check_together(state, arguments);
        return 0;
    default:
        return parse_question(key, argument, &arguments->question, state);
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
static void set_gpus(const struct arguments *arguments, struct moehub_system_constants *constants)
{
    if (arguments->gpus != 0)
        constants->entries[MOEHUB_SYSTEM_gpus] =
            (struct moehub_system_entry){.value = arguments->gpus, .evidence = MOEHUB_SYSTEM_USER, .source = "--gpus"};
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
        set_gpus(arguments, &machines->training[i]);
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
            moehub_message_set(message, NULL, 0, "gpus: %g: expected a whole number that divides the %u experts of %s, as do all "
                               "tables' machines; for another, ask about one layer: --scheme", gpus, works[i].experts,
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

/* What the tables of a set are made of. The longest first: threads end together. */
enum part { PART_INFLUENCES, PART_SWEEPS, PART_TRAINING, PART_FIGURES, PART_HUB, PARTS };

/* Each set's parts as tasks: none sees what another writes. */
struct sets_job {
    const struct system_machines *machines;
    struct system_tables *tables;
};

static int run_sweeps(const struct moehub_system_constants *training, struct system_tables *tables, int set,
                      struct moehub_message *message)
{
    const int count = moehub_system_sweeps(training, tables->points[set], message);
    tables->point_counts[set] = count < 0 ? 0 : count;
    return count < 0 ? count : 0;
}

static int run_part(void *context, size_t number, struct moehub_message *message)
{
    const struct sets_job *job = context;
    struct system_tables *tables = job->tables;
    const int set = (int)(number % SYSTEM_SETS);
    const struct moehub_system_constants *training = &job->machines->training[set];
    size_t count;
    const struct moehub_system_work *works;
    switch ((enum part)(number / SYSTEM_SETS)) {
    case PART_INFLUENCES:
        return moehub_system_influences(training, tables->influences[set], message);
    case PART_SWEEPS:
        return run_sweeps(training, tables, set, message);
    case PART_TRAINING:
        works = moehub_system_training(&count);
        return moehub_system_grid_make(&tables->sets[set].training, training, works, count, true, message);
    case PART_FIGURES:
        return moehub_system_figures_run(training, &tables->sets[set].figures, message);
    case PART_HUB:
    default:
        works = moehub_system_hub_cases(&count);
        return moehub_system_grid_make(&tables->sets[set].hub, &job->machines->hub[set], works, count, false, message);
    }
}

static int make_sets(const struct system_machines *machines, struct system_tables *tables, unsigned threads,
                     struct moehub_message *message)
{
    struct sets_job parts = {machines, tables};
    const struct system_job job = {"tables", (size_t)SYSTEM_SETS * PARTS, run_part, &parts};
    return system_threads_run(&job, threads, message);
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
        error = make_sets(machines, tables, arguments->threads, message);
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
    print_bounds(&machines->training[0], &machines->training[1]);
    print_validation(tables.results, tables.result_count);
    print_sets(tables.sets);
    print_claims(tables.claims, tables.claim_count);
    print_ablations(&tables);
    print_influences(&tables, INFLUENCES_SHOWN);
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

static int run_influences(void *context, size_t number, struct moehub_message *message)
{
    const struct sets_job *job = context;
    return moehub_system_influences(&job->machines->training[number], job->tables->influences[number], message);
}

/* All constants, where the tables show the first. */
static int print_sensitivity(const struct arguments *arguments, const struct system_machines *machines,
                             struct moehub_message *message)
{
    static struct system_tables tables;
    struct sets_job sets = {machines, &tables};
    const struct system_job job = {"sets", SYSTEM_SETS, run_influences, &sets};
    int error = check_machine(&machines->training[0], message);
    if (error == 0)
        error = system_threads_run(&job, arguments->threads, message);
    if (error == 0)
        print_influences(&tables, MOEHUB_SYSTEM_LAYER_COUNT);
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
    return error != 0 ? error : system_levels(&machines->training[0], arguments->threads, arguments->output, message);
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
        error = system_levels_measure(&machines->training[0], arguments->threads, message);
    return error != 0 ? error : system_shares_write(shares, arguments->write_shares, message);
}

static int answer_all(const struct arguments *arguments, const struct system_machines *machines, struct moehub_message *message)
{
    int error = check_output(arguments, message);
    if (error == 0)
        error = check_machine(&machines->training[0], message);
    return error != 0 ? error : print_all(arguments, machines, message);
}

static int answer_question(const struct arguments *arguments, const struct system_machines *machines,
                           struct moehub_message *message)
{
    const int error = check_output(arguments, message);
    return error != 0 ? error : question_answer(&arguments->question, machines->training, arguments->threads, arguments->output,
                                                message);
}

static int answer(const struct arguments *arguments, const struct system_machines *machines,
                  struct moehub_system_shares *shares, struct moehub_message *message)
{
    if (question_asked(&arguments->question))
        return answer_question(arguments, machines, message);
    if (arguments->levels)
        return compare_levels(arguments, machines, message);
    if (arguments->validation)
        return print_validation_alone(arguments, message);
    if (arguments->sensitivity)
        return print_sensitivity(arguments, machines, message);
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
    struct arguments arguments = {.folder = "cmodel/machines", .machine = "h200-nvl32", .threads = SYSTEM_THREADS_DEFAULT};
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
