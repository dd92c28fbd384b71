/* SPDX-License-Identifier: Apache-2.0 */
/* Where a layer's rows come from, before they are cut and placed. Private to the library. */
#ifndef MOEHUB_LAYER_ROWS_H
#define MOEHUB_LAYER_ROWS_H

#include "moehub/layer.h"

struct layer_rows {
    unsigned experts;
    unsigned topk;
    size_t tokens;       /* of the whole layer */
    size_t warmup_rows;  /* dropped from a trace */
    uint16_t *rows;      /* [tokens * topk], at least */
};

/* What can be said about the options before a row is drawn or read: 0 or MOEHUB_E_ARGUMENT. */
int layer_rows_check(const struct moehub_layer_options *options, struct moehub_message *message);

/* Draws the rows or reads them from the trace, after layer_rows_check(); free(rows->rows) after success. */
int layer_rows_obtain(struct layer_rows *rows, const struct moehub_layer_options *options,
                      struct moehub_message *message);

#endif
