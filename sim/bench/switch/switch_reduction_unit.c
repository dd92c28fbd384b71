/* SPDX-License-Identifier: Apache-2.0 */
/* The switch's reduction buffer with its registers (moehub_switch_reduction_unit): every register access against the
 * register model, all commands through AXI4-Lite, reservations, partials and results all the while.
 *
 * Software cannot see the order between a command and the transfers around it: commands are given while the streams
 * pause, full or empty, with packets still to come. Everything else is read and written in full traffic. */
#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_port.h"
#include "bench/switch/reduction_traffic.h"
#include "kit/axi_lite.h"
#include "moehub/switch_csr.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    ID = 0x000, STATUS = 0x008, INTERRUPT_STATUS = 0x00C, INTERRUPT_MASK = 0x010, COMMAND_DATA = 0x088, COMMAND = 0x098,
    COMMAND_STATUS = 0x09C, TIMEOUT = 0x0A0, SNAPSHOT = 0x0C0, LATCH_STATUS = 0x0C4, LATCH_HEADER = 0x0C8, LATCH_NAME = 0x0D8,
    HIGH_WATER = 0x0DC, COUNTERS = 0x100, LAST_REGISTER = COUNTERS + 8 * MOEHUB_REDUCTION_EVENTS - 4,
};
enum { COMMAND_BUSY = 1, INTERRUPTS = 7, POLLS_MAX = 100000 };

struct unit {
    struct bench bench;
    struct reduction_port port;
    struct moehub_switch_csr csr;
    struct axi_lite lite;
    struct reduction_traffic traffic;
    struct reduction_stimulus stimulus; /* the traffic's, behind the gate */
    struct random_source random;
    struct scoreboard registers;
    const struct pin *interrupt;
    bool paused;          /* no new reservations, no new packets */
    bool refusal_left;    /* but this one */
    struct moehub_reduction_reserve refusal;
    uint32_t high_water;  /* seen at the occupancy pin, since reset */
    uint64_t busy_seen, latches, interrupts;
};

static struct unit unit;

static void step(void *context)
{
    (void)context;
    reduction_port_drive(&unit.port);
    axi_lite_drive(&unit.lite);
    bench_settle(&unit.bench);
    reduction_port_sample(&unit.port);
    axi_lite_sample(&unit.lite);
    if (!unit.bench.reset && pin_get(unit.port.occupancy) > unit.high_water)
        unit.high_water = (uint32_t)pin_get(unit.port.occupancy);
    moehub_switch_csr_update(&unit.csr);
    bench_tick(&unit.bench);
}

/* ---- the gate ----------------------------------------------------------------------------- */

static bool gated_reserve(void *context, struct moehub_reduction_reserve *reserve)
{
    if (unit.refusal_left) {
        *reserve = unit.refusal;
        unit.refusal_left = false;
        return true;
    }
    return !unit.paused && unit.stimulus.next_reserve(context, reserve);
}

static bool gated_packet(void *context, struct reduction_packet *packet)
{
    return !unit.paused && unit.stimulus.next_packet(context, packet);
}

static bool no_command(void *context, struct reduction_command *command)
{
    (void)context;
    (void)command;
    return false;
}

static void install_traffic(void)
{
    unit.stimulus = reduction_traffic_stimulus(&unit.traffic);
    unit.port.stimulus = unit.stimulus;
    unit.port.stimulus.next_reserve = gated_reserve;
    unit.port.stimulus.next_packet = gated_packet;
    unit.port.stimulus.next_command = no_command;
}

/* Until nothing moves: what is reserved and misses partials stays so. A reservation may wait at a full buffer. */
static void pause(void)
{
    unit.paused = true;
    uint64_t start = unit.bench.cycle;
    while (!reduction_check_is_settled(&unit.port.check) || pin_get(unit.port.result.stream.valid) != 0 ||
           pin_get(unit.port.grant.stream.valid) != 0 || unit.port.flits_sent != 0) {
        if (unit.bench.cycle > start + REDUCTION_EMPTYING)
            bench_fail(&unit.bench, BENCH_TIMEOUT, "the streams do not come to rest");
        step(NULL);
    }
}

/* ---- one access ----------------------------------------------------------------------------- */

static void compare_word(const char *what, uint32_t address, uint64_t expected, uint64_t got)
{
    char name[64] = "register";
    if (expected != got)
        snprintf(name, sizeof name, "%s of register 0x%03x", what, address);
    scoreboard_value(&unit.registers, name, expected, got);
}

/* Any write but COMMAND. */
static void write_strobed(uint32_t address, uint32_t data, unsigned strobes)
{
    const unsigned response = axi_lite_write_strobed(&unit.lite, address, data, strobes);
    compare_word("write response", address, moehub_switch_csr_write(&unit.csr, address, data, strobes, false), response);
}

static void write_word(uint32_t address, uint32_t data)
{
    write_strobed(address, data, 0xF);
}

/* Any read; compared where the model knows the bits. */
static uint32_t read_word(uint32_t address)
{
    uint32_t data;
    const unsigned response = axi_lite_read(&unit.lite, address, &data);
    const struct moehub_csr_word word = moehub_switch_csr_read(&unit.csr, address);
    compare_word("read response", address, word.response, response);
    compare_word("known bits", address, word.data, data & word.known);
    return data;
}

/* ---- commands --------------------------------------------------------------------------------- */

static void wait_command(void)
{
    for (unsigned polls = 0; polls < POLLS_MAX; polls++)
        if ((axi_lite_get(&unit.lite, COMMAND_STATUS) & COMMAND_BUSY) == 0)
            return;
    bench_fail(&unit.bench, BENCH_TIMEOUT, "a command stays busy");
}

/* A second command while the first is busy is refused by the bus; once it is over, it is a command like any other. */
static void command_twice(unsigned operation)
{
    const unsigned response = axi_lite_write(&unit.lite, COMMAND, operation);
    const bool busy = response == MOEHUB_CSR_SLVERR;
    unit.busy_seen += busy;
    compare_word("second write response", COMMAND, moehub_switch_csr_write(&unit.csr, COMMAND, operation, 0xF, busy), response);
    wait_command();
}

static void perform(unsigned operation, uint32_t data)
{
    write_word(COMMAND_DATA, data);
    unit.port.check.timeout_changes = true;
    const unsigned response = axi_lite_write(&unit.lite, COMMAND, operation);
    compare_word("write response", COMMAND, moehub_switch_csr_write(&unit.csr, COMMAND, operation, 0xF, false), response);
    if (random_chance(&unit.random, 1, 2))
        command_twice(operation);
    wait_command();
    bench_run(&unit.bench, REDUCTION_COMMAND_TIME);
    unit.port.check.timeout_set_cycle = unit.bench.cycle;
    unit.port.check.timeout_changes = false;
    read_word(COMMAND_STATUS);
    read_word(TIMEOUT);
    read_word(STATUS);
}

/* ---- what only a quiet unit shows ---------------------------------------------------------------- */

static void check_counters(void)
{
    write_word(SNAPSHOT, 0);
    for (uint32_t address = COUNTERS; address <= LAST_REGISTER; address += 4)
        read_word(address);
    for (unsigned event = MOEHUB_REDUCTION_ORDER_EVENTS; event < MOEHUB_REDUCTION_EVENT_DEFERRED; event++)
        if (event != MOEHUB_REDUCTION_EVENT_RESERVE_STALLED) /* it counts on while the buffer is full */
            compare_word("counter", COUNTERS + 8 * event, unit.port.check.observed[event], axi_lite_get64(&unit.lite, COUNTERS + 8 * event));
    compare_word("high water", HIGH_WATER, unit.high_water, read_word(HIGH_WATER));
}

static void check_latch(void)
{
    uint32_t header[4];
    const uint32_t status = read_word(LATCH_STATUS);
    for (unsigned i = 0; i < 4; i++)
        header[i] = read_word(LATCH_HEADER + 4 * i);
    const uint32_t name = read_word(LATCH_NAME);
    unit.latches += status & 1;
    if (!moehub_switch_csr_latch_possible(&unit.csr, status, header, name))
        bench_fail(&unit.bench, BENCH_MISMATCH,
                   "error latch: status 0x%x header %08x %08x %08x %08x name 0x%x is none of the model's %zu candidates", status,
                   header[3], header[2], header[1], header[0], name, unit.port.check.model.offenders.count);
}

static void check_interrupt(void)
{
    for (uint32_t mask = 0; mask <= INTERRUPTS; mask++) {
        write_word(INTERRUPT_MASK, mask);
        const uint32_t status = read_word(INTERRUPT_STATUS);
        bench_run(&unit.bench, 2);
        scoreboard_value(&unit.registers, "interrupt pin", (status & mask) != 0, pin_get(unit.interrupt));
        unit.interrupts += (status & mask) != 0;
    }
    write_word(INTERRUPT_STATUS, (uint32_t)random_bits(&unit.random, 3));
    read_word(INTERRUPT_STATUS);
    if (random_chance(&unit.random, 1, 2)) /* else the latch keeps its first offender through the next round */
        write_word(LATCH_STATUS, (uint32_t)random_bits(&unit.random, 1));
    read_word(LATCH_STATUS);
    read_word(INTERRUPT_STATUS);
}

static void check_quiet(void)
{
    read_word(STATUS);
    check_counters();
    check_latch();
    check_interrupt();
}

/* ---- in full traffic --------------------------------------------------------------------------------- */

/* Counters are read as one set: reservations and refusals add up to the requests but for those under way. */
static void check_consistent_snapshot(void)
{
    enum { UNDER_WAY = 16 };
    uint64_t count[MOEHUB_REDUCTION_ORDER_EVENTS];
    axi_lite_set(&unit.lite, SNAPSHOT, 0);
    for (unsigned event = 0; event < MOEHUB_REDUCTION_ORDER_EVENTS; event++)
        count[event] = axi_lite_get64(&unit.lite, COUNTERS + 8 * event);
    uint64_t decided = count[MOEHUB_REDUCTION_EVENT_RESERVATIONS];
    for (unsigned cause = MOEHUB_REDUCTION_CAUSE_DRAINING; cause <= MOEHUB_REDUCTION_CAUSE_LENGTH; cause++)
        decided += count[MOEHUB_REDUCTION_EVENT_CAUSES + cause];
    uint64_t requests = count[MOEHUB_REDUCTION_EVENT_REQUESTS];
    if (decided > requests || decided + UNDER_WAY < requests)
        bench_fail(&unit.bench, BENCH_MISMATCH, "counters are no consistent set: %" PRIu64 " requests, %" PRIu64 " decided", requests, decided);
    for (unsigned event = 0; event < MOEHUB_REDUCTION_ORDER_EVENTS; event++)
        compare_word("counter, read again", COUNTERS + 8 * event, count[event], axi_lite_get64(&unit.lite, COUNTERS + 8 * event));
}

/* An access whose outcome does not depend on the traffic. */
static void access_anything(void)
{
    static const uint32_t steady[] = {ID, 0x004, INTERRUPT_MASK, COMMAND_DATA, TIMEOUT, 0x014, 0x01C, 0x020, 0x03C, 0x040, 0x084, 0xF00};
    struct random_source *random = &unit.random;
    switch (random_below(random, 6)) {
    case 0:
        write_word(INTERRUPT_MASK, (uint32_t)random_next(random));
        break;
    case 1:
        write_word(COMMAND_DATA, (uint32_t)random_next(random));
        break;
    case 2: /* no effect but the response */
        write_strobed(COMMAND, (uint32_t)random_next(random), (unsigned)random_below(random, 15));
        write_strobed(LATCH_STATUS, 1, (unsigned)random_below(random, 15));
        break;
    case 3:
        check_consistent_snapshot();
        break;
    case 4:
        bench_run(&unit.bench, random_below(random, 500));
        break;
    default:
        read_word(steady[random_below(random, sizeof steady / sizeof *steady)]);
    }
}

/* ---- the parts of a run ---------------------------------------------------------------------------------- */

/* Every address, legal or not, read and written. */
static void sweep_addresses(void)
{
    for (uint32_t address = ID; address <= LAST_REGISTER + 0x20; address++) {
        read_word(address);
        if (address == COMMAND)
            continue;
        write_word(address, (uint32_t)random_next(&unit.random));
        write_strobed(address, (uint32_t)random_next(&unit.random), (unsigned)random_below(&unit.random, 15));
        read_word(address);
    }
}

/* No register answers under a second address, one further address bit away. */
static void sweep_aliases(void)
{
    for (unsigned bit = 9; bit < 12; bit++)
        for (uint32_t address = ID; address <= LAST_REGISTER; address += 4) {
            read_word(address | UINT32_C(1) << bit);
            write_word(address | UINT32_C(1) << bit, (uint32_t)random_next(&unit.random));
        }
    read_word(INTERRUPT_MASK);
}

/* Reservations of no port, with every bit of requester and tag once: the latch repeats all of them. */
static void refused_names(void)
{
    enum { REQUESTER_BITS = 10, LENGTH_BITS = 9, TAG_BITS = 24, LATCHED_BY_THEN = 64 };
    for (unsigned bit = 0; bit < TAG_BITS; bit++) {
        write_word(LATCH_STATUS, 1);
        unit.refusal = (struct moehub_reduction_reserve){.requester = (uint16_t)(1u << bit % REQUESTER_BITS), .tag = UINT64_C(1) << bit,
                                                         .length = (uint16_t)(1u << bit % LENGTH_BITS), .element = MOEHUB_ELEMENT_BF16};
        unit.refusal_left = true;
        while (unit.refusal_left)
            step(NULL);
        bench_run(&unit.bench, LATCHED_BY_THEN);
        check_latch();
    }
}

/* Commands while the streams pause, some entries still waiting. */
static void give_commands(void)
{
    enum { UNKNOWN = 8, TIMEOUT_NEVER_SEEN = 1 << 28 }; /* a bit that no operation has; longer than any run */
    struct random_source *random = &unit.random;
    pause();
    perform(MOEHUB_REDUCTION_COMMAND_FLUSH, 0);
    reduction_port_wait_initialised(&unit.port);
    if (random_chance(random, 1, 2))
        perform((unsigned)random_range(random, 4, 15), 0);
    perform(MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET | UNKNOWN, (uint32_t)random_next(random)); /* refused: the data go nowhere */
    perform(MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, (uint32_t)random_next(random) | TIMEOUT_NEVER_SEEN);
    if (random_chance(random, 1, 2))
        perform(MOEHUB_REDUCTION_COMMAND_DRAIN, 0);
    else
        perform(MOEHUB_REDUCTION_COMMAND_RESUME, 0);
    perform(MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0);
    unit.paused = false;
}

/* Lets everything that is open complete; the buffer is empty afterwards. */
static void complete(void)
{
    unit.paused = false;
    unit.traffic.ending = true;
    reduction_port_settle(&unit.port, REDUCTION_EMPTYING);
    unit.traffic.ending = false;
    unit.paused = true;
    check_quiet();
}

/* Timeouts fire whenever they like, so no other command is given while they are on. */
static void round_with_timeouts(void)
{
    pause();
    perform(MOEHUB_REDUCTION_COMMAND_RESUME, 0);
    perform(MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, (uint32_t)random_range(&unit.random, 1, 300));
    unit.traffic.timeouts = true;
    unit.paused = false;
    for (unsigned i = 0; i < 20; i++)
        access_anything();
    complete();
    perform(MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0);
    unit.traffic.timeouts = false;
    unit.paused = false;
}

static void round_of_traffic(void)
{
    for (unsigned i = 0; i < 20; i++)
        access_anything();
    give_commands();
    for (unsigned i = 0; i < 10; i++)
        access_anything();
    complete();
    if (random_chance(&unit.random, 1, 2)) {
        perform(MOEHUB_REDUCTION_COMMAND_FLUSH, 0); /* empty: not refused */
        reduction_port_wait_initialised(&unit.port);
    }
    perform(MOEHUB_REDUCTION_COMMAND_RESUME, 0);
    unit.paused = false;
}

static void reset(void)
{
    reduction_port_reset(&unit.port, (unsigned)random_range(&unit.random, 1, 5));
    moehub_switch_csr_init(&unit.csr, &unit.port.check.model);
    unit.high_water = 0;
    unit.paused = false;
    while ((axi_lite_get(&unit.lite, STATUS) & 1) == 0)
        continue; /* STATUS says when the buffer is ready; the register access watches for a deadlock */
    reduction_port_wait_initialised(&unit.port);
}

static void create(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "The switch's reduction buffer behind its registers, in RTL against the C model.",
        .events = 30000, .cycles = UINT64_MAX, .watchdog = 50000,
    };
    static const struct field value = {"value", 64};
    bench_create(&unit.bench, argc, argv, &defaults, NULL);
    struct moehub_reduction_buffer_config config = reduction_config_read(dut_description(), "");
    bench_random(&unit.bench, &unit.random, "rounds");
    config.own_port = (uint32_t)random_below(&unit.random, config.ports);
    reduction_port_create(&unit.port, &unit.bench, &config, STALL_MIXED, false);
    unit.port.check.keeps_offenders = true;
    reduction_traffic_create(&unit.traffic, &config, unit.bench.options.seed, "traffic");
    install_traffic();
    scoreboard_create(&unit.registers, &unit.bench, "registers", &value, 1, 1, 1);
    axi_lite_create(&unit.lite, &unit.bench, "s_axil", STALL_MIXED);
    moehub_switch_csr_init(&unit.csr, &unit.port.check.model);
    unit.interrupt = bench_pin(&unit.bench, "interrupt_request");
    unit.bench.watchdog.limit += 8 * reduction_config_patience(&config);
    unit.bench.step = step;
}

int main(int argc, char **argv)
{
    create(argc, argv);
    reset();
    unit.paused = true;
    pause();
    sweep_addresses();
    sweep_aliases();
    complete();
    refused_names();
    unit.paused = false;
    while (bench_running(&unit.bench)) {
        round_of_traffic();
        if (random_chance(&unit.random, 1, 3))
            round_with_timeouts();
        if (random_chance(&unit.random, 1, 8))
            reset();
    }
    complete();
    summary_number(&unit.bench.summary, "error latches read", (double)unit.latches, "");
    summary_number(&unit.bench.summary, "interrupts raised", (double)unit.interrupts, "");
    summary_number(&unit.bench.summary, "commands refused while busy", (double)unit.busy_seen, "");
    int status = bench_finish(&unit.bench);
    reduction_port_destroy(&unit.port);
    reduction_traffic_destroy(&unit.traffic);
    return status;
}
