/* SPDX-License-Identifier: Apache-2.0 */
/* A whole way against its page (rtl/doc/hub/ingress.md), with everything around it the bench's: the link, the address path,
 * memory, tile tracker, pre_reduce, final_reduce, and who sends. Packets are well-formed, near misses and cut ones; contexts
 * change only while nothing is inside, so that each packet's verdict is known as it is sent. */
#include "bench/hub/way_bench.h"

#include <string.h>

/* ---- one cycle ------------------------------------------------------------------------------------------------------------- */

static void forget(struct way_bench *self)
{
    struct scoreboard *const all[] = {&self->questions, &self->addresses, &self->beats, &self->records, &self->closes,
                                      &self->notifies, &self->requests, &self->results, &self->sent, &self->answers};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        scoreboard_forget(all[i]);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        self->credits_in[i] = self->granted_out[i] = self->withheld_out[i] = 0;
    for (unsigned i = 0; i < LANES; i++) {
        self->lanes[i].sent = self->lanes[i].packet.count = 0;
        self->lanes[i].source.offered = self->lanes[i].source.driving = false;
    }
    for (unsigned i = 0; i < ASKERS; i++)
        self->kept_count[i] = self->questions_expected[i] = self->asked_count[i] = self->given[i] = 0;
    self->sent_flits = self->packet.count = self->target = 0;
    self->cut_open = self->reading = false;
    self->stores_sent = self->stores_moved = self->requests_expected = self->requests_taken = self->requests_done = 0;
    self->released = self->writes_expected = self->started = self->finished = self->responded = self->writes_told = 0;
    self->records_expected = self->records_taken = 0;
    self->flagged = self->model.failed = 0;
    memset(self->model.counters, 0, sizeof self->model.counters);
    moehub_offenders_clear(&self->model.offenders);
    memset(self->events_expected, 0, sizeof self->events_expected);
    memset(self->events_met, 0, sizeof self->events_met);
}

static void drive(struct way_bench *self)
{
    way_drive_contexts(self);
    pin_set(self->own, self->maker.config.own);
    pin_set(self->link_up, 1);
    pin_set(self->initialised, !self->bench.reset && (pin_get(self->initialised) != 0 || way_chance(self, 1, 30)));
    way_drive_link(self);
    way_drive_lanes(self);
    way_drive_grants(self);
    way_drive_answer(self);
    way_drive_responses(self);
    way_drive_pre_reduce(self);
    way_drive_partial_events(self);
    way_registers_drive(&self->registers, self->resting);
    for (unsigned i = 0; i < ASKERS; i++)
        sink_drive(&self->question[i]);
    struct sink *const sinks[] = {&self->aw, &self->w, &self->completed, &self->close, &self->notify, &self->asked,
        &self->result};
    for (unsigned i = 0; i < sizeof sinks / sizeof *sinks; i++)
        sink_drive(sinks[i]);
}

static void step(void *context)
{
    struct way_bench *self = context;
    if (self->bench.reset)
        forget(self);
    drive(self);
    bench_settle(&self->bench);
    if (!self->bench.reset && !self->bench.quiet) {
        way_check_events(self);
        way_sample_grants(self);
    }
    way_check_waits(self);
    way_check_room(self);
    way_registers_sample(&self->registers);
    way_sample_lanes(self);
    way_take_grants(self);
    way_sample_questions(self);
    way_sample_memory(self);
    way_sample_completed(self);
    way_sample_streams(self);
    way_sample_pre_reduce(self);
    bench_tick(&self->bench);
}

/* ---- the run --------------------------------------------------------------------------------------------------------------- */

static void let_go(struct way_bench *self)
{
    if (self->held != NULL)
        self->held->held = false;
    self->held = NULL;
}

/* fills: the class that is to fill up with refused packets, whose records nobody takes; ASKERS: neither. */
static void draw_stalls(struct way_bench *self, unsigned fills)
{
    static const enum stall_kind kinds[] = {STALL_NONE, STALL_LIGHT, STALL_MIXED, STALL_HEAVY};
    struct stall *const all[] = {
        &self->respond, &self->memory, &self->reads, &self->grants, &self->question[STORES].stream.stall,
        &self->question[REQUESTS].stream.stall, &self->aw.stream.stall, &self->w.stream.stall, &self->completed.stream.stall,
        &self->close.stream.stall, &self->notify.stream.stall, &self->asked.stream.stall, &self->result.stream.stall,
        &self->link, &self->lanes[LANE_STORE].source.stream.stall, &self->lanes[LANE_REQUEST].source.stream.stall,
        &self->lanes[LANE_NOTICE].source.stream.stall, &self->lanes[LANE_PARTIAL].source.stream.stall};
    enum { HOLDS = 13 }; /* the first ones: what the way waits for */
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        all[i]->kind = all[i]->now = kinds[way_below(self, 4)];
    let_go(self);
    self->contexts = DRAWN;
    if (fills == ASKERS && way_chance(self, 1, 3))
        self->held = all[way_below(self, HOLDS)];
    else if (fills < ASKERS) {
        self->held = fills == STORES ? &self->completed.stream.stall : &self->asked.stream.stall;
        self->contexts = fills == STORES ? ALL_ARRIVED : NO_PEERS;
    }
    if (self->held != NULL)
        self->held->held = true;
    self->answer_wait = 1 + way_below(self, way_chance(self, 1, 4) ? 400 : 40);
    self->memory_wait = 1 + way_below(self, way_chance(self, 1, 2) ? 600 : 30);
    self->failing = way_chance(self, 1, 4);
}

/* Of the newest packets of a class, whose flits fill these places: how many have records. */
static unsigned records_in(const struct way_bench *self, unsigned asker, uint64_t places)
{
    unsigned records = 0;
    for (uint64_t i = self->kept_count[asker]; places > 0 && i > 0; i--) {
        const struct kept_packet *packet = &self->kept[asker][(i - 1) % PACKETS];
        places -= packet->flits < places ? packet->flits : places;
        records += packet->has_record;
    }
    return records;
}

/* Nobody takes the records of refused packets, and some have no place before them: then all that can hold one does. */
static void check_full(struct way_bench *self)
{
    enum { AFTER = 100, OUTPUT = 1 };
    const bool requests = self->held == &self->asked.stream.stall && self->contexts == NO_PEERS;
    const bool stores = self->held == &self->completed.stream.stall && self->contexts == ALL_ARRIVED;
    if (self->loop_back != 0 || !(requests || stores) || self->bench.cycle - self->last_flit < AFTER)
        return;
    const unsigned of = requests ? MOEHUB_CLASS_REQUEST : MOEHUB_CLASS_STORE;
    const bool open = self->packet.packet_class == of && (self->cut_open || self->sent_flits < self->packet.count);
    const uint64_t places = (pin_get(self->used_places) >> 16 * of & 0xFFFF) - (open ? self->sent_flits : 0);
    if (places == 0)
        return;
    const unsigned asker = requests ? REQUESTS : STORES;
    const uint64_t waiting = requests ? self->requests.waiting : self->records.waiting;
    const uint64_t hold = requests ? self->request_answers + OUTPUT : self->waits.writes + OUTPUT + LINES;
    scoreboard_value(&self->states, "records beyond the places", hold, waiting - records_in(self, asker, places));
    self->full[asker]++;
}

static bool busy(const struct way_bench *self)
{
    bool sending = self->sent_flits < self->packet.count || self->cut_open;
    for (unsigned i = 0; i < LANES; i++)
        sending = sending || !source_free(&self->lanes[i].source) || self->lanes[i].sent < self->lanes[i].packet.count;
    return sending || way_inside(self) > 0 || self->sent.waiting > 0;
}

/* The model counts what it decides; the bench the rest. */
static void take_counters(struct way_bench *self)
{
    for (unsigned i = 0; i < MOEHUB_HUB_WAY_EVENTS; i++) {
        self->events_expected[i] += self->model.counters[i];
        self->model.counters[i] = 0;
    }
}

static void check_drained(struct way_bench *self)
{
    take_counters(self);
    scoreboard_value(&self->states, "places in use", 0, pin_get(self->used_places));
    scoreboard_value(&self->states, "writes in use", 0, pin_get(self->used_writes));
    scoreboard_value(&self->states, "answer places held", 0, pin_get(self->used_answers));
    scoreboard_value(&self->states, "stores in flight", 0, pin_get(self->stores_in_flight));
    scoreboard_value(&self->states, "requests in flight", 0, pin_get(self->requests_in_flight));
    scoreboard_value(&self->states, "answers left", 0, pin_get(self->answers_there));
    scoreboard_value(&self->states, "contexts flagged", self->model.failed, self->flagged);
    for (unsigned i = 0; i < MOEHUB_CLASSES && self->loop_back == 0; i++)
        scoreboard_value(&self->states, "credits that came back", self->places[i], self->credits_in[i]);
    for (unsigned i = 0; i < MOEHUB_HUB_WAY_EVENTS; i++) {
        char name[] = "event 00";
        name[6] = (char)('0' + i / 10);
        name[7] = (char)('0' + i % 10);
        if (i < MOEHUB_HUB_WAY_EVENT_QUESTION_STALLED || i == MOEHUB_HUB_WAY_EVENT_NO_DATA ||
            i == MOEHUB_HUB_WAY_EVENT_NO_PARTIAL_PLACE)
            scoreboard_value(&self->states, name, self->events_expected[i], self->events_met[i]);
    }
}

/* All that came is over, and nothing of it is left. */
static void drain(struct way_bench *self)
{
    enum { MOST = 400000, AFTER = 400 };
    check_full(self);
    let_go(self);
    self->pausing = true;
    unsigned cycles = 0;
    while (busy(self) && cycles++ < MOST)
        step(self);
    if (cycles >= MOST)
        bench_fail(&self->bench, BENCH_TIMEOUT, "packets are not over after %d cycles", MOST);
    bench_run(&self->bench, AFTER); /* malformed packets give their places back; refused ones leave */
    check_drained(self);
    self->resting = true;
    way_registers_check(&self->registers, self->events_expected);
    self->pausing = self->resting = false;
}

static void demand(struct way_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void check_covered(struct way_bench *self)
{
    static const char *const causes[] = {"CONTEXT", "PEER", "ROUND", "OWNER", "ARRIVED", "ANSWER", "WRITE"};
    for (unsigned i = 0; i < sizeof causes / sizeof *causes; i++)
        demand(self, causes[i], self->causes_met[MOEHUB_HUB_WAY_CAUSE_CONTEXT + i]);
    for (unsigned i = 0; i < MOEHUB_PACKET_CAUSES; i++)
        demand(self, "a malformed packet of each cause", self->causes_met[i]);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        demand(self, "accepted packets of each class", self->passes[i]);
    demand(self, "row list words", self->words);
    demand(self, "lines", self->lines);
    demand(self, "writes with an error", self->failed_writes);
    demand(self, "refused answer and failed write in one cycle", self->met_together);
    demand(self, "headers of offenders", self->headers);
    demand(self, "offenders read from the latch", self->registers.latches);
    demand(self, "commands refused", self->registers.refusals);
    static const char *const waits[WAY_WAITS] = {"cycles of stores without an answer place",
        "cycles of requests without an answer place", "cycles of a mover without answer",
        "cycles of a mover that memory stalls", "cycles of a mover without a place for its write"};
    const uint32_t places[WAY_WAITS] = {self->waits.answers[STORES], self->waits.answers[REQUESTS], 1, 1, self->waits.writes};
    for (unsigned i = 0; i < WAY_WAITS; i++)
        if (places[i] <= FILLED_MOST / 4)
            demand(self, waits[i], self->waits.met[i]);
    if (self->loop_back != 0)
        return;
    demand(self, "packets cut short", self->cuts);
    if (self->places[MOEHUB_CLASS_REQUEST] + self->request_answers > FILLED_MOST)
        return;
    demand(self, "rounds that ended full of refused requests", self->full[REQUESTS]);
    if (self->places[MOEHUB_CLASS_STORE] + self->waits.writes <= FILLED_MOST)
        demand(self, "rounds that ended full of refused stores", self->full[STORES]);
}

/* From reset, or when all before it is over. Every eighth fills one of the classes. */
static void run_round(struct way_bench *self, unsigned round)
{
    enum { PERIOD = 16, LONGEST = 4000, FILLING = 6000 };
    const unsigned fills = round % PERIOD == PERIOD / 4 ? STORES : round % PERIOD == 3 * PERIOD / 4 ? REQUESTS : ASKERS;
    if (round == 0 || (self->contexts == DRAWN && way_chance(self, 1, 4)))
        bench_reset(&self->bench, (unsigned)random_range(&self->random, 2, 4));
    else
        drain(self);
    self->flagged = self->model.failed = 0;
    moehub_offenders_clear(&self->model.offenders);
    draw_stalls(self, fills);
    way_draw_contexts(self);
    bench_run(&self->bench, fills < ASKERS ? FILLING : random_range(&self->random, 500, LONGEST));
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "A whole way against its page", .events = 100000, .cycles = UINT64_MAX, .watchdog = 40000};
    static struct way_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    way_create(&self);
    bench->step = step;
    bench->context = &self;
    for (unsigned round = 0; round == 0 || bench_running(bench); round++)
        run_round(&self, round);
    drain(&self);
    check_covered(&self);
    return bench_finish(bench);
}
