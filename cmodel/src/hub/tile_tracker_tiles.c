/* SPDX-License-Identifier: Apache-2.0 */
/* The tiles' pipeline (rtl/doc/hub/tile_tracker.md section 3, and SETTLE of section 5). */
#include "hub/tile_tracker_parts.h"

#define BALANCE_BITS 31

/* Modulo 2^31, signed. */
static int32_t balance_wrapped(int64_t balance)
{
    const uint32_t low = (uint32_t)balance & ((UINT32_C(1) << BALANCE_BITS) - 1);
    const bool negative = (low >> (BALANCE_BITS - 1)) != 0;
    return (int32_t)((int64_t)low - (negative ? INT64_C(1) << BALANCE_BITS : 0));
}

/* ---- state changes --------------------------------------------------------------------- */

static void flag_tile(struct moehub_tile_tracker *tracker, struct moehub_tile *tile, unsigned context)
{
    tile->flagged = true;
    tile_tracker_flag(tracker, context);
}

/* The balance tells that something is wrong; it counts if nothing did before. */
static void flag_balance(struct moehub_tile_tracker *tracker, struct moehub_tile *tile, struct tile_tracker_offence offence)
{
    if (!tile->flagged)
        tile_tracker_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_BALANCE, offence);
    flag_tile(tracker, tile, offence.context);
}

static void tell_ready(struct moehub_tile_tracker *tracker, struct moehub_tile *tile, unsigned context, unsigned expert,
                       uint32_t n)
{
    tile->state = MOEHUB_TILE_READY;
    tile_tracker_push(tracker, context, MOEHUB_RING_READY,
                      (struct moehub_ring_word){.expert = (uint8_t)expert, .number = (uint16_t)n});
    tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_READY);
    if (tile->flagged)
        tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_FAILED);
}

/* ---- completed writes -------------------------------------------------------------------- */

static void completed_write(struct moehub_tile_tracker *tracker, const struct moehub_completed *record)
{
    const struct moehub_tile_tracker_context *settings = &tracker->contexts[record->context];
    const uint32_t n = record->slot >> settings->tile_shift;
    const unsigned full = 1u << settings->tile_shift;
    struct moehub_tile *tile = tile_tracker_tile(tracker, record->context, record->expert, n);
    const struct tile_tracker_offence offence = {record->context, record->source, n, record->expert};
    if (tile == NULL) {
        tile_tracker_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_TILE, offence);
        tile_tracker_flag(tracker, record->context);
        return;
    }
    const bool word = record->kind == MOEHUB_COMPLETED_WORD;
    const bool too_many = word && tile->rows >= full;
    if (word && !too_many)
        tile->rows++;
    tile->balance = balance_wrapped((int64_t)tile->balance + (word ? (int64_t)settings->row_size : -(int64_t)record->value));
    if (record->error)
        flag_tile(tracker, tile, record->context);
    if (too_many || tile->balance < 0 || tile->state != MOEHUB_TILE_FILLING)
        flag_balance(tracker, tile, offence);
    if (tile->state == MOEHUB_TILE_FILLING && tile->rows == full && tile->balance == 0)
        tell_ready(tracker, tile, record->context, record->expert, n);
}

void moehub_tile_tracker_completed(struct moehub_tile_tracker *tracker, const struct moehub_completed *record)
{
    switch (record->kind) {
    case MOEHUB_COMPLETED_WORD:
        tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_WORDS);
        completed_write(tracker, record);
        break;
    case MOEHUB_COMPLETED_BYTES:
        tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_BYTES);
        completed_write(tracker, record);
        tile_tracker_handled(tracker, record->context, record->source, 1);
        break;
    default:
        tile_tracker_handled(tracker, record->context, record->source, record->value);
        break;
    }
}

/* ---- done -------------------------------------------------------------------------------- */

/* The tile that `done` names, NULL if there is none. */
static struct moehub_tile *tile_of_done(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, uint32_t n)
{
    const bool exists = context < tracker->config.contexts && expert < tracker->config.local_experts &&
                        tracker->contexts[context].enabled;
    return exists ? tile_tracker_tile(tracker, context, expert, n) : NULL;
}

static void computed(struct moehub_tile_tracker *tracker, struct moehub_tile *tile, unsigned context,
                     struct moehub_ring_word word)
{
    if (++tile->computed != tracker->contexts[context].computed_blocks)
        return;
    tile->state = MOEHUB_TILE_COMPUTED;
    tile_tracker_push(tracker, context, MOEHUB_RING_COMPUTED, word);
    tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_COMPUTED);
}

static void finished(struct moehub_tile_tracker *tracker, struct moehub_tile *tile, unsigned context,
                     struct moehub_ring_word word)
{
    if (++tile->finished != tracker->contexts[context].finished_blocks)
        return;
    tile->state = MOEHUB_TILE_FINISHED;
    tile_tracker_push(tracker, context, MOEHUB_RING_NOTIFY, word);
    tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_TILES_FINISHED);
}

void moehub_tile_tracker_done(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, uint32_t tile,
                              unsigned stage)
{
    struct moehub_tile *named = tile_of_done(tracker, context, expert, tile);
    const struct moehub_ring_word word = {.expert = (uint8_t)expert, .number = (uint16_t)tile};
    if (named != NULL && stage == 0 && named->state == MOEHUB_TILE_READY)
        computed(tracker, named, context, word);
    else if (named != NULL && stage == 1 && named->state == MOEHUB_TILE_COMPUTED)
        finished(tracker, named, context, word);
    else
        tile_tracker_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_DONE,
                           (struct tile_tracker_offence){.context = context, .row_index = tile, .tag = expert});
}

/* ---- SETTLE ------------------------------------------------------------------------------ */

static void settle_tile(struct moehub_tile_tracker *tracker, struct moehub_tile *tile, unsigned context, unsigned expert,
                        uint32_t n)
{
    if (tile->state != MOEHUB_TILE_FILLING)
        return;
    if (tile->rows == 0) {
        tile->state = MOEHUB_TILE_FINISHED;
        return;
    }
    if (tile->balance != 0)
        flag_balance(tracker, tile, (struct tile_tracker_offence){.context = context, .row_index = n, .tag = expert});
    else if (tracker->progress[context].by_timer)
        flag_tile(tracker, tile, context);
    tell_ready(tracker, tile, context, expert, n);
}

static bool settle_comes_to(struct moehub_tile_tracker_progress *progress, unsigned expert, uint32_t tile)
{
    const bool next_region = progress->region_ended && expert == progress->settle_expert + 1 && tile == 0;
    return next_region || (expert == progress->settle_expert && tile == progress->settle_tile);
}

bool moehub_tile_tracker_settle(struct moehub_tile_tracker *tracker, unsigned context, unsigned expert, uint32_t tile)
{
    struct moehub_tile_tracker_progress *progress = &tracker->progress[context];
    if (!progress->settling || expert >= tracker->config.local_experts || !settle_comes_to(progress, expert, tile))
        return false;
    struct moehub_tile *found = tile_tracker_tile(tracker, context, expert, tile);
    progress->settle_expert = expert;
    progress->settle_tile = tile + 1;
    progress->region_ended = found == NULL;
    progress->settled |= found == NULL && expert == tracker->config.local_experts - 1;
    if (found != NULL)
        settle_tile(tracker, found, context, expert, tile);
    return true;
}
