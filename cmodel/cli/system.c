/* SPDX-License-Identifier: Apache-2.0 */
/* moehub system: the model of a whole machine, its validation and the papers' claims. */
#include "command.h"
#include "system_levels.h"
#include "system_machines.h"
#include "system_matrix.h"
#include "system_packet.h"
#include "system_shares.h"
#include "system_tables.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { INFLUENCES_SHOWN = 12 };

static void print_sets(const struct moehub_system_evidence_set *sets)
{
    char title[80];
    for (int i = 0; i < SYSTEM_SETS; i++) {
        snprintf(title, sizeof title, "Training layers under `%s`", system_set_names[i]);
        print_layers(title, &sets[i].training, false);
        print_layers(title, &sets[i].training, true);
        snprintf(title, sizeof title, "Layers of arXiv 2605.05888 under `%s`", system_set_names[i]);
        print_layers(title, &sets[i].hub, false);
    }
}

static int write_tables(const char *folder, const struct system_tables *tables, struct moehub_message *message)
{
    int error = write_json(folder, tables, message);
    if (error == 0)
        error = write_csv(folder, tables, message);
    return error != 0 ? error : write_plots(folder, tables, message);
}

static int print_all(const struct system_arguments *arguments, const struct system_machines *machines,
                     struct moehub_message *message)
{
    static struct system_tables tables;
    const int error = system_tables_fill(arguments, machines, &tables, message);
    if (error != 0)
        return error;
    print_bounds(&machines->training[0], &machines->training[1]);
    print_validation(tables.results, tables.result_count);
    print_sets(tables.sets);
    print_claims(tables.claims, tables.claim_count);
    print_ablations(&tables);
    print_influences(&tables, INFLUENCES_SHOWN);
    print_points(&tables);
    print_open();
    return arguments->output != NULL ? write_tables(arguments->output, &tables, message) : 0;
}

static int print_validation_alone(const struct system_arguments *arguments, struct moehub_message *message)
{
    struct system_result results[SYSTEM_ROWS_MAX];
    size_t rows;
    moehub_system_rows(&rows);
    const int error = rows <= SYSTEM_ROWS_MAX ? system_tables_validate(arguments, results, message) : MOEHUB_E_LIMIT;
    if (error == 0)
        print_validation(results, rows);
    return error;
}

/* All constants, where the tables show the first. */
static int print_sensitivity(const struct system_arguments *arguments, const struct system_machines *machines,
                             struct moehub_message *message)
{
    static struct system_tables tables;
    int error = system_machines_check(&machines->training[0], message);
    if (error == 0)
        error = system_tables_influences(arguments, machines, &tables, message);
    if (error == 0)
        print_influences(&tables, MOEHUB_SYSTEM_LAYER_COUNT);
    return error;
}

static int check_output(const struct system_arguments *arguments, struct moehub_message *message)
{
    if (arguments->output == NULL || access(arguments->output, W_OK | X_OK) == 0)
        return 0;
    moehub_message_set(message, arguments->output, 0, "cannot be written: %s", strerror(errno));
    return MOEHUB_E_FILE;
}

/* The set `measured` on the layers' machine, with the RTL's plane. */
static int compare_levels(const struct system_arguments *arguments, const struct system_machines *machines,
                          struct moehub_message *message)
{
    const int error = check_output(arguments, message);
    return error != 0 ? error : system_levels(&machines->training[0], arguments->threads, arguments->output, message);
}

/* All that the tables and the levels ask for. */
static int measure_shares(const struct system_arguments *arguments, const struct system_machines *machines,
                          struct moehub_system_shares *shares, struct moehub_message *message)
{
    static struct system_tables tables;
    int error = system_machines_check(&machines->training[0], message);
    if (error == 0)
        error = system_tables_fill(arguments, machines, &tables, message);
    if (error == 0)
        error = system_levels_measure(&machines->training[0], arguments->threads, message);
    return error != 0 ? error : system_shares_write(shares, arguments->write_shares, message);
}

static int answer_all(const struct system_arguments *arguments, const struct system_machines *machines,
                      struct moehub_message *message)
{
    int error = check_output(arguments, message);
    if (error == 0)
        error = system_machines_check(&machines->training[0], message);
    return error != 0 ? error : print_all(arguments, machines, message);
}

static int answer_question(const struct system_arguments *arguments, const struct system_machines *machines,
                           struct moehub_message *message)
{
    const int error = check_output(arguments, message);
    return error != 0 ? error : question_answer(&arguments->question, machines->training, arguments->threads, arguments->output,
                                                message);
}

static int answer(const struct system_arguments *arguments, const struct system_machines *machines,
                  struct moehub_system_shares *shares, struct moehub_message *message)
{
    if (question_asked(&arguments->question))
        return answer_question(arguments, machines, message);
    if (arguments->levels)
        return compare_levels(arguments, machines, message);
    if (arguments->validation)
        return print_validation_alone(arguments, message);
    if (arguments->sensitivity)
        return print_sensitivity(arguments, machines, message);
    if (arguments->write_shares != NULL)
        return measure_shares(arguments, machines, shares, message);
    return answer_all(arguments, machines, message);
}

int command_system(int argc, char **argv)
{
    if (system_packet_asked(argc, argv))
        return command_system_packet(argc, argv);
    if (system_matrix_asked(argc, argv))
        return command_system_matrix(argc, argv);
    const struct system_arguments arguments = system_arguments_read(argc, argv);
    struct moehub_message message = {""};
    struct moehub_system_shares *shares = NULL;
    struct system_machines machines;
    int error = system_shares_open(&shares, arguments.folder, &message);
    if (error == 0)
        error = system_machines_load(&arguments, shares, &machines, &message);
    if (error == 0 && arguments.list_constants)
        print_constants(&machines.training[0], &machines.training[1]);
    else if (error == 0)
        error = answer(&arguments, &machines, shares, &message);
    moehub_system_shares_destroy(shares);
    return error == 0 ? STATUS_OK : command_fail(argv[0], error, &message);
}
