/* SPDX-License-Identifier: Apache-2.0 */
/* All 2^32 pairs of bf16 words: the model's sum against float addition rounded to bf16.
 *
 * Float addition of two bf16 values and a second rounding give the correctly rounded sum: fp32 has more than twice the
 * significand bits of bf16, and the same exponent range. Zero and NaN are then as the specification says.
 * Options: --from A --to B (first words, 0..65535, both included), --json, --bug (the last bit of every thousandth
 * result is wrong: shows that the comparison can fail). Exit status 0, 1 on any difference, 2 on wrong usage. */
#include "moehub/finalize.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 65536 };

struct options {
    unsigned from;
    unsigned to;
    int json;
    int bug;
};

struct outcome {
    uint64_t compared;
    uint64_t wrong;
};

static float to_float(uint16_t word)
{
    const uint32_t bits = (uint32_t)word << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Nearest, ties to even; canonical NaN; +0. */
static uint16_t to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7fffffff) > 0x7f800000)
        return 0x7fc0;
    if (bits == 0x80000000)
        return 0;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* One first word with all second words, as a row of 65,536 sums. */
static void compare_row(uint16_t first, const uint16_t *seconds, int bug, struct outcome *outcome)
{
    static struct moehub_accumulator_lanes row[WORDS / MOEHUB_LANES];
    static uint16_t firsts[WORDS];
    static uint16_t words[WORDS];
    struct moehub_arithmetic arithmetic;
    moehub_arithmetic_init(&arithmetic, 3, 64);
    for (unsigned i = 0; i < WORDS; i++)
        firsts[i] = first;
    moehub_accumulate_empty_row(row, WORDS, MOEHUB_ELEMENT_BF16);
    moehub_accumulate_add_row(&arithmetic, row, MOEHUB_ELEMENT_BF16, firsts, WORDS);
    moehub_accumulate_add_row(&arithmetic, row, MOEHUB_ELEMENT_BF16, seconds, WORDS);
    moehub_finalize_row(&arithmetic, row, MOEHUB_ELEMENT_BF16, false, words, WORDS);
    const float first_value = to_float(first);
    for (unsigned i = 0; i < WORDS; i++) {
        const uint16_t expected = to_bf16(first_value + to_float(seconds[i]));
        const uint16_t got = bug && i % 1000 == 999 ? words[i] ^ 1 : words[i];
        outcome->compared++;
        if (got != expected && outcome->wrong++ == 0)
            fprintf(stderr, "pairs: %04x + %04x: expected %04x, got %04x\n", first, seconds[i], expected, got);
    }
}

static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void show_progress(unsigned done, unsigned all)
{
    if (isatty(STDERR_FILENO) && (done % 256 == 0 || done == all))
        fprintf(stderr, "\rpairs: %3u %%%s", 100 * done / all, done == all ? "\n" : "");
}

static void run(const struct options *options, struct outcome *outcome)
{
    static uint16_t seconds[WORDS];
    for (unsigned i = 0; i < WORDS; i++)
        seconds[i] = (uint16_t)i;
    for (unsigned first = options->from; first <= options->to; first++) {
        compare_row((uint16_t)first, seconds, options->bug, outcome);
        show_progress(first - options->from + 1, options->to - options->from + 1);
    }
}

static void usage(const char *program)
{
    fprintf(stderr, "Usage: %s [--from WORD] [--to WORD] [--json] [--bug]   (words 0..65535)\n", program);
    exit(2);
}

static unsigned word_option(const char *program, const char *text)
{
    char *end;
    const unsigned long value = strtoul(text, &end, 0);
    if (end == text || *end != '\0' || value >= WORDS)
        usage(program);
    return (unsigned)value;
}

static struct options parse(int argc, char **argv)
{
    static const struct option list[] = {
        {"from", required_argument, NULL, 'f'}, {"to", required_argument, NULL, 't'}, {"json", no_argument, NULL, 'j'},
        {"bug", no_argument, NULL, 'b'},        {NULL, 0, NULL, 0},
    };
    struct options options = {.from = 0, .to = WORDS - 1};
    for (int key; (key = getopt_long(argc, argv, "", list, NULL)) != -1;) {
        switch (key) {
        case 'f': options.from = word_option(argv[0], optarg); break;
        case 't': options.to = word_option(argv[0], optarg); break;
        case 'j': options.json = 1; break;
        case 'b': options.bug = 1; break;
        default: usage(argv[0]);
        }
    }
    if (optind != argc || options.from > options.to)
        usage(argv[0]);
    return options;
}

int main(int argc, char **argv)
{
    const struct options options = parse(argc, argv);
    struct outcome outcome = {0, 0};
    const double start = seconds_now();
    run(&options, &outcome);
    const double seconds = seconds_now() - start;
    if (options.json)
        printf("{\"pairs\": %" PRIu64 ", \"mismatches\": %" PRIu64 ", \"seconds\": %.1f}\n", outcome.compared, outcome.wrong,
               seconds);
    else
        printf("%s: %" PRIu64 " pairs of bf16 words, %" PRIu64 " mismatches, %.1f s, %.1f M pairs/s\n",
               outcome.wrong == 0 ? "PASS" : "MISMATCH", outcome.compared, outcome.wrong, seconds,
               1e-6 * (double)outcome.compared / seconds);
    return outcome.wrong == 0 && outcome.compared > 0 ? 0 : 1;
}
