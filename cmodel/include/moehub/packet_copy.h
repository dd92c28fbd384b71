/* SPDX-License-Identifier: Apache-2.0 */
/* The copy of a store or a request that a switch sends to one GPU (rtl/doc/packet.md section 2): that GPU's ids only, and
 * compact whenever it can be. */
#ifndef MOEHUB_PACKET_COPY_H
#define MOEHUB_PACKET_COPY_H

#include "moehub/packet.h"

/* Flits before the body of a copy: header, and the target flits of MOEHUB_TARGETS_MAX ids. */
#define MOEHUB_COPY_HEAD_MAX (1 + MOEHUB_TARGETS_MAX / MOEHUB_TARGETS_PER_FLIT)

/* Writes the header flit and the target flits of the copy for `gpu` of a packet with this FORMAT 0 header and its
 * header->target_count ids (ascending, at most MOEHUB_TARGETS_MAX). Returns how many flits: 1 if it is compact, 0 if no id
 * is on that GPU. Everything but ids, count and format is copied; of an ld_reduce the caller puts the copy's tag into the
 * header first. */
unsigned moehub_packet_copy(const struct moehub_header *header, const uint16_t *targets, unsigned gpu,
                            unsigned local_expert_bits, struct moehub_flit flits[MOEHUB_COPY_HEAD_MAX]);

#endif
