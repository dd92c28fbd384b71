/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of order (rtl/doc/hub: the pages' lists of events), of blocks that are quiet. */
#include "hub/hub_top_parts.h"

/* Causes of a link's receiver and of its checks; WRITE and READ are the way's model's and pre_reduce's. */
static bool of_link(const struct moehub_hub_top_way *way, unsigned event, uint64_t *value)
{
    *value = way->way.counters[event];
    if (event == MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_LINK_CAUSE_CREDIT)
        return false;
    if (event == MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_HUB_WAY_CAUSE_READ)
        *value = way->pre_reduce.read_errors;
    else if (event >= MOEHUB_HUB_WAY_EVENT_PACKETS_IN && event < MOEHUB_HUB_WAY_EVENT_PACKETS_OUT)
        *value = way->packets_in[event - MOEHUB_HUB_WAY_EVENT_PACKETS_IN];
    else if (event >= MOEHUB_HUB_WAY_EVENT_PACKETS_OUT && event < MOEHUB_HUB_WAY_EVENT_FLITS_IN)
        *value = way->packets_out[event - MOEHUB_HUB_WAY_EVENT_PACKETS_OUT];
    switch (event) {
    case MOEHUB_HUB_WAY_EVENT_FLITS_IN: *value = way->flits_in; break;
    case MOEHUB_HUB_WAY_EVENT_FLITS_OUT: *value = way->flits_out; break;
    case MOEHUB_HUB_WAY_EVENT_LINES_READ: *value = way->pre_reduce.lines_read; break;
    case MOEHUB_HUB_WAY_EVENT_PARTIALS: *value = way->pre_reduce.partials; break;
    case MOEHUB_HUB_WAY_EVENT_PARTIAL_ERRORS: *value = way->pre_reduce.partial_errors; break;
    case MOEHUB_HUB_WAY_EVENT_RESULTS: *value = way->results; break;
    default: break;
    }
    return event < MOEHUB_HUB_WAY_EVENT_QUESTION_STALLED;
}

/* What the loop-back does to memory shows; its packets and notices do not. */
static bool of_loop(const struct moehub_hub_top_way *way, unsigned event, uint64_t *value)
{
    const bool shows = event == MOEHUB_HUB_WAY_EVENT_BYTES ||
                       (event >= MOEHUB_HUB_WAY_EVENT_LINES_WRITTEN && event <= MOEHUB_HUB_WAY_EVENT_PARTIAL_ERRORS) ||
                       event == MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_HUB_WAY_CAUSE_WRITE ||
                       event == MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_HUB_WAY_CAUSE_READ;
    return of_link(way, event, value) && shows;
}

static bool of_manager(const struct moehub_hub_top *hub, unsigned event, uint64_t *value)
{
    const struct moehub_reduce_request *reduces = &hub->reduces;
    *value = hub->manager_counts[event];
    switch (event) {
    case MOEHUB_PACKET_MANAGER_EVENT_CAUSES + MOEHUB_PACKET_MANAGER_CAUSE_ROW:
    case MOEHUB_PACKET_MANAGER_EVENT_ROWS_OPENED:
    case MOEHUB_PACKET_MANAGER_EVENT_ROWS_LEFT: *value = hub->manager.counters[event]; return true;
    case MOEHUB_PACKET_MANAGER_EVENT_CAUSES + MOEHUB_PACKET_MANAGER_CAUSE_HANDLE: return hub->dropped_late == 0;
    case MOEHUB_PACKET_MANAGER_EVENT_CAUSES + MOEHUB_PACKET_MANAGER_CAUSE_STORE_RANGE:
    case MOEHUB_PACKET_MANAGER_EVENT_CAUSES + MOEHUB_PACKET_MANAGER_CAUSE_REDUCE:
    case MOEHUB_PACKET_MANAGER_EVENT_STORES: return true;
    case MOEHUB_PACKET_MANAGER_EVENT_REDUCES: *value = reduces->reduces; return true;
    case MOEHUB_PACKET_MANAGER_EVENT_REDUCE_LINES: *value = reduces->lines; return true;
    case MOEHUB_PACKET_MANAGER_EVENT_REQUESTS_UP: *value = reduces->requests_up; return true;
    case MOEHUB_PACKET_MANAGER_EVENT_REQUESTS_LOOP: *value = reduces->requests_loop; return true;
    case MOEHUB_PACKET_MANAGER_EVENT_ANSWERED: *value = reduces->answered; return true;
    default: return false;
    }
}

/* Closes and refused pairs of the loop-back do not show, nor whether its last notifies were refused. */
static bool of_tracker(const struct moehub_hub_top *hub, unsigned event, uint64_t *value)
{
    if (event >= MOEHUB_TILE_TRACKER_ORDER_EVENTS)
        return false;
    *value = hub->tracker[event];
    return event != MOEHUB_TILE_TRACKER_EVENT_CLOSES_TAKEN &&
           (event != MOEHUB_TILE_TRACKER_EVENT_HANDLED || !hub->loop_refused) &&
           ((event != MOEHUB_TILE_TRACKER_EVENT_NOTIFIES_TAKEN &&
             event != MOEHUB_TILE_TRACKER_EVENT_CAUSES + MOEHUB_TILE_TRACKER_CAUSE_NOTIFY) ||
            !hub->notify_doubtful) &&
           event != MOEHUB_TILE_TRACKER_EVENT_CAUSES + MOEHUB_TILE_TRACKER_CAUSE_ARRIVAL &&
           event != MOEHUB_TILE_TRACKER_EVENT_CAUSES + MOEHUB_TILE_TRACKER_CAUSE_BALANCE;
}

/* Each slot that is given has its table write. */
static bool of_path(const struct moehub_hub_top *hub, unsigned event, uint64_t *value)
{
    *value = event == MOEHUB_HUB_EVENT_TABLE_READS ? hub->table_reads : hub->table_writes;
    return event == MOEHUB_HUB_EVENT_TABLE_READS || event == MOEHUB_HUB_EVENT_TABLE_WRITES ||
           event == MOEHUB_HUB_EVENT_ALLOCATIONS;
}

bool moehub_hub_top_counter(const struct moehub_hub_top *hub, unsigned window, unsigned event, uint64_t *value)
{
    const unsigned loop = MOEHUB_WINDOW_WAY + hub->config.links;
    if (hub->doubtful)
        return false;
    if (window == MOEHUB_WINDOW_ADDRESS_PATH)
        return of_path(hub, event, value);
    if (window == MOEHUB_WINDOW_PACKET_MANAGER)
        return of_manager(hub, event, value);
    if (window == MOEHUB_WINDOW_TILE_TRACKER)
        return of_tracker(hub, event, value);
    if (window == loop)
        return event < MOEHUB_HUB_WAY_EVENTS && of_loop(&hub->ways[hub->config.links], event, value);
    return window >= MOEHUB_WINDOW_WAY && window < loop && event < MOEHUB_HUB_WAY_EVENTS &&
           of_link(&hub->ways[window - MOEHUB_WINDOW_WAY], event, value);
}
