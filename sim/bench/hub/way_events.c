/* SPDX-License-Identifier: Apache-2.0 */
/* A way's events, flags and levels, cycle by cycle. */
#include "bench/hub/way_bench.h"

#include "kit/bits.h"

#include <string.h>

static void check_flight(struct way_bench *self)
{
    const uint64_t requests = pin_get(self->requests_in_flight), stores = pin_get(self->stores_in_flight);
    for (uint64_t i = self->requests_done; i < self->requests_taken; i++) {
        const struct asked_request *request = &self->requests_sent[i % PACKETS];
        if (request->status == MOEHUB_STATUS_OK && (requests >> request->context & 1) == 0)
            bench_fail(&self->bench, BENCH_MISMATCH, "context %u has no request in flight", request->context);
    }
    if (self->records_taken < self->records_expected && pin_get(self->completed.stream.valid) != 0 &&
        (stores >> self->record_context[self->records_taken % PAIRS] & 1) == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "a context with a completed write has no store in flight");
}

/* The smallest cause; of a receiver's, those of a flit before its packet's (rtl/doc/plane/link.md section 3). */
static uint64_t told_cause(uint64_t causes)
{
    static const unsigned first[] = {MOEHUB_LINK_CAUSE_BAD_CLASS, MOEHUB_LINK_CAUSE_OUTSIDE, MOEHUB_LINK_CAUSE_PLACE,
                                     MOEHUB_LINK_CAUSE_UNENDED};
    for (unsigned i = 0; i < sizeof first / sizeof *first; i++)
        if ((causes >> first[i] & 1) != 0)
            return UINT64_C(1) << first[i];
    return causes & -causes;
}

static void check_events(struct way_bench *self)
{
    uint64_t events[1] = {pin_get(self->events)};
    for (unsigned i = 0; i < MOEHUB_HUB_WAY_EVENTS; i++)
        self->events_met[i] += events[0] >> i & 1;
    const uint64_t causes = events[0] & bits_mask(MOEHUB_HUB_WAY_CAUSES);
    const uint64_t told = pin_get(self->error_valid) ? UINT64_C(1) << pin_get(self->error_cause) : 0;
    self->met_together += (causes >> MOEHUB_HUB_WAY_CAUSE_ANSWER & 3) == 3;
    if (told != told_cause(causes))
        bench_fail(&self->bench, BENCH_MISMATCH, "causes are 0x%x, the error's is 0x%x", (unsigned)causes, (unsigned)told);
    self->flagged |= pin_get(self->failed);
    uint64_t header[2], read_header[2];
    pin_get_words(self->error_header, header);
    pin_get_words(self->read_error_header, read_header);
    if (told == UINT64_C(1) << MOEHUB_HUB_WAY_CAUSE_READ && memcmp(header, read_header, sizeof header) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "the header of a read error is not pre_reduce's");
}

/* What the latch would keep is an offender of the model, header and all. */
static void check_offender(struct way_bench *self)
{
    struct moehub_offender offender = {.port = (uint8_t)self->way, .cause = (uint8_t)pin_get(self->error_cause)};
    if (pin_get(self->error_valid) == 0 || offender.cause < MOEHUB_HUB_WAY_CAUSE_CONTEXT ||
        offender.cause > MOEHUB_HUB_WAY_CAUSE_WRITE)
        return;
    pin_get_words(self->error_header, offender.header.half);
    if (!moehub_offenders_contain(&self->model.offenders, &offender))
        bench_fail(&self->bench, BENCH_MISMATCH, "cause %u, header %016llx %016llx is no offender of the model", offender.cause,
                   (unsigned long long)offender.header.half[1], (unsigned long long)offender.header.half[0]);
    self->headers++;
}

void way_check_waits(struct way_bench *self)
{
    struct way_asker askers[ASKERS];
    for (unsigned i = 0; i < ASKERS; i++) {
        const uint64_t offered = self->asked_count[i] + (pin_get(self->question[i].stream.valid) != 0);
        askers[i] = (struct way_asker){.taken = self->asked_count[i], .given = self->given[i],
                                       .inside = offered > 0 && !self->question_ends[i][(offered - 1) % PAIRS]};
    }
    const bool releases = pin_get(self->answers_release_valid) != 0;
    askers[REQUESTS].released = self->released - (releases ? pin_get(self->answers_release_count) : 0);
    const bool asked = askers[STORES].taken + (pin_get(self->question[STORES].stream.valid) != 0) > self->given[STORES];
    const bool passed = self->stores_moved < self->stores_sent && self->verdicts[self->stores_moved % PACKETS] == 0;
    way_waits_check(&self->waits, askers, passed && (asked || self->target > 0));
}

/* The packet manager looks at it before it begins a store. */
void way_check_room(struct way_bench *self)
{
    const bool room = pin_get(self->store_room) != 0;
    if (!self->bench.reset && !self->bench.quiet && room != self->room)
        bench_fail(&self->bench, BENCH_MISMATCH, "store_room is %d", room);
    const uint64_t credits = pin_get(self->credits) & bits_mask(MOEHUB_CREDITS_WIDTH);
    self->room = !self->bench.reset && credits >= MOEHUB_STORE_LONGEST;
}

void way_check_events(struct way_bench *self)
{
    check_flight(self);
    check_events(self);
    check_offender(self);
}
