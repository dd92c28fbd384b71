/* SPDX-License-Identifier: Apache-2.0 */
/* A stimulus written by hand: queues of reservations, packets and commands, sent as fast as the design takes them. */
#ifndef BENCH_REDUCTION_SCRIPT_H
#define BENCH_REDUCTION_SCRIPT_H

#include "bench/switch/reduction_port.h"

enum { SCRIPT_GRANTS = 8192 };

struct reduction_script {
    struct reduction_port *port;
    struct random_source random;
    struct moehub_reduction_reserve *reserves;
    struct moehub_reduction_partial *packets;
    struct reduction_command *commands;
    unsigned *releases;
    size_t reserve_count, reserve_next, packet_count, packet_next, command_count, command_next, release_count, release_next;
    size_t capacity;
    struct moehub_reduction_grant grants[SCRIPT_GRANTS]; /* the last ones, by number */
    uint64_t grant_count;
    uint64_t results;        /* taken */
    unsigned last_status;    /* of the last result */
    uint64_t timeouts;
    unsigned last_timeout;   /* entry */
    uint64_t freed;          /* groups */
    uint64_t freed_cycle;    /* of the last one */
    uint32_t port_timeout;   /* the pin, from the next command on */
    bool holds_releases;     /* with_release: else each grant is followed by its `released` */
    const uint16_t *elements; /* NULL: random payloads; else packet i holds elements[i % element_count] in all its places */
    size_t element_count;
};

/* Takes over the port's stimulus. */
void reduction_script_create(struct reduction_script *script, struct reduction_port *port, size_t capacity);
void reduction_script_destroy(struct reduction_script *script);

/* Queue, without running. Payloads are random. */
void reduction_script_add_reserve(struct reduction_script *script, const struct moehub_reduction_reserve *reserve);
void reduction_script_add_packet(struct reduction_script *script, const struct moehub_reduction_partial *packet);
void reduction_script_add_command(struct reduction_script *script, unsigned operation, uint32_t data);
void reduction_script_add_release(struct reduction_script *script, unsigned entry);

/* A legal reservation of bf16 elements. */
struct moehub_reduction_reserve reduction_script_request(const struct reduction_script *script, uint64_t contributors,
                                                         unsigned length);

/* The right partial of a port for a grant. */
struct moehub_reduction_partial reduction_script_answer(const struct reduction_script *script,
                                                        const struct moehub_reduction_reserve *reserve,
                                                        const struct moehub_reduction_grant *grant, unsigned port);

/* Runs until all that is queued has been accepted and granted. */
void reduction_script_run(struct reduction_script *script);

/* Queue one and run. */
struct moehub_reduction_grant reduction_script_reserve(struct reduction_script *script,
                                                       const struct moehub_reduction_reserve *reserve);
void reduction_script_send(struct reduction_script *script, const struct moehub_reduction_partial *packet);
/* Carries out a command; whether it was refused. */
bool reduction_script_command(struct reduction_script *script, unsigned operation, uint32_t data);

/* Runs until `count` results in all have been taken since the script's creation; a deadlock after `cycles`. */
void reduction_script_wait_results(struct reduction_script *script, uint64_t count, uint64_t cycles);

#endif
