/* SPDX-License-Identifier: Apache-2.0 */
/* Packet queue against the ring that its page describes: packets of every length, kept and rejected, ended at once, late, or as
 * the next begins; taken, read and freed in their order, the last flit read with the free; full; full rate; resets in traffic. */
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"

#include <string.h>

enum { PLACES_MOST = 8191, LONGEST = 17, RUN = 50 };

struct flit {
    uint64_t half[2];
};

struct queue_bench {
    struct bench bench;
    const struct pin *space, *write_valid, *write_first, *write_data, *end_valid, *end_good, *packet_there, *take, *read_valid,
        *read_place, *read_data, *free_valid, *free_flits, *freed_valid, *freed_flits, *free_places, *ended_flits;
    struct scoreboard reads, states;
    struct random_source random;
    struct stall writes, takes, pauses;
    uint32_t places;
    bool full_rate;                        /* packets are kept and ended at once, read and freed without a pause */
    /* what the page says: the ring, and the packets in it */
    struct flit ring[PLACES_MOST];
    uint8_t lengths[PLACES_MOST];          /* of whole packets, oldest first, as a ring */
    uint32_t oldest, whole, taken;
    uint32_t head, head_read;              /* the oldest packet's first place; its flits that were read */
    uint32_t next, start, begun;           /* the open packet: where it goes on, where it began, its flits */
    uint32_t used;
    uint32_t freed_now, freed_next;        /* places that come free in this cycle, in the next one */
    bool freed_valid_now, freed_valid_next;
    /* the packet being written */
    uint32_t flits;                        /* 0: none */
    uint32_t longest;                      /* of a run of packets: 1, so that the queue holds many, or all */
    uint32_t ended;                        /* flits of the packet that ends in this cycle; 0: none */
    bool good;
    bool pausing;                          /* nothing is read any more */
    bool reading;                          /* a read was asked for in the last cycle */
    uint64_t kept, rejected, ended_with_first, freed_with_read, full, met_both, written;
};

static const struct field read_fields[] = {{"data", 128}};
static const struct field state_fields[] = {{"space", 1}, {"packet_there", 1}, {"freed_valid", 1}, {"freed_flits", 6},
                                            {"free_places", 13}};
enum { STATES = sizeof state_fields / sizeof *state_fields };

static uint32_t after(const struct queue_bench *self, uint32_t place, uint32_t steps)
{
    return (place + steps) % self->places;
}

/* ---- the end that writes ------------------------------------------------------------------------------------------------- */

static void plan_packet(struct queue_bench *self)
{
    const uint32_t most = self->places < LONGEST ? self->places : LONGEST;
    if (self->longest == 0 || random_chance(&self->random, 1, RUN))
        self->longest = random_chance(&self->random, 1, 2) ? 1 : most;
    self->flits = (uint32_t)random_range(&self->random, 1, self->longest);
    self->good = self->full_rate || random_chance(&self->random, 3, 4);
    self->begun = 0;
}

static void end_packet(struct queue_bench *self, uint32_t *freed)
{
    self->ended = self->begun;
    if (self->good) {
        self->lengths[(self->oldest + self->whole) % self->places] = (uint8_t)self->begun;
        self->whole++;
        self->kept++;
    } else {
        *freed += self->begun;
        self->freed_valid_next = true;
        self->next = self->start;
        self->rejected++;
    }
    self->flits = 0;
}

static void write_flit(struct queue_bench *self)
{
    const struct flit flit = {{random_next(&self->random), random_next(&self->random)}};
    pin_set_words(self->write_data, flit.half);
    pin_set(self->write_first, self->begun == 0);
    if (self->begun == 0)
        self->start = self->next;
    self->ring[self->next] = flit;
    self->next = after(self, self->next, 1);
    self->begun++;
    self->used++;
    self->written++;
}

static void drive_writer(struct queue_bench *self, uint32_t *freed)
{
    const bool room = self->used < self->places && !self->bench.reset;
    const bool write = room && !stall_next(&self->writes);
    const bool whole = self->flits > 0 && self->begun == self->flits && !self->bench.reset;
    const bool end = whole && (self->full_rate || write || random_chance(&self->random, 1, 2));
    pin_set(self->end_valid, end);
    pin_set(self->end_good, self->good);
    if (end)
        end_packet(self, freed);
    self->ended_with_first += end && write;
    if (self->flits == 0)
        plan_packet(self);
    const bool goes = write && self->begun < self->flits;
    pin_set(self->write_valid, goes);
    if (goes)
        write_flit(self);
    else
        pin_set(self->write_first, random_chance(&self->random, 1, 2));
}

/* ---- the end that reads: one packet after the other, whole ones only ------------------------------------------------------- */

static void drive_free(struct queue_bench *self, uint32_t flits, uint32_t *freed)
{
    pin_set(self->free_valid, flits > 0);
    pin_set(self->free_flits, flits > 0 ? flits : random_below(&self->random, 32));
    if (flits == 0)
        return;
    *freed += flits;
    self->freed_valid_next = true;
    self->head = after(self, self->head, flits);
    self->head_read = 0;
    self->oldest = after(self, self->oldest, 1);
    self->whole--;
    self->taken--;
}

static void drive_reader(struct queue_bench *self, uint32_t whole, uint32_t *freed)
{
    uint32_t free_flits = 0;
    const bool has = self->taken > 0 && !self->bench.reset;
    const uint32_t length = has ? self->lengths[self->oldest] : 0;
    const bool read = has && self->head_read < length && !self->pausing && !stall_next(&self->pauses);
    const uint32_t any = (uint32_t)random_below(&self->random, self->places);
    const uint32_t place = read ? after(self, self->head, self->head_read) : any;
    pin_set(self->read_valid, read);
    pin_set(self->read_place, place);
    if (read) {
        scoreboard_expect(&self->reads, 0, self->ring[place].half);
        self->head_read++;
    }
    if (has && self->head_read == length && (self->full_rate || random_chance(&self->random, 1, 2)))
        free_flits = length;
    self->freed_with_read += free_flits > 0 && read;
    self->reading = read;
    const bool take = whole > self->taken && !self->bench.reset && !stall_next(&self->takes);
    drive_free(self, free_flits, freed);
    pin_set(self->take, take);
    self->taken += take;
}

/* ---- one cycle ------------------------------------------------------------------------------------------------------------- */

static void expect_state(struct queue_bench *self)
{
    const uint64_t state[STATES] = {self->used < self->places, self->whole > self->taken, self->freed_valid_now,
                                    self->freed_valid_now ? self->freed_now : 0, self->places - self->used};
    scoreboard_expect(&self->states, 0, state);
    self->full += self->used == self->places;
}

static void check_state(struct queue_bench *self)
{
    const bool freed = pin_get(self->freed_valid) != 0;
    const uint64_t state[STATES] = {pin_get(self->space), pin_get(self->packet_there), freed,
                                    freed ? pin_get(self->freed_flits) : 0, pin_get(self->free_places)};
    scoreboard_check(&self->states, 0, state);
}

static void forget(struct queue_bench *self)
{
    scoreboard_forget(&self->reads);
    scoreboard_forget(&self->states);
    self->oldest = self->whole = self->taken = self->head = self->head_read = self->next = self->start = self->used = 0;
    self->flits = self->begun = self->freed_now = self->freed_next = 0;
    self->freed_valid_now = self->freed_valid_next = self->reading = false;
}

static void step(void *context)
{
    struct queue_bench *self = context;
    const bool was_reading = self->reading;
    const uint32_t whole = self->whole;
    uint32_t freed = 0;
    if (self->bench.reset)
        forget(self);
    else
        expect_state(self);
    const bool freed_valid = self->freed_valid_next;
    self->freed_valid_next = false;
    self->ended = 0;
    drive_writer(self, &freed);
    const uint32_t of_writer = freed;
    drive_reader(self, whole, &freed);
    self->met_both += of_writer > 0 && freed > of_writer;
    self->used -= self->freed_next;
    self->freed_now = self->freed_next;
    self->freed_valid_now = freed_valid;
    self->freed_next = freed;
    bench_settle(&self->bench);
    if (!self->bench.reset) {
        check_state(self);
        if (self->ended > 0)
            scoreboard_value(&self->states, "flits of the packet that ends", self->ended, pin_get(self->ended_flits));
        if (was_reading) {
            uint64_t data[2];
            pin_get_words(self->read_data, data);
            scoreboard_check(&self->reads, 0, data);
        }
    }
    bench_tick(&self->bench);
}

/* ---- the run ------------------------------------------------------------------------------------------------------------- */

static void set_stalls(struct queue_bench *self, enum stall_kind writes, enum stall_kind reads)
{
    self->writes.kind = self->writes.now = writes;
    self->takes.kind = self->takes.now = self->pauses.kind = self->pauses.now = reads;
}

/* A flit in and a flit out in every cycle. */
static void check_rate(struct queue_bench *self)
{
    enum { CYCLES = 1000, WARM = 100 };
    if (self->places < 2 * LONGEST + 4)
        return;
    self->full_rate = true;
    set_stalls(self, STALL_NONE, STALL_NONE);
    bench_run(&self->bench, WARM);
    const uint64_t written = self->written;
    bench_run(&self->bench, CYCLES);
    scoreboard_value(&self->states, "flits written without stalls", CYCLES, self->written - written);
    self->full_rate = false;
}

static void check_covered(struct queue_bench *self)
{
    summary_number(&self->bench.summary, "kept", (double)self->kept, "packets");
    summary_number(&self->bench.summary, "rejected", (double)self->rejected, "packets");
    summary_number(&self->bench.summary, "full", (double)self->full, "cycles");
    if (self->kept == 0 || self->rejected == 0 || self->full == 0 || self->freed_with_read == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED,
                   "NOT COVERED: no packet was kept, rejected, or freed with the read of its last flit, or it was never full");
    if (self->places > 1 && (self->ended_with_first == 0 || self->met_both == 0))
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED,
                   "NOT COVERED: no packet ended as the next one began, or none was freed as another one was rejected");
}

static void find_pins(struct queue_bench *self)
{
    struct bench *bench = &self->bench;
    self->space = bench_pin(bench, "space");
    self->write_valid = bench_pin(bench, "write_valid");
    self->write_first = bench_pin(bench, "write_first");
    self->write_data = bench_pin(bench, "write_data");
    self->end_valid = bench_pin(bench, "end_valid");
    self->end_good = bench_pin(bench, "end_good");
    self->packet_there = bench_pin(bench, "packet_there");
    self->take = bench_pin(bench, "take");
    self->read_valid = bench_pin(bench, "read_valid");
    self->read_place = bench_pin(bench, "read_place");
    self->read_data = bench_pin(bench, "read_data");
    self->free_valid = bench_pin(bench, "free_valid");
    self->free_flits = bench_pin(bench, "free_flits");
    self->freed_valid = bench_pin(bench, "freed_valid");
    self->freed_flits = bench_pin(bench, "freed_flits");
    self->free_places = bench_pin(bench, "free_places");
    self->ended_flits = bench_pin(bench, "ended_flits");
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Packet queue against its page", .events = 300000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct queue_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    self.places = 2048;
    const struct parameter parameters[] = {{.name = "PLACES", .value = &self.places}};
    parameters_read(dut_description(), "", NULL, parameters, 1);
    find_pins(&self);
    scoreboard_create(&self.reads, bench, "reads", read_fields, 1, 1, 4);
    scoreboard_create(&self.states, bench, "states", state_fields, STATES, 1, 4);
    bench_random(bench, &self.random, "packets");
    stall_init(&self.writes, STALL_MIXED, bench->options.seed, "writes");
    stall_init(&self.takes, STALL_MIXED, bench->options.seed, "takes");
    stall_init(&self.pauses, STALL_MIXED, bench->options.seed, "pauses");
    bench->step = step;
    bench->context = &self;
    bench_reset(bench, 2);
    check_rate(&self);
    set_stalls(&self, STALL_NONE, STALL_HEAVY);
    bench_run(bench, 3 * self.places + 200);
    while (bench_running(bench)) {
        static const enum stall_kind kinds[] = {STALL_MIXED, STALL_HEAVY, STALL_NONE, STALL_LIGHT};
        set_stalls(&self, kinds[random_below(&self.random, 4)], kinds[random_below(&self.random, 4)]);
        bench_run(bench, random_range(&self.random, 500, 3000));
        if (random_chance(&self.random, 1, 4))
            bench_reset(bench, (unsigned)random_range(&self.random, 1, 3));
    }
    self.pausing = true;
    bench_run(bench, 2);
    check_covered(&self);
    const int status = bench_finish(bench);
    scoreboard_destroy(&self.reads);
    scoreboard_destroy(&self.states);
    return status;
}
