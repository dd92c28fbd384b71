/* SPDX-License-Identifier: Apache-2.0 */
/* moehub system --packet-level */
#include "system_packet.h"

#include "command.h"
#include "json.h"
#include "moehub/defines.h"
#include "system_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { KEY_ASKED = 256, KEY_PHASE, KEY_PLANES, KEY_LINES, KEY_COMBINE_LINES, KEY_CONSTANTS, KEY_SET, KEY_AGAINST,
       KEY_HUBS, KEY_HUB_CONSTANTS, KEY_ROWS_IN_TURN, KEY_DRAWS, KEY_IDEAL };

struct arguments {
    struct moehub_options layer;
    struct moehub_system_packet_options packet;  /* lines 0: what the layer's rows have */
    const char *constants;
    const char *hub_constants;
    const char *against;
    unsigned draws;  /* 0: not asked for */
    struct system_values values;
    bool json;
};

static const char *const phases[] = {"dispatch", "combine", "fused"};

bool system_packet_phase(const char *name, enum moehub_system_packet_phase *phase)
{
    for (int i = 0; i < 3; i++)
        if (strcmp(name, phases[i]) == 0) {
            *phase = (enum moehub_system_packet_phase)i;
            return true;
        }
    return false;
}

static const struct argp_option entries[] = {
    {0, 0, 0, 0, "Packet level:", 3},
    {"packet-level", KEY_ASKED, 0, 0, "a layer packet by packet", 0},
    {"phase", KEY_PHASE, "PHASE", 0, "dispatch (default), combine or fused", 0},
    {"planes", KEY_PLANES, "N", 0, "switch planes: links of a GPU (default 1)", 0},
    {"lines", KEY_LINES, "N", 0, "lines of 128 B of a dispatched row (default: the model's)", 0},
    {"combine-lines", KEY_COMBINE_LINES, "N", 0, "the same of a combined row", 0},
    {"rows-in-turn", KEY_ROWS_IN_TURN, "N", 0, "rows of which a GPU sends a line each in turn, without hubs (default 1)", 0},
    {"ideal-plane", KEY_IDEAL, 0, 0, "output queues without end in place of the plane's crossbars", 0},
    {"packet-constants", KEY_CONSTANTS, "FILE", 0, "the plane's constants (default cmodel/machines/rtl.packet)", 0},
    {"hubs", KEY_HUBS, 0, 0, "with hubs and GPUs: rows, address path, memory, tiles, sums; 1 to 4 planes", 0},
    {"hub-constants", KEY_HUB_CONSTANTS, "FILE", 0, "the hubs' constants (default cmodel/machines/rtl.hub)", 0},
    {"set", KEY_SET, "NAME=VALUE", 0, "another value of a constant; again for another", 0},
    {"against", KEY_AGAINST, "FILE", 0, "compare with what `make bench-switch`, `bench-layer` wrote: build/bench/*.json", 0},
    {"draws", KEY_DRAWS, "N", 0, "with --against, of layers with hubs: the mean of N draws of what is random (default 8)", 0},
    {"json", 'j', 0, 0, "print JSON instead of a table", 0},
    {0}};

static void parse_phase(const char *argument, struct arguments *arguments, struct argp_state *state)
{
    if (!system_packet_phase(argument, &arguments->packet.phase))
        argp_error(state, "--phase %s: expected dispatch, combine or fused", argument);
}

static uint32_t parse_lines(struct argp_state *state, const char *option, const char *argument)
{
    return (uint32_t)moehub_options_parse_number(state, option, argument, 1, MOEHUB_SYSTEM_PACKET_LINES_MAX);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->layer;
        return 0;
    case KEY_ASKED:
        return 0;
    case KEY_PHASE:
        parse_phase(argument, arguments, state);
        return 0;
    case KEY_PLANES:
        arguments->packet.planes =
            (unsigned)moehub_options_parse_number(state, "planes", argument, 1, MOEHUB_SYSTEM_PACKET_PLANES_MAX);
        return 0;
    case KEY_LINES:
        arguments->packet.dispatch_lines = parse_lines(state, "lines", argument);
        return 0;
    case KEY_COMBINE_LINES:
        arguments->packet.combine_lines = parse_lines(state, "combine-lines", argument);
        return 0;
    case KEY_ROWS_IN_TURN:
        arguments->packet.rows_in_turn =
            (uint32_t)moehub_options_parse_number(state, "rows-in-turn", argument, 1, MOEHUB_SYSTEM_PACKET_ROWS_IN_TURN_MAX);
        return 0;
    case KEY_CONSTANTS:
        arguments->constants = argument;
        return 0;
    case KEY_IDEAL:
        arguments->packet.ideal_plane = true;
        return 0;
    case KEY_HUBS:
        arguments->packet.hubs = true;
        return 0;
    case KEY_HUB_CONSTANTS:
        arguments->hub_constants = argument;
        return 0;
    case KEY_SET:
        system_values_add(&arguments->values, argument, state);
        return 0;
    case KEY_AGAINST:
        arguments->against = argument;
        return 0;
    case KEY_DRAWS:
        arguments->draws = (unsigned)moehub_options_parse_number(state, "draws", argument, 1, SYSTEM_PACKET_DRAWS_MAX);
        return 0;
    case 'j':
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", argument);
        return EINVAL;
    case ARGP_KEY_END:
        if (arguments->draws != 0 && arguments->against == NULL)
            argp_error(state, "--draws is for --against");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static uint64_t sum(const uint64_t *classes)
{
    return classes[0] + classes[1] + classes[2];
}

static json_t *direction_json(const struct moehub_system_packet_counts *counts)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "store", (json_int_t)counts->flits[MOEHUB_CLASS_STORE], "request",
                     (json_int_t)counts->flits[MOEHUB_CLASS_REQUEST], "response",
                     (json_int_t)counts->flits[MOEHUB_CLASS_RESPONSE], "packets", (json_int_t)sum(counts->packets));
}

static json_t *links_json(const struct moehub_system_packet_result *result, unsigned gpus)
{
    json_t *links = json_array();
    for (unsigned gpu = 0; gpu < gpus; gpu++)
        json_array_append_new(links, json_pack("{s:o, s:o}", "up_flits", direction_json(&result->up[gpu]), "down_flits",
                                               direction_json(&result->down[gpu])));
    return links;
}

static json_t *result_json(const struct arguments *arguments, const struct moehub_system_packet_result *result, unsigned gpus)
{
    const struct moehub_system_packet_options *packet = &arguments->packet;
    return json_pack("{s:s, s:b, s:b, s:I, s:I, s:I, s:I, s:f, s:I, s:I, s:s, s:f, s:I, s:I, s:I, s:o}", "phase",
                     phases[packet->phase], "hubs", packet->hubs, "ideal_plane", packet->ideal_plane, "planes",
                     (json_int_t)packet->planes, "dispatch_lines", (json_int_t)packet->dispatch_lines, "combine_lines",
                     (json_int_t)packet->combine_lines, "cycles", (json_int_t)result->cycles, "ratio",
                     (double)result->ideal_cycles / (double)result->cycles, "ideal_cycles", (json_int_t)result->ideal_cycles,
                     "fullest_flits", (json_int_t)result->fullest_flits,
                     "busiest_direction", result->busiest_down ? "down" : "up", "payload", result->payload, "events",
                     (json_int_t)result->events, "al_tlb_lookups", (json_int_t)result->lookups, "al_tlb_misses",
                     (json_int_t)result->misses, "links", links_json(result, gpus));
}

static void print_table(const struct arguments *arguments, const struct moehub_layer *layer,
                        const struct moehub_system_packet_result *result)
{
    printf("layer         %s, %u GPUs, %zu tokens, %u experts, top-%u; %s, %u %splane(s)\n", model_name(&arguments->layer),
           layer->gpus, layer->tokens, layer->experts, layer->topk, phases[arguments->packet.phase], arguments->packet.planes,
           arguments->packet.ideal_plane ? "ideal " : "");
    printf("cycles        %" PRIu64 "\nideal cycles  %" PRIu64 " (flits of the busiest direction: GPU %u, %s)\n", result->cycles,
           result->ideal_cycles, result->busiest_gpu, result->busiest_down ? "down" : "up");
    printf("ratio         %.4f\npayload       %.4f of the busiest direction\nevents        %" PRIu64 "\n",
           (double)result->ideal_cycles / (double)result->cycles, result->payload, result->events);
    if (arguments->packet.planes > 1)
        printf("fullest link  %" PRIu64 " flits in a direction\n", result->fullest_flits);
    if (arguments->packet.hubs)
        printf("AL-TLB        %" PRIu64 " lookups, %" PRIu64 " misses\n", result->lookups, result->misses);
    printf("\n%4s %14s %14s\n", "GPU", "flits up", "flits down");
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        printf("%4u %14" PRIu64 " %14" PRIu64 "\n", gpu, sum(result->up[gpu].flits), sum(result->down[gpu].flits));
}

/* The rate depends on the machine: it is no part of the answer. Of this program's own time: others may use the core, too. */
static void tell_rate(const struct moehub_system_packet_result *result, const struct timespec *start)
{
    struct timespec end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    const double seconds = (double)(end.tv_sec - start->tv_sec) + 1e-9 * (double)(end.tv_nsec - start->tv_nsec);
    fprintf(stderr, "%.3f s, %.2f M packet events/s\n", seconds, (double)result->events / seconds / 1e6);
}

static int run_and_print(const struct arguments *arguments, const struct moehub_system_constants *constants,
                         const struct moehub_layer *layer, const char *program)
{
    static struct moehub_system_packet_result result;
    struct moehub_message message = {""};
    struct timespec start;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    const int error = moehub_system_packet_run(constants, layer, &arguments->packet, &result, &message);
    if (error != 0)
        return command_fail(program, error, &message);
    if (result.ideal_cycles == 0) {
        moehub_message_set(&message, NULL, 0, "no row of this layer crosses a link");
        return command_fail(program, MOEHUB_E_ARGUMENT, &message);
    }
    tell_rate(&result, &start);
    if (arguments->json)
        return json_print(program, (json_t *const[]){json_layer(&arguments->layer, layer),
                                                     result_json(arguments, &result, layer->gpus)}, 2);
    print_table(arguments, layer, &result);
    return STATUS_OK;
}

static uint32_t lines_of(uint32_t given, uint32_t row_bytes)
{
    return given != 0 ? given : (row_bytes + 127) / 128;
}

static int answer(struct arguments *arguments, const struct moehub_system_constants *constants, const char *program)
{
    struct moehub_message message = {""};
    struct moehub_layer layer;
    const int error = moehub_layer_create(&layer, &arguments->layer.layer, &message);
    if (error != 0)
        return command_fail(program, error, &message);
    arguments->packet.dispatch_lines = lines_of(arguments->packet.dispatch_lines, layer.dispatch_row_bytes);
    arguments->packet.combine_lines = lines_of(arguments->packet.combine_lines, layer.combine_row_bytes);
    const int status = run_and_print(arguments, constants, &layer, program);
    moehub_layer_destroy(&layer);
    return status;
}

bool system_packet_asked(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--packet-level") == 0)
            return true;
    return false;
}

int command_system_packet(int argc, char **argv)
{
    const struct argp_child children[] = {{&moehub_options_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {entries, parse, NULL,
                              "One MoE layer through links and switch planes, packet by packet: cycles, and flits of every link. "
                              "Events per second are told on standard error.",
                              children, NULL, NULL};
    struct arguments arguments = {.packet = {.planes = 1}, .constants = "cmodel/machines/rtl.packet",
                                  .hub_constants = "cmodel/machines/rtl.hub"};
    moehub_options_init(&arguments.layer);
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct moehub_system_constants constants = {0};
    struct moehub_message message = {""};
    int error = system_read_option(&constants, MOEHUB_SYSTEM_PACKET, arguments.constants, "packet-constants", &message);
    if (error == 0)
        error = system_read_option(&constants, MOEHUB_SYSTEM_HUB, arguments.hub_constants, "hub-constants", &message);
    if (error == 0)
        error = system_values_set(&arguments.values, &constants, &message);
    if (error == 0 && arguments.against == NULL)
        return answer(&arguments, &constants, argv[0]);
    if (error == 0)
        error = system_packet_compare(&constants, arguments.against, arguments.draws != 0 ? arguments.draws : SYSTEM_PACKET_DRAWS,
                                      &message);
    return error == 0 ? STATUS_OK : command_fail(argv[0], error, &message);
}
