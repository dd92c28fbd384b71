/* SPDX-License-Identifier: Apache-2.0 */
/* Close, abort, ADVANCE (rtl/doc/hub/packet_manager.md section 7). */
#include "hub/packet_manager_support.h"

static void assert_close(struct moehub_packet_manager *manager, unsigned context, unsigned gpu, uint32_t pairs)
{
    struct moehub_flit close;
    assert_false(manager->contexts[context].closed);
    assert_true(moehub_packet_manager_next_close(manager, context, &close));
    const struct moehub_flit expected = moehub_header_pack(&(struct moehub_header){
        .type = MOEHUB_PACKET_CLOSE, .source = OWN, .context = (uint8_t)context, .offset = (uint16_t)gpu, .row_index = pairs,
        .round = ROUND});
    assert_flit(close, expected.half[1], expected.half[0]);
}

static void assert_no_close(struct moehub_packet_manager *manager, unsigned context)
{
    struct moehub_flit close;
    assert_false(moehub_packet_manager_next_close(manager, context, &close));
}

/* Closes of all peers, GPU 4 is none; then the context is closed, once. */
static void assert_closes(struct moehub_packet_manager *manager, unsigned context, const uint32_t pairs[GPUS])
{
    for (unsigned gpu = 0; gpu < GPUS; gpu++)
        if (gpu != 4)
            assert_close(manager, context, gpu, pairs[gpu]);
    assert_true(manager->contexts[context].closed);
    assert_no_close(manager, context);
}

static void ask_close(struct moehub_packet_manager *manager, unsigned context)
{
    manager->contexts[context].closing = true;
    moehub_packet_manager_close(manager, context);
}

static void ask_abort(struct moehub_packet_manager *manager, unsigned context)
{
    manager->contexts[context].closing = true;
    moehub_packet_manager_abort(manager, context);
}

static const uint32_t none[GPUS];

/* ---- close ------------------------------------------------------------------------------ */

static void close_without_rows(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    assert_no_close(&manager, 0);
    ask_close(&manager, 0);
    assert_closes(&manager, 0, none);
    assert_no_close(&manager, 1);
    assert_int_equal(count(&manager, MOEHUB_PACKET_MANAGER_EVENT_CLOSES), 5);
    assert_false(manager.contexts[0].failed);
    moehub_packet_manager_destroy(&manager);
}

/* Rows that are open or opening hold the closes of their context alone. */
static void close_waits_for_rows(void **state)
{
    (void)state;
    static const uint32_t pairs[GPUS] = {0, 0, 0, 3, 0, 0};
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_up(&manager, 0, 0, FIRST_ROW);
    const struct moehub_row row = immediate_row(0, 0, 1);
    struct moehub_list_reads reads;
    assert_true(moehub_packet_manager_row(&manager, 1, &row, &reads));
    ask_close(&manager, 0);
    ask_close(&manager, 1);
    assert_closes(&manager, 1, none);
    send_up(&manager, 0, handle);
    assert_no_close(&manager, 0);
    assert_int_equal(decide(&manager, 0).status, MOEHUB_STATUS_RANGE);
    assert_closes(&manager, 0, pairs);
    moehub_packet_manager_destroy(&manager);
}

static void pairs_add_up(void **state)
{
    (void)state;
    static const uint32_t pairs[GPUS] = {0, 0, 0, 3 + 3, 0, 0};
    struct moehub_packet_manager manager;
    create(&manager);
    for (unsigned i = 0; i < 2; i++)
        send_up(&manager, i, open_up(&manager, i, 1, FIRST_ROW + i));
    ask_close(&manager, 1);
    assert_closes(&manager, 1, pairs);
    moehub_packet_manager_advance(&manager, 1);
    const struct moehub_packet_manager_context *context = &manager.contexts[1];
    assert_true(context->clean && !context->closing && !context->closed && !context->failed);
    assert_no_close(&manager, 1);
    open_context(&manager, 1, ROUND);
    ask_close(&manager, 1);
    assert_closes(&manager, 1, none);
    moehub_packet_manager_destroy(&manager);
}

/* ADVANCE clears one context's pairs. */
static void advance_of_another(void **state)
{
    (void)state;
    static const uint32_t pairs[GPUS] = {0, 0, 0, 3, 0, 0};
    struct moehub_packet_manager manager;
    create(&manager);
    send_up(&manager, 0, open_up(&manager, 0, 1, FIRST_ROW));
    moehub_packet_manager_advance(&manager, 0);
    ask_close(&manager, 1);
    assert_closes(&manager, 1, pairs);
    moehub_packet_manager_destroy(&manager);
}

/* ---- abort ------------------------------------------------------------------------------- */

/* Lines of each state: filling is freed, ready is discarded, what a way chose is sent; pairs are of what was sent. */
static void abort_open_row(void **state)
{
    (void)state;
    static const uint32_t pairs[GPUS] = {4, 0, 2, 0, 0, 2};
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_both(&manager, 0, 1, FIRST_ROW);
    merged_bytes(&manager, handle, 0, 256);
    merged(&manager, handle, 256, ALL);
    locked(&manager, 1, 0, 0);
    assert_false(moehub_packet_manager_free_line(&manager, 0, 2));
    assert_false(moehub_packet_manager_discard(&manager, MOEHUB_KIND_LOOP, 0, 0));
    ask_abort(&manager, 1);
    assert_false(moehub_packet_manager_make_ready(&manager, 0, 2));
    freed(&manager, 0, 2);
    locked(&manager, 1, 0, 1);                                  /* chosen before */
    locked(&manager, LOOP, 0, 1);
    assert_false(moehub_packet_manager_discard(&manager, MOEHUB_KIND_UP, 0, 0));
    assert_true(moehub_packet_manager_discard(&manager, MOEHUB_KIND_LOOP, 0, 0));
    assert_false(moehub_packet_manager_discard(&manager, MOEHUB_KIND_LOOP, 0, 0));
    assert_false(can_lock(&manager, LOOP, 0, 0));
    freed(&manager, 0, 0);
    assert_false(moehub_packet_manager_leave(&manager, 0));
    assert_no_close(&manager, 1);
    freed(&manager, 0, 1);
    assert_true(moehub_packet_manager_leave(&manager, 0));
    assert_closes(&manager, 1, pairs);
    assert_no_cause(&manager);
    assert_int_equal(manager.lines_used, 0);
    moehub_packet_manager_destroy(&manager);
}

/* A line that no way has chosen leaves no packet. */
static void abort_ready_line(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    const unsigned handle = open_both(&manager, 0, 1, FIRST_ROW);
    merged_bytes(&manager, handle, 0, 128);
    ask_abort(&manager, 1);
    assert_true(moehub_packet_manager_discard(&manager, MOEHUB_KIND_UP, 0, 0));
    assert_false(moehub_packet_manager_free_line(&manager, 0, 0));
    assert_true(moehub_packet_manager_discard(&manager, MOEHUB_KIND_LOOP, 0, 0));
    freed(&manager, 0, 0);
    assert_true(moehub_packet_manager_leave(&manager, 0));
    assert_closes(&manager, 1, none);
    moehub_packet_manager_destroy(&manager);
}

/* A row that was opening is refused as CONTEXT, before anything else that is wrong with it; others go on. */
static void abort_opening_row(void **state)
{
    (void)state;
    static const uint16_t list[] = {0x40, 0x01};
    struct moehub_packet_manager manager;
    create(&manager);
    const struct moehub_row row = listed_row(1, FIRST_ROW, 2), other = immediate_row(0, FIRST_ROW, 0x31);
    take_row(&manager, 0, &row, list);
    take_row(&manager, 1, &other, NULL);
    ask_abort(&manager, 1);
    assert_no_close(&manager, 1);
    assert_int_equal(decide(&manager, 0).status, MOEHUB_STATUS_CONTEXT);
    assert_cause(&manager, MOEHUB_PACKET_MANAGER_CAUSE_ROW,
                 (struct moehub_header){.context = 1, .row_index = FIRST_ROW, .status = MOEHUB_STATUS_CONTEXT});
    assert_int_equal(decide(&manager, 0).status, MOEHUB_STATUS_OK);
    assert_closes(&manager, 1, none);
    assert_false(manager.rows[1].aborted);
    moehub_packet_manager_destroy(&manager);
}

/* ABORT after CLOSE ends rows; once closes have begun, or were all sent, it changes nothing. */
static void abort_after_close(void **state)
{
    (void)state;
    struct moehub_packet_manager manager;
    create(&manager);
    open_up(&manager, 0, 0, FIRST_ROW);
    ask_close(&manager, 0);
    assert_false(moehub_packet_manager_leave(&manager, 0));
    ask_abort(&manager, 0);
    assert_true(moehub_packet_manager_leave(&manager, 0));
    assert_close(&manager, 0, 0, 0);
    assert_close(&manager, 0, 1, 0);
    ask_abort(&manager, 0);
    assert_close(&manager, 0, 2, 0);
    assert_close(&manager, 0, 3, 0);
    assert_close(&manager, 0, 5, 0);
    assert_true(manager.contexts[0].closed);
    ask_abort(&manager, 0);
    assert_no_close(&manager, 0);
    moehub_packet_manager_destroy(&manager);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(close_without_rows),
        cmocka_unit_test(close_waits_for_rows),
        cmocka_unit_test(pairs_add_up),
        cmocka_unit_test(advance_of_another),
        cmocka_unit_test(abort_open_row),
        cmocka_unit_test(abort_ready_line),
        cmocka_unit_test(abort_opening_row),
        cmocka_unit_test(abort_after_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
