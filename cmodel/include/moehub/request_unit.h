/* SPDX-License-Identifier: Apache-2.0 */
/* Request unit of a switch port (rtl/doc/plane/request_unit.md): what becomes of each ld_reduce that the port's store holds.
 *
 * It has no cycles. The caller steps it with what the hardware accepts: requests and grants, each in their order, and says
 * when a request has left. Outcomes come in the order of the requests; one is there as soon as it is decided.
 *
 *     moehub_request_unit_accept(&unit, &request, down, &reserve, &reserves);   taken from the store
 *     moehub_request_unit_grant(&unit, &grant);                                 of the oldest reservation without one
 *     moehub_request_unit_next(&unit, &outcome);                                the next request: to the crossbar, or refused
 *     moehub_request_unit_error(&unit, &outcome, line);                         what a refused one's requester gets
 *     moehub_request_unit_leave(&unit, name, &entry);                           its copies, or its answer, have left
 *
 * When a grant is taken, and how many requests wait for theirs, is the hardware's choice: nothing here depends on it.
 * No allocation after create. */
#ifndef MOEHUB_REQUEST_UNIT_H
#define MOEHUB_REQUEST_UNIT_H

#include "moehub/packet.h"
#include "moehub/reduction_buffer.h"

#include <stdbool.h>
#include <stdint.h>

/* The parameters of moehub_request_unit, same names, same order; then what is wired. */
struct moehub_request_unit_config {
    uint32_t ports;          /* 2..64 */
    uint32_t request_lines;  /* 1, 2, 4, 8 */
    uint32_t groups;         /* 1..4096 / request_lines */
    uint32_t places;         /* 5..8191 of the port's requests; as many names */
    uint32_t own;            /* the port: below `ports` */
};
#define MOEHUB_REQUEST_UNIT_PARAMETERS 4

/* A packet of the store's request class: its name and its mark (rtl/doc/plane/link.md section 5). */
struct moehub_request {
    uint64_t ports;      /* GPUs that the ids name */
    uint32_t tag;        /* 24 bits */
    uint16_t name;       /* of the store: below `places`, in no use */
    uint16_t length;     /* units of 16 bytes, as sent: 9 bits */
    uint8_t context;     /* 3 bits */
    uint8_t round;       /* 4 bits */
    uint8_t element;     /* MOEHUB_ELEMENT_* */
    bool out_fp32;
    bool refused;        /* malformed, but answered: `ports` means nothing */
};

/* What becomes of a request. */
struct moehub_request_outcome {
    struct moehub_request request;
    unsigned lines;      /* that it asks for: error results, if it is refused */
    uint8_t status;      /* MOEHUB_STATUS_OK: its copies go to the crossbar; else that of its error results */
};

enum moehub_request_state {
    MOEHUB_REQUEST_NONE,      /* the name is in no use */
    MOEHUB_REQUEST_RESERVED,  /* waits for its grant */
    MOEHUB_REQUEST_DECIDED,   /* waits for those before it, until moehub_request_unit_next */
    MOEHUB_REQUEST_LEAVES     /* its copies, or error results, are on their way */
};

struct moehub_request_slot {
    struct moehub_request_outcome outcome;
    uint32_t patch;      /* {entry 16 bits, generation 8 bits} of the last request of this name that was granted */
    uint8_t state;       /* enum moehub_request_state */
};

struct moehub_request_unit {
    struct moehub_request_unit_config config;
    struct moehub_request_slot *slots;   /* [places], by name */
    uint16_t *queue;                     /* [places], names in the order of the requests: a ring */
    uint32_t head, count;                /* of the queue: not given by moehub_request_unit_next */
    uint32_t in_use;                     /* names */
    uint64_t reserved;                   /* grants OK */
    uint64_t refused;                    /* requests answered with error results */
    uint64_t refused_down;               /* of them, those that named a port that was down */
    uint64_t error_results;
};

/* 0, MOEHUB_E_ARGUMENT or MOEHUB_E_MEMORY; on failure nothing is left to destroy. */
int moehub_request_unit_create(struct moehub_request_unit *unit, const struct moehub_request_unit_config *config);
void moehub_request_unit_destroy(struct moehub_request_unit *unit);

/* Drops all that is inside, as a hardware reset does; counters 0. */
void moehub_request_unit_reset(struct moehub_request_unit *unit);

/* Takes a request while the ports of the set `down` are down. `*reserves`: it asks for a group, and `*reserve` says for
 * which. 0, or, with nothing changed, MOEHUB_E_ARGUMENT (no such name) or MOEHUB_E_STATE (the name is in use). */
int moehub_request_unit_accept(struct moehub_request_unit *unit, const struct moehub_request *request, uint64_t down,
                               struct moehub_reduction_reserve *reserve, bool *reserves);

/* The grant of the oldest reservation that has none. 0, or, with nothing changed, MOEHUB_E_STATE (there is none) or
 * MOEHUB_E_ARGUMENT (the entry is not line 0 of a group). */
int moehub_request_unit_grant(struct moehub_request_unit *unit, const struct moehub_reduction_grant *grant);

/* The outcome of the next request, in their order. 0, or MOEHUB_E_STATE: there is none, or it waits for its grant. */
int moehub_request_unit_next(struct moehub_request_unit *unit, struct moehub_request_outcome *outcome);

/* The one flit of a refused request's error result for `line`. */
struct moehub_flit moehub_request_unit_error(const struct moehub_request_unit *unit,
                                             const struct moehub_request_outcome *outcome, unsigned line);

/* {entry, generation} that the copies of a request have as TAG, while it is on its way; before, that of the name's last
 * use. `name` is below `places`. */
uint32_t moehub_request_unit_patch(const struct moehub_request_unit *unit, unsigned name);

/* All copies of a request have left the crossbar's input, or its error results and its places: the name is in no use.
 * `*entry`, for the first: what `released` tells the reduction buffer. 0, or MOEHUB_E_STATE: it is not on its way. */
int moehub_request_unit_leave(struct moehub_request_unit *unit, unsigned name, uint16_t *entry);

#endif
