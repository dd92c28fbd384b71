/* SPDX-License-Identifier: Apache-2.0 */
/* Ready events (rtl/doc/hub/tile_tracker.md section 6): each once, of what has come. */
#include "hub/hub_top_parts.h"

static int wrong_event(struct moehub_hub_top *hub, const struct moehub_ready_event *event, const char *why)
{
    return hub_top_wrong(hub, "ready: kind %u, expert %u, name 0x%x, rows %u, failed %d, context %u, round %u: %s", event->kind,
                         event->expert, event->name, event->rows, event->failed, event->context, event->round, why);
}

/* Whatever of the context could still be refused in a way was, as it has arrived. */
static void settle(struct moehub_hub_top *hub, unsigned context)
{
    for (unsigned way = 0; way <= hub_top_loop(hub); way++)
        hub_top_refuse_rest(hub, way, context);
    hub_top_loop_refused(hub, context);
}

/* SETTLE has begun, if it could: by its counts or, so that each tile that is not full is failed, by the timer. */
static int begin_settle(struct moehub_hub_top *hub, const struct moehub_ready_event *event)
{
    struct moehub_hub_top_context *context = &hub->contexts[event->context];
    if (context->settled)
        return 0;
    if (!hub_top_may_have_arrived(hub, event->context))
        settle(hub, event->context);
    const bool by_counts = hub_top_may_have_arrived(hub, event->context);
    if (!by_counts && !context->time_is_up)
        return wrong_event(hub, event, "not all has arrived");
    if (!by_counts)
        hub_top_flag(hub, event->context, MOEHUB_HUB_TOP_YES);
    else if (context->time_is_up)
        hub_top_flag(hub, event->context, MOEHUB_HUB_TOP_MAYBE);
    if (!by_counts || context->time_is_up) {
        const struct moehub_header header = {.context = event->context};
        hub_top_tracker_offends(hub, MOEHUB_TILE_TRACKER_CAUSE_ARRIVAL, &header, NULL, !by_counts);
    }
    context->settled = true;
    context->arrived = MOEHUB_HUB_TOP_YES;
    hub_top_event(hub, MOEHUB_WINDOW_CONTROL, MOEHUB_HUB_CONTROL_CSR_INTERRUPT_STATUS_ARRIVED, MOEHUB_HUB_TOP_YES);
    return 0;
}

/* ---- tiles --------------------------------------------------------------------------------------------------------------- */

static int settle_tile(struct moehub_hub_top *hub, const struct moehub_ready_event *event, struct moehub_hub_top_tile *tile)
{
    struct moehub_hub_top_context *context = &hub->contexts[event->context];
    if (tile->state != MOEHUB_TILE_FILLING || tile->rows == 0)
        return wrong_event(hub, event, tile->rows == 0 ? "the tile has no rows" : "the tile was told");
    const int error = begin_settle(hub, event);
    if (error != 0)
        return error;
    if (tile->balance != 0 && !tile->flagged) {
        const struct moehub_header header = {.context = event->context, .row_index = event->name, .tag = event->expert};
        hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_CAUSES + MOEHUB_TILE_TRACKER_CAUSE_BALANCE);
        hub_top_tracker_offends(hub, MOEHUB_TILE_TRACKER_CAUSE_BALANCE, &header, NULL, !context->time_is_up);
        tile->flagged = true;
    }
    if (context->time_is_up)
        tile->flagged |= event->failed || !hub_top_may_have_arrived(hub, event->context);
    if (tile->flagged)
        hub_top_flag(hub, event->context, MOEHUB_HUB_TOP_YES);
    tile->state = MOEHUB_TILE_READY;
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_TILES_READY);
    if (tile->flagged)
        hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_TILES_FAILED);
    return 0;
}

static int tile_ready(struct moehub_hub_top *hub, const struct moehub_ready_event *event, struct moehub_hub_top_tile *tile)
{
    const int error = tile->state == MOEHUB_TILE_FILLING ? settle_tile(hub, event, tile) : 0;
    if (error != 0)
        return error;
    if (tile->told_ready)
        return wrong_event(hub, event, "the tile was told");
    tile->told_ready = true;
    return 0;
}

static int tile_computed(struct moehub_hub_top *hub, const struct moehub_ready_event *event, struct moehub_hub_top_tile *tile)
{
    if (tile->told_computed || tile->state < MOEHUB_TILE_COMPUTED)
        return wrong_event(hub, event, tile->told_computed ? "the tile was told" : "not all blocks of its first GEMM have ended");
    tile->told_computed = true;
    return 0;
}

static int tile_event(struct moehub_hub_top *hub, const struct moehub_ready_event *event)
{
    struct moehub_hub_top_tile *tile =
        event->expert < hub->config.local_experts ? hub_top_tile(hub, event->context, event->expert, event->name) : NULL;
    if (tile == NULL)
        return wrong_event(hub, event, "there is no such tile");
    const int error =
        event->kind == MOEHUB_READY_TILE_READY ? tile_ready(hub, event, tile) : tile_computed(hub, event, tile);
    if (error != 0)
        return error;
    if (event->rows != tile->rows || event->failed != tile->flagged)
        return hub_top_wrong(hub, "ready: tile %u of expert %u has %u rows, failed %d, expected %u, %d", event->name,
                             event->expert, event->rows, event->failed, tile->rows, tile->flagged);
    return 0;
}

/* ---- tokens, all arrived ------------------------------------------------------------------------------------------------- */

/* The token's time was up, or may have been. */
static void time_was_up(struct moehub_hub_top *hub, const struct moehub_ready_event *event, bool certain)
{
    const uint32_t number = event->name & ((UINT32_C(1) << hub->contexts[event->context].shape.owner_shift) - 1);
    const struct moehub_header header = {.context = event->context, .row_index = number};
    hub_top_tracker_offends(hub, MOEHUB_TILE_TRACKER_CAUSE_TOKEN, &header, NULL, certain);
}

/* Notifies of the own experts come by the loop-back: they may have, from their making on. */
static int token_ready(struct moehub_hub_top *hub, const struct moehub_ready_event *event)
{
    struct moehub_hub_top_context *context = &hub->contexts[event->context];
    struct moehub_hub_top_token *token = hub_top_token(hub, event->context, event->name);
    if (token == NULL || event->name >> context->shape.owner_shift != hub->config.own || token->state != MOEHUB_TOKEN_OPEN)
        return wrong_event(hub, event, "it is no own token, or was told");
    const bool complete = token->came + token->own >= token->count;
    if (!complete && !(context->time_is_up && event->failed))
        return wrong_event(hub, event, "notifies are missing");
    if (complete && event->failed != (token->failed || token->own_failed) && !context->time_is_up)
        return wrong_event(hub, event, event->failed ? "no notify says so" : "a notify says that it failed");
    if (event->rows != 0 || event->expert != 0)
        return wrong_event(hub, event, "rows and expert of a token are 0");
    if (!complete) {
        hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_CAUSES + MOEHUB_TILE_TRACKER_CAUSE_TOKEN);
        hub_top_flag(hub, event->context, MOEHUB_HUB_TOP_MAYBE);
    }
    if (event->failed && context->time_is_up)
        time_was_up(hub, event, !complete);
    token->state = MOEHUB_TOKEN_TOLD;
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_TOKENS_TOLD);
    if (event->failed)
        hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_TOKENS_FAILED);
    return 0;
}

static bool partial_tiles_are_told(const struct moehub_hub_top *hub, const struct moehub_hub_top_context *context)
{
    for (uint32_t i = 0; i < context->shape.tile_count; i++) {
        const struct moehub_hub_top_tile *tile = &hub->tiles[context->shape.tile_first + i];
        if (tile->rows != 0 && !tile->told_ready)
            return false;
    }
    return true;
}

static int all_arrived(struct moehub_hub_top *hub, const struct moehub_ready_event *event)
{
    struct moehub_hub_top_context *context = &hub->contexts[event->context];
    if (context->told)
        return wrong_event(hub, event, "it was told");
    const int error = begin_settle(hub, event);
    if (error != 0)
        return error;
    if (!partial_tiles_are_told(hub, context))
        return wrong_event(hub, event, "a tile with rows was not told");
    if (context->failed != MOEHUB_HUB_TOP_MAYBE && event->failed != (context->failed == MOEHUB_HUB_TOP_YES))
        return wrong_event(hub, event, event->failed ? "nothing has flagged the context" : "the context is flagged");
    if (event->rows != 0 || event->expert != 0 || event->name != 0)
        return wrong_event(hub, event, "rows, expert and name are 0");
    if (event->failed)
        hub_top_flag(hub, event->context, MOEHUB_HUB_TOP_YES);
    context->told = true;
    hub_top_count(hub, MOEHUB_TILE_TRACKER_EVENT_ALL_ARRIVED);
    return 0;
}

int moehub_hub_top_ready(struct moehub_hub_top *hub, const struct moehub_ready_event *event)
{
    if (event->context >= hub->config.contexts || !hub->contexts[event->context].enabled ||
        event->round != hub->contexts[event->context].round)
        return wrong_event(hub, event, "it is of no round that is on");
    switch (event->kind) {
    case MOEHUB_READY_TOKEN_READY:
        return token_ready(hub, event);
    case MOEHUB_READY_ALL_ARRIVED:
        return all_arrived(hub, event);
    default:
        return tile_event(hub, event);
    }
}
