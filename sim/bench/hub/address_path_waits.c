/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that wait: for a victim, a pending entry, a waiting entry, a fill. */
#include "bench/hub/address_path_tests.h"

/* More misses of one set than ways, each of them slow: the next one waits for a victim. */
void test_victims_pending(struct address_path_run *run)
{
    const uint32_t ways = run->path.config.ways;
    const struct hub_layout layout = script_open(run, 1 << 14, 64);
    const struct moehub_al_tlb *tlb = &run->path.model.tlb;
    const uint32_t set = moehub_al_tlb_set(tlb, moehub_al_name(0, 0, 0));
    unsigned rows = 0;
    for (unsigned expert = 0; expert < run->path.config.local_experts; expert++)
        for (uint32_t row = 0; row < layout.row_limit && rows < 3 * ways; row++)
            if (moehub_al_tlb_set(tlb, moehub_al_name(0, expert, row)) == set) {
                script_say(run, rows % 2 == 0 ? MOEHUB_REQUEST_WRITE_TOUCH : MOEHUB_REQUEST_READ_LOOKUP, true, expert, row);
                rows++;
            }
    script_latency(run, LATENCY_LONG / 2, LATENCY_LONG);
    const uint64_t waited = script_count(run, MOEHUB_HUB_EVENT_WAITED_VICTIM);
    const uint64_t evicted = script_count(run, MOEHUB_HUB_EVENT_EVICTIONS);
    script_play(run);
    script_latency(run, 1, 20);
    if (rows > ways && run->path.config.pending > ways)
        script_must_have(run, MOEHUB_HUB_EVENT_WAITED_VICTIM, waited);
    if (rows > ways)
        script_must_have(run, MOEHUB_HUB_EVENT_EVICTIONS, evicted);
}

/* The same row announced again while its write is in flight waits, and so does everything behind it. */
void test_first_on_pending_line(struct address_path_run *run)
{
    const struct hub_layout layout = script_open(run, 4, 8);
    script_latency(run, 100, 100);
    const uint64_t before = script_count(run, MOEHUB_HUB_EVENT_WAITED_VICTIM);
    script_look(run, 0, 0);
    script_announce(run, 0, 0);
    if (layout.capacity > 1)
        script_announce(run, 0, 0);
    script_play(run);
    script_latency(run, 1, 20);
    if (run->path.config.pending > 1)
        script_must_have(run, MOEHUB_HUB_EVENT_WAITED_VICTIM, before);
}

/* More misses than pending entries. */
void test_pending_entries_used_up(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    const struct hub_layout layout = script_open(run, 1 << 12, 64);
    const uint64_t before = script_count(run, MOEHUB_HUB_EVENT_WAITED_PENDING);
    const uint64_t wanted = 2 * config->pending + 8;
    uint64_t misses = 0;
    for (uint32_t row = 0; row < layout.row_limit && misses < wanted; row++)
        for (unsigned expert = 0; expert < config->local_experts && misses < wanted; expert++, misses++)
            script_look(run, expert, row);
    script_latency(run, LATENCY_LONG, LATENCY_LONG);
    script_play(run);
    script_latency(run, 1, 20);
    if (misses == wanted && 2 * config->pending < config->sets && config->waiting > config->pending)
        script_must_have(run, MOEHUB_HUB_EVENT_WAITED_PENDING, before);
}

/* More first touches than pending entries. They leave before they are written, so that few waiting entries are enough. */
void test_pending_entries_written(struct address_path_run *run)
{
    const unsigned pending = run->path.config.pending;
    const struct hub_layout layout = script_open(run, 1 << 12, UINT32_MAX);
    const uint64_t before = script_count(run, MOEHUB_HUB_EVENT_WAITED_PENDING);
    const unsigned said = script_announce_apart(run, &layout, pending + 1);
    script_latency(run, LATENCY_LONG, LATENCY_LONG);
    script_play(run);
    script_latency(run, 1, 20);
    if (said > pending)
        script_must_have(run, MOEHUB_HUB_EVENT_WAITED_PENDING, before);
}

/* Two fills arrive back to back while a first touch writes its own line, at every distance: each line gets what is its own. */
void test_fills_beside_first(struct address_path_run *run)
{
    enum { DISTANCES = 64, LATENCY = 20 };
    const struct moehub_address_path_config *config = &run->path.config;
    if (config->pending < 3 || config->waiting < 3 || config->row_index_width < 2)
        return;
    const struct hub_layout layout = script_open(run, 3, UINT32_MAX);
    script_latency(run, LATENCY, LATENCY);
    for (unsigned distance = 0; distance < DISTANCES; distance++) {
        hub_software_close(&run->software, 0);
        hub_software_advance(&run->software, 0);
        hub_software_must(&run->software, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0, 0);
        const uint32_t epoch = run->path.model.alloc.contexts[0].epoch << config->slot_width;
        for (uint32_t row = 0; row < 2; row++)
            table_image_store(&run->path.table, script_entry(run, 0, row), epoch | (2 * distance + row) % layout.capacity);
        script_look(run, 0, 0);
        script_look(run, 0, 1);
        script_start(run);
        bench_run(&run->path.bench, distance);
        script_announce(run, 0, 2);
        script_play(run);
        for (uint32_t row = 0; row < 3; row++) /* from the lines */
            script_look(run, 0, row);
        script_play(run);
    }
    script_latency(run, 1, 20);
}

/* More hits on a line that waits for its fill than waiting entries. */
void test_waiting_entries_used_up(struct address_path_run *run)
{
    script_open(run, 2, 2);
    const uint64_t before = script_count(run, MOEHUB_HUB_EVENT_WAITED_WAITING);
    for (unsigned i = 0; i < 2 * run->path.config.waiting + 64; i++)
        script_look(run, 0, 0);
    script_latency(run, AXI_MEMORY_LATENCY_MAX, AXI_MEMORY_LATENCY_MAX);
    script_play(run);
    script_latency(run, 1, 20);
    if (run->path.config.waiting < AXI_MEMORY_LATENCY_MAX)
        script_must_have(run, MOEHUB_HUB_EVENT_WAITED_WAITING, before);
}

/* After all that has happened every waiting entry is still there. */
void test_entries_kept(struct address_path_run *run)
{
    const unsigned waiting = run->path.config.waiting;
    script_open(run, 2, 2);
    for (unsigned i = 0; i < waiting + 4; i++)
        script_look(run, 0, 0);
    script_latency(run, AXI_MEMORY_LATENCY_MAX, AXI_MEMORY_LATENCY_MAX);
    script_start(run);
    const uint64_t before = run->path.requests.request.stream.transfers;
    bench_run(&run->path.bench, AXI_MEMORY_LATENCY_MAX / 2);
    if (waiting < AXI_MEMORY_LATENCY_MAX / 4) {
        scoreboard_value(&run->path.end.state, "requests that can wait", waiting,
                         run->path.requests.request.stream.transfers - before);
        scoreboard_value(&run->path.end.state, "waiting_used", waiting, pin_get(run->path.status.waiting_used));
    }
    script_play(run);
    script_latency(run, 1, 20);
}

/* Of three requests under way one is answered: the other two, and their table operations, are still counted. */
void test_counted_while_waiting(struct address_path_run *run)
{
    const struct moehub_address_path_config *config = &run->path.config;
    if (config->ports < 2 || config->pending < 2 || config->waiting != 3)
        return;
    script_open(run, 3, 3);
    script_start(run);
    script_latency(run, AXI_MEMORY_LATENCY_MAX, AXI_MEMORY_LATENCY_MAX);
    script_look(run, 0, 0)->port = 0;
    script_look(run, 0, 1)->port = 0;
    bench_run(&run->path.bench, 60);
    script_latency(run, 1, 1);
    script_look(run, 0, 2)->port = 1;
    bench_run(&run->path.bench, 60);
    scoreboard_value(&run->path.end.state, "waiting_used", 2, pin_get(run->path.status.waiting_used));
    scoreboard_value(&run->path.end.state, "pending_used", 2, pin_get(run->path.status.pending_used));
    script_play(run);
    script_latency(run, 1, 20);
}
