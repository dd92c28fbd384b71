/* SPDX-License-Identifier: Apache-2.0 */
/* Stores are merged, wait or are dropped; lines become ready and free (rtl/doc/hub/packet_manager.md sections 4 and 6). */
#include "hub/packet_manager_support.h"

/* ---- dropped ----------------------------------------------------------------------------- */

/* The store is dropped; `context` and `row_index` are 0 where the latch has none. */
static void assert_dropped(struct moehub_packet_manager *manager, unsigned handle, unsigned offset, uint64_t mask, unsigned cause,
                           unsigned context, uint32_t row_index)
{
    const uint64_t stores = count(manager, MOEHUB_PACKET_MANAGER_EVENT_STORES);
    const uint32_t used = manager->lines_used;
    assert_int_equal(store(manager, handle, offset, mask), MOEHUB_STORE_DROPPED);
    assert_cause(manager, cause, (struct moehub_header){.context = (uint8_t)context, .row_index = row_index,
                                                        .offset = (uint16_t)offset, .tag = handle});
    assert_int_equal(count(manager, MOEHUB_PACKET_MANAGER_EVENT_STORES), stores + 1);
    assert_int_equal(manager->lines_used, used);
}

static void foreign_handles(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned cause = MOEHUB_PACKET_MANAGER_CAUSE_HANDLE;
    assert_dropped(&manager, 0, 0, ALL, cause, 0, 0);                   /* never used */
    assert_dropped(&manager, ROWS, 0, ALL, cause, 0, 0);
    assert_dropped(&manager, 0xFF, 7, 0, cause, 0, 0);                  /* before RANGE, and without a byte */
    const unsigned handle = open_up(&manager, 1, 1, FIRST_ROW);
    assert_dropped(&manager, handle + 0x100, 0, ALL, cause, 0, 0);
    assert_dropped(&manager, handle - 0x100, 0, ALL, cause, 0, 0);
    assert_dropped(&manager, handle + 1, 0, ALL, cause, 0, 0);
    const struct moehub_row row = listed_row(0, FIRST_ROW, 4);          /* opening */
    struct moehub_list_reads reads;
    assert_true(moehub_packet_manager_row(&manager, 0, &row, &reads));
    assert_dropped(&manager, 0x100, 0, ALL, cause, 0, 0);
    assert_false(manager.contexts[0].failed || manager.contexts[1].failed);
    merged(&manager, handle, 0, ALL);
    moehub_packet_manager_destroy(&manager);
}

/* A store for a row that left whole tells that it was stored more than once; any other late store does not. */
static void late_stores(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_up(&manager, 1, 1, FIRST_ROW);
    send_up(&manager, 1, handle);
    assert_dropped(&manager, handle - 0x100, 0, ALL, MOEHUB_PACKET_MANAGER_CAUSE_HANDLE, 0, 0);
    assert_false(manager.contexts[1].failed);
    assert_dropped(&manager, handle, 0, ALL, MOEHUB_PACKET_MANAGER_CAUSE_HANDLE, 0, 0);
    assert_true(manager.contexts[1].failed);
    manager.contexts[1].failed = false;
    manager.contexts[1].clean = true;
    assert_dropped(&manager, handle, 0, ALL, MOEHUB_PACKET_MANAGER_CAUSE_HANDLE, 0, 0);
    assert_false(manager.contexts[1].failed);
    manager.contexts[1].clean = false;
    const struct moehub_row refused = immediate_row(1, 0, 1);
    take_row(&manager, 1, &refused, NULL);
    assert_int_equal(decide(&manager, 0).status, MOEHUB_STATUS_RANGE);
    moehub_offenders_clear(&manager.offenders);
    manager.counters[MOEHUB_PACKET_MANAGER_CAUSE_ROW] = 0;
    assert_dropped(&manager, handle + 0x100, 0, ALL, MOEHUB_PACKET_MANAGER_CAUSE_HANDLE, 0, 0);
    assert_false(manager.contexts[1].failed);
    moehub_packet_manager_destroy(&manager);
}

static void aborted_rows(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_up(&manager, 1, 1, FIRST_ROW);
    const unsigned other = open_up(&manager, 2, 0, FIRST_ROW);
    moehub_packet_manager_abort(&manager, 1);
    assert_dropped(&manager, handle, 1, ALL, MOEHUB_PACKET_MANAGER_CAUSE_ABORTED, 1, FIRST_ROW);    /* before RANGE */
    assert_false(manager.contexts[1].failed);
    merged(&manager, other, 0, ALL);
    assert_true(moehub_packet_manager_leave(&manager, 1));
    assert_dropped(&manager, handle, 0, ALL, MOEHUB_PACKET_MANAGER_CAUSE_HANDLE, 0, 0);
    assert_false(manager.contexts[1].failed);
    moehub_packet_manager_destroy(&manager);
}

static void out_of_range(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_up(&manager, 1, 1, FIRST_ROW + 3);
    const unsigned cause = MOEHUB_PACKET_MANAGER_CAUSE_STORE_RANGE;
    assert_dropped(&manager, handle, 16, ALL, cause, 1, FIRST_ROW + 3);
    assert_dropped(&manager, handle, 33, 0, cause, 1, FIRST_ROW + 3);                   /* also without a byte */
    assert_dropped(&manager, handle, 288, 0x10000, cause, 1, FIRST_ROW + 3);            /* byte 304 */
    assert_dropped(&manager, handle, 320, 1, cause, 1, FIRST_ROW + 3);
    assert_dropped(&manager, handle, 0xFFE0, 1, cause, 1, FIRST_ROW + 3);
    assert_false(manager.contexts[1].failed);
    merged(&manager, handle, 288, 0x8000);                                              /* byte 303 */
    merged(&manager, handle, 0xFFE0, 0);                                                /* no byte: no effect */
    assert_int_equal(manager.lines_used, 1);
    assert_int_equal(manager.rows[1].stored, 1);
    moehub_packet_manager_destroy(&manager);
}

/* ---- merging -------------------------------------------------------------------------------- */

static void merges_in_any_order(void **state)
{
    (void)state;
    static const unsigned order[] = {96, 0, 64, 32};
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_both(&manager, 0, 0, FIRST_ROW);
    for (unsigned half = 0; half < 2; half++)
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(state_of(&manager, 0, 1), half + i == 0 ? MOEHUB_LINE_FREE : MOEHUB_LINE_FILLING);
            merged(&manager, handle, 128 + order[i], half == 0 ? 0xAAAAAAAA : 0x55555555);
        }
    const struct moehub_line_buffer *buffer = moehub_packet_manager_line(&manager, 0, 1);
    assert_int_equal(buffer->state, MOEHUB_LINE_READY);
    assert_int_equal(buffer->kinds, 3);
    for (unsigned i = 0; i < MOEHUB_LINE_BYTES; i++)
        assert_int_equal(buffer->bytes[i], byte_at(128 + i));
    assert_int_equal(manager.rows[0].stored, 128);
    assert_int_equal(manager.lines_used, 1);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_LINES_WHOLE), 1);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_STORES), 8);
    moehub_packet_manager_destroy(&manager);
}

/* A row's last line is whole with what the row has of it. */
static void short_last_line(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_up(&manager, 0, 0, FIRST_ROW);
    merged(&manager, handle, 288, 0xFFFF);
    assert_int_equal(state_of(&manager, 0, 2), MOEHUB_LINE_FILLING);
    merged(&manager, handle, 256, ALL);
    assert_int_equal(state_of(&manager, 0, 2), MOEHUB_LINE_READY);
    assert_false(manager.rows[0].stored_all);
    moehub_packet_manager_destroy(&manager);
}

/* A ready line takes bytes, a locked one none; what comes then goes into a buffer of its own. */
static void ready_and_locked(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_both(&manager, 0, 0, FIRST_ROW);
    merged(&manager, handle, 0, ALL);
    assert_true(moehub_packet_manager_make_ready(&manager, 0, 0));
    assert_false(moehub_packet_manager_make_ready(&manager, 0, 0));
    merged(&manager, handle, 32, ALL);
    locked(&manager, 1, 0, 0);
    assert_false(moehub_packet_manager_make_ready(&manager, 0, 0));
    assert_int_equal(store(&manager, handle, 64, ALL), MOEHUB_STORE_LINE_BUSY);
    assert_int_equal(store(&manager, handle, 0, ALL), MOEHUB_STORE_LINE_BUSY);  /* a locked line's mask is not looked at */
    assert_false(moehub_packet_manager_free_line(&manager, 0, 0));
    const struct moehub_store_packet loop = locked(&manager, LOOP, 0, 0);
    assert_int_equal(header_of(&loop).length, 64);
    assert_int_equal(store(&manager, handle, 64, ALL), MOEHUB_STORE_LINE_BUSY);
    freed(&manager, 0, 0);
    merged(&manager, handle, 64, ALL);
    merged(&manager, handle, 96, ALL);
    assert_int_equal(state_of(&manager, 0, 0), MOEHUB_LINE_FILLING);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_LINES_WHOLE), 0);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_PACKETS_PART), 2);
    assert_no_cause(&manager);
    moehub_packet_manager_destroy(&manager);
}

/* A line that the hand made ready and stores made whole is a whole packet, and did not become ready by a store. */
static void whole_when_ready(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_up(&manager, 0, 0, FIRST_ROW);
    merged(&manager, handle, 0, ALL);
    assert_true(moehub_packet_manager_make_ready(&manager, 0, 0));
    merged_bytes(&manager, handle, 32, 128);
    locked(&manager, 0, 0, 0);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_LINES_WHOLE), 0);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_PACKETS_WHOLE), 1);
    moehub_packet_manager_destroy(&manager);
}

static void no_slot(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    unsigned handles[3];
    for (unsigned i = 0; i < 3; i++)
        handles[i] = open_up(&manager, i, 0, FIRST_ROW + i);
    for (unsigned i = 0; i < LINES; i++)
        merged(&manager, handles[i / 3], i % 3 * 128, 1);
    assert_int_equal(store(&manager, handles[2], 128, 1), MOEHUB_STORE_NO_SLOT);
    merged(&manager, handles[2], 0, 2);                                /* a line that has a buffer */
    assert_true(moehub_packet_manager_make_ready(&manager, 1, 1));
    locked(&manager, 0, 1, 1);
    assert_int_equal(store(&manager, handles[2], 128, 1), MOEHUB_STORE_NO_SLOT);
    freed(&manager, 1, 1);
    merged(&manager, handles[2], 128, 1);
    assert_int_equal(manager.lines_used, LINES);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_STORES), LINES + 2);
    moehub_packet_manager_destroy(&manager);
}

/* ---- bytes that are stored twice --------------------------------------------------------------- */

static void assert_rewritten(struct moehub_packet_manager *manager, unsigned handle, unsigned offset)
{
    assert_cause(manager, MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN,
                 (struct moehub_header){.context = 1, .row_index = FIRST_ROW, .offset = (uint16_t)offset, .tag = handle});
    assert_true(manager->contexts[1].failed);
    manager->contexts[1].failed = false;
}

/* The line goes first: ready at once, counted once, however often the store is tried. */
static void rewritten(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_up(&manager, 0, 1, FIRST_ROW);
    merged(&manager, handle, 32, 0x80);
    assert_int_equal(store(&manager, handle, 32, 0xFFF0), MOEHUB_STORE_LINE_BUSY);
    assert_rewritten(&manager, handle, 32);
    assert_int_equal(state_of(&manager, 0, 0), MOEHUB_LINE_READY);
    assert_int_equal(store(&manager, handle, 32, 0xFFF0), MOEHUB_STORE_LINE_BUSY);
    const struct moehub_store_packet packet = locked(&manager, 0, 0, 0);
    assert_int_equal(header_of(&packet).length, 16);
    assert_int_equal(store(&manager, handle, 32, 0xFFF0), MOEHUB_STORE_LINE_BUSY);
    freed(&manager, 0, 0);
    merged(&manager, handle, 32, 0xFFF0);
    assert_no_cause(&manager);
    assert_int_equal(manager.rows[0].stored, 13);
    assert_int_equal(store(&manager, handle, 32, 0x10), MOEHUB_STORE_LINE_BUSY);        /* the next one is another */
    assert_rewritten(&manager, handle, 32);
    moehub_packet_manager_destroy(&manager);
}

/* One that waits is dropped when its row is aborted, and the next store is counted anew. */
static void rewritten_and_aborted(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_up(&manager, 0, 1, FIRST_ROW);
    const unsigned other = open_up(&manager, 1, 0, FIRST_ROW + 1);
    merged(&manager, handle, 0, 1);
    merged(&manager, other, 0, 1);
    assert_int_equal(store(&manager, handle, 0, 1), MOEHUB_STORE_LINE_BUSY);
    assert_rewritten(&manager, handle, 0);
    moehub_packet_manager_abort(&manager, 1);
    assert_dropped(&manager, handle, 0, 1, MOEHUB_PACKET_MANAGER_CAUSE_ABORTED, 1, FIRST_ROW);
    assert_int_equal(store(&manager, other, 0, 1), MOEHUB_STORE_LINE_BUSY);
    assert_cause(&manager, MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN,
                 (struct moehub_header){.row_index = FIRST_ROW + 1, .tag = other});
    moehub_packet_manager_destroy(&manager);
}

/* A row of which as many bytes came as it has takes no more; a store without bytes offends nobody. */
static void stored_all(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_up(&manager, 0, 1, FIRST_ROW);
    merged_bytes(&manager, handle, 0, 128);
    locked(&manager, 0, 0, 0);
    freed(&manager, 0, 0);
    merged_bytes(&manager, handle, 0, 128);             /* stored again after it left: nobody sees it */
    assert_no_cause(&manager);
    merged_bytes(&manager, handle, 128, 160);
    assert_false(manager.rows[0].stored_all);
    merged(&manager, handle, 160, 0xFFFF);
    assert_true(manager.rows[0].stored_all);            /* 304 */
    assert_dropped(&manager, handle, 192, ALL, MOEHUB_PACKET_MANAGER_CAUSE_REWRITTEN, 1, FIRST_ROW);
    assert_true(manager.contexts[1].failed);
    merged(&manager, handle, 192, 0);
    assert_no_cause(&manager);
    assert_dropped(&manager, handle, 192 + 16, ALL, MOEHUB_PACKET_MANAGER_CAUSE_STORE_RANGE, 1, FIRST_ROW);
    assert_int_equal(manager.rows[0].stored, ROW_SIZE);
    assert_true(moehub_packet_manager_make_ready(&manager, 0, 1));
    locked(&manager, 0, 0, 0);
    locked(&manager, 0, 0, 1);
    freed(&manager, 0, 0);
    freed(&manager, 0, 1);
    assert_true(moehub_packet_manager_leave(&manager, 0));
    moehub_packet_manager_destroy(&manager);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(foreign_handles),
        cmocka_unit_test(late_stores),
        cmocka_unit_test(aborted_rows),
        cmocka_unit_test(out_of_range),
        cmocka_unit_test(merges_in_any_order),
        cmocka_unit_test(short_last_line),
        cmocka_unit_test(ready_and_locked),
        cmocka_unit_test(whole_when_ready),
        cmocka_unit_test(no_slot),
        cmocka_unit_test(rewritten),
        cmocka_unit_test(rewritten_and_aborted),
        cmocka_unit_test(stored_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
