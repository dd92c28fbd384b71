/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/system_matrix.h"

#include <stdlib.h>

/* What crossed the links of each GPU on all planes. */
struct crossed {
    uint64_t up[MOEHUB_SYSTEM_PACKET_GPUS_MAX], down[MOEHUB_SYSTEM_PACKET_GPUS_MAX];
};

static uint64_t sum(const uint64_t *classes)
{
    return classes[0] + classes[1] + classes[2];
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void count_bytes(const struct moehub_traffic_matrix *matrix, struct moehub_system_matrix_result *result)
{
    for (unsigned gpu = 0; gpu < matrix->gpus; gpu++) {
        uint64_t out = 0, in = 0;
        for (unsigned other = 0; other < matrix->gpus; other++) {
            out += matrix->bytes[(size_t)gpu * matrix->gpus + other];
            in += matrix->bytes[(size_t)other * matrix->gpus + gpu];
        }
        result->bytes += out;
        result->busiest_bytes = larger(result->busiest_bytes, larger(out, in));
    }
}

static void add_plane(const struct moehub_system_packet_result *ran, unsigned gpus, struct crossed *crossed,
                      struct moehub_system_matrix_result *result)
{
    for (unsigned gpu = 0; gpu < gpus; gpu++) {
        crossed->up[gpu] += sum(ran->up[gpu].flits);
        crossed->down[gpu] += sum(ran->down[gpu].flits);
        result->packets += sum(ran->down[gpu].packets);
    }
    result->cycles = larger(result->cycles, ran->cycles);
}

static int run_plane(const struct moehub_system_constants *constants, const struct moehub_traffic_matrix *matrix,
                     const struct moehub_system_matrix_options *options, unsigned plane, uint32_t lines,
                     struct moehub_system_packet_result *ran, struct moehub_message *message)
{
    struct moehub_layer layer;
    int error = moehub_traffic_matrix_layer(matrix, lines, options->planes, plane, options->seed + plane, &layer, message);
    if (error != 0)
        return error;
    const struct moehub_system_packet_options one = {
        .phase = MOEHUB_SYSTEM_PACKET_DISPATCH, .dispatch_lines = lines, .combine_lines = 1, .planes = 1,
        .ideal_plane = options->ideal_plane};
    *ran = (struct moehub_system_packet_result){0};
    if (layer.tokens > 0)
        error = moehub_system_packet_run(constants, &layer, &one, ran, message);
    moehub_layer_destroy(&layer);
    return error;
}

/* Planes share nothing: one after the other, each with its part of the matrix. */
static int run_planes(const struct moehub_system_constants *constants, const struct moehub_traffic_matrix *matrix,
                      const struct moehub_system_matrix_options *options, struct moehub_system_packet_result *ran,
                      struct moehub_system_matrix_result *result, struct moehub_message *message)
{
    struct crossed crossed = {{0}, {0}};
    for (unsigned plane = 0; plane < options->planes; plane++) {
        const int error = run_plane(constants, matrix, options, plane, result->lines, ran, message);
        if (error != 0)
            return error;
        add_plane(ran, matrix->gpus, &crossed, result);
    }
    for (unsigned gpu = 0; gpu < matrix->gpus; gpu++) {
        const uint64_t flits = larger(crossed.up[gpu], crossed.down[gpu]);
        result->ideal_cycles = larger(result->ideal_cycles, (flits + options->planes - 1) / options->planes);
    }
    return 0;
}

int moehub_system_matrix_run(const struct moehub_system_constants *constants, const struct moehub_traffic_matrix *matrix,
                             const struct moehub_system_matrix_options *options, struct moehub_system_matrix_result *result,
                             struct moehub_message *message)
{
    *result = (struct moehub_system_matrix_result){.lines = moehub_traffic_matrix_piece(matrix, options->lines)};
    if (result->lines == 0 || options->planes < 1 || options->planes > MOEHUB_SYSTEM_PACKET_PLANES_MAX) {
        moehub_message_set(message, NULL, 0, result->lines == 0 ? "the matrix has no flow" : "planes: %u is not in 1..%d",
                           options->planes, MOEHUB_SYSTEM_PACKET_PLANES_MAX);
        return MOEHUB_E_ARGUMENT;
    }
    count_bytes(matrix, result);
    struct moehub_system_packet_result *ran = calloc(1, sizeof *ran);
    if (ran == NULL)
        return MOEHUB_E_MEMORY;
    const int error = run_planes(constants, matrix, options, ran, result, message);
    free(ran);
    return error;
}
