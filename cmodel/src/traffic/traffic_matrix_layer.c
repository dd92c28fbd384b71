/* SPDX-License-Identifier: Apache-2.0 */
/* A traffic matrix as layers of rows with one target each. */
#include "moehub/traffic_matrix.h"

#include "moehub/defines.h"

#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <stdlib.h>

/* The part of a matrix that is made a layer. */
struct part {
    const struct moehub_traffic_matrix *matrix;
    uint32_t lines;
    unsigned planes, plane;
};

static uint64_t lines_of(uint64_t bytes)
{
    return (bytes + MOEHUB_TRAFFIC_MATRIX_LINE_BYTES - 1) / MOEHUB_TRAFFIC_MATRIX_LINE_BYTES;
}

uint32_t moehub_traffic_matrix_piece(const struct moehub_traffic_matrix *matrix, uint32_t most)
{
    uint64_t common = 0;
    for (size_t i = 0; i < (size_t)matrix->gpus * matrix->gpus; i++)
        for (uint64_t other = lines_of(matrix->bytes[i]); other != 0;) {
            const uint64_t rest = common % other;
            common = other;
            other = rest;
        }
    uint32_t lines = common < most ? (uint32_t)common : most;
    while (lines > 1 && common % lines != 0)
        lines--;
    return lines;
}

/* Rows of a flow on the part's plane: piece i takes plane i + source + destination, so that the last ones spread too. */
static uint64_t rows_of(const struct part *part, unsigned source, unsigned destination)
{
    const uint64_t bytes = part->matrix->bytes[(size_t)source * part->matrix->gpus + destination];
    const uint64_t pieces = lines_of(bytes) / part->lines;
    const unsigned first = (part->plane + 2 * part->planes * part->matrix->gpus - source - destination) % part->planes;
    return pieces / part->planes + (first < pieces % part->planes);
}

/* Rows of each source, and the most of them; false: more than algebraic indices can name. */
static bool count_rows(struct moehub_layer *layer, const struct part *part)
{
    for (unsigned source = 0; source < layer->gpus; source++) {
        uint64_t rows = 0;
        for (unsigned i = 0; i < layer->gpus; i++)
            rows += rows_of(part, source, i);
        if (rows > UINT32_MAX / layer->gpus)
            return false;
        layer->gpu_tokens[source] = (uint32_t)rows;
        layer->tokens += rows;
        if (rows > layer->tokens_per_gpu)
            layer->tokens_per_gpu = (uint32_t)rows;
    }
    layer->row_limit = layer->gpus * layer->tokens_per_gpu;
    return true;
}

static void fill_source(struct moehub_layer *layer, const struct part *part, unsigned source, gsl_rng *random)
{
    uint16_t *order = layer->remotes + (size_t)source * layer->tokens_per_gpu;
    size_t count = 0;
    for (unsigned i = 0; i < layer->gpus; i++)
        for (uint64_t left = rows_of(part, source, i); left > 0; left--)
            order[count++] = (uint16_t)i;
    if (count > 0)
        gsl_ran_shuffle(random, order, count, sizeof *order);
    for (size_t i = 0; i < count; i++) {
        const uint32_t row = moehub_layer_row(layer, source, (uint32_t)i);
        layer->targets[row] = (struct moehub_target){order[i], 0, order[i]};
        layer->remote_counts[row] = 1;
    }
}

static int fill(struct moehub_layer *layer, const struct part *part, uint32_t seed)
{
    const size_t rows = layer->row_limit > 0 ? layer->row_limit : 1;
    layer->targets = calloc(rows, sizeof *layer->targets);
    layer->remotes = calloc(rows, sizeof *layer->remotes);
    layer->remote_counts = calloc(rows, sizeof *layer->remote_counts);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    const bool room = layer->targets != NULL && layer->remotes != NULL && layer->remote_counts != NULL && random != NULL;
    if (room) {
        gsl_rng_set(random, seed);
        for (unsigned source = 0; source < layer->gpus; source++)
            fill_source(layer, part, source, random);
    }
    gsl_rng_free(random);
    return room ? 0 : MOEHUB_E_MEMORY;
}

static int create(struct moehub_layer *layer, const struct part *part, uint32_t seed, struct moehub_message *message)
{
    layer->gpu_tokens = calloc(layer->gpus, sizeof *layer->gpu_tokens);
    const int error = layer->gpu_tokens == NULL ? MOEHUB_E_MEMORY :
                      moehub_placement_create_block(&layer->placement, layer->gpus, layer->gpus);
    if (error != 0)
        return error;
    if (!count_rows(layer, part)) {
        moehub_message_set(message, NULL, 0, "the matrix has too many rows of %" PRIu32 " lines", part->lines);
        return MOEHUB_E_LIMIT;
    }
    return fill(layer, part, seed);
}

int moehub_traffic_matrix_layer(const struct moehub_traffic_matrix *matrix, uint32_t lines, unsigned planes, unsigned plane,
                                uint32_t seed, struct moehub_layer *layer, struct moehub_message *message)
{
    const uint32_t bytes = lines * MOEHUB_TRAFFIC_MATRIX_LINE_BYTES;
    *layer = (struct moehub_layer){.gpus = matrix->gpus, .experts = matrix->gpus, .topk = 1, .hidden = bytes,
                                   .dispatch_element = MOEHUB_ELEMENT_BYTES, .combine_element = MOEHUB_ELEMENT_BF16,
                                   .dispatch_row_bytes = bytes, .combine_row_bytes = 2 * bytes};
    const int error = create(layer, &(struct part){matrix, lines, planes, plane}, seed, message);
    if (error != 0)
        moehub_layer_destroy(layer);
    return error;
}
