/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/options.h"

#include "common/line_reader.h"
#include "moehub/defines.h"
#include "moehub/element.h"
#include "moehub/presets.h"
#include "moehub/trace.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum key {
    KEY_MODEL = 0x300,
    KEY_EXPERTS,
    KEY_TOPK,
    KEY_HIDDEN,
    KEY_GPUS,
    KEY_TOKENS,
    KEY_TYPE,
    KEY_ROUTING,
    KEY_GROUPS,
    KEY_GROUPS_KEPT,
    KEY_LAYER,
    KEY_CUT,
    KEY_KEEP_WARMUP,
    KEY_PLACEMENT,
    KEY_SEED,
};

enum { DEFAULT_TOKENS = 4096 };

static const struct argp_option entries[] = {
    {0, 0, 0, 0, "The layer:", 1},
    {"model", KEY_MODEL, "NAME", 0, "shape of a published model (default deepseek-v3); '--model list' names them all", 0},
    {"experts", KEY_EXPERTS, "N", 0, "routed experts, 1..4096, instead of the model's", 0},
    {"topk", KEY_TOPK, "K", 0, "experts of a token, 1..64, instead of the model's", 0},
    {"hidden", KEY_HIDDEN, "N", 0, "elements of a row, instead of the model's", 0},
    {"type", KEY_TYPE, "TYPE", 0, "elements of dispatched rows: " MOEHUB_ELEMENT_NAMES " (default bf16); combined are the "
     "same, but bf16 for fp8", 0},
    {"gpus", KEY_GPUS, "G", 0, "GPUs, 1..1024 (default 8)", 0},
    {"tokens", KEY_TOKENS, "T", 0, "tokens on each GPU (default 4096; of a trace: all)", 0},
    {"placement", KEY_PLACEMENT, "FILE", 0, "lines 'expert gpu', one per expert (default: expert e on GPU floor(e*G/E))", 0},
    {"seed", KEY_SEED, "N", 0, "seed of every random choice (default 1)", 0},
    {0, 0, 0, 0, "Its routing:", 2},
    {"routing", KEY_ROUTING, "R", 0, MOEHUB_ROUTING_NAMES " (default uniform). normal: an expert's share of the tokens has "
     "the standard deviation STD relative to the mean share, 0..1. zipf: share of the r-th expert ~ r^-S, S 0..8. group: "
     "best experts of the best groups", 0},
    {"groups", KEY_GROUPS, "N", 0, "group: groups of experts, instead of the model's", 0},
    {"groups-kept", KEY_GROUPS_KEPT, "N", 0, "group: groups a token's experts come from, instead of the model's", 0},
    {"layer", KEY_LAYER, "N", 0, "trace: layer to take (default: that of its first row)", 0},
    {"cut", KEY_CUT, "block|roundrobin", 0, "trace: GPU g gets the g-th run of rows, or rows g, g+G, ... (default block)", 0},
    {"keep-warmup", KEY_KEEP_WARMUP, 0, 0, "trace: keep the run of identical rows at its start", 0},
    {0}};

int moehub_options_number(const char *text, uint64_t lowest, uint64_t highest, uint64_t *number)
{
    const char *cursor = text;
    unsigned long long value = 0;
    if (!scan_number(&cursor, &value) || *cursor != '\0' || value < lowest || value > highest)
        return MOEHUB_E_ARGUMENT;
    *number = value;
    return 0;
}

void moehub_options_init(struct moehub_options *options)
{
    *options = (struct moehub_options){
        .routing = "uniform",
        .layer = {.gpus = 8, .element = MOEHUB_ELEMENT_BF16, .seed = 1, .trace_layer = MOEHUB_TRACE_ANY_LAYER},
    };
}

uint64_t moehub_options_parse_number(struct argp_state *state, const char *option, const char *text, uint64_t lowest,
                                     uint64_t highest)
{
    uint64_t value = lowest;
    if (moehub_options_number(text, lowest, highest, &value) != 0)
        argp_error(state, "--%s %s: legal are whole numbers %llu..%llu", option, text, (unsigned long long)lowest,
                   (unsigned long long)highest);
    return value;
}

static void list_models(FILE *out)
{
    size_t count = 0;
    const struct moehub_preset *presets = moehub_presets(&count);
    fprintf(out, "%-20s %7s %5s %6s %6s %6s  %s\n", "model", "experts", "top-k", "hidden", "inter", "layers", "router");
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%-20s %7u %5u %6u %6u %6u  %s\n", presets[i].name, presets[i].experts, presets[i].topk,
                presets[i].hidden, presets[i].intermediate, presets[i].layers, presets[i].router);
}

static void set_model(struct moehub_options *options, const char *name)
{
    if (strcmp(name, "list") == 0) {
        list_models(stdout);
        exit(0);
    }
    options->model = name;
}

int moehub_options_parse_cut(const char *text)
{
    if (strcmp(text, "block") == 0)
        return MOEHUB_CUT_BLOCK;
    return strcmp(text, "roundrobin") == 0 ? MOEHUB_CUT_ROUND_ROBIN : -1;
}

static void set_cut(struct argp_state *state, struct moehub_options *options, const char *text)
{
    const int cut = moehub_options_parse_cut(text);
    if (cut < 0)
        argp_error(state, "--cut %s: legal are block, roundrobin", text);
    options->layer.cut = (enum moehub_cut)cut;
    options->cut_given = true;
}

static void set_type(struct argp_state *state, struct moehub_options *options, const char *text)
{
    const int element = moehub_element_parse(text);
    if (element < 0)
        argp_error(state, "--type %s: legal are " MOEHUB_ELEMENT_NAMES, text);
    options->layer.element = (unsigned)element;
}

/* ---- the check ------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static int refuse(struct moehub_message *message, const char *format, ...)
{
    char text[sizeof message->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    moehub_message_set(message, NULL, 0, "%s", text);
    return MOEHUB_E_ARGUMENT;
}

static int check_routing(struct moehub_options *options, struct moehub_message *message)
{
    struct moehub_routing routing;
    struct moehub_message problem;
    if (moehub_routing_parse(options->routing, &routing, &problem) != 0)
        return refuse(message, "--routing: %s", problem.text);
    routing.groups = options->layer.routing.groups;
    routing.groups_kept = options->layer.routing.groups_kept;
    options->layer.routing = routing;
    return 0;
}

/* Options that would be ignored are refused. */
static int check_use(const struct moehub_options *options, struct moehub_message *message)
{
    const struct moehub_layer_options *layer = &options->layer;
    const bool trace = layer->routing.kind == MOEHUB_ROUTING_TRACE;
    if (!trace && (options->cut_given || layer->keep_warmup || layer->trace_layer != MOEHUB_TRACE_ANY_LAYER))
        return refuse(message, "--layer, --cut and --keep-warmup need --routing trace:FILE");
    if (layer->routing.kind != MOEHUB_ROUTING_GROUP && (layer->routing.groups != 0 || layer->routing.groups_kept != 0))
        return refuse(message, "--groups and --groups-kept need --routing group");
    return 0;
}

/* Asks for the permission only: opening and closing would break a pipe. */
static int check_file(const char *option, const char *path, struct moehub_message *message)
{
    if (path == NULL)
        return 0;
    if (path[0] == '\0')
        return refuse(message, "--%s: the file's name is missing", option);
    if (access(path, R_OK) == 0)
        return 0;
    refuse(message, "--%s: %s: %s", option, path, strerror(errno));
    return MOEHUB_E_FILE;
}

static int check_files(const struct moehub_layer_options *layer, struct moehub_message *message)
{
    const int error = check_file("routing", layer->routing.trace, message);
    return error != 0 ? error : check_file("placement", layer->placement, message);
}

static int check_model(const char *name, struct moehub_message *message)
{
    if (name == NULL || moehub_preset_find(name) != NULL)
        return 0;
    char names[sizeof message->text] = "";
    size_t count = 0;
    const struct moehub_preset *presets = moehub_presets(&count);
    for (size_t i = 0; i < count; i++) {
        strncat(names, i > 0 ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, presets[i].name, sizeof names - strlen(names) - 1);
    }
    return refuse(message, "--model %.64s: unknown; legal are %s", name, names);
}

static void fill(unsigned *value, unsigned from_model)
{
    if (*value == 0)
        *value = from_model;
}

/* What was not given by hand comes from the model. */
static void fill_in(struct moehub_options *options)
{
    struct moehub_layer_options *layer = &options->layer;
    const bool by_hand = layer->experts != 0 || layer->hidden != 0;
    const bool trace = layer->routing.kind == MOEHUB_ROUTING_TRACE;
    if (!trace && layer->tokens == 0)
        layer->tokens = DEFAULT_TOKENS;
    if (options->model == NULL && !by_hand && !trace)
        options->model = "deepseek-v3";
    if (options->model == NULL)
        return;
    const struct moehub_preset *preset = moehub_preset_find(options->model);
    fill(&layer->experts, preset->experts);
    fill(&layer->topk, preset->topk);
    fill(&layer->hidden, preset->hidden);
    if (layer->routing.kind == MOEHUB_ROUTING_GROUP) {
        fill(&layer->routing.groups, preset->groups);
        fill(&layer->routing.groups_kept, preset->groups_kept);
    }
}

static int check_missing(const struct moehub_layer_options *layer, struct moehub_message *message)
{
    const bool trace = layer->routing.kind == MOEHUB_ROUTING_TRACE;
    if (layer->hidden == 0)
        return refuse(message, "--hidden is missing: give it, or --model%s", trace ? "; a trace does not say it" : "");
    if (!trace && layer->experts == 0)
        return refuse(message, "--experts is missing: give it, or --model");
    if (!trace && layer->topk == 0)
        return refuse(message, "--topk is missing: give it, or --model");
    if (layer->routing.kind == MOEHUB_ROUTING_GROUP && (layer->routing.groups == 0 || layer->routing.groups_kept == 0))
        return refuse(message, "--routing group: this model has no groups; give --groups and --groups-kept");
    return 0;
}

int moehub_options_check(struct moehub_options *options, struct moehub_message *message)
{
    const struct moehub_layer_options *layer = &options->layer;
    int error = check_routing(options, message);
    if (error == 0)
        error = check_use(options, message);
    if (error == 0)
        error = check_files(layer, message);
    if (error == 0)
        error = check_model(options->model, message);
    if (error != 0)
        return error;
    fill_in(options);
    error = check_missing(layer, message);
    return error != 0 ? error : moehub_layer_options_check(layer, message);
}

/* ---- the command line ----------------------------------------------------------- */

static void check(struct argp_state *state, struct moehub_options *options)
{
    struct moehub_message message;
    if (moehub_options_check(options, &message) != 0)
        argp_error(state, "%s", message.text);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct moehub_options *options = state->input;
    struct moehub_layer_options *layer = &options->layer;
    switch (key) {
    case KEY_MODEL:
        set_model(options, argument);
        return 0;
    case KEY_EXPERTS:
        layer->experts = (unsigned)moehub_options_parse_number(state, "experts", argument, 1, MOEHUB_LAYER_EXPERTS_MAX);
        return 0;
    case KEY_TOPK:
        layer->topk = (unsigned)moehub_options_parse_number(state, "topk", argument, 1, MOEHUB_LAYER_TOPK_MAX);
        return 0;
    case KEY_HIDDEN:
        layer->hidden = (unsigned)moehub_options_parse_number(state, "hidden", argument, 1, MOEHUB_LAYER_ROW_BYTES_MAX);
        return 0;
    case KEY_GPUS:
        layer->gpus = (unsigned)moehub_options_parse_number(state, "gpus", argument, 1, MOEHUB_LAYER_GPUS_MAX);
        return 0;
    case KEY_TOKENS:
        layer->tokens = moehub_options_parse_number(state, "tokens", argument, 1, UINT32_MAX);
        return 0;
    case KEY_TYPE:
        set_type(state, options, argument);
        return 0;
    case KEY_ROUTING:
        options->routing = argument;
        return 0;
    case KEY_GROUPS:
        layer->routing.groups = (unsigned)moehub_options_parse_number(state, "groups", argument, 1, MOEHUB_LAYER_EXPERTS_MAX);
        return 0;
    case KEY_GROUPS_KEPT:
        layer->routing.groups_kept = (unsigned)moehub_options_parse_number(state, "groups-kept", argument, 1,
                                                                           MOEHUB_LAYER_EXPERTS_MAX);
        return 0;
    case KEY_LAYER:
        layer->trace_layer = (long)moehub_options_parse_number(state, "layer", argument, 0, INT_MAX);
        return 0;
    case KEY_CUT:
        set_cut(state, options, argument);
        return 0;
    case KEY_KEEP_WARMUP:
        layer->keep_warmup = true;
        return 0;
    case KEY_PLACEMENT:
        layer->placement = argument;
        return 0;
    case KEY_SEED:
        layer->seed = moehub_options_parse_number(state, "seed", argument, 0, INT64_MAX);
        return 0;
    case ARGP_KEY_END:
        check(state, options);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp moehub_options_argp = {entries, parse, NULL, NULL, NULL, NULL, NULL};
