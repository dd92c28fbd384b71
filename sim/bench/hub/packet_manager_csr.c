/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of the packet manager against their model: every access, commands with operands around the ends of their range, and
 * events, offenders and levels drawn by chance, which counters, latch and marks must show. Events come while the bus is still,
 * but for a SNAPSHOT now and then. */
#include "bench/common/csr_bench.h"
#include "kit/parameters.h"
#include "moehub/packet_manager_csr.h"

enum { EVENTS = MOEHUB_PACKET_MANAGER_EVENTS, REDUCE_EVENTS = 7, CAUSES = 5, TIMEOUT_MOST = 32768 };

struct registers_bench {
    struct bench bench;
    struct csr_bench csr;
    struct moehub_packet_manager_config config;
    struct moehub_packet_manager manager;
    struct moehub_packet_manager_csr model;
    struct random_source random;
    const struct pin *events, *reduce_events, *error_valid, *error_cause, *error_header, *reduce_error_valid,
        *reduce_error_header, *slots_level, *rows_level, *initialised, *line_timeout;
    uint32_t reduces;
    bool traffic;                  /* events come */
    uint64_t counts[EVENTS];       /* of all events; the model has those that depend on order */
    uint32_t slots, rows, slots_most, rows_most;
    uint64_t accepted, refused, both_errors, snapshots;
};

static struct registers_bench self;

/* ---- events --------------------------------------------------------------------------------------------------------------- */

static void count(unsigned event)
{
    self.counts[event]++;
    if (event < MOEHUB_PACKET_MANAGER_ORDER_EVENTS)
        self.manager.counters[event]++;
}

/* The order is known: the latch has the first. */
static void offend(unsigned cause, struct moehub_flit header)
{
    if (self.manager.offenders.count == 0)
        moehub_offenders_add(&self.manager.offenders, &(struct moehub_offender){.header = header, .cause = (uint8_t)cause});
}

/* Event bits that are not the packet manager's own mean nothing on `events`. */
static bool from_manager(unsigned event)
{
    return event != MOEHUB_PACKET_MANAGER_CAUSE_COMMAND && event != MOEHUB_PACKET_MANAGER_CAUSE_REDUCE &&
           (event < MOEHUB_PACKET_MANAGER_EVENT_REDUCES || event > MOEHUB_PACKET_MANAGER_EVENT_ANSWERED) &&
           event < MOEHUB_PACKET_MANAGER_EVENT_REDUCE_NO_GROUP;
}

static unsigned reduce_event(unsigned bit)
{
    return bit < 5 ? MOEHUB_PACKET_MANAGER_EVENT_REDUCES + bit : MOEHUB_PACKET_MANAGER_EVENT_REDUCE_NO_GROUP + bit - 5;
}

static void count_events(uint64_t events, uint64_t reduce_events)
{
    for (unsigned event = 0; event < EVENTS; event++)
        if (from_manager(event) && (events >> event & 1) != 0)
            count(event);
    for (unsigned bit = 0; bit < REDUCE_EVENTS; bit++)
        if ((reduce_events >> bit & 1) != 0)
            count(reduce_event(bit));
}

static void drive_errors(bool on)
{
    const bool error = on && random_chance(&self.random, 1, 16), reduce = on && random_chance(&self.random, 1, 16);
    const unsigned cause = 1 + (unsigned)random_below(&self.random, CAUSES);
    const struct moehub_flit header = {{random_next(&self.random), random_next(&self.random)}};
    const struct moehub_flit reduce_header = {{random_next(&self.random), random_next(&self.random)}};
    pin_set(self.error_valid, error);
    pin_set(self.error_cause, cause);
    pin_set_words(self.error_header, header.half);
    pin_set(self.reduce_error_valid, reduce);
    pin_set_words(self.reduce_error_header, reduce_header.half);
    self.both_errors += error && reduce && self.manager.offenders.count == 0;
    if (error)
        offend(cause, header);
    if (reduce) {
        offend(MOEHUB_PACKET_MANAGER_CAUSE_REDUCE, reduce_header);
        count(MOEHUB_PACKET_MANAGER_CAUSE_REDUCE);
    }
}

static void drive_levels(void)
{
    if (random_chance(&self.random, 1, 8))
        self.slots = (uint32_t)random_below(&self.random, self.config.lines + 1);
    if (random_chance(&self.random, 1, 8))
        self.rows = (uint32_t)random_below(&self.random, self.config.rows + 1);
}

static void drive(void)
{
    const bool on = self.traffic && !self.bench.reset;
    const uint64_t meaningless = 1u << MOEHUB_PACKET_MANAGER_CAUSE_COMMAND | 1u << MOEHUB_PACKET_MANAGER_CAUSE_REDUCE |
                                 0x1fu << MOEHUB_PACKET_MANAGER_EVENT_REDUCES | 3u << MOEHUB_PACKET_MANAGER_EVENT_REDUCE_NO_GROUP;
    const uint64_t drawn = random_bits(&self.random, EVENTS);
    const uint64_t events = on ? drawn : drawn & meaningless;
    const uint64_t reduce_events = on ? random_bits(&self.random, REDUCE_EVENTS) : 0;
    pin_set(self.events, events);
    pin_set(self.reduce_events, reduce_events);
    count_events(events, reduce_events);
    drive_errors(on);
    if (on)
        drive_levels();
    pin_set(self.slots_level, self.slots);
    pin_set(self.rows_level, self.rows);
    if (!self.bench.reset) {
        self.slots_most = self.slots > self.slots_most ? self.slots : self.slots_most;
        self.rows_most = self.rows > self.rows_most ? self.rows : self.rows_most;
    }
}

static void step(void *context)
{
    (void)context;
    csr_bench_drive(&self.csr);
    drive();
    bench_settle(&self.bench);
    csr_bench_sample(&self.csr);
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
    return moehub_packet_manager_csr_write(csr, address, data, strobes, false);
}

static struct moehub_csr_word model_read(void *csr, uint32_t address)
{
    return moehub_packet_manager_csr_read(csr, address);
}

static bool model_latch(const void *csr, uint32_t status, const uint32_t header[4], uint32_t name)
{
    return moehub_packet_manager_csr_latch_possible(csr, status, header, name);
}

static void create_model(void)
{
    if (moehub_packet_manager_create(&self.manager, &self.config) != 0)
        bench_fail(&self.bench, BENCH_CONFIGURATION, "no memory for the model");
    moehub_packet_manager_csr_init(&self.model, &self.manager, self.reduces);
}

static void reset(void)
{
    moehub_packet_manager_destroy(&self.manager);
    create_model();
    for (unsigned event = 0; event < EVENTS; event++)
        self.counts[event] = 0;
    bench_reset(&self.bench, (unsigned)random_range(&self.random, 1, 3));
    self.slots_most = self.rows_most = 0;
    csr_compare(&self.csr, "LINE_TIMEOUT", MOEHUB_PACKET_MANAGER_CSR_LINE_TIMEOUT, 16384, pin_get(self.line_timeout));
}

/* ---- checks ---------------------------------------------------------------------------------------------------------------- */

/* Half of the operands are near the ends of the range. */
static uint32_t any_timeout(void)
{
    static const uint32_t ends[] = {0, 1, 2, TIMEOUT_MOST - 1, TIMEOUT_MOST, TIMEOUT_MOST + 1, 65535, 65536, 65537,
                                    UINT32_C(1) << 31, UINT32_MAX};
    switch (random_below(&self.random, 4)) {
    case 0: return ends[random_below(&self.random, sizeof ends / sizeof *ends)];
    case 1: return (uint32_t)random_next(&self.random);
    default: return (uint32_t)random_range(&self.random, 1, TIMEOUT_MOST);
    }
}

/* Some find the latch empty. Bits above the operation mean nothing; the operand may be written anew while the command runs. */
static void command(void)
{
    const bool any = random_chance(&self.random, 1, 4);
    const uint32_t word = ((uint32_t)random_next(&self.random) & ~MOEHUB_CSR_COMMAND_OPERATION) |
                          (any ? (uint32_t)random_bits(&self.random, 4) : MOEHUB_PACKET_MANAGER_COMMAND_LINE_TIMEOUT_SET);
    if (random_chance(&self.random, 1, 2))
        csr_write(&self.csr, MOEHUB_CSR_LATCH_STATUS, MOEHUB_CSR_LATCH_STATUS_LATCHED);
    csr_write(&self.csr, MOEHUB_PACKET_MANAGER_CSR_COMMAND_DATA, any_timeout());
    csr_write(&self.csr, MOEHUB_CSR_COMMAND, word);
    if (self.manager.offenders.count > 1)
        self.manager.offenders.count = 1;
    csr_write(&self.csr, MOEHUB_PACKET_MANAGER_CSR_COMMAND_DATA, (uint32_t)random_next(&self.random));
    csr_read(&self.csr, MOEHUB_CSR_COMMAND_STATUS);
    csr_read(&self.csr, MOEHUB_PACKET_MANAGER_CSR_LINE_TIMEOUT);
    csr_compare(&self.csr, "the wires of LINE_TIMEOUT", MOEHUB_PACKET_MANAGER_CSR_LINE_TIMEOUT, self.manager.line_timeout,
                pin_get(self.line_timeout));
    self.counts[MOEHUB_PACKET_MANAGER_CAUSE_COMMAND] = self.manager.counters[MOEHUB_PACKET_MANAGER_CAUSE_COMMAND];
    self.refused += self.model.bank.refused;
    self.accepted += !self.model.bank.refused;
}

static void check_status(void)
{
    const bool initialised = random_chance(&self.random, 1, 2);
    pin_set(self.initialised, initialised);
    const uint32_t status = csr_read(&self.csr, MOEHUB_CSR_STATUS);
    csr_compare(&self.csr, "fields", MOEHUB_CSR_STATUS, initialised | self.rows << 8, status);
    const uint32_t marks = csr_read(&self.csr, MOEHUB_CSR_HIGH_WATER);
    csr_compare(&self.csr, "marks", MOEHUB_CSR_HIGH_WATER, self.slots_most | self.rows_most << 16, marks);
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
    csr_check_latch(&self.csr);
    csr_check_interrupt(&self.csr);
}

static void check_covered(void)
{
    summary_number(&self.bench.summary, "commands accepted", (double)self.accepted, "");
    summary_number(&self.bench.summary, "commands refused", (double)self.refused, "");
    summary_number(&self.bench.summary, "two offenders at once", (double)self.both_errors, "");
    summary_number(&self.bench.summary, "snapshots in traffic", (double)self.snapshots, "");
    csr_bench_summary(&self.csr);
    if (self.accepted == 0 || self.refused == 0 || self.both_errors == 0 || self.csr.latches == 0 || self.csr.interrupts == 0 ||
        self.snapshots == 0)
        bench_fail(&self.bench, BENCH_NOTHING_COMPARED,
                   "NOT COVERED: no command accepted, or none refused, no two offenders at once, no latch, no "
                   "interrupt or no snapshot in traffic");
}

static void find_pins(void)
{
    struct bench *bench = &self.bench;
    self.events = bench_pin(bench, "events");
    self.reduce_events = bench_pin(bench, "reduce_events");
    self.error_valid = bench_pin(bench, "error_valid");
    self.error_cause = bench_pin(bench, "error_cause");
    self.error_header = bench_pin(bench, "error_header");
    self.reduce_error_valid = bench_pin(bench, "reduce_error_valid");
    self.reduce_error_header = bench_pin(bench, "reduce_error_header");
    self.slots_level = bench_pin(bench, "slots_level");
    self.rows_level = bench_pin(bench, "rows_level");
    self.initialised = bench_pin(bench, "initialised");
    self.line_timeout = bench_pin(bench, "line_timeout");
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "Registers of the packet manager against their model", .events = 100000, .cycles = UINT64_MAX,
        .watchdog = 20000};
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    struct moehub_packet_manager_config *config = &self.config;
    *config = moehub_packet_manager_config_default();
    self.reduces = 16;
    const struct parameter parameters[] = {{"ROWS", &config->rows}, {"LINES", &config->lines},
                                           {"STORE_BYTES", &config->store_bytes}, {"REDUCES", &self.reduces}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    find_pins();
    bench_random(bench, &self.random, "registers");
    create_model();
    const struct csr_model model = {.csr = &self.model, .bank = &self.model.bank, .write = model_write, .read = model_read,
                                    .latch_possible = model_latch};
    csr_bench_create(&self.csr, bench, &model, &moehub_packet_manager_registers, &self.random);
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
    moehub_packet_manager_destroy(&self.manager);
    scoreboard_destroy(&self.csr.registers);
    return status;
}
