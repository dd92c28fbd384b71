/* SPDX-License-Identifier: Apache-2.0 */
/* The hardware's share of the framed link for a layer at hand, by what shares the links.
 *
 * Under hardware_packets = 1 it is what slices of the layer reach at the packet level, and what the fullest of several links has
 * more than the mean; the constants hardware_* are of that. Under 0 the constants are all. A book keeps what was measured: a file
 * that `make shares` writes has the slices of the program's tables, all others are run when they are asked for.
 * Method: cmodel/doc/system.md, "Tile flows". */
#ifndef MOEHUB_SYSTEM_SHARES_H
#define MOEHUB_SYSTEM_SHARES_H

#include "moehub/system_slice.h"

#include <stdio.h>

/* Measured slices. Threads may share one. */
struct moehub_system_shares;

/* An empty book, or NULL: no memory. */
struct moehub_system_shares *moehub_system_shares_create(void);
void moehub_system_shares_destroy(struct moehub_system_shares *shares);

/* Reads a book's file into it: `gpus topk dispatch_lines combine_lines rows draws in_switch key` of a slice, then shares and
 * spreads of dispatch, combine, fused. MOEHUB_E_FORMAT with `name:line: ...`. */
int moehub_system_shares_read(struct moehub_system_shares *shares, FILE *file, const char *name,
                              struct moehub_message *message);

/* Writes what was asked for since it was created, sorted; whether that worked the caller asks the file. */
void moehub_system_shares_write(struct moehub_system_shares *shares, FILE *file);

/* A slice's result: of the book, else by the packet level, and then it is in the book. `shares` may be NULL: by the packet
 * level. The plane's constants are part of the key. 0 or an error with a sentence. */
int moehub_system_shares_find(struct moehub_system_shares *shares, const struct moehub_system_constants *constants,
                              const struct moehub_system_slice *slice, struct moehub_system_slice_result *result,
                              struct moehub_message *message);

/* The share for a layer with a class of `load` for each GPU, one of each pattern; the book is that of the constants. 0 or an
 * error with a sentence. */
int moehub_system_hardware_shares(const struct moehub_system_constants *constants, const struct moehub_system_load *load,
                                  const struct moehub_system_work *work, bool in_switch, double *shares,
                                  struct moehub_message *message);

/* Busiest link's load over that of the busiest GPU's mean link, expected, where a row takes one of a GPU's links and all its
 * copies the same; 1 on one link. */
double moehub_system_links_excess(const struct moehub_system_constants *constants, const struct moehub_system_load *load,
                                  const struct moehub_system_work *work, enum moehub_system_pattern pattern);

#endif
