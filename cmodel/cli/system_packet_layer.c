/* SPDX-License-Identifier: Apache-2.0 */
/* A case of the bench of whole layers, and the packet level with hubs on the same. */
#include "system_packet.h"

#include "moehub/defines.h"
#include "moehub/element.h"
#include "moehub/options.h"
#include "moehub/packet.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char switch_file[] = "rtl/switch/moehub_switch_top.v", hub_file[] = "rtl/hub/moehub_hub_top.v";
static const char bench_file[] = "sim/bench/system/layer_arguments.c";

/* The constant whose source is `name` of a file gets another value; there may be none. What a user has set stays. */
static int set_by_source(struct moehub_system_constants *constants, const char *file, const char *name, double value,
                         struct moehub_message *message)
{
    char source[MOEHUB_SYSTEM_SOURCE_BYTES], assignment[MOEHUB_SYSTEM_SOURCE_BYTES];
    snprintf(source, sizeof source, "%s, %s", file, name);
    for (int i = MOEHUB_SYSTEM_LAYER_COUNT; i < MOEHUB_SYSTEM_COUNT; i++) {
        if (strcmp(constants->entries[i].source, source) != 0)
            continue;
        const char *constant = moehub_system_facts((enum moehub_system_constant)i)->name;
        snprintf(assignment, sizeof assignment, "%s=%.0f", constant, value);
        return moehub_system_set(constants, assignment, message);
    }
    return 0;
}

/* "TOP NAME=value NAME=value ...". */
static int set_parameters(struct moehub_system_constants *constants, const char *file, const char *description,
                          struct moehub_message *message)
{
    char text[1024], *rest = text;
    int error = 0;
    snprintf(text, sizeof text, "%s", description);
    for (char *word = strtok_r(rest, " ", &rest); word != NULL && error == 0; word = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(word, '=');
        if (equals == NULL)
            continue;
        *equals = '\0';
        error = set_by_source(constants, file, word, strtod(equals + 1, NULL), message);
    }
    return error;
}

static const char *text_of(const json_t *object, const char *key, const char *otherwise)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : otherwise;
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static int set_constants(struct moehub_system_constants *constants, const json_t *measured, struct moehub_message *message)
{
    const json_t *arguments = json_object_get(measured, "arguments");
    const char *name;
    const json_t *value;
    char loop[64];
    snprintf(loop, sizeof loop, "plane_loop=%.0f", 2 * number_of(arguments, "latency"));
    int error = moehub_system_set(constants, loop, message);
    if (error == 0)
        error = set_parameters(constants, switch_file, text_of(measured, "switch", ""), message);
    if (error == 0)
        error = set_parameters(constants, hub_file, text_of(measured, "hub", ""), message);
    json_object_foreach((json_t *)(uintptr_t)arguments, name, value)
        if (error == 0 && json_is_integer(value))
            error = set_by_source(constants, bench_file, name, json_number_value(value), message);
    return error;
}

static int create_layer(const json_t *measured, struct moehub_layer *layer, struct moehub_message *message)
{
    const json_t *arguments = json_object_get(measured, "arguments");
    struct moehub_options options;
    moehub_options_init(&options);
    const int element = moehub_element_parse(text_of(arguments, "type", "fp8"));
    if (element < 0 || number_of(arguments, "rounds") != 1 || strcmp(text_of(arguments, "stall", ""), "none") != 0) {
        moehub_message_set(message, NULL, 0, "a layer of one round without stalls was expected");
        return MOEHUB_E_FORMAT;
    }
    options.model = text_of(arguments, "model", NULL);
    options.routing = text_of(arguments, "routing", "uniform");
    options.layer.element = (unsigned)element;
    options.layer.gpus = (unsigned)number_of(measured, "gpus");
    options.layer.hidden = (unsigned)number_of(arguments, "hidden");
    options.layer.experts = (unsigned)number_of(arguments, "experts");
    options.layer.topk = (unsigned)number_of(arguments, "topk");
    options.layer.tokens = (size_t)number_of(arguments, "tokens");
    options.layer.seed = (uint64_t)number_of(measured, "seed");
    const int error = moehub_options_check(&options, message);
    return error != 0 ? error : moehub_layer_create(layer, &options.layer, message);
}

/* The order in which each GPU asks for its tokens, if the file has one: NULL in `asked` else. */
static int read_asked(const json_t *measured, const struct moehub_layer *layer, uint32_t **asked, struct moehub_message *message)
{
    const json_t *gpus = json_object_get(measured, "asked");
    *asked = NULL;
    if (gpus == NULL)
        return 0;
    *asked = calloc((size_t)layer->gpus * layer->tokens_per_gpu + 1, sizeof **asked);
    if (*asked == NULL)
        return MOEHUB_E_MEMORY;
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++) {
        const json_t *tokens = json_array_get(gpus, gpu);
        if (json_array_size(tokens) != layer->gpu_tokens[gpu]) {
            moehub_message_set(message, NULL, 0, "asked: GPU %u has %u tokens", gpu, layer->gpu_tokens[gpu]);
            return MOEHUB_E_FORMAT;
        }
        for (uint32_t i = 0; i < layer->gpu_tokens[gpu]; i++)
            (*asked)[(size_t)gpu * layer->tokens_per_gpu + i] = (uint32_t)json_integer_value(json_array_get(tokens, i));
    }
    return 0;
}

static uint32_t lines_of(uint32_t row_bytes)
{
    return (row_bytes + MOEHUB_LINE_BYTES - 1) / MOEHUB_LINE_BYTES;
}

static int run(const struct moehub_system_constants *constants, const json_t *measured, uint32_t draw,
               struct moehub_system_packet_result *result, struct moehub_message *message)
{
    const char *phase = text_of(measured, "phase", "");
    struct moehub_system_constants own = *constants;
    struct moehub_layer layer;
    int error = set_constants(&own, measured, message);
    if (error == 0)
        error = create_layer(measured, &layer, message);
    if (error != 0)
        return error;
    uint32_t *asked;
    error = read_asked(measured, &layer, &asked, message);
    const struct moehub_system_packet_options options = {
        .phase = strcmp(phase, "dispatch") == 0  ? MOEHUB_SYSTEM_PACKET_DISPATCH
                 : strcmp(phase, "combine") == 0 ? MOEHUB_SYSTEM_PACKET_COMBINE
                                                 : MOEHUB_SYSTEM_PACKET_FUSED,
        .dispatch_lines = lines_of(layer.dispatch_row_bytes),
        .combine_lines = lines_of(layer.combine_row_bytes),
        .planes = (unsigned)number_of(measured, "planes"),
        .hubs = true,
        .draw = draw,
        .asked = asked};
    if (error == 0)
        error = moehub_system_packet_run(&own, &layer, &options, result, message);
    free(asked);
    moehub_layer_destroy(&layer);
    return error;
}

/* The largest difference of any GPU's direction, as a share of what the RTL sent there. */
static double flits_error(const json_t *measured, const struct moehub_system_packet_result *result)
{
    double largest = 0;
    for (int down = 0; down < 2; down++) {
        const json_t *flits = json_object_get(measured, down ? "down" : "up");
        for (size_t gpu = 0; gpu < json_array_size(flits); gpu++) {
            const struct moehub_system_packet_counts *counts = down ? &result->down[gpu] : &result->up[gpu];
            const double rtl = json_number_value(json_array_get(flits, gpu));
            const double own = (double)(counts->flits[0] + counts->flits[1] + counts->flits[2]);
            largest = fmax(largest, rtl > 0 ? fabs(own / rtl - 1) : own);
        }
    }
    return json_array_size(json_object_get(measured, "up")) > 0 ? largest : INFINITY;
}

/* Of several draws: what each had, of the last one all. */
struct drawn {
    struct moehub_system_packet_result last;
    double cycles, squares;  /* sums */
    double flits;            /* the worst direction's error */
};

static int run_draws(const struct moehub_system_constants *constants, const json_t *measured, unsigned draws,
                     struct drawn *drawn, struct moehub_message *message)
{
    int error = 0;
    drawn->cycles = drawn->squares = drawn->flits = 0;
    for (uint32_t draw = 0; draw < draws && error == 0; draw++) {
        error = run(constants, measured, draw, &drawn->last, message);
        const double cycles = (double)drawn->last.cycles;
        drawn->cycles += cycles;
        drawn->squares += cycles * cycles;
        drawn->flits = fmax(drawn->flits, flits_error(measured, &drawn->last));
    }
    return error;
}

void system_packet_layer_head(void)
{
    printf("\nwith hubs, against whole layers in RTL; wanted: each direction's flits and the cycles within %g %%. Cycles are the "
           "mean of the\ndraws; beside it how far a draw is from it (standard deviation), as a run in RTL may be\n\n"
           "| case | phase | flits, RTL | flits | worst direction | AL-TLB misses, RTL | misses | cycles, RTL | cycles "
           "| of a draw | error |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
           100 * SYSTEM_PACKET_LAYER_BOUND);
}

int system_packet_layer_compare(const struct moehub_system_constants *constants, const json_t *measured, unsigned draws,
                                struct system_packet_error *off, struct moehub_message *message)
{
    static struct drawn drawn;
    const int error = run_draws(constants, measured, draws, &drawn, message);
    if (error != 0)
        return error;
    const double cycles = number_of(measured, "cycles"), own = drawn.cycles / draws, difference = own / cycles - 1;
    const double deviation = sqrt(fmax(0, drawn.squares / draws - own * own));
    printf("| %s | %s | %.0f | %" PRIu64 " | %.2f %% | %.0f | %" PRIu64 " | %.0f | %.0f | %.2f %% | %+.2f %% |\n",
           text_of(measured, "case", "?"), text_of(measured, "phase", "?"), number_of(measured, "ideal_cycles"),
           drawn.last.busiest_flits, 100 * drawn.flits, number_of(measured, "al_tlb_misses"), drawn.last.misses, cycles, own,
           100 * deviation / cycles, 100 * difference);
    *off = (struct system_packet_error){difference, drawn.flits};
    return 0;
}
