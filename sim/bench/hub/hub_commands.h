/* SPDX-License-Identifier: Apache-2.0 */
/* The command driver: carries commands in, keeps their results until the model has come so far, and bounds what they say.
 *
 * The design's word is taken for one value only: `in_flight` of a result, which decides whether a command is refused (the
 * model has no cycles). It is copied in one place, counted, and checked wherever hub_flight leaves no choice.
 * A top with registers has no command stream: `perform` takes its place. */
#ifndef BENCH_HUB_COMMANDS_H
#define BENCH_HUB_COMMANDS_H

#include "bench/hub/hub_flight.h"
#include "bench/hub/hub_records.h"
#include "kit/bench.h"
#include "kit/scoreboard.h"
#include "kit/stream.h"

enum { HUB_COMMANDS_OPEN = 64 };

/* An accepted command whose result has not come, and what was known of the flight then. */
struct hub_command_open {
    struct moehub_hub_command command;
    struct hub_flight_mark mark;
};

struct hub_result_seen {
    uint64_t item[hub_result_words];
    enum hub_flight_answer bound; /* of its in_flight */
};

struct hub_commands {
    struct bench *bench;
    struct hub_flight *flight;
    bool has_stream;
    struct source command;
    struct sink result;
    struct scoreboard results;
    struct moehub_hub_command *to_send;  /* ring */
    uint64_t send_head, send_tail, done; /* numbers; done: results compared */
    struct hub_command_open open[HUB_COMMANDS_OPEN]; /* ring */
    uint64_t open_head, open_tail;
    struct hub_result_seen seen[HUB_COMMANDS_OPEN];  /* ring of results that the model has not come to */
    uint64_t seen_head, seen_tail;
    struct moehub_hub_result last;
    uint64_t copied;  /* in_flight values taken from the design */
    uint64_t bounded; /* of them, checked against hub_flight */
    /* In place of the stream: performs one command to its end, the model's half included. */
    struct moehub_hub_result (*perform)(void *user, const struct moehub_hub_command *command);
    void *perform_user;
};

void hub_commands_create(struct hub_commands *commands, struct bench *bench, struct hub_flight *flight, bool has_stream);
void hub_commands_destroy(struct hub_commands *commands);

/* Queues a command; it is offered when those before it are accepted. */
void hub_commands_send(struct hub_commands *commands, const struct moehub_hub_command *command);

/* Step 1 of a cycle. */
void hub_commands_drive(struct hub_commands *commands);
/* Step 3: the command that is accepted at the coming edge, if any (`behind`: events before it have not reached the model);
 * and the result that leaves. */
bool hub_commands_accepted(struct hub_commands *commands, bool behind, struct moehub_hub_command *command);
void hub_commands_sample_result(struct hub_commands *commands);

/* The next result that the model has not come to; NULL: it has not come from the design. */
const struct hub_result_seen *hub_commands_next_result(const struct hub_commands *commands);
/* Its in_flight, the one value that is copied from the design. */
bool hub_commands_take_in_flight(struct hub_commands *commands, const struct hub_result_seen *seen);
/* Compares it with the model's. */
void hub_commands_compare(struct hub_commands *commands, const struct moehub_hub_result *result);

/* Every command that was sent has its result compared. */
bool hub_commands_quiet(const struct hub_commands *commands);

/* After a reset: no result will come. */
void hub_commands_forget(struct hub_commands *commands);

#endif
