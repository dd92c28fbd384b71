/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_verdict.h"

#include "bench/system/layer_counters.h"
#include "bench/system/layer_system.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- a round --------------------------------------------------------------------------------------------------- */

/* What was to be refused at the GPUs in the round; the comparison of the counters has found that it was. */
static void add_refused_items(struct layer_verdict *verdict, const struct gpu_sums *sums)
{
    const struct gpu_bad_counts *bad = &sums->bad;
    verdict->writes_failed += sums->writes_failed;
    verdict->items_refused += bad->rows + bad->handles + bad->ranges + bad->reduces + bad->done;
}

/* The same on the links. */
static void add_refused_packets(struct layer_system *system)
{
    struct layer_verdict *verdict = &system->verdict;
    for (unsigned i = 0; i < system->shape.gpus * system->shape.links && system->arguments->bad_packets != 0; i++) {
        const struct system_plane *plane = &system->planes[i % system->shape.links];
        const struct link_injector *up = plane->up[i / system->shape.links].injector;
        const struct link_injector *down = plane->down[i / system->shape.links].injector;
        verdict->packets_late += down->lates;
        verdict->lines_answered += up->lines_answered;
        for (unsigned cause = 0; cause < LINK_INJECTOR_CAUSES; cause++)
            verdict->packets_refused[cause] += up->causes[cause] + down->causes[cause];
    }
}

/* What the abort of the round was to its GPU, and to all. */
static void note_abort(struct layer_system *system)
{
    struct layer_verdict *verdict = &system->verdict;
    const struct system_hub *hub = &system->hubs[system->manners.gpu];
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++)
        verdict->tiles_cut += gpu_rounds_sums(&system->hubs[gpu].rounds).counts.tiles_cut;
    if (!gpu_aborts(hub->rounds.gpus))
        return;
    verdict->abort_rows = gpu_abort_rows(hub->rounds.gpus);
    verdict->stores_dropped = hub->rounds.gpus->abort.stores_behind;
    verdict->stores_aborted = hub->counters[MOEHUB_WINDOW_PACKET_MANAGER]
                                           [MOEHUB_PACKET_MANAGER_EVENT_CAUSES + MOEHUB_PACKET_MANAGER_CAUSE_ABORTED];
}

void layer_verdict_add(struct layer_system *system)
{
    const struct gpu_manners *manners = &system->hubs[0].options.gpu.manners;
    if (system->arguments->counted != 0)
        system->verdict.counters_compared +=
            layer_counters_check(system->planes, system->hubs,
                                 manners->silent == 0 && manners->idle == 0 && manners->short_slots == 0);
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        const struct gpu_rounds *rounds = &system->hubs[gpu].rounds;
        const struct gpu_sums sums = gpu_rounds_sums(rounds);
        gpu_counts_add(&system->verdict.counts, &sums.counts);
        add_refused_items(&system->verdict, &sums);
        system->verdict.flood_rows += rounds->gpus->flood_rows;
    }
    add_refused_packets(system);
    note_abort(system);
}

/* ---- the end of the run ---------------------------------------------------------------------------------------- */

static void add_block(struct layer_system *system, struct summary_block *block, const char *name, uint64_t compared)
{
    *block = (struct summary_block){.name = name, .compared = compared};
    summary_add_block(&system->bench.summary, block);
    system->bench.compared += compared;
}

static void report_abort(struct layer_system *system)
{
    struct layer_verdict *verdict = &system->verdict;
    const struct gpu_abort_rows *rows = &verdict->abort_rows;
    add_block(system, &verdict->dropped, "stores dropped behind an abort", verdict->stores_dropped);
    summary_json(&system->bench.summary, "abort",
                 json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "rows_whole", (json_int_t)rows->whole, "rows_cut",
                           (json_int_t)rows->cut, "rows_lost", (json_int_t)rows->lost, "rows_refused",
                           (json_int_t)rows->refused, "stores_aborted", (json_int_t)verdict->stores_aborted, "tiles_failed",
                           (json_int_t)verdict->tiles_cut));
    printf("abort: rows that left whole %u, in part %u, not at all %u, refused %u; tiles with part of a row %" PRIu64 "\n",
           rows->whole, rows->cut, rows->lost, rows->refused, verdict->tiles_cut);
}

/* A cause that never came is shown: a short run may lack some. */
static void report_bad_packets(struct layer_system *system)
{
    struct layer_verdict *verdict = &system->verdict;
    uint64_t sum = 0;
    json_t *causes = json_array();
    for (unsigned cause = 0; cause < LINK_INJECTOR_CAUSES; cause++) {
        sum += verdict->packets_refused[cause];
        json_array_append_new(causes, json_integer((json_int_t)verdict->packets_refused[cause]));
    }
    add_block(system, &verdict->packets, "bad packets refused", sum);
    if (system->arguments->rounds > system->shape.contexts && system->arguments->overlap == 0)
        add_block(system, &verdict->late, "late packets refused", verdict->packets_late);
    summary_json(&system->bench.summary, "bad_packets_by_cause", causes);
    summary_json(&system->bench.summary, "refused_lines_answered", json_integer((json_int_t)verdict->lines_answered));
}

static void report_lost(struct layer_system *system)
{
    const struct layer_verdict *verdict = &system->verdict;
    const unsigned gpu = system->manners.gpu;
    uint64_t lost = 0;
    for (unsigned plane = 0; plane < system->shape.links; plane++)
        lost += system->planes[plane].up[gpu].lost + system->planes[plane].down[gpu].lost;
    const uint64_t failed = verdict->counts.tokens_failed, spoiled = verdict->counts.lines_spoiled;
    printf("links that fell: %" PRIu64 " flits lost, %" PRIu64 " tokens failed, %" PRIu64 " lines of sums without a value\n",
           lost, failed, spoiled);
    summary_json(&system->bench.summary, "links_fell",
                 json_pack("{s:I, s:I, s:I}", "flits_lost", (json_int_t)lost, "tokens_failed", (json_int_t)failed,
                           "lines_without", (json_int_t)spoiled));
}

/* Where every token failed, by links that fell or an abort, no row, tile and sum need have come; what is due is waited for
 * (gpu_finished). */
static void report_came(struct layer_system *system)
{
    struct layer_verdict *verdict = &system->verdict;
    const struct gpu_counts *counts = &verdict->counts;
    const bool all_failed = counts->tokens != 0 && counts->tokens_failed == counts->tokens;
    if (!all_failed || counts->rows_received != 0)
        add_block(system, &verdict->rows, "rows received", counts->rows_received);
    if (system->phases.sums && (!all_failed || counts->lines_reduced != 0))
        add_block(system, &verdict->sums, "lines of sums", counts->lines_reduced);
    if (!all_failed || counts->tiles != 0)
        add_block(system, &verdict->tiles, "tile events", counts->tiles);
}

static void report_refused(struct layer_system *system)
{
    const struct layer_arguments *arguments = system->arguments;
    struct layer_verdict *verdict = &system->verdict;
    if (arguments->bad_items != 0)
        add_block(system, &verdict->items, "bad items refused", verdict->items_refused);
    if (arguments->flood >= 0)
        add_block(system, &verdict->flood, "rows of the flood refused", verdict->flood_rows);
    if (arguments->write_errors != 0)
        add_block(system, &verdict->writes, "writes answered with errors", verdict->writes_failed);
    if (arguments->abort_of >= 0)
        report_abort(system);
    if (arguments->withheld_after != 0)
        report_lost(system);
    if (verdict->counts.lines_spoiled != 0)
        add_block(system, &verdict->missing, "lines of sums that lack a part", verdict->counts.lines_spoiled);
    if (arguments->bad_packets != 0)
        report_bad_packets(system);
}

static void report_edges(struct layer_system *system)
{
    uint64_t compared = 0, caught = 0;
    for (unsigned gpu = 0; gpu < system->shape.gpus; gpu++) {
        compared += system->hubs[gpu].check.compared;
        caught += system->hubs[gpu].check.caught;
    }
    if (system->arguments->check_hubs == 0)
        return;
    add_block(system, &system->verdict.edges, "edges of hubs", compared);
    summary_json(&system->bench.summary, "offenders_latched", json_integer((json_int_t)caught));
}

/* Ports that were down at the end of a round: one whose GPU gives credits must not be. */
static void report_down(struct layer_system *system)
{
    json_t *ports = json_array();
    for (unsigned i = 0; i < system->shape.gpus * system->shape.links; i++) {
        const unsigned gpu = i / system->shape.links, link = i % system->shape.links;
        if ((system->planes[link].was_down >> gpu & 1) == 0)
            continue;
        if (system->manners.withheld == GPU_WITHHELD_NOTHING || gpu != system->manners.gpu)
            bench_fail(&system->bench, BENCH_MISMATCH, "plane %u: port %u is down, and its GPU withholds nothing", link, gpu);
        printf("GPU %-2u  plane %u: its port was down\n", gpu, link);
        json_array_append_new(ports, json_pack("{s:I, s:I}", "gpu", (json_int_t)gpu, "plane", (json_int_t)link));
    }
    summary_json(&system->bench.summary, "ports_down", ports);
}

static void report_together(struct layer_system *system)
{
    if (system->arguments->overlap == 0)
        return;
    printf("rounds: at most %u under way together at a GPU\n", system->verdict.together);
    summary_json(&system->bench.summary, "rounds_together", json_integer(system->verdict.together));
}

/* Of the bytes that came, of all rounds: to be compared with another run's of the same layer. */
static void report_digests(struct layer_system *system)
{
    char rows[32], sums[32];
    snprintf(rows, sizeof rows, "%016" PRIx64, system->verdict.counts.rows_digest);
    snprintf(sums, sizeof sums, "%016" PRIx64, system->verdict.counts.sums_digest);
    printf("digests: rows received %s, sums %s\n", rows, sums);
    summary_json(&system->bench.summary, "digests", json_pack("{s:s, s:s}", "rows", rows, "sums", sums));
}

void layer_verdict_report(struct layer_system *system)
{
    struct layer_verdict *verdict = &system->verdict;
    report_came(system);
    add_block(system, &verdict->tokens, "tokens ready", verdict->counts.tokens);
    if (system->arguments->counted != 0)
        add_block(system, &verdict->counters, "counters", verdict->counters_compared);
    report_edges(system);
    report_refused(system);
    report_down(system);
    report_together(system);
    report_digests(system);
}
