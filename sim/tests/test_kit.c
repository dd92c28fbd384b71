/* SPDX-License-Identifier: Apache-2.0 */
/* The kit's parts that need no design: each against a simpler way to the same answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kit/bits.h"
#include "kit/field.h"
#include "kit/histogram.h"
#include "kit/memory_image.h"
#include "kit/options.h"
#include "kit/parameters.h"
#include "kit/random.h"
#include "kit/record.h"
#include "kit/sort.h"
#include "kit/stall.h"
#include "kit/watchdog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The percentile is the value at rank ceil(percent * count) of the sorted values. */
static void test_percentiles(void **state)
{
    enum { COUNT = 1000 };
    static const double percents[] = {1, 25, 50, 90, 99, 99.9, 100};
    static uint64_t values[COUNT];
    static struct histogram histogram;
    struct random_source random;
    (void)state;
    random_init(&random, 1, "percentiles");
    for (unsigned i = 0; i < COUNT; i++) {
        values[i] = random_below(&random, 1 + random_below(&random, 5000));
        histogram_add(&histogram, values[i]);
    }
    sort_numbers(values, COUNT);
    for (unsigned i = 0; i < sizeof percents / sizeof *percents; i++) {
        unsigned rank = 1;
        while (rank < percents[i] / 100 * COUNT)
            rank++;
        assert_int_equal(histogram_percentile(&histogram, percents[i]), values[rank - 1]);
    }
    assert_int_equal(histogram.maximum, values[COUNT - 1]);
}

static void test_empty_histogram(void **state)
{
    static struct histogram histogram;
    (void)state;
    assert_int_equal(histogram_percentile(&histogram, 50), 0);
    histogram_add(&histogram, 10 * HISTOGRAM_BINS);
    assert_int_equal(histogram_percentile(&histogram, 50), 10 * HISTOGRAM_BINS);
}

static void test_random_ranges(void **state)
{
    struct random_source random;
    unsigned seen[7] = {0};
    (void)state;
    random_init(&random, 2, "ranges");
    for (unsigned i = 0; i < 7000; i++) {
        uint64_t value = random_range(&random, 3, 9);
        assert_in_range(value, 3, 9);
        seen[value - 3]++;
        assert_int_equal(random_bits(&random, 5) >> 5, 0);
        assert_int_equal(random_below(&random, 1), 0);
    }
    for (unsigned i = 0; i < 7; i++)
        assert_in_range(seen[i], 850, 1150);
}

/* Same seed and name, same draws; another name or seed, others. */
static void test_random_streams(void **state)
{
    struct random_source first, same, other_name, other_seed;
    (void)state;
    random_init(&first, 3, "stream");
    random_init(&same, 3, "stream");
    random_init(&other_name, 3, "streams");
    random_init(&other_seed, 4, "stream");
    for (unsigned i = 0; i < 100; i++) {
        uint64_t value = random_next(&first);
        assert_true(value == random_next(&same));
        assert_true(value != random_next(&other_name));
        assert_true(value != random_next(&other_seed));
    }
}

static void test_stall_rates(void **state)
{
    static const struct {
        enum stall_kind kind;
        unsigned minimum, maximum; /* stalled cycles in 100000 */
    } expected[] = {{STALL_NONE, 0, 0}, {STALL_LIGHT, 11500, 13500}, {STALL_HEAVY, 74000, 76000}, {STALL_BURSTS, 60000, 72000},
                    {STALL_MIXED, 20000, 60000}};
    (void)state;
    for (unsigned i = 0; i < STALL_KINDS; i++) {
        struct stall stall;
        unsigned stalled = 0;
        stall_init(&stall, expected[i].kind, 5, "stalls");
        for (unsigned cycle = 0; cycle < 100000; cycle++)
            stalled += stall_next(&stall);
        assert_in_range(stalled, expected[i].minimum, expected[i].maximum);
    }
    assert_int_equal(stall_kind_of("bursts"), STALL_BURSTS);
    assert_int_equal(stall_kind_of("none at all"), -1);
}

/* A sparse image against an array: scattered pages, both widths of access. */
static void test_memory_image(void **state)
{
    enum { PLACES = 300 };
    static uint32_t expected[PLACES];
    struct memory_image image;
    struct random_source random;
    (void)state;
    random_init(&random, 6, "image");
    memory_image_create(&image, 7, false);
    for (unsigned i = 0; i < PLACES; i++)
        expected[i] = memory_image_initial(&image, (uint64_t)i * 0x123456780);
    for (unsigned n = 0; n < 20000; n++) {
        unsigned i = (unsigned)random_below(&random, PLACES), byte = (unsigned)random_below(&random, 4);
        uint64_t address = (uint64_t)i * 0x123456780;
        uint32_t value = (uint32_t)random_next(&random);
        assert_int_equal(memory_image_read(&image, address), expected[i]);
        assert_int_equal(memory_image_read_byte(&image, address + byte), expected[i] >> 8 * byte & 0xff);
        memory_image_write(&image, address, value);
        memory_image_write_byte(&image, address + byte, 0x5a);
        expected[i] = (value & ~(UINT32_C(0xff) << 8 * byte)) | UINT32_C(0x5a) << 8 * byte;
    }
    memory_image_destroy(&image);
    memory_image_create(&image, 7, true);
    assert_int_equal(memory_image_read(&image, 0x1000), 0);
    memory_image_destroy(&image);
}

static void test_field_tables(void **state)
{
    struct field_table table = {0};
    char text[256] = "";
    const uint64_t item[] = {0x1f, UINT64_C(0x0123456789abcdef), 0x5};
    (void)state;
    assert_int_equal(field_table_add(&table, "narrow", 5), 0);
    assert_int_equal(field_table_add(&table, "wide", 67), 1);
    assert_int_equal(table.words, 3);
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    field_table_print(out, &table, item);
    fclose(out);
    assert_string_equal(text, "narrow=0x1f (31) wide=0x5_0123456789abcdef");
}

struct toy_record {
    uint64_t tag;
    uint16_t row;
    bool first;
};
#define TOY_FIELDS(FIELD, record) FIELD(record, first) FIELD(record, tag) FIELD(record, row)
RECORD(toy, struct toy_record, TOY_FIELDS)

static void test_records(void **state)
{
    const struct toy_record record = {.tag = UINT64_MAX, .row = 7, .first = true};
    uint64_t item[toy_words];
    (void)state;
    assert_string_equal(RECORD_NAMES(TOY_FIELDS), "first tag row ");
    toy_pack(item, &record);
    assert_int_equal(item[0], 1);
    assert_int_equal(item[toy_at_row], 7);
    const struct toy_record back = toy_unpack(item);
    assert_true(back.tag == UINT64_MAX && back.row == 7 && back.first);
}

/* Exit status of a reader of that description, in a process of its own; 0 when A is 5 and B still 2. */
static int status_of_parameters(const char *description, const char *prefix, const char *others)
{
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        uint32_t a = 1, b = 2;
        const struct parameter parameters[] = {{.name = "A", .value = &a}, {.name = "B", .value = &b}};
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(99);
        parameters_read(description, prefix, others, parameters, 2);
        _exit(a == 5 && b == 2 ? 0 : 1);
    }
    assert_true(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* What is not known is refused, but for what belongs to another block. */
static void test_parameters(void **state)
{
    static const char *const wrong[] = {"top AB=5", "top A", "top A=", "top A=5x", "top A=4294967296", "top A=5 C=1",
                                        "top A=5 =1"};
    (void)state;
    assert_int_equal(status_of_parameters("top A=5", "", NULL), 0);
    assert_int_equal(status_of_parameters("top A=5 X_B=7 X_C=8", "", "X_"), 0);
    assert_int_equal(status_of_parameters("top A=1 B=3 X_A=5", "X_", NULL), 0);
    assert_int_equal(status_of_parameters("top", "", NULL), 1);
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(status_of_parameters(wrong[i], "", NULL), BENCH_CONFIGURATION);
    assert_int_equal(status_of_parameters("top A=5 X_C=8", "X_", NULL), BENCH_CONFIGURATION);
}

/* A queue for the watchdog: `waiting` items, the last movement in cycle `moved`. */
struct toy_queue {
    bool waiting;
    uint64_t moved;
};

static bool toy_waits(const void *self, struct watchdog_wait *wait)
{
    const struct toy_queue *queue = self;
    wait->still_since = queue->moved;
    snprintf(wait->text, sizeof wait->text, "a toy queue");
    return queue->waiting;
}

/* A queue that moves is never stuck, however old what waits in it is; one that stands still is, beside others that move. */
static void test_watchdog(void **state)
{
    enum { LIMIT = 100 };
    struct toy_queue moving = {.waiting = true}, still = {.waiting = false};
    struct watchdog watchdog = {.limit = LIMIT};
    (void)state;
    watchdog_add(&watchdog, toy_waits, &moving);
    watchdog_add(&watchdog, toy_waits, &still);
    for (uint64_t now = 0; now < 100 * LIMIT; now++) {
        if (now % (LIMIT - 1) == 0)
            moving.moved = now;
        assert_int_equal(watchdog_check(&watchdog, now), 0);
    }
    moving.moved = still.moved = 200 * LIMIT;
    still.waiting = true;
    assert_int_equal(watchdog_check(&watchdog, still.moved + LIMIT - 1), 0);
    moving.moved++;
    assert_int_equal(watchdog_check(&watchdog, still.moved + LIMIT), 1);
    watchdog.limit = 0;
    assert_int_equal(watchdog_check(&watchdog, still.moved + LIMIT), 0);
}

/* Every place and width in two words, against one bit at a time; what lies beside stays. */
static void test_bits(void **state)
{
    struct random_source random;
    (void)state;
    random_init(&random, 1, "bits");
    for (unsigned bits = 1; bits <= 64; bits++)
        for (unsigned lsb = 0; lsb + bits <= 128; lsb++) {
            const uint64_t before[2] = {random_next(&random), random_next(&random)}, value = random_next(&random);
            uint64_t words[2] = {before[0], before[1]};
            bits_set(words, lsb, bits, value);
            for (unsigned bit = 0; bit < 128; bit++) {
                const bool inside = bit >= lsb && bit < lsb + bits;
                const uint64_t expected = inside ? value >> (bit - lsb) : before[bit / 64] >> bit % 64;
                assert_int_equal(words[bit / 64] >> bit % 64 & 1, expected & 1);
            }
            assert_int_equal(bits_get(words, lsb, bits), bits == 64 ? value : value & ((UINT64_C(1) << bits) - 1));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percentiles),   cmocka_unit_test(test_empty_histogram), cmocka_unit_test(test_random_ranges),
        cmocka_unit_test(test_random_streams), cmocka_unit_test(test_stall_rates),     cmocka_unit_test(test_memory_image),
        cmocka_unit_test(test_field_tables),  cmocka_unit_test(test_watchdog),
        cmocka_unit_test(test_records),       cmocka_unit_test(test_parameters),       cmocka_unit_test(test_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
