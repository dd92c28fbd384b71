/* SPDX-License-Identifier: Apache-2.0 */
/* The tile tracker by hand: the worked example of rtl/doc/hub/tile_tracker.md, ADVANCE, set-up, commands, smallest sizes. */
#include "hub/tile_tracker_support.h"

#include "moehub/error.h"

/* ---- worked example ------------------------------------------------------------------- */

static void first_tile_of_the_example(struct moehub_tile_tracker *tracker)
{
    static const int32_t balances[] = {256, 128, 384, 256, 128, 0};
    const struct moehub_tile *tile = tile_at(tracker, 0, 1);
    for (unsigned i = 0; i < 6; i++) {
        assert_nothing(tracker, MOEHUB_READY_TILE_READY, 0);
        const unsigned slot = i == 2 || i == 3 || i == 4;
        if (i == 0 || i == 2)
            word(tracker, 0, slot, 3, slot);
        else
            bytes(tracker, 0, slot, 3, slot, HALF);
        assert_int_equal(tile->balance, balances[i]);
        assert_int_equal(tile->rows, i < 2 ? 1 : 2);
    }
    assert_ready(tracker, 0, 3, 0, 2, false);
}

static void worked_example(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    first_tile_of_the_example(&tracker);
    row(&tracker, 0, 0, 3, 2);
    end(&tracker, 0, 4, 2);
    assert_nothing(&tracker, MOEHUB_READY_ALL_ARRIVED, 0); /* tile ready first */
    assert_ready(&tracker, 0, 3, 1, 1, false);
    assert_all_arrived(&tracker, 0, false);
    assert_nothing(&tracker, MOEHUB_READY_ALL_ARRIVED, 0); /* once */
    assert_no_cause(&tracker);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_WORDS), 3);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_BYTES), 6);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_HANDLED), 6);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_READY), 2);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_FAILED), 0);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_CLOSES_TAKEN), 2);
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_ALL_ARRIVED), 1);
    moehub_tile_tracker_destroy(&tracker);
}

static void worked_example_refused(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    first_tile_of_the_example(&tracker);
    word(&tracker, 0, 0, 3, 2);
    bytes(&tracker, 0, 0, 3, 2, HALF);
    refused(&tracker, 0, 0, 1);
    assert_int_equal(tile_at(&tracker, 0, 2)->balance, 128);
    end(&tracker, 0, 4, 2);
    assert_ready(&tracker, 0, 3, 1, 1, true);
    assert_all_arrived(&tracker, 0, true);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_BALANCE, (struct moehub_header){.row_index = 1, .tag = 3});
    assert_int_equal(count(&tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_FAILED), 1);
    moehub_tile_tracker_destroy(&tracker);
}

/* ---- ADVANCE ---------------------------------------------------------------------------------- */

static void leave_traces(struct moehub_tile_tracker *tracker, unsigned context)
{
    row(tracker, context, 0, 1, 0);
    row(tracker, context, 0, 1, 1);
    row(tracker, context, 0, 3, 0);
    row(tracker, context, 0, 3, 1);
    moehub_tile_tracker_done(tracker, context, 1, 0, 0);
    bytes(tracker, context, 1, 3, 4, HALF);
    moehub_tile_tracker_expect(tracker, context, 3, 1);
    moehub_tile_tracker_notify(tracker, context, 0, OWN << OWNER_SHIFT | 3, false);
    end(tracker, context, 8, 1);
    assert_true(moehub_tile_tracker_token_timeout(tracker, context));
    assert_true(moehub_tile_tracker_expire(tracker, context, 0));
}

static void advance(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    for (unsigned context = 0; context < 3; context++)
        leave_traces(&tracker, context);
    assert_ready(&tracker, 1, 1, 0, 2, false); /* left its ring before: it has the old round */
    tracker.contexts[1].enabled = false;
    moehub_tile_tracker_advance(&tracker, 1);
    const struct moehub_tile_tracker_context *settings = &tracker.contexts[1];
    assert_true(settings->clean && !settings->arrived && !settings->closed && !settings->failed);
    for (unsigned i = 0; i < TILES_EACH; i++)
        assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_TILE_GET, 0, TILES_EACH + i, 0, 0);
    for (unsigned i = 0; i < TOKENS_EACH; i++)
        assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_TOKEN_GET, 0, TOKENS_EACH + i, 0, 0);
    for (unsigned i = 0; i < 2; i++)
        assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 1, i, 0, 0);
    for (unsigned kind = 0; kind < MOEHUB_READY_KINDS; kind++)
        assert_nothing(&tracker, kind, 1);
    assert_false(moehub_tile_tracker_settle(&tracker, 1, EXPERTS - 1, 5));
    assert_false(moehub_tile_tracker_expire(&tracker, 1, 1));
    for (unsigned context = 0; context < 3; context += 2) { /* the others keep all */
        assert_ready(&tracker, context, 1, 0, 2, false);
        assert_tile_event(&tracker, MOEHUB_READY_TILE_COMPUTED, context, 1, 0, 2, false);
        assert_token(&tracker, context, 3, false);
        assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, context, 1, 1 | UINT64_C(1) << 32, 3);
    }
    tracker.contexts[1].enabled = true; /* regions stay; the next round's events have its number */
    tracker.contexts[1].clean = false;
    tracker.contexts[1].round = ROUND + 1;
    row(&tracker, 1, 0, 1, 0);
    row(&tracker, 1, 0, 1, 1);
    assert_event(&tracker, (struct moehub_ready_event){MOEHUB_READY_TILE_READY, false, 1, ROUND + 1, 1, 2, 0});
    moehub_tile_tracker_destroy(&tracker);
}

/* Each context has its own part of the rings. */
static void rings_of_contexts(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    for (unsigned context = 0; context < 3; context++) {
        row(&tracker, context, 0, 3, 2 * context);
        row(&tracker, context, 0, 3, 2 * context + 1);
        moehub_tile_tracker_expect(&tracker, context, 2 + context, 1);
        moehub_tile_tracker_notify(&tracker, context, 0, OWN << OWNER_SHIFT | (2 + context), false);
    }
    for (unsigned context = 0; context < 3; context++) {
        assert_ready(&tracker, context, 3, context, 2, false);
        assert_token(&tracker, context, 2 + context, false);
    }
    moehub_tile_tracker_destroy(&tracker);
}

/* ---- regions ------------------------------------------------------------------------------------ */

static void regions(void **state)
{
    (void)state;
    struct moehub_tile_tracker tracker;
    create(&tracker);
    assert_int_equal(moehub_tile_tracker_set_region(&tracker, 0, EXPERTS, 0, 1), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_tile_tracker_set_region(&tracker, 0, 0, 1, TILES_EACH), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_tile_tracker_set_region(&tracker, 0, 0, UINT32_MAX, 1), MOEHUB_E_ARGUMENT);
    tracker.contexts[0].list_shift = 2;
    assert_int_equal(moehub_tile_tracker_set_region(&tracker, 0, 0, 0, 3), MOEHUB_E_ARGUMENT);
    assert_int_equal(moehub_tile_tracker_set_region(&tracker, 0, 0, 0, 2), 0);
    moehub_tile_tracker_clear_regions(&tracker, 0);
    word(&tracker, 0, 0, 3, 0);
    assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_TILE, (struct moehub_header){.tag = 3});
    word(&tracker, 1, 0, 3, 0);
    assert_no_cause(&tracker);
    moehub_tile_tracker_destroy(&tracker);
}

/* ---- commands, sizes ---------------------------------------------------------------------------------- */

static void commands_refused(void **state)
{
    (void)state;
    static const struct {
        unsigned operation, context;
        uint32_t index;
    } refusals[] = {
        {MOEHUB_TILE_TRACKER_COMMAND_TILE_GET, 0, 3 * TILES_EACH},
        {MOEHUB_TILE_TRACKER_COMMAND_TOKEN_GET, 0, 3 * TOKENS_EACH},
        {MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 0, 2},
        {MOEHUB_TILE_TRACKER_COMMAND_PEER_GET, 3, 0},
        {3, 0, 0},
        {15, 0, 0},
    };
    struct moehub_tile_tracker tracker;
    create(&tracker);
    for (unsigned i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        uint64_t data[2] = {1, 1};
        assert_false(moehub_tile_tracker_command(&tracker, refusals[i].operation, refusals[i].context, refusals[i].index, data));
        assert_true(data[0] == 0 && data[1] == 0);
    }
    assert_read(&tracker, MOEHUB_TILE_TRACKER_COMMAND_TILE_GET, 255, 3 * TILES_EACH - 1, 0, 0); /* its context means nothing */
    moehub_tile_tracker_destroy(&tracker);
}

/* One tile of one slot, one token, one expert, one context. */
static void smallest_sizes(void **state)
{
    (void)state;
    const struct moehub_tile_tracker_config config = {2, 1, 1, 32, 1, 1, 1};
    struct moehub_tile_tracker tracker;
    struct moehub_flit flit;
    assert_int_equal(moehub_tile_tracker_create(&tracker, &config), 0);
    assert_true(tracker.contexts[0].clean && !tracker.contexts[0].enabled);
    for (unsigned round = 0; round < 3; round++) { /* the ring of one word is used again */
        tracker.contexts[0] = (struct moehub_tile_tracker_context){
            .enabled = true, .tokens = true, .round = (uint8_t)round, .computed_blocks = 1, .finished_blocks = 1,
            .tile_count = 1, .row_size = ROW, .peers = 3};
        assert_int_equal(moehub_tile_tracker_set_region(&tracker, 0, 0, 0, 1), 0);
        moehub_tile_tracker_expect(&tracker, 0, 0, 1);
        row(&tracker, 0, 0, 0, 0);
        assert_event(&tracker, (struct moehub_ready_event){MOEHUB_READY_TILE_READY, false, 0, (uint8_t)round, 0, 1, 0});
        moehub_tile_tracker_done(&tracker, 0, 0, 0, 0);
        assert_event(&tracker, (struct moehub_ready_event){MOEHUB_READY_TILE_COMPUTED, false, 0, (uint8_t)round, 0, 1, 0});
        moehub_tile_tracker_done(&tracker, 0, 0, 0, 1);
        assert_true(moehub_tile_tracker_take_finished(&tracker, 0));
        assert_true(moehub_tile_tracker_list_word(&tracker, 1, false, &flit));
        moehub_tile_tracker_notify(&tracker, 0, 1, 1, false);
        assert_event(&tracker, (struct moehub_ready_event){MOEHUB_READY_TOKEN_READY, false, 0, (uint8_t)round, 0, 0, 1});
        end(&tracker, 0, 2, 0);
        assert_event(&tracker, (struct moehub_ready_event){MOEHUB_READY_ALL_ARRIVED, false, 0, (uint8_t)round, 0, 0, 0});
        word(&tracker, 0, 0, 0, 1);
        assert_cause(&tracker, MOEHUB_TILE_TRACKER_CAUSE_TILE, (struct moehub_header){.row_index = 1});
        moehub_tile_tracker_advance(&tracker, 0);
    }
    moehub_tile_tracker_destroy(&tracker);
}

static void configurations(void **state)
{
    (void)state;
    static const struct moehub_tile_tracker_config wrong[] = {
        {1, 4, 64, 48, 1, 1, 0},  {65, 4, 64, 48, 1, 1, 0},  {8, 0, 64, 48, 1, 1, 0},     {8, 9, 64, 48, 1, 1, 0},
        {8, 4, 0, 48, 1, 1, 0},   {8, 4, 257, 48, 1, 1, 0},  {8, 4, 64, 31, 1, 1, 0},     {8, 4, 64, 65, 1, 1, 0},
        {8, 4, 64, 48, 0, 1, 0},  {8, 4, 64, 48, 65537, 1, 0}, {8, 4, 64, 48, 1, 0, 0},   {8, 4, 64, 48, 1, 65537, 0},
        {8, 4, 64, 48, 1, 1, 8},
    };
    struct moehub_tile_tracker tracker;
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(moehub_tile_tracker_create(&tracker, &wrong[i]), MOEHUB_E_ARGUMENT);
    const struct moehub_tile_tracker_config hub = moehub_tile_tracker_config_default();
    assert_int_equal(moehub_tile_tracker_config_check(&hub), 0);
    const struct moehub_tile_tracker_config largest = {64, 8, 256, 64, 65536, 65536, 63};
    assert_int_equal(moehub_tile_tracker_create(&tracker, &largest), 0);
    moehub_tile_tracker_destroy(&tracker);
    moehub_tile_tracker_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worked_example),
        cmocka_unit_test(worked_example_refused),
        cmocka_unit_test(advance),
        cmocka_unit_test(rings_of_contexts),
        cmocka_unit_test(regions),
        cmocka_unit_test(commands_refused),
        cmocka_unit_test(smallest_sizes),
        cmocka_unit_test(configurations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
