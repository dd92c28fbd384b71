/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_fairness.h"

#include "kit/allocate.h"
#include "moehub/integer.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NEEDS = 8192 }; /* answers of one port that can be owed: above WAITING's legal maximum and the pipeline */

/* rtl/doc/address_path.md section 9: the terms in its order. */
uint64_t hub_fairness_bound(const struct moehub_address_path_config *config)
{
    enum { TURN = 15 * 7 + 3, BEFORE = 11, PIPELINE = 100 };
    return (config->ports + UINT64_C(1)) * TURN + BEFORE * (uint64_t)config->waiting +
           moehub_larger(2 * (uint64_t)config->sets, config->local_experts) + PIPELINE;
}

void hub_fairness_create(struct hub_fairness *fairness, struct bench *bench, const struct axi_memory *memory,
                         const struct moehub_address_path_config *config)
{
    *fairness = (struct hub_fairness){
        .bench = bench,
        .memory = memory,
        .ports = allocate(config->ports, sizeof *fairness->ports),
        .count = config->ports,
        .bound = hub_fairness_bound(config),
    };
    for (unsigned port = 0; port < fairness->count; port++)
        fairness->ports[port].needs = allocate(NEEDS, sizeof *fairness->ports[port].needs);
}

void hub_fairness_destroy(struct hub_fairness *fairness)
{
    for (unsigned port = 0; port < fairness->count; port++)
        free(fairness->ports[port].needs);
    free(fairness->ports);
}

void hub_fairness_expect(struct hub_fairness *fairness, unsigned port, const struct hub_need *need)
{
    struct hub_fairness_port *state = &fairness->ports[port];
    state->needs[state->expected++ % NEEDS] = *need;
}

void hub_fairness_answered(struct hub_fairness *fairness, unsigned port)
{
    fairness->ports[port].answered++;
    fairness->ports[port].is_due = false;
}

static void look_at(struct hub_fairness *fairness, unsigned port, const struct hub_need *done)
{
    struct hub_fairness_port *state = &fairness->ports[port];
    const struct hub_need *need = &state->needs[state->answered % NEEDS];
    if (state->expected == state->answered || need->reads > done->reads || need->writes > done->writes)
        return;
    if (!state->is_due) {
        state->is_due = true;
        state->due_since = fairness->counted;
    }
    const uint64_t age = fairness->counted - state->due_since;
    fairness->longest = moehub_larger(fairness->longest, age);
    if (age > fairness->bound)
        bench_fail(fairness->bench, BENCH_MISMATCH,
                   "port %u starves: its oldest answer, #%" PRIu64 ", has been due for %" PRIu64
                   " cycles without a stall, the bound is %" PRIu64, port, state->answered, age, fairness->bound);
}

void hub_fairness_sample(struct hub_fairness *fairness, bool stalled)
{
    if (fairness->bench->reset)
        return;
    fairness->counted += !stalled;
    if (fairness->bench->cycle % HUB_FAIRNESS_PERIOD != 0)
        return;
    const struct hub_need done = {
        .reads = axi_memory_reads_done(fairness->memory) - fairness->at_reset.reads,
        .writes = axi_memory_writes_done(fairness->memory) - fairness->at_reset.writes,
    };
    for (unsigned port = 0; port < fairness->count; port++)
        look_at(fairness, port, &done);
}

void hub_fairness_forget(struct hub_fairness *fairness)
{
    for (unsigned port = 0; port < fairness->count; port++) {
        fairness->ports[port].answered = fairness->ports[port].expected;
        fairness->ports[port].is_due = false;
    }
    fairness->at_reset = (struct hub_need){
        .reads = axi_memory_reads_done(fairness->memory), .writes = axi_memory_writes_done(fairness->memory)};
}
