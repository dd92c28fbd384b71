/* SPDX-License-Identifier: Apache-2.0 */
/* The pins of a request unit beside a crossbar at one store (sim/tops/request_unit.v), and all that surrounds it: the store
 * with its names and places, a reduction buffer that grants, a crossbar that finds and frees, an egress that takes error
 * results. Each event is compared with the C model:
 *
 *   - reservations, copies, error results and released entries, each in order;
 *   - results of refusals and copies begin in the order of their requests, and a grant is taken for the oldest alone;
 *   - what the crossbar finds, from the next cycle to its next find: the places, and the tag of the model;
 *   - the crossbar's finds and frees reach the store at once; the unit frees a request once, after its last error result;
 *   - the event pulses, when nothing is inside. */
#ifndef BENCH_REQUEST_UNIT_PORT_H
#define BENCH_REQUEST_UNIT_PORT_H

#include "kit/scoreboard.h"
#include "kit/stream.h"
#include "moehub/request_unit.h"

/* How wild the surroundings are, of 1024. */
struct request_unit_mood {
    unsigned malformed;     /* requests that the receiver refused */
    unsigned down;          /* requests while ports are down */
    unsigned refusals;      /* reservations that are refused */
    unsigned finds, frees;  /* cycles in which the crossbar finds a packet for the first time, frees one; if it can */
    unsigned finds_again;   /* other cycles in which it finds one once more */
    unsigned grant_delay;   /* cycles from reserve to grant, beyond the least */
    unsigned hold;          /* cycles at most that a group is used beyond its release */
};

enum { REQUEST_GRANT_CYCLES = 6 }; /* from reserve accepted to grant_valid: rtl/doc/reduction_buffer.md section 8 */

/* A packet of the store. */
struct request_packet {
    uint32_t head, last, place; /* place: of the flit after the header */
    uint32_t tag;               /* found by the crossbar */
    uint16_t mark;              /* its low bits: targets, copies */
    uint8_t flits;
    bool found;
};

/* An outcome whose copies or error results have not begun, or whose error results have not all been taken. */
struct request_begin {
    uint16_t name;
    bool copied;
    bool begun;
    unsigned lines;
};

struct request_ring {
    struct request_begin *items; /* [places] */
    unsigned head, count;
};

/* The event pulses. */
struct request_unit_counts {
    uint64_t reserved, refused, refused_down, error_results, group_waits;
};

struct request_unit_port {
    struct bench *bench;
    struct moehub_request_unit model;
    struct random_source random;
    struct request_unit_mood mood;
    /* The next request; its name and the rest of its packet are the port's. False: none in this cycle. */
    bool (*next_request)(void *context, struct moehub_request *request);
    void *context;

    struct source packet, grant;
    struct sink reserve, copies, error, released;
    const struct pin *own_pin, *down_pin, *store_find_valid, *store_find_name, *store_found[3];
    const struct pin *store_free_valid, *store_free_name, *store_free[3];
    const struct pin *find_valid, *find_name, *found_tag;
    const struct pin *free_valid, *free_tag, *free_name, *free[3];
    const struct pin *events[5];
    struct scoreboard reservations, copied, errors, releases, finds, frees, counts;

    struct request_packet *packets;  /* [places], by name */
    uint16_t *free_names, *granted;  /* names in no use; names whose copies the crossbar has */
    unsigned free_count, granted_count;
    struct moehub_request offered;
    uint64_t down;                   /* in this cycle */

    uint64_t *grant_due;             /* [places], a ring: reservations that wait for their grant */
    unsigned due_head, due_count;
    uint64_t *group_free_at;         /* [groups]; 0: free, UINT64_MAX: in use */
    struct moehub_reduction_grant granting;

    struct request_ring beginning, answering;
    unsigned error_line;             /* of the answer that goes on */

    bool finds_now, frees_now;
    bool hold_errors, hold_released;
    uint16_t finding, freeing;
    struct request_packet store_packet; /* what the store shows of its last find */
    struct request_unit_counts seen; /* pulses of the design, since reset */
    uint64_t waits;                  /* cycles in which a reservation waits */
    uint64_t requests, accepted_cycle; /* accepted; when the last one was */
    uint64_t copies_taken, copy_cycle; /* to the crossbar; when the last one began */
    uint64_t answers, answer_cycle;    /* whose places were freed; when the last one's were */
    uint64_t by_status[16], by_lines[9], resets_in_use;
};

void request_unit_port_create(struct request_unit_port *port, struct bench *bench,
                              const struct moehub_request_unit_config *config);
void request_unit_port_destroy(struct request_unit_port *port);

/* One cycle. */
void request_unit_port_step(void *port);

/* Step 1 of a cycle: request_unit_drive.c. */
void request_unit_drive(struct request_unit_port *port);

/* Random stalls on every stream, or none. */
void request_unit_port_stall(struct request_unit_port *port, enum stall_kind kind);

/* Runs until nothing is inside, without new requests, and compares the counters. */
void request_unit_port_settle(struct request_unit_port *port);

/* Resets the design for `cycles` cycles, and everything that remembers; afterwards it may be another port. */
void request_unit_port_reset(struct request_unit_port *port, unsigned cycles);

#endif
