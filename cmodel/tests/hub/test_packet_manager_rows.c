/* SPDX-License-Identifier: Apache-2.0 */
/* Rows open and leave (rtl/doc/hub/packet_manager.md sections 3 and 7). */
#include "hub/packet_manager_support.h"

static const uint16_t good_list[] = {0x01, 0x0F, 0x20, 0x23, 0x50};

/* ---- refused -------------------------------------------------------------------------- */

/* The row is refused, without a read if `reads` is 0, and nothing but its cause and handle tells of it. */
static void assert_refused(struct moehub_packet_manager *manager, struct moehub_row row, const uint16_t *ids, unsigned reads,
                           unsigned status)
{
    const bool failed = manager->contexts[0].failed;
    assert_int_equal(take_row(manager, 3, &row, ids), reads);
    const struct moehub_row_decision decision = decide(manager, 0);
    assert_int_equal(decision.status, status);
    assert_int_equal(decision.handle, 0);
    assert_true(decision.row_index == row.row_index);
    assert_cause(manager, MOEHUB_PACKET_MANAGER_CAUSE_ROW,
                 (struct moehub_header){.context = row.context, .row_index = row.row_index, .status = (uint8_t)status});
    assert_int_equal(manager->rows[3].state, MOEHUB_ENTRY_FREE);
    assert_int_equal(manager->rows_open[0], 0);
    assert_int_equal(manager->contexts[0].failed, failed);
    assert_int_equal(count(manager, MOEHUB_PACKET_MANAGER_EVENT_ROWS_OPENED), 0);
}

static void wrong_contexts(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    manager.contexts[CONTEXTS] = manager.contexts[0];   /* beyond the configuration */
    assert_refused(&manager, listed_row(CONTEXTS, FIRST_ROW, 5), good_list, 0, MOEHUB_STATUS_CONTEXT);
    assert_refused(&manager, immediate_row(7, FIRST_ROW, 1), NULL, 0, MOEHUB_STATUS_CONTEXT);
    manager.contexts[0].closing = true;
    assert_refused(&manager, listed_row(0, 0, 0), good_list, 0, MOEHUB_STATUS_CONTEXT);      /* before RANGE */
    manager.contexts[0].closing = manager.contexts[0].enabled = false;
    assert_refused(&manager, immediate_row(0, FIRST_ROW, 1), NULL, 0, MOEHUB_STATUS_CONTEXT);
    moehub_packet_manager_destroy(&manager);
}

static void wrong_ranges(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    assert_refused(&manager, listed_row(0, FIRST_ROW - 1, 5), good_list, 0, MOEHUB_STATUS_RANGE);
    assert_refused(&manager, listed_row(0, FIRST_ROW + 16, 5), good_list, 0, MOEHUB_STATUS_RANGE);
    assert_refused(&manager, immediate_row(0, FIRST_ROW | 0x80000000u, 1), NULL, 0, MOEHUB_STATUS_RANGE);
    assert_refused(&manager, listed_row(0, FIRST_ROW, 0), good_list, 0, MOEHUB_STATUS_RANGE);
    assert_refused(&manager, listed_row(0, FIRST_ROW, 21), good_list, 0, MOEHUB_STATUS_RANGE);
    struct moehub_row row = listed_row(0, FIRST_ROW, 5);
    row.address += 8;
    assert_refused(&manager, row, good_list, 0, MOEHUB_STATUS_RANGE);
    moehub_packet_manager_destroy(&manager);
}

static void wrong_lists(void **state)
{
    (void)state;
    static const uint16_t descending[] = {0x01, 0x40, 0x20};
    static const uint16_t stranger[] = {0x01, 0x20, 0x40};
    struct moehub_packet_manager manager;
    create(&manager);
    assert_refused(&manager, listed_row(0, FIRST_ROW, 3), descending, 1, MOEHUB_STATUS_MALFORMED);
    assert_refused(&manager, listed_row(0, FIRST_ROW, 3), stranger, 1, MOEHUB_STATUS_PEER);
    assert_refused(&manager, immediate_row(0, FIRST_ROW, 0x40), NULL, 0, MOEHUB_STATUS_PEER);
    moehub_packet_manager_destroy(&manager);
}

/* An error of any beat is MEMORY, whatever the ids are; words behind the count are not looked at. */
static void memory_errors(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    for (unsigned bad = 0; bad < 4; bad++) {
        const struct moehub_row row = listed_row(0, FIRST_ROW, 20);
        struct moehub_list_reads reads;
        assert_true(moehub_packet_manager_row(&manager, bad, &row, &reads));
        assert_int_equal(reads.count, 3);
        uint16_t ids[24];
        for (unsigned i = 0; i < 24; i++)
            ids[i] = (uint16_t)(i < 20 ? i : 0);
        for (unsigned i = 0; i < 3; i++)
            assert_true(moehub_packet_manager_list_data(&manager, moehub_targets_pack(ids, 24, i), i == bad));
        const unsigned status = decide(&manager, 0).status;
        assert_int_equal(status, bad < 3 ? MOEHUB_STATUS_MEMORY : MOEHUB_STATUS_OK);
    }
    moehub_packet_manager_destroy(&manager);
}

/* ---- reads, order ------------------------------------------------------------------------ */

static void reads_wrap(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    struct moehub_list_reads reads;
    struct moehub_row row = listed_row(0, FIRST_ROW, 17);
    row.address = (UINT64_C(1) << 40) - 16;
    assert_true(moehub_packet_manager_row(&manager, 0, &row, &reads));
    assert_int_equal(reads.count, 3);
    assert_true(reads.address[0] == (UINT64_C(1) << 40) - 16 && reads.address[1] == 0 && reads.address[2] == 16);
    row = listed_row(1, FIRST_ROW, 8);
    assert_true(moehub_packet_manager_row(&manager, 1, &row, &reads));
    assert_int_equal(reads.count, 1);
    assert_true(reads.address[0] == 0x1000);
    row = listed_row(1, FIRST_ROW, 9);
    assert_true(moehub_packet_manager_row(&manager, 2, &row, &reads));
    assert_int_equal(reads.count, 2);
    moehub_packet_manager_destroy(&manager);
}

/* Data go to rows in the order of their taking, and so are rows decided; a row that reads nothing waits for those before it. */
static void rows_in_order(void **state)
{
    (void)state;
    static const uint16_t first[] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08};
    struct moehub_packet_manager manager;
    create(&manager);
    const struct moehub_row rows[] = {listed_row(0, FIRST_ROW, 9), immediate_row(1, FIRST_ROW + 1, 0x2A),
                                      listed_row(0, FIRST_ROW + 2, 5)};
    struct moehub_list_reads reads;
    for (unsigned i = 0; i < 3; i++)
        assert_true(moehub_packet_manager_row(&manager, 4 - i, &rows[i], &reads));
    struct moehub_row_decision decision;
    assert_true(moehub_packet_manager_list_data(&manager, moehub_targets_pack(first, 9, 0), false));
    assert_false(moehub_packet_manager_decide(&manager, 0, &decision));
    assert_true(moehub_packet_manager_list_data(&manager, moehub_targets_pack(first, 9, 1), false));
    assert_true(moehub_packet_manager_list_data(&manager, moehub_targets_pack(good_list, 5, 0), false));
    assert_false(moehub_packet_manager_list_data(&manager, moehub_targets_pack(good_list, 5, 0), false));
    for (unsigned i = 0; i < 3; i++) {
        decision = decide(&manager, 0);
        assert_int_equal(decision.status, MOEHUB_STATUS_OK);
        assert_int_equal(decision.row_index, FIRST_ROW + i);
        assert_int_equal(decision.token, i);
        assert_int_equal(decision.context, i == 1);
        assert_int_equal(decision.count, i == 0 ? 9 : i == 1 ? 1 : 5);
        assert_int_equal(decision.handle, 0x100 | (4 - i));
    }
    assert_false(moehub_packet_manager_decide(&manager, 0, &decision));
    assert_int_equal(manager.rows_open[0], 2);
    assert_int_equal(manager.rows_open[1], 1);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_ROWS_OPENED), 3);
    assert_no_cause(&manager);
    moehub_packet_manager_destroy(&manager);
}

/* A link must be one, but only where there are remote targets. */
static void links(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const struct moehub_row row = immediate_row(0, FIRST_ROW, 0x2F);
    take_row(&manager, 0, &row, NULL);
    assert_int_equal(decide(&manager, LINKS).status, MOEHUB_STATUS_OK);
    const struct moehub_row remote = immediate_row(0, FIRST_ROW, 0x1F);
    take_row(&manager, 1, &remote, NULL);
    struct moehub_row_decision decision;
    assert_false(moehub_packet_manager_decide(&manager, LINKS, &decision));
    assert_int_equal(decide(&manager, LINKS - 1).status, MOEHUB_STATUS_OK);
    assert_int_equal(manager.rows[1].link, LINKS - 1);
    moehub_packet_manager_destroy(&manager);
}

/* ---- entries, handles ---------------------------------------------------------------------- */

static void entries(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const struct moehub_row row = immediate_row(0, FIRST_ROW, 1);
    struct moehub_list_reads reads;
    assert_false(moehub_packet_manager_row(&manager, ROWS, &row, &reads));
    for (unsigned i = 0; i < ROWS; i++) {
        assert_true(moehub_packet_manager_row(&manager, i, &row, &reads));
        assert_false(moehub_packet_manager_row(&manager, i, &row, &reads));
    }
    for (unsigned i = 0; i < ROWS; i++) {
        assert_int_equal(decide(&manager, 0).handle, 0x100 | i);
        assert_false(moehub_packet_manager_row(&manager, i, &row, &reads));
    }
    moehub_packet_manager_destroy(&manager);
}

/* The generation counts uses, those of refused rows too, modulo 256. */
static void generations(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    for (unsigned use = 1; use < 600; use++) {
        const bool refused = use % 3 == 0;
        const struct moehub_row row = immediate_row(0, refused ? 0 : FIRST_ROW, 0x31);
        take_row(&manager, 2, &row, NULL);
        const struct moehub_row_decision decision = decide(&manager, 0);
        assert_int_equal(decision.handle, refused ? 0 : use % 256 << 8 | 2);
        if (!refused)
            send_up(&manager, 2, decision.handle);
    }
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_ROWS_OPENED), 400);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_ROWS_LEFT), 400);
    moehub_packet_manager_destroy(&manager);
}

/* ---- leaving ------------------------------------------------------------------------------- */

static void leaves_when_all_is_sent(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    assert_false(moehub_packet_manager_leave(&manager, 0));
    assert_false(moehub_packet_manager_leave(&manager, ROWS));
    const unsigned handle = open_both(&manager, 0, 1, FIRST_ROW);
    assert_false(moehub_packet_manager_leave(&manager, 0));
    merged_bytes(&manager, handle, 0, 256);
    for (unsigned line = 0; line < 2; line++) {
        locked(&manager, 1, 0, line);
        assert_false(moehub_packet_manager_free_line(&manager, 0, line));
        locked(&manager, LOOP, 0, line);
        freed(&manager, 0, line);
    }
    assert_false(moehub_packet_manager_leave(&manager, 0));     /* 48 bytes are to come */
    merged_bytes(&manager, handle, 256, ROW_SIZE);
    locked(&manager, 1, 0, 2);
    locked(&manager, LOOP, 0, 2);
    assert_false(moehub_packet_manager_leave(&manager, 0));     /* the buffer */
    freed(&manager, 0, 2);
    assert_int_equal(manager.rows_open[1], 1);
    assert_true(moehub_packet_manager_leave(&manager, 0));
    assert_int_equal(manager.rows_open[1], 0);
    static const uint32_t pairs[GPUS] = {6, 0, 6, 0, 0, 3};     /* ids 01 0F, 20 23, 50 */
    for (unsigned gpu = 0; gpu < GPUS; gpu++) {
        assert_int_equal(manager.pairs[1][gpu], pairs[gpu]);
        assert_int_equal(manager.pairs[0][gpu], 0);
    }
    moehub_packet_manager_destroy(&manager);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_contexts),
        cmocka_unit_test(wrong_ranges),
        cmocka_unit_test(wrong_lists),
        cmocka_unit_test(memory_errors),
        cmocka_unit_test(reads_wrap),
        cmocka_unit_test(rows_in_order),
        cmocka_unit_test(links),
        cmocka_unit_test(entries),
        cmocka_unit_test(generations),
        cmocka_unit_test(leaves_when_all_is_sent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
