/* SPDX-License-Identifier: Apache-2.0 */
#include "system_levels.h"

#include "system_tables.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

enum { RUNS_MAX = 128 };

static const char *const patterns[MOEHUB_SYSTEM_PATTERNS] = {"dispatch", "combine", "fused"};
static const double wanted = 0.03;  /* flows against packets */

struct run {
    const struct moehub_system_level_case *one;
    enum moehub_system_pattern pattern;
    struct moehub_system_level_result result;
    int error;
    struct moehub_message message;
};

struct runs {
    const struct moehub_system_constants *constants;
    struct run runs[RUNS_MAX];
    size_t count;
    atomic_size_t next;
};

static double error_of(const struct run *run)
{
    return run->result.flow_cycles / (double)run->result.packet_cycles - 1;
}

/* Takes runs until none is left. Which thread takes which does not matter to their results. */
static void *work(void *argument)
{
    struct runs *runs = argument;
    for (size_t i; (i = atomic_fetch_add(&runs->next, 1)) < runs->count;) {
        struct run *run = &runs->runs[i];
        fprintf(stderr, "\rlevels: %zu of %zu ", i + 1, runs->count);
        run->error = moehub_system_level_run(runs->constants, run->one, run->pattern, &run->result, &run->message);
    }
    return NULL;
}

static int run_all(struct runs *runs, struct moehub_message *message)
{
    pthread_t other;
    const bool beside = pthread_create(&other, NULL, work, runs) == 0;
    work(runs);
    if (beside)
        pthread_join(other, NULL);
    fprintf(stderr, "\n");
    for (size_t i = 0; i < runs->count; i++)
        if (runs->runs[i].error != 0) {
            *message = runs->runs[i].message;
            return runs->runs[i].error;
        }
    return 0;
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
static int run_cases(struct runs *runs, const struct moehub_system_constants *constants, struct moehub_message *message)
{
    size_t count;
    const struct moehub_system_level_case *cases = moehub_system_level_cases(&count);
    runs->constants = constants;
    for (size_t i = 0; i < count; i++)
        for (int j = 0; j < MOEHUB_SYSTEM_PATTERNS && runs->count < RUNS_MAX; j++)
            runs->runs[runs->count++] = (struct run){.one = &cases[i], .pattern = (enum moehub_system_pattern)j};
    return run_all(runs, message);
}

int system_levels_measure(const struct moehub_system_constants *constants, struct moehub_message *message)
{
    static struct runs runs;
    return run_cases(&runs, constants, message);
}

int system_levels(const struct moehub_system_constants *constants, const char *folder, struct moehub_message *message)
{
    static struct runs runs;
    const int error = run_cases(&runs, constants, message);
    if (error != 0)
        return error;
    print_table(&runs);
    return folder != NULL ? write_runs(&runs, folder, message) : 0;
}
