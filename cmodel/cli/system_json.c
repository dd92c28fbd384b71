/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON files of `moehub system`. */
#include "system_print.h"

#include <jansson.h>
#include <stdio.h>

/* Writes and uses up the array (NULL: no memory). */
static int write_array(const char *folder, const char *name, json_t *array, struct moehub_message *message)
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

static json_t *results_json(const struct system_result *results, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count && array != NULL; i++)
        if (json_array_append_new(array, result_json(&results[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

static json_t *claims_json(const struct moehub_system_claim *claims, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count && array != NULL; i++)
        if (json_array_append_new(array, claim_json(&claims[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    return array;
}

int write_json(const char *folder, const struct system_result *results, size_t result_count,
               const struct moehub_system_claim *claims, size_t claim_count, struct moehub_message *message)
{
    const int error = write_array(folder, "validation.json", results_json(results, result_count), message);
    return error != 0 ? error : write_array(folder, "claims.json", claims_json(claims, claim_count), message);
}
