/* SPDX-License-Identifier: Apache-2.0 */
#include "kit/scoreboard.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct scoreboard_queue {
    uint64_t head, tail; /* expectations compared, expected: tail - head wait */
};

/* In storage an expectation is its cycle, then its item. */
static unsigned slot_words(const struct scoreboard *scoreboard)
{
    return scoreboard->table.words + 1;
}

static uint64_t *slot_of(const struct scoreboard *scoreboard, unsigned port, uint64_t number)
{
    uint64_t slot = (uint64_t)port * scoreboard->depth + number % scoreboard->depth;
    return scoreboard->storage + slot * slot_words(scoreboard);
}

static uint64_t expected_since(const struct scoreboard *scoreboard, unsigned port)
{
    return slot_of(scoreboard, port, scoreboard->queues[port].head)[0];
}

static bool has_waiting(const struct scoreboard *scoreboard, unsigned port)
{
    return scoreboard->queues[port].head != scoreboard->queues[port].tail;
}

/* Names the event that has been expected longest. */
static bool scoreboard_waits(const void *self, struct watchdog_wait *wait)
{
    const struct scoreboard *scoreboard = self;
    unsigned oldest = scoreboard->ports;
    for (unsigned port = 0; scoreboard->waiting > 0 && port < scoreboard->ports; port++)
        if (has_waiting(scoreboard, port) &&
            (oldest == scoreboard->ports || expected_since(scoreboard, port) < expected_since(scoreboard, oldest)))
            oldest = port;
    if (oldest == scoreboard->ports)
        return false;
    const uint64_t since = expected_since(scoreboard, oldest);
    wait->still_since = since > scoreboard->moved ? since : scoreboard->moved;
    snprintf(wait->text, sizeof wait->text,
             "%s port %u: event #%" PRIu64 " expected since cycle %" PRIu64 ", the oldest of %" PRIu64
             "; the last event of any port was in cycle %" PRIu64,
             scoreboard->block.name, oldest, scoreboard->queues[oldest].head, since, scoreboard->waiting, scoreboard->moved);
    return true;
}

/* The end of the run: what was expected must have come. */
static void report_missing(void *owner)
{
    struct scoreboard *scoreboard = owner;
    for (unsigned port = 0; port < scoreboard->ports; port++) {
        const struct scoreboard_queue *queue = &scoreboard->queues[port];
        if (!has_waiting(scoreboard, port))
            continue;
        const uint64_t *slot = slot_of(scoreboard, port, queue->head);
        fprintf(stderr, "\n%s port %u: %" PRIu64 " expected events never came, the first, #%" PRIu64
                ", since cycle %" PRIu64 ": ",
                scoreboard->block.name, port, queue->tail - queue->head, queue->head, slot[0]);
        field_table_print(stderr, &scoreboard->table, slot + 1);
        bench_fail(scoreboard->bench, BENCH_MISMATCH, "events are missing");
    }
}

void scoreboard_create_for(struct scoreboard *scoreboard, struct bench *bench, const char *block,
                           const struct field_table *table, unsigned ports, unsigned depth)
{
    *scoreboard = (struct scoreboard){.bench = bench, .table = *table, .ports = ports, .depth = depth};
    scoreboard->queues = calloc(ports, sizeof *scoreboard->queues);
    scoreboard->storage = calloc((size_t)ports * depth, slot_words(scoreboard) * sizeof *scoreboard->storage);
    if (scoreboard->queues == NULL || scoreboard->storage == NULL)
        bench_fail(bench, BENCH_CONFIGURATION, "%s: out of memory", block);
    scoreboard->block = (struct summary_block){.name = block, .end = report_missing, .owner = scoreboard};
    summary_add_block(&bench->summary, &scoreboard->block);
    watchdog_add(&bench->watchdog, scoreboard_waits, scoreboard);
}

void scoreboard_create(struct scoreboard *scoreboard, struct bench *bench, const char *block, const struct field *fields,
                       unsigned field_count, unsigned ports, unsigned depth)
{
    struct field_table table = {0};
    for (unsigned i = 0; i < field_count; i++)
        field_table_add(&table, fields[i].name, fields[i].bits);
    scoreboard_create_for(scoreboard, bench, block, &table, ports, depth);
}

void scoreboard_destroy(struct scoreboard *scoreboard)
{
    free(scoreboard->queues);
    free(scoreboard->storage);
    free(scoreboard->latency);
    *scoreboard = (struct scoreboard){0};
}

void scoreboard_measure_latency(struct scoreboard *scoreboard)
{
    scoreboard->latency = calloc(1, sizeof *scoreboard->latency);
    if (scoreboard->latency == NULL)
        bench_fail(scoreboard->bench, BENCH_CONFIGURATION, "%s: out of memory", scoreboard->block.name);
}

static struct scoreboard_queue *queue_of(struct scoreboard *scoreboard, unsigned port)
{
    if (port >= scoreboard->ports)
        bench_fail(scoreboard->bench, BENCH_MISMATCH, "%s: port %u, there are only %u", scoreboard->block.name, port,
                   scoreboard->ports);
    return &scoreboard->queues[port];
}

void scoreboard_expect(struct scoreboard *scoreboard, unsigned port, const uint64_t *item)
{
    struct scoreboard_queue *queue = queue_of(scoreboard, port);
    if (queue->tail - queue->head == scoreboard->depth)
        bench_fail(scoreboard->bench, BENCH_TIMEOUT,
                   "DEADLOCK: %s port %u: %u events wait for the design, the first, #%" PRIu64 ", since cycle %" PRIu64
                   " (or the bench gives this scoreboard too little depth)",
                   scoreboard->block.name, port, scoreboard->depth, queue->head, slot_of(scoreboard, port, queue->head)[0]);
    uint64_t *slot = slot_of(scoreboard, port, queue->tail++);
    slot[0] = scoreboard->bench->cycle;
    memcpy(slot + 1, item, scoreboard->table.words * sizeof *item);
    scoreboard->expected++;
    scoreboard->waiting++;
}

/* Both values by field, the differing ones marked. */
static void print_difference(const struct scoreboard *scoreboard, const uint64_t *expected, const uint64_t *got)
{
    for (unsigned i = 0; i < scoreboard->table.count; i++) {
        const struct field *field = &scoreboard->table.fields[i];
        unsigned first = scoreboard->table.first_word[i];
        bool differs = memcmp(expected + first, got + first, field_words(field->bits) * sizeof *got) != 0;
        fprintf(stderr, "  %c %-16s expected ", differs ? '*' : ' ', field->name);
        field_print(stderr, field, expected + first);
        fprintf(stderr, "  got ");
        field_print(stderr, field, got + first);
        fputc('\n', stderr);
    }
}

static _Noreturn void fail(struct scoreboard *scoreboard, unsigned port, uint64_t number, const uint64_t *expected,
                           const uint64_t *got)
{
    struct bench *bench = scoreboard->bench;
    scoreboard->block.mismatches++;
    fflush(stdout);
    fprintf(stderr, "\nMISMATCH: %s %s, seed %" PRIu64 ", cycle %" PRIu64 ", block %s, port %u, event #%" PRIu64 "\n",
            bench->options.bench, bench->options.config, bench->options.seed, bench->cycle, scoreboard->block.name, port, number);
    if (expected != NULL) {
        print_difference(scoreboard, expected, got);
    } else {
        fprintf(stderr, "  nothing is expected there, got ");
        field_table_print(stderr, &scoreboard->table, got);
        fputc('\n', stderr);
    }
    bench_end(bench, BENCH_MISMATCH);
}

void scoreboard_check(struct scoreboard *scoreboard, unsigned port, const uint64_t *item)
{
    struct scoreboard_queue *queue = queue_of(scoreboard, port);
    struct bench *bench = scoreboard->bench;
    event_ring_add(&bench->events, scoreboard->block.name, &scoreboard->table, bench->cycle, queue->head, port, item);
    if (queue->head == queue->tail)
        fail(scoreboard, port, queue->head, NULL, item);
    const uint64_t *slot = slot_of(scoreboard, port, queue->head);
    if (memcmp(slot + 1, item, scoreboard->table.words * sizeof *item) != 0)
        fail(scoreboard, port, queue->head, slot + 1, item);
    if (scoreboard->latency != NULL)
        histogram_add(scoreboard->latency, bench->cycle - slot[0]);
    queue->head++;
    scoreboard->moved = bench->cycle;
    scoreboard->waiting--;
    scoreboard->block.compared++;
    bench->compared++;
}

void scoreboard_forget(struct scoreboard *scoreboard)
{
    for (unsigned port = 0; port < scoreboard->ports; port++)
        scoreboard->queues[port].head = scoreboard->queues[port].tail;
    scoreboard->waiting = 0;
}

void scoreboard_value(struct scoreboard *scoreboard, const char *name, uint64_t expected, uint64_t got)
{
    if (expected != got)
        bench_fail(scoreboard->bench, BENCH_MISMATCH,
                   "block %s: %s expected 0x%" PRIx64 " (%" PRIu64 "), got 0x%" PRIx64 " (%" PRIu64 ")",
                   scoreboard->block.name, name, expected, expected, got, got);
    scoreboard->block.compared++;
    scoreboard->bench->compared++;
}
