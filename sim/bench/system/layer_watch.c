/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_watch.h"

#include <inttypes.h>
#include <stdio.h>

/* Grows whenever a GPU gets on. */
static uint64_t steps_done(const struct layer_system *system)
{
    uint64_t steps = system->phases.begun + system->phases.ended;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        const struct system_hub *hub = &system->hubs[gpu];
        const struct gpu_counts *counts = &hub->gpu.counts;
        steps += (hub->started ? 1u : 0u) + (hub->closed ? 1u : 0u) + (hub->stopped ? 1u : 0u) + (hub->software.ended ? 1u : 0u);
        steps += (hub->gpu.arrived ? 1u : 0u) + hub->gpu.rows_taken + hub->gpu.rows_stored;
        steps += counts->rows_received + counts->lines_reduced + counts->tiles + counts->tokens;
    }
    return steps;
}

static void print_steps(const struct layer_system *system)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        const struct system_hub *hub = &system->hubs[gpu];
        const struct gpu_counts *counts = &hub->gpu.counts;
        fprintf(stderr,
                "GPU %-2u  %s, rows taken %u stored %u received %" PRIu64 ", %s, tile events %" PRIu64 ", tokens ready %" PRIu64
                ", lines of sums %" PRIu64 ", flits up %" PRIu64 " down %" PRIu64 "\n",
                gpu, hub->started ? hub->closed ? "closed" : "started" : "being set up", hub->gpu.rows_taken,
                hub->gpu.rows_stored, counts->rows_received, hub->gpu.arrived ? "all arrived" : "not all arrived",
                counts->tiles, counts->tokens, counts->lines_reduced,
                system_planes_up(system->planes, system->shape.links, gpu),
                system_planes_down(system->planes, system->shape.links, gpu));
    }
}

void layer_watch(struct layer_system *system)
{
    const uint64_t steps = steps_done(system), now = system->bench.cycle;
    if (steps != system->steps) {
        system->steps = steps;
        system->step_cycle = now;
    }
    if (now - system->step_cycle <= system->bench.watchdog.limit)
        return;
    print_steps(system);
    bench_fail(&system->bench, BENCH_TIMEOUT, "no GPU got on for %" PRIu64 " cycles (--watchdog)", now - system->step_cycle);
}
