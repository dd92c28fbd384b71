/* SPDX-License-Identifier: Apache-2.0 */
/* The tile tracker by hand: tokens and the notify machine (rtl/doc/hub/tile_tracker.md sections 4, 8). */
#include "hub/tile_tracker_support.h"

/* ---- tokens --------------------------------------------------------------------------------- */

static void told_by_the_last_notify(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    moehub_tile_tracker_expect(&tracker, 1, 5, 3);
    moehub_tile_tracker_expect(&tracker, 1, 6, 32);
    moehub_tile_tracker_notify(&tracker, 1, 0, OWN << OWNER_SHIFT | 5, false);
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_TOKEN_GET, 0, TOKENS_EACH + 5, 2 | 1 << 17, 0);
    moehub_tile_tracker_notify(&tracker, 1, 1, OWN << OWNER_SHIFT | 5, true);
    assert_nothing(&tracker, MOEHUB_READY_TOKEN_READY, 1);
    moehub_tile_tracker_notify(&tracker, 1, 1, OWN << OWNER_SHIFT | 5, false);
    assert_token(&tracker, 1, 5, true);
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_TOKEN_GET, 0, TOKENS_EACH + 5, 1 << 16 | 2 << 17, 0);
    for (unsigned i = 0; i < 32; i++)
        moehub_tile_tracker_notify(&tracker, 1, 1, OWN << OWNER_SHIFT | 6, false);
    assert_token(&tracker, 1, 6, false);
    assert_false(tracker.contexts[1].failed); /* the token's failure is the token's */
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_TAKEN), 35);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TOKENS_TOLD), 2);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TOKENS_FAILED), 1);
    assert_no_cause(&tracker);
    moehub_tile_tracker_destroy(&tracker);
}

static void a_notify_too_many(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    moehub_tile_tracker_notify(&tracker, 0, 1, OWN << OWNER_SHIFT | 7, false); /* never opened */
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_NOTIFY, (struct moehub_header){.source = 1, .row_index = 7});
    assert_true(tracker.contexts[0].failed);
    moehub_tile_tracker_expect(&tracker, 1, 7, 1);
    moehub_tile_tracker_notify(&tracker, 1, 0, OWN << OWNER_SHIFT | 7, false);
    assert_false(tracker.contexts[1].failed);
    moehub_tile_tracker_notify(&tracker, 1, 0, OWN << OWNER_SHIFT | 7, true); /* told */
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_NOTIFY, (struct moehub_header){.context = 1, .row_index = 7});
    assert_true(tracker.contexts[1].failed);
    assert_token(&tracker, 1, 7, false);
    assert_nothing(&tracker, MOEHUB_READY_TOKEN_READY, 1);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_TAKEN), 3);
    moehub_tile_tracker_destroy(&tracker);
}

static void opened_twice(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    moehub_tile_tracker_expect(&tracker, 2, 1, 1);
    moehub_tile_tracker_expect(&tracker, 2, 1, 2);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_EXPECTED, (struct moehub_header){.context = 2, .row_index = 1});
    assert_true(tracker.contexts[2].failed);
    moehub_tile_tracker_notify(&tracker, 2, 0, OWN << OWNER_SHIFT | 1, false);
    assert_token(&tracker, 2, 1, false);
    moehub_tile_tracker_expect(&tracker, 2, 1, 2); /* told */
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_EXPECTED, (struct moehub_header){.context = 2, .row_index = 1});
    moehub_tile_tracker_destroy(&tracker);
}

static void tokens_not_counted(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    tracker.contexts[0].tokens = false;
    tracker.contexts[0].owner_shift = 20; /* more than there are words */
    moehub_tile_tracker_expect(&tracker, 0, 2, 1);
    moehub_tile_tracker_notify(&tracker, 0, 1, OWN << 20 | 2, true);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_NOTIFY, (struct moehub_header){.source = 1, .row_index = 2});
    assert_false(tracker.contexts[0].failed);
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_TOKEN_GET, 0, 2, 0, 0);
    moehub_tile_tracker_closed(&tracker, 0);
    assert_false(moehub_tile_tracker_token_timeout(&tracker, 0));
    moehub_tile_tracker_advance(&tracker, 0);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_TAKEN), 1);
    moehub_tile_tracker_destroy(&tracker);
}

static void token_timeout(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    moehub_tile_tracker_expect(&tracker, 0, 2, 1);
    moehub_tile_tracker_expect(&tracker, 0, 4, 2);
    moehub_tile_tracker_notify(&tracker, 0, 0, OWN << OWNER_SHIFT | 2, false);
    moehub_tile_tracker_notify(&tracker, 0, 0, OWN << OWNER_SHIFT | 4, false);
    assert_false(moehub_tile_tracker_token_timeout(&tracker, 0)); /* its timer has not started */
    moehub_tile_tracker_closed(&tracker, 0);
    assert_false(moehub_tile_tracker_expire(&tracker, 0, 0));
    tracker.contexts[0].enabled = false;
    assert_false(moehub_tile_tracker_token_timeout(&tracker, 0));
    tracker.contexts[0].enabled = true;
    assert_true(moehub_tile_tracker_token_timeout(&tracker, 0));
    assert_false(moehub_tile_tracker_token_timeout(&tracker, 0)); /* once */
    assert_false(moehub_tile_tracker_expire(&tracker, 0, 1));
    for (uint32_t token = 0; token < 1 << OWNER_SHIFT; token++)
        assert_true(moehub_tile_tracker_expire(&tracker, 0, token));
    assert_false(moehub_tile_tracker_expire(&tracker, 0, 1 << OWNER_SHIFT));
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_TOKEN, (struct moehub_header){.row_index = 4});
    assert_true(tracker.contexts[0].failed);
    assert_token(&tracker, 0, 2, false);
    assert_token(&tracker, 0, 4, true);
    assert_nothing(&tracker, MOEHUB_READY_TOKEN_READY, 0);
    moehub_tile_tracker_notify(&tracker, 0, 0, OWN << OWNER_SHIFT | 4, false); /* late */
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_NOTIFY, (struct moehub_header){.row_index = 4});
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TOKENS_TOLD), 2);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TOKENS_FAILED), 1);
    moehub_tile_tracker_destroy(&tracker);
}

/* ---- notify machine -------------------------------------------------------------------------------- */

static void finish_tile(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, unsigned n)
{
    row(tracker, context, 0, expert, 2 * n);
    row(tracker, context, 0, expert, 2 * n + 1);
    moehub_tile_tracker_done(tracker, context, expert, n, 0);
    moehub_tile_tracker_done(tracker, context, expert, n, 1);
}

static void notifies(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    struct moehub_flit flit;
    create(&tracker);
    finish_tile(&tracker, 1, 3, 2);
    finish_tile(&tracker, 1, 1, 0);
    assert_false(moehub_tile_tracker_take_finished(&tracker, 0));
    assert_true(moehub_tile_tracker_take_finished(&tracker, 1));
    for (unsigned slot = 4; slot < 6; slot++) {
        assert_true(moehub_tile_tracker_list_address(&tracker) == 0x20000 + 3 * 64 + 4 * slot);
        assert_true(moehub_tile_tracker_list_word(&tracker, slot, false, &flit));
        const struct moehub_header header = moehub_header_unpack(flit);
        const struct moehub_header expected = {.type = MOEHUB_PACKET_NOTIFY, .source = OWN, .context = 1, .row_index = slot,
                                               .stage = MOEHUB_STAGE_COMBINE, .round = ROUND};
        assert_memory_equal(&flit, &(struct moehub_flit[]){moehub_header_pack(&expected)}, sizeof flit);
        assert_int_equal(header.offset, 0);
    }
    assert_false(moehub_tile_tracker_list_word(&tracker, 0, false, &flit));
    assert_true(moehub_tile_tracker_is_notifying(&tracker, 1));
    bytes(&tracker, 1, 0, 1, 0, 0);                               /* flags the second tile before its LOOK */
    assert_true(moehub_tile_tracker_take_finished(&tracker, 1));
    assert_true(moehub_tile_tracker_list_word(&tracker, OWN << OWNER_SHIFT, false, &flit));
    assert_int_equal(moehub_header_unpack(flit).status, MOEHUB_STATUS_PARTIAL);
    assert_int_equal(moehub_header_unpack(flit).offset, OWN);
    assert_true(moehub_tile_tracker_is_notifying(&tracker, 1));
    assert_true(moehub_tile_tracker_list_word(&tracker, OWN << OWNER_SHIFT | 1, false, &flit));
    assert_false(moehub_tile_tracker_is_notifying(&tracker, 1));
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_SENT), 4);
    moehub_tile_tracker_destroy(&tracker);
}

/* A tile that is looked at before the one ahead of it has told keeps its own rows and flag. */
static void notifies_ahead(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    struct moehub_flit flit;
    create(&tracker);
    finish_tile(&tracker, 1, 3, 2);
    finish_tile(&tracker, 1, 1, 0);
    assert_true(moehub_tile_tracker_take_finished(&tracker, 1));
    bytes(&tracker, 1, 0, 1, 0, 0);
    assert_true(moehub_tile_tracker_take_finished(&tracker, 1));
    assert_int_equal(tracker.notifying_count, 2);
    for (unsigned word = 0; word < 4; word++) {
        assert_true(moehub_tile_tracker_is_notifying(&tracker, 1));
        assert_true(moehub_tile_tracker_list_address(&tracker) ==
                    (word < 2 ? 0x20000 + 3 * 64 + 4 * (4 + word) : 0x20000 + 64 + 4 * (word - 2)));
        assert_true(moehub_tile_tracker_list_word(&tracker, OWN << OWNER_SHIFT, false, &flit));
        assert_int_equal(moehub_header_unpack(flit).status, word < 2 ? MOEHUB_STATUS_OK : MOEHUB_STATUS_PARTIAL);
    }
    assert_false(moehub_tile_tracker_is_notifying(&tracker, 1));
    moehub_tile_tracker_destroy(&tracker);
}

/* No more than TILES_AHEAD are in the machine; a tile without rows does not stay. */
static void notifies_at_most_ahead(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    finish_tile(&tracker, 1, 3, 2);
    tracker.notifying_count = MOEHUB_TILE_TRACKER_TILES_AHEAD;
    assert_false(moehub_tile_tracker_take_finished(&tracker, 1));
    tracker.notifying_count = MOEHUB_TILE_TRACKER_TILES_AHEAD - 1;
    assert_true(moehub_tile_tracker_take_finished(&tracker, 1));
    assert_int_equal(tracker.notifying_count, MOEHUB_TILE_TRACKER_TILES_AHEAD);
    moehub_tile_tracker_destroy(&tracker);
}

/* A partial tile tells the rows that it has. */
static void notifies_of_a_partial_tile(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    struct moehub_flit flit;
    create(&tracker);
    row(&tracker, 0, 0, 3, 0);
    end(&tracker, 0, 2, 0);
    moehub_tile_tracker_done(&tracker, 0, 3, 0, 0);
    moehub_tile_tracker_done(&tracker, 0, 3, 0, 1);
    assert_true(moehub_tile_tracker_take_finished(&tracker, 0));
    assert_true(moehub_tile_tracker_list_word(&tracker, 0, false, &flit));
    assert_int_equal(moehub_header_unpack(flit).status, MOEHUB_STATUS_OK);
    assert_false(moehub_tile_tracker_is_notifying(&tracker, 0));
    moehub_tile_tracker_destroy(&tracker);
}

static void words_that_tell_nobody(void **state)
{
    (void)state;
    static const struct {
        uint32_t row_index;
        bool error;
    } wrong[] = {{0, true}, {2 << OWNER_SHIFT, false}, {UINT32_MAX, false}, {OWN << OWNER_SHIFT, false}};
    for (unsigned i = 0; i < 4; i++) {
        struct moehub_tile_tracker tracker;
        struct moehub_flit flit;
        create(&tracker);
        tracker.contexts[0].peers = 1;
        finish_tile(&tracker, 0, 3, 1);
        assert_true(moehub_tile_tracker_take_finished(&tracker, 0));
        assert_false(moehub_tile_tracker_list_word(&tracker, wrong[i].row_index, wrong[i].error, &flit));
        assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_LIST, (struct moehub_header){.row_index = wrong[i].row_index});
        assert_true(tracker.contexts[0].failed);
        assert_true(moehub_tile_tracker_list_word(&tracker, 0, false, &flit)); /* the next word; the tile is not flagged */
        assert_int_equal(moehub_header_unpack(flit).status, MOEHUB_STATUS_OK);
        assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_SENT), 1);
        moehub_tile_tracker_destroy(&tracker);
    }
}

/* The example of rtl/doc/packet.md: an expert of GPU 5 has computed row 0x12345 of GPU 2. */
static void notify_of_the_packet_page(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    struct moehub_flit flit;
    const struct moehub_tile_tracker_config config = {8, 4, 1, 48, 1, 1, 5};
    assert_int_equal(moehub_tile_tracker_create(&tracker, &config), 0);
    tracker.contexts[2] = (struct moehub_tile_tracker_context){
        .enabled = true, .round = 6, .owner_shift = 15, .tile_shift = 1, .list_shift = 1, .computed_blocks = 1,
        .finished_blocks = 1, .tile_count = 1, .row_size = ROW, .peers = 255};
    assert_int_equal(moehub_tile_tracker_set_region(&tracker, 2, 0, 0, 1), 0);
    finish_tile(&tracker, 2, 0, 0);
    assert_true(moehub_tile_tracker_take_finished(&tracker, 2));
    assert_true(moehub_tile_tracker_list_word(&tracker, 0x12345, false, &flit));
    assert_true(flit.half[1] == 0x0301000123450002 && flit.half[0] == 0x0000000040280008);
    moehub_tile_tracker_destroy(&tracker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(told_by_the_last_notify),
        cmocka_unit_test(a_notify_too_many),
        cmocka_unit_test(opened_twice),
        cmocka_unit_test(tokens_not_counted),
        cmocka_unit_test(token_timeout),
        cmocka_unit_test(notifies),
        cmocka_unit_test(notifies_ahead),
        cmocka_unit_test(notifies_at_most_ahead),
        cmocka_unit_test(notifies_of_a_partial_tile),
        cmocka_unit_test(words_that_tell_nobody),
        cmocka_unit_test(notify_of_the_packet_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
