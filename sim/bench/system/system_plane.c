/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/system_plane.h"

#include "bench/system/plane_program.h"

enum { RESET_CYCLES = 4 };

void system_plane_create(struct system_plane *plane, struct bench *bench, unsigned ports, unsigned latency,
                         uint32_t port_timeout, uint32_t group_timeout, bool counted)
{
    *plane = (struct system_plane){.bench = bench,
                                   .ports = ports,
                                   .port_timeout = port_timeout,
                                   .group_timeout = group_timeout,
                                   .counted = counted};
    plane_pins_create(&plane->pins, bench, ports);
    for (unsigned port = 0; port < ports; port++) {
        system_link_create(&plane->up[port], latency);
        system_link_create(&plane->down[port], latency);
    }
    axi_lite_create(&plane->registers, bench, "s_axil", STALL_NONE);
    software_create(&plane->software, plane_program, plane);
    bench_set_reset(bench, true);
}

void system_plane_destroy(struct system_plane *plane)
{
    for (unsigned port = 0; port < plane->ports; port++) {
        system_link_destroy(&plane->up[port]);
        system_link_destroy(&plane->down[port]);
    }
    software_destroy(&plane->software);
}

void system_plane_step(struct system_plane *plane)
{
    struct bench *bench = plane->bench;
    if (bench->cycle == RESET_CYCLES)
        bench_set_reset(bench, false);
    if (!bench->reset)
        software_step(&plane->software);
    plane_pins_sample(&plane->pins);
    for (unsigned port = 0; port < plane->ports; port++) {
        struct link_moment sent = {.flit = {.valid = false}};
        if (!bench->reset && !bench->quiet)
            sent = (struct link_moment){plane_pins_flit(&plane->pins, port), plane_pins_grant(&plane->pins, port)};
        system_link_send(&plane->down[port], bench->cycle, &sent);
        const struct link_moment *came = system_link_come(&plane->up[port], bench->cycle);
        if (sent.flit.valid)
            packet_log_flit(&plane->log, bench->cycle, port, PACKET_LOG_OUT, &sent.flit);
        if (came->flit.valid)
            packet_log_flit(&plane->log, bench->cycle, port, PACKET_LOG_IN, &came->flit);
        const struct moehub_link_grant grant = system_link_grant(&plane->down[port], &came->grant);
        plane_pins_set(&plane->pins, port, !bench->reset && !plane->up[port].cut, &came->flit, &grant);
    }
    plane_pins_drive(&plane->pins);
    axi_lite_drive(&plane->registers);
    bench_settle(bench);
    axi_lite_sample(&plane->registers);
    bench_tick(bench);
}
