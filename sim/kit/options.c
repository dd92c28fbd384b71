/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/options.h"

#include "kit/dut.h"

#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const struct {
    const char *name;
    unsigned number;
    const char *text;
} faults[] = {
#define FAULT(name, number, text) {name, number, text},
#include "fault_list.h"
#undef FAULT
};

enum { KNOBS_MAX = 64, KEY_KNOB = 1000 };
enum { KEY_SEED = 's', KEY_EVENTS = 256, KEY_CYCLES, KEY_WATCHDOG, KEY_FAULT, KEY_WAVES, KEY_FROM, KEY_TO, KEY_JSON,
       KEY_RECORD, KEY_LIST_FAULTS, KEY_MUTANT };

struct parse {
    struct options *options;
    const struct knob *knobs;
    const char *own_end;
};

static uint64_t parse_number(struct argp_state *state, const char *name, const char *text)
{
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 0);
    if (errno != 0 || end == text || *end != '\0' || strchr(text, '-') != NULL)
        argp_error(state, "--%s %s: not a number from 0 to 2^64-1", name, text);
    return value;
}

/* An option that would be ignored is refused. */
static uint64_t parse_length(struct argp_state *state, const char *name, const char *text)
{
    const struct parse *parse = state->input;
    if (parse->own_end != NULL)
        argp_error(state, "--%s: %s", name, parse->own_end);
    return parse_number(state, name, text);
}

static uint64_t parse_seed(struct argp_state *state, const char *text)
{
    uint64_t seed = 0;
    if (strcmp(text, "random") != 0)
        return parse_number(state, "seed", text);
    if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed)
        argp_failure(state, BENCH_CONFIGURATION, errno, "--seed random");
    return seed >> 32; /* short enough to be typed again */
}

static void parse_fault(struct argp_state *state, struct options *options, const char *name)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        if (strcmp(faults[i].name, name) == 0) {
            options->fault_name = faults[i].name;
            options->fault = faults[i].number;
            return;
        }
    }
    argp_error(state, "--fault %s: no such fault (--list-faults)", name);
}

static void list_faults(void)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        printf("%-32s %4u  %s\n", faults[i].name, faults[i].number, faults[i].text);
    exit(BENCH_PASS);
}

static void parse_knob(struct argp_state *state, const struct knob *knob, const char *text)
{
    if (knob->text != NULL) {
        *knob->text = text;
        return;
    }
    char *end;
    errno = 0;
    int64_t value = strtoll(text, &end, 0);
    if (errno != 0 || end == text || *end != '\0' || value < knob->minimum || value > knob->maximum)
        argp_error(state, "--%s %s: not a number from %" PRId64 " to %" PRId64, knob->name, text, knob->minimum, knob->maximum);
    *knob->number = value;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct options *options = parse->options;
    switch (key) {
    case KEY_SEED:
        options->seed = parse_seed(state, text);
        return 0;
    case KEY_EVENTS:
        options->events = parse_length(state, "events", text);
        return 0;
    case KEY_CYCLES:
        options->cycles = parse_length(state, "cycles", text);
        return 0;
    case KEY_WATCHDOG:
        options->watchdog = parse_number(state, "watchdog", text);
        return 0;
    case KEY_FAULT:
        parse_fault(state, options, text);
        return 0;
    case KEY_MUTANT:
        options->mutant = parse_number(state, "mutant", text);
        return 0;
    case KEY_WAVES:
        options->waves = text;
        return 0;
    case KEY_FROM:
        options->from = parse_number(state, "from", text);
        return 0;
    case KEY_TO:
        options->to = parse_number(state, "to", text);
        return 0;
    case KEY_JSON:
        options->json = text;
        return 0;
    case KEY_RECORD:
        options->record = text;
        return 0;
    case KEY_LIST_FAULTS:
        list_faults();
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "%s: unexpected argument", text);
        return 0;
    default:
        if (key < KEY_KNOB || key >= KEY_KNOB + KNOBS_MAX)
            return ARGP_ERR_UNKNOWN;
        parse_knob(state, &parse->knobs[key - KEY_KNOB], text);
        return 0;
    }
}

static const struct argp_option common_options[] = {
    {"seed", KEY_SEED, "N", 0, "seed of all randomness, or `random' (default 1)", 1},
    {"events", KEY_EVENTS, "N", 0, "stop after N compared events", 1},
    {"cycles", KEY_CYCLES, "N", 0, "stop after N cycles", 1},
    {"watchdog", KEY_WATCHDOG, "N", 0, "a queue that waits and has not moved for N cycles is a deadlock (0: off)", 1},
    {"fault", KEY_FAULT, "NAME", 0, "switch a deliberate bug on (fault builds only)", 1},
    {"list-faults", KEY_LIST_FAULTS, NULL, 0, "list the deliberate bugs", 1},
    {"mutant", KEY_MUTANT, "N", 0, "activate a mutation of the design (mutant builds only; 0: none)", 1},
    {"waves", KEY_WAVES, "FILE", 0, "write an FST waveform (waves builds only)", 1},
    {"from", KEY_FROM, "CYCLE", 0, "first cycle of the waveform", 1},
    {"to", KEY_TO, "CYCLE", 0, "last cycle of the waveform", 1},
    {"json", KEY_JSON, "FILE", 0, "write the summary as JSON", 1},
    {"record", KEY_RECORD, "FILE", 0, "record the input pins of every cycle for a replay", 1},
    {0},
};

/* The common options, then the bench's knobs under keys KEY_KNOB onwards; 0-terminated. */
static void make_option_list(const struct knob *knobs, struct argp_option *list)
{
    memcpy(list, common_options, sizeof common_options);
    list += sizeof common_options / sizeof *common_options - 1;
    for (int i = 0; knobs != NULL && knobs[i].name != NULL && i < KNOBS_MAX; i++) {
        list[i] = (struct argp_option){.name = knobs[i].name, .key = KEY_KNOB + i, .doc = knobs[i].help, .group = 2};
        list[i].arg = knobs[i].text != NULL ? "TEXT" : "N";
    }
}

void options_parse(struct options *options, int argc, char **argv, const struct options_defaults *defaults,
                   const struct knob *knobs)
{
    *options = (struct options){
        .bench = dut_bench(), .config = dut_config(), .seed = 1, .events = defaults->events, .cycles = defaults->cycles,
        .watchdog = defaults->watchdog, .to = UINT64_MAX, .argc = argc, .argv = argv,
    };
    struct argp_option list[sizeof common_options / sizeof *common_options + KNOBS_MAX] = {0};
    make_option_list(knobs, list);
    const struct argp argp = {.options = list, .parser = parse_option, .doc = defaults->description};
    struct parse parse = {.options = options, .knobs = knobs, .own_end = defaults->own_end};
    argp_err_exit_status = BENCH_CONFIGURATION;
    argp_parse(&argp, argc, argv, 0, NULL, &parse);
}

/* True for an argument that the repeat command sets by a variable of its own, or that only names an output.
 * `*skip` says whether its value is the next argument. */
static bool is_replaced(const char *argument, bool *skip)
{
    static const char *const names[] = {"--seed", "--from", "--to", "--waves", "--json", "--record"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(argument, names[i], length) != 0)
            continue;
        *skip = argument[length] == '\0';
        if (*skip || argument[length] == '=')
            return true;
    }
    return false;
}

/* The other arguments, quoted where the shell would not take them as they are. */
static void append_arguments(const struct options *options, FILE *out)
{
    bool skip = false;
    const char *separator = "";
    for (int i = 1; i < options->argc; i++) {
        const char *argument = options->argv[i];
        if (is_replaced(argument, &skip)) {
            i += skip;
            continue;
        }
        bool plain = argument[strspn(argument, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+-")] == '\0';
        fprintf(out, plain ? "%s%s" : "%s\"%s\"", separator, argument);
        separator = " ";
    }
}

void options_command(const struct options *options, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    if (out == NULL)
        return;
    fprintf(out, "%s --seed %" PRIu64 " ", options->argv[0], options->seed);
    append_arguments(options, out);
    fclose(out);
}

void options_repeat_command(const struct options *options, uint64_t from, uint64_t to, char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");
    if (out == NULL)
        return;
    fprintf(out, "make waves BENCH=%s CONFIG=%s SEED=%" PRIu64 " FROM=%" PRIu64 " TO=%" PRIu64 " ARGS='", options->bench,
            options->config, options->seed, from, to);
    append_arguments(options, out);
    fprintf(out, "'");
    fclose(out);
}
