/* SPDX-License-Identifier: Apache-2.0 */
/* rst in commands and in traffic. */
#include "bench/hub/address_path_tests.h"

void get_everything(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    for (unsigned context = 0; context < config->contexts; context++) {
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 0, 0, 0);
        for (unsigned expert = 0; expert < config->local_experts; expert += 1 + expert / 8)
            hub_software_must(&run->software, MOEHUB_HUB_COMMAND_REGION_GET, context, expert, 0, 0);
    }
}

/* rst of one cycle at any time of a command that walks through the memories, and the path works as if there had been none. */
static void reset_in_command(struct address_path_run *run, unsigned operation)
{
    for (unsigned cycle = 8; cycle < 24 + 2 * run->path.config.sets; cycle += 1 + cycle / 64) {
        for (unsigned context = 0; context < run->path.config.contexts; context++)
            hub_software_close(&run->software, context);
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, hub_flight_table(&run->path.flight, 0),
                          UINT64_C(1) << 32 | 1); /* a clear is needed */
        const struct moehub_hub_command command = {.operation = (uint8_t)operation};
        hub_commands_send(&run->path.commands, &command);
        bench_run(&run->path.bench, cycle);
        hub_path_reset(&run->path, 1, run->path.bench.options.seed + cycle);
        hub_path_wait_initialised(&run->path);
        script_open(run, 2, 2);
        script_announce(run, 0, 0);
        script_look(run, 0, 0);
        script_play(run);
    }
}

void test_reset_in_commands(struct address_path_run *run)
{
    enum { SETS_FEW = 16, REGIONS_FEW = 64 };
    if (run->path.config.sets > SETS_FEW || run->path.config.contexts * run->path.config.local_experts > REGIONS_FEW)
        return;
    reset_in_command(run, MOEHUB_HUB_COMMAND_FLUSH);
    hub_software_close(&run->software, 0);
    reset_in_command(run, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR);
}

/* rst while everything is in flight, then a fresh start. */
void test_reset_in_traffic(struct address_path_run *run)
{
    for (unsigned round = 0; round < 3; round++) {
        script_open(run, 256, 64);
        script_latency(run, 1, 200);
        hub_traffic_keys(&run->traffic, HUB_KEYS_MANY);
        run->traffic.remaining = UINT64_MAX;
        run->traffic.reads = 64;
        run->path.requests.supply = hub_traffic_supply;
        run->path.requests.supply_user = &run->traffic;
        bench_run(&run->path.bench, 100 + 77 * round);
        run->path.requests.supply = NULL;
        hub_path_reset(&run->path, 1 + round, run->path.bench.options.seed + round);
        hub_path_wait_initialised(&run->path);
        get_everything(run);
        script_clear(run);
        script_look(run, 0, 0); /* disabled again */
        script_play(run);
    }
    script_latency(run, 1, 20);
}
