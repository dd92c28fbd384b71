/* SPDX-License-Identifier: Apache-2.0 */
/* Both ends of a link with the stores behind, against the C models: traffic as the credits allow, over wires of any latency,
 * with starved senders, full stores and links that fall; then flits that break each rule of section 3. After honest traffic
 * every place is a credit in the sender's hand. */
#include "bench/common/cause_count.h"
#include "bench/common/link_wires.h"
#include "bench/common/packet_maker.h"
#include "bench/common/plane_mark.h"
#include "bench/common/sender_port.h"
#include "bench/common/store_port.h"
#include "kit/parameters.h"
#include "moehub/link_receiver.h"

#include <string.h>

enum { CLASSES = MOEHUB_CLASSES };
static const char *const prefixes[CLASSES] = {"store_", "request_", "response_"};

struct link_bench {
    struct bench bench;
    struct sender_port sender;
    struct store_port stores[CLASSES];
    struct moehub_link_receiver model;
    struct moehub_link_owed owed;
    struct link_wires wires;
    struct packet_maker maker;
    struct random_source random;
    const struct pin *own, *link_up, *flit_valid, *flit_class, *flit_first, *flit_last, *flit_data, *credit_valid, *credit_class,
        *credit_flits, *write_valid, *write_first, *write_targets, *end_valid, *end_good, *causes, *packets, *flit,
        *error_valid, *error_cause, *error_header;
    struct scoreboard grants, events, writes;
    struct cause_count met;
    uint64_t crossed;                  /* flits taken off the wires */
    /* the receiver's wires in the last cycle, and what became of the flit before */
    struct moehub_link_flit arrived;
    bool was_up, came;
    struct moehub_link_taken before;
    struct moehub_link_grant granted;  /* what its wires must carry now */
    /* flits that no sender sends */
    unsigned rude, flood;              /* of 256: how often a flit is disturbed, how often one is put in */
    struct made_packet forged;
    unsigned forged_sent;
};

static const struct field grant_fields[] = {{"valid", 1}, {"class", 2}, {"flits", 8}};
static const struct field write_fields[] = {{"write_valid", 3}, {"first", 1}, {"targets", 3}, {"end_valid", 3}, {"good", 1}};
static const struct field event_fields[] = {{"causes", 13},     {"packets", 3},     {"flit", 1},
                                            {"error_valid", 1}, {"error_cause", 4}, {"error_header", 128}};

/* ---- drive ----------------------------------------------------------------------------------------------- */

/* The sender starts packets that the longest of their class is not shorter than: others would never have credits. */
static void draw_packet(void *context, struct made_packet *packet)
{
    struct link_bench *self = context;
    do
        packet_maker_any(&self->maker, packet);
    while (packet->packet_class >= CLASSES || packet->count > moehub_link_longest(packet->packet_class));
}

static struct moehub_link_flit forge(struct link_bench *self)
{
    if (self->forged_sent >= self->forged.count) {
        packet_maker_any(&self->maker, &self->forged);
        self->forged_sent = 0;
    }
    const unsigned number = self->forged_sent++;
    return (struct moehub_link_flit){true, (uint8_t)self->forged.packet_class, number == 0,
                                     number + 1 == self->forged.count, self->forged.flits[number]};
}

/* Flits are lost, come twice in effect, change class, begin or end where they should not. */
static void disturb(struct link_bench *self, struct moehub_link_flit *flit)
{
    if (!flit->valid && random_chance(&self->random, self->flood, 256))
        *flit = forge(self);
    if (!flit->valid || !random_chance(&self->random, self->rude, 256))
        return;
    switch (random_below(&self->random, 5)) {
    case 0: flit->valid = false; break;
    case 1: flit->packet_class = (uint8_t)random_below(&self->random, 4); break;
    case 2: flit->first = !flit->first; break;
    case 3: flit->last = !flit->last; break;
    default: flit->data.half[random_below(&self->random, 2)] ^= UINT64_C(1) << random_below(&self->random, 64);
    }
}

static void drive_wires(struct link_bench *self, const struct moehub_link_flit *flit)
{
    const uint64_t noise[2] = {random_next(&self->random), random_next(&self->random)};
    pin_set(self->link_up, self->wires.receiver.up);
    pin_set(self->flit_valid, flit->valid);
    pin_set(self->flit_class, flit->valid ? flit->packet_class : noise[0]);
    pin_set(self->flit_first, flit->valid ? flit->first : noise[0] >> 2);
    pin_set(self->flit_last, flit->valid ? flit->last : noise[0] >> 3);
    pin_set_words(self->flit_data, flit->valid ? flit->data.half : noise);
}

static struct moehub_link_grant granted_wires(const struct link_bench *self)
{
    if (!pin_get(self->credit_valid))
        return (struct moehub_link_grant){.valid = false};
    return (struct moehub_link_grant){true, (uint8_t)pin_get(self->credit_class), (uint8_t)pin_get(self->credit_flits)};
}

/* ---- the receiver's model ------------------------------------------------------------------------------------ */

/* The packet that ends in this cycle: with its last flit in the cycle before, or cut short now. */
static const struct moehub_link_end *ending(const struct moehub_link_taken *before, const struct moehub_link_taken *now)
{
    return before->end.valid ? &before->end : &now->cut;
}

static void check_writes(struct link_bench *self, const struct moehub_link_taken *now, const struct moehub_link_end *end,
                         unsigned packet_class)
{
    const bool ends = end->valid && end->flits > 0;
    const uint64_t targets = pin_get(self->write_targets);
    const bool known = now->stored && now->first && self->model.has_header &&
                       moehub_header_check(&self->model.config, self->model.flits[0], packet_class).cause == MOEHUB_PACKET_CAUSES;
    const uint64_t expected[5] = {now->stored ? UINT64_C(1) << packet_class : 0, now->stored && now->first,
                                  known ? now->target_flits : 0, ends ? UINT64_C(1) << end->packet_class : 0, ends && end->kept};
    const uint64_t got[5] = {pin_get(self->write_valid), now->stored ? pin_get(self->write_first) : 0, known ? targets : 0,
                             pin_get(self->end_valid), ends ? pin_get(self->end_good) : 0};
    scoreboard_expect(&self->writes, 0, expected);
    scoreboard_check(&self->writes, 0, got);
    if (now->stored) {
        struct moehub_packet_store_cycle *cycle = &self->stores[packet_class].now;
        cycle->write = true;
        cycle->write_first = now->first;
        cycle->write_targets = (uint8_t)targets;
        cycle->write_data = self->arrived.data;
    }
    if (ends) {
        struct moehub_packet_store_cycle *cycle = &self->stores[end->packet_class].now;
        cycle->end = true;
        cycle->end_good = end->kept;
        plane_mark(&self->model.config, end->packet_class, end->header, &end->verdict, cycle->end_mark);
    }
}

/* Flits and their causes count one cycle after those of a packet that is cut short. */
static void check_events(struct link_bench *self, const struct moehub_link_taken *now, const struct moehub_link_end *end)
{
    const bool malformed = end->valid && end->verdict.cause != MOEHUB_PACKET_CAUSES;
    const bool flit_cause = self->before.cause != MOEHUB_LINK_CAUSES;
    const uint64_t causes = (flit_cause ? UINT64_C(1) << self->before.cause : 0) |
                            (uint64_t)now->unended << MOEHUB_LINK_CAUSE_UNENDED |
                            (malformed ? UINT64_C(1) << end->verdict.cause : 0);
    const uint64_t first = flit_cause ? self->before.cause : now->unended ? MOEHUB_LINK_CAUSE_UNENDED : end->verdict.cause;
    const bool has_header = causes != 0 && !flit_cause;
    const uint64_t expected[7] = {causes, end->valid ? UINT64_C(1) << end->packet_class : 0, self->came, causes != 0,
                                  causes != 0 ? first : 0, has_header ? end->header.half[0] : 0,
                                  has_header ? end->header.half[1] : 0};
    uint64_t got[7] = {pin_get(self->causes), pin_get(self->packets), pin_get(self->flit), pin_get(self->error_valid)};
    if (got[3]) {
        got[4] = pin_get(self->error_cause);
        pin_get_words(self->error_header, got + 5);
    }
    scoreboard_expect(&self->events, 0, expected);
    scoreboard_check(&self->events, 0, got);
    for (unsigned cause = 0; cause < MOEHUB_LINK_CAUSES; cause++)
        self->met.of[cause] += causes >> cause & 1;
}

static unsigned space_now(const struct link_bench *self)
{
    unsigned space = 0;
    for (unsigned i = 0; i < CLASSES; i++)
        space |= (unsigned)pin_get(self->stores[i].space) << i;
    return space;
}

static void follow_receiver(struct link_bench *self)
{
    struct moehub_link_taken now = {.cause = MOEHUB_LINK_CAUSES};
    const bool came = self->was_up && self->arrived.valid;
    if (came)
        now = moehub_link_receiver_flit(&self->model, &self->arrived, space_now(self));
    else if (!self->was_up)
        now.cut = moehub_link_receiver_down(&self->model);
    const struct moehub_link_end *end = ending(&self->before, &now);
    if (self->rude + self->flood == 0 && (now.unended || now.cause != MOEHUB_LINK_CAUSES))
        bench_fail(&self->bench, BENCH_MISMATCH, "flits of the sender, undisturbed, break rule %u of the link", now.cause);
    check_writes(self, &now, end, self->arrived.packet_class);
    check_events(self, &now, end);
    self->before = now;
    self->came = came;
    self->crossed += came;
}

/* ---- grants ------------------------------------------------------------------------------------------------------- */

static void follow_grants(struct link_bench *self)
{
    const struct moehub_link_grant wires = granted_wires(self);
    if (self->wires.receiver.up) {
        const uint64_t expected[3] = {self->granted.valid, self->granted.packet_class, self->granted.flits};
        const uint64_t got[3] = {wires.valid, wires.packet_class, wires.flits};
        scoreboard_expect(&self->grants, 0, expected);
        scoreboard_check(&self->grants, 0, got);
    }
    struct moehub_link_stores stores;
    for (unsigned i = 0; i < CLASSES; i++) {
        const struct store_port *port = &self->stores[i];
        stores.initialised[i] = pin_get(port->initialised) != 0;
        stores.free_places[i] = (uint32_t)pin_get(port->free_places);
        stores.freed[i] = pin_get(port->freed_valid) ? (uint32_t)pin_get(port->freed_flits) : 0;
    }
    self->granted = moehub_link_owed_step(&self->owed, self->wires.receiver.up, &stores);
}

/* ---- one cycle ------------------------------------------------------------------------------------------------------ */

static void forget(struct link_bench *self)
{
    moehub_link_receiver_reset(&self->model, &self->maker.config);
    moehub_link_owed_reset(&self->owed);
    self->before = (struct moehub_link_taken){.cause = MOEHUB_LINK_CAUSES};
    self->came = self->was_up = false;
    self->granted.valid = false;
}

static void step(void *context)
{
    struct link_bench *self = context;
    struct moehub_link_flit flit = sender_port_wires(&self->sender);
    struct moehub_link_grant grant = granted_wires(self);
    link_wires_step(&self->wires, &flit, &grant);
    disturb(self, &flit);
    drive_wires(self, &flit);
    sender_port_drive(&self->sender, self->wires.sender.up, &grant);
    for (unsigned i = 0; i < CLASSES; i++)
        store_port_drive(&self->stores[i]);
    bench_settle(&self->bench);
    if (self->bench.reset)
        forget(self);
    else {
        follow_receiver(self);
        follow_grants(self);
    }
    for (unsigned i = 0; i < CLASSES; i++)
        store_port_sample(&self->stores[i]);
    sender_port_sample(&self->sender);
    self->arrived = flit;
    self->was_up = self->wires.receiver.up && !self->bench.reset;
    bench_tick(&self->bench);
}

/* ---- the run ---------------------------------------------------------------------------------------------------------- */

static void set_stalls(struct link_bench *self, enum stall_kind sender, enum stall_kind stores)
{
    self->sender.stall.kind = self->sender.stall.now = sender;
    for (unsigned i = 0; i < CLASSES; i++)
        store_port_set_stalls(&self->stores[i], stores);
}

/* Packets stay until so few places are free: 1 makes stores full, `longest` leaves the next packet its places. */
enum frees { FREES_ALWAYS, FREES_LATE, FREES_WHEN_FULL };
static void set_frees(struct link_bench *self, enum frees frees)
{
    for (unsigned i = 0; i < CLASSES; i++)
        self->stores[i].frees_below = frees == FREES_ALWAYS ? UINT32_MAX : frees == FREES_LATE ? moehub_link_longest(i) : 1;
}

static void draw_stalls(struct link_bench *self)
{
    static const enum stall_kind kinds[] = {STALL_MIXED, STALL_NONE, STALL_LIGHT, STALL_HEAVY};
    set_stalls(self, kinds[random_below(&self->random, 4)], kinds[random_below(&self->random, 4)]);
    set_frees(self, random_chance(&self->random, 1, 3) ? FREES_LATE : FREES_ALWAYS);
}

static uint64_t all_places(const struct link_bench *self)
{
    uint64_t places = 0;
    for (unsigned i = 0; i < CLASSES; i++)
        places += self->stores[i].model.config.places;
    return places;
}

static bool initialised(const struct link_bench *self)
{
    for (unsigned i = 0; i < CLASSES; i++)
        if (self->stores[i].uninitialised <= self->stores[i].model.config.places)
            return false;
    return true;
}

/* Own number, and when the link rises: before the stores are initialised, or after. */
static void restart(struct link_bench *self, unsigned latency)
{
    self->maker.config.own = (uint16_t)random_below(&self->random, self->maker.config.ports);
    pin_set(self->own, self->maker.config.own);
    link_wires_restart(&self->wires, latency, (unsigned)random_range(&self->random, 8, 2 * self->stores[0].model.config.places));
    self->rude = self->flood = 0;
    bench_reset(&self->bench, (unsigned)random_range(&self->random, 1, 3));
    while (!initialised(self) || !link_wires_up(&self->wires))
        step(self);
}

/* The link falls at both ends, and is up again. From there on flits are as the sender sends them. */
static void fall(struct link_bench *self)
{
    link_wires_fall(&self->wires, &self->random);
    while (self->wires.sender.up || self->wires.receiver.up)
        step(self);
    self->rude = self->flood = 0;
    while (!link_wires_up(&self->wires))
        step(self);
}

/* Everything leaves; then each place is a credit in the sender's hand again. */
static void check_credits(struct link_bench *self)
{
    self->sender.pausing = true;
    set_stalls(self, STALL_NONE, STALL_NONE);
    set_frees(self, FREES_ALWAYS);
    bench_run(&self->bench, 2 * all_places(self) + 4 * self->wires.latency + 200);
    for (unsigned i = 0; i < CLASSES; i++) {
        if (!store_port_empty(&self->stores[i]))
            bench_fail(&self->bench, BENCH_MISMATCH, "%s is not empty after all packets were freed", prefixes[i]);
        scoreboard_value(&self->grants, "credits in the sender's hand", self->stores[i].model.config.places,
                         self->sender.model.credits[i]);
    }
    self->sender.pausing = false;
}

static void run_honest(struct link_bench *self)
{
    const uint64_t cycles = random_range(&self->random, 500, 2000) + 4 * self->wires.latency;
    for (unsigned i = 0; i < 3; i++) {
        draw_stalls(self);
        bench_run(&self->bench, cycles / 3);
        if (random_chance(&self->random, 1, 2))
            fall(self);
    }
    check_credits(self);
}

/* Afterwards the accounts are spoiled: until the link falls. */
static void run_rude(struct link_bench *self, bool floods)
{
    draw_stalls(self);
    self->rude = (unsigned)random_range(&self->random, 1, 40);
    self->flood = floods ? 200 : 4;
    if (floods) {
        set_frees(self, FREES_WHEN_FULL);
        bench_run(&self->bench, 2 * all_places(self));
    }
    bench_run(&self->bench, random_range(&self->random, 500, 2000));
    link_wires_fall(&self->wires, &self->random);
    bench_run(&self->bench, 50); /* its flits come while the link is down, too */
    fall(self);
}

/* Where the stores have places for the round trip, a flit crosses in every cycle. */
static void check_rate(struct link_bench *self)
{
    enum { CYCLES = 1000, LATENCY = 2 };
    for (unsigned i = 0; i < CLASSES; i++)
        if (self->stores[i].model.config.places < 4 * moehub_link_longest(i))
            return;
    restart(self, LATENCY);
    set_stalls(self, STALL_NONE, STALL_NONE);
    bench_run(&self->bench, 100);
    const uint64_t before = self->crossed;
    bench_run(&self->bench, CYCLES);
    scoreboard_value(&self->events, "flits in 1000 cycles without stalls", CYCLES, self->crossed - before);
}

static void check_covered(struct link_bench *self)
{
    struct summary *summary = &self->bench.summary;
    summary_number(summary, "packets", (double)self->sender.packets, "started");
    summary_number(summary, "cut or lost as the link fell", (double)self->sender.dropped, "packets");
    summary_number(summary, "starved", (double)self->sender.starved, "cycles");
    if (self->sender.packets == 0 || self->sender.dropped == 0 || self->sender.starved == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "no packet was sent, cut short by the link, or waited for credits");
    cause_count_report(&self->met, &self->bench, MOEHUB_PACKET_CAUSE_TYPE, MOEHUB_LINK_CAUSE_PLACE, 0);
}

/* ---- creation ------------------------------------------------------------------------------------------------------------ */

static void find_pins(struct link_bench *self)
{
    struct bench *bench = &self->bench;
    self->own = bench_pin(bench, "own");
    self->link_up = bench_pin(bench, "receiver_link_up");
    self->flit_valid = bench_pin(bench, "flit_valid");
    self->flit_class = bench_pin(bench, "flit_class");
    self->flit_first = bench_pin(bench, "flit_first");
    self->flit_last = bench_pin(bench, "flit_last");
    self->flit_data = bench_pin(bench, "flit_data");
    self->credit_valid = bench_pin(bench, "credit_valid");
    self->credit_class = bench_pin(bench, "credit_class");
    self->credit_flits = bench_pin(bench, "credit_flits");
    self->write_valid = bench_pin(bench, "write_valid");
    self->write_first = bench_pin(bench, "write_first");
    self->write_targets = bench_pin(bench, "write_targets");
    self->end_valid = bench_pin(bench, "end_valid");
    self->end_good = bench_pin(bench, "end_good");
    self->causes = bench_pin(bench, "causes");
    self->packets = bench_pin(bench, "packets");
    self->flit = bench_pin(bench, "flit");
    self->error_valid = bench_pin(bench, "error_valid");
    self->error_cause = bench_pin(bench, "error_cause");
    self->error_header = bench_pin(bench, "error_header");
}

static void create_stores(struct link_bench *self)
{
    uint32_t places[CLASSES] = {2048, 256, 1024}, shortest_store = 3, target_queue = 16;
    const struct parameter more[] = {{.name = "PLACES_STORE", .value = &places[0]},
                                     {.name = "PLACES_REQUEST", .value = &places[1]},
                                     {.name = "PLACES_RESPONSE", .value = &places[2]},
                                     {.name = "SHORTEST_STORE", .value = &shortest_store},
                                     {.name = "TARGET_QUEUE", .value = &target_queue}};
    const struct moehub_check_config config = check_config_read(more, sizeof more / sizeof *more);
    packet_maker_create(&self->maker, &self->bench, &config, "packets");
    for (unsigned i = 0; i < CLASSES; i++) {
        const struct moehub_packet_store_config store = {.longest = moehub_link_longest(i), .places = places[i],
                                                         .shortest = i == MOEHUB_CLASS_STORE ? shortest_store : 1,
                                                         .target_queue = i == MOEHUB_CLASS_STORE ? target_queue : 0};
        store_port_create(&self->stores[i], &self->bench, prefixes[i], &store, STALL_MIXED);
    }
    self->stores[MOEHUB_CLASS_REQUEST].mask = plane_mark_mask_request;
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Both ends of a link against the C models", .events = 1000000, .cycles = UINT64_MAX, .watchdog = 50000};
    static const unsigned latencies[] = {0, 1, 2, 3, 7, 40, 200, LINK_LATENCY_MAX};
    static struct link_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    find_pins(&self);
    create_stores(&self);
    sender_port_create(&self.sender, bench, "sender_", draw_packet, &self);
    bench_random(bench, &self.random, "link");
    scoreboard_create(&self.grants, bench, "grants", grant_fields, 3, 1, 1);
    scoreboard_create(&self.writes, bench, "writes", write_fields, 5, 1, 1);
    scoreboard_create(&self.events, bench, "events", event_fields, 6, 1, 1);
    bench->step = step;
    bench->context = &self;
    check_rate(&self);
    while (bench_running(bench)) {
        restart(&self, latencies[random_below(&self.random, 8)]);
        for (unsigned i = 0; i < 3; i++) {
            run_honest(&self);
            run_rude(&self, i == 0);
        }
    }
    check_covered(&self);
    const int status = bench_finish(bench);
    for (unsigned i = 0; i < CLASSES; i++)
        store_port_destroy(&self.stores[i]);
    sender_port_destroy(&self.sender);
    scoreboard_destroy(&self.grants);
    scoreboard_destroy(&self.writes);
    scoreboard_destroy(&self.events);
    return status;
}
