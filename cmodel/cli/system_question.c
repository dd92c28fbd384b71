/* SPDX-License-Identifier: Apache-2.0 */
#include "system_question.h"

#include "moehub/presets.h"
#include "system_tables.h"

#include <stdio.h>
#include <string.h>

enum { SCHEMES_MAX = 32, TOKENS_MAX = 1 << 20, CLASSES = 8 };

static const char default_schemes[] = "deepep,comet,megamoe,moehub,dysharp,ideal";

bool question_asked(const struct system_question *question)
{
    return question->model != NULL || question->schemes != NULL || question->trace != NULL || question->timeline != NULL ||
           question->precision != NULL || question->tokens != 0 || question->backward;
}

static int set_work(const struct system_question *question, struct moehub_system_work *work, struct moehub_message *message)
{
    const char *name = question->model != NULL ? question->model : "deepseek-v3";
    const struct moehub_preset *preset = moehub_preset_find(name);
    if (preset == NULL) {
        moehub_message_set(message, NULL, 0, "no model is named '%.80s'; 'moehub traffic --model list' lists them", name);
        return MOEHUB_E_ARGUMENT;
    }
    const char *precision = question->precision != NULL ? question->precision : "bf16";
    const bool fp8 = strcmp(precision, "fp8") == 0;
    if (!fp8 && strcmp(precision, "bf16") != 0) {
        moehub_message_set(message, NULL, 0, "--precision %.80s: expected bf16 or fp8", precision);
        return MOEHUB_E_ARGUMENT;
    }
    *work = (struct moehub_system_work){preset->name, preset->experts, preset->topk, preset->hidden, preset->intermediate,
                                        question->tokens != 0 ? question->tokens : 4096, fp8 ? 1 : 2, 1};
    return 0;
}

/* GPUs must be whole and have an expert each. */
static int check_gpus(const struct moehub_system_constants *constants, const struct moehub_system_work *work,
                      struct moehub_message *message)
{
    const double gpus = moehub_system_value(constants, MOEHUB_SYSTEM_gpus);
    if (gpus == (unsigned)gpus && gpus <= work->experts)
        return 0;
    moehub_message_set(message, NULL, 0, "gpus: %g: expected a whole number, at most the %u experts of %s", gpus, work->experts,
                       work->name);
    return MOEHUB_E_ARGUMENT;
}

/* Takes names off a list. Returns how many, or an error with a sentence. */
static int parse_schemes(const char *list, enum moehub_system_scheme *schemes, struct moehub_message *message)
{
    int count = 0;
    while (*list != '\0') {
        char name[64];
        const size_t length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, list);
        const enum moehub_system_scheme scheme = moehub_system_scheme_find(name);
        if (scheme == MOEHUB_SYSTEM_SCHEME_COUNT || count == SCHEMES_MAX) {
            moehub_message_set(message, NULL, 0, "no scheme is named '%.63s'; 'moehub system --scheme list' lists them",
                               length < sizeof name ? name : list);
            return MOEHUB_E_ARGUMENT;
        }
        schemes[count++] = scheme;
        list += length + (list[length] == ',');
    }
    return count;
}

static void list_schemes(void)
{
    for (int i = 0; i < MOEHUB_SYSTEM_SCHEME_COUNT; i++) {
        const enum moehub_system_scheme scheme = (enum moehub_system_scheme)i;
        printf("%-22s %-5s  %s\n", moehub_system_scheme_name(scheme), moehub_system_level_name(scheme),
               moehub_system_scheme_what(scheme));
    }
}

/* The layer that is asked about, in all that the schemes share. */
struct layer {
    const struct moehub_system_constants *constants;
    struct moehub_system_work work;
    struct moehub_system_plan_options options;
};

/* Megabytes over the first class's links, framing included, and their use. */
static void print_bytes(const struct moehub_system_plan *plan, const struct moehub_system_flow_result *result)
{
    const struct moehub_system_bytes *bytes = &result->bytes[0];
    double up = 0;
    double down = 0;
    for (int i = 0; i < MOEHUB_SYSTEM_TRAFFICS; i++) {
        up += bytes->up[i];
        down += bytes->down[i];
        printf(" %9.2f %9.2f", bytes->up[i] / 1e6, bytes->down[i] / 1e6);
    }
    printf(" %5.0f %% %5.0f %%", 100 * up / plan->link_rate / result->seconds, 100 * down / plan->link_rate / result->seconds);
}

static int print_scheme(const struct layer *layer, enum moehub_system_scheme scheme, double *first,
                        struct moehub_message *message)
{
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result = {0};
    const bool tiles = moehub_system_plan_exists(scheme);
    int error = 0;
    if (tiles)
        error = moehub_system_flow_best(layer->constants, &layer->work, scheme, &layer->options, &plan, &result, message);
    else
        result.seconds = moehub_system_time(layer->constants, &layer->work, scheme, &layer->options, message);
    if (result.seconds < 0)
        error = (int)result.seconds;
    if (error != 0)
        return error;
    *first = *first > 0 ? *first : result.seconds;
    printf("  %-20s %-5s %11.1f %7.3f", moehub_system_scheme_name(scheme), moehub_system_level_name(scheme), 1e6 * result.seconds,
           *first / result.seconds);
    if (tiles)
        print_bytes(&plan, &result);
    printf("\n");
    return 0;
}

static int print_set(const struct layer *layer, const char *set, const enum moehub_system_scheme *schemes, int count,
                     struct moehub_message *message)
{
    printf("%s, %s, %u tokens a GPU, %g GPUs, set `%s`; links of the fullest GPU in MB, framing included\n"
           "  %-20s %-5s %11s %7s %19s %19s %19s %15s\n  %-20s %-5s %11s %7s %9s %9s %9s %9s %9s %9s %7s %7s\n",
           layer->work.name, layer->options.backward ? "backward" : "forward", layer->work.tokens,
           moehub_system_value(layer->constants, MOEHUB_SYSTEM_gpus), set, "", "", "layer", "gain", "dispatch", "combine",
           "requests", "link use", "scheme", "level", "us", "", "up", "down", "up", "down", "up", "down", "up", "down");
    double first = 0;
    for (int i = 0; i < count; i++) {
        const int error = print_scheme(layer, schemes[i], &first, message);
        if (error != 0)
            return error;
    }
    printf("\n");
    return 0;
}

/* The timeline of the first scheme that has tile flows, at its fastest, under the measured rates. */
static int draw(const char *path, const struct layer *layer, const enum moehub_system_scheme *schemes, int count,
                struct moehub_message *message)
{
    int i = 0;
    while (i < count && !moehub_system_plan_exists(schemes[i]))
        i++;
    if (i == count) {
        moehub_message_set(message, NULL, 0, "--timeline: none of the schemes has tile flows; 'moehub system --scheme list'");
        return MOEHUB_E_ARGUMENT;
    }
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result;
    const int error =
        moehub_system_flow_best(layer->constants, &layer->work, schemes[i], &layer->options, &plan, &result, message);
    return error != 0 ? error : timeline_write(path, &plan, moehub_system_scheme_name(schemes[i]), message);
}

/* The trace must be of the model: its experts, its top-k. */
static int read_trace(const char *path, const struct moehub_system_work *work, struct moehub_trace *trace,
                      struct moehub_message *message)
{
    const struct moehub_trace_options options = {.layer = MOEHUB_TRACE_ANY_LAYER, .experts = work->experts};
    const int error = moehub_trace_open(trace, path, &options, message);
    if (error != 0)
        return error;
    if (trace->topk == work->topk)
        return 0;
    moehub_message_set(message, path, 0, "top-%u, but %s is top-%u", trace->topk, work->name, work->topk);
    moehub_trace_destroy(trace);
    return MOEHUB_E_ARGUMENT;
}

static int answer(const struct system_question *question, const struct moehub_system_constants *sets, struct layer *layer,
                  struct moehub_message *message)
{
    enum moehub_system_scheme schemes[SCHEMES_MAX];
    const int count = parse_schemes(question->schemes != NULL ? question->schemes : default_schemes, schemes, message);
    int error = count < 0 ? count : 0;
    for (int i = 0; i < SYSTEM_SETS && error == 0; i++) {
        layer->constants = &sets[i];
        error = print_set(layer, system_set_names[i], schemes, count, message);
    }
    layer->constants = &sets[0];
    return error == 0 && question->timeline != NULL ? draw(question->timeline, layer, schemes, count, message) : error;
}

int question_answer(const struct system_question *question, const struct moehub_system_constants *sets,
                    struct moehub_message *message)
{
    if (question->schemes != NULL && strcmp(question->schemes, "list") == 0) {
        list_schemes();
        return 0;
    }
    if (question->tokens > TOKENS_MAX) {
        moehub_message_set(message, NULL, 0, "--tokens %u: expected 1..%d", question->tokens, TOKENS_MAX);
        return MOEHUB_E_ARGUMENT;
    }
    struct layer layer = {.options = {.backward = question->backward, .classes = CLASSES, .group = 1}};
    int error = set_work(question, &layer.work, message);
    if (error == 0)
        error = check_gpus(&sets[0], &layer.work, message);
    if (error != 0 || question->trace == NULL)
        return error != 0 ? error : answer(question, sets, &layer, message);
    struct moehub_trace trace;
    error = read_trace(question->trace, &layer.work, &trace, message);
    if (error != 0)
        return error;
    printf("%s: layer %ld, %zu tokens, %zu rows of warm-up dropped\n",
           question->trace, trace.layer, trace.tokens, trace.warmup_rows);
    layer.options.trace = &trace;
    error = answer(question, sets, &layer, message);
    moehub_trace_destroy(&trace);
    return error;
}
