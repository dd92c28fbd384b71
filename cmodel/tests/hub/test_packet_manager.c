/* SPDX-License-Identifier: Apache-2.0 */
/* The packet manager by hand: the worked example of rtl/doc/hub/packet_manager.md, parameters, commands. */
#include "hub/packet_manager_support.h"

#include "moehub/error.h"

/* ---- worked example ------------------------------------------------------------------- */

enum { EXAMPLE_ROW = 0x12345, EXAMPLE_CONTEXT = 2, EXAMPLE_LINES = 56 };

static const uint16_t example_list[] = {0x0001, 0x0003, 0x0200, 0x0500, 0x0602, 0x0607};

static unsigned open_example(struct moehub_packet_manager *manager)
{
    struct moehub_packet_manager_config config = moehub_packet_manager_config_default();
    config.own = OWN;
    create_with(manager, config);
    struct moehub_packet_manager_context *context = &manager->contexts[EXAMPLE_CONTEXT];
    context->owner_shift = 15;
    context->row_size = EXAMPLE_LINES * MOEHUB_LINE_BYTES;
    context->peers = 0xFF;
    const struct moehub_row row = listed_row(EXAMPLE_CONTEXT, EXAMPLE_ROW, 6);
    assert_int_equal(take_row(manager, 9, &row, example_list), 1);
    const struct moehub_row_decision decision = decide(manager, 0);
    assert_int_equal(decision.status, MOEHUB_STATUS_OK);
    assert_int_equal(decision.handle, 0x109);
    assert_int_equal(decision.row_index, EXAMPLE_ROW);
    assert_int_equal(decision.context, EXAMPLE_CONTEXT);
    assert_int_equal(decision.count, 6);
    assert_int_equal(decision.token, 0x2345);
    return decision.handle;
}

static void store_line(struct moehub_packet_manager *manager, unsigned handle, unsigned line)
{
    static const unsigned places[] = {0, 64, 32, 96};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_not_equal(state_of(manager, 9, line), MOEHUB_LINE_READY);
        merged(manager, handle, line * MOEHUB_LINE_BYTES + places[i], ALL);
    }
    assert_int_equal(state_of(manager, 9, line), MOEHUB_LINE_READY);
}

static void assert_payload(const struct moehub_store_packet *packet)
{
    assert_int_equal(packet->count, 10);
    for (unsigned i = 0; i < MOEHUB_LINE_BYTES; i++) {
        uint8_t bytes[MOEHUB_FLIT_BYTES];
        moehub_flit_to_bytes(packet->flits[2 + i / 16], bytes);
        assert_int_equal(bytes[i % 16], byte_at(256 + i));
    }
}

static void worked_example(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    const unsigned handle = open_example(&manager);
    store_line(&manager, handle, 2);
    const struct moehub_store_packet up = locked(&manager, 0, 9, 2);
    assert_flit(up.flits[0], 0x030a000123450100, 0x3000000040120042);
    assert_flit(up.flits[1], 0x0000000000000607, 0x0602050000030001);
    assert_payload(&up);
    const struct moehub_store_packet loop = locked(&manager, 1, 9, 2);
    assert_flit(loop.flits[0], 0x0302000123450100, 0x3000000040120042);
    assert_flit(loop.flits[1], 0, 0x0200);
    assert_payload(&loop);
    for (unsigned line = 0; line < EXAMPLE_LINES; line++)
        if (line != 2) {
            store_line(&manager, handle, line);
            locked(&manager, 0, 9, line);
            locked(&manager, 1, 9, line);
        }
    for (unsigned line = 0; line < EXAMPLE_LINES; line++)
        freed(&manager, 9, line);
    assert_true(moehub_packet_manager_leave(&manager, 9));
    static const uint32_t pairs[] = {112, 0, 56, 0, 0, 56, 112, 0};
    for (unsigned gpu = 0; gpu < 8; gpu++)
        assert_int_equal(manager.pairs[EXAMPLE_CONTEXT][gpu], pairs[gpu]);
    assert_no_cause(&manager);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_ROWS_OPENED), 1);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_ROWS_LEFT), 1);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_STORES), 4 * EXAMPLE_LINES);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_LINES_WHOLE), EXAMPLE_LINES);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE), 2 * EXAMPLE_LINES);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_PACKETS_PART), 0);
    moehub_packet_manager_destroy(&manager);
}

/* ---- parameters, commands --------------------------------------------------------------- */

static void ranges(void **state)
{
    (void)state;
    static const struct {
        size_t field;
        uint32_t least, most;
    } limits[] = {
        {offsetof(struct moehub_packet_manager_config, links), 1, 4},
        {offsetof(struct moehub_packet_manager_config, gpus), 2, 64},
        {offsetof(struct moehub_packet_manager_config, contexts), 1, 8},
        {offsetof(struct moehub_packet_manager_config, local_expert_bits), 0, 8},
        {offsetof(struct moehub_packet_manager_config, max_targets), 1, 32},
        {offsetof(struct moehub_packet_manager_config, offset_width), 7, 16},
        {offsetof(struct moehub_packet_manager_config, address_width), 32, 64},
        {offsetof(struct moehub_packet_manager_config, rows), 1, 64},
        {offsetof(struct moehub_packet_manager_config, lines), 1, 4096},
        {offsetof(struct moehub_packet_manager_config, store_bytes), 16, 128},
        {offsetof(struct moehub_packet_manager_config, own), 0, 7},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct moehub_packet_manager_config config = moehub_packet_manager_config_default();
        uint32_t *field = (uint32_t *)(void *)((char *)&config + limits[i].field);
        *field = limits[i].least;
        assert_int_equal(moehub_packet_manager_config_check(&config), 0);
        *field = limits[i].least - 1;
        assert_int_equal(moehub_packet_manager_config_check(&config), MOEHUB_E_ARGUMENT);
        *field = limits[i].most;
        assert_int_equal(moehub_packet_manager_config_check(&config), 0);
        *field = limits[i].most + 1;
        assert_int_equal(moehub_packet_manager_config_check(&config), MOEHUB_E_ARGUMENT);
    }
    struct moehub_packet_manager_config config = moehub_packet_manager_config_default();
    config.store_bytes = 48;
    struct moehub_packet_manager manager;
    assert_int_equal(moehub_packet_manager_create(&manager, &config), MOEHUB_E_ARGUMENT);
    moehub_packet_manager_destroy(NULL);
}

static void after_reset(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    const struct moehub_packet_manager_config config = small_config();
    assert_int_equal(moehub_packet_manager_create(&manager, &config), 0);
    for (unsigned i = 0; i < CONTEXTS; i++)
        assert_true(manager.contexts[i].clean && !manager.contexts[i].enabled);
    assert_int_equal(store(&manager, 0, 0, ALL), MOEHUB_STORE_DROPPED);
    assert_cause(&manager, MOEHUB_PACKET_MANAGER_CAUSE_HANDLE, (struct moehub_header){.tag = 0});
    moehub_packet_manager_destroy(&manager);
}

static void commands(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    assert_int_equal(manager.line_timeout, 16384);
    assert_true(moehub_packet_manager_command(&manager, MOEHUB_PACKET_MANAGER_COMMAND_LINE_TIMEOUT_SET, 1));
    assert_int_equal(manager.line_timeout, 1);
    assert_true(moehub_packet_manager_command(&manager, MOEHUB_PACKET_MANAGER_COMMAND_LINE_TIMEOUT_SET, 32768));
    assert_no_cause(&manager);
    static const uint32_t wrong[] = {0, 32769, 0x10001, UINT32_MAX};
    for (unsigned i = 0; i < 4; i++) {
        assert_false(moehub_packet_manager_command(&manager, MOEHUB_PACKET_MANAGER_COMMAND_LINE_TIMEOUT_SET, wrong[i]));
        assert_cause(&manager, MOEHUB_PACKET_MANAGER_CAUSE_COMMAND, (struct moehub_header){.type = 0});
    }
    for (unsigned operation = 1; operation < 16; operation++) {
        assert_false(moehub_packet_manager_command(&manager, operation, 1));
        assert_cause(&manager, MOEHUB_PACKET_MANAGER_CAUSE_COMMAND, (struct moehub_header){.type = (uint8_t)operation});
    }
    assert_int_equal(manager.line_timeout, 32768);
    moehub_packet_manager_destroy(&manager);
}

/* One row, one buffer: each line waits for the one before. */
static void smallest(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    struct moehub_packet_manager_config config = small_config();
    config.rows = config.lines = config.links = config.contexts = 1;
    create_with(&manager, config);
    const unsigned handle = open_up(&manager, 0, 0, FIRST_ROW);
    for (unsigned offset = 0; offset < ROW_SIZE; offset += 16) {
        const unsigned line = offset / MOEHUB_LINE_BYTES;
        if (store(&manager, handle, offset / 32 * 32, UINT64_C(0xFFFF) << offset % 32) == MOEHUB_STORE_MERGED)
            continue;
        assert_true(offset > 0 && offset % MOEHUB_LINE_BYTES == 0);
        locked(&manager, 0, 0, line - 1);
        assert_int_equal(store(&manager, handle, offset, 0xFFFF), MOEHUB_STORE_NO_SLOT);
        freed(&manager, 0, line - 1);
        merged(&manager, handle, offset, 0xFFFF);
    }
    locked(&manager, 0, 0, 2);
    freed(&manager, 0, 2);
    assert_true(moehub_packet_manager_leave(&manager, 0));
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE), 3);
    assert_no_cause(&manager);
    moehub_packet_manager_destroy(&manager);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example),
        cmocka_unit_test(ranges),
        cmocka_unit_test(after_reset),
        cmocka_unit_test(commands),
        cmocka_unit_test(smallest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
