/* SPDX-License-Identifier: Apache-2.0 */
/* Gains by sequence length: means of the cases of a length, whatever their order; growth; the shortest against the best. */
#include "common/support.h"
#include "system/system_claims_lengths.h"

#include <math.h>

#define NEAR(value, expected) assert_true(fabs((value) - (expected)) < 1e-9)

static const struct system_claim_entry entry = {.part = MOEHUB_SYSTEM_WINDOW, .slow = MOEHUB_SYSTEM_SCHEME_HUB_BASE,
                                                .fast = MOEHUB_SYSTEM_SCHEME_HUB_READY};
static struct moehub_system_constants constants;
static struct moehub_system_work works[MOEHUB_SYSTEM_GRID_MAX];
static struct moehub_system_grid grid;

static int empty(void **state)
{
    (void)state;
    grid = (struct moehub_system_grid){.constants = &constants, .works = works};
    return 0;
}

static void add_case(unsigned tokens, double gain)
{
    works[grid.count].tokens = tokens;
    grid.window[grid.count][entry.slow] = gain;
    grid.window[grid.count++][entry.fast] = 1;
}

static void lengths_are_in_order(void **state)
{
    (void)state;
    char text[80];
    add_case(1024, 4);
    add_case(128, 1.5);
    add_case(32768, 3);
    add_case(1024, 1);
    const struct system_claim_lengths lengths = system_claim_lengths(&grid, &entry);
    assert_int_equal(lengths.count, 3);
    NEAR(lengths.gains[0], 1.5);
    NEAR(lengths.gains[1], 2);
    NEAR(lengths.gains[2], 3);
    NEAR(system_claim_growth(&lengths), 2);
    NEAR(system_claim_at_short(&lengths), 0.5);
    system_claim_lengths_text(&lengths, text, sizeof text);
    assert_string_equal(text, "1.500, 2.000, 3.000 at 128, 1024, 32768");
}

static void one_length_is_neither(void **state)
{
    (void)state;
    add_case(128, 1.5);
    const struct system_claim_lengths lengths = system_claim_lengths(&grid, &entry);
    NEAR(system_claim_growth(&lengths), 1);
    NEAR(system_claim_at_short(&lengths), 1);
}

static void text_is_cut_where_it_ends(void **state)
{
    (void)state;
    char text[8];
    add_case(128, 1.5);
    const struct system_claim_lengths lengths = system_claim_lengths(&grid, &entry);
    system_claim_lengths_text(&lengths, text, sizeof text);
    assert_string_equal(text, "1.500 a");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(lengths_are_in_order, empty),
        cmocka_unit_test_setup(one_length_is_neither, empty),
        cmocka_unit_test_setup(text_is_cut_where_it_ends, empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
