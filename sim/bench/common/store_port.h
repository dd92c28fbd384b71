/* SPDX-License-Identifier: Apache-2.0 */
/* One packet store as a bench sees it: takes its packets and target flits, looks for packets, reads them, frees them in any
 * order, and compares all of it, cycle by cycle, with the model. Who writes and ends packets is the bench's business.
 *
 * In each cycle: store_port_drive; the bench's own drivers; bench_settle; then the bench notes what it writes and ends, and
 * calls store_port_sample. */
#ifndef BENCH_STORE_PORT_H
#define BENCH_STORE_PORT_H

#include "kit/scoreboard.h"
#include "kit/stream.h"
#include "moehub/packet_store.h"

enum { STORE_MARK_WORDS = 2 };

/* What is known of a packet under its name. */
struct store_name {
    bool found;               /* `find` has told head, last, flits */
    uint32_t head, last, flits;
};

struct store_port {
    struct bench *bench;
    struct moehub_packet_store model;
    struct moehub_packet_store_cycle now; /* what happens in this cycle */
    void (*mask)(uint64_t *mark);         /* clears what means nothing in a mark; NULL: all means something */
    struct sink packet, targets;
    struct stall frees;                   /* when packets are freed */
    uint32_t frees_below;                 /* packets are freed only while fewer places than that are free */
    const struct pin *initialised, *space, *read_valid, *read_place, *read_data, *read_next, *find_valid, *find_name, *find_head,
        *find_body, *find_last, *find_flits, *find_mark, *free_valid, *free_name, *free_head, *free_last, *free_flits,
        *freed_valid, *freed_flits, *free_places, *free_names;
    struct scoreboard packets, target_flits, finds, reads, states;
    struct random_source random;
    struct store_name *names;
    uint32_t *live, live_count;           /* names that were taken and not freed, the oldest first */
    bool finding, reading;                /* since the last cycle */
    uint32_t found_name, walk_name, walk_flit;
    uint64_t uninitialised;               /* cycles since reset */
    uint64_t freed_packets, full_cycles;  /* packets; cycles without a place */
};

/* `prefix`: of the pins ("" or "store_"), also of the scoreboards' names; must outlive the port. `stall`: of both streams and
 * of the frees. */
void store_port_create(struct store_port *port, struct bench *bench, const char *prefix,
                       const struct moehub_packet_store_config *config, enum stall_kind stall);
void store_port_destroy(struct store_port *port);

void store_port_drive(struct store_port *port);
void store_port_sample(struct store_port *port);

void store_port_set_stalls(struct store_port *port, enum stall_kind stall);

/* Nothing is inside, and all places show as free. */
bool store_port_empty(const struct store_port *port);

#endif
