/* SPDX-License-Identifier: Apache-2.0 */
/* What a layer sends where: the requests that hubs and switch ports receive, and what the packets carry.
 *
 *   dispatch   each packet of packets.h becomes one write-touch at the hub of every target; a row's first packet
 *              announces it
 *   combine    the owner of a row reserves an entry of its switch port for each packet, its remote GPUs being the
 *              contributors. Every target is a read-lookup at its GPU's hub; each remote GPU answers with one partial,
 *              the pre-reduction of what its targets' experts return. GPU g answers through port g.
 *
 * Hubs and ports see packets in the global order of packets.h, restricted to those that concern them. Elements are
 * functions of where they belong (payload.h). */
#ifndef MOEHUB_LAYER_DRIVER_H
#define MOEHUB_LAYER_DRIVER_H

#include "moehub/hub.h"
#include "moehub/packets.h"
#include "moehub/pre_reduce.h"
#include "moehub/reduction_buffer.h"

/* ---- one packet ------------------------------------------------------------------ */

/* What the hub of `target`, one of the packet's, is asked in `stage` (MOEHUB_STAGE_*); it has `ports` ingress ports. */
struct moehub_hub_request moehub_driver_request(const struct moehub_packet *packet, const struct moehub_target *target,
                                                unsigned stage, unsigned context, unsigned ports, uint64_t tag);

/* What the owner's switch port is asked in combine; the packet has remote GPUs, all below 64. */
struct moehub_reduction_reserve moehub_driver_reserve(const struct moehub_layer *layer, const struct moehub_packet *packet,
                                                      uint64_t tag);

/* The answer of remote GPU `gpu` to the request that got `grant`, still without its data. */
struct moehub_reduction_partial moehub_driver_partial(const struct moehub_layer *layer, const struct moehub_packet *packet,
                                                      const struct moehub_reduction_grant *grant, unsigned gpu);

/* ---- its elements: `length` bytes from byte `offset` of a row, both multiples of the element size ---------------- */

/* Of a dispatched row. */
void moehub_driver_dispatched(const struct moehub_layer *layer, uint32_t row, uint32_t offset, unsigned length, void *out);

/* What `expert` (its global number) returns for a row. */
void moehub_driver_returned(const struct moehub_layer *layer, uint32_t row, unsigned expert, uint32_t offset,
                            unsigned length, void *out);

/* What GPU `gpu` sends for a packet: the pre-reduction of what its targets return. It has at least one. */
void moehub_driver_pre_reduced(const struct moehub_layer *layer, const struct moehub_arithmetic *arithmetic,
                               const struct moehub_packet *packet, unsigned gpu, void *out);

/* ---- all requests of one hub in one stage ------------------------------------------- */

struct moehub_hub_requests {
    const struct moehub_layer *layer;
    struct moehub_packets *packets;
    struct moehub_packet packet;          /* the present one */
    const struct moehub_target *targets;  /* of its targets on this GPU, those still to be asked for */
    unsigned target_count;
    unsigned stage, gpu, context, ports;
    uint64_t count;                       /* requests so far: also the next one's tag */
};

/* `stage`, `inflight` and `payload` as for moehub_packets_create(), the rest as above. 0, or MOEHUB_E_ARGUMENT for an
 * argument out of range or no memory; then nothing is left to destroy. The layer must outlive the requests. */
int moehub_hub_requests_create(struct moehub_hub_requests *requests, const struct moehub_layer *layer, unsigned stage,
                               unsigned gpu, unsigned inflight, unsigned payload, unsigned context, unsigned ports);
void moehub_hub_requests_destroy(struct moehub_hub_requests *requests);

/* The next request; false at the end. */
bool moehub_hub_requests_next(struct moehub_hub_requests *requests, struct moehub_hub_request *request);

/* ---- all requests of one owner in combine -------------------------------------------- */

struct moehub_owner_requests {
    const struct moehub_layer *layer;
    struct moehub_packets *packets;
    unsigned owner;
    uint64_t count;   /* requests so far: its low 24 bits are the next one's tag */
};

/* As above. */
int moehub_owner_requests_create(struct moehub_owner_requests *requests, const struct moehub_layer *layer, unsigned owner,
                                 unsigned inflight, unsigned payload);
void moehub_owner_requests_destroy(struct moehub_owner_requests *requests);

/* The next request, and the packet that asks; false at the end. */
bool moehub_owner_requests_next(struct moehub_owner_requests *requests, struct moehub_packet *packet,
                                struct moehub_reduction_reserve *reserve);

#endif
