/* SPDX-License-Identifier: Apache-2.0 */
/* The CSV files of `moehub system`. Texts hold no quotes; those with commas are quoted. */
#include "system_tables.h"

#include <stdio.h>

const char *const system_set_names[SYSTEM_SETS] = {"measured", "paper"};

FILE *open_in_folder(const char *folder, const char *name, struct moehub_message *message)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = length < (int)sizeof path ? fopen(path, "w") : NULL;
    if (file == NULL)
        moehub_message_set(message, path, 0, "cannot be written");
    return file;
}

int close_in_folder(FILE *file, const char *folder, const char *name, struct moehub_message *message)
{
    const bool failed = ferror(file) != 0;
    if (fclose(file) == 0 && !failed)
        return 0;
    moehub_message_set(message, NULL, 0, "%s/%s: cannot be written", folder, name);
    return MOEHUB_E_FILE;
}

static void write_claims(FILE *file, const struct system_tables *tables)
{
    fprintf(file, "claim,paper,measured,paper_set,verdict,reason\n");
    for (size_t i = 0; i < tables->claim_count; i++) {
        const struct moehub_system_claim *claim = &tables->claims[i];
        if (claim->run)
            fprintf(file, "%s,%.6g,%.6g,%.6g,%s,\"%s\"\n", claim->name, claim->paper, claim->measured, claim->paper_set,
                    claim->verdict, claim->reason);
        else
            fprintf(file, "%s,%.6g,,,%s,\"%s\"\n", claim->name, claim->paper, claim->verdict, claim->reason);
    }
}

static void write_validation(FILE *file, const struct system_tables *tables)
{
    fprintf(file, "row,value,model,error,fitted\n");
    for (size_t i = 0; i < tables->result_count; i++)
        fprintf(file, "%s,%.6g,%.6g,%.6g,%d\n", tables->results[i].row->name, tables->results[i].row->value,
                tables->results[i].model, tables->results[i].error, tables->results[i].row->fitted);
}

static void write_grid(FILE *file, const char *set, const struct moehub_system_grid *grid)
{
    for (size_t i = 0; i < grid->count; i++)
        for (int j = 0; j < MOEHUB_SYSTEM_SCHEME_COUNT; j++) {
            const enum moehub_system_scheme scheme = (enum moehub_system_scheme)j;
            fprintf(file, "%s,%s,%s,%s,%.9g,", set, grid->works[i].name, moehub_system_scheme_name(scheme),
                    moehub_system_level_name(scheme), grid->forward[i][j]);
            if (grid->backward[i][j] > 0)
                fprintf(file, "%.9g", grid->backward[i][j]);
            fprintf(file, "\n");
        }
}

static void write_layers(FILE *file, const struct system_tables *tables)
{
    fprintf(file, "set,layer,scheme,level,forward_s,backward_s\n");
    for (int i = 0; i < SYSTEM_SETS; i++) {
        write_grid(file, system_set_names[i], &tables->sets[i].training);
        write_grid(file, system_set_names[i], &tables->sets[i].hub);
    }
}

static void write_ablations(FILE *file, const struct system_tables *tables)
{
    size_t count;
    const struct system_ablation *ablations = system_ablations(&count);
    fprintf(file, "set,layers,scheme,baseline,gain,least,most,window\n");
    for (int i = 0; i < SYSTEM_SETS; i++)
        for (size_t j = 0; j < count; j++) {
            const struct system_ablation *one = &ablations[j];
            const struct moehub_system_grid *grid = one->hub ? &tables->sets[i].hub : &tables->sets[i].training;
            const struct moehub_system_gains gains = moehub_system_gains(grid, MOEHUB_SYSTEM_FORWARD, one->baseline, one->scheme);
            fprintf(file, "%s,%s,%s,%s,%.6g,%.6g,%.6g,", system_set_names[i], one->hub ? "hub" : "training",
                    moehub_system_scheme_name(one->scheme), moehub_system_scheme_name(one->baseline), gains.mean, gains.least,
                    gains.most);
            if (one->hub)
                fprintf(file, "%.6g", moehub_system_gains(grid, MOEHUB_SYSTEM_WINDOW, one->baseline, one->scheme).mean);
            fprintf(file, "\n");
        }
}

static void write_influences(FILE *file, const struct system_tables *tables)
{
    fprintf(file, "set,constant,ranged,low,high,gain_at_low,gain,gain_at_high,influence\n");
    for (int i = 0; i < SYSTEM_SETS; i++)
        for (int j = 0; j < MOEHUB_SYSTEM_LAYER_COUNT; j++) {
            const struct moehub_system_influence *one = &tables->influences[i][j];
            fprintf(file, "%s,%s,%d,%.9g,%.9g,%.6g,%.6g,%.6g,%.6g\n", system_set_names[i],
                    moehub_system_facts(one->constant)->name, one->ranged, one->low, one->high, one->at_low, one->at_base,
                    one->at_high, one->influence);
        }
}

static void write_points(FILE *file, const struct system_tables *tables)
{
    fprintf(file, "set,study,change,dysharp_s,over_comet,over_megamoe,over_deepep\n");
    for (int i = 0; i < SYSTEM_SETS; i++)
        for (int j = 0; j < tables->point_counts[i]; j++) {
            const struct moehub_system_point *point = &tables->points[i][j];
            fprintf(file, "%s,%s,\"%s\",%.9g,%.6g,%.6g,%.6g\n", system_set_names[i], point->study, point->change, point->seconds,
                    point->over_comet, point->over_software, point->over_deepep);
        }
}

int write_csv(const char *folder, const struct system_tables *tables, struct moehub_message *message)
{
    static const struct {
        const char *name;
        void (*write)(FILE *file, const struct system_tables *tables);
    } files[] = {{"claims.csv", write_claims}, {"validation.csv", write_validation}, {"layers.csv", write_layers},
                 {"ablations.csv", write_ablations},
                 {"sensitivity.csv", write_influences}, {"sweeps.csv", write_points}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        FILE *file = open_in_folder(folder, files[i].name, message);
        if (file == NULL)
            return MOEHUB_E_FILE;
        files[i].write(file, tables);
        const int error = close_in_folder(file, folder, files[i].name, message);
        if (error != 0)
            return error;
    }
    return 0;
}
