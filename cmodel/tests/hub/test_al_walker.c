/* SPDX-License-Identifier: Apache-2.0 */
/* The table's memory: windows, what lies outside of them, faults, the caller's own memory. */
#include "moehub/al_walker.h"

#include "moehub/error.h"
#include "common/support.h"

static void windows_hold_what_was_written(void **state)
{
    (void)state;
    struct moehub_al_walker walker;
    uint32_t entry = 1;
    moehub_al_walker_init(&walker, NULL);
    assert_int_equal(moehub_al_walker_map(&walker, 0x1000, 64), 0);
    assert_int_equal(moehub_al_walker_map(&walker, UINT64_MAX - 7, 8), 0);
    assert_true(moehub_al_walker_read(&walker, 0x1000, &entry));
    assert_int_equal(entry, 0);
    for (uint64_t address = 0x1000; address < 0x1040; address += 4)
        assert_true(moehub_al_walker_write(&walker, address, (uint32_t)address * 3));
    assert_true(moehub_al_walker_write(&walker, UINT64_MAX - 3, 99));
    for (uint64_t address = 0x1000; address < 0x1040; address += 4) {
        assert_true(moehub_al_walker_read(&walker, address, &entry));
        assert_int_equal(entry, address * 3);
    }
    assert_true(moehub_al_walker_read(&walker, UINT64_MAX - 3, &entry));
    assert_int_equal(entry, 99);
    assert_int_equal(walker.reads, 18);
    assert_int_equal(walker.writes, 17);
    moehub_al_walker_clear(&walker);
    assert_true(moehub_al_walker_read(&walker, 0x103C, &entry));
    assert_int_equal(entry, 0);
    moehub_al_walker_destroy(&walker);
}

static void outside_of_all_windows_is_an_error(void **state)
{
    (void)state;
    struct moehub_al_walker walker;
    uint32_t entry = 1;
    moehub_al_walker_init(&walker, NULL);
    assert_int_equal(moehub_al_walker_map(&walker, 0x1000, 64), 0);
    static const uint64_t outside[] = {0, 0xFFC, 0x1040, UINT64_MAX - 3};
    for (unsigned i = 0; i < 4; i++) {
        assert_false(moehub_al_walker_read(&walker, outside[i], &entry));
        assert_int_equal(entry, 0);
        assert_false(moehub_al_walker_write(&walker, outside[i], 5));
        assert_null(moehub_al_walker_entry(&walker, outside[i]));
    }
    moehub_al_walker_destroy(&walker);
}

static void bad_windows_are_refused(void **state)
{
    (void)state;
    struct moehub_al_walker walker;
    moehub_al_walker_init(&walker, NULL);
    assert_int_equal(moehub_al_walker_map(&walker, 0x1000, 64), 0);
    assert_int_equal(moehub_al_walker_map(&walker, 0x2001, 64), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_al_walker_map(&walker, 0x2000, 0), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_al_walker_map(&walker, 0x2000, 62), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_al_walker_map(&walker, UINT64_MAX - 3, 8), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_al_walker_map(&walker, 0xFFC, 8), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_al_walker_map(&walker, 0x103C, 4), MOEHUB_E_ARGUMENT);
    for (uint64_t i = 1; i < MOEHUB_AL_WINDOWS_MAX; i++)
        assert_int_equal(moehub_al_walker_map(&walker, 0x1000 + 64 * i, 64), 0);
    assert_int_equal(moehub_al_walker_map(&walker, 0x9000, 64), MOEHUB_E_LIMIT);
    moehub_al_walker_destroy(&walker);
    moehub_al_walker_destroy(NULL);
}

static bool every_second(void *user, uint64_t address, bool write)
{
    (void)address;
    (void)write;
    unsigned *count = user;
    return ++*count % 2 == 0;
}

static void faults_leave_the_memory_alone(void **state)
{
    (void)state;
    struct moehub_al_walker walker;
    unsigned count = 0;
    uint32_t entry;
    moehub_al_walker_init(&walker, NULL);
    assert_int_equal(moehub_al_walker_map(&walker, 0, 16), 0);
    walker.fault = every_second;
    walker.fault_user = &count;
    assert_true(moehub_al_walker_write(&walker, 4, 11));
    assert_false(moehub_al_walker_write(&walker, 4, 22));
    assert_true(moehub_al_walker_read(&walker, 4, &entry));
    assert_int_equal(entry, 11);
    assert_false(moehub_al_walker_read(&walker, 4, &entry));
    moehub_al_walker_destroy(&walker);
}

static bool own_read(void *user, uint64_t address, uint32_t *entry)
{
    *entry = *(uint32_t *)user + (uint32_t)address;
    return address < 100;
}

static bool own_write(void *user, uint64_t address, uint32_t entry)
{
    *(uint32_t *)user = entry;
    return address < 100;
}

static void the_callers_memory_is_used(void **state)
{
    (void)state;
    struct moehub_al_walker walker;
    uint32_t cell = 7;
    uint32_t entry;
    const struct moehub_al_memory memory = {own_read, own_write, &cell};
    moehub_al_walker_init(&walker, &memory);
    assert_true(moehub_al_walker_write(&walker, 8, 50));
    assert_int_equal(cell, 50);
    assert_true(moehub_al_walker_read(&walker, 12, &entry));
    assert_int_equal(entry, 62);
    assert_false(moehub_al_walker_read(&walker, 100, &entry));
    moehub_al_walker_destroy(&walker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_hold_what_was_written),
        cmocka_unit_test(outside_of_all_windows_is_an_error),
        cmocka_unit_test(bad_windows_are_refused),
        cmocka_unit_test(faults_leave_the_memory_alone),
        cmocka_unit_test(the_callers_memory_is_used),
    };
    return cmocka_run_group_tests_name("al_walker", tests, NULL, NULL);
}
