/* SPDX-License-Identifier: Apache-2.0 */
/* Packet check against the C model: packets whole, too short, too long, with flits that take no place, cut short at any flit;
 * verdict, mark and header of each. */
#include "bench/common/cause_count.h"
#include "bench/common/packet_maker.h"
#include "bench/common/plane_mark.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "moehub/link.h"

#include <string.h>

enum { CLASSES = MOEHUB_CLASSES };

/* What the inputs say one cycle after a flit was on the wires. */
struct told {
    bool first, take, broken, finish;
    struct moehub_flit flit;
    bool targets_known; /* a well-formed header: so many target flits follow */
    unsigned targets;
    unsigned taken;     /* not of a first flit: places that its packet has already */
};

struct check_bench {
    struct bench bench;
    const struct pin *own, *wire_data, *wire_class, *flit_first, *take, *broken, *finish, *flit_data, *targets, *taken_pin,
        *verdict_valid, *verdict_keep, *verdict_malformed, *verdict_cause, *verdict_header, *marks[CLASSES];
    struct packet_maker maker;
    struct random_source random;
    struct stall stall;
    struct scoreboard verdicts, marked, flits;
    struct cause_count causes;
    uint64_t accepted, refused;
    /* the packet on its way */
    bool active, broken_now, broken_told, header_taken;
    bool pausing;            /* no further packet begins */
    struct made_packet packet;
    unsigned stop;           /* it is cut short after so many flits */
    unsigned sent, told;     /* flits on the wires, and told of, so far */
    struct moehub_flit taken[MOEHUB_RESPONSE_LONGEST];
    unsigned taken_count;
    struct told now;
    bool on_wires;           /* a flit was, in the last cycle */
    bool expecting;          /* a verdict in this cycle, of a packet of this class */
    unsigned expected_class;
};

static const struct field verdict_fields[] = {{"keep", 1}, {"malformed", 1}, {"cause", 4}, {"header", 128}};
static const struct field mark_fields[] = {{"mark", 128}};
static const struct field flit_fields[] = {{"data", 128}, {"targets", 3}, {"taken", 5}};

/* ---- the model ------------------------------------------------------------------------------------------- */

static void expect_mark(struct check_bench *self, const struct moehub_packet_verdict *verdict)
{
    uint64_t mark[MARK_WORDS];
    const unsigned packet_class = self->packet.packet_class;
    plane_mark(&self->maker.config, packet_class, self->taken[0], verdict, mark);
    if (packet_class == MOEHUB_CLASS_REQUEST)
        plane_mark_mask_request(mark);
    scoreboard_expect(&self->marked, packet_class, mark);
}

static void expect_verdict(struct check_bench *self)
{
    const unsigned count = self->header_taken ? self->taken_count : 0;
    const struct moehub_packet_verdict verdict =
        moehub_packet_check(&self->maker.config, self->packet.packet_class, self->taken, count, self->broken_now);
    const bool accepted = verdict.cause == MOEHUB_PACKET_CAUSES;
    const struct moehub_flit header = self->header_taken ? self->taken[0] : (struct moehub_flit){{0, 0}};
    const uint64_t item[5] = {accepted || verdict.answered, !accepted, accepted ? 0 : verdict.cause, header.half[0],
                              header.half[1]};
    scoreboard_expect(&self->verdicts, 0, item);
    if (accepted || verdict.answered)
        expect_mark(self, &verdict);
    self->accepted += accepted;
    self->refused += verdict.answered;
    if (!accepted)
        self->causes.of[verdict.cause]++;
}

/* ---- the wires, and what is told one cycle later -------------------------------------------------------------- */

static void begin_packet(struct check_bench *self)
{
    do
        packet_maker_any(&self->maker, &self->packet);
    while (self->packet.packet_class >= CLASSES); /* such a flit never gets here */
    const bool cut = random_chance(&self->random, 1, 8);
    self->stop = cut ? 1 + (unsigned)random_below(&self->random, self->packet.count) : self->packet.count;
    self->sent = self->told = self->taken_count = 0;
    self->broken_now = self->broken_told = self->header_taken = false;
    self->active = true;
}

static void take_flit(struct check_bench *self)
{
    struct told *now = &self->now;
    const struct moehub_header_verdict verdict =
        moehub_header_check(&self->maker.config, now->flit, self->packet.packet_class);
    now->targets_known = now->first && verdict.cause == MOEHUB_PACKET_CAUSES;
    now->targets = now->targets_known ? verdict.target_flits : 0;
    self->header_taken |= now->first;
    self->taken[self->taken_count++] = now->flit;
}

/* Most flits take a place; those beyond the longest packet never do. */
static void tell_flit(struct check_bench *self)
{
    struct told *now = &self->now;
    now->first = self->told == 0;
    now->flit = self->packet.flits[self->told++];
    now->taken = self->taken_count;
    now->take = self->taken_count < moehub_link_longest(self->packet.packet_class) && !random_chance(&self->random, 1, 100);
    if (now->take)
        take_flit(self);
    else
        self->broken_now = true;
    if (random_chance(&self->random, 1, 500))
        self->broken_now = true; /* by a flit that is not the packet's */
}

/* The last flit ends the packet; one that is cut short is broken, and ends with its flit or later. */
static void tell_end(struct check_bench *self)
{
    const bool whole = self->told == self->packet.count;
    if (self->told < self->stop || (!whole && random_chance(&self->random, 1, 2)))
        return;
    self->broken_now |= !whole;
    self->now.finish = true;
    self->active = false;
}

static void tell(struct check_bench *self)
{
    self->now = (struct told){.first = false};
    if (self->on_wires)
        tell_flit(self);
    if (self->active && self->told > 0)
        tell_end(self);
    /* It is told once, and may be told again. */
    self->now.broken = self->broken_now && (!self->broken_told || random_chance(&self->random, 1, 4));
    self->broken_told |= self->now.broken;
}

static void drive(struct check_bench *self, bool flit)
{
    const uint64_t noise[2] = {random_next(&self->random), random_next(&self->random)};
    pin_set_words(self->wire_data, flit ? self->packet.flits[self->sent].half : noise);
    pin_set(self->wire_class, flit ? self->packet.packet_class : random_below(&self->random, 4));
    pin_set(self->flit_first, self->now.first);
    pin_set(self->take, self->now.take);
    pin_set(self->broken, self->now.broken);
    pin_set(self->finish, self->now.finish);
}

/* ---- one cycle ----------------------------------------------------------------------------------------------------- */

static void check_flit(struct check_bench *self)
{
    const struct told *now = &self->now;
    if (!now->take)
        return;
    const uint64_t expected[4] = {now->flit.half[0], now->flit.half[1], now->targets, now->taken};
    uint64_t got[4] = {0, 0, now->targets_known ? pin_get(self->targets) : now->targets,
                       now->first ? now->taken : pin_get(self->taken_pin)};
    pin_get_words(self->flit_data, got);
    scoreboard_expect(&self->flits, 0, expected);
    scoreboard_check(&self->flits, 0, got);
}

static void check_mark(struct check_bench *self)
{
    uint64_t mark[MARK_WORDS] = {0, 0};
    pin_get_words(self->marks[self->expected_class], mark);
    if (self->expected_class == MOEHUB_CLASS_REQUEST)
        plane_mark_mask_request(mark);
    scoreboard_check(&self->marked, self->expected_class, mark);
}

static void check_verdict(struct check_bench *self)
{
    const bool valid = pin_get(self->verdict_valid) != 0;
    if (valid != self->expecting)
        bench_fail(&self->bench, BENCH_MISMATCH, "verdict_valid is %d one cycle after finish was %d", valid, self->expecting);
    if (!valid)
        return;
    const bool malformed = pin_get(self->verdict_malformed) != 0;
    uint64_t got[5] = {pin_get(self->verdict_keep), malformed, malformed ? pin_get(self->verdict_cause) : 0};
    pin_get_words(self->verdict_header, got + 3);
    scoreboard_check(&self->verdicts, 0, got);
    if (got[0])
        check_mark(self);
}

static void forget(struct check_bench *self)
{
    scoreboard_forget(&self->verdicts);
    scoreboard_forget(&self->marked);
    self->active = self->on_wires = self->expecting = false;
}

static void step(void *context)
{
    struct check_bench *self = context;
    tell(self);
    const unsigned told_class = self->packet.packet_class;
    if (self->now.finish && !self->bench.reset)
        expect_verdict(self);
    if (!self->active && !self->pausing && !self->bench.reset)
        begin_packet(self);
    const bool flit = self->active && self->sent < self->stop && !stall_next(&self->stall);
    drive(self, flit);
    bench_settle(&self->bench);
    if (!self->bench.reset) {
        check_flit(self);
        check_verdict(self);
    }
    self->sent += flit;
    self->on_wires = flit;
    self->expecting = self->now.finish;
    self->expected_class = told_class;
    if (self->bench.reset)
        forget(self);
    bench_tick(&self->bench);
}

/* ---- the run --------------------------------------------------------------------------------------------------------- */

static void find_pins(struct check_bench *self)
{
    struct bench *bench = &self->bench;
    self->own = bench_pin(bench, "own");
    self->wire_data = bench_pin(bench, "wire_data");
    self->wire_class = bench_pin(bench, "wire_class");
    self->flit_first = bench_pin(bench, "flit_first");
    self->take = bench_pin(bench, "take");
    self->broken = bench_pin(bench, "broken");
    self->finish = bench_pin(bench, "finish");
    self->flit_data = bench_pin(bench, "flit_data");
    self->targets = bench_pin(bench, "targets");
    self->taken_pin = bench_pin(bench, "taken");
    self->verdict_valid = bench_pin(bench, "verdict_valid");
    self->verdict_keep = bench_pin(bench, "verdict_keep");
    self->verdict_malformed = bench_pin(bench, "verdict_malformed");
    self->verdict_cause = bench_pin(bench, "verdict_cause");
    self->verdict_header = bench_pin(bench, "verdict_header");
    self->marks[MOEHUB_CLASS_STORE] = bench_pin(bench, "mark_store");
    self->marks[MOEHUB_CLASS_REQUEST] = bench_pin(bench, "mark_request");
    self->marks[MOEHUB_CLASS_RESPONSE] = bench_pin(bench, "mark_response");
}

/* Another own number, with nothing on its way. */
static void change_own(struct check_bench *self)
{
    self->pausing = true;
    while (self->active || self->expecting)
        step(self);
    self->pausing = false;
    self->maker.config.own = (uint16_t)random_below(&self->random, self->maker.config.ports);
    pin_set(self->own, self->maker.config.own);
}

static void check_covered(struct check_bench *self)
{
    const bool hub = self->maker.config.hub;
    summary_number(&self->bench.summary, "accepted", (double)self->accepted, "packets");
    summary_number(&self->bench.summary, "refused and answered", (double)self->refused, "packets");
    if (self->accepted == 0 || (self->refused == 0) != hub)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "no packet was accepted, or none was refused and answered");
    cause_count_report(&self->causes, &self->bench, MOEHUB_PACKET_CAUSE_TYPE, MOEHUB_PACKET_CAUSE_FRAME, 0);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Packet check against the C model", .events = 500000, .cycles = UINT64_MAX};
    static struct check_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    find_pins(&self);
    const struct moehub_check_config config = check_config_read(NULL, 0);
    packet_maker_create(&self.maker, bench, &config, "packets");
    bench_random(bench, &self.random, "flits");
    stall_init(&self.stall, STALL_MIXED, bench->options.seed, "wires");
    scoreboard_create(&self.verdicts, bench, "verdicts", verdict_fields, 4, 1, 2);
    scoreboard_create(&self.marked, bench, "marks", mark_fields, 1, CLASSES, 2);
    scoreboard_create(&self.flits, bench, "flits", flit_fields, 3, 1, 1);
    bench->step = step;
    bench->context = &self;
    while (bench_running(bench)) {
        bench_reset(bench, (unsigned)random_range(&self.random, 1, 3));
        for (unsigned i = 0; i < 4; i++) {
            change_own(&self);
            bench_run(bench, random_range(&self.random, 200, 1000));
        }
    }
    change_own(&self);
    check_covered(&self);
    const int status = bench_finish(bench);
    scoreboard_destroy(&self.verdicts);
    scoreboard_destroy(&self.marked);
    scoreboard_destroy(&self.flits);
    return status;
}
