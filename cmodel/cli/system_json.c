/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON files of `moehub system`. */
#include "system_tables.h"

#include <stdio.h>

int write_array(const char *folder, const char *name, json_t *array, struct moehub_message *message)
{
    char path[512];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    int error = array != NULL ? 0 : MOEHUB_E_MEMORY;
    if (error == 0 && (length >= (int)sizeof path || json_dump_file(array, path, JSON_INDENT(2)) != 0)) {
        moehub_message_set(message, path, 0, "cannot be written");
        error = MOEHUB_E_FILE;
    }
    json_decref(array);
    return error;
}

static json_t *result_json(const struct system_result *result)
{
    return json_pack("{s:s, s:f, s:f, s:f, s:b}", "row", result->row->name, "value", result->row->value, "model", result->model,
                     "error", result->error, "fitted", (int)result->row->fitted);
}

/* A value that did not run is null, never 0. */
static json_t *value_json(const struct moehub_system_claim *claim, double value)
{
    return claim->run ? json_real(value) : json_null();
}

static json_t *claim_json(const struct moehub_system_claim *claim)
{
    return json_pack("{s:s, s:f, s:o, s:o, s:s, s:s}", "claim", claim->name, "paper", claim->paper, "measured",
                     value_json(claim, claim->measured), "paper_set", value_json(claim, claim->paper_set), "verdict",
                     claim->verdict, "reason", claim->reason);
}

json_t *append(json_t *array, json_t *object)
{
    if (json_array_append_new(array, object) == 0)
        return array;
    json_decref(array);
    return NULL;
}

static json_t *results_json(const struct system_result *results, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count && array != NULL; i++)
        array = append(array, result_json(&results[i]));
    return array;
}

static json_t *claims_json(const struct moehub_system_claim *claims, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count && array != NULL; i++)
        array = append(array, claim_json(&claims[i]));
    return array;
}

static json_t *influences_json(const struct system_tables *tables)
{
    json_t *array = json_array();
    for (int i = 0; i < SYSTEM_SETS; i++)
        for (int j = 0; j < MOEHUB_SYSTEM_LAYER_COUNT && array != NULL; j++) {
            const struct moehub_system_influence *one = &tables->influences[i][j];
            json_t *object = json_pack("{s:s, s:s, s:b, s:f, s:f, s:f, s:f, s:f, s:f}", "set", system_set_names[i], "constant",
                                       moehub_system_facts(one->constant)->name, "ranged", (int)one->ranged, "low", one->low,
                                       "high", one->high, "gain_at_low", one->at_low, "gain", one->at_base, "gain_at_high",
                                       one->at_high, "influence", one->influence);
            array = append(array, object);
        }
    return array;
}

static json_t *points_json(const struct system_tables *tables)
{
    json_t *array = json_array();
    for (int i = 0; i < SYSTEM_SETS; i++)
        for (int j = 0; j < tables->point_counts[i] && array != NULL; j++) {
            const struct moehub_system_point *point = &tables->points[i][j];
            json_t *object = json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f}", "set", system_set_names[i], "study", point->study,
                                       "change", point->change, "dysharp_s", point->seconds, "over_comet", point->over_comet,
                                       "over_megamoe", point->over_software, "over_deepep", point->over_deepep);
            array = append(array, object);
        }
    return array;
}

int write_json(const char *folder, const struct system_tables *tables, struct moehub_message *message)
{
    int error = write_array(folder, "validation.json", results_json(tables->results, tables->result_count), message);
    if (error == 0)
        error = write_array(folder, "claims.json", claims_json(tables->claims, tables->claim_count), message);
    if (error == 0)
        error = write_array(folder, "sensitivity.json", influences_json(tables), message);
    return error != 0 ? error : write_array(folder, "sweeps.json", points_json(tables), message);
}
