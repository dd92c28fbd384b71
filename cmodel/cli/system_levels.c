/* SPDX-License-Identifier: Apache-2.0 */
#include "system_levels.h"

#include "system_tables.h"
#include "system_threads.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { RUNS_MAX = 128 };

static const char *const patterns[MOEHUB_SYSTEM_PATTERNS] = {"dispatch", "combine", "fused"};
static const double wanted = 0.03;  /* flows against packets */

struct run {
    const struct moehub_system_level_case *one;
    enum moehub_system_pattern pattern;
    struct moehub_system_level_result result;
};

struct runs {
    const struct moehub_system_constants *constants;
    struct run runs[RUNS_MAX];
    size_t count;
};

static double error_of(const struct run *run)
{
    return run->result.flow_cycles / (double)run->result.packet_cycles - 1;
}

static int run_one(void *context, size_t number, struct moehub_message *message)
{
    struct runs *runs = context;
    struct run *run = &runs->runs[number];
    return moehub_system_level_run(runs->constants, run->one, run->pattern, &run->result, message);
}

static void print_table(const struct runs *runs)
{
    size_t within = 0;
    printf("\nTile flows against packets, links alone, cycles of a flit, sums of the draws. share: of the busiest link's time, "
           "by packets;\nworst: error of the worst draw\n  %-20s %-9s %5s %11s %6s %7s %12s %12s %9s %8s\n", "case", "pattern",
           "GPUs", "rows a GPU", "draws", "share", "packets", "flows", "error", "worst");
    for (size_t i = 0; i < runs->count; i++) {
        const struct run *run = &runs->runs[i];
        printf("  %-20s %-9s %5u %11u %6u %7.3f %12" PRIu64 " %12.0f %+7.2f %% %6.2f %%\n", run->one->name,
               patterns[run->pattern], run->one->gpus, run->one->tokens, run->one->draws, run->result.share,
               run->result.packet_cycles, run->result.flow_cycles, 100 * error_of(run), 100 * run->result.worst);
        within += fabs(error_of(run)) <= wanted;
    }
    printf("  %zu of %zu within %.0f %%\n", within, runs->count, 100 * wanted);
}

static json_t *run_json(const struct run *run)
{
    return json_pack("{s:s, s:s, s:i, s:i, s:i, s:f, s:I, s:f, s:f, s:f}", "case", run->one->name, "pattern",
                     patterns[run->pattern], "gpus", (int)run->one->gpus, "rows", (int)run->one->tokens, "draws",
                     (int)run->one->draws, "share", run->result.share, "packet_cycles", (json_int_t)run->result.packet_cycles,
                     "flow_cycles", run->result.flow_cycles, "error", error_of(run), "worst", run->result.worst);
}

static int write_runs(const struct runs *runs, const char *folder, struct moehub_message *message)
{
    json_t *array = json_array();
    for (size_t i = 0; i < runs->count && array != NULL; i++)
        array = append(array, run_json(&runs->runs[i]));
    return write_array(folder, "levels.json", array, message);
}

/* All cases in all patterns. */
static int run_cases(struct runs *runs, const struct moehub_system_constants *constants, unsigned threads,
                     struct moehub_message *message)
{
    size_t count;
    const struct moehub_system_level_case *cases = moehub_system_level_cases(&count);
    runs->constants = constants;
    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < MOEHUB_SYSTEM_PATTERNS && runs->count < RUNS_MAX; j++)
            runs->runs[runs->count++] = (struct run){.one = &cases[i], .pattern = (enum moehub_system_pattern)j};
    const struct system_job job = {"levels", runs->count, run_one, runs};
    return system_threads_run(&job, threads, message);
}

int system_levels_measure(const struct moehub_system_constants *constants, unsigned threads, struct moehub_message *message)
{
    static struct runs runs;
    return run_cases(&runs, constants, threads, message);
}

int system_levels(const struct moehub_system_constants *constants, unsigned threads, const char *folder,
                  struct moehub_message *message)
{
    static struct runs runs;
    const int error = run_cases(&runs, constants, threads, message);
    if (error != 0)
        return error;
    print_table(&runs);
    return folder != NULL ? write_runs(&runs, folder, message) : 0;
}
