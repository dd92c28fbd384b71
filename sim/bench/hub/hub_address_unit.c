/* SPDX-License-Identifier: Apache-2.0 */
/* The hub's address path with its registers (moehub_hub_address_unit): every register access against the register model,
 * all commands through AXI4-Lite, requests all the while.
 *
 * Software cannot see the order between a command and the requests around it, so commands in mid-traffic are only those
 * whose outcome does not depend on it: refused ones and questions. */
#include "bench/common/csr_bench.h"
#include "bench/hub/hub_path.h"
#include "bench/hub/hub_software.h"
#include "bench/hub/hub_traffic.h"
#include "moehub/hub_csr.h"

#include <inttypes.h>

enum { POLLS_MAX = 10 };

struct unit {
    struct hub_path path;
    struct moehub_hub_csr model;
    struct csr_bench csr;
    struct hub_traffic traffic;
    struct hub_software software;
    struct random_source random;
    uint64_t busy_seen;
};

static struct unit unit;

static void drive_more(void *user)
{
    csr_bench_drive(&((struct unit *)user)->csr);
}

static void sample_more(void *user)
{
    csr_bench_sample(&((struct unit *)user)->csr);
}

static enum moehub_csr_response model_write(void *csr, uint32_t address, uint32_t data, unsigned strobes)
{
    return moehub_hub_csr_write(csr, address, data, strobes, false, false);
}

static struct moehub_csr_word model_read(void *csr, uint32_t address)
{
    return moehub_hub_csr_read(csr, address);
}

static bool model_latch(const void *csr, uint32_t status, const uint32_t header[4], uint32_t name)
{
    return moehub_hub_csr_latch_possible(csr, status, header, name);
}

/* ---- commands -------------------------------------------------------------------------- */

static void write_command(const struct moehub_hub_command *command)
{
    const uint64_t data[2] = {command->data0, command->data1};
    csr_write(&unit.csr, MOEHUB_HUB_CSR_COMMAND_CONTEXT, command->context);
    csr_write(&unit.csr, MOEHUB_HUB_CSR_COMMAND_INDEX, command->index);
    for (unsigned i = 0; i < 4; i++)
        csr_write(&unit.csr, MOEHUB_HUB_CSR_COMMAND_DATA0_LOW + 4 * i, (uint32_t)(data[i / 2] >> 32 * (i % 2)));
}

static uint32_t wait_command(void)
{
    return csr_wait(&unit.csr, MOEHUB_CSR_COMMAND_STATUS, MOEHUB_CSR_COMMAND_STATUS_BUSY, 0, "a command stays busy");
}

/* in_flight is the design's word, as in hub_path: copied, counted, and checked against what is visible from outside. */
static bool take_in_flight(uint32_t status, enum hub_flight_answer bound)
{
    const bool said = (status & MOEHUB_HUB_CSR_COMMAND_STATUS_IN_FLIGHT) != 0;
    unit.path.commands.copied++;
    if (bound != HUB_FLIGHT_EITHER) {
        unit.path.commands.bounded++;
        csr_compare(&unit.csr, "in-flight bit", MOEHUB_CSR_COMMAND_STATUS, bound == HUB_FLIGHT_YES, said);
    }
    return said;
}

static struct moehub_hub_result perform(void *user, const struct moehub_hub_command *command)
{
    (void)user;
    const bool all = command->operation == MOEHUB_HUB_COMMAND_FLUSH;
    write_command(command);
    const struct hub_flight_mark mark = hub_flight_mark(&unit.path.flight, command->context, all, unit.path.bench.cycle);
    const unsigned response = axi_lite_write(&unit.csr.lite, MOEHUB_CSR_COMMAND, command->operation);
    const uint32_t status = wait_command();
    const bool in_flight = take_in_flight(status, hub_flight_result(&unit.path.flight, command->context, all, mark));
    csr_compare(&unit.csr, "write response", MOEHUB_CSR_COMMAND,
                moehub_hub_csr_write(&unit.model, MOEHUB_CSR_COMMAND, command->operation, 0xF, false, in_flight), response);
    csr_read(&unit.csr, MOEHUB_CSR_COMMAND_STATUS);
    for (unsigned i = 0; i < 4; i++)
        csr_read(&unit.csr, MOEHUB_HUB_CSR_RESULT_DATA0_LOW + 4 * i);
    return unit.model.result;
}

/* ---- what only a quiet unit shows ------------------------------------------------------- */

static void check_high_water(void)
{
    const uint32_t marks = csr_read(&unit.csr, MOEHUB_CSR_HIGH_WATER);
    const uint32_t waiting = moehub_field(MOEHUB_HUB_CSR_HIGH_WATER_WAITING, marks);
    const uint32_t pending = moehub_field(MOEHUB_HUB_CSR_HIGH_WATER_PENDING, marks);
    if (waiting > unit.path.config.waiting || pending > unit.path.config.pending)
        bench_fail(&unit.path.bench, BENCH_MISMATCH, "high water: %u waiting of %u, %u pending of %u", waiting,
                   unit.path.config.waiting, pending, unit.path.config.pending);
    const struct axi_memory_counts counts = axi_memory_counts(unit.path.memory);
    if (counts.reads > unit.path.end.counts_at_reset.reads && pending == 0)
        bench_fail(&unit.path.bench, BENCH_MISMATCH, "high water: no pending entry ever used, yet the table was read");
}

static void settle(void)
{
    hub_path_settle(&unit.path);
    for (unsigned polls = 0; (csr_read(&unit.csr, MOEHUB_CSR_STATUS) & MOEHUB_HUB_CSR_STATUS_IN_FLIGHT) != 0; polls++)
        if (polls > POLLS_MAX)
            bench_fail(&unit.path.bench, BENCH_MISMATCH, "STATUS says in flight, but nothing is");
    const uint32_t status = csr_read(&unit.csr, MOEHUB_CSR_STATUS);
    csr_compare(&unit.csr, "in flight", MOEHUB_CSR_STATUS, 0, moehub_field(MOEHUB_HUB_CSR_STATUS_CONTEXTS_IN_FLIGHT, status));
    csr_check_counters(&unit.csr);
    csr_check_latch(&unit.csr);
    csr_check_interrupt(&unit.csr);
    check_high_water();
}

static void wait_initialised(void)
{
    csr_wait(&unit.csr, MOEHUB_CSR_STATUS, MOEHUB_HUB_CSR_STATUS_INITIALISED, 1, "never initialised");
}

/* ---- the parts of a run ------------------------------------------------------------------ */

/* A row size and a base of one stage alone, and both stages as they are then. */
static void other_stage(unsigned context)
{
    const struct moehub_address_path_config *config = &unit.path.config;
    struct random_source *random = &unit.random;
    const uint64_t size = hub_software_size(&unit.software, random_range(random, 1, UINT64_C(1) << config->offset_width));
    hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_STAGE_SET, context, (unsigned)random_bits(random, 1),
                      random_next(random), size << 32 | random_bits(random, 32));
    hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_BASE_SET, context, 0,
                      hub_software_base(&unit.software, random_bits(random, config->address_width)), random_next(random));
    hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 1, 0, 0);
    hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_REGION_GET, context, 1u << 15, 0, 0);
    hub_software_must_not(&unit.software, MOEHUB_HUB_COMMAND_STAGE_SET, context, 2, 0, size << 32);
    hub_software_must_not(&unit.software, MOEHUB_HUB_COMMAND_BASE_SET, context, 1u << 15, 0, 0);
}

/* Layouts and regions come back as they were given, or are refused for any bit that is too high. */
static void any_layout(void)
{
    enum { DRAWS = 16 };
    const struct moehub_address_path_config *config = &unit.path.config;
    for (unsigned i = 0; i < DRAWS * config->contexts; i++) {
        const unsigned context = i % config->contexts;
        hub_software_close(&unit.software, context);
        const uint64_t row_size =
            hub_software_size(&unit.software, random_range(&unit.random, 1, UINT64_C(1) << config->offset_width));
        const uint64_t row_limit = random_bits(&unit.random, config->row_index_width);
        const uint64_t table_base = random_bits(&unit.random, config->address_width) & ~UINT64_C(3);
        hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_CONTEXT_SET, context, 0, table_base, row_size << 32 | row_limit);
        hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 0, random_next(&unit.random),
                          random_next(&unit.random));
        hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_REGION_SET, context, 0,
                          hub_software_base(&unit.software, random_bits(&unit.random, config->address_width)),
                          random_bits(&unit.random, config->slot_width));
        if (config->stages == 2)
            other_stage(context);
        hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_REGION_GET, context, 0, 0, 0);
    }
    for (unsigned bit = config->address_width; bit < 64; bit++)
        hub_software_must_not(&unit.software, MOEHUB_HUB_COMMAND_REGION_SET, 0, 0, UINT64_C(1) << bit, 1);
    for (unsigned bit = config->slot_width; bit < 32; bit++)
        hub_software_must_not(&unit.software, MOEHUB_HUB_COMMAND_REGION_SET, 0, 0, 0, UINT64_C(1) << bit);
}

/* Through all epochs of every context, the last of which needs a clear and raises an interrupt, and on to the upper half. */
static void every_epoch(void)
{
    enum { EPOCH_BITS = 6 };
    const unsigned bits = 32 - unit.path.config.slot_width;
    if (bits > EPOCH_BITS)
        return; /* too many commands */
    for (unsigned context = 0; context < unit.path.config.contexts; context++) {
        const struct hub_layout layout = hub_software_layout(&unit.software, context);
        hub_software_open(&unit.software, context, &layout);
        hub_software_close(&unit.software, context);
        for (unsigned i = 0; i < 3u << bits >> 1; i++) {
            hub_software_advance(&unit.software, context);
            csr_read(&unit.csr, MOEHUB_CSR_INTERRUPT_STATUS);
        }
        hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 0, 0, 0);
    }
    csr_check_interrupt(&unit.csr);
}

static bool supply_one(void *user, struct moehub_hub_request *request)
{
    struct moehub_hub_request *one = user;
    unit.path.requests.supply = NULL;
    *request = *one;
    return true;
}

/* Requests to closed contexts, one at a time and every bit of their names by chance: the latch repeats all of them. */
static void refused_requests(void)
{
    enum { REQUESTS = 48 };
    struct random_source *random = &unit.random;
    for (unsigned context = 0; context < unit.path.config.contexts; context++)
        hub_software_close(&unit.software, context);
    for (unsigned i = 0; i < REQUESTS; i++) {
        struct moehub_hub_request request = {
            .tag = random_next(random), .row_index = (uint32_t)random_bits(random, 32),
            .expert = (uint16_t)random_bits(random, 16),
            .offset = (uint16_t)random_bits(random, 16),
            .length = (uint16_t)random_bits(random, unit.path.config.length_width),
            .source = (uint16_t)random_bits(random, 10), .operation = (uint8_t)random_bits(random, 1),
            .context = (uint8_t)random_bits(random, 3), .port = (uint8_t)random_below(random, unit.path.config.ports),
            .first = random_chance(random, 1, 2),
        };
        csr_write(&unit.csr, MOEHUB_CSR_LATCH_STATUS, MOEHUB_CSR_LATCH_STATUS_LATCHED);
        unit.path.requests.supply_user = &request;
        unit.path.requests.supply = supply_one;
        while (unit.path.requests.supply != NULL)
            hub_path_step(&unit.path);
        hub_path_settle(&unit.path);
        csr_check_latch(&unit.csr);
    }
}

static bool supply_first(void *user, struct moehub_hub_request *request)
{
    unsigned *left = user;
    if (*left == 0)
        return false;
    *request = (struct moehub_hub_request){.operation = MOEHUB_REQUEST_WRITE_TOUCH, .first = true, .row_index = --*left % 2,
                                           .length = 1};
    return true;
}

/* Two rows announced again and again: slots, and counters of stalls, that take long to reach. */
static void long_counts(void)
{
    /* The last slot has every bit below. */
    enum { SLOTS = (1 << 14) + (1 << 11) - 1, CAPACITY = 1 << 15, EXPERTS_FEW = 16, LATENCY = 8 };
    unsigned left = SLOTS;
    struct axi_memory_options *memory = axi_memory_options(unit.path.memory);
    if (unit.path.config.local_experts > EXPERTS_FEW)
        return; /* bringing up its regions takes long */
    const struct hub_layout layout = {
        .table_base = hub_flight_table(&unit.path.flight, 0), .row_limit = 2, .row_size = 1, .capacity = CAPACITY};
    hub_software_open(&unit.software, 0, &layout);
    const uint64_t stalled = unit.path.requests.request.stream.stalled_cycles;
    csr_write(&unit.csr, MOEHUB_CSR_SNAPSHOT, 0);
    const uint64_t before = axi_lite_get64(&unit.csr.lite, MOEHUB_CSR_COUNTER_LOW + 8 * MOEHUB_HUB_EVENT_REQUEST_STALLED);
    memory->latency_minimum = memory->latency_maximum = LATENCY;
    unit.path.requests.supply = supply_first;
    unit.path.requests.supply_user = &left;
    while (left > 0)
        hub_path_step(&unit.path);
    unit.path.requests.supply = NULL;
    settle();
    memory->latency_minimum = 1;
    memory->latency_maximum = 20;
    scoreboard_value(&unit.csr.registers, "requests stalled", unit.path.requests.request.stream.stalled_cycles - stalled,
                     axi_lite_get64(&unit.csr.lite, MOEHUB_CSR_COUNTER_LOW + 8 * MOEHUB_HUB_EVENT_REQUEST_STALLED) - before);
    hub_software_close(&unit.software, 0);
    hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_REGION_GET, 0, 0, 0, 0);
}

/* A command while one is busy is refused by the bus: FLUSH takes as long as initialisation. */
static void busy_command(void)
{
    for (unsigned context = 0; context < unit.path.config.contexts; context++)
        hub_software_close(&unit.software, context);
    if (unit.path.config.sets < 64)
        return; /* over before the next write */
    const struct moehub_hub_command flush = {.operation = MOEHUB_HUB_COMMAND_FLUSH};
    write_command(&flush);
    axi_lite_write(&unit.csr.lite, MOEHUB_CSR_COMMAND, MOEHUB_HUB_COMMAND_FLUSH);
    const unsigned response = axi_lite_write(&unit.csr.lite, MOEHUB_CSR_COMMAND, MOEHUB_HUB_COMMAND_DISABLE);
    moehub_hub_csr_write(&unit.model, MOEHUB_CSR_COMMAND, MOEHUB_HUB_COMMAND_FLUSH, 0xF, false, false);
    csr_compare(&unit.csr, "write response while busy", MOEHUB_CSR_COMMAND, MOEHUB_CSR_SLVERR, response);
    unit.busy_seen++;
    wait_command();
    csr_read(&unit.csr, MOEHUB_CSR_COMMAND_STATUS);
}

/* Something that may be asked or refused at any time. */
static void ask(void)
{
    struct random_source *random = &unit.random;
    const unsigned context = (unsigned)random_below(random, unit.path.config.contexts);
    switch (random_below(random, 6)) {
    case 0:
        hub_path_command(&unit.path, MOEHUB_HUB_COMMAND_CONTEXT_GET, context, 0, 0, 0);
        break;
    case 1:
        if (unit.path.model.alloc.contexts[context].enabled)
            hub_software_must_not(&unit.software, MOEHUB_HUB_COMMAND_ADVANCE, context, 0, 0, 0);
        break;
    case 2:
        hub_software_must_not(&unit.software, (unsigned)random_range(random, unit.path.config.stages == 2 ? 12 : 10, 15),
                              (unsigned)random_bits(random, 8), (unsigned)random_bits(random, 16), random_next(random),
                              random_next(random));
        break;
    case 3:
        csr_check_snapshot_holds(&unit.csr, MOEHUB_HUB_ORDER_EVENTS);
        break;
    case 4:
        csr_read(&unit.csr, MOEHUB_CSR_ID + 4 * (uint32_t)random_below(random, 3)); /* ID, VERSION, STATUS */
        break;
    default:
        bench_run(&unit.path.bench, random_below(random, 500));
    }
}

/* Brought up anew, or on to the next epoch; from the last one that takes a clear, and raises an interrupt. */
static void prepare_context(unsigned context)
{
    const struct moehub_context *state = &unit.path.model.alloc.contexts[context];
    if (random_chance(&unit.random, 1, 2 + unit.path.config.local_experts / 16)) {
        const struct hub_layout layout = hub_software_layout(&unit.software, context);
        hub_software_open(&unit.software, context, &layout);
    } else if (state->row_limit != 0 && !state->clear_needed) {
        hub_software_close(&unit.software, context);
        hub_software_advance(&unit.software, context);
        hub_software_must(&unit.software, MOEHUB_HUB_COMMAND_ENABLE, context, 0, 0, 0);
    }
}

static void round_of_traffic(void)
{
    struct random_source *random = &unit.random;
    hub_path_stalls(&unit.path, STALL_NONE, STALL_NONE, STALL_NONE);
    for (unsigned context = 0; context < unit.path.config.contexts; context++)
        prepare_context(context);
    hub_traffic_keys(&unit.traffic, (enum hub_keys)random_below(random, HUB_KEYS_KINDS));
    unit.traffic.remaining = random_range(random, 200, 3000);
    unit.traffic.disorder = unit.traffic.reads = (unsigned)random_below(random, 256);
    unit.traffic.wrong = random_chance(random, 1, 3) ? 0 : (unsigned)random_below(random, 64);
    unit.path.errors = (struct hub_table_errors){random_next(random), random_chance(random, 1, 3) ? 100 : 0,
                                                 random_chance(random, 1, 3) ? 100 : 0};
    hub_path_stalls(&unit.path, STALL_MIXED, STALL_MIXED, STALL_LIGHT);
    unit.path.requests.supply = hub_traffic_supply;
    unit.path.requests.supply_user = &unit.traffic;
    while (unit.traffic.remaining > 0)
        ask();
    unit.path.requests.supply = NULL;
    settle();
}

static void reset_in_traffic(void)
{
    unit.traffic.remaining = 400;
    unit.path.requests.supply = hub_traffic_supply;
    unit.path.requests.supply_user = &unit.traffic;
    bench_run(&unit.path.bench, random_range(&unit.random, 50, 300));
    unit.path.requests.supply = NULL;
    hub_path_reset(&unit.path, 3, random_next(&unit.random));
    moehub_hub_csr_init(&unit.model, &unit.path.model);
    wait_initialised();
    csr_check_reset(&unit.csr);
    settle();
}

int main(int argc, char **argv)
{
    const struct options_defaults defaults = {
        .description = "The hub's address path behind its registers, in RTL against the C model.",
        .events = 100000, .cycles = UINT64_MAX, .watchdog = 50000,
    };
    hub_path_create(&unit.path, argc, argv, &defaults, NULL, false);
    hub_traffic_create(&unit.traffic, &unit.path, "traffic");
    hub_software_create(&unit.software, &unit.path, &unit.traffic, "software");
    bench_random(&unit.path.bench, &unit.random, "rounds");
    moehub_hub_csr_init(&unit.model, &unit.path.model);
    const struct csr_model model = {&unit.model, &unit.model.bank, model_write, model_read, model_latch};
    csr_bench_create(&unit.csr, &unit.path.bench, &model, &moehub_hub_registers, &unit.random);
    unit.path.drive_more = drive_more;
    unit.path.sample_more = sample_more;
    unit.path.commands.perform = perform;
    unit.path.more_user = unit.path.commands.perform_user = &unit;
    hub_path_reset(&unit.path, 4, unit.path.bench.options.seed);
    wait_initialised();
    csr_check_reset(&unit.csr);
    csr_sweep_addresses(&unit.csr);
    /* Once for certain, later by chance. */
    busy_command();
    csr_sweep_registers(&unit.csr);
    every_epoch();
    any_layout();
    refused_requests();
    long_counts();
    unit.path.bench.options.events += unit.path.bench.compared; /* --events: those of the rounds */
    round_of_traffic();
    reset_in_traffic();
    while (bench_running(&unit.path.bench)) {
        round_of_traffic();
        if (random_chance(&unit.random, 1, 8))
            reset_in_traffic();
        if (random_chance(&unit.random, 1, 4))
            busy_command();
    }
    settle();
    csr_bench_summary(&unit.csr);
    summary_number(&unit.path.bench.summary, "commands refused while busy", (double)unit.busy_seen, "");
    return hub_path_finish(&unit.path);
}
