/* SPDX-License-Identifier: Apache-2.0 */
/* moehub system --matrix FILE: all flows at once by plain unicast, each packet through links and switch planes. */
#include "system_matrix.h"

#include "command.h"
#include "json.h"
#include "moehub/system_matrix.h"
#include "system_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FLIT_BYTES = 16, LINES_DEFAULT = 8 };
enum { KEY_MATRIX = 256, KEY_FOLDER, KEY_LINES, KEY_SEED, KEY_CONSTANTS, KEY_SET, KEY_IDEAL };

struct arguments {
    const char *matrix;
    const char *folder, *machine;  /* of its links */
    const char *constants;         /* of the plane */
    struct system_values values;
    uint32_t lines, seed;
    bool ideal_plane, json;
};

static const struct argp_option entries[] = {
    {"matrix", KEY_MATRIX, "FILE", 0, "flows in htsim's form, as 'moehub traffic --matrix' writes them", 1},
    {"machine", 'm', "NAME", 0, "whose links: a file NAME.machine (default h200-nvl32); a switch plane for each link", 1},
    {"folder", KEY_FOLDER, "FOLDER", 0, "where it lies (default cmodel/machines)", 1},
    {"lines", KEY_LINES, "N", 0, "most lines of 128 B that take one link together (default 8)", 1},
    {"seed", KEY_SEED, "N", 0, "of the order in which a GPU sends (default 1)", 1},
    {"ideal-plane", KEY_IDEAL, 0, 0, "output queues without end in place of the plane's crossbars", 1},
    {"packet-constants", KEY_CONSTANTS, "FILE", 0, "the plane's constants (default cmodel/machines/rtl.packet)", 1},
    {"set", KEY_SET, "NAME=VALUE", 0, "another value of a constant; again for another", 1},
    {"json", 'j', 0, 0, "print JSON instead of a table", 1},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    struct arguments *arguments = state->input;
    switch (key) {
    case KEY_MATRIX:
        arguments->matrix = argument;
        return 0;
    case 'm':
        arguments->machine = argument;
        return 0;
    case KEY_FOLDER:
        arguments->folder = argument;
        return 0;
    case KEY_LINES:
        arguments->lines = (uint32_t)moehub_options_parse_number(state, "lines", argument, 1, MOEHUB_SYSTEM_PACKET_LINES_MAX);
        return 0;
    case KEY_SEED:
        arguments->seed = (uint32_t)moehub_options_parse_number(state, "seed", argument, 1, UINT32_MAX);
        return 0;
    case KEY_CONSTANTS:
        arguments->constants = argument;
        return 0;
    case KEY_IDEAL:
        arguments->ideal_plane = true;
        return 0;
    case KEY_SET:
        system_values_add(&arguments->values, argument, state);
        return 0;
    case 'j':
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", argument);
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Times in us. */
struct times {
    double volume;      /* bytes of the busiest direction over its rate */
    double ideal;       /* the same with framing, packets evenly on the links */
    double completion;
};

static struct times times_of(const struct moehub_system_constants *constants, const struct moehub_system_matrix_result *result)
{
    const double rate = moehub_system_value(constants, MOEHUB_SYSTEM_link_rate) / 1e6;
    const double cycle = FLIT_BYTES * moehub_system_value(constants, MOEHUB_SYSTEM_links) / rate;
    return (struct times){(double)result->busiest_bytes / rate, cycle * (double)result->ideal_cycles,
                          cycle * (double)result->cycles};
}

static json_t *result_json(const struct arguments *arguments, unsigned gpus, const struct moehub_system_matrix_result *result,
                           const struct times *times)
{
    return json_pack("{s:o, s:s, s:b, s:I, s:I, s:I, s:I, s:f, s:f, s:f}", "matrix", json_text(arguments->matrix), "machine",
                     arguments->machine, "ideal_plane", arguments->ideal_plane, "gpus", (json_int_t)gpus, "bytes",
                     (json_int_t)result->bytes, "lines", (json_int_t)result->lines, "packets", (json_int_t)result->packets,
                     "volume_us", times->volume, "ideal_us", times->ideal, "completion_us", times->completion);
}

static int print(const struct arguments *arguments, unsigned gpus, const struct moehub_system_matrix_result *result,
                 const struct times *times, const char *program)
{
    if (arguments->json)
        return json_print(program, (json_t *const[]){result_json(arguments, gpus, result, times)}, 1);
    printf("matrix      %s: %u GPUs, %.3f MB\n", arguments->matrix, gpus, (double)result->bytes / 1e6);
    printf("packets     %" PRIu64 " of 128 B, %" PRIu32 " after one another on one link\n", result->packets, result->lines);
    printf("by volume   %.2f us: the busiest GPU's bytes of one direction at its links' rate\n", times->volume);
    printf("ideal       %.2f us: the same with framing\n", times->ideal);
    printf("completion  %.2f us: %.4f of it\n", times->completion, times->completion / times->ideal);
    return STATUS_OK;
}

static int read_matrix(struct moehub_traffic_matrix *matrix, const char *path, struct moehub_message *message)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        moehub_message_set(message, path, 0, "%s", strerror(errno));
        return MOEHUB_E_FILE;
    }
    const int error = moehub_traffic_matrix_read(matrix, file, path, message);
    fclose(file);
    return error;
}

static int read_constants(const struct arguments *arguments, struct moehub_system_constants *constants,
                          struct moehub_message *message)
{
    int error = system_read_file(constants, MOEHUB_SYSTEM_MACHINE, arguments->folder, arguments->machine, message);
    if (error == 0)
        error = system_read_option(constants, MOEHUB_SYSTEM_PACKET, arguments->constants, "packet-constants", message);
    return error != 0 ? error : system_values_set(&arguments->values, constants, message);
}

static int answer(const struct arguments *arguments, const struct moehub_traffic_matrix *matrix,
                  const struct moehub_system_constants *constants, const char *program)
{
    const struct moehub_system_matrix_options options = {
        arguments->lines, (unsigned)moehub_system_value(constants, MOEHUB_SYSTEM_links), arguments->seed,
        arguments->ideal_plane};
    struct moehub_system_matrix_result result;
    struct moehub_message message = {""};
    const int error = moehub_system_matrix_run(constants, matrix, &options, &result, &message);
    if (error != 0)
        return command_fail(program, error, &message);
    const struct times times = times_of(constants, &result);
    return print(arguments, matrix->gpus, &result, &times, program);
}

bool system_matrix_asked(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--matrix") == 0 || strncmp(argv[i], "--matrix=", sizeof "--matrix=" - 1) == 0)
            return true;
    return false;
}

int command_system_matrix(int argc, char **argv)
{
    const struct argp argp = {entries, parse, NULL,
                              "Plain unicast of a traffic matrix through links and switch planes, packet by packet: when "
                              "the last packet has come.\vTry:\n\n"
                              "  moehub traffic --gpus 32 --tokens 1024 --matrix dispatch.cm\n"
                              "  moehub system --matrix dispatch.cm\n\n"
                              "The same file is what htsim takes as -tm. Method: cmodel/doc/system.md.",
                              NULL, NULL, NULL};
    struct arguments arguments = {.folder = "cmodel/machines", .machine = "h200-nvl32", .seed = 1, .lines = LINES_DEFAULT,
                                  .constants = "cmodel/machines/rtl.packet"};
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct moehub_message message = {""};
    struct moehub_system_constants constants = {0};
    struct moehub_traffic_matrix matrix = {0};
    int error = read_constants(&arguments, &constants, &message);
    if (error == 0)
        error = read_matrix(&matrix, arguments.matrix, &message);
    if (error != 0)
        return command_fail(argv[0], error, &message);
    const int status = answer(&arguments, &matrix, &constants, argv[0]);
    moehub_traffic_matrix_destroy(&matrix);
    return status;
}
