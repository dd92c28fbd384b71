/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about parts, by packets: a part that is made smaller costs what it should, and nothing else. Eight GPUs, to be quick. */
#include "common/system_support.h"
#include "moehub/system_figures.h"

static struct moehub_system_figures run(const struct moehub_system_constants *constants)
{
    struct moehub_system_figures figures;
    struct moehub_message message = {""};
    const int error = moehub_system_figures_run(constants, &figures, &message);
    assert_string_equal(message.text, "");
    assert_int_equal(error, 0);
    return figures;
}

/* The measured set with hubs that serve eight GPUs on four links, as rtl/doc/hub/hub.md says. */
static void load_eight(struct moehub_system_constants *constants)
{
    load_system(constants, "h200-8", "measured");
    constants->entries[MOEHUB_SYSTEM_hub_loop_share].value = 2;
    constants->entries[MOEHUB_SYSTEM_hub_lane_bytes].value = 32;
    constants->entries[MOEHUB_SYSTEM_hub_read_lines].value = 192;
    constants->entries[MOEHUB_SYSTEM_hub_partial_rows].value = 72;
}

/* The same, run once. */
static const struct moehub_system_figures *base(void)
{
    static struct moehub_system_figures figures;
    struct moehub_system_constants constants;
    if (figures.hits > 0)
        return &figures;
    load_eight(&constants);
    figures = run(&constants);
    return &figures;
}

/* What the set says of the RTL's parts is what the calibrated files have. */
static void the_set_knows_the_rtl(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    load_system(&constants, "h200-8", "measured");
    const unsigned groups = (unsigned)moehub_system_value(&constants, MOEHUB_SYSTEM_plane_groups);
    const unsigned lines = (unsigned)moehub_system_value(&constants, MOEHUB_SYSTEM_plane_request_lines);
    const unsigned sets = (unsigned)moehub_system_value(&constants, MOEHUB_SYSTEM_hub_sets);
    const unsigned ways = (unsigned)moehub_system_value(&constants, MOEHUB_SYSTEM_hub_ways);
    assert_int_equal(moehub_system_value(&constants, MOEHUB_SYSTEM_reduction_entries), groups * lines);
    assert_int_equal(sets * ways, 512);  /* as the claim has it */
}

static void shares_and_rates_are_such(void **state)
{
    (void)state;
    const struct moehub_system_figures figures = *base();
    assert_true(figures.dispatch > 0.8 && figures.dispatch < 1 && figures.combine > 0.6 && figures.combine < 1);
    assert_true(figures.communication > figures.combine && figures.communication < figures.dispatch);
    assert_true(figures.hits < figures.hits_endless && figures.hits_endless < 1 && figures.hits_stores > figures.hits);
    assert_true(figures.buffer > 0.8 && figures.buffer <= 1.02 && figures.buffer_fused > 0.8 && figures.buffer_fused <= 1.02);
}

/* Links that share an AL-TLB hit more often than one with its part of it: not all are full at the same time. */
static void links_share_an_al_tlb(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    load_eight(&constants);
    constants.entries[MOEHUB_SYSTEM_hub_sets].value /= 4;
    constants.entries[MOEHUB_SYSTEM_tlb_links].value = 1;
    const struct moehub_system_figures part = run(&constants);
    assert_true(base()->hits > part.hits + 0.02);
}

/* A smaller AL-TLB hits less often, and the reduction buffer does not know; and the other way round. */
static void a_smaller_part_is_noticed(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    load_eight(&constants);
    constants.entries[MOEHUB_SYSTEM_tlb_links].value = 64;
    const struct moehub_system_figures small_tlb = run(&constants);
    assert_true(small_tlb.hits < base()->hits && small_tlb.buffer <= base()->buffer && small_tlb.buffer >= base()->buffer);
    load_eight(&constants);
    constants.entries[MOEHUB_SYSTEM_reduction_entries].value = 16;
    const struct moehub_system_figures small_buffer = run(&constants);
    assert_true(small_buffer.buffer < 0.8 * base()->buffer && small_buffer.combine < base()->combine);
    assert_true(small_buffer.dispatch >= base()->dispatch && small_buffer.dispatch <= base()->dispatch);
}

static void what_cannot_run_is_refused(void **state)
{
    (void)state;
    struct moehub_system_constants constants;
    struct moehub_system_figures figures;
    struct moehub_message message = {""};
    load_system(&constants, "h200-8", "measured");
    constants.entries[MOEHUB_SYSTEM_gpus].value = 128;
    assert_int_equal(moehub_system_figures_run(&constants, &figures, &message), MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(message.text, "128"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_set_knows_the_rtl),
        cmocka_unit_test(shares_and_rates_are_such),
        cmocka_unit_test(links_share_an_al_tlb),
        cmocka_unit_test(a_smaller_part_is_noticed),
        cmocka_unit_test(what_cannot_run_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
