/* SPDX-License-Identifier: Apache-2.0 */
/* Reduction lanes and finalisers against the C model: the packed state after every element, and the word of every state
 * in both result types, with rows that recur at every distance, random stalls of the finalisers, and the documented
 * latencies. With --pairs, pairs of bf16 words in a scattered order that repeats none of the 2^32. */
#include "kit/bench.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"

#include "moehub/finalize.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LANES = 8, ROWS = 8, ACCUMULATE_LATENCY = 2, FINALIZE_LATENCY = 6, PENDING = 64, HELD = 4 };

enum row_kind {
    MIXED,
    ONE_SIDED,  /* large elements of one sign, up to the last contributor: the guard bits fill */
    CANCELLING, /* what came is taken back, the last first, but for a lowest bit now and then: any place can be the highest one */
};

/* A row of sums, as the model holds it. */
struct row {
    unsigned element;
    unsigned contributors; /* 0: nothing stored yet */
    enum row_kind kind;
    uint32_t largest;           /* of a one-sided or cancelling row */
    uint32_t held[HELD][LANES]; /* of a cancelling row: not yet taken back */
    unsigned held_count;
    struct moehub_accumulator sums[LANES];
};

/* States on their way to the finalisers. */
struct finished {
    unsigned element;
    struct moehub_accumulator sums[LANES];
};

struct lane_bench {
    struct bench bench;
    struct moehub_arithmetic arithmetic;
    unsigned x_bits;
    bool bypass;
    struct row rows[ROWS];
    int recent[2]; /* rows accepted one and two cycles ago, -1: none */
    struct finished pending[PENDING];
    unsigned pending_first, pending_count;
    uint64_t enabled_cycles;
    int64_t pairs;
    int64_t seconds; /* 0: no limit */
    uint64_t pair_halves; /* words driven with --pairs, first and second ones */
    struct random_source random;
    struct scoreboard states, words;
    const struct pin *in_valid, *in_element, *in_x, *in_first, *in_forward, *in_row, *out_valid, *out_state;
    const struct pin *final_enable, *final_in_valid, *final_element, *final_out_fp32, *final_state, *final_out_valid,
        *final_word;
};

/* ---- bits of wide pins ---- */

static void put_bits(uint64_t *words, unsigned lsb, unsigned width, uint64_t value)
{
    words[lsb / 64] |= value << (lsb % 64);
    if (lsb % 64 + width > 64)
        words[lsb / 64 + 1] |= value >> (64 - lsb % 64);
}

static uint64_t get_bits(const uint64_t *words, unsigned lsb, unsigned width)
{
    uint64_t value = words[lsb / 64] >> (lsb % 64);
    if (lsb % 64 + width > 64)
        value |= words[lsb / 64 + 1] << (64 - lsb % 64);
    return width == 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

/* ---- elements ---- */

/* Finite, or rarely not, with exponents all over the range or close to others of the row. */
static uint32_t random_element(struct lane_bench *self, unsigned element, unsigned row)
{
    const unsigned fraction_bits = moehub_element_fraction_bits(element);
    const unsigned exponent_bits = moehub_element_exponent_bits(element);
    const uint32_t exponents = 1u << exponent_bits;
    const uint32_t ones = (1u << fraction_bits) - 1;
    uint32_t fraction = (uint32_t)random_next(&self->random) & ones;
    uint32_t exponent = (uint32_t)random_below(&self->random, exponents - 1);
    if (random_chance(&self->random, 2, 3)) /* a band of the row's own, so that sums cancel and round */
        exponent = (row * 37 % exponents + (uint32_t)random_below(&self->random, 20)) % (exponents - 1);
    if (random_chance(&self->random, 1, 4))
        fraction = random_chance(&self->random, 1, 2) ? ones : 0;
    if (random_chance(&self->random, 1, 300))
        exponent = exponents - 1;
    return (uint32_t)random_bits(&self->random, 1) << (fraction_bits + exponent_bits) | exponent << fraction_bits | fraction;
}

/* What a new sum is made of. */
static void start_row(struct lane_bench *self, struct row *row)
{
    row->element = (unsigned)random_below(&self->random, self->x_bits == 32 ? 3 : 2);
    row->kind = random_chance(&self->random, 1, 8) ? ONE_SIDED : random_chance(&self->random, 1, 4) ? CANCELLING : MIXED;
    row->held_count = 0;
    const unsigned fraction_bits = moehub_element_fraction_bits(row->element);
    const unsigned exponent_bits = moehub_element_exponent_bits(row->element);
    const uint32_t exponent = (uint32_t)random_below(&self->random, (1u << exponent_bits) - 1);
    row->largest = (uint32_t)random_bits(&self->random, 1) << (fraction_bits + exponent_bits) | exponent << fraction_bits |
                   ((1u << fraction_bits) - 1);
}

/* The largest exponent in a row that holds none, else one of the 47 below it too. */
static uint32_t element_to_take_back(struct lane_bench *self, const struct row *row)
{
    const unsigned fraction_bits = moehub_element_fraction_bits(row->element);
    const uint32_t largest = row->largest >> fraction_bits & ((1u << moehub_element_exponent_bits(row->element)) - 1);
    const uint32_t below = row->held_count == 0 ? 0 : (uint32_t)random_below(&self->random, 48);
    const uint32_t fraction = (uint32_t)random_next(&self->random) & ((1u << fraction_bits) - 1);
    return (largest > below ? largest - below : 0) << fraction_bits | fraction;
}

/* New elements, or the last ones' negatives, of which the lowest bit may differ. */
static void cancelling_elements(struct lane_bench *self, struct row *row, uint32_t *x)
{
    const unsigned sign_bit = moehub_element_fraction_bits(row->element) + moehub_element_exponent_bits(row->element);
    const uint32_t sign = UINT32_C(1) << sign_bit;
    if (row->held_count == HELD || (row->held_count > 0 && random_chance(&self->random, 1, 2))) {
        row->held_count--;
        for (unsigned i = 0; i < LANES; i++)
            x[i] = row->held[row->held_count][i] ^ sign ^ (uint32_t)random_chance(&self->random, 1, 3);
        return;
    }
    for (unsigned i = 0; i < LANES; i++)
        x[i] = element_to_take_back(self, row);
    memcpy(row->held[row->held_count++], x, sizeof row->held[0]);
}

/* Rows recur at distances 1, 2, 3 and more; without the bypass never within two cycles. */
static unsigned choose_row(struct lane_bench *self)
{
    unsigned row = (unsigned)random_below(&self->random, ROWS);
    if (self->bypass && random_chance(&self->random, 1, 2))
        row %= 3;
    while (!self->bypass && ((int)row == self->recent[0] || (int)row == self->recent[1]))
        row = (row + 1) % ROWS;
    return row;
}

/* The control's part: which state is the row's latest. */
static unsigned forward_distance(const struct lane_bench *self, unsigned row)
{
    return (int)row == self->recent[0] ? 1 : (int)row == self->recent[1] ? 2 : 0;
}

/* ---- accumulate ---- */

static void drive_nothing(struct lane_bench *self)
{
    pin_set(self->in_valid, 0);
    self->recent[1] = self->recent[0];
    self->recent[0] = -1;
}

/* Drives one element a lane and expects the states that the model gives. */
static void drive_elements(struct lane_bench *self, unsigned index, bool first, const uint32_t *x)
{
    struct row *row = &self->rows[index];
    uint64_t pin_words[ITEM_WORDS_MAX] = {0};
    uint64_t item[ITEM_WORDS_MAX] = {0};
    item[0] = self->bench.cycle + ACCUMULATE_LATENCY;
    const unsigned state_words = field_words(moehub_arithmetic_state_width(&self->arithmetic));
    for (unsigned i = 0; i < LANES; i++) {
        struct moehub_packed_state packed;
        if (first)
            moehub_accumulate_empty(&row->sums[i], row->element);
        moehub_accumulate_add(&self->arithmetic, &row->sums[i], row->element, x[i]);
        if (moehub_accumulator_pack(&self->arithmetic, &row->sums[i], &packed) != 0)
            bench_fail(&self->bench, BENCH_CONFIGURATION, "the bench adds more than MAX_CONTRIBUTORS elements");
        memcpy(&item[1 + i * state_words], packed.word, state_words * sizeof *item);
        put_bits(pin_words, i * self->x_bits, self->x_bits, x[i]);
    }
    row->contributors = first ? 1 : row->contributors + 1;
    scoreboard_expect(&self->states, 0, item);

    pin_set(self->in_valid, 1);
    pin_set(self->in_element, row->element);
    pin_set_words(self->in_x, pin_words);
    pin_set(self->in_first, first);
    pin_set(self->in_forward, forward_distance(self, index));
    pin_set(self->in_row, index);
    self->recent[1] = self->recent[0];
    self->recent[0] = (int)index;

    struct finished *finished = &self->pending[(self->pending_first + self->pending_count++) % PENDING];
    finished->element = row->element;
    memcpy(finished->sums, row->sums, sizeof finished->sums);
}

static void drive_random(struct lane_bench *self)
{
    uint32_t x[LANES];
    const unsigned index = choose_row(self);
    struct row *row = &self->rows[index];
    const bool first = row->contributors == 0 || row->contributors == self->arithmetic.max_contributors ||
                       (row->kind == MIXED && random_chance(&self->random, 1, 12)) ||
                       (row->kind == CANCELLING && row->held_count == 0 && random_chance(&self->random, 1, 4));
    if (first)
        start_row(self, row);
    if (row->kind == CANCELLING)
        cancelling_elements(self, row, x);
    else
        for (unsigned i = 0; i < LANES; i++)
            x[i] = row->kind == ONE_SIDED ? row->largest - (uint32_t)random_bits(&self->random, 2)
                                          : random_element(self, row->element, index);
    drive_elements(self, index, first, x);
}

/* Eight pairs take two consecutive cycles: the first words, then the second ones. Group n of the 2^29 is n times an odd
 * number: every group once, and any part of them spreads over all. */
static void drive_pair(struct lane_bench *self)
{
    enum { GROUPS_LOG2 = 29 };
    const uint64_t group = self->pair_halves / 2 * 0x9e3779b1 % (UINT64_C(1) << GROUPS_LOG2);
    const bool second = self->pair_halves++ % 2;
    uint32_t x[LANES];
    for (unsigned i = 0; i < LANES; i++)
        x[i] = (uint32_t)(second ? group * LANES + i : (group * LANES + i) >> 16) & 0xffff;
    self->rows[0].element = MOEHUB_ELEMENT_BF16;
    drive_elements(self, 0, !second, x);
}

static void check_states(struct lane_bench *self)
{
    uint64_t pin_words[ITEM_WORDS_MAX];
    uint64_t item[ITEM_WORDS_MAX] = {0};
    const unsigned width = moehub_arithmetic_state_width(&self->arithmetic);
    if (!pin_get(self->out_valid))
        return;
    pin_get_words(self->out_state, pin_words);
    item[0] = self->bench.cycle;
    for (unsigned i = 0, word = 1; i < LANES; i++)
        for (unsigned bit = 0; bit < width; bit += 64)
            item[word++] = get_bits(pin_words, i * width + bit, width - bit < 64 ? width - bit : 64);
    scoreboard_check(&self->states, 0, item);
}

/* ---- finalize ---- */

static void drive_finalize(struct lane_bench *self)
{
    const bool enable = self->pairs || random_chance(&self->random, 7, 8);
    const bool valid = self->pending_count > 0 && random_chance(&self->random, 15, 16);
    pin_set(self->final_enable, enable);
    pin_set(self->final_in_valid, valid);
    if (!enable || !valid)
        return;
    struct finished *finished = &self->pending[self->pending_first];
    const bool out_fp32 = !self->pairs && random_bits(&self->random, 1);
    const unsigned width = moehub_arithmetic_state_width(&self->arithmetic);
    uint64_t pin_words[ITEM_WORDS_MAX] = {0};
    uint64_t item[ITEM_WORDS_MAX];
    item[0] = self->enabled_cycles + FINALIZE_LATENCY;
    for (unsigned i = 0; i < LANES; i++) {
        struct moehub_packed_state packed;
        moehub_accumulator_pack(&self->arithmetic, &finished->sums[i], &packed);
        for (unsigned bit = 0; bit < width; bit += 64)
            put_bits(pin_words, i * width + bit, width - bit < 64 ? width - bit : 64, packed.word[bit / 64]);
        item[1 + i] = moehub_finalize(&self->arithmetic, &finished->sums[i], finished->element, out_fp32);
    }
    scoreboard_expect(&self->words, 0, item);
    pin_set(self->final_element, finished->element);
    pin_set(self->final_out_fp32, out_fp32);
    pin_set_words(self->final_state, pin_words);
    self->pending_first = (self->pending_first + 1) % PENDING;
    self->pending_count--;
}

static void check_words(struct lane_bench *self)
{
    uint64_t pin_words[ITEM_WORDS_MAX];
    uint64_t item[ITEM_WORDS_MAX];
    if (!pin_get(self->final_enable))
        return;
    if (pin_get(self->final_out_valid)) {
        pin_get_words(self->final_word, pin_words);
        item[0] = self->enabled_cycles;
        for (unsigned i = 0; i < LANES; i++)
            item[1 + i] = get_bits(pin_words, i * 32, 32);
        scoreboard_check(&self->words, 0, item);
    }
    self->enabled_cycles++;
}

/* ---- the bench ---- */

static void step_with(struct lane_bench *self, bool elements)
{
    drive_finalize(self);
    if (!elements || self->bench.reset || self->pending_count >= PENDING - 1)
        drive_nothing(self);
    else if (self->pairs)
        drive_pair(self);
    else if (random_chance(&self->random, 9, 10))
        drive_random(self);
    else
        drive_nothing(self);
    bench_settle(&self->bench);
    if (!self->bench.reset) {
        check_states(self);
        check_words(self);
    }
    bench_tick(&self->bench);
}

static void step(void *context)
{
    step_with(context, true);
}

/* rst in the middle: nothing of before comes out, and every row starts anew. */
static void reset_in_traffic(struct lane_bench *self)
{
    self->pending_count = 0;
    bench_reset(&self->bench, (unsigned)random_range(&self->random, 1, 3));
    scoreboard_forget(&self->states);
    scoreboard_forget(&self->words);
    for (unsigned row = 0; row < ROWS; row++)
        self->rows[row].contributors = 0;
    self->recent[0] = self->recent[1] = -1;
}

/* What the lanes were built with. */
struct lane_parameters {
    uint32_t max_contributors, bins, with_fp32, bypass;
};

static struct lane_parameters built(void)
{
    struct lane_parameters built = {.max_contributors = 64, .bins = 3, .with_fp32 = 0, .bypass = 1};
    const struct parameter parameters[] = {
        {.name = "MAX_CONTRIBUTORS", .value = &built.max_contributors},
        {.name = "BINS", .value = &built.bins},
        {.name = "WITH_FP32", .value = &built.with_fp32},
        {.name = "BYPASS", .value = &built.bypass},
    };
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    return built;
}

static void find_pins(struct lane_bench *self)
{
    const struct {
        const struct pin **pin;
        const char *name;
    } pins[] = {
        {&self->in_valid, "in_valid"},
        {&self->in_element, "in_element"},
        {&self->in_x, "in_x"},
        {&self->in_first, "in_first"},
        {&self->in_forward, "in_forward"},
        {&self->in_row, "in_row"},
        {&self->out_valid, "out_valid"},
        {&self->out_state, "out_state"},
        {&self->final_enable, "final_enable"},
        {&self->final_in_valid, "final_in_valid"},
        {&self->final_element, "final_element"},
        {&self->final_out_fp32, "final_out_fp32"},
        {&self->final_state, "final_state"},
        {&self->final_out_valid, "final_out_valid"},
        {&self->final_word, "final_word"},
    };
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(&self->bench, pins[i].name);
}

/* The cycle and one value per lane. */
static void create_scoreboard(struct lane_bench *self, struct scoreboard *scoreboard, const char *block, unsigned bits)
{
    static const char *const names[LANES] = {"lane0", "lane1", "lane2", "lane3", "lane4", "lane5", "lane6", "lane7"};
    struct field fields[1 + LANES] = {{"cycle", 64}};
    for (unsigned i = 0; i < LANES; i++)
        fields[1 + i] = (struct field){.name = names[i], .bits = bits};
    scoreboard_create(scoreboard, &self->bench, block, fields, 1 + LANES, 1, 2 * PENDING);
}

static void create(struct lane_bench *self)
{
    const struct lane_parameters parameters = built();
    if (moehub_arithmetic_init(&self->arithmetic, parameters.bins, parameters.max_contributors) != 0)
        bench_fail(&self->bench, BENCH_CONFIGURATION, "the model refuses the parameters");
    self->x_bits = parameters.with_fp32 != 0 ? 32 : 16;
    self->bypass = parameters.bypass != 0;
    self->recent[0] = self->recent[1] = -1;
    find_pins(self);
    create_scoreboard(self, &self->states, "accumulate", moehub_arithmetic_state_width(&self->arithmetic));
    create_scoreboard(self, &self->words, "finalize", 32);
    bench_random(&self->bench, &self->random, "elements");
    self->bench.step = step;
    self->bench.context = self;
}

static bool time_is_up(const struct lane_bench *self, time_t start)
{
    return self->seconds > 0 && time(NULL) - start >= self->seconds;
}

/* All but the last few hundred groups: bench_run steps a thousand cycles at a time. */
static bool pairs_are_done(const struct lane_bench *self)
{
    return self->pairs && self->pair_halves + 1000 > UINT64_C(1) << 30;
}

static void report_pairs(const struct lane_bench *self)
{
    const uint64_t pairs = self->pair_halves / 2 * LANES;
    printf("pairs: %" PRIu64 " of 4294967296 pairs of bf16 words (%.3f %%)\n", pairs, 100 * (double)pairs / 4294967296.0);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "reduction lanes and finalisers against the C model", .events = 200000, .cycles = UINT64_MAX,
        .watchdog = 2000};
    static struct lane_bench self;
    const struct knob knobs[] = {
        {.name = "pairs", .help = "1: pairs of bf16 words, none twice", .number = &self.pairs, .minimum = 0, .maximum = 1},
        {.name = "seconds", .help = "stop after so many seconds (0: never)",
         .number = &self.seconds, .minimum = 0, .maximum = 1000000},
        {.name = NULL},
    };
    bench_create(&self.bench, argc, argv, &defaults, knobs);
    create(&self);
    const time_t start = time(NULL);
    bench_reset(&self.bench, 4);
    while (bench_running(&self.bench) && !time_is_up(&self, start) && !pairs_are_done(&self)) {
        bench_run(&self.bench, 1000);
        if (!self.pairs && random_chance(&self.random, 1, 4))
            reset_in_traffic(&self);
    }
    while (self.pending_count > 0 || self.words.waiting > 0 || self.states.waiting > 0)
        step_with(&self, false);
    for (unsigned i = 0; i < 2 * FINALIZE_LATENCY; i++) /* nothing more may come */
        step_with(&self, false);
    if (self.pairs)
        report_pairs(&self);
    const int status = bench_finish(&self.bench);
    scoreboard_destroy(&self.states);
    scoreboard_destroy(&self.words);
    return status;
}
