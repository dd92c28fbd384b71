/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/system_plane.h"

enum { RESET_CYCLES = 4 };

void system_plane_create(struct system_plane *plane, struct bench *bench, unsigned ports, unsigned latency)
{
    *plane = (struct system_plane){.bench = bench, .ports = ports};
    plane_pins_create(&plane->pins, bench, ports);
    for (unsigned port = 0; port < ports; port++) {
        system_link_create(&plane->up[port], latency);
        system_link_create(&plane->down[port], latency);
    }
    const char *const quiet[] = {"s_axil_awvalid", "s_axil_wvalid", "s_axil_bready", "s_axil_arvalid", "s_axil_rready"};
    for (unsigned i = 0; i < sizeof quiet / sizeof *quiet; i++)
        pin_set(bench_pin(bench, quiet[i]), 0);
    bench_set_reset(bench, true);
}

void system_plane_destroy(struct system_plane *plane)
{
    for (unsigned port = 0; port < plane->ports; port++) {
        system_link_destroy(&plane->up[port]);
        system_link_destroy(&plane->down[port]);
    }
}

void system_plane_step(struct system_plane *plane)
{
    struct bench *bench = plane->bench;
    if (bench->cycle == RESET_CYCLES)
        bench_set_reset(bench, false);
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
        plane_pins_set(&plane->pins, port, !bench->reset, &came->flit, &came->grant);
    }
    plane_pins_drive(&plane->pins);
    bench_settle(bench);
    bench_tick(bench);
}
