/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the tile tracker against their model: every access, commands that a tracker of random words answers after
 * random waits, and events, offenders and levels drawn by chance, which counters, latch and marks must show. Events come while
 * the bus is still, but for a SNAPSHOT now and then. */
#include "bench/common/csr_bench.h"
#include "kit/parameters.h"
#include "moehub/tile_tracker_csr.h"

enum { EVENTS = MOEHUB_TILE_TRACKER_EVENTS, LEVEL_BITS = 17, LEVEL_MOST = 65536, MARK_MOST = 65535, OPERATIONS = 3 };

struct registers_bench {
    struct bench bench;
    struct csr_bench csr;
    struct moehub_tile_tracker_config config;
    struct moehub_tile_tracker tracker;
    struct moehub_tile_tracker_csr model;
    struct random_source random;
    const struct pin *events, *error_valid, *error_cause, *error_header, *ready_level, *token_level, *initialised, *has_arrived,
        *sweeping, *command_valid, *command_ready, *command_operation, *command_context, *command_index, *result_valid,
        *result_ready, *result_refused, *result_data0, *result_data1;
    bool traffic;                  /* events come */
    bool hold;                     /* the command under way gets no answer yet */
    bool busy;                     /* and software knows */
    bool asked, answering;         /* a command was taken; its result is offered */
    uint64_t counts[EVENTS];       /* of all events; the model has those that depend on order */
    bool initialised_now;
    uint32_t arrived, swept;       /* a bit a context */
    uint32_t ready, tokens, ready_most, tokens_most;
    unsigned level_bits;           /* how high levels go until the next reset */
    uint64_t accepted, refused, second_commands, saturated, snapshots;
};

static struct registers_bench self;

/* ---- events --------------------------------------------------------------------------------------------------------------- */

static void drive_events(bool on)
{
    const uint64_t events = on ? random_bits(&self.random, EVENTS) : 0;
    pin_set(self.events, events);
    for (unsigned event = 0; event < EVENTS; event++) {
        self.counts[event] += events >> event & 1;
        if (event < MOEHUB_TILE_TRACKER_ORDER_EVENTS)
            self.tracker.counters[event] += events >> event & 1;
    }
}

/* The order is known: the latch has the first. */
static void drive_error(bool on)
{
    const bool error = on && random_chance(&self.random, 1, 16);
    const unsigned cause = (unsigned)random_below(&self.random, MOEHUB_TILE_TRACKER_CAUSES);
    const struct moehub_flit header = {{random_next(&self.random), random_next(&self.random)}};
    pin_set(self.error_valid, error);
    pin_set(self.error_cause, cause);
    pin_set_words(self.error_header, header.half);
    if (error && self.tracker.offenders.count == 0)
        moehub_offenders_add(&self.tracker.offenders, &(struct moehub_offender){.header = header, .cause = (uint8_t)cause});
}

static uint32_t any_level(uint32_t before)
{
    if (!random_chance(&self.random, 1, 8))
        return before;
    const uint32_t level = (uint32_t)random_bits(&self.random, self.level_bits);
    return level > LEVEL_MOST ? LEVEL_MOST : level;
}

static uint32_t higher(uint32_t mark, uint32_t level)
{
    const uint32_t kept = level > MARK_MOST ? MARK_MOST : level;
    return kept > mark ? kept : mark;
}

static void drive_levels(bool on)
{
    if (on) {
        self.ready = any_level(self.ready);
        self.tokens = any_level(self.tokens);
    }
    pin_set(self.ready_level, self.ready);
    pin_set(self.token_level, self.tokens);
    if (self.bench.reset)
        return;
    self.ready_most = higher(self.ready_most, self.ready);
    self.tokens_most = higher(self.tokens_most, self.tokens);
    self.saturated += self.ready > MARK_MOST || self.tokens > MARK_MOST;
}

static void drive_status(void)
{
    pin_set(self.initialised, self.initialised_now);
    pin_set(self.has_arrived, self.arrived);
    pin_set(self.sweeping, self.swept);
}

/* ---- the tracker's side of commands -------------------------------------------------------------------------------------- */

/* The answer is that to the operands of its cycle: the registers must hold them until then. */
static void drive_commands(void)
{
    uint64_t data[2] = {random_next(&self.random), random_next(&self.random)};
    bool refused = random_chance(&self.random, 1, 2);
    if (self.asked && !self.hold && !self.answering)
        self.answering = random_chance(&self.random, 1, 4);
    if (self.answering)
        refused = !moehub_tile_tracker_command(&self.tracker, (unsigned)pin_get(self.command_operation),
                                               (unsigned)pin_get(self.command_context), (uint32_t)pin_get(self.command_index),
                                               data);
    pin_set(self.command_ready, !self.bench.reset && !self.asked && random_chance(&self.random, 1, 4));
    pin_set(self.result_valid, self.answering);
    pin_set(self.result_refused, refused);
    pin_set(self.result_data0, data[0]);
    pin_set(self.result_data1, data[1]);
}

static void sample_commands(void)
{
    if (pin_get(self.command_valid) && pin_get(self.command_ready))
        self.asked = true;
    if (pin_get(self.result_valid) && pin_get(self.result_ready))
        self.asked = self.answering = false;
}

static void step(void *context)
{
    (void)context;
    const bool on = self.traffic && !self.bench.reset;
    csr_bench_drive(&self.csr);
    drive_events(on);
    drive_error(on);
    drive_levels(on);
    drive_status();
    drive_commands();
    bench_settle(&self.bench);
    csr_bench_sample(&self.csr);
    sample_commands();
    bench_tick(&self.bench);
}

static void some_traffic(void)
{
    enum { MOST = 100 };
    self.traffic = true;
    bench_run(&self.bench, random_range(&self.random, 1, MOST));
    if (random_chance(&self.random, 1, 8)) {
        csr_check_snapshot_of_cycle(&self.csr, self.counts, EVENTS);
        self.snapshots++;
    }
    self.traffic = false;
    bench_run(&self.bench, 3);
}

/* ---- the model ------------------------------------------------------------------------------------------------------------ */

static enum moehub_csr_response model_write(void *csr, uint32_t address, uint32_t data, unsigned strobes)
{
    return moehub_tile_tracker_csr_write(csr, address, data, strobes, self.busy);
}

static struct moehub_csr_word model_read(void *csr, uint32_t address)
{
    return moehub_tile_tracker_csr_read(csr, address);
}

static bool model_latch(const void *csr, uint32_t status, const uint32_t header[4], uint32_t name)
{
    return moehub_tile_tracker_csr_latch_possible(csr, status, header, name);
}

/* Words that no order of operations need have left: they only have to be read as they are. */
static void fill_model(void)
{
    for (uint32_t i = 0; i < self.config.tiles; i++) {
        const uint64_t word = random_next(&self.random);
        self.tracker.tile[i] = (struct moehub_tile){
            .balance = (int32_t)(word & 0x3fffffff) - 0x20000000, .rows = word >> 32 & 0x1fff, .computed = word >> 45 & 0xff,
            .finished = word >> 53 & 0xff, .state = word >> 61 & 3, .flagged = word >> 63};
    }
    for (uint32_t i = 0; i < self.config.tokens; i++)
        self.tracker.token[i] = (struct moehub_token){.left = (uint8_t)random_bits(&self.random, 6),
                                                      .state = (uint8_t)random_below(&self.random, 3),
                                                      .failed = random_chance(&self.random, 1, 2)};
    for (unsigned context = 0; context < self.config.contexts; context++)
        for (unsigned gpu = 0; gpu < self.config.gpus; gpu++)
            self.tracker.arrivals[context][gpu] = (struct moehub_arrival){
                .handled = (uint32_t)random_next(&self.random), .announced = (uint32_t)random_next(&self.random),
                .closed = random_chance(&self.random, 1, 2), .complete = random_chance(&self.random, 1, 2)};
}

static void create_model(void)
{
    if (moehub_tile_tracker_create(&self.tracker, &self.config) != 0)
        bench_fail(&self.bench, BENCH_CONFIGURATION, "no memory for the model");
    moehub_tile_tracker_csr_init(&self.model, &self.tracker);
    fill_model();
    self.level_bits = random_chance(&self.random, 1, 4) ? LEVEL_BITS : (unsigned)random_range(&self.random, 3, LEVEL_BITS - 1);
}

static void reset(void)
{
    moehub_tile_tracker_destroy(&self.tracker);
    create_model();
    for (unsigned event = 0; event < EVENTS; event++)
        self.counts[event] = 0;
    self.asked = self.answering = false;
    self.ready = self.tokens = self.arrived = self.swept = 0;
    bench_reset(&self.bench, (unsigned)random_range(&self.random, 1, 3));
    self.ready_most = self.tokens_most = 0;
}

/* ---- commands ------------------------------------------------------------------------------------------------ */

static uint32_t any_index(unsigned operation)
{
    const uint32_t ends[OPERATIONS] = {self.config.tiles, self.config.gpus, self.config.tokens};
    const uint32_t end = ends[operation % OPERATIONS];
    switch (random_below(&self.random, 4)) {
    case 0: return (uint32_t)random_next(&self.random);
    case 1: return end - (uint32_t)random_below(&self.random, 2);
    default: return (uint32_t)random_below(&self.random, end);
    }
}

static void write_operands(unsigned operation)
{
    const bool any = random_chance(&self.random, 1, 4);
    csr_write(&self.csr, MOEHUB_TILE_TRACKER_CSR_COMMAND_CONTEXT,
              any ? (uint32_t)random_next(&self.random) : (uint32_t)random_below(&self.random, self.config.contexts + 1));
    csr_write(&self.csr, MOEHUB_TILE_TRACKER_CSR_COMMAND_INDEX, any_index(operation));
}

/* While it waits for its answer a second one is refused by the bus, and new operands do not reach it. */
static void while_busy(void)
{
    csr_write(&self.csr, MOEHUB_CSR_COMMAND, (uint32_t)random_next(&self.random));
    write_operands((unsigned)random_below(&self.random, OPERATIONS));
    const uint32_t busy = csr_read(&self.csr, MOEHUB_CSR_STATUS) & MOEHUB_TILE_TRACKER_CSR_STATUS_COMMAND_BUSY;
    csr_compare(&self.csr, "COMMAND_BUSY", MOEHUB_CSR_STATUS, MOEHUB_TILE_TRACKER_CSR_STATUS_COMMAND_BUSY, busy);
    self.second_commands++;
}

/* Bits above the operation mean nothing. */
static void command(void)
{
    const bool any = random_chance(&self.random, 1, 8);
    const unsigned operation = (unsigned)random_below(&self.random, any ? 16 : OPERATIONS);
    write_operands(operation);
    self.hold = random_chance(&self.random, 1, 2);
    csr_write(&self.csr, MOEHUB_CSR_COMMAND, ((uint32_t)random_next(&self.random) & ~MOEHUB_CSR_COMMAND_OPERATION) | operation);
    self.busy = self.hold;
    if (self.hold)
        while_busy();
    self.hold = self.busy = false;
    csr_wait(&self.csr, MOEHUB_CSR_COMMAND_STATUS, MOEHUB_CSR_COMMAND_STATUS_BUSY, 0, "a command does not end");
    csr_read(&self.csr, MOEHUB_CSR_COMMAND_STATUS);
    for (uint32_t address = MOEHUB_TILE_TRACKER_CSR_RESULT_DATA0_LOW; address <= MOEHUB_TILE_TRACKER_CSR_RESULT_DATA1_HIGH;
         address += 4)
        csr_read(&self.csr, address);
    self.refused += self.model.bank.refused;
    self.accepted += !self.model.bank.refused;
}

/* ---- checks ---------------------------------------------------------------------------------------------------------------- */

static void check_status(void)
{
    self.initialised_now = random_chance(&self.random, 1, 2);
    self.arrived = (uint32_t)random_bits(&self.random, self.config.contexts);
    self.swept = (uint32_t)random_bits(&self.random, self.config.contexts);
    for (unsigned context = 0; context < self.config.contexts; context++)
        self.tracker.contexts[context].arrived = self.arrived >> context & 1;
    const uint32_t status = csr_read(&self.csr, MOEHUB_CSR_STATUS);
    csr_compare(&self.csr, "fields", MOEHUB_CSR_STATUS, self.initialised_now | self.arrived << 8 | self.swept << 16,
                status);
    const uint32_t marks = csr_read(&self.csr, MOEHUB_CSR_HIGH_WATER);
    csr_compare(&self.csr, "marks", MOEHUB_CSR_HIGH_WATER, self.ready_most | self.tokens_most << 16, marks);
}

static void check_counters(void)
{
    csr_check_counters(&self.csr);
    for (unsigned event = 0; event < EVENTS; event++)
        csr_compare(&self.csr, "count", MOEHUB_CSR_COUNTER_LOW + 8 * event, self.counts[event],
                    axi_lite_get64(&self.csr.lite, MOEHUB_CSR_COUNTER_LOW + 8 * event));
}

static void round_of_checks(void)
{
    some_traffic();
    csr_check_latch(&self.csr);
    check_status();
    check_counters();
    command();
    csr_check_interrupt(&self.csr);
}

static void check_covered(void)
{
    summary_number(&self.bench.summary, "commands accepted", (double)self.accepted, "");
    summary_number(&self.bench.summary, "commands refused", (double)self.refused, "");
    summary_number(&self.bench.summary, "commands while one was busy", (double)self.second_commands, "");
    summary_number(&self.bench.summary, "cycles with a level beyond its mark", (double)self.saturated, "");
    summary_number(&self.bench.summary, "snapshots in traffic", (double)self.snapshots, "");
    csr_bench_summary(&self.csr);
    if (self.accepted == 0 || self.refused == 0 || self.second_commands == 0 || self.saturated == 0 || self.csr.latches == 0 ||
        self.csr.interrupts == 0 || self.snapshots == 0)
        bench_fail(&self.bench, BENCH_NOTHING_COMPARED,
                   "NOT COVERED: no command accepted, none refused, none while busy, no level beyond, no latch, no interrupt or "
                   "no snapshot in traffic");
}

static void find_pins(void)
{
    const struct { const struct pin **pin; const char *name; } pins[] = {
        {&self.events, "events"}, {&self.error_valid, "error_valid"}, {&self.error_cause, "error_cause"},
        {&self.error_header, "error_header"}, {&self.ready_level, "ready_level"}, {&self.token_level, "token_level"},
        {&self.initialised, "initialised"}, {&self.has_arrived, "has_arrived"}, {&self.sweeping, "sweeping"},
        {&self.command_valid, "command_valid"}, {&self.command_ready, "command_ready"},
        {&self.command_operation, "command_operation"}, {&self.command_context, "command_context"},
        {&self.command_index, "command_index"}, {&self.result_valid, "result_valid"}, {&self.result_ready, "result_ready"},
        {&self.result_refused, "result_refused"}, {&self.result_data0, "result_data0"}, {&self.result_data1, "result_data1"}};
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(&self.bench, pins[i].name);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Registers of the tile tracker against their model", .events = 100000, .cycles = UINT64_MAX,
        .watchdog = 20000};
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    struct moehub_tile_tracker_config *config = &self.config;
    *config = moehub_tile_tracker_config_default();
    const struct parameter parameters[] = {{"CONTEXTS", &config->contexts}, {"TILES", &config->tiles},
                                           {"TOKENS", &config->tokens}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    find_pins();
    bench_random(bench, &self.random, "registers");
    create_model();
    const struct csr_model model = {.csr = &self.model, .bank = &self.model.bank, .write = model_write, .read = model_read,
                                    .latch_possible = model_latch};
    csr_bench_create(&self.csr, bench, &model, &moehub_tile_tracker_registers, &self.random);
    bench->step = step;
    bench->context = &self;
    bench_reset(bench, 2);
    csr_check_reset(&self.csr);
    csr_sweep_addresses(&self.csr);
    csr_sweep_registers(&self.csr);
    while (bench_running(bench)) {
        round_of_checks();
        if (random_chance(&self.random, 1, 16))
            reset();
    }
    check_covered();
    const int status = bench_finish(bench);
    moehub_tile_tracker_destroy(&self.tracker);
    scoreboard_destroy(&self.csr.registers);
    return status;
}
