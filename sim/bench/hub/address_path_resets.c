/* SPDX-License-Identifier: Apache-2.0 */
/* rst in commands and in traffic. */
#include "bench/hub/address_path_tests.h"

void get_everything(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    for (unsigned context = 0; context < config->contexts; context++) {
        for (unsigned stage = 0; stage < config->stages; stage++) {
            hub_software_must(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, stage, 0, 0);
            for (unsigned expert = 0; expert < config->local_experts; expert += 1 + expert / 8)
                hub_software_must(&run->software, MOEHUB_HUB_COMMAND_REGION_GET, context, stage << 15 | expert, 0, 0);
        }
    }
}

/* rst of one cycle at any time of a command that walks through the memories, and the path works as if there had been none. */
static void reset_in_command(struct address_path_run *run, unsigned operation)
{
    for (unsigned cycle = 8; cycle < 24 + 2 * run->path.config.sets; cycle += 1 + cycle / 64) {
        for (unsigned context = 0; context < run->path.config.contexts; context++)
            hub_software_close(&run->software, context);
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, hub_flight_table(&run->path.flight, 0),
                          (uint64_t)hub_software_size(&run->software, 1) << 32 | 1); /* a clear is needed */
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

/* What fills the lists of `ports` ports: a miss of each, and behind them hits that need not wait but for their turn. */
static void say_lists(struct address_path_run *run, unsigned ports, unsigned requests)
{
    const uint32_t rows = run->path.model.alloc.contexts[0].row_limit;
    for (unsigned i = 0, port = 0; i < requests; i++) {
        const uint32_t row = i < ports ? 1 + i % 3 : 0;
        script_look(run, 0, row < rows ? row : 0)->port = (uint8_t)port;
        port = port + 1 < ports ? port + 1 : 0;
    }
}

/* rst at a random cycle while lists, output and pipelines are full, answers held or not; then the path works as if nothing had
 * been. Two long lists in half of the rounds: a turn ends in the middle of one, and the next is chosen already. Mostly of one
 * cycle: in a longer one much puts itself right. */
void test_reset_when_full(struct address_path_run *run)
{
    enum { ROUNDS = 64, LATENCY = 60, BEYOND = 32 };
    const struct moehub_address_path_config *config = &run->path.config;
    const unsigned requests = config->waiting < SCRIPT_MAX / 2 ? config->waiting + BEYOND : SCRIPT_MAX / 2;
    const bool small = config->contexts * config->local_experts <= EXPERTS_FEW && config->waiting <= 256;
    for (unsigned round = 0; small && round < ROUNDS; round++) {
        script_open_mapped(run, 4, 4);
        script_look(run, 0, 0);
        script_play(run);
        script_latency(run, LATENCY, 2 * LATENCY);
        say_lists(run, config->ports > 2 && round % 2 == 0 ? 2 : config->ports, requests);
        hub_path_stalls(&run->path, STALL_NONE, round % 3 == 0 ? STALL_HEAVY : STALL_NONE, STALL_NONE);
        script_start(run);
        bench_run(&run->path.bench, LATENCY + random_below(&run->random, requests + 2 * LATENCY));
        run->path.requests.supply = NULL;
        hub_path_reset(&run->path, round % 8 == 7 ? 3 : 1, run->path.bench.options.seed + round);
        hub_path_stalls(&run->path, STALL_NONE, STALL_NONE, STALL_NONE);
        hub_path_wait_initialised(&run->path);
        script_clear(run);
        script_latency(run, 1, 20);
        script_open_mapped(run, 4, 4);
        say_lists(run, config->ports, 2 * config->ports);
        script_play(run);
    }
}
