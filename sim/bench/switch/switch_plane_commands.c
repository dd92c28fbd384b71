/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_commands.h"

#include "moehub/registers.h"

enum { PORT_SHIFT = 13 };

static const char *const block_names[] = {"reduction buffer of port", "port", "plane, port"};

uint64_t plane_address(enum plane_block block, unsigned port, unsigned offset)
{
    switch (block) {
    case PLANE_BUFFER: return (uint64_t)port << PORT_SHIFT | offset;
    case PLANE_PORT: return (uint64_t)port << PORT_SHIFT | 1u << 12 | offset;
    default: return 1u << 19 | offset;
    }
}

uint32_t plane_read(struct plane_run *run, enum plane_block block, unsigned port, unsigned offset)
{
    return axi_lite_get(&run->registers, plane_address(block, port, offset));
}

void plane_write(struct plane_run *run, enum plane_block block, unsigned port, unsigned offset, uint32_t data)
{
    axi_lite_set(&run->registers, plane_address(block, port, offset), data);
}

/* ---- commands ------------------------------------------------------------------------------------------ */

static void count_refused(struct plane_run *run, enum plane_block block, unsigned port)
{
    struct moehub_switch_plane_counts *counts = &run->check.model.ports[port].counts;
    if (block == PLANE_BUFFER)
        counts->reduction[MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_COMMAND]++;
    else if (block == PLANE_PORT)
        counts->causes[MOEHUB_SWITCH_PORT_CAUSE_COMMAND]++;
    else
        run->plane_refused = true;
}

bool plane_command(struct plane_run *run, enum plane_block block, unsigned port, unsigned operation, uint32_t data)
{
    uint32_t status = MOEHUB_CSR_COMMAND_STATUS_BUSY;
    plane_write(run, block, port, MOEHUB_SWITCH_CSR_COMMAND_DATA, data);
    plane_write(run, block, port, MOEHUB_CSR_COMMAND, operation);
    while ((status & MOEHUB_CSR_COMMAND_STATUS_BUSY) != 0)
        status = plane_read(run, block, port, MOEHUB_CSR_COMMAND_STATUS);
    if ((status & MOEHUB_CSR_COMMAND_STATUS_REFUSED) == 0)
        return true;
    count_refused(run, block, port);
    return false;
}

static void demand(struct plane_run *run, enum plane_block block, unsigned port, unsigned operation, uint32_t data, bool good)
{
    if (plane_command(run, block, port, operation, data) != good)
        bench_fail(run->bench, BENCH_MISMATCH, "%s %u: command %u with %u is %srefused", block_names[block], port, operation,
                   (unsigned)data, good ? "" : "not ");
}

void plane_command_good(struct plane_run *run, enum plane_block block, unsigned port, unsigned operation, uint32_t data)
{
    demand(run, block, port, operation, data, true);
}

void plane_command_bad(struct plane_run *run, enum plane_block block, unsigned port, unsigned operation, uint32_t data)
{
    demand(run, block, port, operation, data, false);
}

/* The model waits for the shorter of the two times while the command is under way. */
void plane_set_timeout(struct plane_run *run, unsigned port, uint32_t timeout)
{
    run->check.model.ports[port].timeout = timeout;
    plane_command_good(run, PLANE_BUFFER, port, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, timeout);
}

void plane_set_timeout_limit(struct plane_run *run, uint32_t limit)
{
    plane_command_good(run, PLANE_ALL, 0, MOEHUB_SWITCH_PLANE_COMMAND_TIMEOUT_LIMIT_SET, limit);
    run->timeout_limit = limit;
}

void plane_revive(struct plane_run *run, unsigned port)
{
    moehub_switch_plane_set_down(&run->check.model, port, MOEHUB_SWITCH_PLANE_MAYBE);
    run->check.leaving[port].closed = false;
    plane_command_good(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_COMMAND_REVIVE, 0);
    moehub_switch_plane_set_down(&run->check.model, port, MOEHUB_SWITCH_PLANE_NO);
}
