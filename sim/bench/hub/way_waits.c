/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/way_waits.h"

#include <string.h>

enum { STORES, REQUESTS, MISSING, STALLED, FULL };
enum { SETTLED = 4, LONG = 40, RECENT = 8 }; /* cycles after which an asker, the mover, are where they wait */

static const unsigned numbers[WAY_WAITS] = {MOEHUB_HUB_WAY_EVENT_NO_ANSWER_PLACE, MOEHUB_HUB_WAY_EVENT_NO_ANSWER_PLACE,
                                            MOEHUB_HUB_WAY_EVENT_ANSWER_MISSING, MOEHUB_HUB_WAY_EVENT_MEMORY_STALLED,
                                            MOEHUB_HUB_WAY_EVENT_NO_WRITE_PLACE};

void way_waits_create(struct way_waits *self, struct bench *bench)
{
    self->bench = bench;
    self->events = bench_pin(bench, "events");
    self->used_answers = bench_pin(bench, "used_answers");
    self->used_writes = bench_pin(bench, "used_writes");
}

static bool stands(const struct stream *stream)
{
    return pin_get(stream->valid) != 0;
}

static bool stalls(const struct stream *stream)
{
    return stands(stream) && pin_get(stream->ready) == 0;
}

static bool event(const struct way_waits *self, unsigned number)
{
    return (pin_get(self->events) >> number & 1) != 0;
}

static void check_exact(const struct way_waits *self, unsigned number, bool expected, const char *what)
{
    if (event(self, number) != expected)
        bench_fail(self->bench, BENCH_MISMATCH, "event of a stalled %s: %d", what, !expected);
}

/* Two waits may share an event. */
static void check_wait(struct way_waits *self, unsigned number)
{
    bool possible = false, certain = false;
    unsigned alone = WAY_WAITS;
    for (unsigned i = 0; i < WAY_WAITS; i++)
        if (numbers[i] == number && self->possible[i]) {
            alone = possible ? WAY_WAITS : i;
            possible = true;
            certain = certain || self->certain[i] >= (i <= REQUESTS ? SETTLED : LONG);
        }
    const bool told = event(self, number);
    if ((told && !possible) || (!told && certain))
        bench_fail(self->bench, BENCH_MISMATCH, "event %u of cycles that wait: %d", number, told);
    if (told && alone < WAY_WAITS)
        self->met[alone]++;
}

static void note(struct way_waits *self, unsigned wait, bool possible, bool certain)
{
    self->possible[wait] = possible;
    self->certain[wait] = possible && certain ? self->certain[wait] + 1 : 0;
}

/* An asker with a target to ask makes its question when the one before it moves and an answer has a place. Behind a question that
 * is not taken there is room for one more: whether it is there only the design knows, but all are offered when it waits. */
static void note_asker(struct way_waits *self, unsigned number, const struct way_asker *asker)
{
    const uint64_t offered = asker->taken + stands(self->questions[number]);
    const uint64_t held = number == STORES ? pin_get(self->used_answers) : offered - asker->released;
    note(self, number, held == self->answers[number], asker->inside && !stalls(self->questions[number]));
}

/* held falls when the mover has used an answer: where it is what was not answered yet, the mover has none; where it is more, but
 * for a question that may have been made behind the one that stands, the mover has some. One that it has goes on until AW is
 * full, or the records of writes are: its line is whole soon. */
static void note_mover(struct way_waits *self, const struct way_asker *stores, bool unanswered)
{
    const uint64_t offered = stores->taken + stands(self->questions[STORES]), used = pin_get(self->used_writes);
    const uint64_t held = pin_get(self->used_answers), asked = offered - stores->given;
    const bool none = held == asked, some = held > asked + stands(self->questions[STORES]);
    const bool still = !stands(self->aw) && !stands(self->w);
    const bool stuck = stalls(self->aw) && (stalls(self->w) || !stands(self->w));
    if (stalls(self->aw) || stalls(self->w))
        self->stalled_at = self->bench->cycle;
    note(self, MISSING, offered > 0, unanswered && none && used + 1 < self->writes);
    note(self, STALLED, self->bench->cycle - self->stalled_at < RECENT, some && stuck && used + 1 < self->writes);
    note(self, FULL, used + 1 >= self->writes, some && still && used == self->writes);
}

void way_waits_check(struct way_waits *self, const struct way_asker askers[WAY_ASKERS], bool unanswered)
{
    if (self->bench->reset || self->bench->quiet) {
        memset(self->possible, 0, sizeof self->possible);
        memset(self->certain, 0, sizeof self->certain);
        self->question_stalled = self->completed_stalled = false;
        self->stalled_at = 0;
        return;
    }
    check_exact(self, MOEHUB_HUB_WAY_EVENT_QUESTION_STALLED, self->question_stalled, "question");
    check_exact(self, MOEHUB_HUB_WAY_EVENT_COMPLETED_STALLED, self->completed_stalled, "completed write");
    for (unsigned i = REQUESTS; i < WAY_WAITS; i++)
        check_wait(self, numbers[i]);
    self->question_stalled = stalls(self->questions[STORES]) || stalls(self->questions[REQUESTS]);
    self->completed_stalled = stalls(self->completed);
    for (unsigned i = 0; i < WAY_ASKERS; i++)
        note_asker(self, i, &askers[i]);
    note_mover(self, &askers[STORES], unanswered);
}
