/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes that each GPU sends to each other one by plain unicast: of a layer's dispatch or combine, or of a file in the form of
 * htsim's connection matrices (`.cm`):
 *
 *   Nodes 4
 *   Connections 2
 *   0->1 start 0 size 28672
 *   3->0 start 0 size 14336
 *
 * Sizes are bytes. All flows start at once; several lines of a pair add up; # starts a comment line. */
#ifndef MOEHUB_TRAFFIC_MATRIX_H
#define MOEHUB_TRAFFIC_MATRIX_H

#include "moehub/layer.h"

#include <stdio.h>

enum moehub_traffic_phase { MOEHUB_TRAFFIC_DISPATCH, MOEHUB_TRAFFIC_COMBINE };

/* The largest flow of a line that htsim reads without overflow is a little more; larger ones take several lines. */
#define MOEHUB_TRAFFIC_MATRIX_FLOW_MAX (1u << 30)

enum { MOEHUB_TRAFFIC_MATRIX_LINE_BYTES = 128 };  /* of a packet of a layer that is made of a matrix */

struct moehub_traffic_matrix {
    unsigned gpus;
    uint64_t *bytes;  /* [source * gpus + destination]; none to itself */
};

/* No bytes yet; 1..1024 GPUs. 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY. */
int moehub_traffic_matrix_create(struct moehub_traffic_matrix *matrix, unsigned gpus);
void moehub_traffic_matrix_destroy(struct moehub_traffic_matrix *matrix);

/* One copy of a row for each remote GPU it goes to, in combine from there back. Creates the matrix. 0 or MOEHUB_E_MEMORY. */
int moehub_traffic_matrix_measure(struct moehub_traffic_matrix *matrix, const struct moehub_layer *layer,
                                  enum moehub_traffic_phase phase);

/* Writes htsim's form, pairs without bytes left out; whether that worked the caller asks the file. */
void moehub_traffic_matrix_write(const struct moehub_traffic_matrix *matrix, FILE *file);

/* Reads htsim's form and creates the matrix. MOEHUB_E_FORMAT with "name:line: ..." for what is not of it, and for what no
 * layer has: triggers, failures, starts other than 0. Nothing is left to destroy after an error. */
int moehub_traffic_matrix_read(struct moehub_traffic_matrix *matrix, FILE *file, const char *name,
                               struct moehub_message *message);

/* Lines of 128 B that take one link together: the largest number up to `most` that divides the lines of every flow. 0: there is
 * no flow. */
uint32_t moehub_traffic_matrix_piece(const struct moehub_traffic_matrix *matrix, uint32_t most);

/* What of the bytes takes plane `plane` of `planes`, as rows of `lines` lines with one target each, for whatever takes a layer:
 * GPU g has the one expert g. Pieces of a flow take the planes in turn; each source sends in an order drawn from the seed
 * (at least 1). `lines` divides those of all flows. 0; MOEHUB_E_MEMORY; MOEHUB_E_LIMIT with a sentence if there are too many
 * rows. The layer is the caller's to destroy. */
int moehub_traffic_matrix_layer(const struct moehub_traffic_matrix *matrix, uint32_t lines, unsigned planes, unsigned plane,
                                uint32_t seed, struct moehub_layer *layer, struct moehub_message *message);

#endif
