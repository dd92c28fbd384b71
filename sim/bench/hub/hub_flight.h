/* SPDX-License-Identifier: Apache-2.0 */
/* What is in flight in the address path, per context (moehub_address_path_flight_context), counted from outside: requests
 * accepted and not yet answered, and allocations whose table write has no B response. From it follow bounds for what the
 * design says about it (pins in_flight, bit in_flight of a result). Where the bounds leave no choice the design's word is
 * checked. */
#ifndef BENCH_HUB_FLIGHT_H
#define BENCH_HUB_FLIGHT_H

#include "moehub/address_path.h"

#include <stdbool.h>
#include <stdint.h>

/* The design's word follows three cycles after what happened (rtl/doc/address_path.md section 9), and is read from the
 * fourth on. */
enum { HUB_FLIGHT_LAG = 4 };

struct hub_flight_context {
    int64_t requests;   /* accepted and unanswered */
    int64_t writes;     /* announced by the model and without B; below 0 while the model is behind */
    uint64_t accepted;  /* requests so far */
    uint64_t idle_since, busy_since; /* cycle of the last change to 0, from 0 */
};

struct hub_flight {
    struct hub_flight_context contexts[MOEHUB_CONTEXTS_MAX];
    const struct moehub_address_path_config *config;
    uint64_t table_origin, table_span, address_mask; /* context c's table lies in origin + c * span */
    uint8_t *waiting;   /* per port a ring: contexts of its unanswered requests, oldest first */
    uint32_t *head, *tail;
};

/* What is remembered with a command when it is accepted. */
struct hub_flight_mark {
    uint64_t accepted;
    bool idle; /* for at least HUB_FLIGHT_LAG cycles */
};

enum hub_flight_answer { HUB_FLIGHT_NO, HUB_FLIGHT_YES, HUB_FLIGHT_EITHER };

/* `config` outlives it. */
void hub_flight_create(struct hub_flight *flight, const struct moehub_address_path_config *config, uint64_t table_origin);
void hub_flight_destroy(struct hub_flight *flight);
void hub_flight_forget(struct hub_flight *flight, uint64_t cycle);

/* Lowest address of the window in which a context's table lies. */
uint64_t hub_flight_table(const struct hub_flight *flight, unsigned context);

void hub_flight_request(struct hub_flight *flight, unsigned context, unsigned port, uint64_t cycle);
/* False: the port has no unanswered request. */
bool hub_flight_answer(struct hub_flight *flight, unsigned port, uint64_t cycle);
void hub_flight_announce(struct hub_flight *flight, unsigned context, uint64_t cycle);
void hub_flight_written(struct hub_flight *flight, uint64_t address, uint64_t cycle);

/* Unanswered requests and unfinished announcements, of all contexts. */
int64_t hub_flight_total(const struct hub_flight *flight);

/* `all`: of any context (FLUSH). */
struct hub_flight_mark hub_flight_mark(const struct hub_flight *flight, unsigned context, bool all, uint64_t cycle);
/* What the result of the command marked so must say now. */
enum hub_flight_answer hub_flight_result(const struct hub_flight *flight, unsigned context, bool all,
                                         struct hub_flight_mark mark);

/* The contexts whose bit of the in_flight pins must be 1, and those that must be 0, in this cycle. */
void hub_flight_pins(const struct hub_flight *flight, uint64_t cycle, unsigned *ones, unsigned *zeros);

#endif
