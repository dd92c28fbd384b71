/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles, tokens and arrival, as sums that no order of ways changes (rtl/doc/hub/tile_tracker.md sections 3 to 5). */
#include "hub/hub_top_parts.h"

struct moehub_hub_top_tile *hub_top_tile(struct moehub_hub_top *hub, unsigned context, unsigned expert, uint32_t number)
{
    const struct moehub_hub_region *bound = &hub->contexts[context].regions[expert].bound;
    return number < bound->tile_count ? &hub->tiles[hub->contexts[context].shape.tile_first + bound->tile_first + number] : NULL;
}

struct moehub_hub_top_token *hub_top_token(struct moehub_hub_top *hub, unsigned context, uint32_t row_index)
{
    const struct moehub_context_shape *shape = &hub->contexts[context].shape;
    const uint32_t number = row_index & ((UINT32_C(1) << shape->owner_shift) - 1);
    return shape->counts_tokens ? &hub->tokens[shape->token_first + number] : NULL;
}

/* ---- writes that are complete ---------------------------------------------------------------------------------------------- */

/* `header`: what the latch has; `unknown` (may be NULL): fields of it that the order of ways decides. */
static void cause(struct moehub_hub_top *hub, const struct moehub_header *header, const struct moehub_header *unknown,
                  unsigned which, enum moehub_hub_top_known flags)
{
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_CAUSES + which);
    hub_top_flag(hub, header->context, flags);
    hub_top_tracker_offends(hub, which, header, unknown, which != MOEHUB_TILE_TRACKER_CAUSE_BALANCE);
}

static const struct moehub_header any_source = {.source = UINT16_MAX};

static void becomes_ready(struct moehub_hub_top *hub, unsigned context, struct moehub_hub_top_tile *tile)
{
    const uint32_t full = UINT32_C(1) << hub->contexts[context].shape.tile_shift;
    if (tile->state != MOEHUB_TILE_FILLING || tile->rows != full || tile->balance != 0)
        return;
    tile->state = MOEHUB_TILE_READY;
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_TILES_READY);
    if (tile->flagged)
        hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_TILES_FAILED);
}

static void count_write(struct moehub_hub_top *hub, const struct moehub_way_completed *record)
{
    struct moehub_hub_top_context *context = &hub->contexts[record->context];
    struct moehub_hub_top_tile *tile =
        hub_top_tile(hub, record->context, record->expert, record->slot >> context->shape.tile_shift);
    const bool word = record->kind == MOEHUB_COMPLETED_WORD;
    const struct moehub_header header = {.context = record->context,
                                         .source = record->source,
                                         .row_index = record->slot >> context->shape.tile_shift,
                                         .tag = record->expert};
    hub_top_count(hub, word ? MOEHUB_TILE_TRACKER_EVENT_WORDS : MOEHUB_TILE_TRACKER_EVENT_BYTES);
    if (tile == NULL) {
        cause(hub, &header, NULL, MOEHUB_TILE_TRACKER_CAUSE_TILE, MOEHUB_HUB_TOP_YES);
        return;
    }
    const bool too_many = word && tile->rows == UINT32_C(1) << context->shape.tile_shift;
    tile->rows += word && !too_many;
    tile->balance += word ? (int64_t)context->shape.row_bytes[0] : -(int64_t)record->value;
    const bool wrong = tile->balance < 0 || tile->state != MOEHUB_TILE_FILLING || too_many;
    if (wrong && !tile->flagged && !record->error)
        cause(hub, &header, &any_source, MOEHUB_TILE_TRACKER_CAUSE_BALANCE, MOEHUB_HUB_TOP_YES);
    tile->flagged |= wrong || record->error;
    becomes_ready(hub, record->context, tile);
}

static void excess(struct moehub_hub_top *hub, unsigned context, unsigned source)
{
    const struct moehub_hub_top_peer *peer = &hub->contexts[context].peers[source];
    const struct moehub_header header = {.context = (uint8_t)context, .source = (uint16_t)source};
    if (peer->closed && peer->handled > peer->announced)
        cause(hub, &header, NULL, MOEHUB_TILE_TRACKER_CAUSE_EXCESS, MOEHUB_HUB_TOP_MAYBE);
}

void hub_top_completed(struct moehub_hub_top *hub, const struct moehub_way_completed *record)
{
    struct moehub_hub_top_peer *peer = &hub->contexts[record->context].peers[record->source];
    if (record->kind != MOEHUB_COMPLETED_REFUSED)
        count_write(hub, record);
    if (record->kind == MOEHUB_COMPLETED_WORD)
        return;
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_HANDLED);
    peer->handled += record->kind == MOEHUB_COMPLETED_BYTES ? 1 : record->value;
    excess(hub, record->context, record->source);
}

/* ---- arrival ------------------------------------------------------------------------------------------------------------- */

void hub_top_close_came(struct moehub_hub_top *hub, const struct moehub_header *header)
{
    struct moehub_hub_top_peer *peer = &hub->contexts[header->context].peers[header->source];
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_CLOSES_TAKEN);
    if (peer->closed) {
        const struct moehub_header told = {.context = header->context, .source = header->source};
        cause(hub, &told, NULL, MOEHUB_TILE_TRACKER_CAUSE_CLOSE, MOEHUB_HUB_TOP_MAYBE);
        return;
    }
    peer->closed = true;
    peer->announced = header->row_index;
    excess(hub, header->context, header->source);
}

static bool writes_are_answered(const struct moehub_hub_top *hub, unsigned context, unsigned number)
{
    const struct moehub_hub_top_way *way = &hub->ways[number];
    for (uint32_t i = 0; i < way->write_count; i++)
        if (hub_top_way_write(way, i)->context == context)
            return false;
    return true;
}

bool hub_top_may_have_arrived(struct moehub_hub_top *hub, unsigned number)
{
    const struct moehub_hub_top_context *context = &hub->contexts[number];
    const unsigned loop = hub_top_loop(hub);
    if (!context->closing)
        return false;
    for (unsigned gpu = 0; gpu < hub->config.gpus; gpu++)
        if ((context->shape.peers >> gpu & 1) != 0 && gpu != hub->config.own &&
            (!context->peers[gpu].closed || context->peers[gpu].handled < context->peers[gpu].announced))
            return false;
    return hub_top_loop_is_done(hub, number) && hub->ways[loop].store_count == 0 && writes_are_answered(hub, number, loop);
}

/* ---- tokens -------------------------------------------------------------------------------------------------------------- */

void hub_top_expect(struct moehub_hub_top *hub, unsigned context, uint32_t number, unsigned count)
{
    struct moehub_hub_top_token *token = hub_top_token(hub, context, number);
    if (token == NULL)
        return;
    if (token->state != MOEHUB_TOKEN_NONE) {
        const struct moehub_header header = {.context = (uint8_t)context, .row_index = number};
        cause(hub, &header, NULL, MOEHUB_TILE_TRACKER_CAUSE_EXPECTED, MOEHUB_HUB_TOP_MAYBE);
        return;
    }
    *token = (struct moehub_hub_top_token){.count = (uint8_t)count, .state = MOEHUB_TOKEN_OPEN};
}

void hub_top_notify_too_much(struct moehub_hub_top *hub, unsigned context, unsigned source, uint32_t row_index, bool tokens,
                             bool certain)
{
    const uint32_t number = row_index & ((UINT32_C(1) << hub->contexts[context].shape.owner_shift) - 1);
    const struct moehub_header header = {.context = (uint8_t)context, .source = (uint16_t)source, .row_index = number};
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_CAUSES + MOEHUB_TILE_TRACKER_CAUSE_NOTIFY);
    hub_top_flag(hub, context, tokens ? MOEHUB_HUB_TOP_MAYBE : MOEHUB_HUB_TOP_NO);
    hub_top_tracker_offends(hub, MOEHUB_TILE_TRACKER_CAUSE_NOTIFY, &header, tokens ? &any_source : NULL, certain);
}

void hub_top_notify_came(struct moehub_hub_top *hub, const struct moehub_header *header)
{
    struct moehub_hub_top_token *token = hub_top_token(hub, header->context, header->row_index);
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_TAKEN);
    if (token == NULL || token->state != MOEHUB_TOKEN_OPEN || token->came == token->count) {
        hub_top_notify_too_much(hub, header->context, header->source, header->row_index, token != NULL, true);
        return;
    }
    token->came++;
    token->failed |= header->status != MOEHUB_STATUS_OK;
}

/* ---- blocks that end ------------------------------------------------------------------------------------------------------- */

static void block_ends(struct moehub_hub_top *hub, unsigned number, unsigned expert, uint32_t which, unsigned stage)
{
    struct moehub_hub_top_context *context = &hub->contexts[number];
    struct moehub_hub_top_tile *tile = hub_top_tile(hub, number, expert, which);
    uint8_t *blocks = stage == 0 ? &tile->computed : &tile->finished;
    if (++*blocks < context->shape.blocks[stage])
        return;
    tile->state = stage == 0 ? MOEHUB_TILE_COMPUTED : MOEHUB_TILE_FINISHED;
    hub_top_count(hub, stage == 0 ? MOEHUB_TILE_TRACKER_EVENT_TILES_COMPUTED : MOEHUB_TILE_TRACKER_EVENT_TILES_FINISHED);
    if (stage == 1)
        hub->finished[context->shape.tile_first + context->finished++] = (uint32_t)expert << 16 | which;
}

int moehub_hub_top_done(struct moehub_hub_top *hub, unsigned context, unsigned expert, uint32_t number, unsigned stage)
{
    const bool known = context < hub->config.contexts && hub->contexts[context].enabled && expert < hub->config.local_experts;
    const struct moehub_hub_top_tile *tile = known ? hub_top_tile(hub, context, expert, number) : NULL;
    hub_top_doubt(hub, context);
    if (tile == NULL || tile->state != (stage == 0 ? MOEHUB_TILE_READY : MOEHUB_TILE_COMPUTED)) {
        const struct moehub_header header = {.context = (uint8_t)context, .row_index = number, .tag = expert};
        hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_CAUSES + MOEHUB_TILE_TRACKER_CAUSE_DONE);
        hub_top_tracker_offends(hub, MOEHUB_TILE_TRACKER_CAUSE_DONE, &header, NULL, true);
    } else
        block_ends(hub, context, expert, number, stage);
    return 0;
}

/* ---- the end of a context ------------------------------------------------------------------------------------------------ */

static int check_token(struct moehub_hub_top *hub, const struct moehub_hub_top_token *token, uint32_t number)
{
    if (token->state == MOEHUB_TOKEN_OPEN && token->came + token->own == token->count)
        return hub_top_wrong(hub, "token %u has all its %u notifies, and was not told", number, token->count);
    return 0;
}

static int check_tile(struct moehub_hub_top *hub, const struct moehub_hub_top_context *context,
                      const struct moehub_hub_top_tile *tile, uint32_t number)
{
    const bool ready = tile->state >= MOEHUB_TILE_READY || (context->told && tile->rows > 0);
    if ((ready && !tile->told_ready) || (tile->state >= MOEHUB_TILE_COMPUTED && !tile->told_computed))
        return hub_top_wrong(hub, "tile %u of the context is ready or computed, and was not told", number);
    return 0;
}

static int check_peers(struct moehub_hub_top *hub, const struct moehub_hub_top_context *context)
{
    for (unsigned gpu = 0; gpu < hub->config.gpus; gpu++) {
        const struct moehub_hub_top_peer *peer = &context->peers[gpu];
        if ((context->shape.peers >> gpu & 1) == 0 || gpu == hub->config.own || !context->closing)
            continue;
        if (!peer->close_left || peer->told != peer->pairs)
            return hub_top_wrong(hub, "the close to GPU %u: it %s, with %u pairs, and %u were sent", gpu,
                                 peer->close_left ? "left" : "did not leave", peer->told, peer->pairs);
    }
    return 0;
}

/* What its timers may have ended, and no event has told. */
static void doubt_timers(struct moehub_hub_top *hub, unsigned number)
{
    const struct moehub_hub_top_context *context = &hub->contexts[number];
    const struct moehub_header header = {.context = (uint8_t)number}, any_row = {.row_index = UINT32_MAX},
                               any_tile = {.row_index = UINT32_MAX, .tag = UINT32_MAX};
    if (!context->settled)
        hub_top_tracker_offends(hub, MOEHUB_TILE_TRACKER_CAUSE_ARRIVAL, &header, NULL, false);
    if (context->shape.counts_tokens)
        hub_top_tracker_offends(hub, MOEHUB_TILE_TRACKER_CAUSE_TOKEN, &header, &any_row, false);
    hub_top_tracker_offends(hub, MOEHUB_TILE_TRACKER_CAUSE_BALANCE, &header, &any_tile, false);
    hub_top_flag(hub, number, MOEHUB_HUB_TOP_MAYBE);
}

/* Software that did not wait for a peer may have let go of its context while events were to come: they are dropped. */
int hub_top_tiles_left_over(struct moehub_hub_top *hub, unsigned number)
{
    const struct moehub_hub_top_context *context = &hub->contexts[number];
    int error = check_peers(hub, context);
    if (context->time_is_up) {
        doubt_timers(hub, number);
        return error;
    }
    for (uint32_t i = 0; i < context->shape.tile_count && error == 0; i++)
        error = check_tile(hub, context, &hub->tiles[context->shape.tile_first + i], i);
    for (uint32_t i = 0; i < UINT32_C(1) << context->shape.owner_shift && context->shape.counts_tokens && error == 0; i++)
        error = check_token(hub, hub_top_token(hub, number, i), i);
    if (error == 0 && context->closing && !context->told && context->aborted == MOEHUB_HUB_TOP_NO)
        error = hub_top_wrong(hub, "all arrived was not told");
    return error;
}
