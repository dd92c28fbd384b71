/* SPDX-License-Identifier: Apache-2.0 */
/* What the rows of a layer hold, what experts make of them, and what must come back: computed from the layer alone.
 *
 * A token's row is moehub_payload_fill of its row. An expert's output (bf16) has LAYER_COLUMNS true dot products of the row
 * with the expert's weights, rounded once; the other elements are a function of all bytes of the row and of the expert, so that
 * one wrong byte of a row changes nearly all of them. The owner's sum has the roundings of the hardware: one in each GPU, one
 * in the switch, one at the owner (rtl/doc/hub/reduce.md). */
#ifndef BENCH_LAYER_VALUES_H
#define BENCH_LAYER_VALUES_H

#include "moehub/accumulate.h"
#include "moehub/layer.h"

enum { LAYER_COLUMNS = 4 };

/* The row of a token, as it is dispatched: layer->dispatch_row_bytes. `row` is the layer's index. */
void layer_values_row(const struct moehub_layer *layer, uint32_t row, uint8_t *bytes);

/* What an expert (its global number) returns for these bytes: layer->hidden elements of bf16. */
void layer_values_expert(const struct moehub_layer *layer, unsigned expert, const uint8_t *bytes, uint16_t *output);

/* What the owner of a row must get: layer->hidden elements of bf16. */
void layer_values_sum(const struct moehub_layer *layer, const struct moehub_arithmetic *arithmetic, uint32_t row,
                      uint16_t *sum);

#endif
