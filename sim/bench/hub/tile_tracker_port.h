/* SPDX-License-Identifier: Apache-2.0 */
/* The pins of a tile tracker, and its judge: the model is told what entered each pipeline,
    in that order and in the cycle in which
 * the design tells of it, and every event, notify, cause, flag and command is compared. The row list's memory is here, too. */
#ifndef BENCH_TILE_TRACKER_PORT_H
#define BENCH_TILE_TRACKER_PORT_H

#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "moehub/tile_tracker.h"

enum {
    TRACKER_WAYS_MAX = 5,
    TRACKER_VECTOR_WORDS = 64,
    TRACKER_QUEUE = 8192,
    TRACKER_ACTIONS = 64,
    TRACKER_READS = 64,  /* of the row list under way, by the page */
};

/* A pin of any width, and what is driven on it or was read from it. */
struct tracker_vector {
    const struct pin *pin;
    uint64_t words[TRACKER_VECTOR_WORDS];
};

/* Items that wait for a stream of one way; an item is at most 128 bits. */
struct tracker_source {
    struct tracker_vector *valid, *data;
    const struct pin *ready;
    unsigned way, bits;
    struct stall stall;
    bool driving;
    uint64_t taken, waited;
    uint64_t (*items)[2];
    unsigned first, count;
};

struct tracker_taken {
    bool valid;
    uint64_t item[2];
};

/* What the model is told later: when the design tells of it. */
struct tracker_action {
    uint64_t cycle;
    int kind;
    uint64_t item[2];
    unsigned operation;
    uint64_t enabled; /* contexts, in the cycle before it entered */
};

struct tracker_actions {
    struct tracker_action list[TRACKER_ACTIONS];
    unsigned first, count;
};

struct tile_tracker_port {
    struct bench *bench;
    struct moehub_tile_tracker model;
    struct random_source random;
    unsigned ways, slot_width, offset_width;
    struct tracker_source completed[TRACKER_WAYS_MAX], close[TRACKER_WAYS_MAX], notify[TRACKER_WAYS_MAX];
    struct tracker_source expect, done, set;
    struct tracker_vector valid[6], data[6];
    struct tracker_vector contexts[18];
    struct tracker_actions pipes, token_pipe, timers, rows;
    struct stall ready_stall, notice_stall, list_stall;
    const struct pin *own, *link_up, *initialised, *arrived, *failed, *notifying, *closed, *stores_in_flight;
    const struct pin *ready_valid, *ready_ready, *notice_valid, *notice_ready;
    const struct pin *ar_valid, *ar_ready, *ar_address, *r_valid, *r_response;
    const struct pin *command_valid, *command_ready, *operation, *command_context, *command_index;
    const struct pin *result_valid, *result_ready, *refused, *result0, *result1;
    const struct pin *error_valid, *error_cause, *ready_level, *token_level;
    const struct pin *look_kind, *tile_valid, *arrival_valid, *token_valid, *settle, *late, *expire, *restart, *row;
    struct tracker_vector ready_data, notice_data, r_data, events, error_header, tile, arrival, token;
    struct scoreboard told, notified, commands, causes, states;

    /* contexts as moehub_hub_contexts would hold them */
    uint64_t has_arrived, has_failed, enabled, closed_pulses, in_flight;
    uint64_t closed_at[MOEHUB_TILE_TRACKER_CONTEXTS_MAX], timer[MOEHUB_TILE_TRACKER_CONTEXTS_MAX];
    uint64_t arrived_at[MOEHUB_TILE_TRACKER_CONTEXTS_MAX];
    uint32_t arrival_timeout[MOEHUB_TILE_TRACKER_CONTEXTS_MAX], token_timeout[MOEHUB_TILE_TRACKER_CONTEXTS_MAX];
    bool counting[MOEHUB_TILE_TRACKER_CONTEXTS_MAX];
    uint64_t enabled_before, settled_before, expired_before, in_flight_before, arrived_check;
    uint64_t link_up_now, link_up_before; /* in this cycle, and in the one before */
    uint64_t restarted; /* contexts whose ADVANCE has begun to clear */

    /* outputs in the cycle before */
    bool ready_was, ready_waits, notice_waits;
    uint64_t ready_held[2], notice_held[3], notice[3];
    bool notice_taken;
    struct { uint64_t address, due; } reads[TRACKER_READS];
    unsigned reads_first, reads_count, outstanding;
    bool ar_waits;
    uint64_t ar_held;

    bool command_busy, command_offered, hold_commands, result_known;
    uint64_t command_at; /* cycle in which it was offered */
    uint64_t expected[3];
    bool advancing, hold_done;
    uint64_t counted[MOEHUB_TILE_TRACKER_EVENTS];
    uint64_t moved;     /* cycle in which something was told or taken last */
    uint64_t advances, settles_late, settles_quiet, expires, ready_by_kind[4], ready_failed, looks, gets[3];
    unsigned list_errors; /* of 256 beats */
    unsigned list_latency; /* cycles, the least */
    unsigned notifying_idle; /* cycles for which a context is notifying without anything to tell */
    uint64_t rows_judged, judged_at; /* of the row list; cycle of the last of them */
    uint64_t row_seed;
    void (*on_ready)(void *context, const struct moehub_ready_event *event);
    void *context;
};

void tile_tracker_port_create(struct tile_tracker_port *port, struct bench *bench);
void tile_tracker_port_destroy(struct tile_tracker_port *port);

/* Steps 1 and 3 of a cycle. */
void tile_tracker_port_step(void *port);

/* Every context's fields to the pins, from the model's. */
void tile_tracker_port_contexts(struct tile_tracker_port *port);

void tracker_source_put(struct tracker_source *source, uint64_t low, uint64_t high);

/* Of a way; items from bit 0 on, as the page orders the fields. */
void tile_tracker_port_complete(struct tile_tracker_port *port, unsigned way, const struct moehub_completed *record);

/* Nothing is queued, offered, under way or expected. */
bool tile_tracker_port_quiet(const struct tile_tracker_port *port);

/* Counters, compared when nothing is under way. */
void tile_tracker_port_compare_counters(struct tile_tracker_port *port);

#endif
