/* SPDX-License-Identifier: Apache-2.0 */
/* The switch's reduction buffer with its registers (moehub_switch_reduction_unit): every register access against the
 * register model, all commands through AXI4-Lite, reservations, partials and results all the while.
 *
 * Software cannot see the order between a command and the transfers around it: commands are given while the streams
 * pause, full or empty, with packets still to come. Everything else is read and written in full traffic, and rst comes in
 * it too. */
#include "bench/common/csr_bench.h"
#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_port.h"
#include "bench/switch/reduction_traffic.h"
#include "moehub/switch_csr.h"

#include <inttypes.h>
#include <stdio.h>

struct unit {
    struct bench bench;
    struct reduction_port port;
    struct moehub_switch_csr model;
    struct csr_bench csr;
    struct reduction_traffic traffic;
    struct reduction_stimulus stimulus; /* the traffic's, behind the gate */
    struct random_source random;
    bool paused;          /* no new reservations, no new packets */
    bool refusal_left;    /* but this one */
    struct moehub_reduction_reserve refusal;
    uint32_t high_water;  /* seen at the occupancy pin, since reset */
    uint64_t busy_seen;
    uint64_t cut_off;     /* resets with something in the buffer */
};

static struct unit unit;
static void flip(void);

static void step(void *context)
{
    (void)context;
    reduction_port_drive(&unit.port);
    csr_bench_drive(&unit.csr);
    bench_settle(&unit.bench);
    reduction_port_sample(&unit.port);
    csr_bench_sample(&unit.csr);
    if (!unit.bench.reset && pin_get(unit.port.occupancy) > unit.high_water)
        unit.high_water = (uint32_t)pin_get(unit.port.occupancy);
    moehub_switch_csr_update(&unit.model);
    bench_tick(&unit.bench);
    flip();
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

static enum moehub_csr_response model_write(void *csr, uint32_t address, uint32_t data, unsigned strobes)
{
    return moehub_switch_csr_write(csr, address, data, strobes, false);
}

static struct moehub_csr_word model_read(void *csr, uint32_t address)
{
    return moehub_switch_csr_read(csr, address);
}

static bool model_latch(const void *csr, uint32_t status, const uint32_t header[4], uint32_t name)
{
    return moehub_switch_csr_latch_possible(csr, status, header, name);
}

/* ---- commands --------------------------------------------------------------------------------- */

static void wait_command(void)
{
    csr_wait(&unit.csr, MOEHUB_CSR_COMMAND_STATUS, MOEHUB_CSR_COMMAND_STATUS_BUSY, 0, "a command stays busy");
}

/* A second command while the first is busy is refused by the bus; once it is over, it is a command like any other. */
static void command_twice(unsigned operation)
{
    const unsigned response = axi_lite_write(&unit.csr.lite, MOEHUB_CSR_COMMAND, operation);
    const bool busy = response == MOEHUB_CSR_SLVERR;
    unit.busy_seen += busy;
    csr_compare(&unit.csr, "second write response", MOEHUB_CSR_COMMAND,
                moehub_switch_csr_write(&unit.model, MOEHUB_CSR_COMMAND, operation, 0xF, busy), response);
    wait_command();
}

static void perform(unsigned operation, uint32_t data)
{
    csr_write(&unit.csr, MOEHUB_SWITCH_CSR_COMMAND_DATA, data);
    unit.port.check.timeout_changes = true;
    const unsigned response = axi_lite_write(&unit.csr.lite, MOEHUB_CSR_COMMAND, operation);
    csr_compare(&unit.csr, "write response", MOEHUB_CSR_COMMAND,
                moehub_switch_csr_write(&unit.model, MOEHUB_CSR_COMMAND, operation, 0xF, false), response);
    if (random_chance(&unit.random, 1, 2))
        command_twice(operation);
    wait_command();
    bench_run(&unit.bench, REDUCTION_COMMAND_TIME);
    unit.port.check.timeout_set_cycle = unit.bench.cycle;
    unit.port.check.timeout_changes = false;
    csr_read(&unit.csr, MOEHUB_CSR_COMMAND_STATUS);
    csr_read(&unit.csr, MOEHUB_SWITCH_CSR_TIMEOUT);
    csr_read(&unit.csr, MOEHUB_CSR_STATUS);
}

/* ---- what only a quiet unit shows ---------------------------------------------------------------- */

static void check_counters(void)
{
    csr_check_counters(&unit.csr);
    for (unsigned event = MOEHUB_REDUCTION_ORDER_EVENTS; event < MOEHUB_REDUCTION_EVENT_DEFERRED; event++) {
        const uint32_t address = MOEHUB_CSR_COUNTER_LOW + 8 * event;
        if (event != MOEHUB_REDUCTION_EVENT_RESERVE_STALLED) /* it counts on while the buffer is full */
            csr_compare(&unit.csr, "counter", address, unit.port.check.observed[event], axi_lite_get64(&unit.csr.lite, address));
    }
    csr_compare(&unit.csr, "high water", MOEHUB_CSR_HIGH_WATER, unit.high_water, csr_read(&unit.csr, MOEHUB_CSR_HIGH_WATER));
}

static void check_quiet(void)
{
    csr_read(&unit.csr, MOEHUB_CSR_STATUS);
    check_counters();
    csr_check_latch(&unit.csr);
    csr_check_interrupt(&unit.csr);
}

/* ---- in full traffic --------------------------------------------------------------------------------- */

/* Counters are read as one set: reservations and refusals add up to the requests but for those under way. */
static void check_consistent_snapshot(void)
{
    enum { UNDER_WAY = 16 };
    uint64_t count[MOEHUB_REDUCTION_ORDER_EVENTS];
    axi_lite_set(&unit.csr.lite, MOEHUB_CSR_SNAPSHOT, 0);
    for (unsigned event = 0; event < MOEHUB_REDUCTION_ORDER_EVENTS; event++)
        count[event] = axi_lite_get64(&unit.csr.lite, MOEHUB_CSR_COUNTER_LOW + 8 * event);
    uint64_t decided = count[MOEHUB_REDUCTION_EVENT_RESERVATIONS];
    for (unsigned cause = MOEHUB_REDUCTION_CAUSE_DRAINING; cause <= MOEHUB_REDUCTION_CAUSE_LENGTH; cause++)
        decided += count[MOEHUB_REDUCTION_EVENT_CAUSES + cause];
    uint64_t requests = count[MOEHUB_REDUCTION_EVENT_REQUESTS];
    if (decided > requests || decided + UNDER_WAY < requests)
        bench_fail(&unit.bench, BENCH_MISMATCH, "counters are no consistent set: %" PRIu64 " requests, %" PRIu64 " decided",
                   requests, decided);
    csr_check_snapshot_holds(&unit.csr, MOEHUB_REDUCTION_ORDER_EVENTS);
}

/* An access whose outcome does not depend on the traffic. */
static void access_anything(void)
{
    static const uint32_t steady[] = {
        MOEHUB_CSR_ID, MOEHUB_CSR_VERSION, MOEHUB_CSR_INTERRUPT_MASK, MOEHUB_SWITCH_CSR_COMMAND_DATA, MOEHUB_SWITCH_CSR_TIMEOUT,
        MOEHUB_SWITCH_CSR_PARAMETER_ENTRIES, MOEHUB_SWITCH_CSR_PARAMETER_TAG_WIDTH, 0x014, 0x01C, 0x040, 0x084, 0xF00,
    };
    struct random_source *random = &unit.random;
    switch (random_below(random, 6)) {
    case 0:
        csr_write(&unit.csr, MOEHUB_CSR_INTERRUPT_MASK, (uint32_t)random_next(random));
        break;
    case 1:
        csr_write(&unit.csr, MOEHUB_SWITCH_CSR_COMMAND_DATA, (uint32_t)random_next(random));
        break;
    case 2: /* no effect but the response */
        csr_write_strobed(&unit.csr, MOEHUB_CSR_COMMAND, (uint32_t)random_next(random), (unsigned)random_below(random, 15));
        csr_write_strobed(&unit.csr, MOEHUB_CSR_LATCH_STATUS, 1, (unsigned)random_below(random, 15));
        break;
    case 3:
        check_consistent_snapshot();
        break;
    case 4:
        bench_run(&unit.bench, random_below(random, 500));
        break;
    default:
        csr_read(&unit.csr, steady[random_below(random, sizeof steady / sizeof *steady)]);
    }
}

/* ---- the parts of a run ---------------------------------------------------------------------------------- */

/* Reservations of no port, with every bit of requester and tag once: the latch repeats all of them. */
static void refused_names(void)
{
    enum { REQUESTER_BITS = 10, LENGTH_BITS = 9, TAG_BITS = 24, LATCHED_BY_THEN = 64 };
    for (unsigned bit = 0; bit < TAG_BITS; bit++) {
        csr_write(&unit.csr, MOEHUB_CSR_LATCH_STATUS, MOEHUB_CSR_LATCH_STATUS_LATCHED);
        unit.refusal = (struct moehub_reduction_reserve){
            .requester = (uint16_t)(1u << bit % REQUESTER_BITS), .tag = UINT64_C(1) << bit,
            .length = (uint16_t)(1u << bit % LENGTH_BITS), .element = MOEHUB_ELEMENT_BF16};
        unit.refusal_left = true;
        while (unit.refusal_left)
            step(NULL);
        bench_run(&unit.bench, LATCHED_BY_THEN);
        csr_check_latch(&unit.csr);
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
    /* Mostly of one cycle: in a longer one much puts itself right. */
    reduction_port_reset(&unit.port, random_chance(&unit.random, 3, 4) ? 1 : (unsigned)random_range(&unit.random, 2, 5));
    moehub_switch_csr_init(&unit.model, &unit.port.check.model);
    unit.high_water = 0;
    unit.paused = true; /* until what reset left is read */
    csr_wait(&unit.csr, MOEHUB_CSR_STATUS, MOEHUB_SWITCH_CSR_STATUS_INITIALISED, 1, "never initialised");
    reduction_port_wait_initialised(&unit.port);
    csr_check_reset(&unit.csr);
    unit.paused = false;
}

/* ---- resets in traffic -------------------------------------------------------------------------------------- */

/* What leaves the streams as they are: a read, a write, or a command that is refused. */
static void start_access(void)
{
    enum { UNKNOWN = 8 };
    struct axi_lite *lite = &unit.csr.lite;
    switch (random_below(&unit.random, 4)) {
    case 0:
        axi_lite_start_read(lite, MOEHUB_CSR_ID);
        break;
    case 1:
        axi_lite_start_write(lite, MOEHUB_CSR_INTERRUPT_MASK, (uint32_t)random_next(&unit.random), 0xF);
        break;
    case 2:
        axi_lite_start_write(lite, MOEHUB_CSR_COMMAND, MOEHUB_REDUCTION_COMMAND_DRAIN | UNKNOWN, 0xF);
        break;
    default:
        break;
    }
}

/* rst at any cycle of full traffic, half of the time with timeouts or draining, mostly with a register access or a command
 * under way; then everything is as after any other reset. */
static void round_cut_off(void)
{
    enum { UNTIL = 600, ACCESS = 48 }; /* cycles: at most before the access, and after it */
    struct random_source *random = &unit.random;
    if (random_chance(random, 1, 2)) {
        pause();
        unit.traffic.timeouts = random_chance(random, 1, 2);
        if (unit.traffic.timeouts)
            perform(MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, (uint32_t)random_range(random, 1, 300));
        else
            perform(MOEHUB_REDUCTION_COMMAND_DRAIN, 0);
        unit.paused = false;
    }
    bench_run(&unit.bench, random_below(random, UNTIL));
    start_access();
    bench_run(&unit.bench, random_below(random, ACCESS));
    unit.cut_off += pin_get(unit.port.occupancy) != 0;
    reset();
    unit.traffic.timeouts = false;
}

/* ---- parity ------------------------------------------------------------------------------------------------ */

/* In the order of rtl/doc/reduction_buffer.md section 8. */
static const char *const memories[MOEHUB_REDUCTION_MEMORIES] = {
    "u_buffer.u_lanes.u_elements", "u_buffer.u_check.u_records", "u_buffer.u_check.u_answered", "u_buffer.u_result.u_names",
    "u_buffer.u_free_list.u_generations", "u_buffer.u_free_list.u_list.u_items", "u_buffer.u_waiting.u_deferred.u_items",
    "u_buffer.u_waiting.u_timed_out.u_items", "u_buffer.u_timeout.u_starts", "u_buffer.u_result.u_queue.u_rows",
};

static const char *flipped; /* NULL: no memory */

/* The parity bits of the memory's sound words are flipped: what the buffer does goes on as before, so that the traffic is still
 * compared. Called in every cycle, so that a word is flipped before it can be read. */
static void flip(void)
{
    int ones;
    for (int word = 0; flipped != NULL && (ones = dut_ones(unit.bench.dut, flipped, word)) >= 0; word++)
        if (ones % 2 == 0)
            dut_flip(unit.bench.dut, flipped, word);
}

/* Memories as after power-up, their parity right or wrong: what is read before it is written must not count. */
static void scramble(void)
{
    for (unsigned number = 0; number < MOEHUB_REDUCTION_MEMORIES; number++)
        for (int word = 0; dut_ones(unit.bench.dut, memories[number], word) >= 0; word++)
            if (random_chance(&unit.random, 1, 2))
                dut_flip(unit.bench.dut, memories[number], word);
}

static uint64_t parity_errors(void)
{
    axi_lite_set(&unit.csr.lite, MOEHUB_CSR_SNAPSHOT, 0);
    return axi_lite_get64(&unit.csr.lite, MOEHUB_CSR_COUNTER_LOW + 8 * MOEHUB_REDUCTION_EVENT_PARITY);
}

/* Frees latch and interrupt until the offender that they show is the memory. */
static void wait_parity(unsigned number)
{
    enum { ATTEMPTS = 2000 };
    for (unsigned i = 0; i < ATTEMPTS; i++) {
        axi_lite_set(&unit.csr.lite, MOEHUB_CSR_INTERRUPT_STATUS, MOEHUB_CSR_INTERRUPT_STATUS_LATCHED);
        axi_lite_set(&unit.csr.lite, MOEHUB_CSR_LATCH_STATUS, MOEHUB_CSR_LATCH_STATUS_LATCHED);
        bench_run(&unit.bench, random_below(&unit.random, 100));
        const uint32_t status = axi_lite_get(&unit.csr.lite, MOEHUB_CSR_LATCH_STATUS);
        const uint32_t parity = MOEHUB_CSR_LATCH_STATUS_LATCHED | MOEHUB_REDUCTION_CAUSE_PARITY << 8;
        if ((status & (MOEHUB_CSR_LATCH_STATUS_LATCHED | MOEHUB_CSR_LATCH_STATUS_CAUSE)) != parity)
            continue;
        const uint32_t tag = axi_lite_get(&unit.csr.lite, MOEHUB_CSR_LATCH_HEADER + 4);
        csr_compare(&unit.csr, "memory that failed its parity", MOEHUB_CSR_LATCH_HEADER + 4, UINT32_C(1) << number, tag);
        csr_compare(&unit.csr, "interrupt", MOEHUB_CSR_INTERRUPT_STATUS, 1, pin_get(unit.csr.interrupt));
        return;
    }
    bench_fail(&unit.bench, BENCH_MISMATCH, "a bit flipped in %s raises no parity error", memories[number]);
}

/* Traffic without an error, then with a bit flipped in each memory in turn. */
static void check_parity(void)
{
    csr_compare(&unit.csr, "parity errors since reset", MOEHUB_CSR_COUNTER_LOW, 0, parity_errors());
    for (unsigned number = 0; number < MOEHUB_REDUCTION_MEMORIES; number++) {
        if (dut_ones(unit.bench.dut, memories[number], 0) < 0)
            bench_fail(&unit.bench, BENCH_CONFIGURATION, "no memory %s", memories[number]);
        scramble();
        reset();
        pause();
        perform(MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 100);
        unit.traffic.timeouts = true;
        unit.paused = false;
        axi_lite_set(&unit.csr.lite, MOEHUB_CSR_INTERRUPT_MASK, MOEHUB_CSR_INTERRUPT_STATUS_LATCHED);
        bench_run(&unit.bench, 3000);
        csr_compare(&unit.csr, "parity errors of sound memories", MOEHUB_CSR_COUNTER_LOW, 0, parity_errors());
        flipped = memories[number];
        wait_parity(number);
        csr_compare(&unit.csr, "parity errors counted", MOEHUB_CSR_COUNTER_LOW, 1, parity_errors() > 0);
        flipped = NULL;
    }
    reset();
    unit.traffic.timeouts = false;
    summary_number(&unit.bench.summary, "memories with a flipped bit", MOEHUB_REDUCTION_MEMORIES, "");
}

static void create(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "The switch's reduction buffer behind its registers, in RTL against the C model.",
        .events = 30000, .cycles = UINT64_MAX, .watchdog = 50000,
    };
    bench_create(&unit.bench, argc, argv, &defaults, NULL);
    struct moehub_reduction_buffer_config config = reduction_config_read(dut_description(), "");
    bench_random(&unit.bench, &unit.random, "rounds");
    config.own_port = (uint32_t)random_below(&unit.random, config.ports);
    reduction_port_create(&unit.port, &unit.bench, &config, STALL_MIXED, false);
    unit.port.check.keeps_offenders = true;
    reduction_traffic_create(&unit.traffic, &config, unit.bench.options.seed, "traffic");
    install_traffic();
    moehub_switch_csr_init(&unit.model, &unit.port.check.model);
    const struct csr_model model = {&unit.model, &unit.model.bank, model_write, model_read, model_latch};
    csr_bench_create(&unit.csr, &unit.bench, &model, &moehub_switch_registers, &unit.random);
    unit.bench.watchdog.limit += 8 * reduction_config_patience(&config);
    unit.bench.step = step;
}

int main(int argc, char **argv)
{
    create(argc, argv);
    reset();
    pause();
    csr_sweep_addresses(&unit.csr);
    csr_sweep_registers(&unit.csr);
    complete();
    refused_names();
    unit.paused = false;
    unit.bench.options.events += unit.bench.compared; /* --events: those of the rounds */
    while (bench_running(&unit.bench)) {
        round_of_traffic();
        if (random_chance(&unit.random, 1, 3))
            round_with_timeouts();
        if (random_chance(&unit.random, 1, 8))
            reset();
        for (uint64_t left = random_below(&unit.random, 12); left > 0; left--)
            round_cut_off();
    }
    complete();
    if (dut_ones(unit.bench.dut, memories[0], 0) >= 0) /* a build with memories, and with parity */
        check_parity();
    csr_bench_summary(&unit.csr);
    summary_number(&unit.bench.summary, "commands refused while busy", (double)unit.busy_seen, "");
    summary_number(&unit.bench.summary, "resets with entries in use", (double)unit.cut_off, "");
    int status = bench_finish(&unit.bench);
    reduction_port_destroy(&unit.port);
    reduction_traffic_destroy(&unit.traffic);
    return status;
}
