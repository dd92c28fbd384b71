/* SPDX-License-Identifier: Apache-2.0 */
/* The two JSON-lines formats: one object a line. */
#include "traffic/trace_rows.h"

#include "moehub/layer.h"

#include <jansson.h>
#include <limits.h>
#include <string.h>

/* An integer member lowest..highest; where it is missing, `missing` says whether that is an error (NULL: it is). */
static int get_integer(const struct trace_rows *rows, const json_t *object, const char *key, long long lowest,
                       long long highest, long long *value, bool *missing)
{
    const json_t *member = json_object_get(object, key);
    if (missing != NULL && (*missing = member == NULL))
        return 0;
    if (member == NULL)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "\"%s\" is missing", key);
    if (!json_is_integer(member))
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "\"%s\" is not an integer", key);
    *value = json_integer_value(member);
    if (*value < lowest || *value > highest)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "\"%s\" is %lld; legal are %lld..%lld", key, *value, lowest,
                                highest);
    return 0;
}

/* `count` members of an array, from `first`, as one row. */
static int add_ids(struct trace_rows *rows, const json_t *array, size_t first, size_t count)
{
    long long ids[MOEHUB_LAYER_TOPK_MAX] = {0};
    for (size_t i = 0; i < count && i < MOEHUB_LAYER_TOPK_MAX; i++) {
        const json_t *id = json_array_get(array, first + i);
        if (!json_is_integer(id))
            return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "an expert is not an integer");
        ids[i] = json_integer_value(id);
    }
    return trace_rows_add(rows, ids, count);
}

/* {"type": "meta", ...}: the numbers of experts, where they are said. */
static int read_meta(struct trace_rows *rows, const json_t *object)
{
    long long experts = 0;
    long long topk = 0;
    bool no_experts = false;
    bool no_topk = false;
    int error = get_integer(rows, object, "num_experts", 1, MOEHUB_LAYER_EXPERTS_MAX, &experts, &no_experts);
    if (error == 0)
        error = get_integer(rows, object, "top_k", 1, MOEHUB_LAYER_TOPK_MAX, &topk, &no_topk);
    if (error != 0)
        return error;
    if (rows->trace->tokens > 0)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "a meta line behind rows");
    if (!no_experts && rows->wanted != 0 && experts != rows->wanted)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "\"num_experts\" is %lld; wanted are %u", experts,
                                rows->wanted);
    if (!no_experts)
        rows->limit = rows->trace->experts = (unsigned)experts;
    if (!no_topk)
        rows->trace->topk = (unsigned)topk;
    return 0;
}

static int read_vllm(struct trace_rows *rows, const json_t *object)
{
    const char *type = json_string_value(json_object_get(object, "type"));
    if (type != NULL && strcmp(type, "meta") == 0)
        return read_meta(rows, object);
    if (type == NULL || strcmp(type, "route") != 0)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "\"type\" is neither \"meta\" nor \"route\"");
    long long layer = 0;
    const int error = get_integer(rows, object, "layer", 0, INT_MAX, &layer, NULL);
    if (error != 0)
        return error;
    const json_t *ids = json_object_get(object, "topk_ids");
    if (!json_is_array(ids))
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "\"topk_ids\" is missing or not a list");
    return trace_rows_wants(rows, (long)layer) ? add_ids(rows, ids, 0, json_array_size(ids)) : 0;
}

/* top_indices, a list of `tokens` lists of `topk`. */
static int add_lists(struct trace_rows *rows, const json_t *lists, size_t tokens, size_t topk)
{
    if (json_array_size(lists) != tokens)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "\"top_indices\" has %zu tokens, \"num_tokens\" is %zu",
                                json_array_size(lists), tokens);
    int error = 0;
    for (size_t token = 0; error == 0 && token < tokens; token++) {
        const json_t *list = json_array_get(lists, token);
        if (!json_is_array(list) || json_array_size(list) != topk)
            return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "token %zu of \"top_indices\" is not a list of %zu", token,
                                    topk);
        error = add_ids(rows, list, 0, topk);
    }
    return error;
}

/* top_indices, one flat list. */
static int add_flat(struct trace_rows *rows, const json_t *list, size_t tokens, size_t topk)
{
    if (json_array_size(list) != tokens * topk)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "\"top_indices\" has %zu experts, not %zu x %zu",
                                json_array_size(list), tokens, topk);
    int error = 0;
    for (size_t token = 0; error == 0 && token < tokens; token++)
        error = add_ids(rows, list, token * topk, topk);
    return error;
}

static int read_megatron(struct trace_rows *rows, const json_t *object)
{
    long long layer = 0;
    long long tokens = 0;
    long long topk = 0;
    int error = get_integer(rows, object, "layer", 0, INT_MAX, &layer, NULL);
    if (error == 0)
        error = get_integer(rows, object, "num_tokens", 0, INT_MAX, &tokens, NULL);
    if (error == 0)
        error = get_integer(rows, object, "topk", 1, MOEHUB_LAYER_TOPK_MAX, &topk, NULL);
    if (error != 0)
        return error;
    const json_t *indices = json_object_get(object, "top_indices");
    if (!json_is_array(indices))
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "\"top_indices\" is missing or not a list");
    if (!trace_rows_wants(rows, (long)layer))
        return 0;
    const bool flat = json_is_integer(json_array_get(indices, 0));
    return flat ? add_flat(rows, indices, (size_t)tokens, (size_t)topk)
                : add_lists(rows, indices, (size_t)tokens, (size_t)topk);
}

/* What a line's object is: the first line decides for the file. */
static int find_format(const struct trace_rows *rows, const json_t *object)
{
    if (json_object_get(object, "type") != NULL)
        rows->trace->format = MOEHUB_TRACE_VLLM;
    else if (json_object_get(object, "top_indices") != NULL)
        rows->trace->format = MOEHUB_TRACE_MEGATRON;
    else
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT,
                                "neither a vLLM line (\"type\") nor a Megatron-Core line (\"top_indices\")");
    return 0;
}

static int read_object(struct trace_rows *rows, bool first)
{
    json_error_t problem;
    json_t *object = json_loadb(rows->reader.text, rows->reader.length, JSON_REJECT_DUPLICATES, &problem);
    if (object == NULL)
        return line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "column %d: %s", problem.column, problem.text);
    int error = 0;
    if (!json_is_object(object))
        error = line_reader_fail(&rows->reader, MOEHUB_E_FORMAT, "not a JSON object");
    if (error == 0 && first)
        error = find_format(rows, object);
    if (error == 0)
        error = rows->trace->format == MOEHUB_TRACE_VLLM ? read_vllm(rows, object) : read_megatron(rows, object);
    json_decref(object);
    return error;
}

int trace_read_json(struct trace_rows *rows)
{
    int status;
    for (bool first = true; (status = line_reader_next(&rows->reader)) == 1; first = false) {
        const int error = read_object(rows, first);
        if (error != 0)
            return error;
    }
    return status;
}
