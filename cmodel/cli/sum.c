/* SPDX-License-Identifier: Apache-2.0 */
/* moehub sum: the reduction arithmetic as a black box. */
#include "command.h"
#include "moehub/element.h"
#include "moehub/finalize.h"
#include "moehub/options.h"
#include "moehub/sum_lines.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

struct arguments {
    int element;
    int result;
    uint64_t bins;
    uint64_t contributors;
    uint64_t seed; /* 0: words as they stand */
    bool json;
    const char *file; /* NULL: standard input */
};

enum { KEY_OUT = 256, KEY_BINS, KEY_CONTRIBUTORS, KEY_SEED };

static const struct argp_option entries[] = {
    {"type", 't', "TYPE", 0, "bf16, fp16 or fp32: the words' type (required)", 0},
    {"out", KEY_OUT, "TYPE", 0, "the result's type: the words' own (default) or fp32", 0},
    {"bins", KEY_BINS, "K", 0, "bins per sum, 2 to 4 (default 3)", 0},
    {"max-contributors", KEY_CONTRIBUTORS, "N", 0, "most words of a line, 1 to 1024 (default 64)", 0},
    {"seed", KEY_SEED, "N", 0, "add the words in an order drawn from this seed, which changes no result (0: as they stand)", 0},
    {"json", 'j', 0, 0, "print one JSON object with all results", 0},
    {0}};

static int element_type(struct argp_state *state, const char *option, const char *name)
{
    const int element = moehub_element_parse(name);
    if (element < 0 || element > MOEHUB_ELEMENT_FP32)
        argp_error(state, "--%s %s: not one of bf16, fp16, fp32", option, name);
    return element;
}

static void check(struct argp_state *state, struct arguments *arguments)
{
    if (arguments->element < 0)
        argp_error(state, "--type is missing");
    if (arguments->result < 0)
        arguments->result = arguments->element;
    if (arguments->result != arguments->element && arguments->result != MOEHUB_ELEMENT_FP32)
        argp_error(state, "--out %s: a sum of %s is %s or fp32", moehub_element_name((unsigned)arguments->result),
                   moehub_element_name((unsigned)arguments->element), moehub_element_name((unsigned)arguments->element));
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case 't': arguments->element = element_type(state, "type", argument); return 0;
    case KEY_OUT: arguments->result = element_type(state, "out", argument); return 0;
    case KEY_BINS:
        arguments->bins = moehub_options_parse_number(state, "bins", argument, 2, 4);
        return 0;
    case KEY_CONTRIBUTORS:
        arguments->contributors = moehub_options_parse_number(state, "max-contributors", argument, 1, 1024);
        return 0;
    case KEY_SEED:
        arguments->seed = moehub_options_parse_number(state, "seed", argument, 0, UINT64_MAX);
        return 0;
    case 'j': arguments->json = true; return 0;
    case ARGP_KEY_ARG:
        if (arguments->file != NULL)
            argp_error(state, "one file at most");
        arguments->file = argument;
        return 0;
    case ARGP_KEY_END: check(state, arguments); return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp parser = {
    .options = entries,
    .parser = parse,
    .args_doc = "[FILE]",
    .doc = "Sums floating-point words as the reduction buffer does: independent of their order, to the bit."
           "\vEach line of FILE (default: standard input) is one reduction: hexadecimal words separated by blanks or commas, "
           "0x allowed, # starts a comment. Lines without words are skipped; every other line gives one result word.",
};

/* ---- one reduction ---- */

struct summing {
    const struct arguments *arguments;
    struct moehub_arithmetic arithmetic;
    uint64_t random;
    unsigned long results;
};

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

static void shuffle(uint64_t *random, uint32_t *words, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t other = next_random(random) % i;
        const uint32_t word = words[i - 1];
        words[i - 1] = words[other];
        words[other] = word;
    }
}

static int sum_line(void *context, uint32_t *words, size_t count)
{
    struct summing *summing = context;
    const struct arguments *arguments = summing->arguments;
    const unsigned element = (unsigned)arguments->element;
    const unsigned result = (unsigned)arguments->result;
    struct moehub_accumulator accumulator;
    if (arguments->seed != 0)
        shuffle(&summing->random, words, count);
    moehub_accumulate_empty(&accumulator, element);
    for (size_t i = 0; i < count; i++)
        moehub_accumulate_add(&summing->arithmetic, &accumulator, element, words[i]);
    const uint32_t word = moehub_finalize(&summing->arithmetic, &accumulator, element, result == MOEHUB_ELEMENT_FP32);
    const int digits = (int)(2 * moehub_element_size(result));
    if (arguments->json)
        printf("%s\"%0*x\"", summing->results > 0 ? ", " : "", digits, word);
    else
        printf("%0*x\n", digits, word);
    summing->results++;
    return ferror(stdout) ? MOEHUB_E_FILE : 0;   /* no use in reading on: an input may be endless */
}

static int sum_file(struct summing *summing, FILE *file, const char *name, struct moehub_message *message)
{
    const struct arguments *arguments = summing->arguments;
    if (arguments->json)
        printf("{\"type\": \"%s\", \"out\": \"%s\", \"bins\": %u, \"max_contributors\": %u, \"seed\": %ju, \"results\": [",
               moehub_element_name((unsigned)arguments->element), moehub_element_name((unsigned)arguments->result),
               summing->arithmetic.bins, summing->arithmetic.max_contributors, (uintmax_t)arguments->seed);
    const int error = moehub_sum_lines_read(file, name, (unsigned)arguments->element,
                                            summing->arithmetic.max_contributors, sum_line, summing, message);
    if (arguments->json)
        printf("]}\n");
    return error;
}

int command_sum(int argc, char **argv)
{
    struct arguments arguments = {.element = -1, .result = -1, .bins = 3, .contributors = 64};
    struct moehub_message message = {""};
    argp_parse(&parser, argc, argv, 0, NULL, &arguments);
    struct summing summing = {.arguments = &arguments, .random = arguments.seed};
    moehub_arithmetic_init(&summing.arithmetic, (unsigned)arguments.bins, (unsigned)arguments.contributors);
    FILE *file = arguments.file != NULL ? fopen(arguments.file, "r") : stdin;
    if (file == NULL) {
        moehub_message_set(&message, arguments.file, 0, "%s", strerror(errno));
        return command_fail(argv[0], MOEHUB_E_FILE, &message);
    }
    const int error = sum_file(&summing, file, arguments.file != NULL ? arguments.file : "standard input", &message);
    if (file != stdin)
        fclose(file);
    if (error == 0)
        return STATUS_OK;
    if (ferror(stdout))
        return STATUS_FAILED;   /* main says why */
    fflush(stdout);
    return command_fail(argv[0], error, &message);
}
