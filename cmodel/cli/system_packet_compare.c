/* SPDX-License-Identifier: Apache-2.0 */
#include "system_packet.h"

#include "moehub/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a case of `make bench-switch` says of itself. Without all of these it is none. */
static bool of_plane(const json_t *measured)
{
    return json_is_object(json_object_get(measured, "layer")) && json_is_object(json_object_get(measured, "plane"));
}

static json_int_t integer(const json_t *object, const char *name)
{
    return json_integer_value(json_object_get(object, name));
}

static const char *text(const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    return value != NULL ? value : "";
}

static int create_layer(const json_t *measured, struct moehub_layer *layer, struct moehub_message *message)
{
    const json_t *asked = json_object_get(measured, "layer");
    struct moehub_layer_options options = {.hidden = 64, .trace_layer = MOEHUB_TRACE_ANY_LAYER};
    options.experts = (unsigned)integer(asked, "experts");
    options.topk = (unsigned)integer(asked, "topk");
    options.gpus = (unsigned)integer(measured, "ports");
    options.tokens = (size_t)integer(measured, "tokens");
    options.seed = (uint64_t)integer(measured, "seed");
    options.turned = json_is_true(json_object_get(asked, "turned"));
    options.placement = text(asked, "placement")[0] != '\0' ? text(asked, "placement") : NULL;
    int error = moehub_routing_parse(text(asked, "routing"), &options.routing, message);
    if (error == 0)
        error = moehub_layer_options_check(&options, message);
    return error != 0 ? error : moehub_layer_create(layer, &options, message);
}

static int set_plane(struct moehub_system_constants *constants, const json_t *measured, struct moehub_message *message)
{
    static const char *const names[] = {"places_store", "places_request", "places_response", "groups", "request_lines", "loop"};
    char value[96];
    int error = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names && error == 0; i++) {
        snprintf(value, sizeof value, "plane_%s=%lld", names[i],
                 (long long)integer(json_object_get(measured, "plane"), names[i]));
        error = moehub_system_set(constants, value, message);
    }
    snprintf(value, sizeof value, "plane_rows_in_flight=%lld",
             (long long)integer(json_object_get(measured, "layer"), "rows_in_flight"));
    return error != 0 ? error : moehub_system_set(constants, value, message);
}

static int run(const struct moehub_system_constants *constants, const json_t *measured,
               struct moehub_system_packet_result *result, struct moehub_message *message)
{
    const json_t *asked = json_object_get(measured, "layer");
    struct moehub_system_packet_options options = {.dispatch_lines = (uint32_t)integer(asked, "lines"),
                                                     .combine_lines = (uint32_t)integer(asked, "combine_lines"),
                                                     .rows_in_turn = (uint32_t)integer(asked, "rows_in_turn"),
                                                     .planes = 1};
    struct moehub_system_constants own = *constants;
    struct moehub_layer layer;
    if (!system_packet_phase(text(asked, "phase"), &options.phase)) {
        moehub_message_set(message, text(measured, "case"), 0, "a phase was expected: dispatch, combine or fused");
        return MOEHUB_E_FORMAT;
    }
    int error = set_plane(&own, measured, message);
    if (error == 0)
        error = create_layer(measured, &layer, message);
    if (error != 0)
        return error;
    error = moehub_system_packet_run(&own, &layer, &options, result, message);
    moehub_layer_destroy(&layer);
    return error;
}

/* One row of the table. */
static int compare(const struct moehub_system_constants *constants, const json_t *measured, bool *within,
                   struct moehub_message *message)
{
    static struct moehub_system_packet_result result;
    const double flits = json_number_value(json_object_get(measured, "ideal_cycles"));
    const double cycles = json_number_value(json_object_get(measured, "cycles"));
    const int error = run(constants, measured, &result, message);
    if (error != 0)
        return error;
    const double difference = (double)result.cycles / cycles - 1;
    printf("| %s | %.0f | %" PRIu64 " | %.0f | %" PRIu64 " | %+.2f %% |\n", text(measured, "case"), flits,
           result.busiest_flits, cycles, result.cycles, 100 * difference);
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
        bool within = false;
        if (!of_plane(measured) || error != 0)
            continue;
        if (tally->compared == 0)
            printf("switch planes against RTL; wanted: the same flits, cycles within %g %%\n\n"
                   "| case | flits, RTL | flits | cycles, RTL | cycles | error |\n|---|---|---|---|---|---|\n",
                   100 * SYSTEM_PACKET_PLANE_BOUND);
        error = compare(constants, measured, &within, message);
        count(tally, measured, within);
    }
    return error;
}

/* A layer and phase, with one seed or several. */
struct group {
    const json_t *first;
    unsigned seeds;
    double cycles;  /* sum of the errors */
    double flits;   /* the worst */
};

static struct group *find_group(struct group *groups, unsigned *used, const json_t *measured)
{
    unsigned i = 0;
    while (i < *used && (strcmp(text(groups[i].first, "case"), text(measured, "case")) != 0 ||
                         strcmp(text(groups[i].first, "phase"), text(measured, "phase")) != 0))
        i++;
    if (i == *used)
        groups[(*used)++] = (struct group){.first = measured};
    return &groups[i];
}

/* Counts all, and prints the means of those with several seeds. */
static void judge_groups(const struct group *groups, unsigned used, struct tally *tally)
{
    bool begun = false;
    for (unsigned i = 0; i < used; i++) {
        const double mean = groups[i].cycles / groups[i].seeds;
        count(tally, groups[i].first, fabs(mean) <= SYSTEM_PACKET_LAYER_BOUND && groups[i].flits <= SYSTEM_PACKET_LAYER_BOUND);
        if (groups[i].seeds == 1)
            continue;
        if (!begun)
            printf("\nwith several seeds the mean counts, as a run in RTL is a draw, too\n\n"
                   "| case | phase | seeds | mean error |\n|---|---|---|---|\n");
        begun = true;
        printf("| %s | %s | %u | %+.2f %% |\n", text(groups[i].first, "case"), text(groups[i].first, "phase"), groups[i].seeds,
               100 * mean);
    }
}

static int compare_layers(const struct moehub_system_constants *constants, const json_t *array, unsigned draws,
                          struct tally *tally, struct moehub_message *message)
{
    size_t i;
    const json_t *measured;
    int error = 0;
    unsigned used = 0;
    struct group *groups = calloc(json_array_size(array) + 1, sizeof *groups);
    if (groups == NULL)
        return MOEHUB_E_MEMORY;
    json_array_foreach(array, i, measured) {
        struct system_packet_error off = {0};
        if (!of_layer(measured) || error != 0)
            continue;
        if (used == 0)
            system_packet_layer_head();
        error = system_packet_layer_compare(constants, measured, draws, &off, message);
        struct group *group = find_group(groups, &used, measured);
        group->seeds++;
        group->cycles += off.cycles;
        group->flits = fmax(group->flits, off.flits);
    }
    if (error == 0)
        judge_groups(groups, used, tally);
    free(groups);
    return error;
}

static int compare_all(const struct moehub_system_constants *constants, const json_t *array, const char *path, unsigned draws,
                       struct moehub_message *message)
{
    struct tally tally = {.compared = 0};
    int error = compare_planes(constants, array, &tally, message);
    if (error == 0)
        error = compare_layers(constants, array, draws, &tally, message);
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

int system_packet_compare(const struct moehub_system_constants *constants, const char *path, unsigned draws,
                          struct moehub_message *message)
{
    json_error_t wrong;
    json_t *array = json_load_file(path, 0, &wrong);
    if (array == NULL) {
        moehub_message_set(message, path, wrong.line > 0 ? wrong.line : 0, "%s; `make bench-switch` writes it", wrong.text);
        return MOEHUB_E_FILE;
    }
    const int error = compare_all(constants, array, path, draws, message);
    json_decref(array);
    return error;
}
