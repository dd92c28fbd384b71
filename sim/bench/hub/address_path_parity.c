/* SPDX-License-Identifier: Apache-2.0 */
/* Parity: in each memory of the address path in turn the parity bits are inverted while requests flow, and the error must be
 * told with the memory's number. Data stay whole, so that everything else is compared as ever. */
#include "bench/hub/hub_path.h"
#include "bench/hub/hub_software.h"
#include "bench/hub/hub_traffic.h"

/* In the order of rtl/doc/address_path.md section 10. */
static const char *const memories[] = {
    "u_addr_alloc.u_capacities", "u_addr_alloc.u_next_slots", "u_addr_alloc.u_peers",
    "u_al_tlb.u_tags.u_states", NULL /* one a way */,
    "u_al_tlb.u_lookups.u_items", "u_al_tlb.u_payloads.u_items",
    "u_al_tlb.u_pending.u_lines", "u_al_tlb.u_pending.u_fills.u_fills.u_items",
    "u_al_tlb.u_pending.u_entries.u_free.u_returned.u_items",
    "u_al_tlb.u_queue.u_links", "u_al_tlb.u_queue.u_output.u_items",
    "u_answers.u_requests", "u_answers.u_values", "u_answers.u_results", "u_answers.u_bases",
    "u_answers.u_briefs.u_items", "u_answers.u_answer_addresses.u_items",
    "u_walker.u_operations", "u_walker.u_addresses", "u_walker.u_names",
    "u_walker.u_reads.u_items", "u_walker.u_write_addresses.u_items", "u_walker.u_write_data.u_items",
    "u_acceptance.u_waiting.u_returned.u_items",
};
enum { MEMORIES = sizeof memories / sizeof *memories, TAGS = 4 };

static struct hub_path path;
static struct hub_traffic traffic;
static struct hub_software software;

/* Few rows, all contexts up, requests without end. */
static void start_traffic(void)
{
    hub_path_reset(&path, 4, path.bench.options.seed);
    hub_path_wait_initialised(&path);
    for (unsigned context = 0; context < path.config.contexts; context++) {
        const struct hub_layout layout = hub_software_layout(&software, context);
        hub_software_open(&software, context, &layout);
    }
    hub_traffic_keys(&traffic, HUB_KEYS_MANY);
    traffic.remaining = UINT64_MAX;
    traffic.disorder = 16;
    traffic.reads = 128;
    hub_path_stalls(&path, STALL_MIXED, STALL_MIXED, STALL_NONE); /* all places taken, and most of them free */
    path.requests.supply = hub_traffic_supply;
    path.requests.supply_user = &traffic;
}

static unsigned flip(const char *memory)
{
    int words = 0;
    while (dut_flip(path.bench.dut, memory, words))
        words++;
    return (unsigned)words;
}

static void test(unsigned number, const char *memory)
{
    start_traffic();
    bench_run(&path.bench, 200);
    path.status.parity_expected = true;
    const uint64_t before = path.status.parity_count, until = path.bench.cycle + 20000;
    for (; path.status.parity_count == before && path.bench.cycle < until; bench_run(&path.bench, 29)) /* a FIFO may be empty */
        if (flip(memory) == 0)
            bench_fail(&path.bench, BENCH_CONFIGURATION, "no memory %s", memory);
    if (path.status.parity_count == before)
        bench_fail(&path.bench, BENCH_MISMATCH, "memory %u (%s): flipped bits are not told", number, memory);
    scoreboard_value(&path.end.state, "number of the memory", number, path.status.parity_memory);
    path.requests.supply = NULL;
    hub_path_stalls(&path, STALL_NONE, STALL_NONE, STALL_NONE);
    hub_path_settle(&path);
    path.status.parity_expected = false;
}

static void test_tags(void)
{
    for (unsigned way = 0; way < path.config.ways; way++) {
        char name[64];
        snprintf(name, sizeof name, "u_al_tlb.u_tags.g_way__BRA__%u__KET__.u_tags", way);
        test(TAGS, name);
    }
}

int main(int argc, char **argv)
{
    const struct options_defaults defaults = {
        .description = "Parity errors of the address path's memories end in the error latch.",
        .events = 2000, .cycles = UINT64_MAX, .watchdog = 50000,
    };
    hub_path_create(&path, argc, argv, &defaults, NULL, true);
    hub_traffic_create(&traffic, &path, "traffic");
    hub_software_create(&software, &path, &traffic, "software");
    for (unsigned number = 0; number < MEMORIES; number++)
        if (number == TAGS)
            test_tags();
        else
            test(number, memories[number]);
    summary_number(&path.bench.summary, "memories", MEMORIES, "");
    return hub_path_finish(&path);
}
