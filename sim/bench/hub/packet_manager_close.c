/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a context alone (rtl/doc/hub/packet_manager.md section 7): counts of any size for any peer in any cycle, so that
 * sums use all their bits and follow one another in every distance; closes, aborts and ADVANCE of all contexts amid that; links
 * that fall, a taker that waits, commands before initialisation, resets. */
#include "kit/bits.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "moehub/packet.h"

#include <string.h>

enum { CONTEXTS_MOST = 8, GPUS_MOST = 64, COUNT_BITS = 17 };
enum { CLOSE, ABORT, ADVANCE };
/* Cycles: in which a pair's 32 bits may wrap, with a third of 2^17 in each fourth one; after which its close has come. */
enum { MARATHON = 600000, CLOSED_IN = 10000 };
enum { USED_LATE = 3, BEGINS = 8 }; /* cycles: from a context's last count to `used`; from what a close waits for to its notice */

enum phase { CLEAN, RUNNING, EMPTY, ADVANCING }; /* empty: all its entries are free */

struct life {
    enum phase phase;
    uint64_t last_add;          /* cycle of its last count */
    bool used;
    bool asked, begun, closed;  /* CLOSE or ABORT was taken; the first of its closes; told */
    unsigned next;              /* the GPU from which on the next close is */
    uint32_t pairs[GPUS_MOST];
    uint64_t peers;
    uint8_t round;
};

struct close_bench {
    struct bench bench;
    const struct pin *initialised, *start, *own, *link_up, *rounds, *peers, *used, *end_valid, *end_ready, *end_data, *abort;
    const struct pin *closed, *add_valid, *add_context, *add_gpu, *add_count, *notice_valid, *notice_ready, *notice_data;
    struct scoreboard notices, states;
    struct random_source random;
    struct stall adds, takes;
    uint32_t links, gpus, contexts;
    struct life lives[CONTEXTS_MOST];
    unsigned own_now, link_up_now, link_up_before;
    bool started;                   /* `start` is high */
    bool offered;                   /* a command is */
    unsigned what, of;
    uint64_t since, adds_since;     /* cycle of its offer; counts meanwhile */
    unsigned hot_context, hot_gpu;  /* often counted: sums follow one another */
    bool marathon;                  /* that pair alone stays, and is counted till its sum has wrapped */
    bool adding;
    unsigned add_to, add_peer;
    uint32_t add_pairs;
    bool waits;                     /* a notice was offered and not taken */
    uint64_t held[3];
    uint64_t idle;                  /* cycles in which a close could go on, and no notice was there */
    uint64_t closes, aborts, advances, late_aborts, forwarded[3], wide, early, resets;
    int history[2];                 /* words of the counts of the two cycles before, or -1 */
};

static bool chance(struct close_bench *self, unsigned numerator, unsigned denominator)
{
    return random_chance(&self->random, numerator, denominator);
}

static unsigned below(struct close_bench *self, uint64_t bound)
{
    return (unsigned)random_below(&self->random, bound);
}

/* ---- contexts -------------------------------------------------------------------------------------------------------------- */

static void draw_context(struct close_bench *self, unsigned c)
{
    struct life *life = &self->lives[c];
    *life = (struct life){.phase = CLEAN, .round = (uint8_t)random_bits(&self->random, 4), .peers = bits_mask(self->gpus)};
    if (chance(self, 1, 2))
        life->peers &= random_next(&self->random) | UINT64_C(1) << self->own_now;
}

static void forget(struct close_bench *self)
{
    scoreboard_forget(&self->notices);
    self->own_now = below(self, self->gpus);
    for (unsigned c = 0; c < self->contexts; c++)
        draw_context(self, c);
    self->started = self->offered = self->waits = false;
    self->idle = 0;
    self->history[0] = self->history[1] = -1;
}

static void offer(struct close_bench *self, unsigned what, unsigned c)
{
    self->offered = true;
    self->what = what;
    self->of = c;
    self->since = self->bench.cycle;
    self->adds_since = 0;
}

/* One command at a time, as the contexts' unit gives them. */
static void draw_command(struct close_bench *self)
{
    const unsigned c = below(self, self->contexts);
    const struct life *life = &self->lives[c];
    if (self->offered || !chance(self, 1, 8))
        return;
    if (life->phase == CLEAN && chance(self, 1, 4))
        offer(self, ADVANCE, c); /* changes nothing */
    else if (life->phase == RUNNING && !life->asked && !(self->marathon && c == self->hot_context) && chance(self, 1, 16))
        offer(self, chance(self, 1, 2) ? CLOSE : ABORT, c);
    else if (life->asked && !life->closed && chance(self, 1, 32))
        offer(self, ABORT, c); /* after a CLOSE, its closes may have begun */
    else if (life->phase == EMPTY && (life->closed || (!life->asked && chance(self, 1, 8))))
        offer(self, ADVANCE, c); /* also of one that was never closed */
    if (self->offered && self->what == ADVANCE)
        self->lives[c].phase = ADVANCING;
}

static void live(struct close_bench *self, unsigned c)
{
    struct life *life = &self->lives[c];
    if (life->phase == CLEAN && chance(self, 1, 64))
        life->phase = RUNNING;
    const bool stays = self->marathon && c == self->hot_context;
    const bool ends = life->phase == RUNNING && !stays && (life->asked ? chance(self, 1, 64) : chance(self, 1, 2048));
    if (ends && (!self->offered || self->of != c)) {
        life->phase = EMPTY;
        life->last_add = self->bench.cycle;
    }
    life->used = life->phase == RUNNING || (life->phase == EMPTY && self->bench.cycle < life->last_add + USED_LATE);
}

static void draw_add(struct close_bench *self)
{
    if (!self->marathon && chance(self, 1, 32)) {
        self->hot_context = below(self, self->contexts);
        self->hot_gpu = below(self, self->gpus);
    }
    const bool hot = chance(self, 1, 2);
    self->add_to = hot ? self->hot_context : below(self, self->contexts);
    self->add_peer = hot ? self->hot_gpu : below(self, self->gpus);
    const unsigned bits = chance(self, 1, 2) ? COUNT_BITS : below(self, COUNT_BITS + 1);
    self->add_pairs = (uint32_t)random_bits(&self->random, bits);
    self->adding = self->started && !stall_next(&self->adds) && self->lives[self->add_to].phase == RUNNING;
}

/* ---- a cycle --------------------------------------------------------------------------------------------------------------- */

static void drive_contexts(struct close_bench *self)
{
    uint64_t rounds = 0, used = 0, peers[CONTEXTS_MOST * GPUS_MOST / 64 + 1] = {0};
    for (unsigned c = 0; c < self->contexts; c++) {
        bits_set(&rounds, 4 * c, 4, self->lives[c].round);
        bits_set(&used, c, 1, self->lives[c].used);
        bits_set(peers, c * self->gpus, self->gpus, self->lives[c].peers);
    }
    pin_set(self->rounds, rounds);
    pin_set(self->used, used);
    pin_set_words(self->peers, peers);
    pin_set(self->own, self->own_now);
    pin_set(self->link_up, self->link_up_now);
}

static void drive(struct close_bench *self)
{
    uint64_t command = 0;
    if (!self->bench.reset && self->started)
        for (unsigned c = 0; c < self->contexts; c++)
            live(self, c);
    if (!self->bench.reset)
        draw_command(self);
    if (chance(self, 1, 128))
        self->link_up_now = chance(self, 1, 2) ? (unsigned)bits_mask(self->links)
                                               : (unsigned)random_bits(&self->random, self->links);
    draw_add(self);
    drive_contexts(self);
    pin_set(self->start, self->started);
    pin_set(self->end_valid, self->offered);
    bits_set(&command, 0, 2, self->what);
    bits_set(&command, 2, 3, self->of);
    pin_set(self->end_data, command);
    pin_set(self->add_valid, self->adding);
    pin_set(self->add_context, self->add_to);
    pin_set(self->add_gpu, self->add_peer);
    pin_set(self->add_count, self->add_pairs);
    pin_set(self->notice_ready, !stall_next(&self->takes));
}

/* ---- judge ----------------------------------------------------------------------------------------------------------------- */

static unsigned notice_way(const struct close_bench *self, unsigned gpu)
{
    const unsigned links = self->links > 1 ? self->links : 1; /* there is one at least */
    if (gpu == self->own_now)
        return links;
    for (unsigned i = 0; i < links; i++)
        if (self->link_up_before >> (gpu + i) % links & 1)
            return (gpu + i) % links;
    return gpu % links;
}

static unsigned next_peer(const struct close_bench *self, const struct life *life, unsigned from)
{
    while (from < self->gpus && !(life->peers >> from & 1))
        from++;
    return from;
}

/* A notice that begins: the next close of a context whose closes may begin, or have. */
static void expect_notice(struct close_bench *self, unsigned c)
{
    struct life *life = c < self->contexts ? &self->lives[c] : NULL;
    if (life == NULL || !life->asked || life->used || life->closed)
        bench_fail(&self->bench, BENCH_MISMATCH, "a close of context %u, which may not close", c);
    for (unsigned other = 0; other < self->contexts; other++)
        if (other != c && self->lives[other].begun && !self->lives[other].closed)
            bench_fail(&self->bench, BENCH_MISMATCH, "a close of context %u amid those of context %u", c, other);
    life->begun = true;
    life->next = next_peer(self, life, life->next);
    if (life->next == self->gpus)
        bench_fail(&self->bench, BENCH_MISMATCH, "a close of context %u after its last one", c);
    const struct moehub_header header = {.type = MOEHUB_PACKET_CLOSE, .source = (uint16_t)self->own_now, .context = (uint8_t)c,
                                         .round = life->round, .offset = (uint16_t)life->next,
                                         .row_index = life->pairs[life->next]};
    const struct moehub_flit flit = moehub_header_pack(&header);
    const uint64_t item[] = {flit.half[0], flit.half[1], notice_way(self, life->next)};
    scoreboard_expect(&self->notices, 0, item);
    self->wide += life->pairs[life->next] >> 31;
    self->closes++;
    life->next++;
}

static void check_notice(struct close_bench *self)
{
    const bool valid = pin_get(self->notice_valid) != 0, ready = pin_get(self->notice_ready) != 0;
    uint64_t data[3] = {0};
    pin_get_words(self->notice_data, data);
    if (self->waits && (!valid || memcmp(data, self->held, sizeof data) != 0))
        bench_fail(&self->bench, BENCH_MISMATCH, "a notice was withdrawn or changed");
    if (valid && !self->waits)
        expect_notice(self, moehub_header_unpack((struct moehub_flit){{data[0], data[1]}}).context);
    if (valid && ready)
        scoreboard_check(&self->notices, 0, data);
    self->waits = valid && !ready;
    memcpy(self->held, data, sizeof data);
}

/* Closes that wait for nobody go on: each peer takes some cycles, each GPU that is none takes one, each count may take one. */
static void check_progress(struct close_bench *self)
{
    bool may = false;
    for (unsigned c = 0; c < self->contexts; c++)
        may = may || (self->lives[c].asked && !self->lives[c].used && !self->lives[c].closed);
    if (!may || pin_get(self->notice_valid) || pin_get(self->closed))
        self->idle = 0;
    else if (!self->adding && ++self->idle > self->gpus + BEGINS)
        bench_fail(&self->bench, BENCH_MISMATCH, "a context may close, and nothing is told for %u cycles", self->gpus + BEGINS);
}

static void check_closed(struct close_bench *self)
{
    const uint64_t closed = pin_get(self->closed);
    for (unsigned c = 0; c < self->contexts; c++) {
        struct life *life = &self->lives[c];
        if (!(closed >> c & 1))
            continue;
        if (!life->begun || life->closed || next_peer(self, life, life->next) < self->gpus || self->waits)
            bench_fail(&self->bench, BENCH_MISMATCH, "context %u is told as closed: twice, or before its last close", c);
        life->closed = true;
    }
}

/* CLOSE and ABORT are taken the cycle after they came, ADVANCE when the pairs are 0: in each cycle in which nothing is added one
 * of them becomes it. */
static void check_command(struct close_bench *self)
{
    const bool ready = pin_get(self->end_ready) != 0;
    const uint64_t age = self->bench.cycle - self->since;
    const bool aborts = self->offered && self->started && self->what == ABORT;
    const uint64_t values[] = {aborts ? UINT64_C(1) << self->of : 0, pin_get(self->abort)};
    if (values[0] != values[1])
        bench_fail(&self->bench, BENCH_MISMATCH, "abort: %#llx, expected %#llx", (unsigned long long)values[1],
                   (unsigned long long)values[0]);
    self->adds_since += self->adding;
    const bool at_once = self->offered && self->what != ADVANCE;
    if (ready && (!self->offered || !self->started || age == 0))
        bench_fail(&self->bench, BENCH_MISMATCH, "ready without a command, or before it may be taken");
    if (self->started && at_once && ready != (age == 1))
        bench_fail(&self->bench, BENCH_MISMATCH, "CLOSE and ABORT are taken the cycle after they came");
    if (self->started && self->offered && !ready && age > self->gpus + self->adds_since + BEGINS)
        bench_fail(&self->bench, BENCH_MISMATCH, "a command is not taken after %llu cycles", (unsigned long long)age);
    if (!ready)
        return;
    struct life *life = &self->lives[self->of];
    scoreboard_value(&self->states, "command", 1, 1);
    self->offered = false;
    self->late_aborts += self->what == ABORT && life->begun;
    self->aborts += self->what == ABORT;
    if (self->what == ADVANCE) {
        self->advances++;
        draw_context(self, self->of);
    } else
        life->asked = true;
}

static void take_add(struct close_bench *self)
{
    const int word = self->adding ? (int)(self->add_to * self->gpus + self->add_peer) : -1;
    if (self->adding) {
        self->lives[self->add_to].pairs[self->add_peer] += self->add_pairs;
        self->forwarded[0] += word == self->history[0];
        self->forwarded[1] += word == self->history[1] && word != self->history[0];
        self->forwarded[2] += word == self->history[1] && word == self->history[0];
    }
    self->history[1] = self->history[0];
    self->history[0] = word;
}

/* What waits before `start`, or in the cycle in which it comes, counts from then on. */
static void check_start(struct close_bench *self)
{
    if (self->bench.quiet && (pin_get(self->initialised) || pin_get(self->end_ready) || pin_get(self->notice_valid) ||
                              pin_get(self->closed)))
        bench_fail(&self->bench, BENCH_MISMATCH, "something is told in the cycle after reset");
    if (self->started)
        return;
    self->early += self->offered;
    self->since = self->bench.cycle + 1;
    self->idle = self->bench.quiet ? 0 : self->idle + 1;
    if (self->idle > self->contexts * self->gpus + BEGINS)
        bench_fail(&self->bench, BENCH_MISMATCH, "not initialised after %llu cycles", (unsigned long long)self->idle);
}

static void step(void *context)
{
    struct close_bench *self = context;
    if (self->bench.reset)
        forget(self);
    drive(self);
    bench_settle(&self->bench);
    if (!self->bench.reset) {
        check_start(self);
        check_command(self);
        check_closed(self);
        check_notice(self);
        if (self->started)
            check_progress(self);
        take_add(self);
        if (!self->started && pin_get(self->initialised)) {
            self->started = true;
            self->idle = 0;
        }
    }
    self->link_up_before = self->link_up_now;
    bench_tick(&self->bench);
}

/* ---- the run --------------------------------------------------------------------------------------------------------------- */

static void find_pins(struct close_bench *self)
{
    const struct { const struct pin **pin; const char *name; } pins[] = {
        {&self->initialised, "initialised"}, {&self->start, "start"}, {&self->own, "own"}, {&self->link_up, "link_up"},
        {&self->rounds, "rounds"}, {&self->peers, "peers"}, {&self->used, "used"}, {&self->end_valid, "s_axis_end_tvalid"},
        {&self->end_ready, "s_axis_end_tready"}, {&self->end_data, "s_axis_end_tdata"}, {&self->abort, "aborts"},
        {&self->closed, "closed"}, {&self->add_valid, "add_valid"}, {&self->add_context, "add_context"},
        {&self->add_gpu, "add_gpu"}, {&self->add_count, "add_count"}, {&self->notice_valid, "m_axis_notice_tvalid"},
        {&self->notice_ready, "m_axis_notice_tready"}, {&self->notice_data, "m_axis_notice_tdata"}};
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(&self->bench, pins[i].name);
}

static void check_covered(struct close_bench *self)
{
    const struct { const char *what; uint64_t count; } demands[] = {
        {"closes", self->closes}, {"aborts", self->aborts}, {"advances", self->advances}, {"resets", self->resets},
        {"closes of 2^31 pairs and more", self->wide}, {"aborts amid closes", self->late_aborts},
        {"cycles of commands before initialisation", self->early}, {"counts of the same pair one ahead", self->forwarded[0]},
        {"counts of the same pair two ahead", self->forwarded[1]}, {"... and both", self->forwarded[2]}};
    for (size_t i = 0; i < sizeof demands / sizeof *demands; i++) {
        summary_number(&self->bench.summary, demands[i].what, (double)demands[i].count, "");
        if (demands[i].count == 0)
            bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "\"%s\" never happened", demands[i].what);
    }
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "The end of a packet manager's contexts against its page", .events = 50000, .cycles = UINT64_MAX,
        .watchdog = 20000};
    static const struct field notice_fields[] = {{"flit", 128}, {"way", 3}}, values[] = {{"value", 64}};
    static struct close_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    self.links = 1;
    self.gpus = 8;
    self.contexts = 4;
    const struct parameter parameters[] = {{"LINKS", &self.links}, {"GPUS", &self.gpus}, {"CONTEXTS", &self.contexts}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    find_pins(&self);
    scoreboard_create(&self.notices, bench, "closes", notice_fields, 2, 1, 2);
    scoreboard_create(&self.states, bench, "commands", values, 1, 1, 2);
    bench_random(bench, &self.random, "contexts");
    stall_init(&self.adds, STALL_MIXED, bench->options.seed, "counts");
    stall_init(&self.takes, STALL_MIXED, bench->options.seed, "notices");
    bench->step = step;
    bench->context = &self;
    bench_reset(bench, 2);
    self.marathon = true;
    while (bench_running(bench) || self.wide == 0) {
        if (self.marathon)
            bench_run(bench, random_range(&self.random, MARATHON / 4, MARATHON));
        const bool brief = !self.marathon && chance(&self, 1, 2);
        self.marathon = false;
        bench_run(bench, brief ? random_range(&self.random, 1, 200) : random_range(&self.random, CLOSED_IN, 10 * CLOSED_IN));
        self.marathon = chance(&self, 1, 8) || self.wide == 0;
        bench_reset(bench, (unsigned)random_range(&self.random, 1, 3));
        self.resets++;
    }
    check_covered(&self);
    const int status = bench_finish(bench);
    scoreboard_destroy(&self.notices);
    scoreboard_destroy(&self.states);
    return status;
}
