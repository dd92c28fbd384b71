/* SPDX-License-Identifier: Apache-2.0 */
/* A whole hub that is sent rows on all its links as fast as its credits let them come: how many flits a cycle and link it takes.
 *
 * The bench is the other GPUs: each has `--tokens` rows of 56 lines, of which each goes to `--targets` experts of this hub. First
 * come the first lines of all rows, which allocate their slots; some time later all other lines, those of a few rows in turn on
 * each link: each of their questions must hit in the AL-TLB. The GPU at the hub (gpu.h) compares what comes byte by byte, and
 * each event. The rate is that of the others' second and third quarter, as the hub has given credits for most of it by then. */
#include "bench/system/layer_values.h"
#include "bench/system/system_hub.h"
#include "kit/allocate.h"
#include "moehub/driver.h"
#include "moehub/element.h"
#include "moehub/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GPUS = 8, HIDDEN = 7168, ROUND = 3, OWN = 0, THOUSAND = 1000, PACKET_FLITS = 1 + MOEHUB_LINE_UNITS };
enum { QUIET_CYCLES = 4000, TIMEOUT = 1 << 24, GEMM = 1, LINE_TIMEOUT = 16384 };

static int64_t tokens = 16, targets = 1, rows_in_turn = 8, latency = 437, memory = 600, at_least = 0;

static const struct knob knobs[] = {
    {.name = "tokens", .help = "rows of each other GPU (default 16)", .number = &tokens, .minimum = 1, .maximum = 256},
    {.name = "targets",
     .help = "experts here of a row (default 1)",
     .number = &targets,
     .minimum = 1,
     .maximum = MOEHUB_COMPACT_TARGETS},
    {.name = "rows-in-turn",
     .help = "rows of a link whose lines come in turn (default 8)",
     .number = &rows_in_turn,
     .minimum = 1,
     .maximum = 64},
    {.name = "latency", .help = "cycles of a link, each way (default 437)", .number = &latency, .minimum = 1, .maximum = 1000},
    {.name = "memory", .help = "cycles of a memory access (default 600)", .number = &memory, .minimum = 1, .maximum = 4000},
    {.name = "at-least",
     .help = "thousandths of a flit a cycle and link that are demanded (default 0)",
     .number = &at_least,
     .minimum = 0,
     .maximum = THOUSAND},
    {.name = NULL},
};

static const struct options_defaults defaults = {
    .description = "Flits a cycle and link that a whole hub takes.",
    .own_end = "the rows are sent once; --tokens makes it shorter",
    .watchdog = 100000,
};

/* The far end of a link. */
struct feeder {
    struct system_link up, down;
    unsigned credits[MOEHUB_CLASSES], owed[MOEHUB_CLASSES]; /* in hand; places here that the hub does not know of yet */
    uint32_t *rows, row_count, sent;  /* rows of this link; packets of this part that were sent */
    unsigned closes;                  /* peers whose closes were sent */
    struct moehub_link_flit flits[MOEHUB_STORE_LONGEST];
    unsigned flit_count, next;        /* of the packet that is being sent */
    uint64_t flits_sent, quarter[2];  /* of the second part; cycles in which a quarter and three were sent */
};

enum part { NOTHING, FIRST_LINES, PAUSE, OTHER_LINES, CLOSES, ENDED };

struct rate {
    struct bench bench; /* of the run; the hub is a part of it, and the only one that steps */
    struct system_round round;
    uint8_t *bytes; /* of all rows */
    struct system_options options;
    struct system_hub hub;
    struct feeder feeders[GPU_LINKS_MAX];
    unsigned links;
    enum part part;
    uint64_t paused;             /* cycle */
    uint64_t steps, step_cycle;  /* what has happened, and when that last grew */
    struct summary_block rows, tiles, lookups;
};

static _Noreturn void refuse(const char *text)
{
    fprintf(stderr, "hub_rate: %s\n", text);
    exit(BENCH_CONFIGURATION);
}

/* ---- rows ----------------------------------------------------------------------------------------------------- */

/* Every row goes to all experts: `targets` of each GPU. */
static void create_layer(struct rate *self)
{
    struct moehub_options options;
    struct moehub_message message;
    moehub_options_init(&options);
    options.layer.element = (unsigned)moehub_element_parse("fp8");
    options.layer.gpus = GPUS;
    options.layer.hidden = HIDDEN;
    options.layer.experts = options.layer.topk = GPUS * (unsigned)targets;
    options.layer.tokens = (size_t)tokens;
    options.layer.seed = self->bench.options.seed;
    if (moehub_options_check(&options, &message) != 0 || moehub_layer_create(&self->round.layer, &options.layer, &message) != 0)
        refuse(message.text);
    self->round.layer.gpu_tokens[OWN] = 0;
    self->bytes = allocate((size_t)self->round.layer.row_limit * self->round.layer.dispatch_row_bytes, 1);
    for (uint32_t row = 0; row < self->round.layer.row_limit; row++)
        layer_values_row(&self->round.layer, row, self->bytes + (size_t)row * self->round.layer.dispatch_row_bytes);
}

static uint32_t lines_of_row(const struct rate *self)
{
    return (self->round.layer.dispatch_row_bytes + MOEHUB_LINE_BYTES - 1) / MOEHUB_LINE_BYTES;
}

/* Rows of all others, to the links by turns: so those of a link are of several GPUs. */
static void share_rows(struct rate *self)
{
    unsigned next = 0;
    for (unsigned link = 0; link < self->links; link++)
        self->feeders[link].rows = allocate(self->round.layer.tokens, sizeof *self->feeders[link].rows);
    for (uint32_t token = 0; token < self->round.layer.tokens_per_gpu; token++)
        for (unsigned gpu = 0; gpu < GPUS; gpu++)
            if (gpu != OWN) {
                struct feeder *feeder = &self->feeders[next];
                feeder->rows[feeder->row_count++] = moehub_layer_row(&self->round.layer, gpu, token);
                next = next + 1 == self->links ? 0 : next + 1;
            }
}

/* ---- packets -------------------------------------------------------------------------------------------------- */

static void put(struct feeder *feeder, unsigned packet_class, bool last, struct moehub_flit data)
{
    feeder->flits[feeder->flit_count] =
        (struct moehub_link_flit){true, (uint8_t)packet_class, feeder->flit_count == 0, last, data};
    feeder->flit_count++;
}

static void put_line(const struct rate *self, struct feeder *feeder, uint32_t row, uint32_t line)
{
    const unsigned gpu = moehub_layer_row_gpu(&self->round.layer, row);
    const uint32_t token = moehub_layer_row_token(&self->round.layer, row);
    struct moehub_header header = {.type = MOEHUB_PACKET_MULTIMEM_STORE,
                                   .format = MOEHUB_FORMAT_COMPACT,
                                   .source = (uint16_t)gpu,
                                   .round = ROUND,
                                   .row_index = gpu_layout_index(self->hub.rounds.layouts, gpu, token),
                                   .offset = (uint16_t)(line * MOEHUB_LINE_BYTES),
                                   .length = MOEHUB_LINE_BYTES,
                                   .element = MOEHUB_ELEMENT_BYTES,
                                   .first = line == 0,
                                   .target_count = (uint8_t)targets};
    for (unsigned i = 0; i < (unsigned)targets; i++)
        header.local_targets[i] = (uint8_t)i;
    put(feeder, MOEHUB_CLASS_STORE, false, moehub_header_pack(&header));
    const uint8_t *bytes = self->bytes + (size_t)row * self->round.layer.dispatch_row_bytes + (size_t)line * MOEHUB_LINE_BYTES;
    for (unsigned unit = 0; unit < MOEHUB_LINE_UNITS; unit++)
        put(feeder, MOEHUB_CLASS_STORE, unit == MOEHUB_LINE_UNITS - 1,
            moehub_flit_from_bytes(bytes + unit * MOEHUB_FLIT_BYTES));
}

static void put_close(const struct rate *self, struct feeder *feeder, unsigned gpu)
{
    const struct moehub_header header = {.type = MOEHUB_PACKET_CLOSE,
                                         .source = (uint16_t)gpu,
                                         .round = ROUND,
                                         .offset = OWN,
                                         .row_index = (uint32_t)(tokens * targets) * lines_of_row(self)};
    put(feeder, MOEHUB_CLASS_RESPONSE, true, moehub_header_pack(&header));
}

/* ---- the far ends --------------------------------------------------------------------------------------------- */

/* Lines of this part of a row. */
static uint32_t lines_of_part(const struct rate *self)
{
    return self->part == FIRST_LINES ? 1 : lines_of_row(self) - 1;
}

/* The GPU whose close a link sends next; GPUS and more: no other. */
static unsigned next_close(const struct rate *self, unsigned link, const struct feeder *feeder)
{
    return 1 + feeder->closes * self->links + link;
}

/* Every packet of the part has begun. */
static bool no_packet_left(const struct rate *self, unsigned link, const struct feeder *feeder)
{
    return self->part == CLOSES ? next_close(self, link, feeder) >= GPUS
                                : feeder->sent == feeder->row_count * lines_of_part(self);
}

/* The next packet of the part; false: there is none. Rows come in turn within groups of `rows_in_turn`. */
static bool next_packet(const struct rate *self, unsigned link, struct feeder *feeder)
{
    feeder->flit_count = feeder->next = 0;
    if (no_packet_left(self, link, feeder))
        return false;
    if (self->part == CLOSES) {
        put_close(self, feeder, next_close(self, link, feeder));
        feeder->closes++;
        return true;
    }
    const uint32_t lines = lines_of_part(self), turn = (uint32_t)rows_in_turn, first = feeder->sent / (turn * lines) * turn;
    const uint32_t rows = feeder->row_count - first < turn ? feeder->row_count - first : turn, n = feeder->sent - first * lines;
    put_line(self, feeder, feeder->rows[first + n % rows], n / rows + (self->part == OTHER_LINES));
    feeder->sent++;
    return true;
}

static bool sends(const struct rate *self)
{
    return self->part == FIRST_LINES || self->part == OTHER_LINES || self->part == CLOSES;
}

/* Flits of the second part by link. */
static uint64_t flits_of_part(const struct rate *self, const struct feeder *feeder)
{
    return (uint64_t)feeder->row_count * (lines_of_row(self) - 1) * PACKET_FLITS;
}

static void count_flit(const struct rate *self, struct feeder *feeder)
{
    if (self->part != OTHER_LINES)
        return;
    feeder->flits_sent++;
    for (unsigned i = 0; i < 2; i++)
        if (feeder->flits_sent == flits_of_part(self, feeder) * (1 + 2 * i) / 4)
            feeder->quarter[i] = self->hub.bench.cycle;
}

/* A packet begins with credits for all of it. */
static struct moehub_link_flit next_flit(const struct rate *self, unsigned link, struct feeder *feeder)
{
    const struct moehub_link_flit none = {.valid = false};
    if (feeder->next == feeder->flit_count && (!sends(self) || !next_packet(self, link, feeder)))
        return none;
    const unsigned packet_class = feeder->flits[0].packet_class;
    if (feeder->next == 0) {
        if (feeder->credits[packet_class] < feeder->flit_count)
            return none;
        feeder->credits[packet_class] -= feeder->flit_count;
    }
    count_flit(self, feeder);
    return feeder->flits[feeder->next++];
}

/* Places here are free at once. */
static struct moehub_link_grant next_grant(struct feeder *feeder)
{
    for (unsigned packet_class = 0; packet_class < MOEHUB_CLASSES; packet_class++)
        if (feeder->owed[packet_class] != 0) {
            const unsigned owed = feeder->owed[packet_class], flits = owed < MOEHUB_GRANT_MAX ? owed : MOEHUB_GRANT_MAX;
            feeder->owed[packet_class] -= flits;
            return (struct moehub_link_grant){true, (uint8_t)packet_class, (uint8_t)flits};
        }
    return (struct moehub_link_grant){.valid = false};
}

static void step_feeder(const struct rate *self, unsigned link, struct feeder *feeder)
{
    const uint64_t cycle = self->hub.bench.cycle;
    const struct link_moment *came = system_link_come(&feeder->up, cycle);
    if (came->grant.valid && came->grant.packet_class < MOEHUB_CLASSES)
        feeder->credits[came->grant.packet_class] += came->grant.flits;
    if (came->flit.valid)
        feeder->owed[came->flit.packet_class]++;
    struct link_moment sent = {.flit = {.valid = false}};
    if (!self->hub.bench.reset)
        sent = (struct link_moment){next_flit(self, link, feeder), next_grant(feeder)};
    system_link_send(&feeder->down, cycle, &sent);
}

/* A packet that waits for credits is not sent. */
static bool all_sent(const struct rate *self)
{
    for (unsigned link = 0; link < self->links; link++) {
        const struct feeder *feeder = &self->feeders[link];
        if (!no_packet_left(self, link, feeder) || feeder->next != feeder->flit_count)
            return false;
    }
    return true;
}

/* ---- the run -------------------------------------------------------------------------------------------------- */

static void begin_part(struct rate *self, enum part part)
{
    self->part = part;
    self->paused = self->hub.bench.cycle;
    for (unsigned link = 0; link < self->links; link++)
        self->feeders[link].sent = 0;
}

static void supervise(struct rate *self)
{
    if (self->part == NOTHING && self->hub.started) {
        self->hub.may_start = true;
        begin_part(self, FIRST_LINES);
    } else if (sends(self) && all_sent(self)) {
        begin_part(self, (enum part)(self->part + 1));
    } else if (self->part == PAUSE && self->hub.bench.cycle - self->paused > QUIET_CYCLES) {
        begin_part(self, OTHER_LINES);
    }
    self->hub.may_stop = gpu_finished(self->hub.rounds.gpus);
    self->hub.may_count = self->hub.stopped;
}

static void watch(struct rate *self)
{
    uint64_t steps = (uint64_t)self->part + self->hub.rounds.gpus->counts.rows_received + self->hub.rounds.gpus->counts.tiles +
                     (self->hub.started ? 1u : 0u) + (self->hub.stopped ? 1u : 0u);
    for (unsigned link = 0; link < self->links; link++)
        steps += self->feeders[link].down.sent.flits;
    if (steps != self->steps) {
        self->steps = steps;
        self->step_cycle = self->hub.bench.cycle;
    }
    if (self->hub.bench.cycle - self->step_cycle > self->bench.watchdog.limit)
        bench_fail(&self->hub.bench, BENCH_TIMEOUT, "the hub did not get on for %" PRIu64 " cycles (--watchdog): part %d",
                   self->bench.watchdog.limit, (int)self->part);
}

static void run(struct rate *self)
{
    while (!self->hub.software.ended) {
        for (unsigned link = 0; link < self->links; link++)
            step_feeder(self, link, &self->feeders[link]);
        system_hub_step(&self->hub);
        supervise(self);
        watch(self);
    }
    self->bench.cycle = self->hub.bench.cycle;
}

/* ---- the report ----------------------------------------------------------------------------------------------- */

static void add_block(struct rate *self, struct summary_block *block, const char *name, uint64_t compared)
{
    *block = (struct summary_block){.name = name, .compared = compared};
    summary_add_block(&self->bench.summary, block);
    self->bench.compared += compared;
}

/* All but the first questions of a row and expert hit, or the rate is of something else. */
static void check_lookups(struct rate *self)
{
    const uint64_t *counters = self->hub.counters[MOEHUB_WINDOW_ADDRESS_PATH];
    const uint64_t first = (uint64_t)(GPUS - 1) * (uint64_t)(tokens * targets);
    if (counters[MOEHUB_HUB_EVENT_MISSES] != first || counters[MOEHUB_HUB_EVENT_HITS] != first * (lines_of_row(self) - 1))
        bench_fail(&self->hub.bench, BENCH_MISMATCH,
                   "AL-TLB: %" PRIu64 " misses, %" PRIu64 " hits; of %" PRIu64 " rows all lines but one must hit",
                   counters[MOEHUB_HUB_EVENT_MISSES], counters[MOEHUB_HUB_EVENT_HITS], first);
    add_block(self, &self->lookups, "lookups", first * lines_of_row(self));
}

/* Cycles that the ways of links waited, of all of a run. */
static json_t *waits(const struct rate *self)
{
    static const struct {
        unsigned event;
        const char *name;
    } causes[] = {
        {MOEHUB_HUB_WAY_EVENT_QUESTION_STALLED, "question"},
        {MOEHUB_HUB_WAY_EVENT_NO_ANSWER_PLACE, "no answer place"},
        {MOEHUB_HUB_WAY_EVENT_ANSWER_MISSING, "answer missing"},
        {MOEHUB_HUB_WAY_EVENT_MEMORY_STALLED, "memory"},
        {MOEHUB_HUB_WAY_EVENT_NO_WRITE_PLACE, "no write place"},
        {MOEHUB_HUB_WAY_EVENT_COMPLETED_STALLED, "completed write waits for its turn"},
    };
    json_t *waits = json_object();
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        uint64_t sum = 0;
        for (unsigned link = 0; link < self->links; link++)
            sum += self->hub.counters[MOEHUB_WINDOW_WAY + link][causes[i].event];
        json_object_set_new(waits, causes[i].name, json_integer((json_int_t)sum));
    }
    return waits;
}

static double rate_of(const struct rate *self, const struct feeder *feeder)
{
    const uint64_t flits = flits_of_part(self, feeder) * 3 / 4 - flits_of_part(self, feeder) / 4;
    return (double)flits / (double)(feeder->quarter[1] - feeder->quarter[0]);
}

static void report(struct rate *self)
{
    struct summary *summary = &self->bench.summary;
    json_t *rates = json_array();
    double least = 1, sum = 0;
    uint64_t flits = 0, packets = 0;
    for (unsigned link = 0; link < self->links; link++) {
        const double rate = rate_of(self, &self->feeders[link]);
        json_array_append_new(rates, json_real(rate));
        least = rate < least ? rate : least;
        sum += rate;
        packets += self->feeders[link].down.sent.packets;
        flits += self->feeders[link].flits_sent;
    }
    add_block(self, &self->rows, "rows received", self->hub.rounds.gpus->counts.rows_received);
    add_block(self, &self->tiles, "tile events", self->hub.rounds.gpus->counts.tiles);
    check_lookups(self);
    summary_number(summary, "flits a cycle and link, least", least, "");
    summary_json(summary, "rates", rates);
    summary_json(summary, "waited", waits(self));
    summary_json(summary, "least", json_real(least));
    summary_json(summary, "links", json_integer((json_int_t)self->links));
    summary_json(summary, "targets", json_integer((json_int_t)targets));
    summary_json(summary, "rows_in_turn", json_integer((json_int_t)rows_in_turn));
    summary_json(summary, "memory", json_integer((json_int_t)memory));
    summary_json(summary, "flits", json_integer((json_int_t)flits));
    summary_json(summary, "packets", json_integer((json_int_t)packets)); /* with first lines and closes, as what waited */
    summary_json(summary, "pairs_a_cycle", json_real(sum * (double)targets / PACKET_FLITS));
    summary_json(summary, "hub", json_string(system_hub_description(self->options.model)));
    if (least * THOUSAND < (double)at_least)
        bench_fail(&self->hub.bench, BENCH_MISMATCH, "%.4f flits a cycle and link, %.3f are demanded (--at-least)", least,
                   (double)at_least / THOUSAND);
}

/* ---- the parts ------------------------------------------------------------------------------------------------ */

static void create_parts(struct rate *self)
{
    const struct gpu_manners none = {.withheld = GPU_WITHHELD_NOTHING};
    self->options = (struct system_options){.latency_minimum = (unsigned)memory,
                                            .latency_maximum = (unsigned)memory,
                                            .stall = STALL_NONE,
                                            .tile_shift = 1,
                                            .timeout = TIMEOUT,
                                            .line_timeout = LINE_TIMEOUT,
                                            .counted = true,
                                            .model = &dut_model_built,
                                            .gpu = {.rows_open = 1,
                                                    .window = 1,
                                                    .store_parts = 1,
                                                    .tokens_asked = 1,
                                                    .gemm = GEMM,
                                                    .tile_readiness = true}};
    system_hub_create(&self->hub, &self->bench, OWN, &self->options);
    self->links = self->hub.shape.links;
    if (self->hub.shape.gpus != GPUS || self->hub.shape.local_experts < targets)
        refuse("the hub was built with other GPUS, or with fewer LOCAL_EXPERTS than --targets");
    for (unsigned link = 0; link < self->links; link++) {
        struct feeder *feeder = &self->feeders[link];
        system_link_create(&feeder->up, (unsigned)latency);
        system_link_create(&feeder->down, (unsigned)latency);
        for (unsigned packet_class = 0; packet_class < MOEHUB_CLASSES; packet_class++)
            feeder->owed[packet_class] = MOEHUB_GRANT_MAX;
        self->hub.out[link] = &feeder->up;
        self->hub.in[link] = &feeder->down;
    }
    self->round.number = ROUND;
    system_hub_begin(&self->hub, &self->round, 1, &none);
    share_rows(self);
}

static void destroy_parts(struct rate *self)
{
    system_hub_end(&self->hub);
    system_hub_destroy(&self->hub);
    for (unsigned link = 0; link < self->links; link++) {
        system_link_destroy(&self->feeders[link].up);
        system_link_destroy(&self->feeders[link].down);
        free(self->feeders[link].rows);
    }
    moehub_layer_destroy(&self->round.layer);
    free(self->bytes);
}

int main(int argc, char **argv)
{
    static struct rate self;
    bench_create(&self.bench, argc, argv, &defaults, knobs);
    create_layer(&self);
    create_parts(&self);
    run(&self);
    report(&self);
    destroy_parts(&self);
    return bench_finish(&self.bench);
}
