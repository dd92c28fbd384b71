/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/plane_program.h"

#include "bench/system/system_plane.h"
#include "moehub/csr.h"

#include <inttypes.h>
#include <string.h>

enum { PORT_BLOCK = 1 << 12, PORT_SHIFT = 13 };

/* `offset` with PORT_BLOCK: the port's; without: its reduction buffer's. */
static uint64_t address_of(unsigned port, unsigned offset)
{
    return (uint64_t)port << PORT_SHIFT | offset;
}

static void await_bus(struct system_plane *plane)
{
    software_await_bus(&plane->software, &plane->registers);
    if (plane->registers.response != MOEHUB_CSR_OKAY)
        bench_fail(plane->bench, BENCH_MISMATCH, "plane: a register access is refused: response %u", plane->registers.response);
}

static void write_register(struct system_plane *plane, unsigned port, unsigned offset, uint32_t data)
{
    axi_lite_start_write(&plane->registers, address_of(port, offset), data, 0xF);
    await_bus(plane);
}

static uint32_t read_register(struct system_plane *plane, unsigned port, unsigned offset)
{
    axi_lite_start_read(&plane->registers, address_of(port, offset));
    await_bus(plane);
    return plane->registers.data;
}

/* Of a port's block, or of its reduction buffer's (0), which has its data at the same place. */
static void command(struct system_plane *plane, unsigned port, unsigned block, unsigned operation, uint32_t data)
{
    uint32_t status;
    write_register(plane, port, block | MOEHUB_SWITCH_PORT_CSR_COMMAND_DATA, data);
    write_register(plane, port, block | MOEHUB_CSR_COMMAND, operation);
    do
        status = read_register(plane, port, block | MOEHUB_CSR_COMMAND_STATUS);
    while ((status & MOEHUB_CSR_COMMAND_STATUS_BUSY) != 0);
    if ((status & MOEHUB_CSR_COMMAND_STATUS_REFUSED) != 0)
        bench_fail(plane->bench, BENCH_MISMATCH, "plane: port %u refuses command %u with %" PRIu32, port, operation, data);
}

static void read_block(struct system_plane *plane, unsigned port, unsigned block, unsigned events, uint64_t *counters)
{
    write_register(plane, port, block | MOEHUB_CSR_SNAPSHOT, 0);
    for (unsigned event = 0; event < events; event++) {
        const uint32_t low = read_register(plane, port, block | (MOEHUB_CSR_COUNTER_LOW + 8 * event));
        const uint32_t high = read_register(plane, port, block | (MOEHUB_CSR_COUNTER_HIGH + 8 * event));
        counters[event] = (uint64_t)high << 32 | low;
    }
}

static void read_counters(struct system_plane *plane)
{
    memcpy(plane->counters_before, plane->counters, sizeof plane->counters);
    memcpy(plane->sums_before, plane->sums, sizeof plane->sums);
    for (unsigned port = 0; port < plane->ports; port++) {
        read_block(plane, port, PORT_BLOCK, MOEHUB_SWITCH_PORT_EVENTS, plane->counters[port]);
        read_block(plane, port, 0, MOEHUB_REDUCTION_EVENTS, plane->sums[port]);
    }
}

static void revive(struct system_plane *plane)
{
    for (unsigned port = 0; port < plane->ports; port++) {
        if ((read_register(plane, port, PORT_BLOCK | MOEHUB_CSR_STATUS) & MOEHUB_SWITCH_PORT_CSR_STATUS_DOWN) == 0)
            continue;
        plane->was_down |= UINT64_C(1) << port;
        command(plane, port, PORT_BLOCK, MOEHUB_SWITCH_PORT_COMMAND_REVIVE, 0);
    }
}

static bool is_round_over(const void *user)
{
    const struct system_plane *plane = user;
    return plane->round_over;
}

void plane_program(void *user)
{
    struct system_plane *plane = user;
    for (unsigned port = 0; port < plane->ports; port++) {
        command(plane, port, 0, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, plane->group_timeout);
        command(plane, port, PORT_BLOCK, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, plane->port_timeout);
    }
    plane->started = true;
    for (;;) {
        software_await(&plane->software, is_round_over);
        if (plane->counted)
            read_counters(plane);
        revive(plane);
        plane->round_over = false;
    }
}
