/* SPDX-License-Identifier: Apache-2.0 */
/* What ports owe each other: independence, and results kept for whoever still waits. */
#include "bench/hub/address_path_tests.h"

/* One port's miss does not hold the other ports' answers. */
void test_ports_independent(struct address_path_run *run)
{
    enum { HITS = 50, BLOCKED_MAX = 4 };
    const unsigned ports = run->path.config.ports;
    if (ports < 2 || run->path.config.waiting < 3)
        return;
    for (unsigned blocked = 0; blocked < ports && blocked < BLOCKED_MAX; blocked++) {
        const struct hub_layout layout = script_open(run, 2, 2);
        script_announce(run, 0, 0);
        script_play(run);
        script_latency(run, LATENCY_LONG, LATENCY_LONG);
        script_look(run, 0, layout.row_limit - 1)->port = (uint8_t)blocked;
        for (unsigned i = 0; i < HITS; i++)
            script_look(run, 0, 0)->port = (uint8_t)((blocked + 1 + i % (ports - 1)) % ports);
        script_start(run);
        const uint64_t begin = run->path.bench.cycle;
        while (run->path.requests.answers.waiting != 1 || run->script_next != run->script_count ||
               !source_free(&run->path.requests.request))
            hub_path_step(&run->path);
        if (run->path.bench.cycle - begin > HITS * script_hit_latency(&run->path.config) / 2)
            bench_fail(&run->path.bench, BENCH_MISMATCH, "the hits of other ports waited for the miss of port %u", blocked);
        script_play(run);
        script_latency(run, 1, 20);
    }
}

/* A result is kept for a request that has to wait behind an older one of its port, whatever is fetched meanwhile. */
void test_results_kept(struct address_path_run *run)
{
    enum { ROUNDS = 8, MEANWHILE = 60 };
    const struct moehub_address_path_config *config = &run->path.config;
    if (config->ports < 2 || config->pending < 2 || config->waiting < 3)
        return;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct hub_layout layout = script_open_mapped(run, 8, 8);
        script_start(run);
        for (uint32_t row = 0; row < layout.row_limit; row++) {
            script_latency(run, row == 0 ? AXI_MEMORY_LATENCY_MAX : 1, row == 0 ? AXI_MEMORY_LATENCY_MAX : 1);
            script_look(run, 0, row)->port = row > 1;
            bench_run(&run->path.bench, MEANWHILE);
        }
        script_play(run);
    }
    script_latency(run, 1, 20);
}

/* So it is when two requests wait for it and one of them has read it long before the other. */
void test_shared_results_kept(struct address_path_run *run)
{
    enum { ROUNDS = 6, MEANWHILE = 60 };
    const struct moehub_address_path_config *config = &run->path.config;
    if (config->ports < 2 || config->pending < 2 || config->waiting < 3)
        return;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct hub_layout layout = script_open_mapped(run, 8, 8);
        script_start(run);
        script_latency(run, AXI_MEMORY_LATENCY_MAX, AXI_MEMORY_LATENCY_MAX);
        script_look(run, 0, 0)->port = 0;
        bench_run(&run->path.bench, MEANWHILE);
        script_latency(run, 20, 20);
        script_look(run, 0, 1)->port = 1;
        script_look(run, 0, 1)->port = 0;
        for (uint32_t row = 2; row < layout.row_limit; row++) {
            bench_run(&run->path.bench, MEANWHILE);
            script_look(run, 0, row)->port = 1;
        }
        script_play(run);
    }
    script_latency(run, 1, 20);
}

/* Nobody takes an answer for so many cycles. */
static void hold_answers(struct address_path_run *run, unsigned cycles)
{
    struct stall *stall = &run->path.requests.answer.stream.stall;
    hub_path_stalls(&run->path, STALL_NONE, STALL_BURSTS, STALL_NONE);
    stall->stalled = true;
    stall->left = cycles;
}

/* Takes one answer of those that are held, and holds the others again. */
static void take_answer(struct address_path_run *run, unsigned cycles)
{
    const struct stream *out = &run->path.requests.answer.stream;
    const uint64_t before = out->transfers;
    hub_path_stalls(&run->path, STALL_NONE, STALL_NONE, STALL_NONE);
    while (out->transfers == before)
        hub_path_step(&run->path);
    hold_answers(run, cycles);
}

/* Three requests share a result. One has read it, the other two find no place for their answers: they keep it from the next miss,
 * although that finds no other pending entry. */
void test_results_kept_unread(struct address_path_run *run)
{
    enum { ROUNDS = 6, ANSWERS = 32, MEANWHILE = 100, HELD = 4000, SHARE = 3 };
    const struct moehub_address_path_config *config = &run->path.config;
    if (config->pending < 2 || config->pending > 4 || config->waiting != SHARE || config->row_index_width < 3)
        return;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct hub_layout layout = script_open_mapped(run, 8, 3);
        script_look(run, 0, 0);
        script_play(run);
        script_start(run);
        hold_answers(run, HELD);
        for (unsigned i = config->pending - 1; i < ANSWERS; i++)
            script_look(run, 0, 0);
        bench_run(&run->path.bench, ANSWERS * script_hit_latency(config));
        script_latency(run, AXI_MEMORY_LATENCY_MAX, AXI_MEMORY_LATENCY_MAX);
        for (unsigned i = 1; i < config->pending; i++)
            script_announce(run, 0, layout.row_limit - i);
        bench_run(&run->path.bench, MEANWHILE);
        script_latency(run, 1, 1);
        for (unsigned i = 0; i < SHARE; i++)
            script_look(run, 0, 1);
        bench_run(&run->path.bench, MEANWHILE);
        scoreboard_value(&run->path.end.state, "waiting_used", SHARE, pin_get(run->path.status.waiting_used));
        take_answer(run, HELD);
        script_look(run, 0, 2);
        bench_run(&run->path.bench, MEANWHILE);
        hub_path_stalls(&run->path, STALL_NONE, STALL_NONE, STALL_NONE);
        script_play(run);
    }
    script_latency(run, 1, 20);
}

/* Nobody takes an answer for a while: requests wait, none is lost. */
void test_answers_held(struct address_path_run *run)
{
    enum { REQUESTS = 96, CYCLES = 200 };
    script_open(run, 2, 2);
    script_announce(run, 0, 0);
    script_play(run);
    for (unsigned i = 0; i < REQUESTS; i++)
        script_look(run, 0, 0);
    hold_answers(run, CYCLES);
    script_start(run);
    bench_run(&run->path.bench, CYCLES);
    hub_path_stalls(&run->path, STALL_NONE, STALL_NONE, STALL_NONE);
    script_play(run);
}

/* Looks at one row, ports in turn, without end; what the script says comes first. */
struct flood {
    struct address_path_run *run;
    uint32_t row;
    unsigned first_port, ports;
    uint64_t sent;
};

static bool supply_flood(void *user, struct moehub_hub_request *request)
{
    struct flood *flood = user;
    struct address_path_run *run = flood->run;
    if (run->script_next != run->script_count) {
        *request = run->script[run->script_next++];
        return true;
    }
    *request = (struct moehub_hub_request){
        .operation = MOEHUB_REQUEST_READ_LOOKUP, .row_index = flood->row, .length = 1, .tag = flood->sent};
    request->port = (uint8_t)(flood->first_port + flood->sent++ % flood->ports);
    return true;
}

/* Longer than any answer may be due. */
static void play_flood(struct address_path_run *run, struct flood *flood)
{
    enum { LONGER = 2 };
    run->path.requests.supply = supply_flood;
    run->path.requests.supply_user = flood;
    bench_run(&run->path.bench, LATENCY_LONG + LONGER * hub_fairness_bound(&run->path.config));
    run->path.requests.supply = NULL;
    hub_path_settle(&run->path);
    script_clear(run);
}

/* A port whose result has come is served although the hits of other ports never leave a gap by themselves. */
void test_gap_for_waiting(struct address_path_run *run)
{
    const unsigned ports = run->path.config.ports;
    struct flood flood = {.run = run, .row = 0, .first_port = 1, .ports = ports - 1};
    if (ports < 2)
        return;
    script_open_mapped(run, 4, 4);
    script_look(run, 0, 0);
    script_play(run);
    script_latency(run, LATENCY_LONG, LATENCY_LONG);
    script_look(run, 0, 1)->port = 0;
    play_flood(run, &flood);
    script_latency(run, 1, 20);
}

/* A port whose list grows as fast as it is emptied does not keep the others from theirs. */
void test_turn_for_others(struct address_path_run *run)
{
    struct flood flood = {.run = run, .row = 1, .first_port = 0, .ports = 1};
    if (run->path.config.ports < 2)
        return;
    script_open_mapped(run, 4, 4);
    script_latency(run, LATENCY_LONG, LATENCY_LONG);
    script_look(run, 0, 1)->port = 0;
    script_look(run, 0, 2)->port = 1;
    play_flood(run, &flood);
    script_latency(run, 1, 20);
}
