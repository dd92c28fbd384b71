/* SPDX-License-Identifier: Apache-2.0 */
/* The address path beside its model. Every request and command steps the model in the order in which the design accepted
 * it; every answer and result is compared; counters, table image and error latch are compared whenever nothing is in flight.
 *
 * Until a command's result has come, later events wait in `order` (hub_commands.h says why). */
#ifndef BENCH_HUB_PATH_H
#define BENCH_HUB_PATH_H

#include "bench/hub/hub_bus.h"
#include "bench/hub/hub_commands.h"
#include "bench/hub/hub_contexts.h"
#include "bench/hub/hub_end.h"
#include "bench/hub/hub_flight.h"
#include "bench/hub/hub_requests.h"
#include "bench/hub/hub_status.h"
#include "bench/hub/table_image.h"
#include "kit/axi_memory.h"
#include "kit/bench.h"
#include "moehub/address_path.h"

/* Something that the design has accepted. */
struct hub_accepted {
    bool is_command;
    struct moehub_hub_request request;
    struct moehub_hub_command command;
};

/* A ring of accepted events that the model has not seen. */
struct hub_order {
    struct hub_accepted *ring;
    uint64_t head, tail;
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
    const struct pin *initialised;

    struct hub_requests requests;
    struct hub_commands commands;
    struct hub_bus bus;
    struct hub_status status;
    struct hub_contexts contexts;
    struct hub_order order;
    struct hub_end end;

    /* Called once a cycle, for example to send commands in mid-traffic. */
    void (*idle)(void *user);
    void *idle_user;
    /* What else the top has, beside the streams: drive and sample of its own. */
    void (*drive_more)(void *user);
    void (*sample_more)(void *user);
    void *more_user;
};

/* Reads the options, builds model, memory and streams; holds the reset. `has_commands`: the top has a command stream. */
void hub_path_create(struct hub_path *path, int argc, char **argv, const struct options_defaults *defaults,
                     const struct knob *knobs, bool has_commands);

/* One cycle; bench.step of these benches, the context is the path. */
void hub_path_step(void *path);

/* Sends one command and steps until its result has been compared. */
struct moehub_hub_result hub_path_command(struct hub_path *path, unsigned operation, unsigned context, unsigned index,
                                          uint64_t data0, uint64_t data1);

/* Every accepted event has reached the model. */
static inline bool hub_path_up_to_date(const struct hub_path *path)
{
    return path->order.head == path->order.tail;
}

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
