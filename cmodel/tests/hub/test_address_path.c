/* SPDX-License-Identifier: Apache-2.0 */
/* The address path against the oracle: random requests and commands, legal and not, over swept parameters. */
#include "moehub/address_path.h"

#include "hub/address_oracle.h"
#include "moehub/error.h"
#include "common/random.h"

#define TABLE_BASE UINT64_C(0x4000)
#define TABLE_BYTES UINT64_C(0x4000)

struct fixture {
    struct moehub_address_path path;
    struct oracle oracle;
    struct random random;
    uint64_t compared;
};

/* Fails some operations: a function of how many came before, so that model and oracle see the same. */
struct fault_source {
    uint64_t seed;
    uint64_t count;
    uint32_t one_in;
};

static bool random_fault(void *user, uint64_t address, bool write)
{
    struct fault_source *source = user;
    struct random random = random_from(source->seed + ++source->count * 7919 + address * 3 + write);
    random_word(&random);
    return source->one_in != 0 && random_once_in(&random, source->one_in);
}

static struct moehub_address_path_config random_config(struct random *random)
{
    struct moehub_address_path_config config = moehub_address_path_config_default();
    config.contexts = 1 + random_below(random, 8);
    config.local_experts = 1 + random_below(random, 9);
    config.gpus = 1 + random_below(random, 70);
    config.row_index_width = 1 + random_below(random, 10);
    config.slot_width = 1 + random_below(random, 31);
    if (random_once_in(random, 2))
        config.slot_width = 28 + random_below(random, 4);   /* few epochs */
    config.offset_width = 4 + random_below(random, 13);
    config.address_width = 32 + random_below(random, 33);
    config.sets = 1u << random_below(random, 6);
    config.replacement = random_below(random, 2);
    config.ways = config.replacement == MOEHUB_REPLACEMENT_PLRU ? 1u << random_below(random, 4) : 1 + random_below(random, 8);
    config.ports = 1 + random_below(random, 64);
    config.tag_width = 1 + random_below(random, 64);
    return config;
}

/* Two stages, and requests of up to 2047 bytes. */
static struct moehub_address_path_config random_config_of_two_stages(struct random *random)
{
    struct moehub_address_path_config config = random_config(random);
    config.stages = 2;
    config.length_width = 9 + random_below(random, 3);
    config.offset_width = 7 + random_below(random, 10);
    return config;
}

/* ---- stimulus -------------------------------------------------------------------------- */

/* With two stages: bytes that mostly end with a row of the operation's stage, or just behind it. */
static void draw_bytes(struct fixture *fixture, struct moehub_hub_request *request)
{
    struct random *random = &fixture->random;
    const struct oracle_context *context = &fixture->oracle.contexts[request->context];
    const uint32_t longest = (1u << fixture->oracle.config.length_width) - 1;
    const uint32_t size = (uint32_t)(request->operation == 1 ? context->read_row_size : context->row_size);
    request->length = (uint16_t)random_below(random, (size < longest ? size : longest) + 1);
    request->offset = (uint16_t)random_below(random, 65536);
    if (size >= request->length && !random_once_in(random, 8))
        request->offset = (uint16_t)(size - request->length + random_below(random, 2));
    if (random_once_in(random, 4))
        request->offset = (uint16_t)(request->offset / 2);
}

static struct moehub_hub_request random_request(struct fixture *fixture)
{
    struct random *random = &fixture->random;
    const struct moehub_address_path_config *config = &fixture->oracle.config;
    const struct oracle_context *context = &fixture->oracle.contexts[random_below(random, config->contexts)];
    struct moehub_hub_request request = {
        .tag = random_word(random),
        .row_index = random_below(random, (uint32_t)context->row_limit + 1),
        .expert = (uint16_t)random_below(random, config->local_experts),
        .length = (uint16_t)random_below(random, (uint32_t)context->row_size < 511 ? (uint32_t)context->row_size + 1 : 512),
        .source = (uint16_t)random_below(random, config->gpus),
        .operation = (uint8_t)random_below(random, 2),
        .context = (uint8_t)(context - fixture->oracle.contexts),
        .port = (uint8_t)random_below(random, config->ports),
        .first = random_once_in(random, 3),
    };
    request.offset = (uint16_t)random_below(random, (uint32_t)context->row_size + 1);
    if (context->row_size > request.length && !random_once_in(random, 16))
        request.offset = (uint16_t)(context->row_size - request.length - random_below(random, 2));
    if (config->stages == 2)
        draw_bytes(fixture, &request);
    if (random_once_in(random, 16))
        request.context = (uint8_t)random_below(random, 8);
    if (random_once_in(random, 16))
        request.expert = (uint16_t)random_word(random);
    if (random_once_in(random, 16))
        request.source = (uint16_t)random_below(random, 1024);
    if (random_once_in(random, 16))
        request.row_index = (uint32_t)random_word(random);
    return request;
}

static uint64_t random_base(struct fixture *fixture)
{
    const uint64_t base = random_word(&fixture->random);
    return random_once_in(&fixture->random, 8) ? base : low_bits(base, fixture->oracle.config.address_width);
}

/* With two stages: made a multiple of the unit, mostly. */
static uint64_t whole_units(struct fixture *fixture, uint64_t value, uint64_t unit)
{
    if (fixture->oracle.config.stages == 1 || random_once_in(&fixture->random, 8))
        return value;
    return value / unit * unit;
}

static uint64_t random_row_size(struct fixture *fixture)
{
    return whole_units(fixture, 16 + random_below(&fixture->random, 1u << fixture->oracle.config.offset_width), 16);
}

/* STAGE_SET or BASE_SET, mostly legal. */
static struct moehub_hub_command stage_command(struct fixture *fixture, unsigned context)
{
    struct random *random = &fixture->random;
    if (random_once_in(random, 2))
        return (struct moehub_hub_command){random_word(random), random_row_size(fixture) << 32,
                                           (uint16_t)random_below(random, random_once_in(random, 8) ? 4 : 2), (uint8_t)context,
                                           MOEHUB_HUB_COMMAND_STAGE_SET};
    return (struct moehub_hub_command){whole_units(fixture, random_base(fixture), 128), random_word(random),
                                       (uint16_t)random_below(random, fixture->oracle.config.local_experts + 1u),
                                       (uint8_t)context, MOEHUB_HUB_COMMAND_BASE_SET};
}

/* With two stages a fifth of the commands are of them, and the others are made legal for them, mostly. */
static struct moehub_hub_command of_two_stages(struct fixture *fixture, struct moehub_hub_command command)
{
    if (random_once_in(&fixture->random, 5))
        return stage_command(fixture, command.context);
    if (command.operation == MOEHUB_HUB_COMMAND_CONTEXT_SET)
        command.data1 = (command.data1 & UINT32_MAX) | random_row_size(fixture) << 32;
    if (command.operation == MOEHUB_HUB_COMMAND_REGION_SET)
        command.data0 = whole_units(fixture, command.data0, 128);
    if (command.operation == MOEHUB_HUB_COMMAND_CONTEXT_GET)
        command.index = (uint16_t)random_below(&fixture->random, 3);
    if (command.operation == MOEHUB_HUB_COMMAND_REGION_GET && random_once_in(&fixture->random, 2))
        command.index |= 0x8000;
    return command;
}

static struct moehub_hub_command random_command(struct fixture *fixture)
{
    struct random *random = &fixture->random;
    const struct moehub_address_path_config *config = &fixture->oracle.config;
    struct moehub_hub_command command = {
        .operation = (uint8_t)random_below(random, 10),
        .context = (uint8_t)random_below(random, config->contexts),
        .index = (uint16_t)random_below(random, config->local_experts),
        .data0 = random_base(fixture),
        .data1 = random_below(random, 12),
    };
    if (command.operation == MOEHUB_HUB_COMMAND_FLUSH && !random_once_in(random, 4))
        command.operation = MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR;
    if (command.operation == MOEHUB_HUB_COMMAND_CONTEXT_SET) {
        command.data0 = TABLE_BASE + random_below(random, 256) * 4 + (random_once_in(random, 8) ? random_below(random, 4) : 0);
        command.data1 = (uint64_t)random_below(random, 40) | (random_word(random) % 0x20000) << 32;
        if (!random_once_in(random, 4))
            command.data1 = (command.data1 & 0xFFFFFFFF) | (uint64_t)(1 + random_below(random, 1u << config->offset_width)) << 32;
    }
    if (command.operation == MOEHUB_HUB_COMMAND_PEERS_SET)
        command = (struct moehub_hub_command){UINT64_MAX, 0, (uint16_t)random_below(random, 3), command.context, 1};
    if (config->stages == 2)
        command = of_two_stages(fixture, command);
    if (random_once_in(random, 16))
        command.index = (uint16_t)random_word(random);
    if (random_once_in(random, 16))
        command.context = (uint8_t)random_word(random);
    if (random_once_in(random, 16))
        command.operation = (uint8_t)random_below(random, 16);
    if (random_once_in(random, 16))
        command.data1 = random_word(random);
    return command;
}

/* ---- comparison -------------------------------------------------------------------------- */

static void run_request(struct fixture *fixture, const struct moehub_hub_request *request)
{
    struct moehub_hub_answer got;
    struct moehub_hub_answer expected;
    moehub_address_path_request(&fixture->path, request, &got);
    oracle_request(&fixture->oracle, request, &expected);
    assert_int_equal(got.status, expected.status);
    assert_int_equal(got.slot, expected.slot);
    assert_int_equal(got.address, expected.address);
    assert_int_equal(got.tag, expected.tag);
    assert_int_equal(got.port, expected.port);
    assert_int_equal(got.allocated, expected.allocated && expected.status == MOEHUB_STATUS_OK);
    fixture->compared++;
}

static void run_command(struct fixture *fixture, const struct moehub_hub_command *command, bool in_flight)
{
    struct moehub_hub_result got;
    struct moehub_hub_result expected;
    moehub_address_path_command(&fixture->path, command, in_flight, &got);
    oracle_command(&fixture->oracle, command, in_flight, &expected);
    assert_int_equal(got.refused, expected.refused);
    assert_int_equal(got.in_flight, expected.in_flight);
    assert_int_equal(got.data0, expected.data0);
    assert_int_equal(got.data1, expected.data1);
    fixture->compared++;
}

static void compare_offenders(struct fixture *fixture)
{
    const struct moehub_offenders *offenders = &fixture->path.offenders;
    const size_t count = fixture->oracle.offender_count;
    assert_int_equal(offenders->count, count < offenders->capacity ? count : offenders->capacity);
    for (size_t i = 0; i < offenders->count; i++) {
        const struct oracle_offender *expected = &fixture->oracle.offenders[i];
        const struct moehub_offender *got = &offenders->list[i];
        const struct moehub_header header = moehub_header_unpack(got->header);
        assert_int_equal(got->cause, expected->cause);
        assert_int_equal(got->expert, expected->expert);
        assert_int_equal(got->port, expected->port);
        assert_int_equal(header.type, expected->type);
        assert_int_equal(header.first, expected->first);
        assert_int_equal(header.length, expected->length);
        assert_int_equal(header.source, expected->source);
        assert_int_equal(header.context, expected->context);
        assert_int_equal(header.status, expected->status);
        assert_int_equal(header.offset, expected->offset);
        assert_int_equal(header.tag, expected->tag);
        assert_int_equal(header.row_index, expected->row);
        fixture->compared++;
    }
}

/* Faults of a context are its offenders of causes 7 to 9. */
static void compare_faults(const struct fixture *fixture)
{
    uint64_t faults[MOEHUB_CONTEXTS_MAX] = {0};
    for (size_t i = 0; i < fixture->oracle.offender_count; i++) {
        const struct oracle_offender *offender = &fixture->oracle.offenders[i];
        faults[offender->context] += offender->cause >= 7 && offender->cause <= 9;
    }
    for (unsigned context = 0; context < MOEHUB_CONTEXTS_MAX; context++)
        assert_int_equal(fixture->path.faults[context], faults[context]);
}

static void compare_end(struct fixture *fixture)
{
    for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++)
        assert_int_equal(fixture->path.counters[event], fixture->oracle.events[event]);
    for (uint64_t address = TABLE_BASE; address < TABLE_BASE + TABLE_BYTES; address += 4) {
        const uint64_t *expected = map_find(&fixture->oracle.table, address);
        const uint32_t *got = moehub_al_walker_entry(&fixture->path.walker, address);
        assert_non_null(got);
        assert_int_equal(*got, expected != NULL ? *expected : 0);
    }
    compare_offenders(fixture);
    compare_faults(fixture);
    assert_true(moehub_address_path_is_valid(&fixture->path));
}

/* ---- runs -------------------------------------------------------------------------------------- */

static struct fixture *fixture_create(const struct moehub_address_path_config *config, uint64_t seed)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    fixture->random = random_from(seed);
    fixture->oracle.config = *config;
    fixture->oracle.window_first = TABLE_BASE;
    fixture->oracle.window_last = TABLE_BASE + TABLE_BYTES - 1;
    oracle_restart(&fixture->oracle);
    assert_int_equal(moehub_address_path_create(&fixture->path, config, NULL), 0);
    assert_int_equal(moehub_al_walker_map(&fixture->path.walker, TABLE_BASE, TABLE_BYTES), 0);
    return fixture;
}

static void fixture_destroy(struct fixture *fixture)
{
    moehub_address_path_destroy(&fixture->path);
    map_free(&fixture->oracle.table);
    free(fixture->oracle.offenders);
    free(fixture);
}

/* A context with all peers, some regions and a small table. */
static void bring_up(struct fixture *fixture, unsigned context)
{
    const struct moehub_address_path_config *config = &fixture->oracle.config;
    const uint32_t row_indices = 1u << config->row_index_width;
    const uint64_t row_limit = 1 + random_below(&fixture->random, row_indices < 24 ? row_indices : 24);
    uint64_t row_size = 1 + random_below(&fixture->random, 1u << config->offset_width);
    if (config->stages == 2)
        row_size = (row_size + 15) / 16 * 16;
    struct moehub_hub_command command = {TABLE_BASE + 1024 * context, row_limit | row_size << 32, 0, (uint8_t)context, 0};
    run_command(fixture, &command, false);
    for (unsigned word = 0; word < (config->gpus + 31) / 32; word++)
        run_command(fixture, &(struct moehub_hub_command){UINT64_MAX, 0, (uint16_t)word, (uint8_t)context, 1}, false);
    for (unsigned expert = 0; expert < config->local_experts; expert++) {
        const uint64_t most = config->slot_width < 6 ? (UINT64_C(1) << config->slot_width) - 1 : 40;
        command = (struct moehub_hub_command){low_bits(random_word(&fixture->random), config->address_width),
                                              random_below(&fixture->random, (uint32_t)most + 1), (uint16_t)expert,
                                              (uint8_t)context, 2};
        command.data0 = config->stages == 2 ? command.data0 / 128 * 128 : command.data0;
        run_command(fixture, &command, false);
    }
    for (unsigned i = 0; config->stages == 2 && i < 1 + config->local_experts; i++) {
        command = stage_command(fixture, context);
        run_command(fixture, &command, false);
    }
    run_command(fixture, &(struct moehub_hub_command){0, 0, 0, (uint8_t)context, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR}, false);
    run_command(fixture, &(struct moehub_hub_command){0, 0, 0, (uint8_t)context, MOEHUB_HUB_COMMAND_ENABLE}, false);
}

/* Software's next layer: disable, advance, enable; at the last epoch clear. */
static void turn_over(struct fixture *fixture, unsigned context)
{
    static const uint8_t operations[] = {MOEHUB_HUB_COMMAND_DISABLE, MOEHUB_HUB_COMMAND_ADVANCE,
                                         MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, MOEHUB_HUB_COMMAND_ENABLE};
    for (unsigned i = 0; i < sizeof operations; i++)
        run_command(fixture, &(struct moehub_hub_command){0, 0, 0, (uint8_t)context, operations[i]}, false);
}

static uint64_t random_run(const struct moehub_address_path_config *config, uint64_t seed, unsigned steps, uint32_t fault_one_in)
{
    struct fixture *fixture = fixture_create(config, seed);
    struct fault_source model_faults = {seed, 0, fault_one_in};
    struct fault_source oracle_faults = {seed, 0, fault_one_in};
    fixture->path.walker.fault = random_fault;
    fixture->path.walker.fault_user = &model_faults;
    fixture->oracle.fault = random_fault;
    fixture->oracle.fault_user = &oracle_faults;
    for (unsigned context = 0; context < config->contexts; context++)
        bring_up(fixture, context);
    for (unsigned step = 0; step < steps; step++) {
        if (random_once_in(&fixture->random, 64)) {
            const struct moehub_hub_command command = random_command(fixture);
            run_command(fixture, &command, random_once_in(&fixture->random, 8));
        } else if (random_once_in(&fixture->random, 128)) {
            turn_over(fixture, random_below(&fixture->random, config->contexts));
        } else if (random_once_in(&fixture->random, 256)) {
            const unsigned context = random_below(&fixture->random, config->contexts);
            run_command(fixture, &(struct moehub_hub_command){0, 0, 0, (uint8_t)context, MOEHUB_HUB_COMMAND_DISABLE}, false);
            bring_up(fixture, context);
        } else {
            const struct moehub_hub_request request = random_request(fixture);
            run_request(fixture, &request);
        }
    }
    compare_end(fixture);
    const uint64_t compared = fixture->compared;
    fixture_destroy(fixture);
    return compared;
}

static void random_requests_and_commands_equal_the_oracle(void **state)
{
    (void)state;
    struct random random = random_from(2026);
    uint64_t compared = 0;
    for (unsigned run = 0; run < 150; run++) {
        const struct moehub_address_path_config config = random_config(&random);
        const uint32_t faults[] = {0, 0, 5, 40};
        compared += random_run(&config, 1000 + run, 3000, faults[run % 4]);
    }
    assert_true(compared > 400000);
}

static void two_stages_equal_the_oracle(void **state)
{
    (void)state;
    struct random random = random_from(4052);
    uint64_t compared = 0;
    for (unsigned run = 0; run < 150; run++) {
        const struct moehub_address_path_config config = random_config_of_two_stages(&random);
        const uint32_t faults[] = {0, 0, 5, 40};
        compared += random_run(&config, 5000 + run, 3000, faults[run % 4]);
    }
    assert_true(compared > 400000);
}

/* Every status, cause and event must have been met, or the comparison above says less than it seems to. */
static void the_stimulus_reaches_every_event(void **state)
{
    (void)state;
    uint64_t events[MOEHUB_HUB_ORDER_EVENTS] = {0};
    struct random random = random_from(7);
    for (unsigned run = 0; run < 20; run++) {
        const struct moehub_address_path_config config = random_config(&random);
        struct fixture *fixture = fixture_create(&config, run);
        struct fault_source faults = {run, 0, 10};
        fixture->path.walker.fault = random_fault;
        fixture->path.walker.fault_user = &faults;
        struct fault_source same = faults;
        fixture->oracle.fault = random_fault;
        fixture->oracle.fault_user = &same;
        bring_up(fixture, 0);
        for (unsigned step = 0; step < 2000; step++) {
            const struct moehub_hub_request request = random_request(fixture);
            run_request(fixture, &request);
        }
        run_command(fixture, &(struct moehub_hub_command){.operation = 15}, false);
        for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++)
            events[event] += fixture->path.counters[event];
        fixture_destroy(fixture);
    }
    for (unsigned event = 0; event < MOEHUB_HUB_ORDER_EVENTS; event++)
        assert_true(events[event] > 0);
}

/* With the RTL's default parameters and a layer-like load. */
static void default_configuration_equals_the_oracle(void **state)
{
    (void)state;
    const struct moehub_address_path_config config = moehub_address_path_config_default();
    assert_true(random_run(&config, 5, 20000, 100) > 19000);
}

static struct moehub_hub_answer ask(struct moehub_address_path *path, unsigned operation, bool first, uint32_t row)
{
    const struct moehub_hub_request request = {.row_index = row, .length = 16, .operation = (uint8_t)operation, .first = first};
    struct moehub_hub_answer answer;
    moehub_address_path_request(path, &request, &answer);
    return answer;
}

/* The unusable entry of section 4: a slot beyond the capacity, put into the table by somebody else. */
static void an_entry_with_a_slot_beyond_the_capacity_is_bad(void **state)
{
    (void)state;
    struct moehub_address_path path;
    const struct moehub_address_path_config config = moehub_address_path_config_default();
    assert_int_equal(moehub_address_path_create(&path, &config, NULL), 0);
    assert_int_equal(moehub_al_walker_map(&path.walker, 0x1000, 4096), 0);
    const struct moehub_region region = {.base = 0x10000, .capacity = 10};
    assert_int_equal(moehub_address_path_open(&path, 0, 0x1000, 100, 256, &region, 1), 0);
    *moehub_al_walker_entry(&path.walker, 0x1000 + 4 * 5) = 1u << 22 | 9;
    *moehub_al_walker_entry(&path.walker, 0x1000 + 4 * 6) = 1u << 22 | 10;
    *moehub_al_walker_entry(&path.walker, 0x1000 + 4 * 7) = 2u << 22 | 3;
    assert_int_equal(ask(&path, MOEHUB_REQUEST_READ_LOOKUP, true, 5).address, 0x10000 + 9 * 256);
    assert_int_equal(ask(&path, MOEHUB_REQUEST_READ_LOOKUP, false, 6).status, MOEHUB_STATUS_MEMORY);
    assert_int_equal(ask(&path, MOEHUB_REQUEST_READ_LOOKUP, false, 6).status, MOEHUB_STATUS_MEMORY);
    assert_int_equal(ask(&path, MOEHUB_REQUEST_READ_LOOKUP, false, 7).status, MOEHUB_STATUS_UNMAPPED);
    assert_int_equal(path.counters[MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_READ], 1);
    assert_int_equal(path.counters[MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_MEMORY], 2);
    /* A repeated announcement in the table only: no miss read follows, so slot 10 is never judged. */
    assert_int_equal(ask(&path, MOEHUB_REQUEST_WRITE_TOUCH, true, 6).slot, 0);
    assert_int_equal(path.counters[MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_REPEATED], 1);
    assert_int_equal(path.counters[MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_TABLE_READ], 1);
    moehub_address_path_destroy(&path);
}

static void reset_forgets_everything_but_memory(void **state)
{
    (void)state;
    struct moehub_address_path path;
    const struct moehub_address_path_config config = moehub_address_path_config_default();
    assert_int_equal(moehub_address_path_create(&path, &config, NULL), 0);
    assert_int_equal(moehub_al_walker_map(&path.walker, 0x1000, 4096), 0);
    const struct moehub_region region = {.base = 0x10000, .capacity = 10};
    assert_int_equal(moehub_address_path_open(&path, 0, 0x1000, 100, 256, &region, 1), 0);
    assert_int_equal(ask(&path, MOEHUB_REQUEST_WRITE_TOUCH, true, 3).status, MOEHUB_STATUS_OK);
    moehub_address_path_reset(&path);
    assert_int_equal(path.counters[MOEHUB_HUB_EVENT_LOOKUPS], 0);
    assert_int_equal(ask(&path, MOEHUB_REQUEST_WRITE_TOUCH, true, 3).status, MOEHUB_STATUS_CONTEXT);
    assert_int_equal(*moehub_al_walker_entry(&path.walker, 0x1000 + 4 * 3), 1u << 22);
    assert_int_equal(path.offenders.count, 1);
    moehub_address_path_destroy(&path);
}

static void illegal_configurations_are_refused(void **state)
{
    (void)state;
    const struct moehub_address_path_config good = moehub_address_path_config_default();
    assert_int_equal(moehub_address_path_config_check(&good), 0);
    static const uint32_t lowest[] = {1, 1, 1, 1, 1, 4, 32, 1, 1, 0, 1, 1, 2, 1, 32, 1, 9};
    static const uint32_t highest[] = {8, 1024, 1024, 32, 31, 16, 64, 4096, 8, 1, 64, 256, 4096, 64, 512, 2, 11};
    for (unsigned i = 0; i < MOEHUB_ADDRESS_PATH_PARAMETERS; i++) {
        uint32_t words[MOEHUB_ADDRESS_PATH_PARAMETERS];
        const uint32_t values[] = {lowest[i] - 1, lowest[i], highest[i], highest[i] + 1};
        for (unsigned j = 0; j < 4; j++) {
            struct moehub_address_path_config config;
            struct moehub_address_path path;
            memcpy(words, &good, sizeof words);
            words[i] = values[j];
            memcpy(&config, words, sizeof words);
            const int expected = j == 1 || j == 2 ? 0 : MOEHUB_E_ARGUMENT;
            assert_int_equal(moehub_address_path_config_check(&config), expected);
            if (expected != 0)
                assert_int_equal(moehub_address_path_create(&path, &config, NULL), expected);
        }
    }
    struct moehub_address_path_config config = good;
    config.sets = 96;
    assert_int_equal(moehub_address_path_config_check(&config), MOEHUB_E_ARGUMENT);
    config = good;
    config.ways = 3;
    assert_int_equal(moehub_address_path_config_check(&config), MOEHUB_E_ARGUMENT);
    config.replacement = MOEHUB_REPLACEMENT_FIFO;
    assert_int_equal(moehub_address_path_config_check(&config), 0);
    config.axi_data_width = 96;
    assert_int_equal(moehub_address_path_config_check(&config), MOEHUB_E_ARGUMENT);
    config = good;
    config.offset_width = 6;
    assert_int_equal(moehub_address_path_config_check(&config), 0);
    config.stages = 2;
    assert_int_equal(moehub_address_path_config_check(&config), MOEHUB_E_ARGUMENT);
    config.offset_width = 7;
    assert_int_equal(moehub_address_path_config_check(&config), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_requests_and_commands_equal_the_oracle),
        cmocka_unit_test(two_stages_equal_the_oracle),
        cmocka_unit_test(the_stimulus_reaches_every_event),
        cmocka_unit_test(default_configuration_equals_the_oracle),
        cmocka_unit_test(an_entry_with_a_slot_beyond_the_capacity_is_bad),
        cmocka_unit_test(reset_forgets_everything_but_memory),
        cmocka_unit_test(illegal_configurations_are_refused),
    };
    return cmocka_run_group_tests_name("address_path", tests, NULL, NULL);
}
