/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/recorder.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PINS_MAX = 512, PIN_WORDS_MAX = 64 };

struct recorder {
    FILE *out;
    char *name;
    const struct pin *pins[PINS_MAX]; /* inputs first, then handshake outputs */
    unsigned inputs, count;
    uint64_t input_bits, output_bits;
    uint64_t cycles;
};

static unsigned pin_digits(const struct pin *pin)
{
    return (pin->bits + 3) / 4;
}

static bool ends_in(const char *name, const char *end)
{
    size_t length = strlen(name), end_length = strlen(end);
    return length >= end_length && strcmp(name + length - end_length, end) == 0;
}

static bool is_recorded(const struct pin *pin, bool inputs)
{
    if (inputs)
        return pin->is_input && strcmp(pin->name, "clk") != 0;
    return !pin->is_input && (ends_in(pin->name, "valid") || ends_in(pin->name, "ready"));
}

/* Adds one kind of pins; returns their bits in the file. */
static uint64_t choose_pins(struct recorder *recorder, const struct dut *dut, bool inputs)
{
    size_t count;
    uint64_t bits = 0;
    const struct pin *pins = dut_pins(dut, &count);
    for (size_t i = 0; i < count && recorder->count < PINS_MAX; i++) {
        if (!is_recorded(&pins[i], inputs))
            continue;
        recorder->pins[recorder->count++] = &pins[i];
        bits += 4 * (uint64_t)pin_digits(&pins[i]);
    }
    return bits;
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
    recorder->input_bits = choose_pins(recorder, dut, true);
    recorder->inputs = recorder->count;
    recorder->output_bits = choose_pins(recorder, dut, false);
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

/* ".port(vector[low +: bits])" for some of the pins, the first in the most significant place. */
static void write_ports(FILE *out, const char *vector, const struct pin *const *pins, unsigned count, uint64_t bits)
{
    for (unsigned i = 0; i < count; i++) {
        bits -= 4 * (uint64_t)pin_digits(pins[i]);
        fprintf(out, ", \\\n    .%s(%s[%" PRIu64 " +: %u])", pins[i]->name, vector, bits, pins[i]->bits);
    }
}

/* The bits of the outputs' vector that are no port's, because of the whole digits. */
static void write_padding(FILE *out, const struct recorder *recorder)
{
    uint64_t low = recorder->output_bits;
    fprintf(out, "\n`define REPLAY_PADDING");
    for (unsigned i = recorder->inputs; i < recorder->count; i++) {
        const struct pin *pin = recorder->pins[i];
        low -= 4 * (uint64_t)pin_digits(pin);
        unsigned unused = 4 * pin_digits(pin) - pin->bits;
        if (unused > 0)
            fprintf(out, " \\\n    assign got[%" PRIu64 " +: %u] = 0;", low + pin->bits, unused);
    }
}

/* "top NAME=VALUE ..." becomes "top #(.NAME(VALUE), ...)". */
static void write_top(FILE *out)
{
    char *text = strdup(dut_description());
    if (text == NULL)
        abort();
    char *rest = NULL;
    fprintf(out, "`define REPLAY_TOP %s", strtok_r(text, " ", &rest));
    const char *separator = " #(";
    for (char *name = strtok_r(NULL, " =", &rest); name != NULL; name = strtok_r(NULL, " =", &rest)) {
        fprintf(out, "%s.%s(%s)", separator, name, strtok_r(NULL, " =", &rest));
        separator = ", ";
    }
    fprintf(out, "%s\n", separator[0] == ',' ? ")" : "");
    free(text);
}

static bool write_include(const struct recorder *recorder)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.vh", recorder->name);
    FILE *out = fopen(name, "w");
    if (out == NULL)
        return false;
    write_top(out);
    fprintf(out, "`define REPLAY_FILE \"%s\"\n`define REPLAY_CYCLES %" PRIu64 "\n`define REPLAY_INPUT_BITS %" PRIu64
            "\n`define REPLAY_OUTPUT_BITS %" PRIu64 "\n`define REPLAY_PORTS .clk(clk)",
            recorder->name, recorder->cycles, recorder->input_bits, recorder->output_bits);
    write_ports(out, "stimulus", recorder->pins, recorder->inputs, recorder->input_bits);
    write_ports(out, "got", recorder->pins + recorder->inputs, recorder->count - recorder->inputs, recorder->output_bits);
    write_padding(out, recorder);
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
