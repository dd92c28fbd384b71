/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/address_path_run.h"

/* Table latencies; the slow ones come less often, with fewer requests. */
static const struct {
    unsigned minimum, maximum;
    unsigned weight; /* cumulated, of WEIGHTS */
} latencies[] = {{1, 1, 5}, {1, 4, 10}, {1, 40, 13}, {1, 1000, 14}, {600, 600, 15}, {900, 1000, 16}};
enum { WEIGHTS = 16, SLOW = 3 };

static enum stall_kind draw_stall(struct random_source *random)
{
    return (enum stall_kind)random_below(random, STALL_KINDS);
}

/* Few, some or many of 256. */
static unsigned draw_share(struct random_source *random)
{
    static const unsigned shares[] = {0, 2, 16, 64, 128, 256};
    return shares[random_below(random, sizeof shares / sizeof *shares)];
}

static void draw_surroundings(struct address_path_run *run)
{
    struct random_source *random = &run->random;
    struct axi_memory_options *memory = axi_memory_options(run->path.memory);
    const unsigned weight = (unsigned)random_below(random, WEIGHTS);
    unsigned kind = 0;
    while (weight >= latencies[kind].weight)
        kind++;
    if (kind >= SLOW)
        run->traffic.remaining /= 8;
    memory->latency_minimum = latencies[kind].minimum;
    memory->latency_maximum = latencies[kind].maximum;
    hub_path_stalls(&run->path, draw_stall(random), draw_stall(random), draw_stall(random));
    run->path.errors.salt = random_next(random);
    run->path.errors.reads = random_chance(random, 1, 3) ? draw_share(random) : 0;
    run->path.errors.writes = random_chance(random, 1, 3) ? draw_share(random) : 0;
}

static void draw_traffic(struct address_path_run *run)
{
    struct random_source *random = &run->random;
    struct hub_traffic *traffic = &run->traffic;
    traffic->disorder = draw_share(random);
    traffic->reads = draw_share(random);
    traffic->wrong = random_chance(random, 1, 2) ? draw_share(random) / 4 : 0;
    hub_traffic_keys(traffic, (enum hub_keys)random_below(random, HUB_KEYS_KINDS));
    traffic->remaining = random_range(random, 500, 6000);
}

/* Some contexts are brought up anew, some only advanced, some stay as they are. */
static void prepare_contexts(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    /* Bringing up 1024 regions takes as many commands: not all contexts in every round. */
    const unsigned rare = 1 + config->local_experts / 64;
    for (unsigned context = 0; context < config->contexts; context++) {
        const struct moehub_context *state = &run->path.model.alloc.contexts[context];
        const bool unusable = state->row_limit == 0 && random_chance(&run->random, 1, rare);
        if (unusable || random_chance(&run->random, 1, 3 * rare)) {
            const struct hub_layout layout = hub_software_layout(&run->software, context);
            hub_software_open(&run->software, context, &layout);
        } else if (state->row_limit != 0 && !state->clear_needed) {
            hub_software_close(&run->software, context);
            hub_software_advance(&run->software, context);
            hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, context, 0, 0, 0);
        }
    }
}

static void traffic_on(struct address_path_run *run)
{
    run->path.requests.supply = hub_traffic_supply;
    run->path.requests.supply_user = &run->traffic;
    run->path.idle = hub_software_operate;
    run->path.idle_user = &run->software;
    run->software.pace = random_chance(&run->random, 1, 4) ? 0 : (unsigned)random_range(&run->random, 1, 64);
    run->software.gentle = random_chance(&run->random, 1, 2);
}

/* rst in the middle of everything; memory comes back with other contents (sometimes zeros). */
static void reset(struct address_path_run *run)
{
    run->path.requests.supply = NULL;
    run->path.idle = NULL;
    hub_path_reset(&run->path, (unsigned)random_range(&run->random, 1, 8),
                   random_chance(&run->random, 1, 4) ? 0 : random_next(&run->random));
}

static void run_traffic(struct address_path_run *run)
{
    const bool resets = random_chance(&run->random, 1, 16);
    const uint64_t until = run->traffic.remaining - random_below(&run->random, run->traffic.remaining);
    traffic_on(run);
    while (run->traffic.remaining > 0 && run->path.bench.compared < run->random_until) {
        hub_path_step(&run->path);
        if (resets && run->traffic.remaining < until) {
            reset(run);
            break;
        }
    }
    run->path.requests.supply = NULL;
    run->path.idle = NULL;
    hub_path_settle(&run->path);
}

void address_path_random(struct address_path_run *run)
{
    uint64_t rounds = 0;
    run->random_until = run->path.bench.compared + run->path.bench.options.events;
    for (; run->path.bench.compared < run->random_until && run->path.bench.cycle < run->path.bench.options.cycles; rounds++) {
        hub_path_stalls(&run->path, STALL_NONE, STALL_NONE, STALL_NONE);
        prepare_contexts(run);
        draw_traffic(run);
        draw_surroundings(run);
        run_traffic(run);
    }
    summary_number(&run->path.bench.summary, "random rounds", (double)rounds, "");
}
