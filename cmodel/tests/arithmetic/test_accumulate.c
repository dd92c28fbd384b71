/* SPDX-License-Identifier: Apache-2.0 */
/* The sum against GMP and MPFR: value, error bound, order, bin width, packed form. */
#include "arithmetic/sum_checks.h"

#include "moehub/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { SUBJECTS = 3, CASES = 200000, ORDER_CASES = 10000, BUG_CASES = 20000, SEED = 1 };

static void exact_sum_of_cut_elements(void **state)
{
    (void)state;
    assert_int_equal(passing(check_exact, CASES, SEED), SUBJECTS);
}

static void error_bound(void **state)
{
    (void)state;
    assert_int_equal(passing(check_bound, CASES, SEED), SUBJECTS);
}

static void every_order(void **state)
{
    (void)state;
    assert_int_equal(passing(check_orders, ORDER_CASES, SEED), SUBJECTS);
}

static void extremes(void **state)
{
    (void)state;
    assert_int_equal(passing(check_extremes, 0, SEED), SUBJECTS);
}

static void bugs_are_caught(void **state)
{
    (void)state;
    assert_true(catches(check_exact, BUG_STICKY_BIT, BUG_CASES, SEED));
    assert_true(catches(check_exact, BUG_WINDOW_LOW, BUG_CASES, SEED));
    assert_true(catches(check_exact, BUG_TOP_STALE, BUG_CASES, SEED));
    assert_true(catches(check_bound, BUG_WINDOW_SHORT, BUG_CASES, SEED));
    assert_true(catches(check_orders, BUG_TWOS_COMPLEMENT, BUG_CASES, SEED));
    assert_true(catches(check_orders, BUG_CARRY_CROSSES, BUG_CASES, SEED));
    assert_true(catches(check_orders, BUG_LAST_SPECIAL, BUG_CASES, SEED));
    assert_true(catches(check_extremes, BUG_NARROW_BIN, 0, SEED));
}

static void parameters(void **state)
{
    (void)state;
    struct moehub_arithmetic arithmetic;
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 1, 64), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 5, 64), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 3, 0), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 3, 1025), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 3, 64), 0);
    assert_int_equal(arithmetic.bin_width, 23);
    assert_int_equal(moehub_arithmetic_state_width(&arithmetic), 76);
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 4, 65), 0);
    assert_int_equal(arithmetic.bin_width, 24);
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 2, 1), 0);
    assert_int_equal(arithmetic.bin_width, 17);
}

/* Bit by bit from the bins, as the specification lists them. */
static void packed_layout(void **state)
{
    (void)state;
    uint64_t seed = SEED;
    for (unsigned i = 0; i < 100000; i++) {
        struct sum_case sum;
        struct moehub_accumulator accumulator;
        struct moehub_accumulator unpacked;
        struct moehub_packed_state packed;
        random_configuration(&seed, &sum);
        sum.max_contributors = 1 + random_below(&seed, 64);
        random_sum(&seed, &sum, 1 + random_below(&seed, sum.max_contributors));
        const struct moehub_arithmetic arithmetic = case_arithmetic(&sum);
        moehub_accumulate_empty(&accumulator, sum.element);
        for (unsigned k = 0; k < sum.count; k++)
            moehub_accumulate_add(&arithmetic, &accumulator, sum.element, sum.x[k]);
        accumulator.special = (uint8_t)random_below(&seed, 4);

        assert_int_equal(moehub_accumulator_pack(&arithmetic, &accumulator, &packed), 0);
        unsigned bit = moehub_arithmetic_state_width(&arithmetic);
        const int32_t fields[] = {accumulator.special, accumulator.top,    accumulator.bin[0],
                                  accumulator.bin[1],  accumulator.bin[2], accumulator.bin[3]};
        for (unsigned f = 0; f < 2 + sum.bins; f++) {
            const unsigned width = f == 0 ? 2 : f == 1 ? 5 : arithmetic.bin_width;
            for (unsigned b = width; b-- > 0;) {
                bit--;
                assert_int_equal(packed.word[bit / 64] >> (bit % 64) & 1, (uint32_t)fields[f] >> b & 1);
            }
        }
        assert_int_equal(bit, 0);
        moehub_accumulator_unpack(&arithmetic, &packed, &unpacked);
        assert_memory_equal(&unpacked, &accumulator, sizeof accumulator);
    }
}

/* The table of rtl/doc/arithmetic.md, line by line; a word in `first` starts a new sum. */
static const struct {
    unsigned element;
    bool first;
    uint32_t x;
    unsigned top;
    int32_t bin[3];
    uint64_t high;
    uint64_t low;
    uint32_t result;
    uint32_t result_fp32;
} examples[] = {
    {0, true, 0x3f81, 8, {32, 16384, 0}, 0x100, 0x0008002000000000, 0x3f81, 0x3f810000},
    {0, false, 0x3fc0, 8, {80, 16384, 0}, 0x100, 0x0014002000000000, 0x4020, 0x40208000},
    {0, false, 0xbf81, 8, {48, 0, 0}, 0x100, 0x000c000000000000, 0x3fc0, 0x3fc00000},
    {0, true, 0x3f81, 8, {32, 16384, 0}, 0x100, 0x0008002000000000, 0x3f81, 0x3f810000},
    {0, false, 0x4b80, 9, {8192, 32, 16384}, 0x120, 0x0800000010004000, 0x4b80, 0x4b800001},
    {0, false, 0xcb80, 9, {0, 32, 16384}, 0x120, 0x0000000010004000, 0x3f81, 0x3f810000},
    {0, true, 0x4f80, 10, {32, 0, 0}, 0x140, 0x0008000000000000, 0x4f80, 0x4f800000},
    {0, false, 0x3f81, 10, {32, 0, 32}, 0x140, 0x0008000000000020, 0x4f80, 0x4f800000},
    {0, false, 0xcf80, 10, {0, 0, 32}, 0x140, 0x0000000000000020, 0x3f80, 0x3f800000},
    {0, true, 0x0001, 0, {1, 0, 0}, 0x000, 0x0000400000000000, 0x0001, 0x00010000},
    {1, true, 0x7bff, 2, {255, 57344, 0}, 0x040, 0x003fc07000000000, 0x7bff, 0x477fe000},
    {1, false, 0x7bff, 2, {510, 114688, 0}, 0x040, 0x007f80e000000000, 0x7c00, 0x47ffe000},
    {2, true, 0x3f800001, 9, {32, 0, 16384}, 0x120, 0x0008000000004000, 0x3f800001, 0x3f800001},
    {2, false, 0xbf800000, 9, {0, 0, 16384}, 0x120, 0x0000000000004000, 0x34000000, 0x34000000},
    {2, false, 0xff800000, 9, {0, 0, 16384}, 0x920, 0x0000000000004000, 0xff800000, 0xff800000},
    {2, false, 0x7f800000, 9, {0, 0, 16384}, 0xd20, 0x0000000000004000, 0x7fc00000, 0x7fc00000},
};

static void worked_examples(void **state)
{
    (void)state;
    struct moehub_arithmetic arithmetic;
    struct moehub_accumulator accumulator = {.top = 0};
    struct moehub_packed_state packed;
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 3, 64), 0);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        if (examples[i].first)
            moehub_accumulate_empty(&accumulator, examples[i].element);
        moehub_accumulate_add(&arithmetic, &accumulator, examples[i].element, examples[i].x);
        assert_int_equal(moehub_accumulator_pack(&arithmetic, &accumulator, &packed), 0);
        assert_int_equal(accumulator.top, examples[i].top);
        assert_memory_equal(accumulator.bin, examples[i].bin, sizeof examples[i].bin);
        assert_int_equal(packed.word[1], examples[i].high);
        assert_int_equal(packed.word[0], examples[i].low);
        assert_int_equal(moehub_finalize(&arithmetic, &accumulator, examples[i].element, false), examples[i].result);
        assert_int_equal(moehub_finalize(&arithmetic, &accumulator, examples[i].element, true), examples[i].result_fp32);
    }
}

/* One element more than MAX_CONTRIBUTORS of the kind that fills a bin does not pack. */
static void too_many_contributors(void **state)
{
    (void)state;
    struct moehub_arithmetic arithmetic;
    struct moehub_accumulator accumulator;
    struct moehub_packed_state packed;
    assert_int_equal(moehub_arithmetic_init(&arithmetic, 3, 64), 0);
    moehub_accumulate_empty(&accumulator, MOEHUB_ELEMENT_FP32);
    for (unsigned i = 0; i < 64; i++)
        moehub_accumulate_add(&arithmetic, &accumulator, MOEHUB_ELEMENT_FP32, 0x007fffff | 1u << 23);
    assert_int_equal(moehub_accumulator_pack(&arithmetic, &accumulator, &packed), 0);
    moehub_accumulate_add(&arithmetic, &accumulator, MOEHUB_ELEMENT_FP32, 0x007fffff | 1u << 23);
    assert_int_equal(moehub_accumulator_pack(&arithmetic, &accumulator, &packed), MOEHUB_E_LIMIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_sum_of_cut_elements), cmocka_unit_test(error_bound),
        cmocka_unit_test(every_order),               cmocka_unit_test(extremes),
        cmocka_unit_test(bugs_are_caught),           cmocka_unit_test(parameters),
        cmocka_unit_test(packed_layout),             cmocka_unit_test(too_many_contributors),
        cmocka_unit_test(worked_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
