/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_down.h"

#include "bench/switch/switch_plane_commands.h"
#include "bench/switch/switch_plane_scene.h"
#include "moehub/registers.h"

#include <inttypes.h>

void plane_down_prepare(struct plane_run *run, uint32_t places, uint64_t starving)
{
    plane_scene_reset(run, places, starving);
    for (unsigned port = 0; port < run->config.ports; port++) {
        plane_set_timeout(run, port, DOWN_GROUP_TIMEOUT);
        plane_command_good(run, PLANE_PORT, port, MOEHUB_SWITCH_PORT_COMMAND_PORT_TIMEOUT_SET, DOWN_PORT_TIMEOUT);
    }
}

void plane_down_unmask(struct plane_run *run, unsigned port)
{
    plane_write(run, PLANE_PORT, port, MOEHUB_CSR_INTERRUPT_MASK, MOEHUB_SWITCH_PORT_CSR_INTERRUPT_STATUS_WENT_DOWN);
    run->unmasked = true;
}

void plane_down_expect(struct plane_run *run, unsigned port)
{
    moehub_switch_plane_set_down(&run->check.model, port, MOEHUB_SWITCH_PLANE_MAYBE);
}

/* It is: from now on nothing may start to leave by its link. */
static void is_down(struct plane_run *run, unsigned port)
{
    run->went_down[port] = true;
    run->check.leaving[port].closed = true;
    moehub_switch_plane_set_down(&run->check.model, port, MOEHUB_SWITCH_PLANE_YES);
}

/* The pin rises three cycles after the port is down: no packet can have started to leave since. */
void plane_down_await_pin(struct plane_run *run, unsigned port, unsigned cycles)
{
    const uint64_t limit = run->bench->cycle + cycles;
    while (pin_get(run->interrupt) == 0) {
        if (run->bench->cycle > limit)
            bench_fail(run->bench, BENCH_MISMATCH, "port %u: no interrupt, for it is not down within %u cycles", port, cycles);
        plane_run_step(run);
    }
    is_down(run, port);
}

static uint64_t ports_down(struct plane_run *run)
{
    const uint64_t low = plane_read(run, PLANE_ALL, 0, MOEHUB_SWITCH_PLANE_CSR_DOWN);
    return low | (uint64_t)plane_read(run, PLANE_ALL, 0, MOEHUB_SWITCH_PLANE_CSR_DOWN + 4) << 32;
}

void plane_down_await(struct plane_run *run, uint64_t ports, unsigned cycles)
{
    const uint64_t limit = run->bench->cycle + cycles;
    uint64_t down;
    while ((down = ports_down(run)) != ports)
        if (run->bench->cycle > limit)
            bench_fail(run->bench, BENCH_MISMATCH, "DOWN is 0x%" PRIx64 " and not 0x%" PRIx64 " within %u cycles", down, ports,
                       cycles);
    for (unsigned port = 0; port < run->config.ports; port++)
        if ((ports >> port & 1) != 0)
            is_down(run, port);
}
