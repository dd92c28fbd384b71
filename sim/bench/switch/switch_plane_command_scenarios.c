/* SPDX-License-Identifier: Apache-2.0 */
/* Commands in the whole plane: DRAIN, FLUSH and RESUME in traffic, limits and what refuses them, interrupts, and ports that are
 * down as they were missing in timeouts. */
#include "bench/switch/switch_plane_down.h"
#include "bench/switch/switch_plane_registers.h"
#include "bench/switch/switch_plane_scenarios.h"
#include "bench/switch/switch_plane_scene.h"
#include "moehub/csr.h"
#include "moehub/registers.h"

enum {
    SILENT = 256,       /* of 256: no answer ever comes */
    WITHIN = 10000,     /* groups that nobody answers are free by then */
    PIN = 20,           /* cycles from an event to the pin, with a margin */
    BUSY = 1000,        /* cycles of random traffic */
    SHORT = 200,        /* time of a group whose answers never come */
};

/* ---- interrupts ---------------------------------------------------------------------------------------------- */

static void demand_pin(struct plane_run *run, bool high, const char *when)
{
    bench_run(run->bench, PIN);
    if ((pin_get(run->interrupt) != 0) != high)
        bench_fail(run->bench, BENCH_MISMATCH, "interrupt_request is %s %s", high ? "low" : "high", when);
}

/* A status bit that is set is told by the pin as soon as the mask lets it, until it is cleared. */
static void expect_interrupt(struct plane_run *run, enum plane_block block, unsigned port, uint32_t bit)
{
    const uint32_t ports = block == PLANE_ALL ? 0 : 1u << port;
    demand_pin(run, false, "while all interrupts are masked");
    run->unmasked = true;
    plane_write(run, block, port, MOEHUB_CSR_INTERRUPT_MASK, bit);
    demand_pin(run, true, "while the bit is set");
    plane_registers_expect_value(run, PLANE_ALL, 0, "INTERRUPTS at", MOEHUB_SWITCH_PLANE_CSR_INTERRUPTS, ports);
    plane_write(run, block, port, MOEHUB_CSR_INTERRUPT_STATUS, bit);
    demand_pin(run, false, "after the bit was cleared");
    plane_registers_expect_value(run, PLANE_ALL, 0, "INTERRUPTS at", MOEHUB_SWITCH_PLANE_CSR_INTERRUPTS, 0);
    plane_write(run, block, port, MOEHUB_CSR_INTERRUPT_MASK, 0);
    run->unmasked = false;
}

/* ---- draining --------------------------------------------------------------------------------------------- */

static void silence(struct plane_run *run, unsigned silent)
{
    for (unsigned port = 0; port < run->config.ports; port++)
        run->gpus[port].responder.manners.silent = silent;
}

static void change_draining(struct plane_run *run, unsigned port, unsigned operation, enum moehub_switch_plane_known then)
{
    moehub_switch_plane_set_draining(&run->check.model, port, MOEHUB_SWITCH_PLANE_MAYBE);
    plane_command_good(run, PLANE_BUFFER, port, operation, 0);
    moehub_switch_plane_set_draining(&run->check.model, port, then);
}

static uint32_t buffer_status(struct plane_run *run, unsigned port)
{
    return plane_read(run, PLANE_BUFFER, port, MOEHUB_CSR_STATUS);
}

static void send_all(struct plane_run *run, unsigned classes)
{
    for (unsigned port = 0; port < run->config.ports; port++)
        plane_scene_send(run, port, classes);
}

/* A line that nobody answers holds the port's reduction buffer: FLUSH is refused. */
static void flush_in_vain(struct plane_run *run, unsigned port)
{
    silence(run, SILENT);
    plane_scene_request(run, port, plane_scene_all_but(run, port), MOEHUB_LINE_UNITS);
    plane_scene_run_until_still(run);
    send_all(run, SCENE_NO_REQUESTS);
    plane_command_bad(run, PLANE_BUFFER, port, MOEHUB_REDUCTION_COMMAND_FLUSH, 0);
    silence(run, 0);
}

static void await_drained(struct plane_run *run, unsigned port)
{
    const uint64_t limit = run->bench->cycle + WITHIN;
    while ((buffer_status(run, port) & MOEHUB_SWITCH_CSR_STATUS_EMPTY) == 0)
        if (run->bench->cycle > limit)
            bench_fail(run->bench, BENCH_MISMATCH, "port %u drains, and is not empty within %u cycles", port, WITHIN);
    plane_registers_expect_value(run, PLANE_BUFFER, port, "STATUS at", MOEHUB_CSR_STATUS,
                                 MOEHUB_SWITCH_CSR_STATUS_INITIALISED | MOEHUB_SWITCH_CSR_STATUS_EMPTY |
                                     MOEHUB_SWITCH_CSR_STATUS_DRAINING);
    plane_registers_expect_value(run, PLANE_BUFFER, port, "INTERRUPT_STATUS at", MOEHUB_CSR_INTERRUPT_STATUS,
                                 MOEHUB_CSR_INTERRUPT_STATUS_LATCHED | MOEHUB_SWITCH_CSR_INTERRUPT_STATUS_DRAINED |
                                     MOEHUB_CSR_INTERRUPT_STATUS_REFUSED);
    expect_interrupt(run, PLANE_BUFFER, port, MOEHUB_SWITCH_CSR_INTERRUPT_STATUS_DRAINED);
}

/* One reduction buffer is drained, flushed and used again, in traffic of all kinds. */
void plane_drain(struct plane_run *run)
{
    const unsigned port = plane_scene_port(run);
    const uint64_t *causes = run->check.model.ports[port].counts.reduction + MOEHUB_REDUCTION_EVENT_CAUSES;
    plane_scene_reset(run, SCENE_PLACES, 0);
    for (unsigned i = 0; i < run->config.ports; i++)
        plane_set_timeout(run, i, DOWN_GROUP_TIMEOUT);
    flush_in_vain(run, port);
    send_all(run, SCENE_ALL);
    bench_run(run->bench, random_below(&run->random, BUSY));
    change_draining(run, port, MOEHUB_REDUCTION_COMMAND_DRAIN, MOEHUB_SWITCH_PLANE_YES);
    await_drained(run, port);
    plane_command_good(run, PLANE_BUFFER, port, MOEHUB_REDUCTION_COMMAND_FLUSH, 0);
    bench_run(run->bench, random_below(&run->random, BUSY));
    change_draining(run, port, MOEHUB_REDUCTION_COMMAND_RESUME, MOEHUB_SWITCH_PLANE_NO);
    const uint64_t sums = run->check.statuses[MOEHUB_STATUS_OK];
    bench_run(run->bench, BUSY);
    plane_run_settle(run);
    if (causes[MOEHUB_REDUCTION_CAUSE_DRAINING] == 0 || run->check.statuses[MOEHUB_STATUS_OK] == sums)
        bench_fail(run->bench, BENCH_NOTHING_COMPARED, "port %u: no request was refused while it drained, or granted after",
                   port);
}

/* ---- limits ---------------------------------------------------------------------------------------------------- */

/* A command is refused, and REFUSED is set. */
static void refuse(struct plane_run *run, enum plane_block block, unsigned port, unsigned operation, uint32_t data)
{
    plane_command_bad(run, block, port, operation, data);
    expect_interrupt(run, block, port, MOEHUB_CSR_INTERRUPT_STATUS_REFUSED);
}

static void port_commands(struct plane_run *run, unsigned port)
{
    const struct moehub_flit none = {{0, 0}};
    refuse(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_COMMAND_REVIVE, 0);
    plane_registers_expect_offender(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_CAUSE_COMMAND, none, port);
    expect_interrupt(run, PLANE_PORT, port, MOEHUB_CSR_INTERRUPT_STATUS_LATCHED);
    plane_registers_expect_value(run, PLANE_PORT, port, "INTERRUPT_STATUS at", MOEHUB_CSR_INTERRUPT_STATUS, 0);
    plane_set_timeout(run, port, DOWN_GROUP_TIMEOUT);
    refuse(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, DOWN_GROUP_TIMEOUT + 1);
    plane_registers_expect_value(run, PLANE_PORT, port, "PORT_TIMEOUT at", MOEHUB_SWITCH_PORT_CSR_PORT_TIMEOUT, 0);
    plane_command_good(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, DOWN_GROUP_TIMEOUT);
    plane_registers_expect_value(run, PLANE_PORT, port, "PORT_TIMEOUT at", MOEHUB_SWITCH_PORT_CSR_PORT_TIMEOUT,
                                 DOWN_GROUP_TIMEOUT);
    refuse(run, PLANE_PORT, port, 2 + (unsigned)random_below(&run->random, 14), 0);
}

static void buffer_commands(struct plane_run *run, unsigned port)
{
    const struct moehub_header latched = {.type = MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET};
    const uint64_t command = plane_address(PLANE_BUFFER, port, MOEHUB_CSR_COMMAND);
    refuse(run, PLANE_BUFFER, port, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, DOWN_GROUP_TIMEOUT - 1);
    plane_registers_expect_offender(run, PLANE_BUFFER, port, MOEHUB_REDUCTION_CAUSE_COMMAND, moehub_header_pack(&latched), 0);
    expect_interrupt(run, PLANE_BUFFER, port, MOEHUB_CSR_INTERRUPT_STATUS_LATCHED);
    plane_registers_expect_value(run, PLANE_BUFFER, port, "TIMEOUT at", MOEHUB_SWITCH_CSR_TIMEOUT, DOWN_GROUP_TIMEOUT);
    plane_command_bad(run, PLANE_BUFFER, port, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, (1u << 30) + 1);
    plane_command_bad(run, PLANE_BUFFER, port, 4 + (unsigned)random_below(&run->random, 12), 0);
    plane_write(run, PLANE_BUFFER, port, MOEHUB_CSR_COMMAND, MOEHUB_REDUCTION_COMMAND_RESUME);
    if (axi_lite_write(&run->registers, command, MOEHUB_REDUCTION_COMMAND_DRAIN) != MOEHUB_CSR_SLVERR)
        bench_fail(run->bench, BENCH_MISMATCH, "port %u: a command of its reduction buffer is taken while one is busy", port);
    plane_command_good(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, 0);
    plane_registers_expect_value(run, PLANE_BUFFER, port, "COMMAND_STATUS at", MOEHUB_CSR_COMMAND_STATUS, 0);
}

/* What no block has. */
static void demand_no_register(struct plane_run *run)
{
    uint32_t data;
    const uint64_t addresses[] = {plane_address(PLANE_BUFFER, run->config.ports, MOEHUB_CSR_ID),
                                  plane_address(PLANE_PORT, run->config.ports, MOEHUB_CSR_ID),
                                  plane_address(PLANE_ALL, 0, 1u << 12), plane_address(PLANE_ALL, 0, 1u << 13)};
    for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++)
        if (axi_lite_read(&run->registers, addresses[i], &data) != MOEHUB_CSR_SLVERR)
            bench_fail(run->bench, BENCH_MISMATCH, "a read of address 0x%x is not SLVERR", (unsigned)addresses[i]);
}

static void fixed_registers(struct plane_run *run, unsigned port)
{
    plane_registers_expect_value(run, PLANE_ALL, 0, "ID at", MOEHUB_CSR_ID, MOEHUB_ID_SWITCH_PLANE);
    plane_registers_expect_value(run, PLANE_PORT, port, "ID at", MOEHUB_CSR_ID, MOEHUB_ID_SWITCH_PORT);
    plane_registers_expect_value(run, PLANE_BUFFER, port, "ID at", MOEHUB_CSR_ID, MOEHUB_ID_SWITCH);
    plane_registers_expect_value(run, PLANE_ALL, 0, "PORTS at", MOEHUB_SWITCH_PLANE_CSR_PARAMETER_PORTS, run->config.ports);
    plane_registers_expect_value(run, PLANE_PORT, port, "PORTS at", MOEHUB_SWITCH_PORT_CSR_PARAMETER_PORTS, run->config.ports);
    plane_registers_expect_value(run, PLANE_PORT, port, "GROUPS at", MOEHUB_SWITCH_PORT_CSR_PARAMETER_GROUPS, run->config.groups);
    plane_registers_expect_value(run, PLANE_BUFFER, port, "ENTRIES at", MOEHUB_SWITCH_CSR_PARAMETER_ENTRIES,
                                 run->config.groups * run->config.request_lines);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        plane_registers_expect_value(run, PLANE_PORT, port, "PLACES at", MOEHUB_SWITCH_PORT_CSR_PARAMETER_PLACES_STORE + 4 * i,
                                     run->config.places[i]);
        plane_registers_expect_value(run, PLANE_PORT, port, "CREDITS at", MOEHUB_SWITCH_PORT_CSR_CREDITS + 4 * i, SCENE_PLACES);
    }
    demand_no_register(run);
}

void plane_commands(struct plane_run *run)
{
    plane_scene_reset(run, SCENE_PLACES, 0);
    for (unsigned port = 0; port < run->config.ports; port++) {
        fixed_registers(run, port);
        port_commands(run, port);
        buffer_commands(run, port);
    }
    refuse(run, PLANE_ALL, 0, MOEHUB_SWITCH_PLANE_COMMAND_TIMEOUT_LIMIT_SET, UINT16_MAX + 1);
    plane_registers_expect_value(run, PLANE_ALL, 0, "TIMEOUT_LIMIT at", MOEHUB_SWITCH_PLANE_CSR_TIMEOUT_LIMIT, 0);
    refuse(run, PLANE_ALL, 0, 1 + (unsigned)random_below(&run->random, 15), 0);
    plane_set_timeout_limit(run, UINT16_MAX);
    plane_registers_expect_value(run, PLANE_ALL, 0, "TIMEOUT_LIMIT at", MOEHUB_SWITCH_PLANE_CSR_TIMEOUT_LIMIT, UINT16_MAX);
    plane_scene_traffic(run, SCENE_ALL, BUSY);
    plane_scene_run_until_still(run);
}

/* ---- missing in timeouts --------------------------------------------------------------------------------------- */

static void expect_timeouts(struct plane_run *run, unsigned port, unsigned timeouts)
{
    plane_registers_expect_value(run, PLANE_PORT, port, "TIMEOUTS at", MOEHUB_SWITCH_PORT_CSR_TIMEOUTS, timeouts);
}

/* A line is asked of one port, which does not answer; until its result has left. */
static void miss(struct plane_run *run, unsigned port, unsigned missing)
{
    const uint64_t limit = run->bench->cycle + WITHIN, before = run->check.statuses[MOEHUB_STATUS_TIMEOUT];
    plane_scene_request(run, port, UINT64_C(1) << missing, MOEHUB_LINE_UNITS);
    while (run->check.statuses[MOEHUB_STATUS_TIMEOUT] == before) {
        if (run->bench->cycle > limit)
            bench_fail(run->bench, BENCH_MISMATCH, "port %u: no result says TIMEOUT within %u cycles", port, WITHIN);
        plane_run_step(run);
    }
    bench_run(run->bench, 2 * run->config.ports);
}

/* WENT_DOWN is an event: cleared, it stays so while the port is down, and its timeouts at the limit. */
static void expect_told_once(struct plane_run *run, unsigned port)
{
    plane_write(run, PLANE_PORT, port, MOEHUB_CSR_INTERRUPT_STATUS, MOEHUB_SWITCH_PORT_CSR_INTERRUPT_STATUS_WENT_DOWN);
    plane_write(run, PLANE_ALL, 0, MOEHUB_CSR_INTERRUPT_STATUS, MOEHUB_SWITCH_PLANE_CSR_INTERRUPT_STATUS_WENT_DOWN);
    run->went_down[port] = false;
    plane_registers_expect_value(run, PLANE_PORT, port, "INTERRUPT_STATUS at", MOEHUB_CSR_INTERRUPT_STATUS, 0);
    plane_registers_expect_value(run, PLANE_ALL, 0, "INTERRUPT_STATUS at", MOEHUB_CSR_INTERRUPT_STATUS, 0);
}

/* A port is down with its third timeout in a row; a partial, whatever becomes of it, and no notify, begins
 * a new row. */
void plane_timeout_limit(struct plane_run *run)
{
    enum { LIMIT = 3 };
    const unsigned port = plane_scene_port(run), missing = plane_scene_other(run, port);
    plane_scene_reset(run, SCENE_PLACES, 0);
    plane_set_timeout(run, port, SHORT);
    plane_set_timeout_limit(run, LIMIT);
    run->gpus[missing].responder.manners.silent = SILENT;
    for (unsigned i = 1; i < LIMIT; i++) {
        miss(run, port, missing);
        expect_timeouts(run, missing, i);
        expect_timeouts(run, port, 0);
    }
    plane_traffic_notify(&run->gpus[missing].traffic, plane_queue_add(&run->gpus[missing].uplink.queues[MOEHUB_CLASS_RESPONSE]));
    plane_scene_run_until_still(run);
    expect_timeouts(run, missing, LIMIT - 1);
    const struct moehub_header late = {
        .type = MOEHUB_PACKET_PARTIAL, .source = (uint16_t)missing, .offset = (uint16_t)port, .stage = MOEHUB_STAGE_COMBINE,
        .length = MOEHUB_FLIT_BYTES, .tag = moehub_entry_tag(0xFFFF, 0)};
    plane_scene_packet(run, missing, MOEHUB_CLASS_RESPONSE, &late, NULL);
    plane_scene_run_until_still(run);
    expect_timeouts(run, missing, 0);
    for (unsigned i = 1; i < LIMIT; i++)
        miss(run, port, missing);
    plane_down_await(run, 0, 0);
    plane_scene_request(run, port, UINT64_C(1) << missing, MOEHUB_LINE_UNITS);
    plane_scene_run_until_still(run);
    plane_down_expect(run, missing);
    plane_down_await(run, UINT64_C(1) << missing, WITHIN);
    expect_told_once(run, missing);
    plane_revive(run, missing);
    plane_down_await(run, 0, 0);
    expect_timeouts(run, missing, 0);
    plane_set_timeout_limit(run, 0);
    for (unsigned i = 0; i < LIMIT + 1; i++)
        miss(run, port, missing);
    expect_timeouts(run, missing, LIMIT + 1);
    plane_down_await(run, 0, 0);
    plane_run_settle(run);
}
