/* SPDX-License-Identifier: Apache-2.0 */
/* The judge of a reduction buffer: the C model, stepped in the order in which the design accepted its events.
 *
 * In each cycle the bench notes what happened at the pins (the functions named _note_), then calls
 * reduction_check_cycle(). A cycle reaches the model REDUCTION_LAG cycles later, because a timeout pulse belongs
 * before the partials of the TIMEOUT_ORDER cycles that precede it.
 *
 * Compared: grants in order; result flits by entry; every order-only counter and those cycle-dependent ones that the pins
 * show; the candidates for the error latch; commands' outcomes; initialised, empty, draining and occupancy whenever
 * nothing has moved for a while; the time at which timeouts fire; one result for each line asked; and what
 * reduction_groups.h has. */
#ifndef BENCH_REDUCTION_CHECK_H
#define BENCH_REDUCTION_CHECK_H

#include "bench/switch/reduction_groups.h"
#include "bench/switch/reduction_records.h"
#include "bench/switch/reduction_stimulus.h"
#include "kit/scoreboard.h"

enum {
    REDUCTION_TIMEOUT_ORDER = 4, /* TIMEOUT_ORDER of moehub_reduction_buffer */
    REDUCTION_COMMAND_ORDER = 13, /* COMMAND_ORDER of moehub_reduction_buffer */
    REDUCTION_COMMAND_TIME = 64, /* cycles until an earlier timeout setting has no effect any more */
    REDUCTION_LAG = 8,           /* cycles by which the model is behind */
    REDUCTION_WINDOW = 32,       /* cycles kept: more than the lag and COMMAND_ORDER together */
    REDUCTION_SETTLE = 64,       /* cycles without any transfer after which status and counters are exact */
    REDUCTION_OFFENDERS = 4096,  /* kept: a packet is found too short at its last flit, many offenders after its first */
};

/* The error latch's candidate: words of its scoreboard item. */
enum { CANDIDATE_CAUSE, CANDIDATE_PORT, CANDIDATE_HEADER, CANDIDATE_WORDS = CANDIDATE_HEADER + 2 };

/* The status outputs. */
struct reduction_status {
    bool initialised, empty, draining;
    uint32_t occupancy;
};

/* What happened at the pins in one cycle. */
struct reduction_cycle {
    bool has_reserve, has_grant, has_packet, has_result, has_timeout, has_command, has_done, has_candidate;
    bool has_released, has_freed, has_missing;
    bool result_last, done_refused;
    bool judged;            /* the first or last flit of a partial */
    uint16_t result_entry, timeout_entry, released_entry, freed_entry;
    struct moehub_reduction_reserve reserve;
    struct reduction_packet packet;
    struct reduction_command command;
    uint64_t timeout_cycle; /* of the pulse, which is later */
    uint64_t missing;
    uint64_t grant[reduction_grant_words];
    uint64_t candidate[CANDIDATE_WORDS];
    uint64_t result[ITEM_WORDS_MAX];
};

struct reduction_offender {
    uint64_t words[CANDIDATE_WORDS];
    bool latched;
};

struct reduction_check {
    struct bench *bench;
    struct moehub_reduction_buffer model;
    struct scoreboard grants, results, commands, candidates, status;
    const struct field_table *result_fields;
    struct reduction_cycle window[REDUCTION_WINDOW];
    struct reduction_offender offenders[REDUCTION_OFFENDERS]; /* the last ones, a ring */
    uint64_t offender_count;
    struct reduction_groups groups;
    uint64_t timeout_set_cycle; /* when the timeout last changed */
    uint64_t last_activity;     /* cycle of the last transfer */
    uint64_t counted[MOEHUB_REDUCTION_EVENTS];  /* by the design's event pulses, since reset */
    uint64_t observed[MOEHUB_REDUCTION_EVENTS]; /* cycle-dependent ones, seen at the pins */
    uint64_t results_taken;                     /* since reset */
    uint64_t timeouts;
    uint64_t total_reservations, total_results; /* over the whole run, for the summary */
    uint64_t ever[MOEHUB_REDUCTION_EVENTS];     /* `counted` over the whole run */
    uint64_t resets_in_use;                     /* resets while entries were in use */
    uint64_t flushes_in_use, flushes_empty;     /* refused, carried out */
    bool status_checked;                        /* in the present quiet window */
    bool counts_events;                         /* the events pins are there */
    bool keeps_offenders;                       /* the list stays in the model, for the model of the registers */
    bool timeout_changes;                       /* a new time is being set: when a timeout fires is not judged */
};

/* `result_fields`: the payload of the result stream: requester tag status element length entry data last. */
void reduction_check_create(struct reduction_check *check, struct bench *bench,
                            const struct moehub_reduction_buffer_config *config, const struct field_table *result_fields);
void reduction_check_destroy(struct reduction_check *check);

/* The present cycle's record, to be filled by the notes below. */
struct reduction_cycle *reduction_check_now(struct reduction_check *check);

void reduction_check_note_reserve(struct reduction_check *check, const struct moehub_reduction_reserve *reserve);
/* Timeouts count from here. */
void reduction_check_note_grant(struct reduction_check *check, const uint64_t *item);
void reduction_check_note_packet(struct reduction_check *check, const struct reduction_packet *packet);
void reduction_check_note_result_flit(struct reduction_check *check, const uint64_t *item);
void reduction_check_note_timeout(struct reduction_check *check, unsigned entry);
void reduction_check_note_command(struct reduction_check *check, const struct reduction_command *command);
void reduction_check_note_done(struct reduction_check *check, bool refused);
/* `released` accepted; freed_valid; missing_valid; the first or last flit of a partial. */
void reduction_check_note_released(struct reduction_check *check, unsigned entry);
void reduction_check_note_freed(struct reduction_check *check, unsigned entry);
void reduction_check_note_missing(struct reduction_check *check, uint64_t ports);
void reduction_check_note_judged(struct reduction_check *check);
void reduction_check_note_candidate(struct reduction_check *check, const uint64_t *item);
void reduction_check_note_events(struct reduction_check *check, uint64_t events);
/* A cycle-dependent event seen at the pins. */
static inline void reduction_check_note_observed(struct reduction_check *check, unsigned event)
{
    check->observed[event]++;
}

/* End of a cycle, once everything is noted. */
void reduction_check_cycle(struct reduction_check *check, const struct reduction_status *status);

/* The design is being reset: the model too, and nothing is expected any more. */
void reduction_check_reset(struct reduction_check *check);

/* Everything that a settled, empty buffer must agree in; call when nothing is in flight. */
void reduction_check_settled(struct reduction_check *check);

/* No transfer for long enough that the model has seen all and the design's pulses have come. */
bool reduction_check_is_settled(const struct reduction_check *check);

/* An event, reset or flush that never happened in the whole run was not tested: the run fails. A buffer whose sets have one
 * port has no duplicates, only late partials. */
void reduction_check_demand_coverage(struct reduction_check *check);

/* The run fails when `count` is 0: `what` never happened. */
void reduction_check_demand(const struct reduction_check *check, const char *what, uint64_t count);

#endif
