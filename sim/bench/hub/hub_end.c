/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_end.h"

#include "bench/hub/hub_path.h"
#include "moehub/event_names.h"

#include <inttypes.h>

void hub_end_create(struct hub_end *end, struct bench *bench)
{
    static const struct field value = {"value", 64};
    *end = (struct hub_end){0};
    scoreboard_create(&end->state, bench, "end state", &value, 1, 1, 1);
}

static void compare_counters(struct hub_path *path)
{
    for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++)
        scoreboard_value(&path->end.state, moehub_hub_event_name(event), path->model.counters[event],
                         path->status.counters[event]);
}

static void compare_accesses(struct hub_path *path)
{
    const struct axi_memory_counts now = axi_memory_counts(path->memory);
    scoreboard_value(&path->end.state, "table reads on the bus", path->model.counters[MOEHUB_HUB_EVENT_TABLE_READS],
                     now.reads - path->end.counts_at_reset.reads);
    scoreboard_value(&path->end.state, "table writes on the bus", path->model.counters[MOEHUB_HUB_EVENT_TABLE_WRITES],
                     now.writes - path->end.counts_at_reset.writes);
}

static void compare_entry(void *user, uint64_t address, uint32_t expected, uint32_t got)
{
    struct hub_path *path = user;
    char name[64] = "table entry";
    if (expected != got)
        snprintf(name, sizeof name, "table entry at 0x%" PRIx64, address);
    scoreboard_value(&path->end.state, name, expected, got);
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
    scoreboard_value(&path->end.state, "error latched", offenders->count > 0, path->status.offender_count > 0);
    for (size_t i = 0; i < path->status.offender_count && (all_known || i == 0); i++) {
        if (!moehub_offenders_contain(offenders, &path->status.offenders[i])) {
            print_offender("design", &path->status.offenders[i]);
            for (size_t k = 0; k < offenders->count && k < 8; k++)
                print_offender("model", &offenders->list[k]);
            bench_fail(&path->bench, BENCH_MISMATCH, "error candidate: none of the model's %zu", offenders->count);
        }
        path->end.offenders_checked++;
    }
    path->status.offender_count = 0;
    moehub_offenders_clear(&path->model.offenders);
}

void hub_end_compare(struct hub_path *path, bool all)
{
    struct scoreboard *state = &path->end.state;
    if (!moehub_address_path_is_valid(&path->model))
        bench_fail(&path->bench, BENCH_MISMATCH, "the model's invariants do not hold");
    if (path->status.present) {
        compare_counters(path);
        compare_offenders(path);
        scoreboard_value(state, "waiting_used when all is quiet", 0, pin_get(path->status.waiting_used));
        scoreboard_value(state, "pending_used when all is quiet", 0, pin_get(path->status.pending_used));
    }
    hub_contexts_compare(&path->contexts);
    hub_contexts_compare_faults(&path->contexts);
    compare_accesses(path);
    table_image_compare(&path->table, false, compare_entry, path);
    path->end.settles++;
    if (all)
        table_image_compare(&path->table, true, compare_entry, path);
}

void hub_end_keep_totals(struct hub_path *path)
{
    for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++)
        path->end.totals[event] += path->model.counters[event];
}

/* An event that never happened was not tested. */
static void report_coverage(struct hub_path *path)
{
    hub_end_keep_totals(path);
    for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++) {
        summary_number(&path->bench.summary, moehub_hub_event_name(event), (double)path->end.totals[event], "");
        if (path->end.demand_coverage && path->end.totals[event] == 0)
            bench_fail(&path->bench, BENCH_NOTHING_COMPARED, "event \"%s\" never happened", moehub_hub_event_name(event));
    }
}

void hub_end_report(struct hub_path *path)
{
    report_coverage(path);
    struct summary *summary = &path->bench.summary;
    const struct axi_memory_counts counts = axi_memory_counts(path->memory);
    summary_number(summary, "table responses out of order", (double)counts.overtakes, "");
    if (path->end.demand_coverage && path->config.pending > 1 && counts.overtakes == 0)
        bench_fail(&path->bench, BENCH_NOTHING_COMPARED, "the table's responses never came out of order");
    summary_number(summary, "table reads at once, at most", counts.reads_peak, "");
    summary_number(summary, "table writes at once, at most", counts.writes_peak, "");
    summary_number(summary, "answer latency p50", (double)histogram_percentile(path->requests.answers.latency, 50), "cycles");
    summary_number(summary, "answer latency p99", (double)histogram_percentile(path->requests.answers.latency, 99), "cycles");
    summary_number(summary, "a due answer has waited, at most", (double)path->requests.fairness.longest, "cycles");
    summary_number(summary, "the bound of that", (double)path->requests.fairness.bound, "cycles");
    summary_number(summary, "end states compared", (double)path->end.settles, "");
    summary_number(summary, "error candidates checked", (double)path->end.offenders_checked, "");
    summary_number(summary, "row sizes and enabled compared", (double)path->contexts.compared, "");
    summary_number(summary, "faults of contexts", (double)path->contexts.told, "");
    summary_number(summary, "in_flight values copied", (double)path->commands.copied, "");
    summary_number(summary, "of them checked", (double)path->commands.bounded, "");
}
