/* SPDX-License-Identifier: Apache-2.0 */
/* The comparisons that need a quiet design: counters, table image, error latch; reset; the end of a run. */
#include "bench/hub/hub_path.h"

#include "moehub/event_names.h"
#include "moehub/integer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { QUIET = 64 }; /* cycles without anything under way before states are compared */

bool hub_path_quiet(const struct hub_path *path)
{
    return source_free(&path->request) && path->order_head == path->order_tail && path->early_head == path->early_tail &&
           path->answers.waiting == 0 && path->send_head == path->send_tail && path->done == path->send_tail &&
           axi_memory_outstanding(path->memory) == 0 && hub_flight_total(&path->flight) == 0 &&
           (path->in_flight == NULL || pin_get(path->in_flight) == 0);
}

static void compare_counters(struct hub_path *path)
{
    for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++)
        scoreboard_value(&path->end_state, moehub_hub_event_name(event), path->model.counters[event], path->counters[event]);
}

static void compare_accesses(struct hub_path *path)
{
    const struct axi_memory_counts now = axi_memory_counts(path->memory);
    scoreboard_value(&path->end_state, "table reads on the bus", path->model.counters[MOEHUB_HUB_EVENT_TABLE_READS],
                     now.reads - path->counts_at_reset.reads);
    scoreboard_value(&path->end_state, "table writes on the bus", path->model.counters[MOEHUB_HUB_EVENT_TABLE_WRITES],
                     now.writes - path->counts_at_reset.writes);
}

static void compare_entry(void *user, uint64_t address, uint32_t expected, uint32_t got)
{
    struct hub_path *path = user;
    char name[64] = "table entry";
    if (expected != got)
        snprintf(name, sizeof name, "table entry at 0x%" PRIx64, address);
    scoreboard_value(&path->end_state, name, expected, got);
}

static void print_offender(const char *who, const struct moehub_offender *offender)
{
    fprintf(stderr, "%s: cause %u, header %016" PRIx64 "%016" PRIx64 ", expert %u, port %u\n", who, offender->cause,
            offender->header.half[1], offender->header.half[0], offender->expert, offender->port);
}

/* Somebody is named exactly when somebody offended, and whoever is named did: the latch may hold any of them. */
static void compare_offenders(struct hub_path *path)
{
    const struct moehub_offenders *offenders = &path->model.offenders;
    const bool all_known = offenders->count < offenders->capacity;
    scoreboard_value(&path->end_state, "error latched", offenders->count > 0, path->offender_count > 0);
    for (size_t i = 0; i < path->offender_count && (all_known || i == 0); i++) {
        if (!moehub_offenders_contain(offenders, &path->offenders[i])) {
            print_offender("design", &path->offenders[i]);
            for (size_t k = 0; k < offenders->count && k < 8; k++)
                print_offender("model", &offenders->list[k]);
            bench_fail(&path->bench, BENCH_MISMATCH, "error candidate: none of the model's %zu", offenders->count);
        }
        path->offenders_checked++;
    }
    path->offender_count = 0;
    moehub_offenders_clear(&path->model.offenders);
}

static void wait_quiet(struct hub_path *path)
{
    const uint64_t limit = path->bench.options.watchdog;
    const uint64_t since = path->bench.cycle;
    uint64_t compared = path->bench.compared, progress = since;
    while (!hub_path_quiet(path)) {
        hub_path_step(path);
        if (path->bench.compared != compared) {
            compared = path->bench.compared;
            progress = path->bench.cycle;
        }
        if (limit != 0 && path->bench.cycle - progress > limit)
            bench_fail(&path->bench, BENCH_TIMEOUT,
                       "not quiet since cycle %" PRIu64 ": %" PRIu64 " answers missing, %u table accesses unanswered, %" PRId64
                       " requests or announcements open, in_flight 0x%x",
                       since, path->answers.waiting, axi_memory_outstanding(path->memory), hub_flight_total(&path->flight),
                       path->in_flight == NULL ? 0 : (unsigned)pin_get(path->in_flight));
    }
    bench_run(&path->bench, QUIET); /* the last events and what should not come any more */
}

void hub_path_settle(struct hub_path *path)
{
    wait_quiet(path);
    if (!moehub_address_path_is_valid(&path->model))
        bench_fail(&path->bench, BENCH_MISMATCH, "the model's invariants do not hold");
    if (path->events != NULL) {
        compare_counters(path);
        compare_offenders(path);
        scoreboard_value(&path->end_state, "waiting_used when all is quiet", 0, pin_get(path->waiting_used));
        scoreboard_value(&path->end_state, "pending_used when all is quiet", 0, pin_get(path->pending_used));
    }
    compare_accesses(path);
    table_image_compare(&path->table, false, compare_entry, path);
    path->settles++;
}

/* What is counted since the last reset joins the totals. */
static void keep_totals(struct hub_path *path)
{
    for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++)
        path->totals[event] += path->model.counters[event];
}

static void forget(struct hub_path *path)
{
    scoreboard_forget(&path->answers);
    path->order_head = path->order_tail;
    path->early_head = path->early_tail;
    path->seen_head = path->seen_tail;
    path->marks_head = path->marks_tail;
    path->send_head = path->done = path->send_tail;
    memset(path->expected_on, 0, path->config.ports * sizeof *path->expected_on);
    memset(path->answered_on, 0, path->config.ports * sizeof *path->answered_on);
    memset(path->write_open, 0, sizeof path->write_open);
    memset(path->counters, 0, sizeof path->counters);
    path->offender_count = 0;
    path->stalled = 0;
    hub_flight_forget(&path->flight, path->bench.cycle);
}

void hub_path_reset(struct hub_path *path, unsigned cycles, uint64_t memory_seed)
{
    keep_totals(path);
    bench_reset(&path->bench, cycles);
    forget(path);
    moehub_address_path_reset(&path->model);
    path->counts_at_reset = axi_memory_counts(path->memory);
    table_image_scramble(&path->table, memory_seed, memory_seed == 0);
}

/* As many cycles as rtl/doc/address_path.md section 9 says, to the cycle. */
void hub_path_wait_initialised(struct hub_path *path)
{
    enum { AROUND = 2 };
    const struct moehub_address_path_config *config = &path->config;
    const uint64_t tables = config->contexts * moehub_larger(config->local_experts, (config->gpus + 31) / 32);
    const uint64_t wanted = moehub_larger(config->sets, tables) + AROUND;
    uint64_t waited = 0;
    for (; pin_get(path->initialised) == 0 && waited <= 2 * wanted; waited++)
        hub_path_step(path);
    scoreboard_value(&path->end_state, "cycles of initialisation", wanted, waited);
}

/* An event that never happened was not tested. */
static void report_coverage(struct hub_path *path)
{
    keep_totals(path);
    for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++) {
        summary_number(&path->bench.summary, moehub_hub_event_name(event), (double)path->totals[event], "");
        if (path->demand_coverage && path->totals[event] == 0)
            bench_fail(&path->bench, BENCH_NOTHING_COMPARED, "event \"%s\" never happened", moehub_hub_event_name(event));
    }
}

static void report(struct hub_path *path)
{
    struct summary *summary = &path->bench.summary;
    const struct axi_memory_counts counts = axi_memory_counts(path->memory);
    summary_number(summary, "table responses out of order", (double)counts.overtakes, "");
    if (path->demand_coverage && path->config.pending > 1 && counts.overtakes == 0)
        bench_fail(&path->bench, BENCH_NOTHING_COMPARED, "the table's responses never came out of order");
    summary_number(summary, "table reads at once, at most", counts.reads_peak, "");
    summary_number(summary, "table writes at once, at most", counts.writes_peak, "");
    summary_number(summary, "answer latency p50", (double)histogram_percentile(path->answers.latency, 50), "cycles");
    summary_number(summary, "answer latency p99", (double)histogram_percentile(path->answers.latency, 99), "cycles");
    summary_number(summary, "end states compared", (double)path->settles, "");
    summary_number(summary, "error candidates checked", (double)path->offenders_checked, "");
    summary_number(summary, "in_flight values copied", (double)path->copied, "");
    summary_number(summary, "of them checked", (double)path->bounded, "");
}

int hub_path_finish(struct hub_path *path)
{
    path->supply = NULL;
    path->idle = NULL;
    hub_path_settle(path);
    table_image_compare(&path->table, true, compare_entry, path);
    report_coverage(path);
    report(path);
    const int status = bench_finish(&path->bench);
    moehub_address_path_destroy(&path->model);
    table_image_destroy(&path->table);
    hub_flight_destroy(&path->flight);
    free(path->order);
    free(path->early);
    free(path->to_send);
    free(path->expected_on);
    free(path->answered_on);
    return status;
}
