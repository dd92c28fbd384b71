/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/switch_plane_run.h"

#include "bench/switch/switch_plane_config.h"
#include "bench/switch/switch_plane_registers.h"
#include "kit/allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    LINK_DOWN = 6,       /* cycles after a reset in which the links are still down */
    EMPTY_WITHIN = 20000, /* cycles after the last flit: more than a group is in quarantine */
    GRANTS = 100,        /* cycles in which a receiver has granted all that came free, with a margin */
};

void plane_run_create(struct plane_run *run, struct bench *bench, const char *packets)
{
    const struct switch_plane_parameters parameters = switch_plane_config_read(dut_description());
    *run = (struct plane_run){.bench = bench, .config = parameters.model, .copies = parameters.copies, .slots = parameters.slots};
    packet_log_create(&run->log, packets, run->config.ports);
    plane_check_create(&run->check, bench, &run->config, &run->log);
    plane_pins_create(&run->pins, bench, run->config.ports);
    run->gpus = allocate(run->config.ports, sizeof *run->gpus);
    for (unsigned port = 0; port < run->config.ports; port++)
        plane_gpu_create(&run->gpus[port], bench, &run->config, port);
    plane_registers_create(run);
    axi_lite_create(&run->registers, bench, "s_axil", STALL_NONE);
    bench_random(bench, &run->random, "run");
    run->initialised = bench_pin(bench, "initialised");
    run->interrupt = bench_pin(bench, "interrupt_request");
    bench->step = plane_run_step;
    bench->context = run;
}

void plane_run_destroy(struct plane_run *run)
{
    for (unsigned port = 0; port < run->config.ports; port++)
        plane_gpu_destroy(&run->gpus[port]);
    free(run->gpus);
    plane_check_destroy(&run->check);
    scoreboard_destroy(&run->counters);
    if (!packet_log_destroy(&run->log))
        fprintf(stderr, "the file of --packets could not be written\n");
}

/* ---- a cycle --------------------------------------------------------------------------------------------- */

static void step_port(struct plane_run *run, unsigned port)
{
    struct plane_gpu_cycle now = {.in_grant = plane_pins_grant(&run->pins, port), .out = plane_pins_flit(&run->pins, port)};
    plane_gpu_step(&run->gpus[port], &now, run->bench->cycle);
    plane_check_cycle(&run->check, port, now.link_up, &now.in, &now.in_grant, &now.out, &now.out_grant);
    plane_pins_set(&run->pins, port, now.link_up, &now.in, &now.out_grant);
}

/* All outputs of the switch's links are registers: they show before bench_settle what they have in this cycle. */
void plane_run_step(void *context)
{
    struct plane_run *run = context;
    plane_pins_sample(&run->pins);
    for (unsigned port = 0; port < run->config.ports; port++)
        step_port(run, port);
    plane_pins_drive(&run->pins);
    axi_lite_drive(&run->registers);
    bench_settle(run->bench);
    axi_lite_sample(&run->registers);
    if (!run->unmasked && pin_get(run->interrupt) != 0)
        bench_fail(run->bench, BENCH_MISMATCH, "interrupt_request is high, and every interrupt is masked");
    bench_tick(run->bench);
}

/* ---- reset ------------------------------------------------------------------------------------------------- */

void plane_run_end(struct plane_run *run)
{
    for (unsigned port = 0; port < run->config.ports; port++) {
        const struct moehub_switch_plane_counts *counts = &run->check.model.ports[port].counts;
        run->refused_down += counts->refused_down;
        for (unsigned i = 0; i < MOEHUB_LINK_CAUSES; i++)
            run->causes[i] += counts->causes[i];
    }
}

static void forget(struct plane_run *run)
{
    run->resets_in_use += moehub_switch_plane_waiting(&run->check.model) > 0;
    plane_run_end(run);
    plane_check_reset(&run->check);
    run->timeout_limit = 0;
    run->plane_refused = false;
    memset(run->went_down, 0, sizeof run->went_down);
}

static uint64_t most_places(const struct plane_run *run)
{
    uint64_t most = run->config.groups * run->config.request_lines;
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        most = run->config.places[i] > most ? run->config.places[i] : most;
    return most;
}

void plane_run_reset(struct plane_run *run, unsigned cycles, const struct plane_links *links)
{
    forget(run);
    for (unsigned port = 0; port < run->config.ports; port++) {
        struct plane_gpu *gpu = &run->gpus[port];
        for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
            gpu->downlink.places[i] = links[port].places[i];
        plane_gpu_reset(gpu, links[port].latency, cycles + LINK_DOWN);
        run->longest = links[port].latency > run->longest ? links[port].latency : run->longest;
    }
    run->unmasked = true; /* until the reset has reached the pin */
    bench_reset(run->bench, cycles);
    run->unmasked = false;
    const uint64_t limit = run->bench->cycle + most_places(run) + GRANTS;
    while (pin_get(run->initialised) == 0) {
        if (run->bench->cycle > limit)
            bench_fail(run->bench, BENCH_TIMEOUT, "the plane is not initialised %" PRIu64 " cycles after a reset",
                       most_places(run) + GRANTS);
        plane_run_step(run);
    }
}

/* ---- the end ------------------------------------------------------------------------------------------------- */

static void calm_gpu(struct plane_gpu *gpu)
{
    gpu->sends = false;
    gpu->uplink.rude = (struct plane_rudeness){0};
    gpu->uplink.overdraws = 0;
    gpu->uplink.stall.kind = gpu->uplink.stall.now = STALL_NONE;
    gpu->downlink.grants.kind = gpu->downlink.grants.now = STALL_NONE;
    gpu->responder.manners = (struct plane_manners){0};
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        gpu->downlink.starves[i] = false;
        gpu->downlink.consume[i].kind = gpu->downlink.consume[i].now = STALL_NONE;
    }
}

void plane_run_calm(struct plane_run *run)
{
    for (unsigned port = 0; port < run->config.ports; port++)
        calm_gpu(&run->gpus[port]);
}

/* A packet that was left open ends with the next one, which may wait for its places: a notify waits for none. */
static void end_open_packet(struct plane_gpu *gpu)
{
    const bool notifies = gpu->uplink.queues[MOEHUB_CLASS_RESPONSE].count > 0;
    if (gpu->uplink.shadow.open && !notifies && !plane_uplink_can_send(&gpu->uplink))
        plane_traffic_notify(&gpu->traffic, plane_queue_add(&gpu->uplink.queues[MOEHUB_CLASS_RESPONSE]));
}

bool plane_run_idle(const struct plane_run *run)
{
    for (unsigned port = 0; port < run->config.ports; port++)
        if (!plane_gpu_idle(&run->gpus[port], run->bench->cycle))
            return false;
    return plane_check_idle(&run->check);
}

void plane_run_empty(struct plane_run *run)
{
    do {
        for (unsigned port = 0; port < run->config.ports; port++)
            end_open_packet(&run->gpus[port]);
        plane_run_step(run);
        if (run->bench->cycle - run->check.waiting_since > EMPTY_WITHIN)
            bench_fail(run->bench, BENCH_TIMEOUT, "no flit has crossed a link for %u cycles, and places or groups are in use",
                       EMPTY_WITHIN);
    } while (!plane_run_idle(run) || !plane_registers_are_empty(run));
    bench_run(run->bench, GRANTS);
    plane_check_places(&run->check);
    plane_registers_check(run);
}

void plane_run_settle(struct plane_run *run)
{
    plane_run_calm(run);
    plane_run_empty(run);
}
