/* SPDX-License-Identifier: Apache-2.0 */
#include "system_arguments.h"

#include "moehub/options.h"
#include "moehub/system_slice.h"
#include "system_threads.h"

#include <argp.h>
#include <errno.h>

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

enum { TOKENS_MAX = 1 << 20, GPUS_MAX = 1024, SIDE_MAX = 32768 };

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
static void check_together(struct argp_state *state, const struct system_arguments *arguments)
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
    struct system_arguments *arguments = state->input;
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

struct system_arguments system_arguments_read(int argc, char **argv)
{
    const struct argp argp = {entries, parse, NULL, documentation, NULL, NULL, NULL};
    struct system_arguments arguments = {.folder = "cmodel/machines", .machine = "h200-nvl32", .threads = SYSTEM_THREADS_DEFAULT};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    return arguments;
}
