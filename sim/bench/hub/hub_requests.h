/* SPDX-License-Identifier: Apache-2.0 */
/* The request driver: carries requests in, and compares the answers port by port.
 *
 * The model may be behind the design, since it is asked in the order of acceptance and waits for the result of a command.
 * Answers that come before the model was asked are kept in `early`. */
#ifndef BENCH_HUB_REQUESTS_H
#define BENCH_HUB_REQUESTS_H

#include "bench/hub/hub_fairness.h"
#include "bench/hub/hub_flight.h"
#include "bench/hub/hub_records.h"
#include "kit/bench.h"
#include "kit/scoreboard.h"
#include "kit/stream.h"

struct hub_requests {
    struct bench *bench;
    struct hub_flight *flight;
    struct hub_fairness fairness;
    struct source request;
    struct sink answer;
    struct scoreboard answers;
    /* Where requests come from: false when there is none now. NULL: nowhere. */
    bool (*supply)(void *user, struct moehub_hub_request *request);
    void *supply_user;
    unsigned ports;
    uint64_t tag_mask;
    uint64_t *expected_on, *answered_on; /* [ports]: answers that the model has given, that are compared */
    uint64_t *early;                     /* ring of answers that came before the model was asked */
    uint64_t early_head, early_tail;
};

void hub_requests_create(struct hub_requests *requests, struct bench *bench, struct hub_flight *flight,
                         const struct axi_memory *memory, const struct moehub_address_path_config *config);
void hub_requests_destroy(struct hub_requests *requests);

/* Step 1 of a cycle; `room`: another request may be accepted. */
void hub_requests_drive(struct hub_requests *requests, bool room);
/* Step 3: the request that is accepted at the coming edge, if any; and the answer that leaves, which is compared as soon as
 * the model has said it. */
bool hub_requests_accepted(struct hub_requests *requests, struct moehub_hub_request *request);
void hub_requests_sample_answer(struct hub_requests *requests);

/* The model's answer to the next request of that port, which is due when `need` is. */
void hub_requests_expect(struct hub_requests *requests, const struct moehub_hub_answer *answer, const struct hub_need *need);
/* Compares the early answers whose turn has come. */
void hub_requests_replay_early(struct hub_requests *requests);

/* Nothing is offered, expected or kept. */
bool hub_requests_quiet(const struct hub_requests *requests);

/* After a reset: nothing is owed any more. */
void hub_requests_forget(struct hub_requests *requests);

#endif
