/* SPDX-License-Identifier: Apache-2.0 */
/* Rounding, normalisation and specials of a sum's result. */
#include "arithmetic/sum_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { SUBJECTS = 3, CASES = 300000, BUG_CASES = 20000, SEED = 2 };

static void singles(void **state)
{
    (void)state;
    assert_int_equal(passing(check_singles, CASES, SEED), SUBJECTS);
}

static void pairs(void **state)
{
    (void)state;
    assert_int_equal(passing(check_pairs, CASES, SEED), SUBJECTS);
}

static void specials(void **state)
{
    (void)state;
    assert_int_equal(passing(check_specials, 0, SEED), SUBJECTS);
}

static void bugs_are_caught(void **state)
{
    (void)state;
    assert_true(catches(check_pairs, BUG_TRUNCATE, BUG_CASES, SEED));
    assert_true(catches(check_pairs, BUG_HALF_UP, BUG_CASES, SEED));
    assert_true(catches(check_pairs, BUG_CARRY_LOST, BUG_CASES, SEED));
    assert_true(catches(check_singles, BUG_FLUSH, BUG_CASES, SEED));
    assert_true(catches(check_singles, BUG_TOP_STALE, BUG_CASES, SEED));
    assert_true(catches(check_specials, BUG_MINUS_ZERO, 0, SEED));
    assert_true(catches(check_specials, BUG_LAST_SPECIAL, 0, SEED));
    assert_true(catches(check_specials, BUG_SATURATE, 0, SEED));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(singles),
        cmocka_unit_test(pairs),
        cmocka_unit_test(specials),
        cmocka_unit_test(bugs_are_caught),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
