/* SPDX-License-Identifier: Apache-2.0 */
/* The address path beside its model. Every request and command steps the model in the order in which the design accepted
 * it; every answer and result is compared; counters, table image and error latch are compared whenever nothing is in flight.
 *
 * The design's word is taken for one value only: `in_flight` of a result, which decides whether a command is refused (the
 * model has no cycles). It is copied in one place (take_in_flight), counted, and checked wherever hub_flight leaves no
 * choice. Until a command's result has come, later events wait in `order`, and their answers in `early`. */
#ifndef BENCH_HUB_PATH_H
#define BENCH_HUB_PATH_H

#include "bench/hub/hub_flight.h"
#include "bench/hub/table_image.h"
#include "kit/axi_memory.h"
#include "kit/bench.h"
#include "kit/scoreboard.h"
#include "kit/stream.h"
#include "moehub/address_path.h"

enum { HUB_ORDER_MAX = 1 << 14, HUB_COMMANDS_MAX = 1 << 12, HUB_AXI_IDS = 256, HUB_OFFENDERS_MAX = 64 };

/* Something that the design has accepted. */
struct hub_accepted {
    bool is_command;
    struct moehub_hub_request request;
    struct moehub_hub_command command;
};

struct hub_result_seen {
    uint64_t item[4];
    enum hub_flight_answer bound;
};

/* How table accesses fail: by address, so that model and design agree whatever the order. Chances in 1/1024. */
struct hub_table_errors {
    uint64_t salt;
    unsigned reads, writes;
};

struct hub_path {
    struct bench bench;
    struct moehub_address_path_config config;
    struct moehub_address_path model;
    struct hub_table_errors errors;
    struct axi_memory *memory;
    struct table_image table;
    struct hub_flight flight;

    struct source request, command;
    struct sink answer, result;
    bool has_commands;             /* the top has a command stream (the register unit has none) */
    struct scoreboard answers, results, end_state;

    struct hub_accepted *order;    /* ring of accepted events that the model has not seen */
    uint64_t order_head, order_tail;
    uint64_t *early;               /* ring of answers that came before the model was asked */
    uint64_t early_head, early_tail;
    uint64_t *expected_on, *answered_on; /* [ports] */
    struct hub_result_seen seen[64];     /* ring of results */
    uint64_t seen_head, seen_tail, marks_head, marks_tail;
    struct hub_flight_mark marks[64];    /* of the commands whose result has not come */
    struct moehub_hub_command commands_accepted[64];

    struct moehub_hub_command *to_send;  /* ring of commands to be sent */
    uint64_t send_head, send_tail, done; /* numbers; done: results compared */
    struct moehub_hub_result last_result;

    /* How commands reach a design without command stream: performs one to its end, the model's half included. */
    struct moehub_hub_result (*perform)(void *user, const struct moehub_hub_command *command);
    void *perform_user;
    /* Where requests come from: false when there is none now. */
    bool (*supply)(void *user, struct moehub_hub_request *request);
    void *supply_user;
    /* Called once a cycle, for example to send commands in mid-traffic. */
    void (*idle)(void *user);
    void *idle_user;
    /* What else the top has, beside the streams: drive and sample of its own. */
    void (*drive_more)(void *user);
    void (*sample_more)(void *user);
    void *more_user;

    const struct pin *events, *in_flight, *initialised, *waiting_used, *pending_used;
    const struct pin *error_valid, *error_cause, *error_header, *error_expert, *error_port;
    const struct pin *awvalid, *awready, *awaddr, *awid, *bvalid, *bready, *bid;
    const struct pin *arvalid, *arready, *wvalid, *wready;
    uint32_t stalled;              /* events of stalled streams that the cycle before asks for */
    uint64_t write_address[HUB_AXI_IDS];
    bool write_open[HUB_AXI_IDS];
    uint64_t counters[MOEHUB_HUB_EVENTS];
    uint64_t totals[MOEHUB_HUB_ORDER_EVENTS]; /* over resets too: what the run has covered */
    struct axi_memory_counts counts_at_reset;
    struct moehub_offender offenders[HUB_OFFENDERS_MAX]; /* the first that the design has named since the last settle */
    size_t offender_count;
    uint64_t copied;               /* in_flight values taken from the design */
    uint64_t bounded;              /* of them, checked against hub_flight */
    uint64_t offenders_checked, settles;
    bool demand_coverage;          /* hub_path_finish: every order-only event must have happened */
};

/* Reads the options, builds model, memory and streams; holds the reset. */
void hub_path_create(struct hub_path *path, int argc, char **argv, const struct options_defaults *defaults,
                     const struct knob *knobs, bool has_commands);

/* One cycle; bench.step of these benches, the context is the path. */
void hub_path_step(void *path);

/* Sends a command; it is offered when those before it are accepted. */
void hub_path_send(struct hub_path *path, const struct moehub_hub_command *command);
/* Sends one and steps until its result has been compared. */
struct moehub_hub_result hub_path_command(struct hub_path *path, unsigned operation, unsigned context, unsigned index,
                                          uint64_t data0, uint64_t data1);

/* True when the design owes nothing and the model is up to date. */
bool hub_path_quiet(const struct hub_path *path);

/* Steps until quiet, then compares the order-only counters, the table entries written since the last time and the error
 * latch, which it clears. The caller has stopped its supply. */
void hub_path_settle(struct hub_path *path);

/* rst for `cycles` cycles; what was in flight is forgotten by both sides, memory gets new contents. */
void hub_path_reset(struct hub_path *path, unsigned cycles, uint64_t memory_seed);
/* Steps until the memories are initialised. */
void hub_path_wait_initialised(struct hub_path *path);

/* Last comparison (every table entry), coverage of the order-only events, measurements, verdict. */
int hub_path_finish(struct hub_path *path);

/* Sets how all channels stall. */
void hub_path_stalls(struct hub_path *path, enum stall_kind request, enum stall_kind answer, enum stall_kind memory);

#endif
