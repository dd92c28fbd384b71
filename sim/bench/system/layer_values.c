/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/system/layer_values.h"

#include "kit/allocate.h"
#include "moehub/payload.h"
#include "moehub/pre_reduce.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = MOEHUB_LINE_BYTES / 2 }; /* elements that are summed at once */

void layer_values_row(const struct moehub_layer *layer, uint32_t row, uint8_t *bytes)
{
    moehub_payload_fill(layer->dispatch_element, moehub_payload_key(row, MOEHUB_PAYLOAD_DISPATCH), 0, layer->hidden, bytes);
}

/* ---- an expert ------------------------------------------------------------------------------------------------ */

/* FNV-1a. */
static uint32_t digest(const uint8_t *bytes, size_t count)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    return (uint32_t)(hash ^ hash >> 32);
}

/* To bf16, round to nearest even; a sum of small integers over 64 has no NaN and no overflow. */
static uint16_t to_bf16(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)((bits + 0x7FFFu + (bits >> 16 & 1)) >> 16);
}

/* Bytes are taken as signed integers over 16, weights as integers from -4 to 4 over 4: the sum is exact. */
static uint16_t dot_product(const uint8_t *bytes, size_t count, unsigned expert, unsigned column)
{
    const uint32_t key = moehub_payload_key(expert, column);
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (int8_t)bytes[i] * ((int)(moehub_payload_mix(key + (uint32_t)i * MOEHUB_PAYLOAD_STEP) % 9) - 4);
    return to_bf16((float)sum / 64);
}

void layer_values_expert(const struct moehub_layer *layer, unsigned expert, const uint8_t *bytes, uint16_t *output)
{
    const unsigned columns = layer->hidden < LAYER_COLUMNS ? layer->hidden : LAYER_COLUMNS;
    for (unsigned column = 0; column < columns; column++)
        output[column] = dot_product(bytes, layer->dispatch_row_bytes, expert, column);
    moehub_payload_fill(MOEHUB_ELEMENT_BF16, moehub_payload_key(digest(bytes, layer->dispatch_row_bytes), expert), columns,
                        layer->hidden - columns, output + columns);
}

/* ---- what comes back ------------------------------------------------------------------------------------------ */

/* rows[0 .. count - 1] to `sum`, piece by piece. */
static void sum_rows(const struct moehub_layer *layer, const struct moehub_arithmetic *arithmetic, uint16_t *const *rows,
                     unsigned count, uint16_t *sum)
{
    for (unsigned at = 0; at < layer->hidden; at += PIECE) {
        const void *pieces[MOEHUB_LAYER_TOPK_MAX];
        for (unsigned i = 0; i < count; i++)
            pieces[i] = rows[i] + at;
        moehub_pre_reduce(arithmetic, MOEHUB_ELEMENT_BF16, pieces, count, layer->hidden - at < PIECE ? layer->hidden - at : PIECE,
                          sum + at);
    }
}

/* The partial of one GPU. False: it has no target of the row. */
static bool partial_of(const struct moehub_layer *layer, const struct moehub_arithmetic *arithmetic, uint32_t row, unsigned gpu,
                       const uint8_t *bytes, uint16_t *partial)
{
    unsigned count;
    const struct moehub_target *targets = moehub_targets_on(moehub_layer_targets(layer, row), layer->topk, gpu, &count);
    uint16_t *outputs[MOEHUB_LAYER_TOPK_MAX];
    if (count == 0)
        return false;
    for (unsigned i = 0; i < count; i++) {
        outputs[i] = allocate(layer->hidden, sizeof *outputs[i]);
        layer_values_expert(layer, targets[i].expert, bytes, outputs[i]);
    }
    sum_rows(layer, arithmetic, outputs, count, partial);
    for (unsigned i = 0; i < count; i++)
        free(outputs[i]);
    return true;
}

void layer_values_sum(const struct moehub_layer *layer, const struct moehub_arithmetic *arithmetic, uint32_t row, uint16_t *sum)
{
    const unsigned owner = moehub_layer_row_gpu(layer, row);
    uint8_t *bytes = allocate(layer->dispatch_row_bytes, 1);
    uint16_t *partials[MOEHUB_LAYER_TOPK_MAX], *parts[2], *network = allocate(layer->hidden, sizeof *network),
                                                         *own = allocate(layer->hidden, sizeof *own);
    unsigned part_count = 0;
    layer_values_row(layer, row, bytes);
    for (unsigned i = 0; i < layer->remote_counts[row]; i++) {
        partials[i] = allocate(layer->hidden, sizeof *partials[i]);
        partial_of(layer, arithmetic, row, layer->remotes[(size_t)row * layer->topk + i], bytes, partials[i]);
    }
    if (layer->remote_counts[row] > 0) {
        sum_rows(layer, arithmetic, partials, layer->remote_counts[row], network);
        parts[part_count++] = network;
    }
    if (partial_of(layer, arithmetic, row, owner, bytes, own))
        parts[part_count++] = own;
    sum_rows(layer, arithmetic, parts, part_count, sum);
    for (unsigned i = 0; i < layer->remote_counts[row]; i++)
        free(partials[i]);
    free(network);
    free(own);
    free(bytes);
}
