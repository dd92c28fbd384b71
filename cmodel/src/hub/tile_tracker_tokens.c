/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens' pipeline (rtl/doc/hub/tile_tracker.md section 4, and the token timer of section 5). */
#include "hub/tile_tracker_parts.h"

#define LEFT_MASK 63u

static uint32_t number_of(const struct moehub_tile_tracker_context *settings, uint32_t row_index)
{
    return row_index & ((UINT32_C(1) << settings->owner_shift) - 1);
}

static void tell(struct moehub_tile_tracker *tracker, struct moehub_token *token, unsigned context, uint32_t number)
{
    token->state = MOEHUB_TOKEN_TOLD;
    tile_tracker_push(tracker, context, MOEHUB_RING_TOKEN,
                      (struct moehub_ring_word){.number = (uint16_t)number, .failed = token->failed});
    tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_TOKENS_TOLD);
    if (token->failed)
        tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_TOKENS_FAILED);
}

void moehub_tile_tracker_expect(struct moehub_tile_tracker *tracker, unsigned context, uint32_t token, unsigned count)
{
    const struct moehub_tile_tracker_context *settings = &tracker->contexts[context];
    if (!settings->tokens)
        return;
    struct moehub_token *entry = &tracker->token[settings->token_first + token];
    if (entry->state == MOEHUB_TOKEN_NONE) {
        *entry = (struct moehub_token){.left = count & LEFT_MASK, .state = MOEHUB_TOKEN_OPEN};
        return;
    }
    tile_tracker_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_EXPECTED,
                       (struct tile_tracker_offence){.context = context, .row_index = token});
    tile_tracker_flag(tracker, context);
}

void moehub_tile_tracker_notify(struct moehub_tile_tracker *tracker, unsigned context, unsigned source, uint32_t row_index,
                                bool failed)
{
    const struct moehub_tile_tracker_context *settings = &tracker->contexts[context];
    const uint32_t number = number_of(settings, row_index);
    struct moehub_token *token = settings->tokens ? &tracker->token[settings->token_first + number] : NULL;
    tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_TAKEN);
    if (token == NULL || token->state != MOEHUB_TOKEN_OPEN) {
        tile_tracker_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_NOTIFY,
                           (struct tile_tracker_offence){.context = context, .source = source, .row_index = number});
        if (settings->tokens)
            tile_tracker_flag(tracker, context);
        return;
    }
    token->left = (token->left - 1u) & LEFT_MASK;
    token->failed |= failed;
    if (token->left == 0)
        tell(tracker, token, context, number);
}

bool moehub_tile_tracker_token_timeout(struct moehub_tile_tracker *tracker, unsigned context)
{
    const struct moehub_tile_tracker_context *settings = &tracker->contexts[context];
    struct moehub_tile_tracker_progress *progress = &tracker->progress[context];
    if (!settings->enabled || !settings->closed || !settings->tokens || progress->expiring)
        return false;
    progress->expiring = true;
    return true;
}

bool moehub_tile_tracker_expire(struct moehub_tile_tracker *tracker, unsigned context, uint32_t token)
{
    const struct moehub_tile_tracker_context *settings = &tracker->contexts[context];
    struct moehub_tile_tracker_progress *progress = &tracker->progress[context];
    if (!progress->expiring || token != progress->expire_token || token >> settings->owner_shift != 0)
        return false;
    progress->expire_token++;
    struct moehub_token *entry = &tracker->token[settings->token_first + token];
    if (entry->state != MOEHUB_TOKEN_OPEN)
        return true;
    entry->failed = true;
    tile_tracker_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_TOKEN,
                       (struct tile_tracker_offence){.context = context, .row_index = token});
    tile_tracker_flag(tracker, context);
    tell(tracker, entry, context, token);
    return true;
}
