/* SPDX-License-Identifier: Apache-2.0 */
/* A bench: the design, its clock, its options, and how it ends.
 *
 * One cycle, always in this order:
 *   1. drive   every driver sets its inputs for the cycle (the outputs already show the state after the last edge)
 *   2. bench_settle()   clock low: combinational outputs follow the inputs; all pins now hold what the edge will see
 *   3. sample  every driver looks at valid and ready, and takes or checks what is transferred at the coming edge
 *   4. bench_tick()     rising edge
 *
 *     struct bench bench;
 *     bench_create(&bench, argc, argv, &defaults, knobs);
 *     bench.step = step; bench.context = &mine;      // step() does 1..4 once, for everything that the bench has
 *     bench_reset(&bench, 4);
 *     while (bench_running(&bench)) step(&mine);
 *     return bench_finish(&bench);
 *
 * Rules of reset: `bench.reset` is the value of the pin rst in this cycle; transfers in such a cycle do not count.
 * `bench.quiet` is true in a cycle that follows an edge with rst high: there every valid and ready of the design is low. */
#ifndef KIT_BENCH_H
#define KIT_BENCH_H

#include "kit/dut.h"
#include "kit/event_ring.h"
#include "kit/options.h"
#include "kit/random.h"
#include "kit/summary.h"
#include "kit/watchdog.h"

struct bench {
    struct options options;
    struct dut *dut;
    const struct pin *clk, *rst;
    uint64_t random_seed; /* of the streams of randomness: --seed, or another one of each part */
    const char *pin_prefix; /* put before the names that bench_pin looks up; NULL: none. For a top of several blocks */
    uint64_t cycle; /* number of the present cycle, from 0 */
    bool reset;
    bool quiet;
    uint64_t compared; /* events, over all scoreboards */
    struct event_ring events;
    struct watchdog watchdog;
    struct summary summary;
    struct recorder *recorder; /* NULL unless --record */
    void (*step)(void *context);
    void *context;
};

/* Reads the options, prints seed and repeat command, creates the design with its random start. Ends the program on an error. */
void bench_create(struct bench *bench, int argc, char **argv, const struct options_defaults *defaults,
                  const struct knob *knobs);

/* A further design of the same run (kit/dut.h, NAME.models): number 1 .. of its parts. It has the run's options, randomness of
 * its own, clock, pins and watchdog, and nothing that the end of a run prints: `bench_destroy_part` releases it. Its waveform
 * is FILE with the number before the suffix. */
void bench_create_part(struct bench *part, const struct bench *whole, const struct dut_model *model, unsigned number);
void bench_destroy_part(struct bench *part);

/* Steps 2 and 4 of a cycle. */
void bench_settle(struct bench *bench);
void bench_tick(struct bench *bench);

/* Sets rst for the coming cycles; bench_reset holds it for `cycles` steps and lets go. */
void bench_set_reset(struct bench *bench, bool reset);
void bench_reset(struct bench *bench, unsigned cycles);

/* Steps `cycles` times. */
void bench_run(struct bench *bench, uint64_t cycles);

/* True until --cycles are over or --events events are compared. */
bool bench_running(const struct bench *bench);

/* The pin of that name; a missing one ends the program with status 2 and its name. */
const struct pin *bench_pin(const struct bench *bench, const char *name);
/* The pin, or NULL where the design may lack it. */
const struct pin *bench_optional_pin(const struct bench *bench, const char *name);

/* A named sub-stream of the run's randomness. */
void bench_random(const struct bench *bench, struct random_source *random, const char *name);

/* Ends the run: prints what is wrong, seed, cycle, last events and the command that repeats it with waves, writes the
 * summary, exits with `status`. */
_Noreturn void bench_fail(struct bench *bench, enum bench_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same without the text, when the caller has printed its own report to stderr. */
_Noreturn void bench_end(struct bench *bench, enum bench_status status);

/* Checks what is left (expected events that never came, blocks that compared nothing), prints the summary and the verdict
 * line, releases the design, returns the exit status. */
int bench_finish(struct bench *bench);

#endif
