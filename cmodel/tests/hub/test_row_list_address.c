/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of the row list against an array in memory. */
#include "moehub/row_list_address.h"

#include "common/random.h"
#include "common/support.h"

/* rtl/doc/hub/ingress.md, section 11. */
static void the_worked_example(void **state)
{
    (void)state;
    assert_int_equal(moehub_row_list_address(0x40000000, 12, 2, 5, 48), 0x40008014);
    assert_int_equal(moehub_row_list_address(0x40000000, 12, 7, 0, 48), 0x4001c000);
}

/* Every slot of every expert has the word that a two-dimensional array gives it, and slots beyond a list begin it anew. */
static void words_lie_as_in_an_array(void **state)
{
    (void)state;
    enum { EXPERTS = 5, SHIFT = 3 };
    static uint32_t lists[EXPERTS][1 << SHIFT];
    const uint64_t base = UINT64_C(0xABCD00000000);
    for (unsigned expert = 0; expert < EXPERTS; expert++)
        for (uint32_t slot = 0; slot < 3u << SHIFT; slot++) {
            const uint64_t distance = moehub_row_list_address(base, SHIFT, expert, slot, 48) - base;
            assert_in_range(distance, 0, sizeof lists - 1);
            assert_ptr_equal((char *)lists + distance, &lists[expert][slot % (1u << SHIFT)]);
        }
}

/* base + 4 * (expert * 2^shift + slot mod 2^shift) modulo 2^width, for a base that is aligned to 256 experts' lists. */
static void any_widths(void **state)
{
    (void)state;
    struct random random = random_from(31);
    for (unsigned run = 0; run < 20000; run++) {
        const unsigned shift = random_below(&random, 32);
        const unsigned width = 32 + random_below(&random, 33);
        const unsigned expert = random_below(&random, 256);
        const uint32_t slot = (uint32_t)random_word(&random);
        const uint64_t size = UINT64_C(4) * 256 * (UINT64_C(1) << shift);
        const uint64_t base = random_word(&random) / size * size;
        const uint64_t word = expert * (UINT64_C(1) << shift) + slot % (UINT64_C(1) << shift);
        const uint64_t whole = base + 4 * word;
        const uint64_t expected = width == 64 ? whole : whole % (UINT64_C(1) << width);
        assert_int_equal(moehub_row_list_address(base, shift, expert, slot, width), expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(words_lie_as_in_an_array),
        cmocka_unit_test(any_widths),
    };
    return cmocka_run_group_tests_name("row_list_address", tests, NULL, NULL);
}
