/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/traffic_matrix.h"

#include <stdlib.h>

int moehub_traffic_matrix_create(struct moehub_traffic_matrix *matrix, unsigned gpus)
{
    *matrix = (struct moehub_traffic_matrix){.gpus = gpus};
    if (gpus < 1 || gpus > MOEHUB_LAYER_GPUS_MAX)
        return MOEHUB_E_ARGUMENT;
    matrix->bytes = calloc((size_t)gpus * gpus, sizeof *matrix->bytes);
    return matrix->bytes != NULL ? 0 : MOEHUB_E_MEMORY;
}

void moehub_traffic_matrix_destroy(struct moehub_traffic_matrix *matrix)
{
    if (matrix == NULL)
        return;
    free(matrix->bytes);
    *matrix = (struct moehub_traffic_matrix){0};
}

static void add_row(struct moehub_traffic_matrix *matrix, const struct moehub_layer *layer, unsigned owner, uint32_t row,
                    enum moehub_traffic_phase phase)
{
    const bool dispatch = phase == MOEHUB_TRAFFIC_DISPATCH;
    for (unsigned i = 0; i < layer->remote_counts[row]; i++) {
        const size_t other = layer->remotes[(size_t)row * layer->topk + i];
        const size_t place = dispatch ? owner * (size_t)matrix->gpus + other : other * matrix->gpus + owner;
        matrix->bytes[place] += dispatch ? layer->dispatch_row_bytes : layer->combine_row_bytes;
    }
}

int moehub_traffic_matrix_measure(struct moehub_traffic_matrix *matrix, const struct moehub_layer *layer,
                                  enum moehub_traffic_phase phase)
{
    const int error = moehub_traffic_matrix_create(matrix, layer->gpus);
    if (error != 0)
        return error;
    for (unsigned gpu = 0; gpu < layer->gpus; gpu++)
        for (uint32_t token = 0; token < layer->gpu_tokens[gpu]; token++)
            add_row(matrix, layer, gpu, moehub_layer_row(layer, gpu, token), phase);
    return 0;
}
