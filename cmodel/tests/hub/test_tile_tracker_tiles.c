/* SPDX-License-Identifier: Apache-2.0 */
/* The tile tracker by hand: tiles and `done` (rtl/doc/hub/tile_tracker.md section 3). */
#include "hub/tile_tracker_support.h"

/* ---- tiles ----------------------------------------------------------------------------- */

/* Rows, slots and pairs beyond what 13 bits hold. */
static void many_rows(void **state)
{
    (void)state;
    const struct moehub_tile_tracker_config config = {2, 1, 1, 48, 3, 1, 0};
    enum { ROWS = 3 << 12 };
    struct moehub_tile_tracker tracker;
    assert_int_equal(moehub_tile_tracker_create(&tracker, &config), 0);
    tracker.contexts[0] = (struct moehub_tile_tracker_context){
        .enabled = true, .round = ROUND, .tile_shift = 12, .list_shift = 14, .computed_blocks = 1, .finished_blocks = 1,
        .tile_count = 3, .row_size = HALF, .peers = 1};
    assert_int_equal(moehub_tile_tracker_set_region(&tracker, 0, 0, 0, 3), 0);
    for (unsigned slot = 0; slot < ROWS; slot++) {
        word(&tracker, 0, 0, 0, slot);
        bytes(&tracker, 0, 0, 0, slot, HALF);
    }
    for (unsigned n = 0; n < 3; n++)
        assert_ready(&tracker, 0, 0, n, 1 << 12, false);
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 0, 0, ROWS, 0);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_WORDS), ROWS);
    assert_no_cause(&tracker);
    moehub_tile_tracker_destroy(&tracker);
}

/* A word for a tile that has them all: rows stay, the tile is flagged, and told as failed if the bytes come too. */
static void a_row_too_many(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    for (unsigned i = 0; i < 3; i++)
        word(&tracker, 0, 0, 3, 2 + i % 2);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_BALANCE, (struct moehub_header){.row_index = 1, .tag = 3});
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_TILE_GET, 0, 2, 2 | UINT64_C(1) << 34, 3 * ROW);
    for (unsigned i = 0; i < 6; i++)
        bytes(&tracker, 0, 0, 3, 2, HALF);
    assert_ready(&tracker, 0, 3, 1, 2, true);
    assert_true(tracker.contexts[0].failed);
    assert_no_cause(&tracker);
    moehub_tile_tracker_destroy(&tracker);
}

/* The balance has 31 bits: 2^14 rows of 2^16 bytes are -2^30. */
static void balance_wraps(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    tracker.contexts[0].row_size = 1 << 16;
    for (unsigned i = 0; i < 1 << 14; i++)
        word(&tracker, 0, 0, 3, 0);
    assert_int_equal(tile_at(&tracker, 0, 1)->balance, -(1 << 30));
    bytes(&tracker, 0, 0, 3, 0, 1);
    assert_int_equal(tile_at(&tracker, 0, 1)->balance, (1 << 30) - 1);
    moehub_tile_tracker_destroy(&tracker);
}

/* Bytes without a word: below 0, flagged at once, once; the tile is told as failed when it is complete. */
static void bytes_too_early(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    bytes(&tracker, 1, 1, 1, 0, HALF);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_BALANCE, (struct moehub_header){.context = 1, .source = 1, .tag = 1});
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_TILE_GET, 0, TILES_EACH, UINT64_C(1) << 34, (uint64_t)-HALF);
    bytes(&tracker, 1, 1, 1, 0, HALF);
    assert_no_cause(&tracker);
    word(&tracker, 1, 1, 1, 0);
    row(&tracker, 1, 1, 1, 1);
    assert_ready(&tracker, 1, 1, 0, 2, true);
    assert_true(tracker.contexts[1].failed);
    assert_false(tracker.contexts[0].failed);
    moehub_tile_tracker_destroy(&tracker);
}

/* What comes for a tile that is not filling flags it, be it zero bytes. */
static void a_tile_that_is_not_filling(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    row(&tracker, 0, 0, 1, 0);
    row(&tracker, 0, 0, 1, 1);
    assert_no_cause(&tracker);
    bytes(&tracker, 0, 1, 1, 1, 0);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_BALANCE, (struct moehub_header){.source = 1, .tag = 1});
    assert_ready(&tracker, 0, 1, 0, 2, true); /* what is known at the LOOK */
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_READY), 1);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_FAILED), 0); /* at the push */
    moehub_tile_tracker_destroy(&tracker);
}

/* A write's error flags tile and context without a cause, also where the balance is wrong too. */
static void write_errors(void **state)
{
    (void)state;
    static const unsigned kinds[] = {MOEHUB_COMPLETED_WORD, MOEHUB_COMPLETED_BYTES};
    for (unsigned i = 0; i < 2; i++) {
        struct moehub_tile_tracker tracker;
        create(&tracker);
        struct moehub_completed broken = {.kind = (uint8_t)kinds[i], .expert = 3, .value = HALF, .error = true};
        moehub_tile_tracker_completed(&tracker, &broken);
        assert_true(tile_at(&tracker, 0, 1)->flagged && tracker.contexts[0].failed);
        assert_no_cause(&tracker);
        moehub_tile_tracker_destroy(&tracker);
    }
}

/* A row announced twice: its tile never is complete, and is told as failed at the end. */
static void a_hole(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    row(&tracker, 0, 0, 3, 0);
    word(&tracker, 0, 0, 3, 1);
    assert_nothing(&tracker, MOEHUB_READY_TILE_READY, 0);
    end(&tracker, 0, 2, 0);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_BALANCE, (struct moehub_header){.tag = 3});
    assert_ready(&tracker, 0, 3, 0, 2, true);
    assert_all_arrived(&tracker, 0, true);
    moehub_tile_tracker_destroy(&tracker);
}

/* A slot beyond the region's tiles: no tile is touched, its pairs are handled. */
static void a_tile_too_many(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    word(&tracker, 0, 1, 1, 2);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_TILE, (struct moehub_header){.source = 1, .row_index = 1, .tag = 1});
    assert_true(tracker.contexts[0].failed);
    bytes(&tracker, 0, 1, 2, 0, HALF); /* an expert without tiles */
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_TILE, (struct moehub_header){.source = 1, .tag = 2});
    for (unsigned i = 0; i < TILES_EACH; i++)
        assert_true(tile_at(&tracker, 0, i)->rows == 0 && tile_at(&tracker, 0, i)->balance == 0);
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 0, 1, 1, 0);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_WORDS), 1);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_BYTES), 1);
    moehub_tile_tracker_destroy(&tracker);
}

/* Nothing flags a clean context, and what was taken in before DISABLE still counts. */
static void disabled_and_clean(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    tracker.contexts[0].enabled = false;
    row(&tracker, 0, 0, 1, 0);
    row(&tracker, 0, 0, 1, 1);
    assert_ready(&tracker, 0, 1, 0, 2, false);
    tracker.contexts[1].clean = true;
    bytes(&tracker, 1, 0, 1, 2, HALF);
    assert_false(tracker.contexts[1].failed);
    moehub_tile_tracker_destroy(&tracker);
}

/* ---- done -------------------------------------------------------------------------------- */

static void assert_done_refused(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, uint32_t n,
                                unsigned stage)
{
    moehub_tile_tracker_done(tracker, context, expert, n, stage);
    assert_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_DONE,
                 (struct moehub_header){.context = (uint8_t)context, .row_index = n, .tag = expert});
}

static void done_in_order(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    tracker.contexts[0].computed_blocks = 3;
    tracker.contexts[0].finished_blocks = 2;
    row(&tracker, 0, 0, 3, 2);
    row(&tracker, 0, 0, 3, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_nothing(&tracker, MOEHUB_READY_TILE_COMPUTED, 0);
        moehub_tile_tracker_done(&tracker, 0, 3, 1, 0);
    }
    assert_tile_event(&tracker, MOEHUB_READY_TILE_COMPUTED, 0, 3, 1, 2, false);
    for (unsigned i = 0; i < 2; i++) {
        assert_false(moehub_tile_tracker_is_notifying(&tracker, 0));
        moehub_tile_tracker_done(&tracker, 0, 3, 1, 1);
    }
    assert_true(moehub_tile_tracker_is_notifying(&tracker, 0));
    assert_false(moehub_tile_tracker_is_notifying(&tracker, 1));
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_TILE_GET, 0, 2, 2 | 3 << 16 | 2 << 24 | UINT64_C(3) << 32, 0);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_COMPUTED), 1);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_FINISHED), 1);
    assert_no_cause(&tracker);
    moehub_tile_tracker_destroy(&tracker);
}

static void done_out_of_order(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    assert_done_refused(&tracker, 0, 3, 1, 0); /* filling */
    row(&tracker, 0, 0, 3, 2);
    row(&tracker, 0, 0, 3, 3);
    assert_done_refused(&tracker, 0, 3, 1, 1); /* ready */
    moehub_tile_tracker_done(&tracker, 0, 3, 1, 0);
    assert_done_refused(&tracker, 0, 3, 1, 0); /* computed */
    moehub_tile_tracker_done(&tracker, 0, 3, 1, 1);
    assert_done_refused(&tracker, 0, 3, 1, 1); /* finished */
    assert_int_equal(tile_at(&tracker, 0, 2)->computed, 1);
    assert_int_equal(tile_at(&tracker, 0, 2)->finished, 1);
    assert_false(tracker.contexts[0].failed);  /* the one cause that flags nothing */
    moehub_tile_tracker_destroy(&tracker);
}

static void done_of_nothing(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    assert_done_refused(&tracker, 0, 3, 4, 0);
    assert_done_refused(&tracker, 0, 3, UINT32_MAX, 1);
    assert_done_refused(&tracker, 0, 2, 0, 0);
    assert_done_refused(&tracker, 0, EXPERTS, 0, 0);
    assert_done_refused(&tracker, 0, UINT16_MAX, 0, 0);
    tracker.contexts[3].enabled = true; /* beyond the configuration */
    assert_done_refused(&tracker, 3, 3, 0, 0);
    row(&tracker, 0, 0, 3, 2);
    row(&tracker, 0, 0, 3, 3);
    tracker.contexts[0].enabled = false;
    assert_done_refused(&tracker, 0, 3, 1, 0);
    moehub_tile_tracker_destroy(&tracker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_rows),
        cmocka_unit_test(a_row_too_many),
        cmocka_unit_test(balance_wraps),
        cmocka_unit_test(bytes_too_early),
        cmocka_unit_test(a_tile_that_is_not_filling),
        cmocka_unit_test(write_errors),
        cmocka_unit_test(a_hole),
        cmocka_unit_test(a_tile_too_many),
        cmocka_unit_test(disabled_and_clean),
        cmocka_unit_test(done_in_order),
        cmocka_unit_test(done_out_of_order),
        cmocka_unit_test(done_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
