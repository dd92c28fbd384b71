/* SPDX-License-Identifier: Apache-2.0 */
/* moehub traffic: what a layer costs the links, three ways. */
#include "command.h"
#include "json.h"
#include "moehub/element.h"
#include "moehub/options.h"
#include "moehub/traffic.h"
#include "traffic_files.h"

#include <inttypes.h>
#include <stdio.h>

enum { KEY_MATRIX = 256, KEY_COMBINE_MATRIX, KEY_CHAKRA };

struct arguments {
    struct moehub_options layer;
    struct traffic_files files;
    bool json;
};

static const struct argp_option entries[] = {
    {0, 0, 0, 0, "Output:", 3},
    {"json", 'j', 0, 0, "print JSON instead of a table", 0},
    {"matrix", KEY_MATRIX, "FILE", 0, "also write dispatch, plain unicast, as a connection matrix of htsim (.cm)", 0},
    {"combine-matrix", KEY_COMBINE_MATRIX, "FILE", 0, "the same of combine", 0},
    {"chakra", KEY_CHAKRA, "PREFIX", 0, "also write both, plain unicast, as Chakra traces PREFIX.GPU.et, for ASTRA-sim", 0},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->layer;
        return 0;
    case 'j':
        arguments->json = true;
        return 0;
    case KEY_MATRIX:
        arguments->files.matrix = argument;
        return 0;
    case KEY_COMBINE_MATRIX:
        arguments->files.combine_matrix = argument;
        return 0;
    case KEY_CHAKRA:
        arguments->files.chakra = argument;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static json_t *link_bytes_json(const struct moehub_link_bytes *bytes)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "dispatch_up", (json_int_t)bytes->dispatch_up, "dispatch_down",
                     (json_int_t)bytes->dispatch_down, "combine_up", (json_int_t)bytes->combine_up, "combine_down",
                     (json_int_t)bytes->combine_down);
}

static json_t *traffic_json(const struct moehub_traffic *traffic)
{
    return json_pack("{s:f, s:f, s:f, s:{s:o, s:o, s:o}, s:f, s:f}",
                     "fanout_mean", traffic->fanout_mean,
                     "remote_fanout_mean", traffic->remote_fanout_mean,
                     "expert_load_max_over_mean", traffic->expert_load_max_over_mean,
                     "link_bytes",
                     "unicast", link_bytes_json(&traffic->unicast),
                     "in_switch", link_bytes_json(&traffic->in_switch),
                     "nvls", link_bytes_json(&traffic->nvls),
                     "traffic_cut", traffic->traffic_cut,
                     "nvls_useless", traffic->nvls_useless);
}

static void print_link_bytes(const char *name, const struct moehub_link_bytes *bytes)
{
    const double mega = 1e6;
    printf("  %-10s %14.3f %14.3f %14.3f %14.3f\n", name, (double)bytes->dispatch_up / mega,
           (double)bytes->dispatch_down / mega, (double)bytes->combine_up / mega, (double)bytes->combine_down / mega);
}

static void print_table(const struct arguments *arguments, const struct moehub_layer *layer,
                        const struct moehub_traffic *traffic)
{
    printf("model                 %s: %u experts, top-%u, hidden %u\n", model_name(&arguments->layer),
           layer->experts, layer->topk, layer->hidden);
    printf("routing               %s, seed %" PRIu64 "\n", arguments->layer.routing, arguments->layer.layer.seed);
    if (layer->warmup_rows > 0)
        printf("warm-up rows dropped  %zu\n", layer->warmup_rows);
    printf("GPUs                  %u\n", layer->gpus);
    printf("tokens                %zu (at most %" PRIu32 " per GPU)\n", layer->tokens, layer->tokens_per_gpu);
    printf("row                   dispatch %" PRIu32 " B (%s), combine %" PRIu32 " B (%s)\n", layer->dispatch_row_bytes,
           moehub_element_name(layer->dispatch_element), layer->combine_row_bytes,
           moehub_element_name(layer->combine_element));
    printf("assignments           %" PRIu64 " token-expert pairs\n", traffic->assignments);
    printf("fan-out, mean         %.3f GPUs per token, %.3f of them remote\n", traffic->fanout_mean,
           traffic->remote_fanout_mean);
    printf("expert load, max/mean %.3f\n\n", traffic->expert_load_max_over_mean);
    printf("  %-10s %14s %14s %14s %14s\n", "link MB", "dispatch up", "dispatch down", "combine up", "combine down");
    print_link_bytes("unicast", &traffic->unicast);
    print_link_bytes("in-switch", &traffic->in_switch);
    print_link_bytes("NVLS", &traffic->nvls);
    printf("\nin-switch cuts unicast traffic by %.1f %%; NVLS dispatch delivers %.0f %% useless bytes\n",
           100 * traffic->traffic_cut, 100 * traffic->nvls_useless);
}

static int measure_and_print(const struct arguments *arguments, const struct moehub_layer *layer, const char *program)
{
    struct moehub_message message = {""};
    struct moehub_traffic traffic;
    int error = moehub_traffic_measure(layer, &traffic);
    if (error == 0)
        error = traffic_files_write(&arguments->files, layer, &message);
    if (error != 0)
        return command_fail(program, error, &message);
    if (arguments->json)
        return json_print(program, (json_t *const[]){json_layer(&arguments->layer, layer), traffic_json(&traffic)}, 2);
    print_table(arguments, layer, &traffic);
    return STATUS_OK;
}

int command_traffic(int argc, char **argv)
{
    const struct argp_child children[] = {{&moehub_options_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        entries, parse, NULL,
        "Payload bytes that a MoE layer's dispatch and combine put on the links, summed over GPUs: one copy per destination "
        "GPU (unicast), multicast and reduction in the switch (in-switch), every token to every GPU (NVLS).\vTry:\n\n"
        "  moehub traffic --model kimi-k2 --gpus 32         the table\n"
        "  moehub traffic --model list                      shapes that are known\n"
        "  moehub traffic --routing trace:router.jsonl --model olmoe-1b-7b\n"
        "  moehub traffic --gpus 32 --matrix dispatch.cm     flows for htsim, -tm\n"
        "  moehub traffic --gpus 32 --chakra layer           layer.0.et ..., ASTRA-sim\n\n"
        "Files for other simulators: cmodel/doc/system.md, \"Peers\".",
        children, NULL, NULL};
    struct arguments arguments = {.json = false};  /* and no files */
    moehub_options_init(&arguments.layer);
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct moehub_message message;
    struct moehub_layer layer;
    const int error = moehub_layer_create(&layer, &arguments.layer.layer, &message);
    if (error != 0)
        return command_fail(argv[0], error, &message);
    const int status = measure_and_print(&arguments, &layer, argv[0]);
    moehub_layer_destroy(&layer);
    return status;
}
