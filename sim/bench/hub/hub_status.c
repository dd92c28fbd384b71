/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_status.h"

#include <string.h>

void hub_status_create(struct hub_status *status, struct bench *bench, const struct hub_flight *flight)
{
    *status = (struct hub_status){.bench = bench, .flight = flight, .events = bench_optional_pin(bench, "events")};
    status->present = status->events != NULL;
    if (!status->present)
        return;
    status->in_flight = bench_pin(bench, "in_flight");
    status->waiting_used = bench_pin(bench, "waiting_used");
    status->pending_used = bench_pin(bench, "pending_used");
    status->error_valid = bench_pin(bench, "error_valid");
    status->error_cause = bench_pin(bench, "error_cause");
    status->error_header = bench_pin(bench, "error_header");
    status->error_expert = bench_pin(bench, "error_expert");
    status->error_port = bench_pin(bench, "error_port");
}

/* A stalled stream is an event of the next cycle. A request that waits for a waiting entry is stalled. */
static void check_stalls(struct hub_status *status, const struct hub_stalls *stalls)
{
    enum { FIRST = MOEHUB_HUB_EVENT_REQUEST_STALLED, STREAMS = 4 };
    const uint32_t said = (uint32_t)pin_get(status->events) >> FIRST & ((1u << STREAMS) - 1);
    if (said != status->stalled)
        bench_fail(status->bench, BENCH_MISMATCH, "events of stalled streams: 0x%x, in the cycle before 0x%x were stalled", said,
                   status->stalled);
    const bool waited = pin_get(status->events) >> MOEHUB_HUB_EVENT_WAITED_WAITING & 1;
    if (waited && (said & 1) == 0)
        bench_fail(status->bench, BENCH_MISMATCH, "a request that was not stalled counts as one that waits for a waiting entry");
    status->stalled = (uint32_t)stalls->request | (uint32_t)stalls->answer << 1 | (uint32_t)stalls->table_read << 2 |
                      (uint32_t)stalls->table_write << 3;
}

/* The candidate for the error latch has the smallest cause of the cycle. */
static void keep_offender(struct hub_status *status, uint32_t causes)
{
    const unsigned cause = (unsigned)__builtin_ctz(causes);
    status->counted_with[cause] |= causes;
    if (pin_get(status->error_cause) != cause)
        bench_fail(status->bench, BENCH_MISMATCH, "error_cause is %u, the smallest cause counted in this cycle is %u",
                   (unsigned)pin_get(status->error_cause), cause);
    if (cause == MOEHUB_HUB_CAUSE_PARITY) { /* the model knows of none */
        if (!status->parity_expected)
            bench_fail(status->bench, BENCH_MISMATCH, "a parity error in memory %u",
                       (unsigned)pin_get(status->error_expert));
        status->parity_count++;
        status->parity_memory = (unsigned)pin_get(status->error_expert);
        return;
    }
    if (status->offender_count == HUB_OFFENDERS_MAX)
        return;
    uint64_t header[2];
    pin_get_words(status->error_header, header);
    status->offenders[status->offender_count++] = (struct moehub_offender){
        .header = {{header[0], header[1]}},
        .expert = (uint16_t)pin_get(status->error_expert),
        .port = (uint8_t)pin_get(status->error_port),
        .cause = (uint8_t)cause,
    };
}

static void count_events(struct hub_status *status)
{
    const uint32_t events = (uint32_t)pin_get(status->events);
    for (uint32_t left = events; left != 0; left &= left - 1)
        status->counters[__builtin_ctz(left)]++;
    const uint32_t causes = (events >> MOEHUB_HUB_EVENT_CAUSES & ((1u << MOEHUB_HUB_ORDER_CAUSES) - 1)) |
                            (events >> MOEHUB_HUB_EVENT_PARITY & 1) << MOEHUB_HUB_CAUSE_PARITY;
    if ((causes != 0) != (pin_get(status->error_valid) != 0))
        bench_fail(status->bench, BENCH_MISMATCH, "error_valid is %u, the causes counted in this cycle are 0x%x",
                   (unsigned)pin_get(status->error_valid), causes);
    if (causes != 0)
        keep_offender(status, causes);
}

static void check_in_flight(const struct hub_status *status)
{
    unsigned ones, zeros;
    hub_flight_pins(status->flight, status->bench->cycle, &ones, &zeros);
    const unsigned pins = hub_status_in_flight(status);
    if ((ones & ~pins) != 0 || (zeros & pins) != 0)
        bench_fail(status->bench, BENCH_MISMATCH, "in_flight is 0x%x, for %d cycles it has had to have ones 0x%x and zeros 0x%x",
                   pins, HUB_FLIGHT_LAG, ones, zeros);
}

void hub_status_sample(struct hub_status *status, const struct hub_stalls *stalls, bool up_to_date)
{
    if (!status->present)
        return;
    check_stalls(status, stalls);
    count_events(status);
    if (up_to_date) /* else the model does not know yet what was announced */
        check_in_flight(status);
}

unsigned hub_status_in_flight(const struct hub_status *status)
{
    return status->present ? (unsigned)pin_get(status->in_flight) : 0;
}

void hub_status_forget(struct hub_status *status)
{
    memset(status->counters, 0, sizeof status->counters);
    status->offender_count = 0;
    status->stalled = 0;
}
