/* SPDX-License-Identifier: Apache-2.0 */
/* What a hub tells (rtl/doc/hub/driver.md section 2, rtl/doc/registers.md section 3): counters, offender, interrupts of every
 * window, and of windows that a hub does not have. */
#include "moehub/driver_report.h"

#include "driver/recorded_bus.h"

enum { LINKS = 2, GUARD = 0x5A5A };

static struct recorded_bus bus;
static struct moehub_hub hub;

static int prepare(void **state)
{
    (void)state;
    memset(&bus, 0, sizeof bus);
    recorded_forget(&bus);
    hub = (struct moehub_hub){.bus = {&bus, recorded_write, recorded_read}, .polls = 3};
    hub.shape.links = LINKS;
    return 0;
}

static const struct {
    unsigned window, events;
} windows[] = {{0, 2}, {1, 27}, {2, 28}, {3, 27}, {4, 52}, {5, 52}, {6, 52}, {9, 25}, {10, 25}};
enum { WINDOWS = sizeof windows / sizeof *windows };

static void expect_access(int i, bool write, unsigned window, uint32_t offset)
{
    assert_true(i < bus.access_count);
    assert_int_equal(bus.accesses[i].write, write);
    assert_int_equal(bus.accesses[i].address, window << 12 | offset);
}

/* ---- counters ---------------------------------------------------------------------------------------------------------- */

static void counters_of_every_window(void **state)
{
    (void)state;
    for (int w = 0; w < WINDOWS; w++) {
        uint64_t values[MOEHUB_CSR_EVENTS_MAX];
        memset(values, 0xEE, sizeof values);
        recorded_forget(&bus);
        for (uint32_t i = 0; i < 2 * MOEHUB_CSR_EVENTS_MAX; i++)
            *recorded_word(&bus, windows[w].window, MOEHUB_CSR_COUNTER_LOW + 4 * i) = 0x9000 + i;
        assert_int_equal(moehub_hub_counters(&hub, windows[w].window, values), 0);
        assert_int_equal(moehub_hub_events(&hub, windows[w].window), windows[w].events);
        expect_access(0, true, windows[w].window, MOEHUB_CSR_SNAPSHOT);
        assert_int_equal(bus.access_count, 1 + 2 * windows[w].events);
        for (uint64_t i = 0; i < MOEHUB_CSR_EVENTS_MAX; i++)
            assert_int_equal(values[i], i < windows[w].events ? (0x9001 + 2 * i) << 32 | (0x9000 + 2 * i) : 0);
    }
}

/* ---- offender ---------------------------------------------------------------------------------------------------------- */

static void nothing_caught(void **state)
{
    (void)state;
    struct moehub_hub_offender offender = {.caught = true, .cause = 3, .header = {1, 2, 3, 4}, .name = 5};
    *recorded_word(&bus, 5, MOEHUB_CSR_LATCH_STATUS) = 0x700; /* a cause alone is nothing */
    assert_int_equal(moehub_hub_offender(&hub, 5, &offender), 0);
    assert_false(offender.caught);
    assert_int_equal(offender.cause | offender.header[0] | offender.header[3] | offender.name, 0);
    assert_int_equal(bus.access_count, 1);
}

static void an_offender_is_read_then_freed(void **state)
{
    (void)state;
    for (int w = 0; w < WINDOWS; w++) {
        struct moehub_hub_offender offender;
        const unsigned window = windows[w].window;
        recorded_forget(&bus);
        *recorded_word(&bus, window, MOEHUB_CSR_LATCH_STATUS) = 0x1F01;
        for (uint32_t i = 0; i < 4; i++)
            *recorded_word(&bus, window, MOEHUB_CSR_LATCH_HEADER + 4 * i) = 0xAA00 + i;
        *recorded_word(&bus, window, MOEHUB_CSR_LATCH_NAME) = GUARD;
        assert_int_equal(moehub_hub_offender(&hub, window, &offender), 0);
        assert_true(offender.caught);
        assert_int_equal(offender.cause, 31);
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(offender.header[i], 0xAA00 + i);
        assert_int_equal(offender.name, GUARD);
        assert_int_equal(bus.access_count, 7);
        expect_access(6, true, window, MOEHUB_CSR_LATCH_STATUS);
        assert_int_equal(bus.accesses[6].data, 1);
    }
}

static void an_offender_is_read_and_stays(void **state)
{
    (void)state;
    struct moehub_hub_offender offender;
    *recorded_word(&bus, 5, MOEHUB_CSR_LATCH_STATUS) = 0x301;
    *recorded_word(&bus, 5, MOEHUB_CSR_LATCH_NAME) = GUARD;
    assert_int_equal(moehub_hub_offender_read(&hub, 5, &offender), 0);
    assert_true(offender.caught && offender.cause == 3 && offender.name == GUARD);
    assert_int_equal(bus.access_count, 6);
    for (unsigned i = 0; i < 6; i++)
        assert_false(bus.accesses[i].write);
}

/* ---- interrupts -------------------------------------------------------------------------------------------------------- */

static void a_mask_is_one_window_s(void **state)
{
    (void)state;
    assert_int_equal(moehub_hub_interrupts(&hub, 10, 0xB), 0);
    assert_int_equal(bus.access_count, 1);
    expect_access(0, true, 10, MOEHUB_CSR_INTERRUPT_MASK);
    assert_int_equal(bus.accesses[0].data, 0xB);
}

static void pending_names_windows(void **state)
{
    (void)state;
    uint32_t pending;
    *recorded_word(&bus, 0, MOEHUB_HUB_CONTROL_CSR_INTERRUPTS) = 0x211;
    assert_int_equal(moehub_hub_interrupts_pending(&hub, &pending), 0);
    assert_int_equal(pending, 0x211);
    assert_int_equal(bus.access_count, 1);
}

/* It clears what it read and no more: what came since stays. */
static void take_clears_what_it_read(void **state)
{
    (void)state;
    uint32_t events;
    *recorded_word(&bus, 0, MOEHUB_CSR_INTERRUPT_STATUS) = 0xA;
    assert_int_equal(moehub_hub_interrupts_take(&hub, 0, &events), 0);
    assert_int_equal(events, 0xA);
    expect_access(1, true, 0, MOEHUB_CSR_INTERRUPT_STATUS);
    assert_int_equal(bus.accesses[1].data, 0xA);
    assert_int_equal(moehub_hub_interrupts_take(&hub, 0, &events), 0);
    assert_int_equal(events, 0);
    assert_int_equal(bus.access_count, 3); /* nothing to clear: no write */
}

/* ---- errors ------------------------------------------------------------------------------------------------------------ */

static int call_counters(unsigned window)
{
    uint64_t values[MOEHUB_CSR_EVENTS_MAX];
    return moehub_hub_counters(&hub, window, values);
}

static int call_offender(unsigned window)
{
    struct moehub_hub_offender offender;
    *recorded_word(&bus, window, MOEHUB_CSR_LATCH_STATUS) = 1;
    return moehub_hub_offender(&hub, window, &offender);
}

static int call_mask(unsigned window)
{
    return moehub_hub_interrupts(&hub, window, 1);
}

static int call_take(unsigned window)
{
    uint32_t events;
    *recorded_word(&bus, window, MOEHUB_CSR_INTERRUPT_STATUS) = 1;
    return moehub_hub_interrupts_take(&hub, window, &events);
}

static int (*const calls[])(unsigned) = {call_counters, call_offender, call_mask, call_take};
enum { CALLS = sizeof calls / sizeof *calls };

static void windows_that_are_none(void **state)
{
    (void)state;
    static const unsigned none[] = {7, 8, 11, 12, 15};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_int_equal(moehub_hub_events(&hub, none[i]), 0);
        for (int call = 0; call < CALLS; call++) {
            assert_int_equal(calls[call](none[i]), MOEHUB_E_ARGUMENT);
            assert_non_null(strstr(hub.message.text, "no window"));
        }
    }
    assert_int_equal(bus.access_count, 0);
    assert_int_equal(moehub_hub_events(&hub, 16), 0);
    assert_int_equal(moehub_hub_events(&hub, ~0u), 0);
}

static void each_access_fails(void **state)
{
    (void)state;
    for (int call = 0; call < CALLS; call++) {
        recorded_forget(&bus);
        assert_int_equal(calls[call](6), 0);
        const int accesses = bus.access_count;
        assert_true(accesses > 0);
        for (int i = 0; i < accesses; i++) {
            recorded_forget(&bus);
            bus.fails_at = i;
            assert_int_equal(calls[call](6), MOEHUB_E_BUS);
            assert_int_equal(bus.access_count, i + 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(counters_of_every_window, prepare),
        cmocka_unit_test_setup(nothing_caught, prepare),
        cmocka_unit_test_setup(an_offender_is_read_then_freed, prepare),
        cmocka_unit_test_setup(an_offender_is_read_and_stays, prepare),
        cmocka_unit_test_setup(a_mask_is_one_window_s, prepare),
        cmocka_unit_test_setup(pending_names_windows, prepare),
        cmocka_unit_test_setup(take_clears_what_it_read, prepare),
        cmocka_unit_test_setup(windows_that_are_none, prepare),
        cmocka_unit_test_setup(each_access_fails, prepare),
    };
    return cmocka_run_group_tests_name("driver_report", tests, NULL, NULL);
}
