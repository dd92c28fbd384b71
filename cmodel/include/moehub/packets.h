/* SPDX-License-Identifier: Apache-2.0 */
/* The packets of a layer's dispatch or combine, in one global order.
 *
 * Step n = 0, 1, 2, ...: every source GPU in turn, starting with GPU n mod G, emits its n-th packet.
 * Each source keeps `inflight` rows in flight and serves them round robin, one packet each; a finished row's place is
 * taken by the source's next token, and closes when there is none. A row's packets leave in the order of their offsets.
 * A receiver's order is this order, restricted to the packets with a target on it: sources interleave fairly.
 *
 * Dispatch: the source sends its row (multicast to `remotes`; targets on its own GPU loop back into its own hub).
 * Combine: the owner issues one ld_reduce request per packet to `remotes`, each of which answers with one partial, the
 * sum over its own targets; targets on the owner stay at home. remote_count = 0: no request leaves, but the owner's
 * own targets are still read. Every row appears in both stages.
 *
 * Cost: a few ns a packet, no allocation after create. */
#ifndef MOEHUB_PACKETS_H
#define MOEHUB_PACKETS_H

#include "moehub/layer.h"

struct moehub_packet {
    const struct moehub_target *targets;  /* layer->topk of them, sorted by (gpu, local) */
    const uint16_t *remotes;              /* distinct GPUs without `gpu`, ascending */
    uint32_t row;                         /* algebraic index */
    uint32_t offset;                      /* bytes into the row, a multiple of the payload size */
    uint16_t length;                      /* bytes, 1..payload; the last packet of a row may be short */
    uint16_t gpu;                         /* dispatch: source; combine: requester (the same GPU) */
    uint16_t remote_count;
    bool first;                           /* the row's first packet from this source */
    bool last;                            /* the row's last packet */
};

struct moehub_packets;

/* `stage` is MOEHUB_STAGE_DISPATCH or MOEHUB_STAGE_COMBINE, `inflight` 1..65536 rows, `payload` 1..256 bytes a packet
 * (a multiple of the element size). The layer must outlive the iterator. NULL: an argument out of range or no memory. */
struct moehub_packets *moehub_packets_create(const struct moehub_layer *layer, unsigned stage, unsigned inflight,
                                             unsigned payload);

/* Fills up to `most` packets (most > 0) and returns how many; 0 only at the end. */
size_t moehub_packets_next(struct moehub_packets *packets, struct moehub_packet *batch, size_t most);

/* Starts over: the same packets again. */
void moehub_packets_rewind(struct moehub_packets *packets);

/* Packets of the whole stage. */
uint64_t moehub_packets_total(const struct moehub_packets *packets);

void moehub_packets_destroy(struct moehub_packets *packets);

#endif
