/* SPDX-License-Identifier: Apache-2.0 */
/* Output of the response crossbar against the C model: copies of partials, closes and notifies as they are granted, with and
 * without pauses; a link that takes notices late; a reduction buffer that is not initialised; resets in traffic. */
#include "bench/common/packet_maker.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stream.h"
#include "moehub/response_output.h"

/* What the copies of a phase are. */
enum mix { MIX_ALL, MIX_PARTIALS, MIX_NOTICES };

struct output_pins {
    const struct pin *initialised, *room, *granted, *row_valid, *row_number, *row_last, *row_data, *valid, *entry, *generation,
        *port, *status, *element, *length, *data, *last;
};

struct output_met {
    uint64_t partials, empty, notices, no_room, full, at_once;
};

struct output_bench {
    struct bench bench;
    struct moehub_response_output model;
    struct output_pins pins;
    struct sink notices;
    struct packet_maker maker;
    struct scoreboard room, partials, taken;
    struct random_source random;
    struct stall grants, rows;
    enum mix mix;
    struct made_packet copies[MOEHUB_NOTICES_MAX]; /* granted, a ring */
    unsigned first, count, sent;   /* sent: rows of the first one */
    unsigned uninitialised;        /* cycles that are left of that */
    struct output_met met;
    uint64_t row_count;
};

static const struct field room_fields[] = {{"room", 1}, {"notice", 1}};
static const struct field partial_fields[] = {{"valid", 1},  {"entry", 16},  {"generation", 8}, {"port", 6}, {"status", 4},
                                              {"element", 2}, {"length", 9}, {"last", 1},       {"data", 128}};
static const struct field notice_fields[] = {{"data", 128}};

/* ---- drive ------------------------------------------------------------------------------------------------------ */

static bool is_partial(const struct made_packet *packet)
{
    return moehub_header_unpack(packet->flits[0]).type == MOEHUB_PACKET_PARTIAL;
}

static bool wanted(const struct output_bench *self, const struct made_packet *packet)
{
    return packet->packet_class == MOEHUB_CLASS_RESPONSE &&
           (self->mix == MIX_ALL || (self->mix == MIX_PARTIALS) == is_partial(packet));
}

/* Of the header only TYPE matters here, and a partial's SOURCE: noise moves the bits that are the same in all good packets. */
static void put_noise(struct output_bench *self, struct made_packet *packet)
{
    struct moehub_flit *header = &packet->flits[0];
    const uint64_t kept = 0xF | (is_partial(packet) ? UINT64_C(0x3FF) << MOEHUB_HEADER_SOURCE_LSB : 0);
    header->half[0] = (header->half[0] & kept) | (random_next(&self->random) & ~kept);
    header->half[1] = random_next(&self->random);
}

/* From any port. */
static void draw_copy(struct output_bench *self, struct made_packet *packet)
{
    do {
        self->maker.config.own = (uint16_t)random_below(&self->random, self->maker.config.ports);
        packet_maker_good(&self->maker, packet);
    } while (!wanted(self, packet));
    if (random_chance(&self->random, 1, 4))
        put_noise(self, packet);
}

/* The rows of a copy come after its grant. */
static void drive_row(struct output_bench *self, struct moehub_response_output_cycle *cycle)
{
    const struct made_packet *packet = &self->copies[self->first];
    const uint64_t noise[2] = {random_next(&self->random), random_next(&self->random)};
    cycle->row = !self->bench.reset && self->count > 0 && !stall_next(&self->rows);
    pin_set(self->pins.row_valid, cycle->row);
    pin_set(self->pins.row_number, cycle->row ? self->sent : noise[0] >> 8);
    cycle->row_first = self->sent == 0;
    cycle->row_last = cycle->row && self->sent + 1 == packet->count;
    pin_set(self->pins.row_last, cycle->row ? cycle->row_last : noise[0]);
    pin_set_words(self->pins.row_data, cycle->row ? packet->flits[self->sent].half : noise);
    if (!cycle->row)
        return;
    cycle->row_data = packet->flits[self->sent++];
    self->row_count++;
    if (!cycle->row_last)
        return;
    self->first = (self->first + 1) % MOEHUB_NOTICES_MAX;
    self->count--;
    self->sent = 0;
}

static void drive_grant(struct output_bench *self, struct moehub_response_output_cycle *cycle)
{
    const bool space = self->count < MOEHUB_NOTICES_MAX;
    cycle->granted = !self->bench.reset && pin_get(self->pins.room) && space && !stall_next(&self->grants);
    pin_set(self->pins.granted, cycle->granted);
    if (cycle->granted)
        draw_copy(self, &self->copies[(self->first + self->count++) % MOEHUB_NOTICES_MAX]);
}

static void drive(struct output_bench *self, struct moehub_response_output_cycle *cycle)
{
    if (self->bench.reset) {
        self->first = self->count = self->sent = 0;
        self->uninitialised = (unsigned)random_below(&self->random, 40);
    }
    cycle->initialised = self->uninitialised == 0;
    self->uninitialised -= self->uninitialised > 0;
    pin_set(self->pins.initialised, cycle->initialised);
    drive_row(self, cycle);
    drive_grant(self, cycle);
    sink_drive(&self->notices);
}

/* ---- compare ------------------------------------------------------------------------------------------------------- */

static void compare_room(struct output_bench *self)
{
    const uint64_t expected[2] = {self->model.room, self->model.notice};
    const uint64_t got[2] = {pin_get(self->pins.room), pin_get(self->notices.stream.valid)};
    scoreboard_expect(&self->room, 0, expected);
    scoreboard_check(&self->room, 0, got);
}

static void compare_partial(struct output_bench *self)
{
    const struct moehub_partial_flit *partial = &self->model.partial;
    const struct output_pins *pins = &self->pins;
    uint64_t got[10] = {pin_get(pins->valid),  pin_get(pins->entry),   pin_get(pins->generation), pin_get(pins->port),
                        pin_get(pins->status), pin_get(pins->element), pin_get(pins->length),     pin_get(pins->last)};
    if (!partial->valid && got[0] == 0)
        return;
    const uint64_t expected[10] = {partial->valid,   partial->entry,  partial->generation, partial->port,
                                   partial->status,  partial->element, partial->length,    partial->last,
                                   partial->data.half[0], partial->data.half[1]};
    pin_get_words(pins->data, got + 8);
    scoreboard_expect(&self->partials, 0, expected);
    scoreboard_check(&self->partials, 0, got);
    self->met.partials += partial->last;
}

/* ---- one cycle -------------------------------------------------------------------------------------------------------- */

static void follow(struct output_bench *self, struct moehub_response_output_cycle *cycle, const uint64_t *notice)
{
    compare_room(self);
    compare_partial(self);
    cycle->notice_taken = notice != NULL;
    if (notice != NULL) {
        scoreboard_expect(&self->taken, 0, self->model.notice_data.half);
        scoreboard_check(&self->taken, 0, notice);
    }
    if (!moehub_response_output_step(&self->model, cycle))
        bench_fail(&self->bench, BENCH_CONFIGURATION, "the bench has broken a rule of the ports");
    self->met.empty += cycle->row && cycle->row_first && self->model.partial.valid;
    self->met.notices += notice != NULL;
    self->met.no_room += cycle->initialised && !self->model.room;
    self->met.full += self->model.waiting == self->model.notices;
}

static void step(void *context)
{
    struct output_bench *self = context;
    struct moehub_response_output_cycle cycle = {.row = false};
    drive(self, &cycle);
    bench_settle(&self->bench);
    const uint64_t *notice = sink_sample(&self->notices);
    if (self->bench.reset)
        moehub_response_output_reset(&self->model, self->model.notices);
    else
        follow(self, &cycle, notice);
    bench_tick(&self->bench);
}

/* ---- the run ------------------------------------------------------------------------------------------------------------- */

static void set_stalls(struct output_bench *self, enum stall_kind grants, enum stall_kind rows, enum stall_kind notices)
{
    self->grants.kind = self->grants.now = grants;
    self->rows.kind = self->rows.now = rows;
    self->notices.stream.stall.kind = self->notices.stream.stall.now = notices;
}

/* A row a cycle, a notice a cycle. */
static void check_rate(struct output_bench *self)
{
    enum { CYCLES = 2000 };
    bench_reset(&self->bench, 2);
    set_stalls(self, STALL_NONE, STALL_NONE, STALL_NONE);
    for (self->mix = MIX_PARTIALS; self->mix <= MIX_NOTICES; self->mix++) {
        bench_run(&self->bench, 200);
        const uint64_t rows = self->row_count;
        bench_run(&self->bench, CYCLES);
        scoreboard_value(&self->room, "rows in as many cycles", CYCLES, self->row_count - rows);
    }
}

static void run(struct output_bench *self)
{
    static const enum stall_kind kinds[] = {STALL_NONE, STALL_LIGHT, STALL_HEAVY, STALL_MIXED};
    check_rate(self);
    while (bench_running(&self->bench)) {
        self->mix = (enum mix)random_below(&self->random, 3);
        set_stalls(self, kinds[random_below(&self->random, 4)], kinds[random_below(&self->random, 4)],
                   kinds[random_below(&self->random, 4)]);
        bench_run(&self->bench, random_range(&self->random, 100, 1000));
        if (random_chance(&self->random, 1, 4))
            bench_reset(&self->bench, (unsigned)random_range(&self->random, 1, 3));
    }
}

static void demand(struct output_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void check_covered(struct output_bench *self)
{
    demand(self, "partials", self->met.partials);
    demand(self, "partials without payload", self->met.empty);
    demand(self, "notices", self->met.notices);
    demand(self, "no room", self->met.no_room);
    demand(self, "all places taken by notices", self->met.full);
}

/* ---- set up ---------------------------------------------------------------------------------------------------------------- */

static void find_pins(struct output_bench *self)
{
    struct bench *bench = &self->bench;
    struct output_pins *pins = &self->pins;
    pins->initialised = bench_pin(bench, "initialised");
    pins->room = bench_pin(bench, "room");
    pins->granted = bench_pin(bench, "granted");
    pins->row_valid = bench_pin(bench, "row_valid");
    pins->row_number = bench_pin(bench, "row_number");
    pins->row_last = bench_pin(bench, "row_last");
    pins->row_data = bench_pin(bench, "row_data");
    pins->valid = bench_pin(bench, "partial_valid");
    pins->entry = bench_pin(bench, "partial_entry");
    pins->generation = bench_pin(bench, "partial_generation");
    pins->port = bench_pin(bench, "partial_port");
    pins->status = bench_pin(bench, "partial_status");
    pins->element = bench_pin(bench, "partial_element");
    pins->length = bench_pin(bench, "partial_length");
    pins->data = bench_pin(bench, "partial_data");
    pins->last = bench_pin(bench, "partial_last");
}

static void create(struct output_bench *self)
{
    struct bench *bench = &self->bench;
    uint32_t ports = 8, notices = 16;
    const struct parameter parameters[] = {{.name = "PORTS", .value = &ports}, {.name = "NOTICES", .value = &notices}};
    parameters_read(dut_description(), "", NULL, parameters, 2);
    moehub_response_output_reset(&self->model, notices);
    const struct moehub_check_config config = {
        .ports = (uint16_t)ports, .local_expert_bits = 8, .max_targets = 32, .request_lines = 8};
    packet_maker_create(&self->maker, bench, &config, "packets");
    find_pins(self);
    sink_create(&self->notices, bench, "notice", ".", STALL_MIXED);
    stall_init(&self->grants, STALL_MIXED, bench->options.seed, "grants");
    stall_init(&self->rows, STALL_MIXED, bench->options.seed, "rows");
    bench_random(bench, &self->random, "traffic");
    scoreboard_create(&self->room, bench, "room", room_fields, 2, 1, 1);
    scoreboard_create(&self->partials, bench, "partials", partial_fields, 9, 1, 1);
    scoreboard_create(&self->taken, bench, "notices", notice_fields, 1, 1, 1);
    bench->step = step;
    bench->context = self;
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {.description = "Output of the response crossbar against the C model",
                                                     .events = 300000, .cycles = UINT64_MAX, .watchdog = 20000};
    static struct output_bench self;
    bench_create(&self.bench, argc, argv, &defaults, NULL);
    create(&self);
    run(&self);
    check_covered(&self);
    const int status = bench_finish(&self.bench);
    scoreboard_destroy(&self.room);
    scoreboard_destroy(&self.partials);
    scoreboard_destroy(&self.taken);
    return status;
}
