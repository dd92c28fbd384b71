/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of every bench: the common options below plus the bench's own knobs.
 *
 *   --seed N|random   all randomness of the run (default 1)        --fault NAME   a deliberate bug (fault builds only)
 *   --events N        stop after N compared events                 --waves FILE   FST waveform (waves builds only)
 *   --cycles N        stop after N cycles                          --from N --to N   its cycles
 *   --watchdog N      cycles without progress that are a deadlock  --json FILE    the summary
 *   --record FILE     the input pins of every cycle, for replay.v  --list-faults
 *   --mutant N        one of the mutations of `make mutate` (mutant builds only)
 *
 * Wrong usage ends the program with status 2. */
#ifndef KIT_OPTIONS_H
#define KIT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Exit status of every bench. */
enum bench_status {
    BENCH_PASS = 0,
    BENCH_MISMATCH = 1,
    BENCH_CONFIGURATION = 2,
    BENCH_TIMEOUT = 3,
    BENCH_NOTHING_COMPARED = 4,
};

/* A bench's own option, --name VALUE. Exactly one of `number` and `text` is set; it holds the default beforehand. */
struct knob {
    const char *name;
    const char *help;
    int64_t *number;
    int64_t minimum, maximum;
    const char **text;
};

struct options {
    const char *bench;  /* name and configuration, as built */
    const char *config;
    uint64_t seed;
    uint64_t events;
    uint64_t cycles;
    uint64_t watchdog;
    uint64_t from, to;
    const char *fault_name; /* NULL: none */
    unsigned fault;
    uint64_t mutant; /* 0: none */
    const char *waves;
    const char *json;
    const char *record;
    int argc;
    char **argv;
};

struct options_defaults {
    const char *description; /* one sentence for --help */
    const char *own_end;     /* NULL, or: the run has an end of its own, --events and --cycles are refused with this advice */
    uint64_t events;
    uint64_t cycles;
    uint64_t watchdog;
};

/* Fills `options` from the command line. `knobs` ends with a NULL name; NULL for none. Does not return on an error. */
void options_parse(struct options *options, int argc, char **argv, const struct options_defaults *defaults,
                   const struct knob *knobs);

/* The exact command that repeats this run, seed included, written to `text`. */
void options_command(const struct options *options, char *text, size_t size);

/* The exact command that repeats this run with a waveform of the cycles from..to, written to `text`. */
void options_repeat_command(const struct options *options, uint64_t from, uint64_t to, char *text, size_t size);

#endif
