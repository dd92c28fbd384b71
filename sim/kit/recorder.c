/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PINS_MAX = 256, PIN_WORDS_MAX = 64 };

struct recorder {
    FILE *out;
    char *name;
    const struct pin *pins[PINS_MAX]; /* the inputs but clk */
    unsigned count;
    uint64_t cycles;
    uint64_t bits;
};

static unsigned pin_digits(const struct pin *pin)
{
    return (pin->bits + 3) / 4;
}

static void choose_pins(struct recorder *recorder, const struct dut *dut)
{
    size_t count;
    const struct pin *pins = dut_pins(dut, &count);
    for (size_t i = 0; i < count && recorder->count < PINS_MAX; i++) {
        if (!pins[i].is_input || strcmp(pins[i].name, "clk") == 0)
            continue;
        recorder->pins[recorder->count++] = &pins[i];
        recorder->bits += 4 * pin_digits(&pins[i]);
    }
}

static void print_head(const struct recorder *recorder)
{
    for (unsigned i = 0; i < recorder->count; i++)
        fprintf(recorder->out, "// %s %u bits, %u digits\n", recorder->pins[i]->name, recorder->pins[i]->bits,
                pin_digits(recorder->pins[i]));
}

struct recorder *recorder_create(const char *file, const struct dut *dut)
{
    FILE *out = fopen(file, "w");
    if (out == NULL)
        return NULL;
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (recorder == NULL || (recorder->name = strdup(file)) == NULL)
        abort();
    recorder->out = out;
    choose_pins(recorder, dut);
    print_head(recorder);
    return recorder;
}

void recorder_cycle(struct recorder *recorder)
{
    static const char hexadecimal[] = "0123456789abcdef";
    uint64_t words[PIN_WORDS_MAX];
    for (unsigned i = 0; i < recorder->count; i++) {
        pin_get_words(recorder->pins[i], words);
        for (unsigned digit = pin_digits(recorder->pins[i]); digit-- > 0;)
            putc_unlocked(hexadecimal[words[digit / 16] >> 4 * (digit % 16) & 15], recorder->out);
    }
    putc_unlocked('\n', recorder->out);
    recorder->cycles++;
}

/* FILE.vh: the sizes, and the connections of the inputs to the word of the cycle. */
static bool write_include(const struct recorder *recorder)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.vh", recorder->name);
    FILE *out = fopen(name, "w");
    if (out == NULL)
        return false;
    fprintf(out, "`define REPLAY_WIDTH %" PRIu64 "\n`define REPLAY_CYCLES %" PRIu64 "\n`define REPLAY_PORTS", recorder->bits,
            recorder->cycles);
    uint64_t top = recorder->bits;
    for (unsigned i = 0; i < recorder->count; i++) {
        top -= 4 * pin_digits(recorder->pins[i]);
        fprintf(out, "%s \\\n    .%s(word[%" PRIu64 " +: %u])", i == 0 ? "" : ",", recorder->pins[i]->name, top,
                recorder->pins[i]->bits);
    }
    fputc('\n', out);
    bool failed = ferror(out) != 0;
    return fclose(out) == 0 && !failed;
}

bool recorder_destroy(struct recorder *recorder)
{
    bool failed = ferror(recorder->out) != 0;
    failed = fclose(recorder->out) != 0 || failed;
    failed = !write_include(recorder) || failed;
    free(recorder->name);
    free(recorder);
    return !failed;
}
