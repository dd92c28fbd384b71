/* SPDX-License-Identifier: Apache-2.0 */
/* Counters and their snapshots, by hand (rtl/doc/plane/switch.md section 7). */
#include "moehub/counter_memory.h"

#include "common/support.h"

static void run(struct moehub_counter_memory *memory, uint64_t events, unsigned cycles)
{
    const struct moehub_counter_memory_cycle cycle = {.events = events};
    for (unsigned i = 0; i < cycles; i++)
        assert_true(moehub_counter_memory_step(memory, &cycle));
}

static uint64_t value_of(struct moehub_counter_memory *memory, uint32_t index)
{
    const struct moehub_counter_memory_cycle cycle = {.index = index};
    assert_true(moehub_counter_memory_step(memory, &cycle));
    assert_true(memory->value_known);
    return memory->value;
}

/* Events go on; those of the cycle of the snapshot are not in it. */
static void one_edge(void **state)
{
    (void)state;
    enum { EVENTS = 5 };
    struct moehub_counter_memory memory;
    moehub_counter_memory_reset(&memory, EVENTS, 48);
    run(&memory, 0x1F, 7);
    run(&memory, 0x02, 3);
    const struct moehub_counter_memory_cycle snapshot = {.events = 0x1F, .snapshot = true};
    assert_true(moehub_counter_memory_step(&memory, &snapshot));
    assert_false(moehub_counter_memory_step(&memory, &snapshot)); /* too early */
    run(&memory, 0x1F, EVENTS + 6);
    assert_false(memory.snapshot_done);
    run(&memory, 0x1F, 1);
    assert_true(memory.snapshot_done);
    assert_int_equal(value_of(&memory, 0), 7);
    assert_false(memory.snapshot_done);
    assert_int_equal(value_of(&memory, 1), 10);
    assert_int_equal(value_of(&memory, EVENTS), 0);
}

static void nothing_before_the_first(void **state)
{
    (void)state;
    struct moehub_counter_memory memory;
    moehub_counter_memory_reset(&memory, 1, 48);
    run(&memory, 1, 5);
    assert_int_equal(value_of(&memory, 0), 0);
    const struct moehub_counter_memory_cycle snapshot = {.snapshot = true};
    assert_true(moehub_counter_memory_step(&memory, &snapshot));
    assert_int_equal(value_of(&memory, 0), 0);
    run(&memory, 0, 7);
    assert_true(memory.snapshot_done);
    assert_int_equal(value_of(&memory, 0), 5);
    assert_true(moehub_counter_memory_step(&memory, &snapshot));
    run(&memory, 0, 1);
    assert_false(memory.value_known);
}

static void counters_wrap(void **state)
{
    (void)state;
    struct moehub_counter_memory memory;
    moehub_counter_memory_reset(&memory, 64, 7);
    run(&memory, UINT64_MAX, 130);
    assert_int_equal(memory.counters[63], 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_edge),
        cmocka_unit_test(nothing_before_the_first),
        cmocka_unit_test(counters_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
