/* SPDX-License-Identifier: Apache-2.0 */
/* The takers of a crossbar's outputs: each takes copies flit by flit and compares them, whole, with what the model says
 * comes next of the input that the copy's SOURCE names. Copies come as packet streams (WITH_IDS 1, crossbar_streams.c) or as
 * rows that nothing holds up once they are granted (WITH_IDS 0, crossbar_rows.c). */
#ifndef BENCH_CROSSBAR_OUTPUTS_H
#define BENCH_CROSSBAR_OUTPUTS_H

#include "bench/switch/crossbar_waits.h"
#include "kit/bus.h"
#include "kit/histogram.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"

struct crossbar_output {
    struct stall stall;
    bool held;                /* takes nothing: by the scenario */
    uint64_t starved_until;   /* takes no new packet before this cycle: as a link without credits */
    struct moehub_crossbar_copy copy; /* the one that is being taken */
    uint64_t announced;       /* its number of flits, as offered */
    bool waiting;             /* valid && !ready at the last edge */
    uint64_t kept[4];         /* what has to stay then: data, last, flits */
    bool had_room;            /* room was high in the last cycle */
    uint64_t granted;         /* copies granted whose first row has not come */
    /* since crossbar_outputs_mark: */
    uint64_t flits, copies;   /* taken */
    uint64_t first_flit, last_flit; /* cycles */
    uint64_t first_grant;     /* cycle */
    uint64_t offered;         /* first cycle in which a flit was there */
};

struct crossbar_outputs {
    struct bench *bench;
    struct moehub_crossbar *model;
    struct crossbar_waits *waits;
    struct crossbar_output *ports;
    unsigned count;
    bool rows;                /* WITH_IDS 0 */
    struct bus valid, ready, data, last, flits; /* of rows, `ready` is room and `flits` the number */
    struct bus granted;
    struct scoreboard copies;
    struct random_source random;
    bool starving;            /* now and then an output takes nothing for long */
    uint64_t moved;           /* cycle of the last transfer */
};

void crossbar_outputs_create(struct crossbar_outputs *outputs, struct bench *bench, const struct crossbar_config *config,
                             struct moehub_crossbar *model, struct crossbar_waits *waits);
void crossbar_outputs_destroy(struct crossbar_outputs *outputs);

void crossbar_outputs_stall(struct crossbar_outputs *outputs, enum stall_kind stall, bool starving);
void crossbar_outputs_hold(struct crossbar_outputs *outputs, uint64_t held);

/* Steps 1 and 3 of a cycle. */
void crossbar_outputs_drive(struct crossbar_outputs *outputs);
void crossbar_outputs_sample(struct crossbar_outputs *outputs);

/* After a reset. */
void crossbar_outputs_forget(struct crossbar_outputs *outputs);

/* Starts the measurements of all outputs. */
void crossbar_outputs_mark(struct crossbar_outputs *outputs);

/* ---- what the two kinds share and have each ---- */

/* A flit of the copy that an output is taking; `last`: it is whole, and compared. */
void crossbar_outputs_take(struct crossbar_outputs *outputs, unsigned port, const uint64_t data[2], bool last);

void crossbar_streams_create(struct crossbar_outputs *outputs);
void crossbar_streams_sample(struct crossbar_outputs *outputs);
void crossbar_rows_create(struct crossbar_outputs *outputs);
void crossbar_rows_sample(struct crossbar_outputs *outputs);

#endif
