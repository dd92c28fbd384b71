/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles: latency and rate of hits, first touches and refusals. */
#include "bench/hub/address_path_tests.h"

#include <inttypes.h>

/* A hit with nothing in its way takes the same time in whatever cycle it comes. */
void test_hits_alone(struct address_path_run *run)
{
    enum { HITS = 16 };
    const struct stream *in = &run->path.requests.request.stream, *out = &run->path.requests.answer.stream;
    script_open(run, 2, 2);
    script_announce(run, 0, 0);
    script_play(run);
    for (unsigned i = 0; i < HITS; i++) {
        const uint64_t in_before = in->transfers, out_before = out->transfers;
        script_look(run, 0, 0);
        script_start(run);
        while (in->transfers == in_before)
            hub_path_step(&run->path);
        const uint64_t begin = run->path.bench.cycle;
        while (out->transfers == out_before)
            hub_path_step(&run->path);
        scoreboard_value(&run->path.end.state, "latency of a hit", script_hit_latency(&run->path.config),
                         run->path.bench.cycle - begin);
        script_play(run);
    }
}

/* Requests accepted, and answers given, in consecutive cycles: no bubble. */
static void expect_no_bubble(struct address_path_run *run, const char *what)
{
    const uint64_t wanted = run->script_count;
    const struct stream *in = &run->path.requests.request.stream, *out = &run->path.requests.answer.stream;
    const uint64_t in_before = in->transfers, out_before = out->transfers;
    uint64_t in_first = 0, in_last = 0, out_first = 0, out_last = 0;
    script_start(run);
    while (out->transfers - out_before < wanted) {
        const uint64_t cycle = run->path.bench.cycle, in_was = in->transfers, out_was = out->transfers;
        hub_path_step(&run->path);
        if (in->transfers != in_was) {
            in_first = in_was == in_before ? cycle : in_first;
            in_last = cycle;
        }
        if (out->transfers != out_was) {
            out_first = out_was == out_before ? cycle : out_first;
            out_last = cycle;
        }
    }
    printf("    %" PRIu64 " %s: accepted in %" PRIu64 " cycles, answered in %" PRIu64 ", latency %" PRIu64 " cycles\n", wanted,
           what, in_last - in_first + 1, out_last - out_first + 1, out_first - in_first);
    scoreboard_value(&run->path.end.state, "cycles to accept without a bubble", wanted, in_last - in_first + 1);
    scoreboard_value(&run->path.end.state, "cycles to answer without a bubble", wanted, out_last - out_first + 1);
    scoreboard_value(&run->path.end.state, "latency", script_hit_latency(&run->path.config), out_first - in_first);
    script_play(run);
}

void test_hits_without_bubble(struct address_path_run *run)
{
    enum { HITS = 1000 };
    if (run->path.config.waiting < 16)
        return; /* fewer than a hit's latency: they bound the rate */
    const struct hub_layout layout = script_open(run, 8, 8);
    for (uint32_t row = 0; row < layout.row_limit && row < layout.capacity && row < run->path.config.ways; row++)
        script_announce(run, 0, row);
    script_play(run);
    for (unsigned i = 0; i < HITS; i++)
        script_look(run, 0, 0);
    expect_no_bubble(run, "hits, ports in turn");
    for (unsigned i = 0; i < HITS; i++)
        script_look(run, 0, 0)->port = (uint8_t)(run->path.config.ports - 1);
    expect_no_bubble(run, "hits of one port");
    for (unsigned i = 0; i < HITS; i++)
        if (i % 2 == 0)
            script_touch(run, 0, i % layout.row_limit % layout.capacity % run->path.config.ways);
        else
            script_touch(run, run->path.config.local_experts, 0);
    expect_no_bubble(run, "hits and refused requests in turn");
}

/* As many announcements as fit into the pending entries without a pending victim. */
void test_firsts_without_bubble(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    if (config->waiting < 16 || config->pending < 2)
        return;
    const struct hub_layout layout = script_open(run, 1 << 12, 64);
    script_announce_apart(run, &layout, config->pending);
    script_latency(run, LATENCY_LONG, LATENCY_LONG);
    expect_no_bubble(run, "first touches");
    script_latency(run, 1, 20);
}
