/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_requests.h"

#include "kit/allocate.h"

#include <stdlib.h>
#include <string.h>

enum { EARLY_MAX = 1 << 14, UNANSWERED_BESIDE_WAITING = 256 };

void hub_requests_create(struct hub_requests *requests, struct bench *bench, struct hub_flight *flight,
                         const struct axi_memory *memory, const struct moehub_address_path_config *config)
{
    *requests = (struct hub_requests){
        .bench = bench,
        .flight = flight,
        .ports = config->ports,
        .tag_mask = config->tag_width == 64 ? UINT64_MAX : (UINT64_C(1) << config->tag_width) - 1,
        .early = allocate((size_t)EARLY_MAX * hub_answer_words, sizeof *requests->early),
        .expected_on = allocate(config->ports, sizeof *requests->expected_on),
        .answered_on = allocate(config->ports, sizeof *requests->answered_on),
    };
    source_create(&requests->request, bench, "request", RECORD_NAMES(HUB_REQUEST_FIELDS), STALL_NONE);
    sink_create(&requests->answer, bench, "answer", RECORD_NAMES(HUB_ANSWER_FIELDS), STALL_NONE);
    scoreboard_create_for(&requests->answers, bench, "answer", &requests->answer.stream.table, config->ports,
                          config->waiting + UNANSWERED_BESIDE_WAITING);
    scoreboard_measure_latency(&requests->answers);
    hub_fairness_create(&requests->fairness, bench, memory, config);
}

void hub_requests_destroy(struct hub_requests *requests)
{
    hub_fairness_destroy(&requests->fairness);
    free(requests->early);
    free(requests->expected_on);
    free(requests->answered_on);
}

void hub_requests_drive(struct hub_requests *requests, bool room)
{
    struct moehub_hub_request request;
    if (requests->supply != NULL && source_free(&requests->request) && room &&
        requests->supply(requests->supply_user, &request)) {
        request.tag &= requests->tag_mask;
        hub_request_pack(source_offer(&requests->request), &request);
    }
    source_drive(&requests->request);
    sink_drive(&requests->answer);
}

bool hub_requests_accepted(struct hub_requests *requests, struct moehub_hub_request *request)
{
    const uint64_t *item = source_sample(&requests->request);
    if (item == NULL)
        return false;
    *request = hub_request_unpack(item);
    hub_flight_request(requests->flight, request->context, request->port, requests->bench->cycle);
    return true;
}

void hub_requests_expect(struct hub_requests *requests, const struct moehub_hub_answer *answer, const struct hub_need *need)
{
    uint64_t item[hub_answer_words];
    hub_answer_pack(item, answer);
    scoreboard_expect(&requests->answers, answer->port, item);
    requests->expected_on[answer->port]++;
    hub_fairness_expect(&requests->fairness, answer->port, need);
}

static void compare(struct hub_requests *requests, unsigned port, const uint64_t *item)
{
    scoreboard_check(&requests->answers, port, item);
    requests->answered_on[port]++;
    hub_fairness_answered(&requests->fairness, port);
}

void hub_requests_replay_early(struct hub_requests *requests)
{
    while (requests->early_head != requests->early_tail) {
        const uint64_t *item = requests->early + requests->early_head % EARLY_MAX * hub_answer_words;
        const unsigned port = (unsigned)item[hub_answer_at_port];
        if (requests->expected_on[port] == requests->answered_on[port])
            return;
        compare(requests, port, item);
        requests->early_head++;
    }
}

void hub_requests_sample_answer(struct hub_requests *requests)
{
    const uint64_t *item = sink_sample(&requests->answer);
    hub_fairness_sample(&requests->fairness, requests->answer.stream.waiting);
    if (item == NULL)
        return;
    const unsigned port = (unsigned)item[hub_answer_at_port];
    if (port >= requests->ports)
        bench_fail(requests->bench, BENCH_MISMATCH, "answer_port %u: there are %u ports", port, requests->ports);
    const bool asked = hub_flight_answer(requests->flight, port, requests->bench->cycle);
    const bool known = requests->expected_on[port] != requests->answered_on[port] && requests->early_head == requests->early_tail;
    if (!asked || known) {
        compare(requests, port, item);
        return;
    }
    if (requests->early_tail - requests->early_head == EARLY_MAX)
        bench_fail(requests->bench, BENCH_TIMEOUT, "%d answers after a command that has no result", EARLY_MAX);
    memcpy(requests->early + requests->early_tail++ % EARLY_MAX * hub_answer_words, item, hub_answer_words * sizeof *item);
    hub_requests_replay_early(requests);
}

bool hub_requests_quiet(const struct hub_requests *requests)
{
    return source_free(&requests->request) && requests->early_head == requests->early_tail && requests->answers.waiting == 0;
}

void hub_requests_forget(struct hub_requests *requests)
{
    scoreboard_forget(&requests->answers);
    hub_fairness_forget(&requests->fairness);
    requests->early_head = requests->early_tail;
    memset(requests->expected_on, 0, requests->ports * sizeof *requests->expected_on);
    memset(requests->answered_on, 0, requests->ports * sizeof *requests->answered_on);
}
