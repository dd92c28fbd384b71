/* SPDX-License-Identifier: Apache-2.0 */
/* The driver of a hub (rtl/doc/hub/driver.md): commands of each call, their order and operands, as a recorded bus saw them; every
 * call with each of its accesses failing, each of its commands refused, and a command that never ends. */
#include "moehub/driver.h"

#include "driver/recorded_bus.h"

enum { OWN = 3, POLLS = 20, CONTEXT = 2, LINKS = 2, GPUS = 40, W0 = MOEHUB_WINDOW_CONTROL, W1 = MOEHUB_WINDOW_ADDRESS_PATH };

static struct recorded_bus bus;
static struct moehub_hub hub;

static const struct moehub_bus registers = {&bus, recorded_write, recorded_read};

static const struct moehub_context_shape shape = {
    .table = UINT64_C(0x123456789000),
    .row_bytes = {7168, 14336},
    .peers = UINT64_C(0xAB0000000F),
    .owner_shift = 8,
    .counts_tokens = true,
    .token_first = 0x1234,
    .list = UINT64_C(0x800000100000),
    .list_shift = 12,
    .tile_shift = 7,
    .tile_first = 0x321,
    .tile_count = 0x10000,
    .blocks = {17, 200},
    .arrival_timeout = 0x80000000u,
    .token_timeout = 12345,
};

static const struct moehub_hub_region region = {{UINT64_C(0x111100000080), UINT64_C(0x222200000100)}, 0x200000, 0x55, 0x10000};

/* PARAMETER i reads 100 + i but where another value is needed. */
static void fill_registers(void)
{
    memset(&bus, 0, sizeof bus);
    recorded_forget(&bus);
    uint32_t *words = bus.words[W0];
    words[MOEHUB_CSR_ID / 4] = MOEHUB_ID_HUB_CONTROL;
    words[MOEHUB_CSR_VERSION / 4] = MOEHUB_VERSION;
    words[MOEHUB_CSR_STATUS / 4] = MOEHUB_HUB_CONTROL_CSR_STATUS_INITIALISED;
    for (uint32_t i = 0; i < MOEHUB_HUB_CONTROL_CSR_PARAMETER_COUNT; i++)
        words[MOEHUB_CSR_PARAMETER / 4 + i] = 100 + i;
    words[MOEHUB_HUB_CONTROL_CSR_PARAMETER_LINKS / 4] = LINKS;
    words[MOEHUB_HUB_CONTROL_CSR_PARAMETER_GPUS / 4] = GPUS;
    words[MOEHUB_HUB_CONTROL_CSR_PARAMETER_CONTEXTS / 4] = 4;
    words[MOEHUB_HUB_CONTROL_CSR_PARAMETER_ROW_INDEX_WIDTH / 4] = 20;
    words[MOEHUB_HUB_CONTROL_CSR_PARAMETER_SLOT_WIDTH / 4] = 22;
    words[MOEHUB_HUB_CONTROL_CSR_PARAMETER_OFFSET_WIDTH / 4] = 14;
}

static int opened(void **state)
{
    (void)state;
    fill_registers();
    assert_int_equal(moehub_hub_open(&hub, &registers, OWN, POLLS), 0);
    recorded_forget(&bus);
    return 0;
}

static void expect_commands(const struct recorded_command *expected, int count)
{
    assert_int_equal(bus.command_count, count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(bus.commands[i].window, expected[i].window);
        assert_int_equal(bus.commands[i].operation, expected[i].operation);
        assert_int_equal(bus.commands[i].context, expected[i].context);
        assert_int_equal(bus.commands[i].index, expected[i].index);
        assert_int_equal(bus.commands[i].data[0], expected[i].data[0]);
        assert_int_equal(bus.commands[i].data[1], expected[i].data[1]);
    }
}

#define EXPECT_COMMANDS(...)                                                         \
    do {                                                                             \
        const struct recorded_command expected[] = {__VA_ARGS__};                    \
        expect_commands(expected, (int)(sizeof expected / sizeof *expected));        \
    } while (0)

/* The message has the words, and nothing was written. */
static void expect_nothing_written(int error, const char *words)
{
    assert_int_equal(error, MOEHUB_E_ARGUMENT);
    assert_non_null(strstr(hub.message.text, words));
    for (int i = 0; i < bus.access_count; i++)
        assert_false(bus.accesses[i].write);
    recorded_forget(&bus);
}

/* ---- open -------------------------------------------------------------------------------------------------------------- */

static void open_reads_what_the_hub_is(void **state)
{
    (void)state;
    fill_registers();
    bus.not_initialised = POLLS - 1;
    assert_int_equal(moehub_hub_open(&hub, &registers, OWN, POLLS), 0);
    assert_int_equal(bus.accesses[0].address, MOEHUB_CSR_ID);
    assert_int_equal(bus.accesses[1].address, MOEHUB_CSR_VERSION);
    for (int i = 0; i < POLLS; i++)
        assert_int_equal(bus.accesses[bus.access_count - 1 - i].address, MOEHUB_CSR_STATUS);
    const struct moehub_hub_shape *built = &hub.shape;
    const uint32_t seen[] = {built->links, built->gpus, built->contexts, built->local_expert_bits, built->local_experts,
                             built->max_targets, built->request_lines, built->row_index_width, built->slot_width,
                             built->offset_width, built->address_width, built->tiles, built->tokens, built->rows, built->lines,
                             built->store_bytes, built->final_groups};
    const uint32_t expected[] = {LINKS, GPUS, 4, 103, 104, 105, 106, 20, 22, 14, 110, 117, 118, 119, 120, 121, 122};
    assert_memory_equal(seen, expected, sizeof expected);
}

static void open_refuses_what_is_no_hub(void **state)
{
    (void)state;
    fill_registers();
    expect_nothing_written(moehub_hub_open(&hub, &registers, OWN, 0), "polls");
    expect_nothing_written(moehub_hub_open(&hub, &registers, GPUS, POLLS), "built for 40");
    bus.words[W0][MOEHUB_CSR_VERSION / 4] = MOEHUB_VERSION + 0x100;
    expect_nothing_written(moehub_hub_open(&hub, &registers, OWN, POLLS), "VERSION");
    bus.words[W0][MOEHUB_CSR_VERSION / 4] = MOEHUB_VERSION ^ 0x10000;
    expect_nothing_written(moehub_hub_open(&hub, &registers, OWN, POLLS), "VERSION");
    bus.words[W0][MOEHUB_CSR_VERSION / 4] = MOEHUB_VERSION ^ 1;
    assert_int_equal(moehub_hub_open(&hub, &registers, OWN, POLLS), 0);
    bus.words[W0][MOEHUB_CSR_ID / 4] = MOEHUB_ID_HUB;
    expect_nothing_written(moehub_hub_open(&hub, &registers, OWN, POLLS), "ID");
}

static void open_waits_for_so_many_polls(void **state)
{
    (void)state;
    fill_registers();
    bus.not_initialised = POLLS;
    assert_int_equal(moehub_hub_open(&hub, &registers, OWN, POLLS), MOEHUB_E_TIMEOUT);
    assert_non_null(strstr(hub.message.text, "INITIALISED"));
}

/* ---- one command ------------------------------------------------------------------------------------------------------- */

/* Operands, COMMAND, COMMAND_STATUS until it is not busy: nothing is written behind COMMAND. */
static void a_command_is_operands_then_command(void **state)
{
    (void)state;
    bus.busy = 5;
    assert_int_equal(moehub_context_close(&hub, CONTEXT), 0);
    EXPECT_COMMANDS({W0, MOEHUB_HUB_CONTROL_COMMAND_CLOSE, CONTEXT, 0, {0}});
    const uint32_t operands[] = {0x080, 0x084, 0x088, 0x08C, 0x090, 0x094, 0x098};
    for (int i = 0; i < 7; i++) {
        assert_true(bus.accesses[i].write);
        assert_int_equal(bus.accesses[i].address, operands[i]);
    }
    assert_true(bus.access_count >= 7 + 5 + 1);
    for (int i = 7; i < bus.access_count; i++) {
        assert_false(bus.accesses[i].write);
        assert_int_equal(bus.accesses[i].address, 0x09C);
    }
}

static void timeouts_of_packet_manager_and_each_link(void **state)
{
    (void)state;
    assert_int_equal(moehub_hub_timeouts(&hub, 32768, 0xFFFFFFFF), 0);
    EXPECT_COMMANDS({3, MOEHUB_PACKET_MANAGER_COMMAND_LINE_TIMEOUT_SET, 0, 0, {32768}},
                    {9, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0, 0, {0xFFFFFFFF}},
                    {10, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0, 0, {0xFFFFFFFF}});
    recorded_forget(&bus);
    expect_nothing_written(moehub_hub_timeouts(&hub, 0, 1), "timeout of 0");
    expect_nothing_written(moehub_hub_timeouts(&hub, 1, 0), "timeout of 0");
}

/* ---- a context's shape --------------------------------------------------------------------------------------------------- */

static void create_sets_both_tables(void **state)
{
    (void)state;
    assert_int_equal(moehub_context_create(&hub, CONTEXT, &shape), 0);
    EXPECT_COMMANDS({W1, 0, CONTEXT, 0, {UINT64_C(0x123456789000), GPUS * 256 | UINT64_C(7168) << 32}},
                    {W1, 10, CONTEXT, 1, {0, UINT64_C(14336) << 32}},
                    {W1, MOEHUB_HUB_COMMAND_PEERS_SET, CONTEXT, 0, {0xF}},
                    {W1, MOEHUB_HUB_COMMAND_PEERS_SET, CONTEXT, 1, {0xAB}},
                    {W0, 0, CONTEXT, 0, {UINT64_C(0xAB0000000F)}},
                    {W0, 1, CONTEXT, 0, {0x12340028}},
                    {W0, 2, CONTEXT, 0, {UINT64_C(0x800000100000), 12}},
                    {W0, 3, CONTEXT, 0, {UINT64_C(0x1000003210007)}},
                    {W0, 5, CONTEXT, 0, {200 << 8 | 17}},
                    {W0, 6, CONTEXT, 0, {UINT64_C(12345) << 32 | 0x80000000u}});
}

static void one_row_size_needs_no_second_stage(void **state)
{
    (void)state;
    struct moehub_context_shape plain = shape;
    plain.row_bytes[1] = plain.row_bytes[0];
    plain.counts_tokens = false;
    assert_int_equal(moehub_context_create(&hub, CONTEXT, &plain), 0);
    assert_int_equal(bus.command_count, 9);
    assert_int_equal(bus.commands[1].operation, MOEHUB_HUB_COMMAND_PEERS_SET);
    assert_int_equal(bus.commands[4].data[0], 0x12340008);
}

/* What a command's field would cut short never comes to the hub; the greatest legal value does. */
static void shapes_that_no_command_can_carry(void **state)
{
    (void)state;
    const struct {
        const char *words;
        uint64_t most;
        size_t offset;
    } fields[] = {
        {"row_bytes[0]", 16384, offsetof(struct moehub_context_shape, row_bytes[0])},
        {"row_bytes[1]", 16384, offsetof(struct moehub_context_shape, row_bytes[1])},
        {"GPUs << owner_shift", 14, offsetof(struct moehub_context_shape, owner_shift)},
        {"token_first", 0xFFFF, offsetof(struct moehub_context_shape, token_first)},
        {"list_shift", 31, offsetof(struct moehub_context_shape, list_shift)},
        {"tile_shift", 12, offsetof(struct moehub_context_shape, tile_shift)},
        {"tile_first", 0xFFFF, offsetof(struct moehub_context_shape, tile_first)},
        {"tile_count", 0x10000, offsetof(struct moehub_context_shape, tile_count)},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        struct moehub_context_shape wrong = shape;
        uint32_t *field = (uint32_t *)(void *)((char *)&wrong + fields[i].offset);
        *field = (uint32_t)fields[i].most;
        assert_int_equal(moehub_context_create(&hub, CONTEXT, &wrong), 0);
        recorded_forget(&bus);
        ++*field;
        expect_nothing_written(moehub_context_create(&hub, CONTEXT, &wrong), fields[i].words);
    }
    expect_nothing_written(moehub_context_create(&hub, 4, &shape), "context");
    expect_nothing_written(moehub_context_create(&hub, 256, &shape), "context");
}

/* 64 GPUs of 2^26 rows: a row index of 32 bits holds them, the row limit does not. */
static void a_row_limit_of_33_bits(void **state)
{
    (void)state;
    struct moehub_context_shape wrong = shape;
    hub.shape.gpus = 64;
    hub.shape.row_index_width = 32;
    wrong.owner_shift = 25;
    assert_int_equal(moehub_context_create(&hub, CONTEXT, &wrong), 0);
    recorded_forget(&bus);
    wrong.owner_shift = 26;
    expect_nothing_written(moehub_context_create(&hub, CONTEXT, &wrong), "GPUs << owner_shift");
    wrong.owner_shift = 32;
    expect_nothing_written(moehub_context_create(&hub, CONTEXT, &wrong), "owner_shift");
}

static void bind_sets_bases_capacity_tiles(void **state)
{
    (void)state;
    assert_int_equal(moehub_region_bind(&hub, CONTEXT, 63, &region), 0);
    EXPECT_COMMANDS({W1, 2, CONTEXT, 63, {UINT64_C(0x111100000080), 0x200000}},
                    {W1, 11, CONTEXT, 63, {UINT64_C(0x222200000100)}},
                    {W0, 4, CONTEXT, 63, {UINT64_C(0x1000000000055)}});
    recorded_forget(&bus);
    struct moehub_hub_region wrong = region;
    wrong.tile_first = 0x10000;
    expect_nothing_written(moehub_region_bind(&hub, CONTEXT, 63, &wrong), "tile_first");
    wrong = region;
    wrong.tile_count = 0x10001;
    expect_nothing_written(moehub_region_bind(&hub, CONTEXT, 63, &wrong), "tile_count");
    expect_nothing_written(moehub_region_bind(&hub, CONTEXT, 0x10000, &region), "index");
}

/* ---- rounds ------------------------------------------------------------------------------------------------------------ */

static void first_round(void **state)
{
    (void)state;
    assert_int_equal(moehub_context_clear(&hub, CONTEXT), 0);
    assert_int_equal(moehub_context_start(&hub, CONTEXT, 15, true), 0);
    EXPECT_COMMANDS({W1, 6, CONTEXT, 0, {0}}, {W1, 3, CONTEXT, 0, {0}}, {W0, 7, CONTEXT, 0, {15}});
    recorded_forget(&bus);
    expect_nothing_written(moehub_context_start(&hub, CONTEXT, 16, true), "round");
    expect_nothing_written(moehub_context_start(&hub, CONTEXT, 16, false), "round");
}

static void next_round(void **state)
{
    (void)state;
    assert_int_equal(moehub_context_start(&hub, CONTEXT, 9, false), 0);
    EXPECT_COMMANDS({W1, 5, CONTEXT, 0, {0}}, {W1, 8, CONTEXT, 0, {0}}, {W1, 3, CONTEXT, 0, {0}}, {W0, 7, CONTEXT, 0, {9}});
}

/* clear_needed, and no other bit of CONTEXT_GET. */
static void last_epoch(void **state)
{
    (void)state;
    bus.address_path_state = UINT64_C(1) << 62;
    assert_int_equal(moehub_context_start(&hub, CONTEXT, 9, false), MOEHUB_E_CLEAR);
    assert_non_null(strstr(hub.message.text, "zero the AL table"));
    EXPECT_COMMANDS({W1, 5, CONTEXT, 0, {0}}, {W1, 8, CONTEXT, 0, {0}});
    recorded_forget(&bus);
    bus.address_path_state = ~(UINT64_C(1) << 62);
    assert_int_equal(moehub_context_start(&hub, CONTEXT, 9, false), 0);
}

static void close_and_abort(void **state)
{
    (void)state;
    assert_int_equal(moehub_context_close(&hub, 0), 0);
    assert_int_equal(moehub_context_abort(&hub, 3), 0);
    EXPECT_COMMANDS({W0, 10, 0, 0, {0}}, {W0, 11, 3, 0, {0}});
}

static void each_bit_of_the_state(void **state)
{
    (void)state;
    bus.missing = UINT64_C(0x8000000100000002);
    for (unsigned bit = 0; bit < 6; bit++) {
        struct moehub_context_state seen;
        bus.state = 1u << bit | (1000 + bit) << 16;
        bus.in_flight = (int)(bit % 2);
        assert_int_equal(moehub_context_state(&hub, CONTEXT, &seen), 0);
        const bool bits[] = {seen.enabled, seen.clean, seen.closing, seen.closed, seen.arrived, seen.failed};
        for (unsigned i = 0; i < 6; i++)
            assert_int_equal(bits[i], i == bit);
        assert_int_equal(seen.in_flight, bit % 2);
        assert_int_equal(seen.rows_open, 1000 + bit);
        assert_int_equal(seen.missing, bus.missing);
    }
}

/* The hub first, the address path when nothing is inside, ADVANCE of the hub last. */
static void stop_waits_between(void **state)
{
    (void)state;
    bus.in_flight = 4;
    assert_int_equal(moehub_context_stop(&hub, CONTEXT), 0);
    EXPECT_COMMANDS({W0, 8, CONTEXT, 0, {0}}, {W0, 12, CONTEXT, 0, {0}}, {W0, 12, CONTEXT, 0, {0}}, {W0, 12, CONTEXT, 0, {0}},
                    {W0, 12, CONTEXT, 0, {0}}, {W0, 12, CONTEXT, 0, {0}}, {W1, 4, CONTEXT, 0, {0}}, {W0, 9, CONTEXT, 0, {0}});
}

static void stop_aborts_open_rows(void **state)
{
    (void)state;
    enum { CLOSING = 1 << 2, CLOSED = 1 << 3, ROW = 1 << 16 };
    const struct {
        uint32_t state;
        bool aborts;
    } cases[] = {{0, false}, {ROW, true}, {CLOSING, false}, {CLOSING | ROW, true}, {CLOSING | CLOSED, false},
                 {CLOSING | CLOSED | ROW, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        recorded_forget(&bus);
        bus.state = cases[i].state;
        assert_int_equal(moehub_context_stop(&hub, CONTEXT), 0);
        int aborts = 0;
        for (int c = 0; c < bus.command_count; c++)
            aborts += bus.commands[c].window == W0 && bus.commands[c].operation == MOEHUB_HUB_CONTROL_COMMAND_ABORT;
        assert_int_equal(aborts, cases[i].aborts);
        if (aborts > 0)
            assert_int_equal(bus.commands[2].operation, MOEHUB_HUB_CONTROL_COMMAND_ABORT);
    }
}

static void stop_gives_up(void **state)
{
    (void)state;
    bus.in_flight = POLLS + 1; /* the first is seen by the look at the rows */
    assert_int_equal(moehub_context_stop(&hub, CONTEXT), MOEHUB_E_TIMEOUT);
    assert_non_null(strstr(hub.message.text, "in flight"));
    for (int i = 1; i < bus.command_count; i++)
        assert_int_equal(bus.commands[i].operation, MOEHUB_HUB_CONTROL_COMMAND_CONTEXT_GET);
    recorded_forget(&bus);
    bus.in_flight = POLLS;
    assert_int_equal(moehub_context_stop(&hub, CONTEXT), 0);
}

/* ---- every call, everything that can go wrong -------------------------------------------------------------------------- */

static int call_timeouts(void) { return moehub_hub_timeouts(&hub, 5, 6); }
static int call_create(void) { return moehub_context_create(&hub, CONTEXT, &shape); }
static int call_bind(void) { return moehub_region_bind(&hub, CONTEXT, 1, &region); }
static int call_clear(void) { return moehub_context_clear(&hub, CONTEXT); }
static int call_start(void) { return moehub_context_start(&hub, CONTEXT, 1, false); }
static int call_close(void) { return moehub_context_close(&hub, CONTEXT); }
static int call_abort(void) { return moehub_context_abort(&hub, CONTEXT); }

static int call_stop(void)
{
    bus.state = 1u << 16;
    return moehub_context_stop(&hub, CONTEXT);
}

static int call_state(void)
{
    struct moehub_context_state state;
    return moehub_context_state(&hub, CONTEXT, &state);
}

static int (*const calls[])(void) = {call_timeouts, call_create, call_bind, call_clear, call_start, call_close, call_abort,
                                     call_stop, call_state};
enum { CALLS = sizeof calls / sizeof *calls };

static void each_access_fails(void **state)
{
    (void)state;
    for (int call = 0; call < CALLS; call++) {
        recorded_forget(&bus);
        assert_int_equal(calls[call](), 0);
        const int accesses = bus.access_count;
        assert_true(accesses > 0);
        for (int i = 0; i < accesses; i++) {
            recorded_forget(&bus);
            bus.fails_at = i;
            assert_int_equal(calls[call](), MOEHUB_E_BUS);
            assert_int_equal(bus.access_count, i + 1);
            char place[16];
            snprintf(place, sizeof place, "0x%03x", bus.accesses[i].address & 0xFFF);
            assert_non_null(strstr(hub.message.text, place));
        }
    }
}

static void each_command_is_refused(void **state)
{
    (void)state;
    for (int call = 0; call < CALLS; call++) {
        recorded_forget(&bus);
        assert_int_equal(calls[call](), 0);
        const int commands = bus.command_count;
        assert_true(commands > 0);
        for (int i = 0; i < commands; i++) {
            recorded_forget(&bus);
            bus.refuses_at = i;
            assert_int_equal(calls[call](), MOEHUB_E_REFUSED);
            assert_int_equal(bus.command_count, i + 1);
            assert_non_null(strstr(hub.message.text, "refused"));
        }
    }
}

static void a_command_never_ends(void **state)
{
    (void)state;
    for (int call = 0; call < CALLS; call++) {
        recorded_forget(&bus);
        bus.busy = POLLS;
        assert_int_equal(calls[call](), MOEHUB_E_TIMEOUT);
        assert_int_equal(bus.command_count, 1);
        recorded_forget(&bus);
        bus.busy = POLLS - 1;
        assert_int_equal(calls[call](), 0);
    }
}

int main(void)
{
#define WITH_HUB(test) cmocka_unit_test_setup(test, opened)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_reads_what_the_hub_is),
        cmocka_unit_test(open_refuses_what_is_no_hub),
        cmocka_unit_test(open_waits_for_so_many_polls),
        WITH_HUB(a_command_is_operands_then_command),
        WITH_HUB(timeouts_of_packet_manager_and_each_link),
        WITH_HUB(create_sets_both_tables),
        WITH_HUB(one_row_size_needs_no_second_stage),
        WITH_HUB(shapes_that_no_command_can_carry),
        WITH_HUB(a_row_limit_of_33_bits),
        WITH_HUB(bind_sets_bases_capacity_tiles),
        WITH_HUB(first_round),
        WITH_HUB(next_round),
        WITH_HUB(last_epoch),
        WITH_HUB(close_and_abort),
        WITH_HUB(each_bit_of_the_state),
        WITH_HUB(stop_waits_between),
        WITH_HUB(stop_aborts_open_rows),
        WITH_HUB(stop_gives_up),
        WITH_HUB(each_access_fails),
        WITH_HUB(each_command_is_refused),
        WITH_HUB(a_command_never_ends),
    };
    return cmocka_run_group_tests_name("driver", tests, NULL, NULL);
}
