/* SPDX-License-Identifier: Apache-2.0 */
#include "system_packet.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The layers of the cases of sim/bench/switch/switch_plane.mk. Ports, tokens, seed and what was measured are in the file. */
struct packet_case {
    const char *name;
    enum moehub_system_packet_phase phase;
    unsigned experts, topk;
    const char *routing;
    uint32_t dispatch_lines, combine_lines;
    const char *sets[3];  /* constants of its plane that are not the default */
};

static const struct packet_case cases[] = {
#define PHASES(suffix, ...)                                  \
    {"dispatch" suffix, MOEHUB_SYSTEM_PACKET_DISPATCH, __VA_ARGS__}, \
    {"combine" suffix, MOEHUB_SYSTEM_PACKET_COMBINE, __VA_ARGS__},   \
    {"fused" suffix, MOEHUB_SYSTEM_PACKET_FUSED, __VA_ARGS__}
    PHASES("", 256, 8, "uniform", 56, 56, {NULL}),
    PHASES("-top-16", 256, 16, "uniform", 56, 56, {NULL}),
    PHASES("-top-32", 256, 32, "uniform", 56, 56, {NULL}),
    PHASES("-skew", 256, 8, "zipf:1", 56, 56, {NULL}),
    PHASES("-32-ports", 256, 8, "uniform", 56, 56, {NULL}),
    PHASES("-1024-places", 256, 8, "uniform", 56, 56, {"plane_places_response=1024", NULL}),
#undef PHASES
    {"fused-fp8-bf16", MOEHUB_SYSTEM_PACKET_FUSED, 256, 8, "uniform", 56, 112, {NULL}},
    {"combine-one-row", MOEHUB_SYSTEM_PACKET_COMBINE, 256, 8, "uniform", 56, 56, {"plane_rows_in_flight=1", NULL}},
    {"combine-256-entries", MOEHUB_SYSTEM_PACKET_COMBINE, 256, 8, "uniform", 56, 56,
     {"plane_groups=32", "plane_places_response=4096", NULL}},
    {"mixtral-dispatch", MOEHUB_SYSTEM_PACKET_DISPATCH, 8, 2, "uniform", 56, 56, {NULL}},
    {"mixtral-combine", MOEHUB_SYSTEM_PACKET_COMBINE, 8, 2, "uniform", 56, 56, {NULL}},
    {"mixtral-fused", MOEHUB_SYSTEM_PACKET_FUSED, 8, 2, "uniform", 56, 56, {NULL}},
    {"mixtral-combine-64-rows", MOEHUB_SYSTEM_PACKET_COMBINE, 8, 2, "uniform", 56, 56, {"plane_rows_in_flight=64", NULL}},
    {"mixtral-fused-64-rows", MOEHUB_SYSTEM_PACKET_FUSED, 8, 2, "uniform", 56, 56, {"plane_rows_in_flight=64", NULL}},
    {"mixtral-dispatch-4096-places", MOEHUB_SYSTEM_PACKET_DISPATCH, 8, 2, "uniform", 56, 56, {"plane_places_store=4096", NULL}},
};

static const struct packet_case *find(const char *name)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (name != NULL && strcmp(cases[i].name, name) == 0)
            return &cases[i];
    return NULL;
}

static int create_layer(const struct packet_case *found, const json_t *measured, struct moehub_layer *layer,
                        struct moehub_message *message)
{
    struct moehub_layer_options options = {.experts = found->experts, .topk = found->topk, .hidden = 64};
    options.gpus = (unsigned)json_integer_value(json_object_get(measured, "ports"));
    options.tokens = (size_t)json_integer_value(json_object_get(measured, "tokens"));
    options.seed = (uint64_t)json_integer_value(json_object_get(measured, "seed"));
    int error = moehub_routing_parse(found->routing, &options.routing, message);
    if (error == 0)
        error = moehub_layer_options_check(&options, message);
    return error != 0 ? error : moehub_layer_create(layer, &options, message);
}

static int run(const struct moehub_system_constants *constants, const struct packet_case *found, const json_t *measured,
               struct moehub_system_packet_result *result, struct moehub_message *message)
{
    const struct moehub_system_packet_options options = {.phase = found->phase,
                                                           .dispatch_lines = found->dispatch_lines,
                                                           .combine_lines = found->combine_lines,
                                                           .planes = 1};
    struct moehub_system_constants own = *constants;
    struct moehub_layer layer;
    int error = 0;
    for (int i = 0; found->sets[i] != NULL && error == 0; i++)
        error = moehub_system_set(&own, found->sets[i], message);
    if (error == 0)
        error = create_layer(found, measured, &layer, message);
    if (error != 0)
        return error;
    error = moehub_system_packet_run(&own, &layer, &options, result, message);
    moehub_layer_destroy(&layer);
    return error;
}

/* One row of the table. */
static int compare(const struct moehub_system_constants *constants, const struct packet_case *found, const json_t *measured,
                   bool *within, struct moehub_message *message)
{
    static struct moehub_system_packet_result result;
    const double flits = json_number_value(json_object_get(measured, "ideal_cycles"));
    const double cycles = json_number_value(json_object_get(measured, "cycles"));
    const int error = run(constants, found, measured, &result, message);
    if (error != 0)
        return error;
    const double difference = (double)result.cycles / cycles - 1;
    printf("| %s | %.0f | %" PRIu64 " | %.0f | %" PRIu64 " | %+.2f %% |\n", found->name, flits, result.busiest_flits, cycles,
           result.cycles, 100 * difference);
    *within = (double)result.busiest_flits == flits && fabs(difference) <= SYSTEM_PACKET_PLANE_BOUND;
    return 0;
}

/* What was compared, and missed its bound. */
struct tally {
    unsigned compared, missed;
    char first[128];  /* that missed it */
};

static void count(struct tally *tally, const json_t *measured, bool within)
{
    const char *name = json_string_value(json_object_get(measured, "case"));
    tally->compared++;
    if (!within && tally->missed++ == 0)
        snprintf(tally->first, sizeof tally->first, "%s", name != NULL ? name : "?");
}

static bool of_layer(const json_t *measured)
{
    return json_object_get(measured, "hub") != NULL && json_is_number(json_object_get(measured, "cycles"));
}

static int compare_planes(const struct moehub_system_constants *constants, const json_t *array, struct tally *tally,
                          struct moehub_message *message)
{
    size_t i;
    const json_t *measured;
    int error = 0;
    json_array_foreach(array, i, measured) {
        const struct packet_case *found = find(json_string_value(json_object_get(measured, "case")));
        bool within = false;
        if (found == NULL || of_layer(measured) || error != 0)
            continue;
        if (tally->compared == 0)
            printf("switch planes against RTL; wanted: the same flits, cycles within %g %%\n\n"
                   "| case | flits, RTL | flits | cycles, RTL | cycles | error |\n|---|---|---|---|---|---|\n",
                   100 * SYSTEM_PACKET_PLANE_BOUND);
        error = compare(constants, found, measured, &within, message);
        count(tally, measured, within);
    }
    return error;
}

static int compare_layers(const struct moehub_system_constants *constants, const json_t *array, struct tally *tally,
                          struct moehub_message *message)
{
    size_t i;
    const json_t *measured;
    int error = 0;
    bool begun = false;
    json_array_foreach(array, i, measured) {
        bool within = false;
        if (!of_layer(measured) || error != 0)
            continue;
        if (!begun)
            system_packet_layer_head();
        begun = true;
        error = system_packet_layer_compare(constants, measured, &within, message);
        count(tally, measured, within);
    }
    return error;
}

static int compare_all(const struct moehub_system_constants *constants, const json_t *array, const char *path,
                       struct moehub_message *message)
{
    struct tally tally = {.compared = 0};
    int error = compare_planes(constants, array, &tally, message);
    if (error == 0)
        error = compare_layers(constants, array, &tally, message);
    if (error != 0 || (tally.compared > 0 && tally.missed == 0))
        return error;
    if (tally.compared == 0)
        moehub_message_set(message, path, 0,
                           "no case in it is known to the packet level: run `make bench-switch` or `make bench-layer`");
    else
        moehub_message_set(message, path, 0, "%u of %u cases are beyond their bound, %s first", tally.missed, tally.compared,
                           tally.first);
    return MOEHUB_E_STATE;
}

int system_packet_compare(const struct moehub_system_constants *constants, const char *path, struct moehub_message *message)
{
    json_error_t wrong;
    json_t *array = json_load_file(path, 0, &wrong);
    if (array == NULL) {
        moehub_message_set(message, path, wrong.line > 0 ? wrong.line : 0, "%s; `make bench-switch` writes it", wrong.text);
        return MOEHUB_E_FILE;
    }
    const int error = compare_all(constants, array, path, message);
    json_decref(array);
    return error;
}
