/* SPDX-License-Identifier: Apache-2.0 */
/* What the subcommands' JSON has in common. */
#include "json.h"

#include "command.h"
#include "moehub/element.h"

#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at the start of `text`, of which `left` follow; 0: it starts none. */
static size_t character_bytes(const char *text, size_t left)
{
    for (size_t bytes = 1; bytes <= 4 && bytes <= left; bytes++) {
        json_t *character = json_stringn(text, bytes);
        json_decref(character);
        if (character != NULL)
            return bytes;
    }
    return 0;
}

json_t *json_text(const char *text)
{
    static const char replacement[] = "\xEF\xBF\xBD";
    const size_t length = strlen(text);
    char *valid = malloc(3 * length + 1);
    size_t used = 0;
    if (valid == NULL)
        return NULL;
    for (size_t i = 0; i < length;) {
        const size_t bytes = character_bytes(text + i, length - i);
        memcpy(valid + used, bytes > 0 ? text + i : replacement, bytes > 0 ? bytes : 3);
        used += bytes > 0 ? bytes : 3;
        i += bytes > 0 ? bytes : 1;
    }
    json_t *string = json_stringn(valid, used);
    free(valid);
    return string;
}

const char *model_name(const struct moehub_options *options)
{
    return options->model != NULL ? options->model : "custom";
}

json_t *json_layer(const struct moehub_options *options, const struct moehub_layer *layer)
{
    return json_pack("{s:s, s:i, s:I, s:I, s:i, s:i, s:i, s:s, s:s, s:o, s:I, s:I, s:I}",
                     "model", model_name(options),
                     "gpus", (int)layer->gpus,
                     "tokens", (json_int_t)layer->tokens_per_gpu,
                     "tokens_total", (json_int_t)layer->tokens,
                     "topk", (int)layer->topk,
                     "experts", (int)layer->experts,
                     "hidden", (int)layer->hidden,
                     "dispatch_type", moehub_element_name(layer->dispatch_element),
                     "combine_type", moehub_element_name(layer->combine_element),
                     "routing", json_text(options->routing),
                     "seed", (json_int_t)options->layer.seed,
                     "warmup_rows_dropped", (json_int_t)layer->warmup_rows,
                     "assignments", (json_int_t)layer->tokens * layer->topk);
}

int json_print(const char *program, json_t *const *parts, size_t count)
{
    json_t *object = json_object();
    bool made = object != NULL;
    for (size_t i = 0; i < count; i++) {
        made = made && json_object_update(object, parts[i]) == 0;
        json_decref(parts[i]);
    }
    /* What cannot be written is told at the program's end. */
    const bool written = made && json_dumpf(object, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(object);
    if (!made || (!written && !ferror(stdout)))
        fprintf(stderr, "%s: cannot make the JSON: out of memory\n", program);
    return written ? STATUS_OK : STATUS_FAILED;
}
