/* SPDX-License-Identifier: Apache-2.0 */
/* Packet store against the C model: packets of every length, kept and rejected, ended at once, late, or as the next begins;
 * freed in any order; looked for and read in between; the target queue; full rate; stores that are full, with all names given
 * among them; resets in traffic. */
#include "bench/common/store_port.h"
#include "kit/parameters.h"

#include <string.h>

static const struct field place_fields[] = {{"place legal", 1}};

struct store_bench {
    struct bench bench;
    struct store_port port;
    const struct pin *write_valid, *write_first, *write_targets, *write_data, *end_valid, *end_good, *end_mark,
        *packet_place;
    struct scoreboard places;
    struct random_source random;
    struct stall writes;
    /* the packet that is written */
    unsigned flits, written; /* all written: it waits for its end */
    unsigned target_flits;
    bool good;
    bool only_shortest;      /* shortest packets, all kept, ended at once: for the rate, and to give all names */
    uint64_t write_count, kept, rejected, ended_with_first;
    uint64_t nameless_cycles; /* all names are given */
};

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static void plan_packet(struct store_bench *self)
{
    const struct moehub_packet_store_config *config = &self->port.model.config;
    self->good = self->only_shortest || random_chance(&self->random, 3, 4);
    const unsigned least = self->good ? config->shortest : 1;
    switch (random_below(&self->random, 4)) {
    case 0: self->flits = least; break;
    case 1: self->flits = config->longest; break;
    default: self->flits = (unsigned)random_range(&self->random, least, config->longest);
    }
    if (self->only_shortest)
        self->flits = config->shortest;
    const unsigned most = self->good ? smaller(4, self->flits - 1) : 4; /* one that is cut short may lack some */
    self->target_flits = (unsigned)random_below(&self->random, most + 1);
    self->written = 0;
}

static void drive_end(struct store_bench *self, bool end)
{
    uint64_t mark[STORE_MARK_WORDS] = {random_next(&self->random), random_next(&self->random)};
    const unsigned bits = self->end_mark->bits;
    mark[1] = bits > 64 ? mark[1] & ((UINT64_C(1) << (bits - 64)) - 1) : 0;
    mark[0] &= self->end_mark->mask;
    pin_set(self->end_valid, end);
    pin_set(self->end_good, self->good);
    pin_set_words(self->end_mark, mark);
    struct moehub_packet_store_cycle *now = &self->port.now;
    now->end = end;
    now->end_good = self->good;
    memcpy(now->end_mark, mark, sizeof now->end_mark);
    if (end)
        *(self->good ? &self->kept : &self->rejected) += 1;
}

static void drive_write(struct store_bench *self, bool write)
{
    const struct moehub_flit flit = {{random_next(&self->random), random_next(&self->random)}};
    struct moehub_packet_store_cycle *now = &self->port.now;
    now->write = write;
    now->write_first = self->written == 0;
    now->write_targets = (uint8_t)self->target_flits;
    now->write_data = flit;
    pin_set(self->write_valid, write);
    pin_set(self->write_first, now->write_first);
    pin_set(self->write_targets, self->target_flits);
    pin_set_words(self->write_data, flit.half);
    self->written += write;
    self->write_count += write;
}

static void drive(struct store_bench *self)
{
    const bool free_to_write = pin_get(self->port.initialised) != 0 && pin_get(self->port.space) != 0 &&
                               !self->bench.reset && !self->bench.quiet;
    const bool write = free_to_write && !stall_next(&self->writes);
    bool end = self->flits > 0 && self->written == self->flits;
    if (end && !self->only_shortest && !write)
        end = random_chance(&self->random, 1, 2); /* late; with the next `first` it is the last chance */
    if (!end && self->written == self->flits && self->flits > 0 && write)
        end = true;
    if (self->bench.reset)
        end = false;
    self->ended_with_first += end && write;
    drive_end(self, end);
    if (end || self->flits == 0)
        plan_packet(self);
    drive_write(self, write && self->written < self->flits);
}

/* The place of the flit after the header goes with the packet. */
static void check_place(struct store_bench *self)
{
    struct moehub_packet_store *model = &self->port.model;
    const uint32_t name = self->port.now.packet_name;
    if (!self->port.now.packet_taken || moehub_packet_store_find(model, name)->count == 1)
        return;
    const uint64_t legal = true;
    const uint64_t got = moehub_packet_store_tell_place(model, name, 1, (uint32_t)pin_get(self->packet_place));
    scoreboard_expect(&self->places, 0, &legal);
    scoreboard_check(&self->places, 0, &got);
}

static void step(void *context)
{
    struct store_bench *self = context;
    store_port_drive(&self->port);
    if (self->bench.reset)
        self->flits = self->written = 0;
    drive(self);
    bench_settle(&self->bench);
    store_port_sample(&self->port);
    check_place(self);
    self->nameless_cycles += self->port.model.kept == self->port.model.names;
    bench_tick(&self->bench);
}

static void find_pins(struct store_bench *self)
{
    struct bench *bench = &self->bench;
    self->write_valid = bench_pin(bench, "write_valid");
    self->write_first = bench_pin(bench, "write_first");
    self->write_targets = bench_pin(bench, "write_targets");
    self->write_data = bench_pin(bench, "write_data");
    self->end_valid = bench_pin(bench, "end_valid");
    self->end_good = bench_pin(bench, "end_good");
    self->end_mark = bench_pin(bench, "end_mark");
    self->packet_place = bench_pin(bench, "packet_place");
}

static struct moehub_packet_store_config built_config(void)
{
    struct moehub_packet_store_config config = {.longest = 14, .shortest = 3, .places = 2048, .target_queue = 16};
    uint32_t mark_width = 12; /* known from the pin */
    const struct parameter parameters[] = {{.name = "LONGEST", .value = &config.longest},
                                           {.name = "SHORTEST", .value = &config.shortest},
                                           {.name = "PLACES", .value = &config.places},
                                           {.name = "TARGET_QUEUE", .value = &config.target_queue},
                                           {.name = "MARK_WIDTH", .value = &mark_width}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    return config;
}

static void initialise(struct store_bench *self, unsigned cycles)
{
    self->flits = self->written = 0;
    bench_reset(&self->bench, cycles);
    while (self->port.uninitialised <= self->port.model.config.places)
        step(self);
}

static void set_stalls(struct store_bench *self, enum stall_kind writes, enum stall_kind reads)
{
    self->writes.kind = self->writes.now = writes;
    store_port_set_stalls(&self->port, reads);
}

/* Shortest packets without a pause: a flit in, and where a packet is a flit, one found and freed, in every cycle. */
static void check_rate(struct store_bench *self)
{
    enum { CYCLES = 1000, WARM = 60 };
    const struct moehub_packet_store_config *config = &self->port.model.config;
    if (config->places < WARM)
        return;
    self->only_shortest = true;
    set_stalls(self, STALL_NONE, STALL_NONE);
    bench_run(&self->bench, WARM);
    const uint64_t written = self->write_count;
    const uint64_t freed = self->port.freed_packets;
    bench_run(&self->bench, CYCLES * config->shortest);
    scoreboard_value(&self->port.states, "flits written without stalls", CYCLES * config->shortest, self->write_count - written);
    scoreboard_value(&self->port.states, "packets freed without stalls", CYCLES, self->port.freed_packets - freed);
    self->only_shortest = false;
}

/* Nothing is freed before the store is full: of packets of any length, or of so many that each name is given. */
static void run_full(struct store_bench *self, bool only_shortest)
{
    self->only_shortest = only_shortest;
    self->port.frees_below = 1;
    bench_run(&self->bench, 3 * self->port.model.config.places + 200);
    self->port.frees_below = UINT32_MAX;
    self->only_shortest = false;
}

/* What was never met. */
static void check_covered(struct store_bench *self)
{
    summary_number(&self->bench.summary, "kept", (double)self->kept, "packets");
    summary_number(&self->bench.summary, "rejected", (double)self->rejected, "packets");
    summary_number(&self->bench.summary, "full", (double)self->port.full_cycles, "cycles");
    summary_number(&self->bench.summary, "without a name", (double)self->nameless_cycles, "cycles");
    if (self->nameless_cycles == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "there was always a name left");
    if (self->kept == 0 || self->rejected == 0 || self->port.full_cycles == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "no packet was kept, none was rejected, or the store was never full");
    if (self->port.model.config.places > 1 && self->ended_with_first == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "no packet ended as the next one began");
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Packet store against the C model", .events = 300000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct store_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    const struct moehub_packet_store_config config = built_config();
    store_port_create(&self.port, bench, "", &config, STALL_MIXED);
    find_pins(&self);
    scoreboard_create(&self.places, bench, "places", place_fields, 1, 1, 1);
    self.places.block.may_be_empty = config.longest == 1;
    bench_random(bench, &self.random, "writer");
    stall_init(&self.writes, STALL_MIXED, bench->options.seed, "writes");
    bench->step = step;
    bench->context = &self;
    initialise(&self, 2);
    check_rate(&self);
    set_stalls(&self, STALL_NONE, STALL_LIGHT);
    run_full(&self, false);
    run_full(&self, true);
    while (bench_running(bench)) {
        static const enum stall_kind kinds[] = {STALL_MIXED, STALL_MIXED, STALL_HEAVY, STALL_NONE, STALL_LIGHT};
        set_stalls(&self, kinds[random_below(&self.random, 5)], kinds[random_below(&self.random, 5)]);
        bench_run(bench, random_range(&self.random, 500, 3000));
        if (random_chance(&self.random, 1, 4))
            run_full(&self, random_chance(&self.random, 1, 2));
        if (random_chance(&self.random, 1, 4))
            initialise(&self, (unsigned)random_range(&self.random, 1, 3));
    }
    check_covered(&self);
    const int status = bench_finish(bench);
    scoreboard_destroy(&self.places);
    store_port_destroy(&self.port);
    return status;
}
