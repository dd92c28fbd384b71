/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the tile tracker share: three open contexts, what comes in, questions about what goes out. */
#ifndef MOEHUB_TESTS_TILE_TRACKER_SUPPORT_H
#define MOEHUB_TESTS_TILE_TRACKER_SUPPORT_H

#include "moehub/tile_tracker.h"

#include "common/support.h"

enum { ROW = 256, HALF = 128, EXPERTS = 4, TILES_EACH = 5, TOKENS_EACH = 8, OWNER_SHIFT = 3, ROUND = 6, OWN = 1 };

/* ---- set-up ------------------------------------------------------------------------- */

/* Enabled with two peers; tiles of two slots: expert 0 has none, 1 one, 2 none, 3 the four others. */
static inline void open_context(struct moehub_tile_tracker *tracker, unsigned context, unsigned round)
{
    struct moehub_tile_tracker_context *settings = &tracker->contexts[context];
    *settings = (struct moehub_tile_tracker_context){
        .enabled = true, .tokens = true, .round = (uint8_t)round, .owner_shift = OWNER_SHIFT, .tile_shift = 1, .list_shift = 4,
        .computed_blocks = 1, .finished_blocks = 1, .tile_first = (uint16_t)(TILES_EACH * context),
        .token_first = (uint16_t)(TOKENS_EACH * context), .tile_count = TILES_EACH, .row_size = ROW, .peers = 3,
        .list_base = 0x10000 * (context + UINT64_C(1))};
    assert_int_equal(moehub_tile_tracker_set_region(tracker, context, 1, 0, 1), 0);
    assert_int_equal(moehub_tile_tracker_set_region(tracker, context, 3, 1, 4), 0);
}

static inline void create(struct moehub_tile_tracker *tracker)
{
    const struct moehub_tile_tracker_config config = {.gpus = 2, .contexts = 3, .local_experts = EXPERTS, .address_width = 48,
                                                      .tiles = 3 * TILES_EACH, .tokens = 3 * TOKENS_EACH, .own = OWN};
    assert_int_equal(moehub_tile_tracker_create(tracker, &config), 0);
    for (unsigned i = 0; i < config.contexts; i++)
        open_context(tracker, i, ROUND);
}

static inline void record(struct moehub_tile_tracker *tracker, unsigned kind, unsigned context, unsigned source, unsigned expert,
                          uint32_t slot, unsigned value)
{
    moehub_tile_tracker_completed(tracker, &(struct moehub_completed){
        .kind = (uint8_t)kind, .context = (uint8_t)context, .source = (uint8_t)source, .expert = (uint8_t)expert, .slot = slot,
        .value = (uint8_t)value});
}

static inline void word(struct moehub_tile_tracker *tracker, unsigned context, unsigned source, unsigned expert, uint32_t slot)
{
    record(tracker, MOEHUB_COMPLETED_WORD, context, source, expert, slot, 0);
}

static inline void bytes(struct moehub_tile_tracker *tracker, unsigned context, unsigned source, unsigned expert, uint32_t slot,
                         unsigned value)
{
    record(tracker, MOEHUB_COMPLETED_BYTES, context, source, expert, slot, value);
}

static inline void refused(struct moehub_tile_tracker *tracker, unsigned context, unsigned source, unsigned pairs)
{
    record(tracker, MOEHUB_COMPLETED_REFUSED, context, source, 0, 0, pairs);
}

/* A whole row: its word and two packets. */
static inline void row(struct moehub_tile_tracker *tracker, unsigned context, unsigned source, unsigned expert, uint32_t slot)
{
    word(tracker, context, source, expert, slot);
    bytes(tracker, context, source, expert, slot, HALF);
    bytes(tracker, context, source, expert, slot, HALF);
}

static inline void settle(struct moehub_tile_tracker *tracker, unsigned context)
{
    for (unsigned expert = 0; expert < tracker->config.local_experts; expert++)
        for (uint32_t n = 0; n <= tracker->regions[context * tracker->config.local_experts + expert].count; n++)
            assert_true(moehub_tile_tracker_settle(tracker, context, expert, n));
}

/* Closes of both peers, the own closes, SETTLE. */
static inline void end(struct moehub_tile_tracker *tracker, unsigned context, uint32_t count_0, uint32_t count_1)
{
    moehub_tile_tracker_close(tracker, context, 0, count_0);
    moehub_tile_tracker_close(tracker, context, 1, count_1);
    moehub_tile_tracker_closed(tracker, context);
    assert_true(tracker->contexts[context].arrived);
    assert_true(moehub_tile_tracker_settle_begins(tracker, context));
    settle(tracker, context);
}

/* ---- questions ----------------------------------------------------------------------- */

static inline void assert_event(struct moehub_tile_tracker *tracker, struct moehub_ready_event expected)
{
    struct moehub_ready_event event;
    assert_true(moehub_tile_tracker_ready(tracker, expected.kind, expected.context, &event));
    assert_int_equal(event.kind, expected.kind);
    assert_int_equal(event.context, expected.context);
    assert_int_equal(event.round, expected.round);
    assert_int_equal(event.failed, expected.failed);
    assert_int_equal(event.expert, expected.expert);
    assert_int_equal(event.rows, expected.rows);
    assert_int_equal(event.name, expected.name);
}

static inline void assert_tile_event(struct moehub_tile_tracker *tracker, unsigned kind, unsigned context, unsigned expert,
                                     unsigned n, unsigned rows, bool failed)
{
    assert_event(tracker, (struct moehub_ready_event){(uint8_t)kind, failed, (uint8_t)context, ROUND, (uint16_t)expert,
                                                      (uint16_t)rows, n});
}

static inline void assert_ready(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, unsigned n, unsigned rows,
                                bool failed)
{
    assert_tile_event(tracker, MOEHUB_READY_TILE_READY, context, expert, n, rows, failed);
}

static inline void assert_token(struct moehub_tile_tracker *tracker, unsigned context, uint32_t token, bool failed)
{
    assert_event(tracker, (struct moehub_ready_event){MOEHUB_READY_TOKEN_READY, failed, (uint8_t)context, ROUND, 0, 0,
                                                      OWN << OWNER_SHIFT | token});
}

static inline void assert_all_arrived(struct moehub_tile_tracker *tracker, unsigned context, bool failed)
{
    assert_event(tracker, (struct moehub_ready_event){MOEHUB_READY_ALL_ARRIVED, failed, (uint8_t)context, ROUND, 0, 0, 0});
}

static inline void assert_nothing(struct moehub_tile_tracker *tracker, unsigned kind, unsigned context)
{
    struct moehub_ready_event event;
    assert_false(moehub_tile_tracker_ready(tracker, kind, context, &event));
}

static inline uint64_t count(const struct moehub_tile_tracker *tracker, unsigned event)
{
    return tracker->counters[event];
}

/* Since the last such question there was this cause alone, once, with this latch. */
static inline void assert_cause(struct moehub_tile_tracker *tracker, unsigned cause, struct moehub_header latch)
{
    const struct moehub_offender offender = {.header = moehub_header_pack(&latch), .cause = (uint8_t)cause};
    assert_int_equal(tracker->offenders.count, 1);
    assert_true(moehub_offenders_contain(&tracker->offenders, &offender));
    assert_int_equal(count(tracker, MOEHUB_TILE_TRACKER_EVENT_CAUSES + cause), 1);
    moehub_offenders_clear(&tracker->offenders);
    tracker->counters[MOEHUB_TILE_TRACKER_EVENT_CAUSES + cause] = 0;
}

static inline void assert_no_cause(const struct moehub_tile_tracker *tracker)
{
    assert_int_equal(tracker->offenders.count, 0);
    for (unsigned i = 0; i < MOEHUB_TILE_TRACKER_CAUSES; i++)
        assert_int_equal(count(tracker, MOEHUB_TILE_TRACKER_EVENT_CAUSES + i), 0);
}

static inline void assert_read(const struct moehub_tile_tracker *tracker, unsigned operation, unsigned context, uint32_t index,
                               uint64_t data0, uint64_t data1)
{
    uint64_t data[2];
    assert_true(moehub_tile_tracker_command(tracker, operation, context, index, data));
    assert_true(data[0] == data0);
    assert_true(data[1] == data1);
}

static inline const struct moehub_tile *tile_at(const struct moehub_tile_tracker *tracker, unsigned context, unsigned first)
{
    return &tracker->tile[TILES_EACH * context + first];
}

#endif
