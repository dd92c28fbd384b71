/* SPDX-License-Identifier: Apache-2.0 */
/* Ports that are down, by hand (rtl/doc/plane/switch.md section 4), with the limits that no bench can reach. */
#include "moehub/plane_state.h"
#include "moehub/port_state.h"

#include "common/support.h"

static void run(struct moehub_port_state *port, struct moehub_port_state_cycle cycle, unsigned cycles)
{
    for (unsigned i = 0; i < cycles; i++)
        moehub_port_state_step(port, &cycle);
}

/* Offers a command until it is done; true when it was accepted. The other inputs are at rest. */
static bool command(struct moehub_port_state *port, unsigned operation, uint32_t data, uint32_t group_timeout)
{
    struct moehub_port_state_cycle cycle = {.group_timeout = group_timeout, .command = {true, (uint8_t)operation, data}};
    while (!port->command.ready)
        run(port, (struct moehub_port_state_cycle){.blocked = 0}, 1);
    moehub_port_state_step(port, &cycle);
    cycle.command.valid = false;
    for (unsigned i = 1; i < MOEHUB_BRIEF_COMMAND_CYCLES; i++) {
        assert_false(port->command.done || port->command.ready);
        moehub_port_state_step(port, &cycle);
    }
    assert_true(port->command.done);
    return !port->command.refused;
}

/* Blocked cycles count 4 and others take 1 back: down after more than PORT_TIMEOUT of them in a row. */
static void blocked_for_too_long(void **state)
{
    (void)state;
    struct moehub_port_state port = {.down = false};
    assert_true(command(&port, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, 10, 0));
    const struct moehub_port_state_cycle requests = {.blocked = 1u << MOEHUB_CLASS_REQUEST}, rest = {.blocked = 0};
    run(&port, requests, 10);
    run(&port, rest, 2);
    run(&port, requests, 1); /* 40 - 2 + 4: above */
    assert_false(port.down);
    run(&port, rest, 1);
    assert_true(port.down && port.went_down);
    run(&port, rest, 1);
    assert_true(port.down && !port.went_down);
}

static void below_the_limit(void **state)
{
    (void)state;
    struct moehub_port_state port = {.down = false};
    assert_true(command(&port, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, 10, 0));
    run(&port, (struct moehub_port_state_cycle){.blocked = 7}, 10);
    run(&port, (struct moehub_port_state_cycle){.blocked = 0}, 100);
    assert_false(port.down);
    assert_int_equal(port.blocked[0] | port.blocked[1] | port.blocked[2], 0);
}

static void counters_stop_at_their_ends(void **state)
{
    (void)state;
    struct moehub_port_state port = {.port_timeout = UINT32_MAX, .timeouts = UINT16_MAX, .blocked = {UINT64_C(4) * UINT32_MAX}};
    const struct moehub_port_state_cycle cycle = {.blocked = 1, .missed = true};
    run(&port, cycle, 1);
    assert_false(port.down); /* at the limit, not above */
    assert_int_equal(port.timeouts, UINT16_MAX);
    assert_int_equal(port.blocked[0], MOEHUB_PORT_BLOCKED_MAX);
    run(&port, cycle, 1);
    assert_int_equal(port.blocked[0], MOEHUB_PORT_BLOCKED_MAX);
    assert_true(port.down);
}

static void timeouts_in_a_row(void **state)
{
    (void)state;
    struct moehub_port_state port = {.down = false};
    const struct moehub_port_state_cycle missed = {.missed = true, .timeout_limit = 3};
    const struct moehub_port_state_cycle both = {.missed = true, .answered = true, .timeout_limit = 3};
    run(&port, missed, 2);
    run(&port, both, 1);
    assert_int_equal(port.timeouts, 0);
    run(&port, missed, 3);
    assert_false(port.down);
    run(&port, missed, 1);
    assert_true(port.down);
    assert_true(command(&port, MOEHUB_SWITCH_PORT_COMMAND_REVIVE, 0, 0));
    assert_false(port.down);
    assert_int_equal(port.timeouts, 0);
}

static void refused_commands(void **state)
{
    (void)state;
    struct moehub_port_state port = {.down = false};
    assert_false(command(&port, MOEHUB_SWITCH_PORT_COMMAND_REVIVE, 0, 0));
    assert_false(command(&port, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, 51, 50));
    assert_int_equal(port.port_timeout, 0);
    assert_true(command(&port, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, 50, 50));
    assert_int_equal(port.port_timeout, 50);
    assert_false(command(&port, 2, 0, 0));
    assert_false(command(&port, 15, 0, 0));
}

/* ---- plane -------------------------------------------------------------------------------------------------- */

/* Three buffers: 0, 1, 2, 0, .. are visited from the first cycle on. */
static void rounds_of_the_plane(void **state)
{
    (void)state;
    enum { CYCLES = 8 };
    static const uint64_t expected[CYCLES] = {0, 0, 3, 5, 0, 0, 2, 0}; /* told in the cycle after each */
    struct moehub_plane_state plane;
    moehub_plane_state_reset(&plane, 3);
    for (unsigned i = 0; i < CYCLES; i++) {
        struct moehub_plane_state_cycle cycle = {.missing = {0}};
        if (i == 0)
            cycle.missing[2] = 1;    /* joined by the next before the visit in cycle 2 */
        if (i == 1) {
            cycle.missing[2] = 2;
            cycle.missing[0] = 5;    /* visited in cycle 3 */
        }
        if (i == 3)
            cycle.missing[0] = 2;    /* in the cycle of the visit: told after that in cycle 6 */
        moehub_plane_state_step(&plane, &cycle);
        assert_int_equal(plane.missed, expected[i]);
    }
}

static void limit_of_the_plane(void **state)
{
    (void)state;
    struct moehub_plane_state plane;
    moehub_plane_state_reset(&plane, 2);
    struct moehub_plane_state_cycle cycle = {.command = {true, MOEHUB_SWITCH_PLANE_COMMAND_TIMEOUT_LIMIT_SET, UINT16_MAX}};
    for (unsigned i = 0; i < 2; i++)
        moehub_plane_state_step(&plane, &cycle);
    assert_int_equal(plane.timeout_limit, UINT16_MAX);
    cycle.command.data = UINT16_MAX + 1;
    for (unsigned i = 0; i < MOEHUB_BRIEF_COMMAND_CYCLES + 1; i++)
        moehub_plane_state_step(&plane, &cycle);
    assert_true(plane.command.refused);
    assert_int_equal(plane.timeout_limit, UINT16_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocked_for_too_long), cmocka_unit_test(below_the_limit),
        cmocka_unit_test(timeouts_in_a_row),    cmocka_unit_test(counters_stop_at_their_ends),
        cmocka_unit_test(refused_commands),     cmocka_unit_test(rounds_of_the_plane),
        cmocka_unit_test(limit_of_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
