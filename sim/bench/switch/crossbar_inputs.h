/* SPDX-License-Identifier: Apache-2.0 */
/* The receivers before a crossbar's stores: each writes packets flit by flit, ends them good or bad, and keeps the account of
 * the places that its store has free. A packet is begun only when there are places for all of it, as a sender with credits
 * does, so that `space` has to be high for each of its flits. */
#ifndef BENCH_CROSSBAR_INPUTS_H
#define BENCH_CROSSBAR_INPUTS_H

#include "bench/switch/crossbar_waits.h"
#include "kit/bus.h"
#include "kit/stall.h"

/* Events of an input: MOEHUB_CROSSBAR_EVENT_* of rtl/include/moehub_crossbar.vh. */
enum crossbar_event {
    CROSSBAR_PASSES,
    CROSSBAR_JOINS,
    CROSSBAR_REFUSED,
    CROSSBAR_RECORD_WAITS,
    CROSSBAR_TARGET_READS,
    CROSSBAR_EVENTS
};

/* Where packets come from. */
struct crossbar_stimulus {
    void *self;
    /* The next packet of an input, of at most `places` flits; false: none in this cycle. */
    bool (*next)(void *self, unsigned input, unsigned places, struct crossbar_packet *packet);
    /* The store says that places came free; NULL: it is not asked for. */
    void (*freed)(void *self, unsigned input, unsigned flits);
};

struct crossbar_input {
    struct stall stall;
    struct crossbar_packet packet;
    unsigned sent;            /* its flits that are written */
    bool sending;
    bool ending;              /* all are, and `end` is to come */
    bool writes, ends;        /* in this cycle */
    struct crossbar_packet ended; /* the packet that `end` is about */
    uint64_t places;          /* free */
    uint64_t packets, frees;  /* good ones, and those that the crossbar has freed: since reset */
    uint32_t tag;             /* of the last request, as its copies have it; each has one of its own */
    uint64_t *tags_inside;    /* bit t: the request of tag t is not freed */
    uint64_t last_write;      /* cycle of the last flit of the last packet */
};

struct crossbar_inputs {
    struct bench *bench;
    struct crossbar_config config;
    struct moehub_crossbar *model;
    struct crossbar_waits *waits;
    struct crossbar_stimulus stimulus;
    struct crossbar_input *ports;
    struct bus write_valid, write_first, write_targets, write_data, space;
    struct bus end_valid, end_good, end_mark, end_tag;
    struct bus freed_valid, freed_flits, free_places, free_names, initialised, free_valid, free_tag;
    struct bus events;
    struct random_source random;
    bool late_ends;           /* `end` may wait, until the next packet's first flit at the latest */
    uint64_t rejected;        /* packets, over the whole run */
    uint64_t flits;           /* written, over the whole run */
    uint64_t moved;           /* cycle of the last one */
    uint64_t counts[CROSSBAR_EVENTS]; /* of the crossbar's events, over the whole run */
};

void crossbar_inputs_create(struct crossbar_inputs *inputs, struct bench *bench, const struct crossbar_config *config,
                            struct moehub_crossbar *model, struct crossbar_waits *waits);
void crossbar_inputs_destroy(struct crossbar_inputs *inputs);

void crossbar_inputs_stall(struct crossbar_inputs *inputs, enum stall_kind stall);

/* Steps 1 and 3 of a cycle. */
void crossbar_inputs_drive(struct crossbar_inputs *inputs);
void crossbar_inputs_sample(struct crossbar_inputs *inputs);

/* All stores are. */
bool crossbar_inputs_initialised(const struct crossbar_inputs *inputs);

/* After a reset. */
void crossbar_inputs_forget(struct crossbar_inputs *inputs);

/* No input is within a packet. */
bool crossbar_inputs_idle(const struct crossbar_inputs *inputs);

/* Ends the run unless each packet was freed once and every place and name of every store is free; to be called when all
 * copies have left. */
void crossbar_inputs_demand_free(struct crossbar_inputs *inputs);

#endif
