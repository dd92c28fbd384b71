/* SPDX-License-Identifier: Apache-2.0 */
/* A whole switch plane (rtl/doc/plane/switch.md; RTL: moehub_switch_top): what leaves by its links, given what came in.
 *
 * It has no cycles: which packet leaves next by a link, which group a request gets and whether a line's time is up before its
 * last partial counts are the hardware's choices. The caller shows the header flit of what leaves; the model reads the choice
 * from it (class, type, source, name, tag, status), finds out whether it may be, and says the whole packet, to the bit.
 *
 *     moehub_switch_plane_arrive(&plane, port, &flit, &taken);                  a flit came by a link
 *     moehub_switch_plane_grant(&plane, port, class, places);                   places were granted to that link's sender
 *     moehub_switch_plane_leave(&plane, port, class, header, &packet, &why);    a packet leaves: it has to be `packet`
 *     moehub_switch_plane_waiting(&plane) == 0                                  nothing is left that has to leave
 *
 * What must hold beyond the bits: each copy leaves once; stores, and closes with notifies, of one input in their order at
 * each output, and so do the copies of requests; a group is given to one request at a time, with the next generation (its
 * last results may still wait for the link); each line asked has one result.
 *
 * Contract: requests of one port that have not had all their results differ in the tags of their lines, refused ones
 * excepted; else the model cannot tell whose result it is. No request that names a port comes, or waits without a group or an
 * answer, while that port may be down and may be not: a refusal says TIMEOUT, as a group does whose time is up.
 *
 * Cost: no allocation after create; about 1.6 kbyte an entry of the reduction buffers, 0.4 kbyte a packet of the pools. */
#ifndef MOEHUB_SWITCH_PLANE_H
#define MOEHUB_SWITCH_PLANE_H

#include "moehub/accumulate.h"
#include "moehub/crossbar.h"
#include "moehub/error.h"
#include "moehub/link_receiver.h"

struct moehub_switch_plane_config {
    uint32_t ports;              /* 2..64 */
    uint32_t local_expert_bits;  /* 0..8 */
    uint32_t max_targets;        /* 1..32 */
    uint32_t request_lines;      /* 1, 2, 4, 8 */
    uint32_t groups;             /* of a port: 1..4096 / request_lines */
    uint32_t generation_width;   /* 1..8 */
    bool with_fp32;
    uint32_t places[MOEHUB_CLASSES]; /* of a port: the class's longest packet .. 8191 */
};

/* Whether a port is down, or its reduction buffer drains: the hardware knows when, the caller afterwards. */
enum moehub_switch_plane_known { MOEHUB_SWITCH_PLANE_NO, MOEHUB_SWITCH_PLANE_MAYBE, MOEHUB_SWITCH_PLANE_YES };

/* Order-only counters of a port: what its links, its requests and its reduction buffer have seen. */
struct moehub_switch_plane_counts {
    uint64_t causes[MOEHUB_SWITCH_PORT_CAUSES]; /* of packets and flits; DOWN stays 0, and COMMAND is the caller's */
    uint64_t packets_in[MOEHUB_CLASSES];     /* ended, well-formed or not */
    uint64_t packets_out[MOEHUB_CLASSES];
    uint64_t flits_in, flits_out;
    uint64_t store_copies;                   /* of stores, for its link */
    uint64_t reserved, refused;              /* requests: with a group; answered with errors, for whatever reason */
    uint64_t refused_down;                   /* of these: they named a port that was down */
    uint64_t error_results;                  /* of refused requests */
    uint64_t unseen_results;                 /* of the others, and discarded: whether with an error nobody has seen */
    uint64_t reduction[MOEHUB_REDUCTION_EVENTS]; /* its order-only events; COMMAND is the caller's */
};

/* The first offender of a port's receiver, as its error latch has it. */
struct moehub_switch_plane_offender {
    bool caught;
    uint8_t cause;                           /* of packet or link */
    struct moehub_flit header;
};

/* Packets of a port that may be lost between resets. */
#define MOEHUB_SWITCH_PLANE_LOSSES 32

/* Results that may wait for their link when their group has another user already: their last flit was taken. */
#define MOEHUB_SWITCH_PLANE_LATE 3

/* A line of a group: moehub_reduction_buffer's entry. */
struct moehub_switch_plane_line {
    uint64_t answered;                       /* set of ports */
    uint8_t failure;                         /* MOEHUB_STATUS_*; OK: none */
    struct moehub_accumulator_lanes sum[MOEHUB_LINE_BYTES / 2 / MOEHUB_LANES];
};

/* A request that was accepted, or refused and answered. */
struct moehub_switch_plane_request {
    struct moehub_header header;             /* as it came */
    uint16_t targets[MOEHUB_TARGETS_MAX];
    uint64_t contributors;                   /* set of ports; empty: malformed */
    uint64_t copies;                         /* outputs whose copy has not left */
    uint8_t status;                          /* of all its results; OK: the lines decide */
    uint8_t lines;                           /* asked */
    uint8_t results;                         /* set of lines whose result has not left */
    bool may_drain;                          /* it may have been refused with DRAINING */
    uint64_t doubtful;                       /* of `copies`: those that may have been discarded */
    uint8_t doubtful_results;                /* of `results` */
    bool named;                              /* a copy has shown the name that it got */
    uint16_t group;
    uint8_t generation;
    struct moehub_switch_plane_line *sums;   /* of its lines, while it is named and results have not left; else NULL */
    uint64_t since;                          /* `now` of its arrival */
};

/* A group of a port's reduction buffer. */
struct moehub_switch_plane_group {
    struct moehub_switch_plane_request *user; /* NULL: no request, or one whose name has not been seen */
    bool used;                               /* ever */
    uint8_t generation;                      /* of its last use */
};

struct moehub_switch_plane_port {
    struct moehub_link_receiver receiver;
    struct moehub_flit open[MOEHUB_RESPONSE_LONGEST]; /* flits of the open packet that took a place */
    unsigned open_count;
    uint64_t granted[MOEHUB_CLASSES], stored[MOEHUB_CLASSES]; /* since the link rose: places, flits that took one */
    uint64_t timeout;                        /* of its reduction buffer; 0: none */
    uint32_t losses, lost;                   /* packets for its link that may be lost, that were found missing */
    enum moehub_switch_plane_known down, draining;
    bool was_down;                           /* it may have been, since the last reset */
    uint64_t discarded;                      /* packets for its link that were found missing as it was down */
    /* of the stores, and the closes and notifies, of each input for its link: the oldest so many may have been discarded */
    uint32_t doubtful_stores[MOEHUB_CROSSBAR_PORTS_MAX], doubtful_notices[MOEHUB_CROSSBAR_PORTS_MAX];
    struct moehub_switch_plane_offender offender;
    struct moehub_switch_plane_request *requests; /* a pool of `request_capacity` */
    uint16_t *order;                         /* of the pool: those in use, oldest first, then those that are free */
    uint32_t request_count;
    struct moehub_switch_plane_group *groups;
    struct moehub_switch_plane_line *lines;  /* in sets of request_lines: one a group, and of results that are late or lost */
    struct moehub_switch_plane_line **unused; /* sets of them, a stack */
    uint32_t unused_count;
    struct moehub_switch_plane_counts counts;
};

struct moehub_switch_plane {
    struct moehub_switch_plane_config config;
    uint64_t now;                            /* the caller's cycle, which only timeouts look at */
    struct moehub_arithmetic arithmetic;
    struct moehub_crossbar stores, notices;
    uint32_t request_capacity;
    struct moehub_switch_plane_port *ports;
};

/* 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure nothing is left to destroy. */
int moehub_switch_plane_create(struct moehub_switch_plane *plane, const struct moehub_switch_plane_config *config);
void moehub_switch_plane_destroy(struct moehub_switch_plane *plane);

/* Everything inside is dropped, timeouts and counters are 0. */
void moehub_switch_plane_reset(struct moehub_switch_plane *plane);

/* A flit came; `taken`: what its receiver did with it. 0, or MOEHUB_E_LIMIT: more would be inside than there are places, so
 * that places were granted that were not free. */
int moehub_switch_plane_arrive(struct moehub_switch_plane *plane, unsigned port, const struct moehub_link_flit *flit,
                               struct moehub_link_taken *taken);

/* Places were granted to the sender of that link. 0, or MOEHUB_E_LIMIT: more than the class has. */
int moehub_switch_plane_grant(struct moehub_switch_plane *plane, unsigned port, unsigned packet_class, unsigned places);

/* In each cycle in which the link of the port is down. */
void moehub_switch_plane_link_down(struct moehub_switch_plane *plane, unsigned port);

/* The link of the port fell: one packet for it may have been lost, whichever was under way; `flits` of one had left. At most
 * MOEHUB_SWITCH_PLANE_LOSSES of a port. Where the next packet of an order does not leave, the one behind it may, until as many
 * are missing. */
void moehub_switch_plane_lose(struct moehub_switch_plane *plane, unsigned port, unsigned flits);

/* The port is down, or may be from now on, or is up (rtl/doc/plane/switch.md section 4). On the way from one to the other it may
 * be: until then nothing is discarded, and what came before it is up again may have been. A request that names a port that is
 * down is refused. */
void moehub_switch_plane_set_down(struct moehub_switch_plane *plane, unsigned port, enum moehub_switch_plane_known down);

/* The same of the draining of its reduction buffer. A request that comes while it drains is refused; one that comes or waits
 * while it may, or may not. */
void moehub_switch_plane_set_draining(struct moehub_switch_plane *plane, unsigned port, enum moehub_switch_plane_known draining);

/* A packet with this header flit leaves by the link of the port. 0 and the packet that it has to be, which has then left; or
 * MOEHUB_E_STATE, a sentence and nothing changed: no such packet may leave now. */
int moehub_switch_plane_leave(struct moehub_switch_plane *plane, unsigned port, unsigned packet_class,
                              struct moehub_flit header, struct moehub_crossbar_copy *packet, struct moehub_message *why);

/* Copies, closes, notifies and results that have not left, or were lost. */
uint64_t moehub_switch_plane_waiting(const struct moehub_switch_plane *plane);
/* Those for the link of one port. With nothing inside, they, `lost` and `discarded` are what was lost. */
uint64_t moehub_switch_plane_waiting_for(const struct moehub_switch_plane *plane, unsigned port);
/* Those that may have been discarded. */
uint64_t moehub_switch_plane_doubtful(const struct moehub_switch_plane *plane);

/* Requests of a port that have not had all their results. */
unsigned moehub_switch_plane_requests(const struct moehub_switch_plane *plane, unsigned port);
/* Requests that name the port and of which nothing has left, or was discarded: they may wait for a group, or for an answer. */
unsigned moehub_switch_plane_undecided(const struct moehub_switch_plane *plane, unsigned port);

/* Groups of a port's reduction buffer that are in use now, at least and at most: those of requests of which a copy has left and
 * a line waits for a partial; those that requests inside may have. With a timeout a group may be in quarantine, which nobody
 * sees: then all of them. */
struct moehub_switch_plane_use {
    unsigned least, most;
};
struct moehub_switch_plane_use moehub_switch_plane_groups_in_use(const struct moehub_switch_plane *plane, unsigned port);

#endif
