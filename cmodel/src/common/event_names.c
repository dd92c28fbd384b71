/* SPDX-License-Identifier: Apache-2.0 */
#include "moehub/event_names.h"

#define EVENT(name) [MOEHUB_HUB_EVENT_##name]
#define CAUSE(name) [MOEHUB_HUB_EVENT_CAUSES + MOEHUB_HUB_CAUSE_##name]
static const char *const hub_names[MOEHUB_HUB_EVENTS] = {
    EVENT(REQUESTS) = "requests",
    EVENT(LOOKUPS) = "lookups",
    EVENT(HITS) = "hits",
    EVENT(MISSES) = "misses",
    EVENT(EVICTIONS) = "evictions",
    EVENT(TABLE_READS) = "table_reads",
    EVENT(TABLE_WRITES) = "table_writes",
    EVENT(ALLOCATIONS) = "allocations",
    CAUSE(CONTEXT) = "context",
    CAUSE(PEER) = "peer",
    CAUSE(EXPERT) = "expert",
    CAUSE(RANGE) = "range",
    CAUSE(FULL) = "full",
    CAUSE(UNMAPPED) = "unmapped",
    CAUSE(MEMORY) = "memory",
    CAUSE(REPEATED) = "repeated",
    CAUSE(TABLE_READ) = "table_read",
    CAUSE(TABLE_WRITE) = "table_write",
    CAUSE(COMMAND) = "command",
    EVENT(REQUEST_STALLED) = "request_stalled",
    EVENT(ANSWER_STALLED) = "answer_stalled",
    EVENT(TABLE_READ_STALLED) = "table_read_stalled",
    EVENT(TABLE_WRITE_STALLED) = "table_write_stalled",
    EVENT(WAITED_VICTIM) = "waited_victim",
    EVENT(WAITED_PENDING) = "waited_pending",
    EVENT(WAITED_WAITING) = "waited_waiting",
    EVENT(PARITY) = "parity",
};
#undef EVENT
#undef CAUSE

#define EVENT(name) [MOEHUB_REDUCTION_EVENT_##name]
#define CAUSE(name) [MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_##name]
static const char *const reduction_names[MOEHUB_REDUCTION_EVENTS] = {
    EVENT(REQUESTS) = "requests",
    EVENT(RESERVATIONS) = "reservations",
    EVENT(PARTIALS) = "partials",
    EVENT(RESULTS) = "results",
    EVENT(RESULT_ERRORS) = "result_errors",
    CAUSE(DRAINING) = "draining",
    CAUSE(CONTRIBUTORS) = "contributors",
    CAUSE(TYPE) = "type",
    CAUSE(LENGTH) = "length",
    CAUSE(ENTRY) = "entry",
    CAUSE(STALE) = "stale",
    CAUSE(FOREIGN) = "foreign",
    CAUSE(DUPLICATE) = "duplicate",
    CAUSE(PARTIAL_STATUS) = "partial_status",
    CAUSE(PARTIAL_TYPE) = "partial_type",
    CAUSE(PARTIAL_LENGTH) = "partial_length",
    CAUSE(TIMEOUT) = "timeout",
    CAUSE(COMMAND) = "command",
    EVENT(RESERVE_STALLED) = "reserve_stalled",
    EVENT(GRANT_STALLED) = "grant_stalled",
    EVENT(PARTIAL_FLITS) = "partial_flits",
    EVENT(RESULT_FLITS) = "result_flits",
    EVENT(RESULT_STALLED) = "result_stalled",
    EVENT(DEFERRED) = "deferred",
    EVENT(PARITY) = "parity",
};

const char *moehub_hub_event_name(unsigned event)
{
    return event < MOEHUB_HUB_EVENTS ? hub_names[event] : "?";
}

const char *moehub_reduction_event_name(unsigned event)
{
    return event < MOEHUB_REDUCTION_EVENTS ? reduction_names[event] : "?";
}
