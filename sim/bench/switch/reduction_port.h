/* SPDX-License-Identifier: Apache-2.0 */
/* The pins of a reduction buffer: carries a stimulus into the design and everything that happens to the judge.
 * Commands and status go over pins of their own in the bare block; in a unit with registers those pins are missing
 * (has_commands, has_events false) and whoever drives the registers tells the judge. Where the pins of groups are missing
 * (has_groups false) the design has the defaults. */
#ifndef BENCH_REDUCTION_PORT_H
#define BENCH_REDUCTION_PORT_H

#include "bench/switch/reduction_check.h"
#include "bench/switch/reduction_stimulus.h"
#include "kit/stream.h"

enum {
    REDUCTION_REQUESTS_IN_FLIGHT = 64,
    REDUCTION_EMPTYING = 8000000, /* cycles within which whatever is open is complete: the watchdog knows earlier */
};

struct reduction_port {
    struct bench *bench;
    struct moehub_reduction_buffer_config config;
    struct reduction_check check;
    struct reduction_stimulus stimulus;
    struct source reserve, partial, command, released;
    struct sink grant, result;
    struct stall partial_stall;
    const struct pin *initialised, *empty, *draining, *occupancy, *timeout_valid, *timeout_entry;
    const struct pin *events, *command_done, *command_refused;
    const struct pin *error_valid, *error_cause, *error_header, *error_port;
    const struct pin *freed_valid, *freed_entry, *missing_valid, *missing_ports, *port_timeout, *group_timeout;
    bool has_commands, has_events, has_groups;

    struct moehub_reduction_reserve requests[REDUCTION_REQUESTS_IN_FLIGHT]; /* accepted, not yet granted: a ring */
    uint64_t requests_accepted, requests_granted;
    struct reduction_packet packet; /* being sent */
    uint32_t flits_sent;            /* of it; 0 between packets */
    bool packet_offered;            /* a flit of it is offered in this cycle */
    bool was_initialised;           /* in the cycle before: from then on partials are taken */
    bool command_busy;
    bool hold_results, hold_partials, hold_grants;
    uint32_t occupancy_before;      /* in the cycle before */
    bool freed_before;              /* freed_valid in the cycle before */
    bool result_inside;             /* between the first and the last flit of a result */
    uint64_t result_entry;          /* its entry */
    uint64_t partial_flits, result_flits, result_bubbles, grants_ok, results;
};

/* Looks up the pins; the judge is created too. `commands`: the design has the command, event and latch pins. */
void reduction_port_create(struct reduction_port *port, struct bench *bench,
                           const struct moehub_reduction_buffer_config *config, enum stall_kind stall, bool commands);
void reduction_port_destroy(struct reduction_port *port);

/* Steps 1 and 3 of a cycle. */
void reduction_port_drive(struct reduction_port *port);
void reduction_port_sample(struct reduction_port *port);

/* One whole cycle of a bench that has nothing else. */
void reduction_port_step(void *port);

/* Random stalls on every stream, or none. */
void reduction_port_stall(struct reduction_port *port, enum stall_kind kind);

/* The taker of the results is not ready until told otherwise. */
void reduction_port_hold_results(struct reduction_port *port, bool hold);
/* Grants are not taken. */
void reduction_port_hold_grants(struct reduction_port *port, bool hold);
/* No flit of a partial is offered, also in the middle of a packet. */
void reduction_port_hold_partials(struct reduction_port *port, bool hold);

/* Runs until the design is initialised; a deadlock when that takes too long. */
void reduction_port_wait_initialised(struct reduction_port *port);

/* Runs until everything that is in flight has come out and all is compared. At most `cycles`, then it is a deadlock. */
void reduction_port_settle(struct reduction_port *port, uint64_t cycles);

/* Resets the design for `cycles` cycles, whatever it is doing, and everything that remembers. */
void reduction_port_reset(struct reduction_port *port, unsigned cycles);

#endif
