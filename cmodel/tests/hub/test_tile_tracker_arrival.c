/* SPDX-License-Identifier: Apache-2.0 */
/* The tile tracker by hand: arrival and SETTLE (rtl/doc/hub/tile_tracker.md section 5). */
#include "hub/tile_tracker_support.h"

/* ---- arrival ------------------------------------------------------------------------------ */

/* Two peers, three contexts in turn: closes before and after the last pairs, and of nothing at all. */
static void three_contexts(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    moehub_tile_tracker_closed(&tracker, 0);
    moehub_tile_tracker_close(&tracker, 0, 0, 2); /* before its pairs */
    row(&tracker, 1, 1, 1, 0);
    row(&tracker, 0, 0, 1, 0);
    row(&tracker, 0, 1, 1, 1);
    assert_false(tracker.contexts[0].arrived);
    moehub_tile_tracker_close(&tracker, 0, 1, 2); /* after them */
    assert_true(tracker.contexts[0].arrived);
    moehub_tile_tracker_close(&tracker, 1, 1, 2);
    moehub_tile_tracker_close(&tracker, 1, 0, 0); /* nothing */
    assert_false(tracker.contexts[1].arrived);    /* own closes */
    moehub_tile_tracker_closed(&tracker, 1);
    assert_true(tracker.contexts[1].arrived);
    end(&tracker, 2, 0, 0);
    assert_all_arrived(&tracker, 2, false);
    assert_true(moehub_tile_tracker_settle_begins(&tracker, 0));
    assert_true(moehub_tile_tracker_settle_begins(&tracker, 1));
    settle(&tracker, 0);
    settle(&tracker, 1);
    assert_ready(&tracker, 1, 1, 0, 1, false);
    assert_ready(&tracker, 0, 1, 0, 2, false);
    assert_all_arrived(&tracker, 1, false);
    assert_all_arrived(&tracker, 0, false);
    assert_no_cause(&tracker);
    moehub_tile_tracker_destroy(&tracker);
}

/* The last pair of the last peer completes; a GPU that is no peer is not waited for, and a disabled context never arrives. */
static void the_last_pair(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    for (unsigned context = 0; context < 2; context++) {
        tracker.contexts[context].peers = 2;
        tracker.contexts[context].enabled = context == 0;
        moehub_tile_tracker_closed(&tracker, context);
        moehub_tile_tracker_close(&tracker, context, 1, 5);
        refused(&tracker, context, 1, 4);
        assert_false(tracker.contexts[context].arrived);
        refused(&tracker, context, 1, 1);
    }
    assert_true(tracker.contexts[0].arrived);
    assert_false(tracker.contexts[1].arrived);
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 0, 1, 5 | UINT64_C(5) << 32, 3);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_HANDLED), 4); /* operations */
    assert_false(tracker.contexts[0].failed); /* who refuses flags */
    moehub_tile_tracker_destroy(&tracker);
}

static void wrong_closes(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    refused(&tracker, 0, 1, 3);
    moehub_tile_tracker_close(&tracker, 0, 1, 2);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_EXCESS, (struct moehub_header){.source = 1});
    assert_true(tracker.contexts[0].failed);
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 0, 1, 3 | UINT64_C(2) << 32, 3);
    refused(&tracker, 0, 1, 1); /* each time */
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_EXCESS, (struct moehub_header){.source = 1});
    moehub_tile_tracker_close(&tracker, 1, 1, UINT32_MAX);
    moehub_tile_tracker_close(&tracker, 1, 1, 0);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_CLOSE, (struct moehub_header){.context = 1, .source = 1});
    assert_true(tracker.contexts[1].failed);
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 1, 1, UINT64_C(0xFFFFFFFF) << 32, 1);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_CLOSES_TAKEN), 3);
    assert_no_cause(&tracker);
    moehub_tile_tracker_destroy(&tracker);
}

/* ---- SETTLE ------------------------------------------------------------------------------- */

/* Regions in order, partial tiles told, empty ones finished; all arrived waits for the sweep and the ready ring. */
static void partial_tiles(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    row(&tracker, 0, 0, 3, 4);
    row(&tracker, 0, 0, 1, 0);
    assert_false(moehub_tile_tracker_settle_begins(&tracker, 0)); /* not arrived */
    assert_false(moehub_tile_tracker_settle(&tracker, 0, 0, 0));
    moehub_tile_tracker_close(&tracker, 0, 0, 4);
    moehub_tile_tracker_close(&tracker, 0, 1, 0);
    moehub_tile_tracker_closed(&tracker, 0);
    assert_true(moehub_tile_tracker_settle_begins(&tracker, 0));
    assert_false(moehub_tile_tracker_settle_begins(&tracker, 0));
    assert_false(moehub_tile_tracker_settle(&tracker, 0, 0, 1));
    assert_false(moehub_tile_tracker_settle(&tracker, 0, 1, 0));
    assert_true(moehub_tile_tracker_settle(&tracker, 0, 0, 0)); /* none */
    assert_true(moehub_tile_tracker_settle(&tracker, 0, 0, 1)); /* one more that finds none */
    assert_true(moehub_tile_tracker_settle(&tracker, 0, 1, 0));
    assert_false(moehub_tile_tracker_settle(&tracker, 0, 2, 0)); /* the region has not ended */
    assert_true(moehub_tile_tracker_settle(&tracker, 0, 1, 1));
    assert_true(moehub_tile_tracker_settle(&tracker, 0, 2, 0));
    for (unsigned n = 0; n < 4; n++)
        assert_true(moehub_tile_tracker_settle(&tracker, 0, 3, n));
    assert_ready(&tracker, 0, 1, 0, 1, false);
    assert_ready(&tracker, 0, 3, 2, 1, false);
    assert_nothing(&tracker, MOEHUB_READY_TILE_READY, 0);
    assert_nothing(&tracker, MOEHUB_READY_ALL_ARRIVED, 0);
    assert_true(moehub_tile_tracker_settle(&tracker, 0, 3, 4));
    assert_false(moehub_tile_tracker_settle(&tracker, 0, 4, 0));
    assert_all_arrived(&tracker, 0, false);
    assert_int_equal(tile_at(&tracker, 0, 1)->state, MOEHUB_TILE_FINISHED);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_FINISHED), 0); /* by `done` alone */
    moehub_tile_tracker_done(&tracker, 0, 1, 0, 0);
    assert_no_cause(&tracker);
    moehub_tile_tracker_destroy(&tracker);
}

/* A peer is missing: the context is flagged, each partial tile is told as failed, what is late finds no filling tile. */
static void arrival_timeout(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    row(&tracker, 0, 0, 3, 0);
    row(&tracker, 0, 0, 3, 1);
    row(&tracker, 0, 0, 3, 2);
    word(&tracker, 0, 1, 1, 0);
    moehub_tile_tracker_close(&tracker, 0, 0, 6);
    assert_false(moehub_tile_tracker_arrival_timeout(&tracker, 0)); /* its timer has not started */
    moehub_tile_tracker_closed(&tracker, 0);
    assert_false(tracker.contexts[0].arrived);
    assert_true(moehub_tile_tracker_arrival_timeout(&tracker, 0));
    assert_true(tracker.contexts[0].arrived && tracker.contexts[0].failed);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_ARRIVAL, (struct moehub_header){.source = 0});
    assert_false(moehub_tile_tracker_arrival_timeout(&tracker, 0)); /* once */
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 0, 1, 0, 0);
    settle(&tracker, 0);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_BALANCE, (struct moehub_header){.tag = 1});
    assert_ready(&tracker, 0, 3, 0, 2, false);
    assert_ready(&tracker, 0, 1, 0, 1, true);
    assert_ready(&tracker, 0, 3, 1, 1, true);  /* balance 0, but time was up: no cause */
    assert_all_arrived(&tracker, 0, true);
    word(&tracker, 0, 1, 3, 6);                /* a tile that had no rows */
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_BALANCE,
                 (struct moehub_header){.source = 1, .row_index = 3, .tag = 3});
    moehub_tile_tracker_destroy(&tracker);
}

/* Complete by the counts, but a store is in flight for ever: the timer begins the sweep all the same; not of a disabled one. */
static void timeout_after_arrived(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    for (unsigned context = 0; context < 2; context++) {
        row(&tracker, context, 0, 3, 0);
        moehub_tile_tracker_close(&tracker, context, 0, 2);
        moehub_tile_tracker_close(&tracker, context, 1, 0);
        moehub_tile_tracker_closed(&tracker, context);
        assert_true(tracker.contexts[context].arrived);
    }
    tracker.contexts[1].enabled = false;
    assert_false(moehub_tile_tracker_arrival_timeout(&tracker, 1));
    assert_true(moehub_tile_tracker_arrival_timeout(&tracker, 0));
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_ARRIVAL, (struct moehub_header){.source = 0});
    assert_false(moehub_tile_tracker_settle_begins(&tracker, 0));
    settle(&tracker, 0);
    assert_ready(&tracker, 0, 3, 0, 1, true);
    assert_no_cause(&tracker);
    assert_true(moehub_tile_tracker_settle_begins(&tracker, 1));
    assert_false(tracker.contexts[1].failed);
    moehub_tile_tracker_destroy(&tracker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_contexts),
        cmocka_unit_test(the_last_pair),
        cmocka_unit_test(wrong_closes),
        cmocka_unit_test(partial_tiles),
        cmocka_unit_test(arrival_timeout),
        cmocka_unit_test(timeout_after_arrived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
