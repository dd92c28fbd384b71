/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/bench.h"

#include "kit/recorder.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* How much of the past and of the future a repeated run's waveform shows. */
enum { WAVES_BEFORE = 200, WAVES_AFTER = 20 };

static void print_repeat(const struct bench *bench, FILE *out)
{
    char command[4096];
    uint64_t from = bench->cycle > WAVES_BEFORE ? bench->cycle - WAVES_BEFORE : 0;
    options_repeat_command(&bench->options, from, bench->cycle + WAVES_AFTER, command, sizeof command);
    fprintf(out, "repeat with a waveform: %s\n", command);
}

static void release(struct bench *bench)
{
    if (bench->recorder != NULL && !recorder_destroy(bench->recorder))
        fprintf(stderr, "%s: cannot be written\n", bench->options.record);
    bench->recorder = NULL;
    dut_destroy(bench->dut);
    bench->dut = NULL;
    summary_destroy(&bench->summary);
    fflush(stdout);
}

void bench_end(struct bench *bench, enum bench_status status)
{
    if (status == BENCH_MISMATCH || status == BENCH_TIMEOUT) {
        fprintf(stderr, "last events (up to %d):\n", EVENT_RING_SIZE);
        event_ring_print(stderr, &bench->events);
        print_repeat(bench, stderr);
    }
    summary_report(&bench->summary, &bench->options, bench->cycle, (int)status);
    release(bench);
    exit((int)status);
}

void bench_fail(struct bench *bench, enum bench_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "\n%s %s, seed %" PRIu64 ", cycle %" PRIu64 ": ", bench->options.bench, bench->options.config,
            bench->options.seed, bench->cycle);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    bench->summary.violations += status == BENCH_MISMATCH;
    bench_end(bench, status);
}

/* An option that this build cannot honour is an error, never silently ignored. */
static void open_outputs(struct bench *bench)
{
    const struct options *options = &bench->options;
    if (options->fault != 0 && !dut_has_faults())
        bench_fail(bench, BENCH_CONFIGURATION, "--fault %s: this build has no deliberate bugs (use the faults build)",
                   options->fault_name);
    if (options->mutant != 0 && !dut_has_mutants())
        bench_fail(bench, BENCH_CONFIGURATION, "--mutant %" PRIu64 ": this build has no mutations (use `make mutate')",
                   options->mutant);
    if (options->waves != NULL && !dut_trace_open(bench->dut, options->waves))
        bench_fail(bench, BENCH_CONFIGURATION, "--waves %s: no waves in this build (use `make waves'), or not writable",
                   options->waves);
    if (options->record == NULL)
        return;
    bench->recorder = recorder_create(options->record, bench->dut);
    if (bench->recorder == NULL)
        bench_fail(bench, BENCH_CONFIGURATION, "--record %s: %s", options->record, strerror(errno));
}

/* A design of gates alone has no clock. */
static void set_clock(struct bench *bench, uint64_t value)
{
    if (bench->clk != NULL)
        pin_set(bench->clk, value);
}

static void create_design(struct bench *bench, const struct dut_model *model)
{
    char fault[64], mutant[64];
    snprintf(fault, sizeof fault, "+moehub_fault=%u", bench->options.fault);
    snprintf(mutant, sizeof mutant, "+moehub_mutant=%" PRIu64, bench->options.mutant);
    const char *plusargs[] = {fault, mutant};
    bench->dut = dut_create(model, 2, plusargs, random_hash(bench->random_seed, 0));
    summary_create(&bench->summary, &bench->options);
    bench->clk = bench_optional_pin(bench, "clk");
    bench->rst = bench_optional_pin(bench, "rst");
    set_clock(bench, 0);
}

static void settle_first(struct bench *bench)
{
    dut_eval(bench->dut);
    if (dut_finished(bench->dut))
        bench_fail(bench, BENCH_CONFIGURATION, "the design has refused its parameters");
}

void bench_create(struct bench *bench, int argc, char **argv, const struct options_defaults *defaults,
                  const struct knob *knobs)
{
    *bench = (struct bench){0};
    options_parse(&bench->options, argc, argv, defaults, knobs);
    bench->watchdog.limit = bench->options.watchdog;
    char command[4096];
    options_command(&bench->options, command, sizeof command);
    printf("%s %s (%s), seed %" PRIu64 "%s%s\n", bench->options.bench, bench->options.config, dut_description(),
           bench->options.seed, bench->options.fault_name != NULL ? ", fault " : "",
           bench->options.fault_name != NULL ? bench->options.fault_name : "");
    printf("command: %s\n", command);
    bench->random_seed = bench->options.seed;
    create_design(bench, &dut_model_built);
    open_outputs(bench);
    settle_first(bench);
}

/* FILE.fst: FILE-3.fst */
static void open_part_waves(struct bench *part, unsigned number)
{
    char file[4096];
    if (part->options.waves == NULL)
        return;
    const char *suffix = strrchr(part->options.waves, '.');
    const int stem = (int)(suffix != NULL ? (size_t)(suffix - part->options.waves) : strlen(part->options.waves));
    snprintf(file, sizeof file, "%.*s-%u%s", stem, part->options.waves, number, suffix != NULL ? suffix : "");
    if (!dut_trace_open(part->dut, file))
        bench_fail(part, BENCH_CONFIGURATION, "--waves %s: not writable", file);
}

void bench_create_part(struct bench *part, const struct bench *whole, const struct dut_model *model, unsigned number)
{
    *part = (struct bench){.options = whole->options, .random_seed = random_hash(whole->options.seed, number)};
    part->options.json = NULL;
    part->watchdog.limit = whole->watchdog.limit;
    create_design(part, model);
    settle_first(part);
    open_part_waves(part, number);
}

void bench_destroy_part(struct bench *part)
{
    dut_destroy(part->dut);
    summary_destroy(&part->summary);
}

static void dump(struct bench *bench, uint64_t half)
{
    if (bench->options.waves != NULL && bench->cycle >= bench->options.from && bench->cycle <= bench->options.to)
        dut_trace_dump(bench->dut, 2 * bench->cycle + half);
}

void bench_settle(struct bench *bench)
{
    set_clock(bench, 0);
    dut_eval(bench->dut);
    dump(bench, 0);
    if (bench->recorder != NULL)
        recorder_cycle(bench->recorder);
}

void bench_tick(struct bench *bench)
{
    set_clock(bench, 1);
    dut_eval(bench->dut);
    dump(bench, 1);
    bench->quiet = bench->reset;
    bench->cycle++;
    if (bench->cycle % WATCHDOG_PERIOD == 0 && watchdog_check(&bench->watchdog, bench->cycle) > 0)
        bench_fail(bench, BENCH_TIMEOUT, "no progress");
}

void bench_set_reset(struct bench *bench, bool reset)
{
    bench->reset = reset;
    if (bench->rst != NULL)
        pin_set(bench->rst, reset);
}

void bench_run(struct bench *bench, uint64_t cycles)
{
    for (uint64_t i = 0; i < cycles; i++)
        bench->step(bench->context);
}

void bench_reset(struct bench *bench, unsigned cycles)
{
    bench_set_reset(bench, true);
    bench_run(bench, cycles);
    bench_set_reset(bench, false);
}

bool bench_running(const struct bench *bench)
{
    return bench->cycle < bench->options.cycles && bench->compared < bench->options.events;
}

const struct pin *bench_optional_pin(const struct bench *bench, const char *name)
{
    char full[128];
    snprintf(full, sizeof full, "%s%s", bench->pin_prefix != NULL ? bench->pin_prefix : "", name);
    return dut_pin(bench->dut, full);
}

const struct pin *bench_pin(const struct bench *bench, const char *name)
{
    const struct pin *pin = bench_optional_pin(bench, name);
    if (pin == NULL) {
        fprintf(stderr, "%s %s: the design has no pin %s%s\n", bench->options.bench, bench->options.config,
                bench->pin_prefix != NULL ? bench->pin_prefix : "", name);
        exit(BENCH_CONFIGURATION);
    }
    return pin;
}

void bench_random(const struct bench *bench, struct random_source *random, const char *name)
{
    random_init(random, bench->random_seed, name);
}

int bench_finish(struct bench *bench)
{
    summary_end_blocks(&bench->summary);
    const bool empty = summary_print_empty(&bench->summary);
    enum bench_status status = empty || bench->compared == 0 ? BENCH_NOTHING_COMPARED : BENCH_PASS;
    if (!summary_report(&bench->summary, &bench->options, bench->cycle, (int)status) && status == BENCH_PASS)
        status = BENCH_CONFIGURATION; /* a result that nobody can read */
    release(bench);
    return (int)status;
}
