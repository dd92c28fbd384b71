/* SPDX-License-Identifier: Apache-2.0 */
#include "system_tables.h"

#include "moehub/system_validation.h"
#include "system_threads.h"

int system_tables_validate(const struct system_arguments *arguments, struct system_result *results,
                           struct moehub_message *message)
{
    size_t count;
    const struct moehub_system_row *rows = moehub_system_rows(&count);
    for (size_t i = 0; i < count; i++) {
        struct moehub_system_constants constants;
        const int error = system_machine_load(arguments, rows[i].machine, "measured", &constants, message);
        if (error != 0)
            return error;
        const double value = moehub_system_row_value(&constants, &rows[i]);
        results[i] = (struct system_result){&rows[i], value, value / rows[i].value - 1};
    }
    return 0;
}

/* What the tables of a set are made of. The longest first: threads end together. */
enum part { PART_INFLUENCES, PART_SWEEPS, PART_TRAINING, PART_FIGURES, PART_HUB, PARTS };

/* Each set's parts as tasks: none sees what another writes. */
struct sets_job {
    const struct system_machines *machines;
    struct system_tables *tables;
};

static int run_sweeps(const struct moehub_system_constants *training, struct system_tables *tables, int set,
                      struct moehub_message *message)
{
    const int count = moehub_system_sweeps(training, tables->points[set], message);
    tables->point_counts[set] = count < 0 ? 0 : count;
    return count < 0 ? count : 0;
}

static int run_part(void *context, size_t number, struct moehub_message *message)
{
    const struct sets_job *job = context;
    struct system_tables *tables = job->tables;
    const int set = (int)(number % SYSTEM_SETS);
    const struct moehub_system_constants *training = &job->machines->training[set];
    size_t count;
    const struct moehub_system_work *works;
    switch ((enum part)(number / SYSTEM_SETS)) {
    case PART_INFLUENCES:
        return moehub_system_influences(training, tables->influences[set], message);
    case PART_SWEEPS:
        return run_sweeps(training, tables, set, message);
    case PART_TRAINING:
        works = moehub_system_training(&count);
        return moehub_system_grid_make(&tables->sets[set].training, training, works, count, true, message);
    case PART_FIGURES:
        return moehub_system_figures_run(training, &tables->sets[set].figures, message);
    case PART_HUB:
    default:
        works = moehub_system_hub_cases(&count);
        return moehub_system_grid_make(&tables->sets[set].hub, &job->machines->hub[set], works, count, false, message);
    }
}

static int make_sets(const struct system_arguments *arguments, const struct system_machines *machines,
                     struct system_tables *tables, struct moehub_message *message)
{
    struct sets_job parts = {machines, tables};
    const struct system_job job = {"tables", (size_t)SYSTEM_SETS * PARTS, run_part, &parts};
    return system_threads_run(&job, arguments->threads, message);
}

int system_tables_fill(const struct system_arguments *arguments, const struct system_machines *machines,
                       struct system_tables *tables, struct moehub_message *message)
{
    moehub_system_rows(&tables->result_count);
    int error = MOEHUB_E_LIMIT;
    if (tables->result_count <= SYSTEM_ROWS_MAX)
        error = system_tables_validate(arguments, tables->results, message);
    if (error == 0)
        error = make_sets(arguments, machines, tables, message);
    if (error != 0)
        return error;
    tables->claim_count = moehub_system_claims(&tables->sets[0], &tables->sets[1], tables->claims, SYSTEM_CLAIMS_MAX);
    return tables->claim_count <= SYSTEM_CLAIMS_MAX ? 0 : MOEHUB_E_LIMIT;
}

static int run_influences(void *context, size_t number, struct moehub_message *message)
{
    const struct sets_job *job = context;
    return moehub_system_influences(&job->machines->training[number], job->tables->influences[number], message);
}

int system_tables_influences(const struct system_arguments *arguments, const struct system_machines *machines,
                             struct system_tables *tables, struct moehub_message *message)
{
    struct sets_job sets = {machines, tables};
    const struct system_job job = {"sets", SYSTEM_SETS, run_influences, &sets};
    return system_threads_run(&job, arguments->threads, message);
}
