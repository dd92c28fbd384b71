/* SPDX-License-Identifier: Apache-2.0 */
/* The arrival pipeline, and when a context has arrived (rtl/doc/hub/tile_tracker.md section 5). */
#include "hub/tile_tracker_parts.h"

static bool all_complete(const struct moehub_tile_tracker *tracker, unsigned context)
{
    for (unsigned i = 0; i < tracker->config.gpus; i++)
        if ((tracker->contexts[context].peers >> i & 1) != 0 && !tracker->arrivals[context][i].complete)
            return false;
    return true;
}

static void look_for_arrived(struct moehub_tile_tracker *tracker, unsigned context)
{
    struct moehub_tile_tracker_context *settings = &tracker->contexts[context];
    settings->arrived |= settings->enabled && settings->closed && all_complete(tracker, context);
}

/* After each operation: rule 3, then rule 4. */
static void compare(struct moehub_tile_tracker *tracker, unsigned context, unsigned source)
{
    struct moehub_arrival *arrival = &tracker->arrivals[context][source];
    if (!arrival->closed || arrival->handled < arrival->announced)
        return;
    arrival->complete = true;
    if (arrival->handled > arrival->announced) {
        tile_tracker_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_EXCESS,
                           (struct tile_tracker_offence){.context = context, .source = source});
        tile_tracker_flag(tracker, context);
    }
    look_for_arrived(tracker, context);
}

void tile_tracker_handled(struct moehub_tile_tracker *tracker, unsigned context, unsigned source, unsigned pairs)
{
    tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_HANDLED);
    tracker->arrivals[context][source].handled += pairs;
    compare(tracker, context, source);
}

void moehub_tile_tracker_close(struct moehub_tile_tracker *tracker, unsigned context, unsigned source, uint32_t count)
{
    struct moehub_arrival *arrival = &tracker->arrivals[context][source];
    tile_tracker_count(tracker, MOEHUB_TILE_TRACKER_EVENT_CLOSES_TAKEN);
    if (arrival->closed) {
        tile_tracker_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_CLOSE,
                           (struct tile_tracker_offence){.context = context, .source = source});
        tile_tracker_flag(tracker, context);
        return;
    }
    arrival->announced = count;
    arrival->closed = true;
    compare(tracker, context, source);
}

void moehub_tile_tracker_closed(struct moehub_tile_tracker *tracker, unsigned context)
{
    tracker->contexts[context].closed = true;
    look_for_arrived(tracker, context);
}

bool moehub_tile_tracker_settle_begins(struct moehub_tile_tracker *tracker, unsigned context)
{
    struct moehub_tile_tracker_progress *progress = &tracker->progress[context];
    if (!tracker->contexts[context].arrived || progress->settling)
        return false;
    progress->settling = true;
    return true;
}

bool moehub_tile_tracker_arrival_timeout(struct moehub_tile_tracker *tracker, unsigned context)
{
    struct moehub_tile_tracker_context *settings = &tracker->contexts[context];
    struct moehub_tile_tracker_progress *progress = &tracker->progress[context];
    if (!settings->enabled || !settings->closed || progress->settling)
        return false;
    tile_tracker_cause(tracker, MOEHUB_TILE_TRACKER_CAUSE_ARRIVAL, (struct tile_tracker_offence){.context = context});
    tile_tracker_flag(tracker, context);
    settings->arrived = true;
    progress->settling = progress->by_timer = true;
    return true;
}
