/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the switch plane's model share: its links (switch_plane.c), requests and their copies
 * (switch_plane_requests.c), lines and their results (switch_plane_lines.c), ports that are down (switch_plane_down.c). */
#ifndef MOEHUB_SWITCH_PLANE_PARTS_H
#define MOEHUB_SWITCH_PLANE_PARTS_H

#include "moehub/switch_plane.h"

/* A request, oldest first. */
static inline struct moehub_switch_plane_request *plane_request(const struct moehub_switch_plane_port *port, unsigned i)
{
    return &port->requests[port->order[i]];
}

static inline bool plane_other_header(struct moehub_flit a, struct moehub_flit b)
{
    return a.half[0] != b.half[0] || a.half[1] != b.half[1];
}

/* ---- switch_plane_down.c ----------------------------------------------------------------------------- */

/* A packet for the port's link may be missing; `doubtful`: it may have been discarded before the port was up again. Then: it is
 * missing. */
bool plane_may_be_lost(const struct moehub_switch_plane_port *port, bool doubtful);
void plane_lose_packet(struct moehub_switch_plane_port *port, bool doubtful);

/* Those of a crossbar's copies for the port's link, by input, that may have been discarded. */
uint32_t *plane_doubtful_copies(struct moehub_switch_plane *plane, const struct moehub_crossbar *crossbar, unsigned port);
static inline void plane_copy_left(uint32_t *doubtful)
{
    *doubtful -= *doubtful > 0;
}

/* More would be inside than places hold: what waits longest where a port may be down was discarded. False: there is none. */
bool plane_discard_copy(struct moehub_switch_plane *plane, struct moehub_crossbar *crossbar, unsigned input);
/* The same of a request of the port, not `spared`, of which nothing else waits. */
bool plane_discard_request(struct moehub_switch_plane *plane, struct moehub_switch_plane_port *port,
                           const struct moehub_switch_plane_request *spared);

/* Of these lines of a request, how many results are inside for sure. */
unsigned plane_sure_results(const struct moehub_switch_plane_port *port, const struct moehub_switch_plane_request *request,
                            unsigned lines);

/* ---- switch_plane_requests.c ------------------------------------------------------------------------- */

/* A request was accepted; or it was refused, and its header is answered. 0 or MOEHUB_E_LIMIT. */
int plane_request_accept(struct moehub_switch_plane *plane, unsigned port, const struct moehub_flit *flits, uint64_t ports);
int plane_request_refuse(struct moehub_switch_plane *plane, unsigned port, struct moehub_flit header);

/* A request has not had the answer of a refusal, and no copy of it has left. */
bool plane_request_untouched(const struct moehub_switch_plane_request *request);
/* It was refused with DRAINING, or was not: then it is as it came. */
void plane_request_drained(struct moehub_switch_plane_port *port, struct moehub_switch_plane_request *request);
void plane_request_was_taken(const struct moehub_switch_plane *plane, struct moehub_switch_plane_port *port,
                             struct moehub_switch_plane_request *request);

/* A copy of a request with this header leaves by `output`. */
int plane_request_leave(struct moehub_switch_plane *plane, unsigned output, const struct moehub_header *header,
                        struct moehub_crossbar_copy *packet, struct moehub_message *why);

/* Forgets a request when all its copies and results have left. */
void plane_request_end(struct moehub_switch_plane_port *port, struct moehub_switch_plane_request *request);

/* ---- switch_plane_lines.c ---------------------------------------------------------------------------- */

/* A request has got its group, and a set of lines: they are as before the first partial. */
void plane_lines_begin(const struct moehub_switch_plane_request *request);

/* Every line of a named request whose result has not left may have its result. */
bool plane_lines_done(const struct moehub_switch_plane *plane, const struct moehub_switch_plane_port *port,
                      const struct moehub_switch_plane_request *request);

/* A partial came in, whole. */
void plane_partial_accept(struct moehub_switch_plane *plane, const struct moehub_header *header,
                          const struct moehub_flit *payload);

/* A result with this header leaves by the link of `port`. */
int plane_result_leave(struct moehub_switch_plane *plane, unsigned port, const struct moehub_header *header,
                       struct moehub_crossbar_copy *packet, struct moehub_message *why);

#endif
