/* SPDX-License-Identifier: Apache-2.0 */
/* Contexts of the hub (rtl/doc/hub/hub.md, section 4): every reason to refuse at both sides of its limit, the life of a round,
 * what comes in one cycle, what is told to others, the window's registers. */
#include "moehub/error.h"
#include "moehub/hub_control_csr.h"

#include "common/support.h"

#include <string.h>

enum {
    OWN = 2,
    GPUS = 5,
    CONTEXTS = 3,
    EXPERTS = 6,
    ROW_INDEX_WIDTH = 10,
    SLOT_WIDTH = 9,
    ADDRESS_WIDTH = 40,
    TILES = 100,
    TOKENS = 300,
    OTHER = 1 /* the context that tests leave alone */
};

static struct moehub_hub_contexts unit;

static int create(void **state)
{
    (void)state;
    const struct moehub_hub_contexts_config config = {OWN, GPUS, CONTEXTS, EXPERTS, ROW_INDEX_WIDTH, SLOT_WIDTH, ADDRESS_WIDTH,
                                                      TILES, TOKENS};
    return moehub_hub_contexts_create(&unit, &config);
}

static int destroy(void **state)
{
    (void)state;
    moehub_hub_contexts_destroy(&unit);
    return 0;
}

static const struct moehub_hub_seen quiet = {.address_enabled = true};

static struct moehub_hub_outcome step(const struct moehub_hub_command *command, struct moehub_hub_seen seen)
{
    const struct moehub_hub_cycle cycle = {.command = command, .seen = seen};
    const struct moehub_hub_outcome outcome = moehub_hub_contexts_step(&unit, &cycle);
    assert_true(moehub_hub_contexts_is_valid(&unit));
    return outcome;
}

static struct moehub_hub_outcome run(unsigned operation, uint64_t data0, uint64_t data1)
{
    const struct moehub_hub_command command = {.operation = (uint8_t)operation, .data0 = data0, .data1 = data1};
    return step(&command, quiet);
}

static void give(unsigned operation, uint64_t data0, uint64_t data1)
{
    assert_int_equal(run(operation, data0, data1).refusal, MOEHUB_HUB_ACCEPTED);
}

/* A refused command leaves everything but its count and offender. */
static void refuse(enum moehub_hub_refusal why, unsigned operation, uint64_t data0, uint64_t data1)
{
    struct moehub_hub_context before[MOEHUB_HUB_CONTEXTS_MOST];
    memcpy(before, unit.contexts, sizeof before);
    const struct moehub_hub_outcome outcome = run(operation, data0, data1);
    assert_int_equal(outcome.refusal, why);
    assert_true(outcome.result.refused);
    assert_int_equal(outcome.result.data0, 0);
    assert_int_equal(outcome.result.data1, 0);
    assert_false(outcome.set.valid || outcome.end.valid);
    assert_memory_equal(before, unit.contexts, sizeof before);
}

static void pulse(uint32_t closed, uint32_t arrived, uint32_t failed, uint32_t advanced)
{
    const struct moehub_hub_cycle cycle = {.closed = closed, .arrived = arrived, .failed = failed, .advanced = advanced};
    moehub_hub_contexts_step(&unit, &cycle);
    assert_true(moehub_hub_contexts_is_valid(&unit));
}

static void set_up(void)
{
    give(0, 0x1F, 0);
    give(1, 8, 0);
    give(2, 0x10000, 4);
    give(3, UINT64_C(50) << 32 | 10u << 16 | 3, 0);
    give(5, 0x0302, 0);
    give(6, UINT64_C(7) << 32 | 5, 0);
}

static void enable(void)
{
    set_up();
    give(7, 9, 0);
}

/* ---- operands --------------------------------------------------------------------------------------------------------- */

static void illegal_parameters(void **state)
{
    (void)state;
    struct moehub_hub_contexts other;
    struct moehub_hub_contexts_config config = moehub_hub_contexts_config_default();
    config.gpus = 65;
    assert_int_equal(moehub_hub_contexts_create(&other, &config), MOEHUB_E_ARGUMENT);
    config.gpus = 8;
    config.own = 8;
    assert_int_equal(moehub_hub_contexts_create(&other, &config), MOEHUB_E_ARGUMENT);
}

static void peers(void **state)
{
    (void)state;
    refuse(MOEHUB_HUB_REFUSED_OWN_NO_PEER, 0, ~UINT64_C(4), 0);
    give(0, ~UINT64_C(1), 0);
    assert_int_equal(unit.contexts[0].peers, 0x1E);
    assert_int_equal(unit.contexts[0].given, 1);
}

static void owner(void **state)
{
    (void)state;
    give(1, 8, 0); /* 3 << 8 = 768 rows of 1024 */
    refuse(MOEHUB_HUB_REFUSED_OWNER_ROWS, 1, 9, 0);
    give(1, (UINT64_C(300) - 256) << 16 | 1 << 5 | 8, 0);
    refuse(MOEHUB_HUB_REFUSED_OWNER_TOKENS, 1, UINT64_C(45) << 16 | 1 << 5 | 8, 0);
    give(1, UINT64_C(0xFFFF) << 16 | 8, 0); /* counts no tokens */
    assert_false(unit.contexts[0].counts_tokens);
    assert_int_equal(unit.contexts[0].token_first, 0xFFFF);
    assert_int_equal(unit.contexts[0].owner_shift, 8);
}

static void list(void **state)
{
    (void)state;
    refuse(MOEHUB_HUB_REFUSED_LIST_SHIFT, 2, 0, SLOT_WIDTH + 1);
    give(2, UINT64_C(1) << 14, SLOT_WIDTH | ~UINT64_C(31)); /* 9 + 2 + 3 bits; other bits of data1 mean nothing */
    refuse(MOEHUB_HUB_REFUSED_LIST_UNALIGNED, 2, UINT64_C(1) << 13, SLOT_WIDTH);
    refuse(MOEHUB_HUB_REFUSED_LIST_BEYOND, 2, UINT64_C(1) << ADDRESS_WIDTH, SLOT_WIDTH);
    assert_int_equal(unit.contexts[0].list_base, 1 << 14);
    assert_int_equal(unit.contexts[0].list_shift, SLOT_WIDTH);
}

static void list_as_large_as_memory(void **state)
{
    (void)state;
    struct moehub_hub_contexts_config config = unit.config;
    config.slot_width = 31;
    config.address_width = 36;
    moehub_hub_contexts_destroy(&unit);
    assert_int_equal(moehub_hub_contexts_create(&unit, &config), 0);
    give(2, 0, 31);
    moehub_hub_contexts_destroy(&unit);
    config.address_width = 35;
    assert_int_equal(moehub_hub_contexts_create(&unit, &config), 0);
    refuse(MOEHUB_HUB_REFUSED_LIST_SIZE, 2, 0, 31);
}

static void tiles(void **state)
{
    (void)state;
    refuse(MOEHUB_HUB_REFUSED_TILE_SHIFT, 3, 13, 0);
    refuse(MOEHUB_HUB_REFUSED_TILES, 3, UINT64_C(61) << 32 | 40u << 16 | 12, 0);
    give(3, UINT64_C(60) << 32 | 40u << 16 | 12, 0);
    const struct moehub_hub_context *context = &unit.contexts[0];
    assert_int_equal(context->tile_first, 40);
    assert_int_equal(context->tile_count, 60);
    assert_int_equal(context->tile_shift, 12);
}

/* 50 tiles of 8 slots; lists of 16 slots: 2 tiles a region. */
static void regions(void **state)
{
    (void)state;
    set_up();
    struct moehub_hub_command command = {.operation = 4, .index = EXPERTS, .data0 = UINT64_C(2) << 32 | 48};
    assert_int_equal(step(&command, quiet).refusal, MOEHUB_HUB_REFUSED_EXPERT);
    command.index = EXPERTS - 1;
    const struct moehub_hub_outcome outcome = step(&command, quiet);
    assert_int_equal(outcome.refusal, MOEHUB_HUB_ACCEPTED);
    assert_true(outcome.set.valid && !outcome.end.valid);
    assert_int_equal(outcome.set.what, 1);
    assert_int_equal(outcome.set.expert, EXPERTS - 1);
    assert_int_equal(outcome.set.first, 48);
    assert_int_equal(outcome.set.count, 2);
    refuse(MOEHUB_HUB_REFUSED_REGION_TILES, 4, UINT64_C(2) << 32 | 49, 0);
    refuse(MOEHUB_HUB_REFUSED_REGION_SLOTS, 4, UINT64_C(3) << 32, 0);
    assert_int_equal(unit.contexts[0].given, 0x6F);
}

static void blocks_and_timeouts(void **state)
{
    (void)state;
    refuse(MOEHUB_HUB_REFUSED_NO_BLOCKS, 5, 0x0100, 0);
    refuse(MOEHUB_HUB_REFUSED_NO_BLOCKS, 5, 0x10001, 0);
    give(5, 0xFF01, 0);
    assert_int_equal(unit.contexts[0].blocks[0], 1);
    assert_int_equal(unit.contexts[0].blocks[1], 255);
    refuse(MOEHUB_HUB_REFUSED_NO_TIMEOUT, 6, 1, 0);
    refuse(MOEHUB_HUB_REFUSED_NO_TIMEOUT, 6, UINT64_C(1) << 32, 0);
    refuse(MOEHUB_HUB_REFUSED_LONG_TIMEOUT, 6, UINT64_C(1) << 32 | 0x80000001, 0);
    refuse(MOEHUB_HUB_REFUSED_LONG_TIMEOUT, 6, UINT64_C(0x80000001) << 32 | 1, 0);
    give(6, UINT64_C(0x80000000) << 32 | 1, 0);
    assert_int_equal(unit.contexts[0].arrival_timeout, 1);
    assert_int_equal(unit.contexts[0].token_timeout, 0x80000000);
}

static void no_such_command(void **state)
{
    (void)state;
    for (unsigned operation = 13; operation < 16; operation++)
        refuse(MOEHUB_HUB_REFUSED_OPERATION, operation, 0, 0);
    const struct moehub_hub_command command = {.operation = 8, .context = CONTEXTS};
    const struct moehub_hub_outcome outcome = step(&command, (struct moehub_hub_seen){.in_flight = true});
    assert_int_equal(outcome.refusal, MOEHUB_HUB_REFUSED_CONTEXT);
    assert_false(outcome.result.in_flight);
}

/* ---- a round ---------------------------------------------------------------------------------------------------------- */

static void enabling(void **state)
{
    (void)state;
    static const unsigned needed[] = {0, 1, 2, 3, 5, 6};
    static const uint64_t data0[] = {0x1F, 8, 0x10000, UINT64_C(50) << 32, 0x0101, UINT64_C(1) << 32 | 1};
    for (unsigned i = 0; i < 6; i++) {
        refuse(MOEHUB_HUB_REFUSED_NOT_GIVEN, 7, 0, 0);
        give(needed[i], data0[i], 0);
    }
    const struct moehub_hub_command command = {.operation = 7, .data0 = 0xF5};
    assert_int_equal(step(&command, (struct moehub_hub_seen){0}).refusal, MOEHUB_HUB_REFUSED_ADDRESS_DISABLED);
    give(7, 0xF5, 0);
    assert_true(unit.contexts[0].enabled && !unit.contexts[0].clean);
    assert_int_equal(unit.contexts[0].round, 5);
    for (unsigned operation = 0; operation < 8; operation++)
        refuse(MOEHUB_HUB_REFUSED_NOT_CLEAN, operation, ~UINT64_C(0), 0);
    assert_true(unit.contexts[OTHER].clean);
}

static void life_of_a_round(void **state)
{
    (void)state;
    refuse(MOEHUB_HUB_REFUSED_DISABLED, 10, 0, 0);
    enable();
    refuse(MOEHUB_HUB_REFUSED_ENABLED, 9, 0, 0);
    const struct moehub_hub_outcome close = run(10, 0, 0);
    assert_true(close.end.valid && !close.set.valid);
    assert_int_equal(close.end.what, 0);
    refuse(MOEHUB_HUB_REFUSED_CLOSING, 10, 0, 0);
    give(8, 0, 0);
    refuse(MOEHUB_HUB_REFUSED_IN_FLIGHT, 9, 0, 0); /* its closes are still to be sent */
    pulse(1, 0, 0, 0);
    const struct moehub_hub_command advance = {.operation = 9};
    assert_int_equal(step(&advance, (struct moehub_hub_seen){.in_flight = true}).refusal, MOEHUB_HUB_REFUSED_IN_FLIGHT);
    pulse(0, 1, 1, 0);
    const struct moehub_hub_outcome advanced = run(9, 0, 0);
    assert_true(advanced.set.valid && advanced.end.valid);
    assert_int_equal(advanced.set.what, 2);
    assert_int_equal(advanced.end.what, 2);
    assert_false(unit.contexts[0].clean);
    pulse(1, 1, 1, 1); /* what comes with it is lost */
    assert_true(unit.contexts[0].clean);
    give(7, 1, 0); /* what was given stays */
}

static void aborting(void **state)
{
    (void)state;
    refuse(MOEHUB_HUB_REFUSED_CLEAN, 11, 0, 0);
    enable();
    give(8, 0, 0);
    const struct moehub_hub_outcome abort = run(11, 0, 0);
    assert_int_equal(abort.end.what, 1);
    assert_true(abort.end.valid && abort.became_failed && !abort.set.valid);
    assert_true(unit.contexts[0].closing && unit.contexts[0].failed);
    give(11, 0, 0); /* again, while it closes */
    pulse(1, 0, 0, 0);
    refuse(MOEHUB_HUB_REFUSED_CLOSED, 11, 0, 0);
}

/* All that comes in one cycle acts on the state before it. */
static void in_one_cycle(void **state)
{
    (void)state;
    set_up();
    const struct moehub_hub_command enabling = {.operation = 7};
    struct moehub_hub_cycle cycle = {.command = &enabling, .seen = quiet, .failed = 1, .arrived = 1, .closed = 1};
    assert_false(moehub_hub_contexts_step(&unit, &cycle).became_failed);
    assert_false(unit.contexts[0].failed || unit.contexts[0].arrived || unit.contexts[0].closed);
    const struct moehub_hub_command abort = {.operation = 11};
    cycle = (struct moehub_hub_cycle){.command = &abort, .closed = 1};
    assert_int_equal(moehub_hub_contexts_step(&unit, &cycle).refusal, MOEHUB_HUB_ACCEPTED);
    assert_true(unit.contexts[0].closed && unit.contexts[0].failed);
    cycle = (struct moehub_hub_cycle){.arrived = 1};
    assert_true(moehub_hub_contexts_step(&unit, &cycle).became_arrived);
    assert_false(moehub_hub_contexts_step(&unit, &cycle).became_arrived);
}

static void getting(void **state)
{
    (void)state;
    enable();
    run(10, 0, 0);
    pulse(0, 0, 1, 0);
    const struct moehub_hub_command get = {.operation = 12};
    const struct moehub_hub_outcome outcome = step(&get, (struct moehub_hub_seen){.rows = 33, .complete = 0x35});
    assert_int_equal(outcome.result.data0, 0x0A);
    assert_int_equal(outcome.result.data1, 33 << 16 | 0x65); /* in flight, failed, closing, enabled */
}

/* ---- registers -------------------------------------------------------------------------------------------------------- */

static struct moehub_hub_control_csr csr;

static uint32_t get(uint32_t address)
{
    const struct moehub_csr_word word = moehub_hub_control_csr_read(&csr, address);
    assert_int_equal(word.response, MOEHUB_CSR_OKAY);
    return word.data;
}

static void set(uint32_t address, uint32_t data)
{
    assert_int_equal(moehub_hub_control_csr_write(&csr, address, data, 0xF, false), MOEHUB_CSR_OKAY);
}

static void take(void)
{
    const struct moehub_hub_outcome outcome = step(&csr.started, quiet);
    moehub_hub_control_csr_note(&csr, &outcome, true);
}

static void registers(void **state)
{
    (void)state;
    uint32_t parameters[MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT];
    for (uint32_t i = 0; i < MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT; i++)
        parameters[i] = 100 + i;
    moehub_hub_control_csr_init(&csr, &unit, parameters);
    assert_int_equal(get(MOEHUB_CSR_ID), 1297040707);
    assert_int_equal(get(MOEHUB_HUB_CONTROL_CSR_PARAMETER_WITH_FP32), 123);
    assert_int_equal(get(MOEHUB_HUB_CONTROL_CSR_OWN), OWN);
    set(MOEHUB_HUB_CONTROL_CSR_COMMAND_CONTEXT, 0x109);
    set(MOEHUB_HUB_CONTROL_CSR_COMMAND_DATA0_LOW, 1);
    set(MOEHUB_CSR_COMMAND, 0xF3);
    set(MOEHUB_HUB_CONTROL_CSR_COMMAND_CONTEXT, 0); /* not the one that runs */
    take();
    assert_int_equal(get(MOEHUB_CSR_COMMAND_STATUS), MOEHUB_CSR_COMMAND_STATUS_REFUSED);
    const uint32_t header[4] = {1u << 29 | 3, 0, 0, 0}; /* context 9 has 1 in its low 3 bits */
    assert_true(moehub_hub_control_csr_latch_possible(&csr, 1, header, 0));
    set(MOEHUB_CSR_SNAPSHOT, 0);
    assert_int_equal(get(MOEHUB_CSR_COUNTER_LOW), 1);
    assert_int_equal(get(MOEHUB_CSR_COUNTER_LOW + 8), 1);
}

static void interrupts(void **state)
{
    (void)state;
    const uint32_t parameters[MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT] = {0};
    moehub_hub_control_csr_init(&csr, &unit, parameters);
    enable();
    assert_int_equal(get(MOEHUB_CSR_STATUS), 0x100);
    set(MOEHUB_CSR_COMMAND, 11);
    take();
    assert_int_equal(get(MOEHUB_CSR_INTERRUPT_STATUS), MOEHUB_HUB_CONTROL_CSR_INTERRUPT_STATUS_FAILED);
    assert_int_equal(get(MOEHUB_CSR_STATUS), 0x10100);
    assert_int_equal(get(MOEHUB_CSR_COMMAND_STATUS), 0);
}

int main(void)
{
#define UNIT(test) cmocka_unit_test_setup_teardown(test, create, destroy)
    const struct CMUnitTest tests[] = {
        UNIT(illegal_parameters), UNIT(peers),           UNIT(owner),           UNIT(list),         UNIT(list_as_large_as_memory),
        UNIT(tiles),              UNIT(regions),         UNIT(blocks_and_timeouts), UNIT(no_such_command), UNIT(enabling),
        UNIT(life_of_a_round),    UNIT(aborting),        UNIT(in_one_cycle),    UNIT(getting),      UNIT(registers),
        UNIT(interrupts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
