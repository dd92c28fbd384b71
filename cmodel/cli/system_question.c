/* SPDX-License-Identifier: Apache-2.0 */
#include "system_question.h"

#include "moehub/presets.h"
#include "system_tables.h"
#include "system_threads.h"

#include <stdio.h>
#include <string.h>

enum { SCHEMES_MAX = 32, CLASSES = 8 };

static const char default_schemes[] = "deepep,comet,megamoe,moehub,dysharp,ideal";

bool question_asked(const struct system_question *question)
{
    return question->model != NULL || question->schemes != NULL || question->trace != NULL || question->timeline != NULL ||
           question->precision != NULL || question->tokens != 0 || question->backward || question->experts != 0 ||
           question->topk != 0 || question->hidden != 0 || question->inner != 0;
}

/* A number of the layer: what was given, else the model's, if there is one. */
static int set_number(unsigned *number, unsigned given, unsigned from_model, const char *option, struct moehub_message *message)
{
    *number = given != 0 ? given : from_model;
    if (*number != 0)
        return 0;
    moehub_message_set(message, NULL, 0, "--%s is missing: give it, or --model", option);
    return MOEHUB_E_ARGUMENT;
}

/* The shape of a model, of a user's own, or of a model with other numbers. Without a model, experts or hidden begin one's own, as
 * in the other commands. */
static int set_shape(const struct system_question *question, struct moehub_system_work *work, struct moehub_message *message)
{
    static const struct moehub_preset nothing;
    const bool own = question->model == NULL && (question->experts != 0 || question->hidden != 0);
    const char *name = question->model != NULL ? question->model : "deepseek-v3";
    const struct moehub_preset *preset = own ? &nothing : moehub_preset_find(name);
    if (preset == NULL) {
        moehub_message_set(message, NULL, 0, "no model is named '%.80s'; 'moehub traffic --model list' lists them; --experts, "
                           "--topk, --hidden and --inner make your own", name);
        return MOEHUB_E_ARGUMENT;
    }
    int error = set_number(&work->experts, question->experts, preset->experts, "experts", message);
    if (error == 0)
        error = set_number(&work->topk, question->topk, preset->topk, "topk", message);
    if (error == 0)
        error = set_number(&work->hidden, question->hidden, preset->hidden, "hidden", message);
    if (error == 0)
        error = set_number(&work->intermediate, question->inner, preset->intermediate, "inner", message);
    const bool same = work->experts == preset->experts && work->topk == preset->topk && work->hidden == preset->hidden &&
                      work->intermediate == preset->intermediate;
    work->name = same ? preset->name : "your model";
    if (error == 0 && work->topk > work->experts) {
        moehub_message_set(message, NULL, 0, "--topk %u: at most the %u experts", work->topk, work->experts);
        error = MOEHUB_E_ARGUMENT;
    }
    return error;
}

static int set_work(const struct system_question *question, struct moehub_system_work *work, struct moehub_message *message)
{
    const char *precision = question->precision != NULL ? question->precision : "bf16";
    const bool fp8 = strcmp(precision, "fp8") == 0;
    if (!fp8 && strcmp(precision, "bf16") != 0) {
        moehub_message_set(message, NULL, 0, "--precision %.80s: expected bf16 or fp8", precision);
        return MOEHUB_E_ARGUMENT;
    }
    *work = (struct moehub_system_work){.tokens = question->tokens != 0 ? question->tokens : 4096,
                                        .dispatch_element_bytes = fp8 ? 1 : 2, .gemm_element_bytes = 1};
    return set_shape(question, work, message);
}

/* GPUs must be whole, also where --set or a machine's file says how many, and have an expert each. */
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

static int add_scheme(const char *name, size_t length, enum moehub_system_scheme *schemes, int *count,
                      struct moehub_message *message)
{
    char word[64];
    if (length == 0) {
        moehub_message_set(message, NULL, 0, "--scheme: a name is missing; 'moehub system --scheme list' lists them");
        return MOEHUB_E_ARGUMENT;
    }
    snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : (int)sizeof word - 1, name);
    const enum moehub_system_scheme scheme = moehub_system_scheme_find(word);
    if (scheme == MOEHUB_SYSTEM_SCHEME_COUNT) {
        moehub_message_set(message, NULL, 0, "no scheme is named '%s'; 'moehub system --scheme list' lists them", word);
        return MOEHUB_E_ARGUMENT;
    }
    if (*count == SCHEMES_MAX) {
        moehub_message_set(message, NULL, 0, "--scheme: at most %d schemes", SCHEMES_MAX);
        return MOEHUB_E_ARGUMENT;
    }
    schemes[(*count)++] = scheme;
    return 0;
}

/* Names with one comma between two. Returns how many, or an error with a sentence. */
static int parse_schemes(const char *list, enum moehub_system_scheme *schemes, struct moehub_message *message)
{
    int count = 0;
    for (;;) {
        const size_t length = strcspn(list, ",");
        const int error = add_scheme(list, length, schemes, &count, message);
        if (error != 0)
            return error;
        if (list[length] == '\0')
            return count;
        list += length + 1;
    }
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
    struct moehub_system_work work;
    struct moehub_system_plan_options options;
};

/* All schemes under all sets, one task each. */
struct answers {
    struct layer layer;
    const struct moehub_system_constants *sets;
    const enum moehub_system_scheme *schemes;
    size_t schemes_count;
    struct system_answer answers[SYSTEM_SETS * SCHEMES_MAX];
};

static double sum(const double *bytes)
{
    return bytes[MOEHUB_SYSTEM_DISPATCH] + bytes[MOEHUB_SYSTEM_COMBINE] + bytes[MOEHUB_SYSTEM_REQUESTS];
}

static int answer_one(void *context, size_t number, struct moehub_message *message)
{
    struct answers *answers = context;
    const struct layer *layer = &answers->layer;
    const size_t set = number / answers->schemes_count;
    const struct moehub_system_constants *constants = &answers->sets[set];
    const enum moehub_system_scheme scheme = answers->schemes[number % answers->schemes_count];
    struct system_answer answer = {.set = system_set_names[set], .scheme = scheme, .tiles = moehub_system_plan_exists(scheme)};
    int error = 0;
    if (answer.tiles) {
        struct moehub_system_plan plan;
        struct moehub_system_flow_result result = {0};
        error = moehub_system_flow_best(constants, &layer->work, scheme, &layer->options, &plan, &result, message);
        answer.seconds = result.seconds;
        answer.bytes = result.bytes[0];
        answer.up = sum(answer.bytes.up) / plan.link_rate / result.seconds;
        answer.down = sum(answer.bytes.down) / plan.link_rate / result.seconds;
        answer.dispatch_sms = plan.dispatch_sms;
        answer.combine_sms = plan.combine_sms;
        answer.gemm_sms[0] = plan.sms[0];
        answer.gemm_sms[1] = plan.sms[1];
    } else {
        answer.seconds = moehub_system_time(constants, &layer->work, scheme, &layer->options, message);
        error = answer.seconds < 0 ? (int)answer.seconds : 0;
    }
    answers->answers[number] = answer;
    return error;
}

static int find_answers(struct answers *answers, unsigned threads, struct moehub_message *message)
{
    const struct system_job job = {"schemes", SYSTEM_SETS * answers->schemes_count, answer_one, answers};
    const int error = system_threads_run(&job, threads, message);
    for (size_t i = 0; i < job.count && error == 0; i++) {
        const size_t first = i / answers->schemes_count * answers->schemes_count;
        answers->answers[i].gain = answers->answers[first].seconds / answers->answers[i].seconds;
    }
    return error;
}

/* The layer in words. */
static void describe(const struct answers *answers, size_t set, char *text, size_t size)
{
    const struct moehub_system_work *work = &answers->layer.work;
    snprintf(text, size, "%s (%u experts, top-%u, %u, %u), %s, %u tokens a GPU, %g GPUs", work->name, work->experts, work->topk,
             work->hidden, work->intermediate, answers->layer.options.backward ? "backward" : "forward", work->tokens,
             moehub_system_value(&answers->sets[set], MOEHUB_SYSTEM_gpus));
}

/* Groups of SMs, in the order in which a row meets them. */
static void print_sms(const struct system_answer *answer)
{
    char text[48] = "";
    const unsigned sizes[] = {answer->dispatch_sms, answer->gemm_sms[0], answer->gemm_sms[1], answer->combine_sms};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i] > 0)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u", text[0] != '\0' ? "+" : "", sizes[i]);
    printf(" %13s", text);
}

/* Megabytes over the first class's links, framing included, and their use. */
static void print_answer(const struct system_answer *answer)
{
    printf("  %-20s %-5s %11.1f %7.3f", moehub_system_scheme_name(answer->scheme), moehub_system_level_name(answer->scheme),
           1e6 * answer->seconds, answer->gain);
    for (int i = 0; i < MOEHUB_SYSTEM_TRAFFICS && answer->tiles; i++)
        printf(" %9.2f %9.2f", answer->bytes.up[i] / 1e6, answer->bytes.down[i] / 1e6);
    if (answer->tiles) {
        printf(" %5.0f %% %5.0f %%", 100 * answer->up, 100 * answer->down);
        print_sms(answer);
    }
    printf("\n");
}

static void print_answers(const struct answers *answers)
{
    for (size_t set = 0; set < SYSTEM_SETS; set++) {
        char text[160];
        describe(answers, set, text, sizeof text);
        printf("%s, set `%s`\nlinks of the fullest GPU in MB, framing included; SMs: of dispatch, where it has a group, of the "
               "GEMMs, of combine\n"
               "  %-20s %-5s %11s %7s %19s %19s %19s %15s %13s\n  %-20s %-5s %11s %7s %9s %9s %9s %9s %9s %9s %7s %7s\n",
               text, system_set_names[set], "", "", "layer", "gain", "dispatch", "combine", "requests", "link use", "SMs",
               "scheme", "level", "us", "", "up", "down", "up", "down", "up", "down", "up", "down");
        for (size_t i = 0; i < answers->schemes_count; i++)
            print_answer(&answers->answers[set * answers->schemes_count + i]);
        printf("\n");
    }
}

/* The timeline of the first scheme that has tile flows, at its fastest, under the measured rates. */
static int draw(const char *path, const struct answers *answers, struct moehub_message *message)
{
    size_t i = 0;
    while (i < answers->schemes_count && !moehub_system_plan_exists(answers->schemes[i]))
        i++;
    if (i == answers->schemes_count) {
        moehub_message_set(message, NULL, 0, "--timeline: none of the schemes has tile flows; 'moehub system --scheme list'");
        return MOEHUB_E_ARGUMENT;
    }
    struct moehub_system_plan plan;
    struct moehub_system_flow_result result;
    const enum moehub_system_scheme scheme = answers->schemes[i];
    const int error = moehub_system_flow_best(&answers->sets[0], &answers->layer.work, scheme, &answers->layer.options, &plan,
                                              &result, message);
    return error != 0 ? error : timeline_write(path, &plan, moehub_system_scheme_name(scheme), message);
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

/* Prints, writes and draws what was asked for. */
static int answer(const struct system_question *question, struct answers *answers, unsigned threads, const char *folder,
                  struct moehub_message *message)
{
    char title[160];
    int error = find_answers(answers, threads, message);
    if (error != 0)
        return error;
    print_answers(answers);
    describe(answers, 0, title, sizeof title);
    if (folder != NULL)
        error = answers_write(folder, title, answers->answers, SYSTEM_SETS * answers->schemes_count, message);
    return error == 0 && question->timeline != NULL ? draw(question->timeline, answers, message) : error;
}

/* The layer and the schemes, without the trace. */
static int prepare(const struct system_question *question, struct answers *answers, enum moehub_system_scheme *schemes,
                   struct moehub_message *message)
{
    const int count = parse_schemes(question->schemes != NULL ? question->schemes : default_schemes, schemes, message);
    int error = count < 0 ? count : 0;
    answers->schemes = schemes;
    answers->schemes_count = (size_t)count;
    if (error == 0)
        error = set_work(question, &answers->layer.work, message);
    return error != 0 ? error : check_gpus(&answers->sets[0], &answers->layer.work, message);
}

int question_answer(const struct system_question *question, const struct moehub_system_constants *sets, unsigned threads,
                    const char *folder, struct moehub_message *message)
{
    if (question->schemes != NULL && strcmp(question->schemes, "list") == 0) {
        list_schemes();
        return 0;
    }
    enum moehub_system_scheme schemes[SCHEMES_MAX];
    struct answers answers = {.layer.options = {.backward = question->backward, .classes = CLASSES, .group = 1}, .sets = sets};
    int error = prepare(question, &answers, schemes, message);
    if (error != 0 || question->trace == NULL)
        return error != 0 ? error : answer(question, &answers, threads, folder, message);
    struct moehub_trace trace;
    error = read_trace(question->trace, &answers.layer.work, &trace, message);
    if (error != 0)
        return error;
    printf("%s: layer %ld, %zu tokens, %zu rows of warm-up dropped\n", question->trace, trace.layer, trace.tokens,
           trace.warmup_rows);
    answers.layer.options.trace = &trace;
    error = answer(question, &answers, threads, folder, message);
    moehub_trace_destroy(&trace);
    return error;
}
