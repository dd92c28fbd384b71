/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/crossbar_run.h"

#include <inttypes.h>

enum { STILL = 400 }; /* cycles: far more than the way of a copy */

static uint64_t last_move(const struct crossbar_run *run)
{
    return run->inputs.moved > run->outputs.moved ? run->inputs.moved : run->outputs.moved;
}

/* Copies are inside, and neither a receiver nor a taker has moved a flit. */
static bool copies_wait(const void *self, struct watchdog_wait *wait)
{
    const struct crossbar_run *run = self;
    if (run->model.waiting == 0)
        return false;
    wait->still_since = last_move(run);
    snprintf(wait->text, sizeof wait->text, "%" PRIu64 " copies inside; the last flit moved in cycle %" PRIu64,
             run->model.waiting, wait->still_since);
    return true;
}

void crossbar_run_create(struct crossbar_run *run, struct bench *bench)
{
    *run = (struct crossbar_run){.bench = bench, .config = crossbar_config_read(dut_description())};
    const struct moehub_crossbar_config model = crossbar_config_model(&run->config);
    if (moehub_crossbar_create(&run->model, &model) != 0)
        bench_fail(bench, BENCH_CONFIGURATION, "out of memory");
    crossbar_waits_create(&run->waits, run->config.ports);
    crossbar_inputs_create(&run->inputs, bench, &run->config, &run->model, &run->waits);
    crossbar_outputs_create(&run->outputs, bench, &run->config, &run->model, &run->waits);
    watchdog_add(&bench->watchdog, copies_wait, run);
    bench->watchdog.limit += bench->watchdog.limit > 0 ? crossbar_config_patience(&run->config) : 0;
    bench->step = crossbar_run_step;
    bench->context = run;
}

void crossbar_run_destroy(struct crossbar_run *run)
{
    crossbar_inputs_destroy(&run->inputs);
    crossbar_outputs_destroy(&run->outputs);
    crossbar_waits_destroy(&run->waits);
    moehub_crossbar_destroy(&run->model);
}

static void forget(struct crossbar_run *run)
{
    run->resets_in_use += run->model.waiting > 0;
    moehub_crossbar_reset(&run->model);
    crossbar_inputs_forget(&run->inputs);
    crossbar_outputs_forget(&run->outputs);
}

void crossbar_run_step(void *context)
{
    struct crossbar_run *run = context;
    if (run->bench->reset)
        forget(run);
    crossbar_inputs_drive(&run->inputs);
    crossbar_outputs_drive(&run->outputs);
    bench_settle(run->bench);
    crossbar_inputs_sample(&run->inputs);
    crossbar_outputs_sample(&run->outputs);
    bench_tick(run->bench);
}

void crossbar_run_reset(struct crossbar_run *run, unsigned cycles)
{
    const uint64_t limit = run->bench->cycle + cycles + run->config.places + STILL;
    bench_reset(run->bench, cycles);
    do {
        if (run->bench->cycle > limit)
            bench_fail(run->bench, BENCH_TIMEOUT, "the stores are not initialised %" PRIu32 " cycles after a reset",
                       run->config.places + STILL);
        crossbar_run_step(run);
    } while (!crossbar_inputs_initialised(&run->inputs));
}

void crossbar_run_until_still(struct crossbar_run *run)
{
    const uint64_t start = run->bench->cycle;
    do
        crossbar_run_step(run);
    while (run->bench->cycle - (last_move(run) > start ? last_move(run) : start) < STILL);
}

void crossbar_run_settle(struct crossbar_run *run)
{
    run->inputs.stimulus = (struct crossbar_stimulus){0};
    crossbar_inputs_stall(&run->inputs, STALL_NONE);
    crossbar_outputs_stall(&run->outputs, STALL_NONE, false);
    crossbar_outputs_hold(&run->outputs, 0);
    while (run->model.waiting > 0 || !crossbar_inputs_idle(&run->inputs))
        crossbar_run_step(run);
    bench_run(run->bench, STILL);
    crossbar_inputs_demand_free(&run->inputs);
}
