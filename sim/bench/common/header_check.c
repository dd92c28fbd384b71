/* SPDX-License-Identifier: Apache-2.0 */
/* Header check, a design of gates, against the C model: well-formed headers, near misses, noise, for every own number. */
#include "bench/common/cause_count.h"
#include "bench/common/packet_maker.h"
#include "kit/scoreboard.h"

struct header_bench {
    struct bench bench;
    const struct pin *header, *flit_class, *own, *malformed, *cause, *flits, *target_flits, *targets;
    struct packet_maker maker;
    struct scoreboard verdicts;
    struct cause_count causes;
    uint64_t good;
};

static const struct field fields[] = {{"malformed", 1}, {"cause", 4}, {"flits", 5}, {"target_flits", 3}, {"targets", 6}};
enum { FIELDS = sizeof fields / sizeof *fields };

/* A cause, or what the header says: the other means nothing. */
static void expect(struct header_bench *self, struct moehub_flit flit, unsigned packet_class)
{
    const struct moehub_header_verdict verdict = moehub_header_check(&self->maker.config, flit, packet_class);
    const bool malformed = verdict.cause != MOEHUB_PACKET_CAUSES;
    uint64_t item[FIELDS] = {malformed, malformed ? verdict.cause : pin_get(self->cause), pin_get(self->flits),
                             pin_get(self->target_flits), pin_get(self->targets)};
    if (malformed)
        self->causes.of[verdict.cause]++;
    else {
        item[2] = verdict.flits;
        item[3] = verdict.target_flits;
        item[4] = moehub_header_unpack(flit).target_count;
        self->good++;
    }
    scoreboard_expect(&self->verdicts, 0, item);
}

static void step(void *context)
{
    struct header_bench *self = context;
    if (random_chance(&self->maker.random, 1, 16)) {
        self->maker.config.own = (uint16_t)random_below(&self->maker.random, self->maker.config.ports);
        pin_set(self->own, self->maker.config.own);
    }
    struct made_packet packet;
    packet_maker_any(&self->maker, &packet);
    if (random_chance(&self->maker.random, 1, 64))
        packet.packet_class = 3;
    pin_set_words(self->header, packet.flits[0].half);
    pin_set(self->flit_class, packet.packet_class);
    bench_settle(&self->bench);
    expect(self, packet.flits[0], packet.packet_class);
    const uint64_t got[FIELDS] = {pin_get(self->malformed), pin_get(self->cause), pin_get(self->flits),
                                  pin_get(self->target_flits), pin_get(self->targets)};
    scoreboard_check(&self->verdicts, 0, got);
    bench_tick(&self->bench);
}

static void find_pins(struct header_bench *self)
{
    struct bench *bench = &self->bench;
    self->header = bench_pin(bench, "header");
    self->flit_class = bench_pin(bench, "flit_class");
    self->own = bench_pin(bench, "own");
    self->malformed = bench_pin(bench, "malformed");
    self->cause = bench_pin(bench, "cause");
    self->flits = bench_pin(bench, "flits");
    self->target_flits = bench_pin(bench, "target_flits");
    self->targets = bench_pin(bench, "targets");
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Header check against the C model", .events = 1000000, .cycles = UINT64_MAX};
    static struct header_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    find_pins(&self);
    const struct moehub_check_config config = check_config_read(NULL, 0);
    packet_maker_create(&self.maker, bench, &config, "headers");
    scoreboard_create(&self.verdicts, bench, "verdicts", fields, FIELDS, 1, 1);
    pin_set(self.own, 0);
    bench->step = step;
    bench->context = &self;
    while (bench_running(bench))
        step(&self);
    summary_number(&bench->summary, "well-formed", (double)self.good, "headers");
    if (self.good == 0)
        bench_fail(bench, BENCH_NOTHING_COMPARED, "no header was well-formed");
    cause_count_report(&self.causes, bench, MOEHUB_PACKET_CAUSE_TYPE, MOEHUB_PACKET_CAUSE_TARGET, 0);
    const int status = bench_finish(bench);
    scoreboard_destroy(&self.verdicts);
    return status;
}
