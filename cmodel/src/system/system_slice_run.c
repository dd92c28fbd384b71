/* SPDX-License-Identifier: Apache-2.0 */
/* A slice at the packet level. */
#include "moehub/system_slice.h"

#include "moehub/header_check.h"
#include "moehub/system_matrix.h"

#include <math.h>
#include <stdlib.h>

#define VALUE(name) moehub_system_value(constants, MOEHUB_SYSTEM_##name)

/* No layer of the comparisons is drawn with one of these. */
enum { FIRST_SEED = 7001, LINE_BYTES = MOEHUB_LINE_BYTES, PIECE_LINES = 8 };

enum moehub_system_packet_phase moehub_system_slice_phase(enum moehub_system_pattern pattern)
{
    static const enum moehub_system_packet_phase phases[MOEHUB_SYSTEM_PATTERNS] = {
        [MOEHUB_SYSTEM_DISPATCH_ALONE] = MOEHUB_SYSTEM_PACKET_DISPATCH,
        [MOEHUB_SYSTEM_COMBINE_ALONE] = MOEHUB_SYSTEM_PACKET_COMBINE,
        [MOEHUB_SYSTEM_BOTH] = MOEHUB_SYSTEM_PACKET_FUSED};
    return phases[pattern];
}

double moehub_system_slice_latency(const struct moehub_system_constants *constants, enum moehub_system_pattern pattern)
{
    if (pattern == MOEHUB_SYSTEM_DISPATCH_ALONE)
        return VALUE(plane_loop) / 2 + VALUE(plane_copy_latency);
    return 3 * VALUE(plane_loop) / 2 + VALUE(plane_request_latency) + VALUE(plane_answer_latency) +
           VALUE(plane_notice_latency) + VALUE(plane_sum_latency);
}

/* Times of the draws of a pattern, each over that of its busiest link. */
struct times {
    double sum, squares;
};

static void add(struct times *times, double cycles, double latency, double ideal)
{
    const double time = (cycles - latency) / fmax(1, ideal);
    times->sum += time;
    times->squares += time * time;
}

static int run_in_switch(const struct moehub_system_constants *constants, const struct moehub_system_slice *slice, uint32_t seed,
                         struct times *times, struct moehub_message *message)
{
    struct moehub_layer layer;
    struct moehub_system_packet_result packets;
    int error = moehub_system_slice_draw(slice, seed, &layer);
    if (error != 0)
        return error;
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS && error == 0; i++) {
        const enum moehub_system_pattern pattern = (enum moehub_system_pattern)i;
        const struct moehub_system_packet_options options = {.phase = moehub_system_slice_phase(pattern),
                                                              .dispatch_lines = slice->dispatch_lines,
                                                              .combine_lines = slice->combine_lines, .planes = 1};
        error = moehub_system_packet_run(constants, &layer, &options, &packets, message);
        if (error == 0)
            add(&times[i], (double)packets.cycles, moehub_system_slice_latency(constants, pattern),
                (double)packets.ideal_cycles);
    }
    moehub_layer_destroy(&layer);
    return error;
}

/* Bytes from each GPU to each, in whole pieces: rows go to the loads, results come from them. */
static void fill_matrix(struct moehub_traffic_matrix *matrix, const struct moehub_system_slice *slice, bool back)
{
    const double lines = (double)slice->rows * (back ? slice->combine_lines : slice->dispatch_lines);
    for (unsigned from = 0; from < slice->gpus; from++)
        for (unsigned to = 0; to < slice->gpus; to++) {
            const double pieces = fmax(1, round(lines * slice->hits[back ? from : to] / PIECE_LINES));
            matrix->bytes[(size_t)from * slice->gpus + to] = from == to ? 0 : (uint64_t)pieces * PIECE_LINES * LINE_BYTES;
        }
}

/* Both ways at once is of no scheme: the worse one stands for it. */
static int run_pieces(const struct moehub_system_constants *constants, const struct moehub_system_slice *slice, uint32_t seed,
                      struct times *times, struct moehub_message *message)
{
    struct moehub_traffic_matrix matrix = {.gpus = slice->gpus};
    struct moehub_system_matrix_result result;
    const struct moehub_system_matrix_options options = {.planes = 1, .lines = PIECE_LINES, .seed = seed};
    const double latency = moehub_system_slice_latency(constants, MOEHUB_SYSTEM_DISPATCH_ALONE);
    int error = 0;
    matrix.bytes = calloc((size_t)slice->gpus * slice->gpus, sizeof *matrix.bytes);
    if (matrix.bytes == NULL)
        return MOEHUB_E_MEMORY;
    for (int i = 0; i < MOEHUB_SYSTEM_BOTH && error == 0; i++) {
        fill_matrix(&matrix, slice, i == MOEHUB_SYSTEM_COMBINE_ALONE);
        error = moehub_system_matrix_run(constants, &matrix, &options, &result, message);
        if (error == 0)
            add(&times[i], (double)result.cycles, latency, (double)result.ideal_cycles);
    }
    free(matrix.bytes);
    return error;
}

/* A millionth: what a file keeps. */
static double rounded(double value)
{
    return round(value * 1e6) / 1e6;
}

static void judge(const struct moehub_system_slice *slice, const struct times *times, struct moehub_system_slice_result *result)
{
    for (int i = 0; i < MOEHUB_SYSTEM_PATTERNS; i++) {
        const double mean = times[i].sum / slice->draws;
        const double variance = (times[i].squares - mean * times[i].sum) / (slice->draws - 1.0);
        result->share[i] = rounded(fmin(1, 1 / mean));
        result->spread[i] = rounded(sqrt(fmax(0, variance)) / mean);
    }
}

int moehub_system_slice_run(const struct moehub_system_constants *constants, const struct moehub_system_slice *slice,
                            struct moehub_system_slice_result *result, struct moehub_message *message)
{
    struct times times[MOEHUB_SYSTEM_PATTERNS] = {{0, 0}};
    int error = 0;
    for (unsigned i = 0; i < slice->draws && error == 0; i++)
        error = slice->in_switch ? run_in_switch(constants, slice, FIRST_SEED + i, times, message) :
                                   run_pieces(constants, slice, FIRST_SEED + i, times, message);
    if (error != 0)
        return error;
    if (!slice->in_switch)
        times[MOEHUB_SYSTEM_BOTH] = times[times[0].sum > times[1].sum ? 0 : 1];
    judge(slice, times, result);
    return 0;
}
