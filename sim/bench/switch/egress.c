/* SPDX-License-Identifier: Apache-2.0 */
/* Egress against the C model, which says every choice, with the model of the link sender behind it: sources that are silent,
 * busy or stall inside a packet, classes that have no credits, a link that falls, a port that is down; full rate; worst-case
 * waits; resets in traffic. */
#include "bench/switch/egress_sources.h"
#include "bench/switch/egress_waits.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "moehub/link_sender.h"

enum { CLASSES = MOEHUB_CLASSES, SOURCES = MOEHUB_EGRESS_SOURCES };

struct egress_pins {
    const struct pin *link_up, *down, *credits, *ready[SOURCES], *start_valid, *start_class, *start_flits, *packet_valid,
        *packet_class, *packet_data, *packet_last, *packets, *discarded, *blocked, *idle;
};

/* What a run must have met. */
struct egress_met {
    uint64_t packets[CLASSES], discarded, cut, blocked[CLASSES], idle;
    uint64_t at_once;            /* packets that followed another one without a gap */
    uint64_t overdue[CLASSES];   /* packets chosen before one of a class that goes first */
    uint64_t down_unlinked;      /* packets discarded while the link was down too */
};

struct egress_bench {
    struct bench bench;
    struct egress_sources sources;
    struct moehub_egress model;
    struct moehub_link_sender sender;
    struct egress_waits waits;
    struct egress_pins pins;
    struct egress_met met;
    struct scoreboard ready, starts, packets, events, sent;
    uint64_t sent_last;          /* a bit a class: its packet's last flit was on the wires in the last cycle */
    struct random_source random;
    unsigned grant_chance[CLASSES]; /* of 16 */
    unsigned falls, fails;          /* once in so many cycles the link falls, the port is down; 0: never */
    unsigned unlinked, failed;      /* cycles that are left of that */
    bool together;                  /* others than requests begin only while a request is being sent */
    uint64_t flits;
};

static const struct field ready_fields[] = {{"request", 1}, {"store", 1}, {"result", 1}, {"error", 1}, {"notice", 1}};
static const struct field start_fields[] = {{"valid", 1}, {"class", 2}, {"flits", 5}};
static const struct field packet_fields[] = {{"valid", 1}, {"class", 2}, {"last", 1}, {"data", 128}};
static const struct field event_fields[] = {{"packets", 3}, {"discarded", 1}, {"blocked", 3}, {"idle", 1}};
static const struct field sent_fields[] = {{"packets", 3}};

/* ---- drive ------------------------------------------------------------------------------------------------------ */

/* Low for `left` more cycles, or from now on for `least` to `most`. */
static bool happens(struct egress_bench *self, unsigned *left, unsigned once_in, unsigned least, unsigned most)
{
    if (*left > 0)
        --*left;
    else if (once_in > 0 && random_chance(&self->random, 1, once_in))
        *left = (unsigned)random_range(&self->random, least, most);
    return *left > 0;
}

static struct moehub_link_grant draw_grant(struct egress_bench *self)
{
    const unsigned packet_class = (unsigned)random_below(&self->random, CLASSES);
    if (!random_chance(&self->random, self->grant_chance[packet_class], 16))
        return (struct moehub_link_grant){.valid = false};
    return (struct moehub_link_grant){true, (uint8_t)packet_class, (uint8_t)random_below(&self->random, 40)};
}

static void drive(struct egress_bench *self, struct moehub_egress_cycle *cycle)
{
    *cycle = (struct moehub_egress_cycle){.link_up = !happens(self, &self->unlinked, self->falls, 4, 20),
                                          .down = happens(self, &self->failed, self->fails, 1, 100)};
    uint64_t credits = 0;
    for (unsigned i = 0; i < CLASSES; i++) {
        cycle->credits[i] = self->sender.credits[i];
        credits |= (uint64_t)cycle->credits[i] << (MOEHUB_CREDITS_WIDTH * i);
    }
    pin_set(self->pins.link_up, cycle->link_up);
    pin_set(self->pins.down, cycle->down);
    pin_set(self->pins.credits, credits);
    const bool request = self->model.sending && self->model.source == MOEHUB_EGRESS_REQUEST;
    self->sources.requests_alone = self->together && !request;
    egress_sources_drive(&self->sources);
}

/* ---- compare ------------------------------------------------------------------------------------------------------ */

static void compare_ready(struct egress_bench *self)
{
    uint64_t expected[SOURCES], got[SOURCES];
    for (unsigned i = 0; i < SOURCES; i++) {
        expected[i] = self->model.ready[i];
        got[i] = pin_get(self->pins.ready[i]);
    }
    scoreboard_expect(&self->ready, 0, expected);
    scoreboard_check(&self->ready, 0, got);
}

/* Fields of what is not valid mean nothing. */
static void compare_start(struct egress_bench *self)
{
    const struct moehub_egress *model = &self->model;
    const uint64_t expected[3] = {model->start, model->start_class, model->start_flits};
    uint64_t got[3] = {pin_get(self->pins.start_valid), 0, 0};
    if (got[0]) {
        got[1] = pin_get(self->pins.start_class);
        got[2] = pin_get(self->pins.start_flits);
    }
    scoreboard_expect(&self->starts, 0, expected);
    scoreboard_check(&self->starts, 0, got);
}

/* The flit of this cycle: when the model has stepped. */
static void compare_packet(struct egress_bench *self)
{
    const struct moehub_link_flit *flit = &self->model.packet;
    const uint64_t expected[5] = {flit->valid, flit->packet_class, flit->last, flit->data.half[0], flit->data.half[1]};
    uint64_t got[5] = {pin_get(self->pins.packet_valid), 0, 0, 0, 0};
    if (got[0]) {
        got[1] = pin_get(self->pins.packet_class);
        got[2] = pin_get(self->pins.packet_last);
        pin_get_words(self->pins.packet_data, got + 3);
    }
    scoreboard_expect(&self->packets, 0, expected);
    scoreboard_check(&self->packets, 0, got);
}

/* A packet counts as sent a cycle after the link sender has put out its last flit, and all before. */
static void compare_events(struct egress_bench *self)
{
    const struct moehub_egress *model = &self->model;
    const struct moehub_link_flit *wire = &self->sender.wire;
    const uint64_t expected[4] = {model->packets, model->discarded, model->blocked, model->idle};
    const uint64_t got[4] = {pin_get(self->pins.packets), pin_get(self->pins.discarded), pin_get(self->pins.blocked),
                             pin_get(self->pins.idle)};
    scoreboard_expect(&self->events, 0, expected);
    scoreboard_check(&self->events, 0, got);
    scoreboard_expect(&self->sent, 0, &self->sent_last);
    scoreboard_check(&self->sent, 0, got);
    self->sent_last = wire->valid && wire->last ? UINT64_C(1) << wire->packet_class : 0;
}

/* ---- one cycle ------------------------------------------------------------------------------------------------------- */

static void step_sender(struct egress_bench *self, const struct moehub_egress *before, bool link_up)
{
    const struct moehub_link_flit *flit = &self->model.packet;
    const struct moehub_link_sender_cycle cycle = {
        .link_up = link_up,
        .start = before->start,
        .start_class = before->start_class,
        .start_flits = before->start_flits,
        .flit = flit->valid,
        .flit_class = flit->packet_class,
        .flit_last = flit->last,
        .flit_data = flit->data,
        .grant = draw_grant(self),
    };
    if (!moehub_link_sender_step(&self->sender, &cycle))
        bench_fail(&self->bench, BENCH_MISMATCH, "a rule of the link sender is broken: a start beyond the credits, or none after "
                                                 "a packet's first flit");
}

static void note_met(struct egress_bench *self, const struct moehub_egress_cycle *cycle, const struct moehub_egress *before)
{
    const struct moehub_egress *model = &self->model;
    struct egress_met *met = &self->met;
    for (unsigned i = 0; i < CLASSES; i++) {
        met->packets[i] += model->packets >> i & 1;
        met->blocked[i] += model->blocked >> i & 1;
    }
    met->discarded += model->discarded;
    met->cut += model->packet.valid && model->packet.last && model->discarded_last;
    met->idle += model->idle;
    met->at_once += model->packet.valid && model->packet.first && before->packet.valid;
    if (model->chosen == SOURCES)
        return;
    const unsigned chosen = moehub_egress_class(model->chosen);
    const bool request = model->eligible >> MOEHUB_CLASS_REQUEST & 1;
    const bool response = model->eligible >> MOEHUB_CLASS_RESPONSE & 1;
    met->overdue[chosen] += chosen != MOEHUB_CLASS_REQUEST && (request || (chosen == MOEHUB_CLASS_STORE && response));
    met->down_unlinked += cycle->down && !cycle->link_up;
}

static void forget(struct egress_bench *self)
{
    moehub_egress_reset(&self->model, self->model.bound);
    moehub_link_sender_reset(&self->sender);
    self->sent_last = 0;
    egress_waits_forget(&self->waits);
}

static void step(void *context)
{
    struct egress_bench *self = context;
    struct moehub_egress_cycle cycle;
    drive(self, &cycle);
    bench_settle(&self->bench);
    egress_sources_sample(&self->sources, cycle.offered);
    if (self->bench.reset)
        forget(self);
    else {
        compare_ready(self);
        compare_start(self);
        compare_events(self);
        const struct moehub_egress before = self->model;
        moehub_egress_step(&self->model, &cycle);
        compare_packet(self);
        step_sender(self, &before, cycle.link_up);
        egress_waits_count(&self->waits, &self->model, before.sending);
        note_met(self, &cycle, &before);
        self->flits += self->model.packet.valid;
    }
    bench_tick(&self->bench);
}

/* ---- the run ----------------------------------------------------------------------------------------------------------- */

static void set_all(struct egress_bench *self, unsigned offer, unsigned grant, enum stall_kind stall)
{
    for (unsigned i = 0; i < SOURCES; i++)
        self->sources.of[i].chance = offer;
    for (unsigned i = 0; i < CLASSES; i++)
        self->grant_chance[i] = grant;
    egress_sources_set_stalls(&self->sources, stall);
    self->falls = self->fails = 0;
}

static void draw_traffic(struct egress_bench *self)
{
    static const unsigned chances[] = {0, 1, 4, EGRESS_ALWAYS};
    static const unsigned rates[] = {0, 0, 300, 50};
    static const enum stall_kind kinds[] = {STALL_NONE, STALL_NONE, STALL_LIGHT, STALL_MIXED};
    for (unsigned i = 0; i < SOURCES; i++)
        self->sources.of[i].chance = chances[random_below(&self->random, 4)];
    for (unsigned i = 0; i < CLASSES; i++)
        self->grant_chance[i] = chances[random_below(&self->random, 4)];
    egress_sources_set_stalls(&self->sources, kinds[random_below(&self->random, 4)]);
    self->falls = rates[random_below(&self->random, 4)];
    self->fails = rates[random_below(&self->random, 4)];
}

/* All have packets and credits: a flit a cycle. */
static void check_rate(struct egress_bench *self)
{
    enum { CYCLES = 4000 };
    bench_reset(&self->bench, 2);
    set_all(self, EGRESS_ALWAYS, 16, STALL_NONE);
    bench_run(&self->bench, 300); /* credits to begin with */
    const uint64_t flits = self->flits;
    bench_run(&self->bench, CYCLES);
    scoreboard_value(&self->packets, "flits sent without a gap", CYCLES, self->flits - flits);
}

/* All have credits; a result and a store come in one cycle, while a request is being sent: they wait as long as they may. */
static void run_waits(struct egress_bench *self)
{
    enum { DRAINED = 200 };
    set_all(self, 0, 16, STALL_NONE);
    bench_run(&self->bench, DRAINED);
    for (unsigned i = 0; i <= MOEHUB_EGRESS_RESULT; i++)
        self->sources.of[i].chance = EGRESS_ALWAYS;
    self->together = true;
    bench_run(&self->bench, 100 * (self->model.bound + 2));
    self->together = false;
}

static void run(struct egress_bench *self)
{
    check_rate(self);
    run_waits(self);
    while (bench_running(&self->bench)) {
        draw_traffic(self);
        bench_run(&self->bench, random_range(&self->random, 100, 1500));
        if (random_chance(&self->random, 1, 4))
            bench_reset(&self->bench, (unsigned)random_range(&self->random, 1, 3));
    }
}

/* ---- what was met --------------------------------------------------------------------------------------------------------- */

static void demand(struct egress_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void check_covered(struct egress_bench *self)
{
    static const char *const sent[] = {"stores sent", "requests sent", "responses sent"};
    static const char *const blocked[] = {"stores blocked", "requests blocked", "responses blocked"};
    const struct egress_met *met = &self->met;
    for (unsigned i = 0; i < CLASSES; i++) {
        demand(self, sent[i], met->packets[i]);
        demand(self, blocked[i], met->blocked[i]);
    }
    if (self->model.bound > 0) {
        demand(self, "overdue responses", met->overdue[MOEHUB_CLASS_RESPONSE]);
        demand(self, "overdue stores", met->overdue[MOEHUB_CLASS_STORE]);
    }
    demand(self, "packets discarded", met->discarded);
    demand(self, "packets cut short", met->cut);
    demand(self, "packets discarded without link", met->down_unlinked);
    demand(self, "packets without a gap", met->at_once);
    demand(self, "idle", met->idle);
    egress_waits_check(&self->waits, &self->model);
}

/* ---- set up ------------------------------------------------------------------------------------------------------------- */

static void find_pins(struct egress_bench *self)
{
    static const char *const ready[SOURCES] = {"request_ready", "store_ready", "result_ready", "error_ready", "notice_ready"};
    struct bench *bench = &self->bench;
    struct egress_pins *pins = &self->pins;
    for (unsigned i = 0; i < SOURCES; i++)
        pins->ready[i] = bench_pin(bench, ready[i]);
    pins->link_up = bench_pin(bench, "link_up");
    pins->down = bench_pin(bench, "down");
    pins->credits = bench_pin(bench, "credits");
    pins->start_valid = bench_pin(bench, "start_valid");
    pins->start_class = bench_pin(bench, "start_class");
    pins->start_flits = bench_pin(bench, "start_flits");
    pins->packet_valid = bench_pin(bench, "packet_valid");
    pins->packet_class = bench_pin(bench, "packet_class");
    pins->packet_data = bench_pin(bench, "packet_data");
    pins->packet_last = bench_pin(bench, "packet_last");
    pins->packets = bench_pin(bench, "packets");
    pins->discarded = bench_pin(bench, "discarded");
    pins->blocked = bench_pin(bench, "blocked");
    pins->idle = bench_pin(bench, "idle");
}

static void create(struct egress_bench *self)
{
    struct bench *bench = &self->bench;
    uint32_t bound = 8, round_robin = 0;
    const struct parameter parameters[] = {{.name = "BOUND", .value = &bound}, {.name = "ROUND_ROBIN", .value = &round_robin}};
    parameters_read(dut_description(), "", NULL, parameters, 2);
    moehub_egress_reset(&self->model, round_robin ? 0 : bound);
    find_pins(self);
    egress_sources_create(&self->sources, bench);
    bench_random(bench, &self->random, "traffic");
    self->waits.bench = bench;
    scoreboard_create(&self->ready, bench, "ready", ready_fields, 5, 1, 1);
    scoreboard_create(&self->starts, bench, "start", start_fields, 3, 1, 1);
    scoreboard_create(&self->packets, bench, "packet", packet_fields, 4, 1, 1);
    scoreboard_create(&self->events, bench, "events", event_fields, 4, 1, 1);
    scoreboard_create(&self->sent, bench, "sent", sent_fields, 1, 1, 1);
    bench->step = step;
    bench->context = self;
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Egress against the C model", .events = 800000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct egress_bench self;
    bench_create(&self.bench, argc, argv, &defaults, NULL);
    create(&self);
    run(&self);
    check_covered(&self);
    const int status = bench_finish(&self.bench);
    scoreboard_destroy(&self.ready);
    scoreboard_destroy(&self.starts);
    scoreboard_destroy(&self.packets);
    scoreboard_destroy(&self.events);
    scoreboard_destroy(&self.sent);
    return status;
}
