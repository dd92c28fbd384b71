/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that one full run of `moehub system` has computed, and the files that it becomes. */
#ifndef MOEHUB_CLI_SYSTEM_TABLES_H
#define MOEHUB_CLI_SYSTEM_TABLES_H

#include "moehub/system_claims.h"
#include "moehub/system_study.h"
#include "system_machines.h"
#include "system_print.h"

#include <jansson.h>

enum { SYSTEM_SETS = 2 };

/* A scheme with a part taken away, against what it is compared with. */
struct system_ablation {
    bool hub;  /* on the layers of arXiv 2605.05888 */
    enum moehub_system_scheme scheme, baseline;
};

const struct system_ablation *system_ablations(size_t *count);

extern const char *const system_set_names[SYSTEM_SETS];

struct system_tables {
    struct system_result results[SYSTEM_ROWS_MAX];
    size_t result_count;
    struct moehub_system_evidence_set sets[SYSTEM_SETS];
    struct moehub_system_claim claims[SYSTEM_CLAIMS_MAX];
    size_t claim_count;
    struct moehub_system_influence influences[SYSTEM_SETS][MOEHUB_SYSTEM_LAYER_COUNT];
    struct moehub_system_point points[SYSTEM_SETS][MOEHUB_SYSTEM_POINTS_MAX];
    int point_counts[SYSTEM_SETS];
};

/* Compute them, on so many threads as the arguments say. 0, or an error with a sentence.
 * All; validation alone, the model's value of each row on the row's own machine; what constants move alone. */
int system_tables_fill(const struct system_arguments *arguments, const struct system_machines *machines,
                       struct system_tables *tables, struct moehub_message *message);
int system_tables_validate(const struct system_arguments *arguments, struct system_result *results,
                           struct moehub_message *message);
int system_tables_influences(const struct system_arguments *arguments, const struct system_machines *machines,
                             struct system_tables *tables, struct moehub_message *message);

/* Parts of the papers' schemes taken away. */
void print_ablations(const struct system_tables *tables);
/* So many of the constants, most influential first. */
void print_influences(const struct system_tables *tables, int shown);
void print_points(const struct system_tables *tables);

/* Files in a folder that exists. 0, MOEHUB_E_FILE with a sentence, MOEHUB_E_MEMORY. */
int write_json(const char *folder, const struct system_tables *tables, struct moehub_message *message);
int write_csv(const char *folder, const struct system_tables *tables, struct moehub_message *message);
int write_plots(const char *folder, const struct system_tables *tables, struct moehub_message *message);

/* Writes an array (NULL: no memory) as FOLDER/NAME and uses it up. */
int write_array(const char *folder, const char *name, json_t *array, struct moehub_message *message);

/* The array with the object in it; NULL and nothing left if there is no memory. */
json_t *append(json_t *array, json_t *object);

/* Opens FOLDER/NAME to be written; NULL with a sentence. */
FILE *open_in_folder(const char *folder, const char *name, struct moehub_message *message);

/* Closes; 0 or MOEHUB_E_FILE with a sentence if something was not written. */
int close_in_folder(FILE *file, const char *folder, const char *name, struct moehub_message *message);

#endif
