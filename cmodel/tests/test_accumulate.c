/* SPDX-License-Identifier: Apache-2.0 */
/* The sum against GMP and MPFR: value, error bound, order, bin width, packed form. */
#include "sum_checks.h"

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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
