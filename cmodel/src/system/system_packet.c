/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/defines.h"
#include "system/system_packet_hub.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TOPK_MAX = 32 };

/* Flits of each link's directions that the layer asks for, and of the busiest of all planes. */
struct expected {
    uint64_t up[PORTS_MAX], down[PORTS_MAX];
};

static uint32_t value(const struct moehub_system_constants *constants, enum moehub_system_constant constant)
{
    return (uint32_t)moehub_system_value(constants, constant);
}

static int refuse(struct moehub_message *message, const char *what, unsigned long long number, unsigned lowest, unsigned highest)
{
    moehub_message_set(message, NULL, 0, "%s: %llu is not in %u..%u", what, number, lowest, highest);
    return MOEHUB_E_ARGUMENT;
}

static bool outside(unsigned long long number, unsigned lowest, unsigned highest)
{
    return number < lowest || number > highest;
}

/* Cycles, places and numbers are whole, and none is missing. */
static int check_constants(const struct moehub_system_constants *constants, bool hubs, struct moehub_message *message)
{
    for (int i = MOEHUB_SYSTEM_LAYER_COUNT; i < (hubs ? MOEHUB_SYSTEM_COUNT : MOEHUB_SYSTEM_PLANE_COUNT); i++) {
        const double number = constants->entries[i].value;
        const struct moehub_system_constant_facts *facts = moehub_system_facts((enum moehub_system_constant)i);
        if (constants->entries[i].evidence == MOEHUB_SYSTEM_UNSET || number < facts->lowest || number > facts->highest ||
            number != (uint32_t)number) {
            moehub_message_set(message, NULL, 0, "%s: %g is not a whole number in %g..%g", facts->name, number, facts->lowest,
                               facts->highest);
            return MOEHUB_E_ARGUMENT;
        }
    }
    return 0;
}

/* Lines that leave before they are whole are not modelled: so there is always one that is. */
static int check_lines(const struct moehub_system_constants *constants, struct moehub_message *message)
{
    const uint32_t rows = value(constants, MOEHUB_SYSTEM_hub_rows), open = value(constants, MOEHUB_SYSTEM_gpu_rows_open);
    const uint32_t bytes = value(constants, MOEHUB_SYSTEM_gpu_window) * value(constants, MOEHUB_SYSTEM_hub_store_bytes);
    const uint32_t of_row = (bytes + MOEHUB_LINE_BYTES - 1) / MOEHUB_LINE_BYTES;
    const uint32_t least = (rows < open ? rows : open) * of_row;
    if (value(constants, MOEHUB_SYSTEM_gpu_memory_most) < value(constants, MOEHUB_SYSTEM_gpu_memory_least)) {
        moehub_message_set(message, NULL, 0, "gpu_memory_most is below gpu_memory_least");
        return MOEHUB_E_ARGUMENT;
    }
    if (value(constants, MOEHUB_SYSTEM_hub_lines) >= least)
        return 0;
    moehub_message_set(message, NULL, 0, "hub_lines: rows that are stored side by side need %u at least", least);
    return MOEHUB_E_ARGUMENT;
}

/* A GPU asks for each of its tokens once; `seen` has a byte a token. */
static int check_asked_of(const uint32_t *asked, uint32_t tokens, unsigned gpu, uint8_t *seen, struct moehub_message *message)
{
    memset(seen, 0, tokens);
    for (uint32_t i = 0; i < tokens; i++)
        if (asked[i] >= tokens || seen[asked[i]]++ != 0) {
            moehub_message_set(message, NULL, 0, "asked: token %u of GPU %u is none of its %u, or named twice", asked[i], gpu,
                               tokens);
            return MOEHUB_E_ARGUMENT;
        }
    return 0;
}

static int check_asked(const struct moehub_layer *layer, const struct moehub_system_packet_options *options,
                       struct moehub_message *message)
{
    if (!options->hubs || options->phase != MOEHUB_SYSTEM_PACKET_COMBINE) {
        moehub_message_set(message, NULL, 0, "asked: an order of tokens belongs to a combine with hubs");
        return MOEHUB_E_ARGUMENT;
    }
    uint8_t *seen = malloc((size_t)layer->tokens_per_gpu + 1);
    int error = seen == NULL ? MOEHUB_E_MEMORY : 0;
    for (unsigned gpu = 0; gpu < layer->gpus && error == 0; gpu++)
        error = check_asked_of(&options->asked[(size_t)gpu * layer->tokens_per_gpu], layer->gpu_tokens[gpu], gpu, seen, message);
    free(seen);
    return error;
}

static int check_arguments(const struct moehub_system_constants *constants, const struct moehub_layer *layer,
                           const struct moehub_system_packet_options *options, struct moehub_message *message)
{
    if ((unsigned)options->phase > MOEHUB_SYSTEM_PACKET_FUSED)
        return refuse(message, "phase", options->phase, 0, MOEHUB_SYSTEM_PACKET_FUSED);
    if (outside(layer->gpus, 2, MOEHUB_SYSTEM_PACKET_GPUS_MAX))
        return refuse(message, "GPUs of the packet level", layer->gpus, 2, MOEHUB_SYSTEM_PACKET_GPUS_MAX);
    if (outside(layer->topk, 1, TOPK_MAX))
        return refuse(message, "top-k of the packet level", layer->topk, 1, TOPK_MAX);
    if (outside(options->dispatch_lines, 1, MOEHUB_SYSTEM_PACKET_LINES_MAX))
        return refuse(message, "lines of a dispatched row", options->dispatch_lines, 1, MOEHUB_SYSTEM_PACKET_LINES_MAX);
    if (outside(options->combine_lines, 1, MOEHUB_SYSTEM_PACKET_LINES_MAX))
        return refuse(message, "lines of a combined row", options->combine_lines, 1, MOEHUB_SYSTEM_PACKET_LINES_MAX);
    if (outside(options->planes, 1, MOEHUB_SYSTEM_PACKET_PLANES_MAX))
        return refuse(message, "planes", options->planes, 1, MOEHUB_SYSTEM_PACKET_PLANES_MAX);
    if (outside(layer->row_limit, 1, ROWS_MAX))
        return refuse(message, "rows of the packet level", layer->row_limit, 1, ROWS_MAX);
    if (options->hubs && options->planes != 1)
        return refuse(message, "planes of hubs", options->planes, 1, 1);
    if (options->hubs && options->rows_in_turn != 0)
        return refuse(message, "rows in turn, with hubs", options->rows_in_turn, 0, 0);
    if (outside(options->rows_in_turn, 0, MOEHUB_SYSTEM_PACKET_ROWS_IN_TURN_MAX))
        return refuse(message, "rows in turn", options->rows_in_turn, 0, MOEHUB_SYSTEM_PACKET_ROWS_IN_TURN_MAX);
    int error = check_constants(constants, options->hubs, message);
    if (error == 0 && options->hubs)
        error = check_lines(constants, message);
    if (error == 0 && options->asked != NULL)
        error = check_asked(layer, options, message);
    return error;
}

static void configure(struct packet_plane *plane, const struct moehub_system_constants *constants)
{
    const uint32_t loop = value(constants, MOEHUB_SYSTEM_plane_loop);
    plane->places[STORE] = value(constants, MOEHUB_SYSTEM_plane_places_store);
    plane->places[REQUEST] = value(constants, MOEHUB_SYSTEM_plane_places_request);
    plane->places[RESPONSE] = value(constants, MOEHUB_SYSTEM_plane_places_response);
    for (int i = 0; i < CLASSES; i++)
        plane->gpu_places[i] = value(constants, MOEHUB_SYSTEM_plane_gpu_places);
    plane->groups_of_port = value(constants, MOEHUB_SYSTEM_plane_groups);
    plane->request_lines = value(constants, MOEHUB_SYSTEM_plane_request_lines);
    plane->bound = value(constants, MOEHUB_SYSTEM_plane_overtake_bound);
    plane->slots = value(constants, MOEHUB_SYSTEM_plane_slots);
    plane->request_slots = value(constants, MOEHUB_SYSTEM_plane_request_slots);
    plane->ahead = value(constants, MOEHUB_SYSTEM_plane_ahead);
    plane->ahead_response = value(constants, MOEHUB_SYSTEM_plane_ahead_response);
    plane->rows_in_flight = value(constants, MOEHUB_SYSTEM_plane_rows_in_flight);
    plane->up_latency = loop / 2;
    plane->down_latency = loop - loop / 2;
    plane->copy_latency = value(constants, MOEHUB_SYSTEM_plane_copy_latency);
    plane->request_latency = value(constants, MOEHUB_SYSTEM_plane_request_latency);
    plane->notice_latency = value(constants, MOEHUB_SYSTEM_plane_notice_latency);
    plane->sum_latency = value(constants, MOEHUB_SYSTEM_plane_sum_latency);
    plane->answer_latency = value(constants, MOEHUB_SYSTEM_plane_answer_latency);
}

static uint64_t flits_of(const struct moehub_system_packet_counts *counts)
{
    return counts->flits[STORE] + counts->flits[REQUEST] + counts->flits[RESPONSE];
}

static uint64_t largest(const struct expected *expected, unsigned ports)
{
    uint64_t most = 0;
    for (unsigned port = 0; port < ports; port++) {
        most = expected->up[port] > most ? expected->up[port] : most;
        most = expected->down[port] > most ? expected->down[port] : most;
    }
    return most;
}

/* What crossed this plane's links is what the layer asks for; then its busiest link may be that of all planes. */
static int check_plane(const struct packet_plane *plane, struct moehub_system_packet_result *result,
                       struct moehub_message *message)
{
    struct expected expected = {{0}, {0}};
    const struct moehub_system_packet_result *ran = plane->result;
    packet_rows_flits(plane->rows, &plane->options, plane->request_lines, expected.up, expected.down);
    const uint64_t least = largest(&expected, plane->rows->ports);
    if (plane->hubs != NULL && plane->options.phase != MOEHUB_SYSTEM_PACKET_COMBINE)
        packet_hubs_notices(plane, expected.up, expected.down);
    if (plane->overlaps > 0) {
        moehub_message_set(message, NULL, 0, "%" PRIu64 " packets overlap on a link: an error of the model, please report it",
                           plane->overlaps);
        return MOEHUB_E_STATE;
    }
    if (plane->early > 0) {
        moehub_message_set(message, NULL, 0, "%" PRIu64 " passes were decided too early: an error of the model, please report it",
                           plane->early);
        return MOEHUB_E_STATE;
    }
    for (unsigned gpu = 0; gpu < plane->rows->ports; gpu++)
        for (int down = 0; down < 2; down++) {
            const struct moehub_system_packet_counts *counts = down ? &ran->down[gpu] : &ran->up[gpu];
            const uint64_t flits = flits_of(counts), asked = down ? expected.down[gpu] : expected.up[gpu];
            if (flits != asked || plane->last < least) {
                moehub_message_set(message, NULL, 0,
                                   "GPU %u, %s: %" PRIu64 " of %" PRIu64 " flits crossed in %" PRIu64
                                   " cycles: an error of the model, please report it",
                                   gpu, down ? "down" : "up", flits, asked, plane->last);
                return MOEHUB_E_STATE;
            }
            result->ideal_cycles = asked > result->ideal_cycles ? asked : result->ideal_cycles;
            if (flits <= result->busiest_flits)
                continue;
            result->busiest_flits = flits;
            result->busiest_gpu = gpu;
            result->busiest_down = down != 0;
            const uint64_t lines = counts->packets[STORE] + counts->packets[RESPONSE], data = lines * MOEHUB_LINE_UNITS;
            result->payload = (double)data / (double)flits;
        }
    return 0;
}

static void add_counts(struct moehub_system_packet_counts *sum, const struct moehub_system_packet_counts *counts)
{
    for (int i = 0; i < CLASSES; i++) {
        sum->flits[i] += counts->flits[i];
        sum->packets[i] += counts->packets[i];
    }
}

static void add_plane(const struct packet_plane *plane, struct moehub_system_packet_result *result)
{
    for (unsigned gpu = 0; gpu < plane->rows->ports; gpu++) {
        add_counts(&result->up[gpu], &plane->result->up[gpu]);
        add_counts(&result->down[gpu], &plane->result->down[gpu]);
    }
    result->events += plane->result->events;
    result->cycles = plane->last > result->cycles ? plane->last : result->cycles;
}

static int run_plane(struct packet_plane *plane, const struct packet_rows *rows, struct moehub_system_packet_result *result,
                     struct moehub_message *message)
{
    int error = packet_plane_create(plane, rows);
    if (error == 0) {
        if (plane->hubs != NULL)
            packet_hubs_run(plane);
        else
            packet_plane_run(plane);
        error = check_plane(plane, result, message);
    }
    if (error == 0)
        add_plane(plane, result);
    packet_plane_destroy(plane);
    return error;
}

static int run_with_hubs(struct packet_plane *plane, const struct moehub_system_constants *constants,
                         const struct moehub_layer *layer, const struct packet_rows *rows,
                         struct moehub_system_packet_result *result, struct moehub_message *message)
{
    struct packet_hubs hubs = {0};
    int error = packet_hubs_create(&hubs, constants, plane, layer, rows);
    if (error == 0)
        error = run_plane(plane, rows, result, message);
    result->lookups = hubs.lookups;
    result->misses = hubs.misses;
    packet_hubs_destroy(&hubs);
    return error;
}

static int run_rows(const struct moehub_system_constants *constants, const struct moehub_layer *layer,
                    const struct packet_rows *rows,
                    const struct moehub_system_packet_options *options, struct moehub_system_packet_result *result,
                    struct moehub_message *message)
{
    struct packet_plane *plane = aligned_alloc(CACHE_LINE, sizeof *plane);
    struct moehub_system_packet_result *ran = calloc(1, sizeof *ran);
    int error = plane == NULL || ran == NULL ? MOEHUB_E_MEMORY : 0;
    if (error == 0) {
        memset(plane, 0, sizeof *plane);
        plane->options = *options;
        plane->result = ran;
        configure(plane, constants);
        error = options->hubs ? run_with_hubs(plane, constants, layer, rows, result, message)
                              : run_plane(plane, rows, result, message);
    }
    free(plane);
    free(ran);
    return error;
}

int moehub_system_packet_run(const struct moehub_system_constants *constants, const struct moehub_layer *layer,
                             const struct moehub_system_packet_options *options, struct moehub_system_packet_result *result,
                             struct moehub_message *message)
{
    int error = check_arguments(constants, layer, options, message);
    *result = (struct moehub_system_packet_result){0};
    for (unsigned plane = 0; plane < options->planes && error == 0; plane++) {
        struct packet_rows rows;
        error = packet_rows_create(&rows, layer, options->planes, plane, options->hubs);
        if (error != 0)
            return error;
        error = run_rows(constants, layer, &rows, options, result, message);
        packet_rows_destroy(&rows);
    }
    return error;
}
