/* SPDX-License-Identifier: Apache-2.0 */
/* Compares what the design does with what the model expects, event by event: in order per port, ports in any order.
 *
 * The first difference ends the run (status 1) with seed, cycle, block, port, event number, both values by field in
 * hexadecimal and decimal, the last events, and the command that repeats it with a waveform.
 * Expectations that never come (bench_finish) are a mismatch too; a scoreboard that compared nothing is status 4. */
#ifndef KIT_SCOREBOARD_H
#define KIT_SCOREBOARD_H

#include "kit/bench.h"
#include "kit/field.h"
#include "kit/histogram.h"

struct scoreboard_queue; /* per port, private */

struct scoreboard {
    struct bench *bench;
    struct summary_block block; /* its name and counts; block.may_be_empty: set it where a run may have no such event */
    struct field_table table;
    struct scoreboard_queue *queues;
    uint64_t *storage;
    unsigned ports;
    unsigned depth; /* expectations a port can hold */
    uint64_t expected;
    uint64_t waiting;          /* expected and not yet compared */
    uint64_t moved;            /* cycle of the last event compared */
    struct histogram *latency; /* cycles from expectation to event, NULL unless asked for */
};

/* `depth`: expectations that a port may hold at once, more than a working design leaves open: one more is a deadlock
 * (status 3). All memory is allocated here. */
void scoreboard_create(struct scoreboard *scoreboard, struct bench *bench, const char *block, const struct field *fields,
                       unsigned field_count, unsigned ports, unsigned depth);
/* The same fields as a stream's payload. */
void scoreboard_create_for(struct scoreboard *scoreboard, struct bench *bench, const char *block,
                           const struct field_table *table, unsigned ports, unsigned depth);
void scoreboard_destroy(struct scoreboard *scoreboard);

/* Collects the cycles between expectation and event. */
void scoreboard_measure_latency(struct scoreboard *scoreboard);

/* The model says that `item` is the port's next event after those already expected. */
void scoreboard_expect(struct scoreboard *scoreboard, unsigned port, const uint64_t *item);

/* The design did `item`. Does not return on a difference, nor when nothing is expected. */
void scoreboard_check(struct scoreboard *scoreboard, unsigned port, const uint64_t *item);

/* Forgets what is expected: after a reset in mid-traffic. */
void scoreboard_forget(struct scoreboard *scoreboard);

/* Compares one value of the end state, for example a counter; counts as an event of the block. */
void scoreboard_value(struct scoreboard *scoreboard, const char *name, uint64_t expected, uint64_t got);

#endif
