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
        const struct gpu_sums sums = gpu_rounds_sums(&hub->rounds);
        steps += (hub->started ? 1u : 0u) + (hub->closed ? 1u : 0u) + (hub->stopped ? 1u : 0u) + (hub->software.ended ? 1u : 0u);
        steps += hub->rounds.first + hub->rounds.end + sums.arrived + sums.rows_taken + sums.rows_stored;
        steps += sums.counts.rows_received + sums.counts.lines_reduced + sums.counts.tiles + sums.counts.tokens;
    }
    return steps;
}

static void print_steps(const struct layer_system *system)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        const struct system_hub *hub = &system->hubs[gpu];
        const struct gpu_sums sums = gpu_rounds_sums(&hub->rounds);
        fprintf(stderr,
                "GPU %-2u  %s, rows taken %" PRIu64 " stored %" PRIu64 " received %" PRIu64 ", rounds arrived %" PRIu64
                ", tile events %" PRIu64 ", tokens ready %" PRIu64 ", lines of sums %" PRIu64
                ", flits up %" PRIu64 " down %" PRIu64 "\n",
                gpu, hub->started ? hub->closed ? "closed" : "started" : "being set up", sums.rows_taken,
                sums.rows_stored, sums.counts.rows_received, sums.arrived, sums.counts.tiles, sums.counts.tokens,
                sums.counts.lines_reduced,
                system_planes_up(system->planes, system->shape.links, gpu),
                system_planes_down(system->planes, system->shape.links, gpu));
    }
}

static void note_together(struct layer_system *system)
{
    for (unsigned gpu = 0; gpu < system->shape.gpus && system->round_count > 1; gpu++) {
        const unsigned together = gpu_rounds_under_way(&system->hubs[gpu].rounds);
        system->verdict.together = together > system->verdict.together ? together : system->verdict.together;
    }
}

void layer_watch(struct layer_system *system)
{
    note_together(system);
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
