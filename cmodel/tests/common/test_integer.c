/* SPDX-License-Identifier: Apache-2.0 */
/* The small questions about whole numbers, against their definitions. */
#include "common/support.h"

#include "moehub/integer.h"

static unsigned log2_by_doubling(uint64_t count)
{
    unsigned bits = 0;
    while (bits < 64 && UINT64_C(1) << bits < count)
        bits++;
    return bits;
}

static void logarithms_are_those_of_doubling(void **state)
{
    (void)state;
    for (uint64_t count = 0; count < 5000; count++)
        assert_int_equal(moehub_log2_ceiling(count), log2_by_doubling(count));
    for (unsigned bit = 0; bit < 64; bit++)
        for (int around = -1; around <= 1; around++) {
            const uint64_t count = (UINT64_C(1) << bit) + (uint64_t)around;
            assert_int_equal(moehub_log2_ceiling(count), log2_by_doubling(count));
        }
    assert_int_equal(moehub_log2_ceiling(UINT64_MAX), 64);
}

static void powers_of_two_have_one_bit(void **state)
{
    (void)state;
    for (uint64_t value = 0; value < 5000; value++)
        assert_int_equal(moehub_power_of_two(value), __builtin_popcountll(value) == 1);
    assert_true(moehub_power_of_two(UINT64_C(1) << 63));
    assert_false(moehub_power_of_two(UINT64_MAX));
}

static void bounds_belong_to_the_range(void **state)
{
    (void)state;
    assert_true(moehub_within(3, 3, 3));
    assert_true(moehub_within(0, 0, UINT64_MAX) && moehub_within(UINT64_MAX, 0, UINT64_MAX));
    assert_false(moehub_within(2, 3, 5) || moehub_within(6, 3, 5) || moehub_within(4, 5, 3));
    assert_true(moehub_larger(4, 9) == 9 && moehub_larger(9, 4) == 9 && moehub_larger(UINT64_MAX, 0) == UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_are_those_of_doubling),
        cmocka_unit_test(powers_of_two_have_one_bit),
        cmocka_unit_test(bounds_belong_to_the_range),
    };
    return cmocka_run_group_tests_name("integer", tests, NULL, NULL);
}
