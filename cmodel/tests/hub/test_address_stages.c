/* SPDX-License-Identifier: Apache-2.0 */
/* The two stages of the address path, case by case (rtl/doc/hub/address_stages.md). Random requests and commands of two
 * stages: test_address_path.c. */
#include "moehub/address_path.h"

#include "common/support.h"

#define CONTEXT 2
#define EXPERT 2
#define ROW 0x12345
#define ROW_LIMIT 0x20000
#define TABLE UINT64_C(0x80000000)
#define DISPATCH_BASE UINT64_C(0x10000000)
#define COMBINE_BASE UINT64_C(0x20000000)

static struct moehub_hub_result give(struct moehub_address_path *path, unsigned operation, unsigned index, uint64_t data0,
                                     uint64_t data1, bool in_flight)
{
    const struct moehub_hub_command command = {data0, data1, (uint16_t)index, CONTEXT, (uint8_t)operation};
    struct moehub_hub_result result;
    moehub_address_path_command(path, &command, in_flight, &result);
    return result;
}

static bool refused(struct moehub_address_path *path, unsigned operation, unsigned index, uint64_t data0, uint64_t data1)
{
    return give(path, operation, index, data0, data1, false).refused;
}

static uint64_t sized(uint64_t row_size)
{
    return row_size << 32;
}

static void create(struct moehub_address_path *path, unsigned stages, unsigned offset_width)
{
    struct moehub_address_path_config config = moehub_address_path_config_default();
    config.stages = stages;
    config.length_width = 11;
    config.offset_width = offset_width;
    assert_int_equal(moehub_address_path_create(path, &config, NULL), 0);
    assert_int_equal(moehub_al_walker_map(&path->walker, TABLE, UINT64_C(4) * ROW_LIMIT * config.local_experts), 0);
}

/* Created with context 2 enabled: rows of `row_size` bytes; regions of 16 slots, all at DISPATCH_BASE. */
static void open_path(struct moehub_address_path *path, unsigned stages, unsigned offset_width, uint32_t row_size)
{
    create(path, stages, offset_width);
    struct moehub_region regions[EXPERT + 1];
    for (unsigned i = 0; i <= EXPERT; i++)
        regions[i] = (struct moehub_region){.base = DISPATCH_BASE, .capacity = 16};
    assert_int_equal(moehub_address_path_open(path, CONTEXT, TABLE, ROW_LIMIT, row_size, regions, EXPERT + 1), 0);
}

/* Carried out while the context is disabled for it. */
static void must(struct moehub_address_path *path, unsigned operation, unsigned index, uint64_t data0, uint64_t data1)
{
    assert_false(refused(path, MOEHUB_HUB_COMMAND_DISABLE, 0, 0, 0));
    assert_false(refused(path, operation, index, data0, data1));
    assert_false(refused(path, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0));
}

static struct moehub_hub_answer ask(struct moehub_address_path *path, unsigned operation, uint32_t row, uint32_t offset,
                                    uint32_t length, bool first)
{
    const struct moehub_hub_request request = {.row_index = row, .expert = EXPERT, .offset = (uint16_t)offset,
                                               .length = (uint16_t)length, .operation = (uint8_t)operation,
                                               .context = CONTEXT, .first = first};
    struct moehub_hub_answer answer;
    moehub_address_path_request(path, &request, &answer);
    return answer;
}

static struct moehub_hub_answer store(struct moehub_address_path *path, uint32_t offset, uint32_t length)
{
    return ask(path, MOEHUB_REQUEST_WRITE_TOUCH, ROW, offset, length, false);
}

static struct moehub_hub_answer read_back(struct moehub_address_path *path, uint32_t offset, uint32_t length)
{
    return ask(path, MOEHUB_REQUEST_READ_LOOKUP, ROW, offset, length, false);
}

/* ROW gets the slot; rows before it take those below. */
static void announce(struct moehub_address_path *path, uint32_t slot)
{
    for (uint32_t i = 0; i < slot; i++)
        assert_int_equal(ask(path, MOEHUB_REQUEST_WRITE_TOUCH, i, 0, 16, true).slot, i);
    const struct moehub_hub_answer answer = ask(path, MOEHUB_REQUEST_WRITE_TOUCH, ROW, 0, 16, true);
    assert_true(answer.allocated);
    assert_int_equal(answer.slot, slot);
}

/* ---- requests ---------------------------------------------------------------- */

static void the_worked_example(void **state)
{
    (void)state;
    struct moehub_address_path path;
    open_path(&path, 2, 14, 7168);
    must(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(14336));
    must(&path, MOEHUB_HUB_COMMAND_BASE_SET, EXPERT, COMBINE_BASE, 0);
    announce(&path, 5);
    assert_int_equal(store(&path, 256, 128).address, 0x10008d00);
    assert_int_equal(read_back(&path, 1024, 1024).address, 0x20011c00);
    assert_int_equal(read_back(&path, 14336, 16).status, MOEHUB_STATUS_RANGE);
    assert_int_equal(store(&path, 14336, 16).status, MOEHUB_STATUS_RANGE);
    moehub_address_path_destroy(&path);
}

/* The last bytes of a row of each stage, and one more, for rows of a whole number of lines and for others. */
static void strides_and_ranges_are_of_the_stage(void **state)
{
    (void)state;
    static const uint32_t strides[][2] = {{16, 128}, {112, 128}, {128, 128}, {144, 256}, {5776, 5888}, {7168, 7168},
                                          {16368, 16384}, {16384, 16384}};
    const unsigned count = sizeof strides / sizeof strides[0];
    for (unsigned i = 0; i < count; i++) {
        const uint32_t *dispatch = strides[i];
        const uint32_t *combine = strides[count - 1 - i];
        struct moehub_address_path path;
        open_path(&path, 2, 14, dispatch[0]);
        must(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(combine[0]));
        must(&path, MOEHUB_HUB_COMMAND_BASE_SET, EXPERT, COMBINE_BASE, 0);
        announce(&path, 7);
        assert_int_equal(store(&path, dispatch[0] - 16, 16).address, DISPATCH_BASE + 7 * dispatch[1] + dispatch[0] - 16);
        assert_int_equal(read_back(&path, combine[0] - 16, 16).address, COMBINE_BASE + 7 * combine[1] + combine[0] - 16);
        assert_int_equal(store(&path, dispatch[0] - 16, 17).status, MOEHUB_STATUS_RANGE);
        assert_int_equal(read_back(&path, combine[0] - 16, 17).status, MOEHUB_STATUS_RANGE);
        moehub_address_path_destroy(&path);
    }
}

/* Neither offset + length nor a length of 1024 wraps. */
static void sums_have_17_bits(void **state)
{
    (void)state;
    struct moehub_address_path path;
    open_path(&path, 2, 16, 65536);
    announce(&path, 0);
    assert_int_equal(read_back(&path, 65535, 1).status, MOEHUB_STATUS_OK);
    assert_int_equal(read_back(&path, 65535, 2).status, MOEHUB_STATUS_RANGE);
    assert_int_equal(read_back(&path, 64512, 1024).status, MOEHUB_STATUS_OK);
    assert_int_equal(read_back(&path, 64513, 1024).status, MOEHUB_STATUS_RANGE);
    assert_int_equal(read_back(&path, 65535, 2047).status, MOEHUB_STATUS_RANGE);
    assert_int_equal(read_back(&path, 0, 0).status, MOEHUB_STATUS_RANGE);
    must(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 0, 0, sized(16));
    assert_int_equal(store(&path, 65535, 17).status, MOEHUB_STATUS_RANGE);   /* 65552 modulo 2^16 is 16 */
    moehub_address_path_destroy(&path);
}

/* One next slot, one capacity, one table for both stages; a read announces nothing. */
static void slots_are_of_both_stages(void **state)
{
    (void)state;
    struct moehub_address_path path;
    open_path(&path, 2, 14, 256);
    assert_int_equal(read_back(&path, 0, 16).status, MOEHUB_STATUS_UNMAPPED);
    const struct moehub_hub_answer early = ask(&path, MOEHUB_REQUEST_READ_LOOKUP, ROW, 0, 16, true);
    assert_int_equal(early.status, MOEHUB_STATUS_UNMAPPED);
    assert_false(early.allocated);
    announce(&path, 15);
    assert_int_equal(ask(&path, MOEHUB_REQUEST_WRITE_TOUCH, ROW + 1, 0, 16, true).status, MOEHUB_STATUS_FULL);
    assert_int_equal(read_back(&path, 0, 16).slot, 15);
    assert_int_equal(path.counters[MOEHUB_HUB_EVENT_ALLOCATIONS], 16);
    moehub_address_path_destroy(&path);
}

/* With two stages the header of a read that is refused has its length in units, as bytes have no place in it. */
static void offenders_lengths(void **state)
{
    (void)state;
    static const struct { uint32_t stages, operation, length, shown; } cases[] = {
        {2, MOEHUB_REQUEST_READ_LOOKUP, 1024, 64}, {2, MOEHUB_REQUEST_READ_LOOKUP, 1039, 64},
        {2, MOEHUB_REQUEST_READ_LOOKUP, 2047, 127}, {2, MOEHUB_REQUEST_READ_LOOKUP, 15, 0},
        {2, MOEHUB_REQUEST_WRITE_TOUCH, 128, 128}, {2, MOEHUB_REQUEST_WRITE_TOUCH, 1025, 1},
        {1, MOEHUB_REQUEST_READ_LOOKUP, 128, 128}, {1, MOEHUB_REQUEST_READ_LOOKUP, 1025, 1},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct moehub_address_path path;
        open_path(&path, cases[i].stages, 14, 128);
        assert_int_equal(ask(&path, cases[i].operation, ROW, 128, cases[i].length, false).status, MOEHUB_STATUS_RANGE);
        assert_int_equal(path.offenders.count, 1);
        assert_int_equal(moehub_header_unpack(path.offenders.list[0].header).length, cases[i].shown);
        moehub_address_path_destroy(&path);
    }
}

static void faults_are_counted_by_context(void **state)
{
    (void)state;
    struct moehub_address_path path;
    open_path(&path, 2, 14, 256);
    announce(&path, 0);
    assert_int_equal(path.faults[CONTEXT], 0);
    ask(&path, MOEHUB_REQUEST_WRITE_TOUCH, ROW, 0, 16, true);   /* repeated */
    for (unsigned context = 0; context < MOEHUB_CONTEXTS_MAX; context++)
        assert_int_equal(path.faults[context], context == CONTEXT);
    moehub_address_path_reset(&path);
    assert_int_equal(path.faults[CONTEXT], 0);
    moehub_address_path_destroy(&path);
}

/* ---- commands ---------------------------------------------------------------- */

struct limit {
    unsigned operation, index;
    uint64_t data0, data1;
    bool refused;
};

/* Each limit of a command's operands from both sides: a fresh path with 64 experts, rows up to 16384 bytes, 48 bits. */
static void operands_at_their_limits(void **state)
{
    (void)state;
    const uint64_t top = UINT64_C(1) << 48;
    const struct limit limits[] = {
        {MOEHUB_HUB_COMMAND_STAGE_SET, 0, 0, sized(16), false},
        {MOEHUB_HUB_COMMAND_STAGE_SET, 1, UINT64_MAX, sized(16384) | UINT32_MAX, false},
        {MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(UINT64_C(0x20010)), false},   /* bit 49 is ignored */
        {MOEHUB_HUB_COMMAND_STAGE_SET, 2, 0, sized(16), true},
        {MOEHUB_HUB_COMMAND_STAGE_SET, 0x8001, 0, sized(16), true},
        {MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, 0, true},
        {MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(UINT64_C(0x20000)), true},
        {MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(8), true},
        {MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(24), true},
        {MOEHUB_HUB_COMMAND_STAGE_SET, 0, 0, sized(16400), true},
        {MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(65536), true},
        {MOEHUB_HUB_COMMAND_BASE_SET, 0, 0, UINT64_MAX, false},
        {MOEHUB_HUB_COMMAND_BASE_SET, 63, top - 128, 0, false},
        {MOEHUB_HUB_COMMAND_BASE_SET, 64, 0, 0, true},
        {MOEHUB_HUB_COMMAND_BASE_SET, 0x8000, 0, 0, true},
        {MOEHUB_HUB_COMMAND_BASE_SET, 0, top, 0, true},
        {MOEHUB_HUB_COMMAND_BASE_SET, 0, 64, 0, true},
        {MOEHUB_HUB_COMMAND_BASE_SET, 0, top - 1, 0, true},
        {MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, sized(16), false},
        {MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 4, sized(16384), false},
        {MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, sized(17), true},
        {MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, sized(16383), true},
        {MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 2, sized(16), true},
        {MOEHUB_HUB_COMMAND_REGION_SET, 63, top - 128, 1, false},
        {MOEHUB_HUB_COMMAND_REGION_SET, 0, 127, 1, true},
        {MOEHUB_HUB_COMMAND_REGION_SET, 0, 192, 0, true},
        {MOEHUB_HUB_COMMAND_REGION_SET, 0, top, 1, true},
        {MOEHUB_HUB_COMMAND_REGION_SET, 0x8000, 0, 1, true},
        {MOEHUB_HUB_COMMAND_CONTEXT_GET, 0xFFFF, 0, 0, false},
        {MOEHUB_HUB_COMMAND_REGION_GET, 63, 0, 0, false},
        {MOEHUB_HUB_COMMAND_REGION_GET, 64, 0, 0, true},
        {MOEHUB_HUB_COMMAND_REGION_GET, 0x8000 + 63, 0, 0, false},
        {MOEHUB_HUB_COMMAND_REGION_GET, 0x8000 + 64, 0, 0, true},
        {12, 0, 0, sized(16), true},
        {15, 0, 0, sized(16), true},
    };
    for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct moehub_address_path path;
        create(&path, 2, 14);
        assert_int_equal(refused(&path, limits[i].operation, limits[i].index, limits[i].data0, limits[i].data1),
                         limits[i].refused);
        assert_int_equal(path.counters[MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_COMMAND], limits[i].refused);
        moehub_address_path_destroy(&path);
    }
}

/* A refused command changes nothing; those that set are refused while the context is enabled or in flight, GETs are not. */
static void commands_want_a_quiet_context(void **state)
{
    (void)state;
    struct moehub_address_path path;
    open_path(&path, 2, 14, 256);
    must(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(512));
    must(&path, MOEHUB_HUB_COMMAND_BASE_SET, EXPERT, COMBINE_BASE, 0);
    for (unsigned disabled = 0; disabled < 2; disabled++) {
        assert_true(give(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(16), disabled).refused);
        assert_true(give(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 0, 0, sized(16), disabled).refused);
        assert_true(give(&path, MOEHUB_HUB_COMMAND_BASE_SET, EXPERT, 0, 0, disabled).refused);
        assert_true(give(&path, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, sized(16), disabled).refused);
        assert_true(give(&path, MOEHUB_HUB_COMMAND_REGION_SET, EXPERT, 0, 1, disabled).refused);
        assert_int_equal(give(&path, MOEHUB_HUB_COMMAND_CONTEXT_GET, 0, 0, 0, true).data1 >> 32 & 0x1FFFF, 256);
        assert_int_equal(give(&path, MOEHUB_HUB_COMMAND_CONTEXT_GET, 1, 0, 0, true).data1 >> 32 & 0x1FFFF, 512);
        assert_int_equal(give(&path, MOEHUB_HUB_COMMAND_REGION_GET, EXPERT, 0, 0, true).data0, DISPATCH_BASE);
        assert_int_equal(give(&path, MOEHUB_HUB_COMMAND_REGION_GET, 0x8000 | EXPERT, 0, 0, true).data0, COMBINE_BASE);
        assert_false(refused(&path, MOEHUB_HUB_COMMAND_DISABLE, 0, 0, 0));
    }
    const struct moehub_hub_command nowhere = {0, sized(16), 1, 4, MOEHUB_HUB_COMMAND_STAGE_SET};   /* contexts are 0..3 */
    struct moehub_hub_result result;
    moehub_address_path_command(&path, &nowhere, false, &result);
    assert_true(result.refused);
    moehub_address_path_destroy(&path);
}

static void expect_sizes(struct moehub_address_path *path, uint64_t dispatch, uint64_t combine)
{
    static const unsigned of_stage_0[] = {0, 2, 0x8001};
    const uint64_t flags = give(path, MOEHUB_HUB_COMMAND_CONTEXT_GET, 0, 0, 0, false).data1 & ~sized(0x1FFFF);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(give(path, MOEHUB_HUB_COMMAND_CONTEXT_GET, of_stage_0[i], 0, 0, false).data1, flags | sized(dispatch));
    assert_int_equal(give(path, MOEHUB_HUB_COMMAND_CONTEXT_GET, 1, 0, 0, false).data1, flags | sized(combine));
    assert_int_equal(moehub_addr_alloc_row_size(&path->alloc.contexts[CONTEXT], 0), dispatch);
    assert_int_equal(moehub_addr_alloc_row_size(&path->alloc.contexts[CONTEXT], 1), combine);
}

static void expect_bases(struct moehub_address_path *path, unsigned expert, uint64_t dispatch, uint64_t combine, uint64_t data1)
{
    const struct moehub_hub_result first = give(path, MOEHUB_HUB_COMMAND_REGION_GET, expert, 0, 0, false);
    const struct moehub_hub_result second = give(path, MOEHUB_HUB_COMMAND_REGION_GET, 0x8000 | expert, 0, 0, false);
    assert_int_equal(first.data0, dispatch);
    assert_int_equal(second.data0, combine);
    assert_int_equal(first.data1, data1);
    assert_int_equal(second.data1, data1);
}

/* CONTEXT_SET and REGION_SET set both stages, again and again; the new commands set one and ask for no clear. */
static void what_each_command_sets(void **state)
{
    (void)state;
    struct moehub_address_path path;
    create(&path, 2, 14);
    expect_sizes(&path, 0, 0);
    expect_bases(&path, EXPERT, 0, 0, 0);
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(48)));
    expect_sizes(&path, 0, 48);
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_CONTEXT_SET, 0, 0, sized(256)));
    expect_sizes(&path, 256, 256);
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_BASE_SET, EXPERT, 1024, 0));
    expect_bases(&path, EXPERT, 0, 1024, 0);
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_REGION_SET, EXPERT, 2048, 9));
    expect_bases(&path, EXPERT, 2048, 2048, 9);
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_ACKNOWLEDGE_CLEAR, 0, 0, 0));

    assert_false(refused(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 0, 0, sized(32)));
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(64)));
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_BASE_SET, EXPERT, 4096, 0));
    expect_sizes(&path, 32, 64);
    expect_bases(&path, EXPERT, 2048, 4096, 9);
    expect_bases(&path, EXPERT + 1, 0, 0, 0);
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_ENABLE, 0, 0, 0));   /* neither clear_needed nor advance_needed */
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_DISABLE, 0, 0, 0));

    assert_false(refused(&path, MOEHUB_HUB_COMMAND_FLUSH, 0, 0, 0));
    expect_sizes(&path, 0, 0);
    expect_bases(&path, EXPERT, 0, 0, 0);
    moehub_address_path_destroy(&path);
}

/* ---- one stage --------------------------------------------------------------- */

static void one_stage_is_as_it_was(void **state)
{
    (void)state;
    struct moehub_address_path path;
    open_path(&path, 1, 14, 37);
    announce(&path, 5);
    assert_int_equal(read_back(&path, 36, 1).address, DISPATCH_BASE + 5 * 37 + 36);
    assert_int_equal(store(&path, 36, 1).address, DISPATCH_BASE + 5 * 37 + 36);
    assert_int_equal(read_back(&path, 37, 1).status, MOEHUB_STATUS_RANGE);
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_DISABLE, 0, 0, 0));
    assert_true(refused(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 0, 0, sized(16)));
    assert_true(refused(&path, MOEHUB_HUB_COMMAND_STAGE_SET, 1, 0, sized(16)));
    assert_true(refused(&path, MOEHUB_HUB_COMMAND_BASE_SET, EXPERT, 128, 0));
    assert_true(refused(&path, MOEHUB_HUB_COMMAND_REGION_GET, 0x8000 | EXPERT, 0, 0));
    assert_int_equal(give(&path, MOEHUB_HUB_COMMAND_CONTEXT_GET, 1, 0, 0, false).data1 >> 32 & 0x1FFFF, 37);
    assert_int_equal(give(&path, MOEHUB_HUB_COMMAND_REGION_GET, EXPERT, 0, 0, false).data0, DISPATCH_BASE);
    assert_false(refused(&path, MOEHUB_HUB_COMMAND_REGION_SET, EXPERT, 1, 1));
    moehub_address_path_destroy(&path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_worked_example),
        cmocka_unit_test(strides_and_ranges_are_of_the_stage),
        cmocka_unit_test(sums_have_17_bits),
        cmocka_unit_test(slots_are_of_both_stages),
        cmocka_unit_test(offenders_lengths),
        cmocka_unit_test(faults_are_counted_by_context),
        cmocka_unit_test(operands_at_their_limits),
        cmocka_unit_test(commands_want_a_quiet_context),
        cmocka_unit_test(what_each_command_sets),
        cmocka_unit_test(one_stage_is_as_it_was),
    };
    return cmocka_run_group_tests_name("address_stages", tests, NULL, NULL);
}
