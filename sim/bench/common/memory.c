/* SPDX-License-Identifier: Apache-2.0 */
/* The memory wrapper against an array: old data on a read during a write, output held without read_enable, no parity error
 * on words that were written. Addresses collide often. */
#include "kit/bench.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 4096, WORDS_MAX = 32 };

struct memory_bench {
    struct bench bench;
    const struct pin *write_enable, *write_address, *write_data, *read_enable, *read_address, *read_data, *parity_error;
    struct scoreboard outputs;
    struct random_source random;
    uint64_t depth;
    unsigned words; /* 64-bit, of a memory word */
    uint64_t image[DEPTH_MAX][WORDS_MAX];
    uint64_t output[WORDS_MAX + 1]; /* read data and parity error as they should be */
    bool output_known;
    uint64_t written; /* addresses below it hold known words */
};

static void draw_word(struct memory_bench *self, uint64_t *word)
{
    for (unsigned i = 0; i < self->words; i++)
        word[i] = random_next(&self->random);
    if (self->write_data->bits % 64 != 0)
        word[self->words - 1] &= (UINT64_C(1) << self->write_data->bits % 64) - 1;
}

/* Few places while the memory is large, so that reads meet writes. */
static uint64_t draw_address(struct memory_bench *self)
{
    uint64_t bound = random_chance(&self->random, 1, 2) ? self->depth : (self->depth + 7) / 8;
    return random_below(&self->random, bound);
}

static void check_output(struct memory_bench *self)
{
    uint64_t got[WORDS_MAX + 1];
    pin_get_words(self->read_data, got);
    got[self->words] = pin_get(self->parity_error);
    scoreboard_expect(&self->outputs, 0, self->output);
    scoreboard_check(&self->outputs, 0, got);
}

static void step(void *context)
{
    struct memory_bench *self = context;
    uint64_t word[WORDS_MAX];
    bool fill = self->written < self->depth;
    bool write = fill || random_chance(&self->random, 1, 2);
    bool read = !fill && random_chance(&self->random, 1, 2);
    uint64_t write_address = fill ? self->written : draw_address(self);
    uint64_t read_address = draw_address(self);
    draw_word(self, word);
    pin_set(self->write_enable, write);
    pin_set(self->write_address, write_address);
    pin_set_words(self->write_data, word);
    pin_set(self->read_enable, read);
    pin_set(self->read_address, read_address);
    bench_settle(&self->bench);
    if (self->output_known)
        check_output(self);
    self->output[self->words] = 0;
    if (read) {
        memcpy(self->output, self->image[read_address], self->words * sizeof *word); /* the old word */
        self->output_known = true;
    }
    if (write)
        memcpy(self->image[write_address], word, self->words * sizeof *word);
    self->written += fill;
    bench_tick(&self->bench);
}

static void find_pins(struct memory_bench *self)
{
    struct bench *bench = &self->bench;
    self->write_enable = bench_pin(bench, "write_enable");
    self->write_address = bench_pin(bench, "write_address");
    self->write_data = bench_pin(bench, "write_data");
    self->read_enable = bench_pin(bench, "read_enable");
    self->read_address = bench_pin(bench, "read_address");
    self->read_data = bench_pin(bench, "read_data");
    self->parity_error = bench_pin(bench, "parity_error");
}

static uint64_t built_depth(void)
{
    uint32_t depth = 16, width = 0, parity = 0;
    const struct parameter parameters[] = {
        {.name = "DEPTH", .value = &depth}, {.name = "WIDTH", .value = &width}, {.name = "PARITY", .value = &parity}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    return depth;
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Memory wrapper against an array", .events = 100000, .cycles = UINT64_MAX};
    static struct memory_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    find_pins(&self);
    self.depth = built_depth();
    self.words = field_words(self.read_data->bits);
    if (self.depth < 1 || self.depth > DEPTH_MAX || self.words > WORDS_MAX)
        bench_fail(bench, BENCH_CONFIGURATION, "DEPTH must be 1 .. %d, WIDTH 1 .. %d", DEPTH_MAX, 64 * WORDS_MAX);
    const struct field fields[] = {{"read_data", self.read_data->bits}, {"parity_error", 1}};
    scoreboard_create(&self.outputs, bench, "outputs", fields, 2, 1, 1);
    bench_random(bench, &self.random, "accesses");
    bench->step = step;
    bench->context = &self;
    while (bench_running(bench))
        step(&self);
    int status = bench_finish(bench);
    scoreboard_destroy(&self.outputs);
    return status;
}
