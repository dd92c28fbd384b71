/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/defines.h"
#include "system/system_packet_hub.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TOPK_MAX = 32 };

/* Flits of each GPU's directions that the layer asks for, on its link to a plane, or on all links of its hub. */
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
    if (options->hubs && outside(options->planes, 1, MOEHUB_SYSTEM_PACKET_LINKS_MAX))
        return refuse(message, "planes of hubs", options->planes, 1, MOEHUB_SYSTEM_PACKET_LINKS_MAX);
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

static uint64_t share_of(uint64_t flits, unsigned links)
{
    return (flits + links - 1) / links;
}

/* No link and no input did two things at once. */
static int check_turns(const struct packet_plane *plane, struct moehub_message *message)
{
    if (plane->overlaps > 0)
        moehub_message_set(message, NULL, 0, "%" PRIu64 " packets overlap on a link: an error of the model, please report it",
                           plane->overlaps);
    else if (plane->early > 0)
        moehub_message_set(message, NULL, 0, "%" PRIu64 " passes were decided too early: an error of the model, please report it",
                           plane->early);
    return plane->overlaps + plane->early > 0 ? MOEHUB_E_STATE : 0;
}

static void note_busiest(const struct moehub_system_packet_counts *counts, unsigned gpu, bool down, unsigned links,
                         struct moehub_system_packet_result *result)
{
    const uint64_t flits = flits_of(counts), lines = counts->packets[STORE] + counts->packets[RESPONSE];
    const uint64_t data = lines * MOEHUB_LINE_UNITS;
    if (share_of(flits, links) <= result->busiest_flits)
        return;
    result->busiest_flits = share_of(flits, links);
    result->busiest_gpu = gpu;
    result->busiest_down = down;
    result->payload = (double)data / (double)flits;
}

/* What crossed the links is what the layer asks for; then its busiest link may be that of all planes. `ran` is the plane's, or of
 * all planes of hubs. */
static int check_flits(const struct packet_plane *plane, const struct moehub_system_packet_result *ran,
                       struct moehub_system_packet_result *result, struct moehub_message *message)
{
    struct expected expected = {{0}, {0}};
    const unsigned links = plane->hubs != NULL ? plane->hubs->links : 1;
    packet_rows_flits(plane->rows, &plane->options, plane->request_lines, expected.up, expected.down);
    const uint64_t least = share_of(largest(&expected, plane->rows->ports), links);
    if (plane->hubs != NULL && plane->options.phase != MOEHUB_SYSTEM_PACKET_COMBINE)
        packet_hubs_notices(plane->hubs, expected.up, expected.down);
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
            result->ideal_cycles = later(result->ideal_cycles, share_of(asked, links));
            note_busiest(counts, gpu, down != 0, links, result);
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
        result->fullest_flits = later(result->fullest_flits, later(flits_of(&plane->result->up[gpu]),
                                                                   flits_of(&plane->result->down[gpu])));
    }
    result->events += plane->result->events;
    result->cycles = plane->last > result->cycles ? plane->last : result->cycles;
}

/* One plane, or all of hubs. */
static int run_planes(struct packet_plane *planes, unsigned count, const struct packet_rows *rows,
                      struct moehub_system_packet_result *result, struct moehub_message *message)
{
    int error = 0;
    for (unsigned i = 0; i < count && error == 0; i++)
        error = packet_plane_create(&planes[i], rows);
    if (error == 0 && planes->hubs != NULL)
        packet_hubs_run(planes->hubs);
    else if (error == 0)
        packet_plane_run(planes);
    for (unsigned i = 0; i < count && error == 0; i++) {
        error = check_turns(&planes[i], message);
        add_plane(&planes[i], result);
    }
    if (error == 0)
        error = check_flits(planes, planes->hubs != NULL ? result : planes->result, result, message);
    for (unsigned i = 0; i < count; i++)
        packet_plane_destroy(&planes[i]);
    return error;
}

static int run_with_hubs(struct packet_plane *planes, unsigned links, const struct moehub_system_constants *constants,
                         const struct moehub_layer *layer, const struct packet_rows *rows,
                         struct moehub_system_packet_result *result, struct moehub_message *message)
{
    struct packet_hubs hubs = {0};
    int error = packet_hubs_create(&hubs, constants, planes, links, layer, rows);
    if (error == 0)
        error = run_planes(planes, links, rows, result, message);
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
    const unsigned count = options->hubs ? options->planes : 1;
    struct packet_plane *planes = aligned_alloc(CACHE_LINE, count * sizeof *planes);
    struct moehub_system_packet_result *ran = calloc(count, sizeof *ran);
    int error = planes == NULL || ran == NULL ? MOEHUB_E_MEMORY : 0;
    if (error == 0) {
        memset(planes, 0, count * sizeof *planes);
        for (unsigned i = 0; i < count; i++) {
            planes[i].options = *options;
            planes[i].result = &ran[i];
            configure(&planes[i], constants);
        }
        error = options->hubs ? run_with_hubs(planes, count, constants, layer, rows, result, message)
                              : run_planes(planes, count, rows, result, message);
    }
    free(planes);
    free(ran);
    return error;
}

/* Planes share nothing, but with hubs. */
int moehub_system_packet_run(const struct moehub_system_constants *constants, const struct moehub_layer *layer,
                             const struct moehub_system_packet_options *options, struct moehub_system_packet_result *result,
                             struct moehub_message *message)
{
    int error = check_arguments(constants, layer, options, message);
    const unsigned apart = options->hubs ? 1 : options->planes;
    *result = (struct moehub_system_packet_result){0};
    for (unsigned plane = 0; plane < apart && error == 0; plane++) {
        struct packet_rows rows;
        error = packet_rows_create(&rows, layer, apart, plane, options->hubs);
        if (error != 0)
            return error;
        error = run_rows(constants, layer, &rows, options, result, message);
        packet_rows_destroy(&rows);
    }
    return error;
}
