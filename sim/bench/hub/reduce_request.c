/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_request against its model: software, list memory, final_reduce of each link and takers of requests are the bench's. */
#include "kit/bits.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "moehub/reduce_request.h"

#include <string.h>

enum { LINKS = 4, LISTS = 1024, GROUPS = 4096, SIZE_LSB_MOST = 17, STATUSES = 16, GRANTED = 24, HOLD = 600 };

struct list_read {
    struct moehub_flit data;
    uint64_t due;
    bool error;
};

struct reduce_bench {
    struct bench bench;
    const struct pin *own, *enabled, *rounds, *owner_shifts, *peers, *row_sizes, *link_up, *reduce_valid, *reduce_ready, *reduce,
        *answered_valid, *answered_ready, *answered, *answered_user, *answered_last, *ar_valid, *ar_ready, *ar_address, *r_valid,
        *r_data, *r_resp, *reserve_valid, *reserve_ready, *reserve, *grant_valid, *grant_ready, *grant, *freed_valid,
        *request_valid, *request_ready, *request, *request_last, *request_flits, *done_valid, *done_context, *in_flight, *events,
        *error_valid, *error_header;
    struct scoreboard lists, answers, reserves, requests, errors;
    struct random_source random;
    struct stall software, addresses, takers, reservers, request_takers;
    uint32_t links, gpus, contexts, local_expert_bits, max_targets, request_lines, offset_width, address_width, reduces,
        final_groups, with_fp32;
    unsigned own_gpu;
    unsigned enabled_set;
    struct moehub_reduce_request model;
    struct moehub_reduce drawn; /* offered, with the ids that its list will have */
    uint16_t ids[64];
    unsigned ids_count;
    struct list_read reads[LISTS];
    struct list_read expected_reads[LISTS];
    uint64_t read_put, read_asked, read_done;
    uint64_t item[3]; /* offered reduce */
    bool offered, draining, running;
    /* a reservation at a time */
    bool granting;
    unsigned grant_link, grant_status, grant_entry, grant_generation;
    uint64_t grant_due;
    unsigned asked_lines, asked_context;
    uint64_t mask_since, idle_since; /* cycles of the last change of link_up, without a reservation that waits */
    uint64_t full_since[LINKS]; /* cycle of the last one without a free group */
    unsigned used[LINKS], generation[LINKS];
    struct { uint64_t due; unsigned lines, context; } held[LINKS][GROUPS];
    uint64_t inside; /* ways whose request was taken in part */
    unsigned waiting[LINKS + 1]; /* flits of each way that were not taken */
    unsigned held_count[LINKS];
    uint64_t counts[7], by_status[STATUSES], drained, both, loops_alone, empties, immediates, links_down, no_group, no_room;
    unsigned link_mask, blocked_way;
    uint64_t blocked_until;    /* nobody takes that way's requests */
    unsigned answered_lines[8]; /* taken, not told in line_done */
    unsigned late_lines[8];     /* told in line_done in the last cycle: in_flight counts them in this one */
};

static const struct field list_fields[] = {{"address", 64}};
static const struct field answer_fields[] = {{"user", 64}, {"last", 1}, {"data", 128}};
static const struct field reserve_fields[] = {{"reserve", 64}};
static const struct field request_fields[] = {{"data", 128}, {"last", 1}, {"flits", 5}};
static const struct field error_fields[] = {{"header", 128}};

static bool chance(struct reduce_bench *self, unsigned numerator, unsigned denominator)
{
    return random_chance(&self->random, numerator, denominator);
}

/* ---- what the model says -------------------------------------------------------------------------------------------------- */

static void expect_answer(struct reduce_bench *self, const struct moehub_reduce_answer *answer)
{
    self->by_status[answer->status]++;
    for (unsigned line = 0; line < answer->count; line++)
        for (unsigned i = 0; i < answer->lines[line].flits; i++) {
            const struct moehub_reduced *reduced = &answer->lines[line];
            const uint64_t item[4] = {moehub_reduced_user(reduced), i + 1 == reduced->flits, reduced->data[i].half[0],
                                      reduced->data[i].half[1]};
            scoreboard_expect(&self->answers, 0, item);
        }
    if (answer->status != MOEHUB_STATUS_OK)
        scoreboard_expect(&self->errors, 0, answer->header.half);
}

/* What is answered at once and is the oldest: answers come in the order of the reduces. */
static void answer_next(struct reduce_bench *self)
{
    struct moehub_reduce_answer answer;
    while (moehub_reduce_request_answer(&self->model, &answer)) {
        self->empties += answer.status == MOEHUB_STATUS_OK;
        expect_answer(self, &answer);
    }
}

static void expect_request(struct reduce_bench *self, unsigned way, const struct moehub_request_packet *packet)
{
    self->waiting[way] += packet->count;
    if (self->waiting[way] > 2 * MOEHUB_REQUEST_LONGEST)
        bench_fail(&self->bench, BENCH_MISMATCH, "requests of way %u: %u flits wait, and the queue has %d places", way,
                   self->waiting[way], 2 * MOEHUB_REQUEST_LONGEST);
    for (unsigned i = 0; i < packet->count; i++) {
        const uint64_t item[4] = {packet->flits[i].half[0], packet->flits[i].half[1], i + 1 == packet->count, packet->count};
        scoreboard_expect(&self->requests, way, item);
    }
}

static void expect_reads(struct reduce_bench *self, const struct moehub_reduce_reads *reads)
{
    for (unsigned i = 0; i < reads->count; i++) {
        struct list_read *read = &self->expected_reads[self->read_put++ % LISTS];
        *read = (struct list_read){{{random_next(&self->random), random_next(&self->random)}}, 0, chance(self, 1, 100)};
        for (unsigned j = 0; j < 8 && 8 * i + j < self->ids_count; j++)
            bits_set(read->data.half, 16 * j, 16, self->ids[8 * i + j]);
        scoreboard_expect(&self->lists, 0, &reads->address[i]);
        moehub_reduce_request_list_data(&self->model, read->data, read->error);
    }
}

static void take_reduce(struct reduce_bench *self)
{
    struct moehub_reduce_reads reads;
    if (!moehub_reduce_request_take(&self->model, &self->drawn, &reads))
        bench_fail(&self->bench, BENCH_MISMATCH, "more reduces are taken than there can be places for");
    self->offered = false;
    expect_reads(self, &reads);
    answer_next(self);
}

/* ---- software -------------------------------------------------------------------------------------------------------- */

static unsigned draw_ids(struct reduce_bench *self, unsigned context, unsigned count, uint16_t *ids)
{
    const unsigned locals = 1u << self->local_expert_bits;
    const bool wild = chance(self, 1, 10);
    unsigned made = 0;
    for (unsigned tries = 0; made < count && tries < 200; tries++) {
        const unsigned gpu = wild ? (unsigned)random_below(&self->random, self->gpus + 1)
                                  : chance(self, 1, 3) ? self->own_gpu : (unsigned)random_below(&self->random, self->gpus);
        if (!wild && (self->model.contexts[context].peers >> gpu & 1) == 0)
            continue;
        const uint16_t id = (uint16_t)(gpu << self->local_expert_bits | random_below(&self->random, locals));
        unsigned place = 0;
        while (place < made && ids[place] < id)
            place++;
        if (place < made && ids[place] == id)
            continue;
        for (unsigned i = made++; i > place; i--)
            ids[i] = ids[i - 1];
        ids[place] = id;
    }
    if (made > 1 && chance(self, 1, 16))
        ids[made - 1] = ids[0];
    if (made > 0 && chance(self, 1, 16)) /* a bit that no GPU's number has */
        ids[made - 1] |= (uint16_t)(1u << random_below(&self->random, 16));
    return made;
}

static void draw_place(struct reduce_bench *self, struct moehub_reduce *reduce)
{
    const unsigned room = self->model.contexts[0].row_size / 16;
    if (room / 8 > 1)
        reduce->line = (uint16_t)random_below(&self->random, room / 8);
    if (chance(self, 3, 4) && reduce->line * 8u + reduce->length > room) {
        reduce->line = 0;
        reduce->length = (uint16_t)(reduce->length > room ? room : reduce->length);
    }
    if (chance(self, 1, 32))
        reduce->length = (uint16_t)(chance(self, 1, 2) ? 0 : random_below(&self->random, 512));
    if (chance(self, 1, 32))
        reduce->row_index ^= 1u << random_below(&self->random, 32);
}

static void draw_list(struct reduce_bench *self, struct moehub_reduce *reduce)
{
    const unsigned few = self->max_targets < 4 ? self->max_targets : 4;
    const unsigned count = (unsigned)random_below(&self->random, 1 + (chance(self, 1, 2) ? self->max_targets : few));
    reduce->immediate = chance(self, 1, 8);
    reduce->address = random_bits(&self->random, self->address_width) & ~UINT64_C(15);
    if (chance(self, 1, 40) || reduce->immediate)
        reduce->address |= random_bits(&self->random, 4);
    self->ids_count = draw_ids(self, reduce->context, reduce->immediate ? 1 : count, self->ids);
    if (self->ids_count == 0)
        self->ids[0] = (uint16_t)random_bits(&self->random, 16);
    reduce->id = self->ids[0];
    reduce->count = (uint8_t)(chance(self, 1, 40) ? self->max_targets + 1 : self->ids_count);
    if (reduce->immediate)
        reduce->count = (uint8_t)random_bits(&self->random, 6);
}

static void put_reduce(struct reduce_bench *self, const struct moehub_reduce *reduce)
{
    const unsigned at = 10 + self->address_width;
    memset(self->item, 0, sizeof self->item);
    bits_set(self->item, 0, 3, reduce->context);
    bits_set(self->item, 3, 1, reduce->immediate);
    bits_set(self->item, 4, 6, reduce->count);
    bits_set(self->item, 10, self->address_width, reduce->address);
    bits_set(self->item, at, 16, reduce->id);
    bits_set(self->item, at + 16, 32, reduce->row_index);
    bits_set(self->item, at + 48, 9, reduce->line);
    bits_set(self->item, at + 57, 9, reduce->length);
    bits_set(self->item, at + 66, 2, reduce->element);
    bits_set(self->item, at + 68, 24, reduce->tag);
    self->offered = true;
}

static void draw_reduce(struct reduce_bench *self)
{
    struct moehub_reduce *reduce = &self->drawn;
    const unsigned context = (unsigned)random_below(&self->random, chance(self, 1, 16) ? 8 : self->contexts);
    const unsigned shift = self->model.contexts[context < self->contexts ? context : 0].owner_shift;
    *reduce = (struct moehub_reduce){
        .context = (uint8_t)context,
        .length = (uint16_t)(1 + random_below(&self->random, 8 * self->request_lines)),
        .element = (uint8_t)random_below(&self->random, chance(self, 1, 16) ? 4 : 2),
        .tag = (uint32_t)random_bits(&self->random, 24),
        .row_index = self->own_gpu << shift | (uint32_t)random_bits(&self->random, shift)};
    draw_place(self, reduce);
    draw_list(self, reduce);
    put_reduce(self, reduce);
}

/* Now and then a context is enabled or not: its reduces are judged in the cycle of their taking. */
static void switch_contexts(struct reduce_bench *self)
{
    if (self->running && chance(self, 1, 300))
        self->enabled_set ^= 1u << random_below(&self->random, self->contexts);
    if (self->running && chance(self, 1, 30))
        self->enabled_set = (1u << self->contexts) - 1;
    pin_set(self->enabled, self->enabled_set);
    for (unsigned c = 0; c < self->contexts; c++)
        self->model.contexts[c].enabled = self->enabled_set >> c & 1;
}

/* ---- pins of a cycle ------------------------------------------------------------------------------------------------- */

static void drive_link_up(struct reduce_bench *self)
{
    const unsigned before = self->link_mask;
    if (chance(self, 1, 500))
        self->link_mask = (unsigned)random_bits(&self->random, self->links);
    if (self->draining)
        self->link_mask = (1u << self->links) - 1;
    if (self->link_mask != before)
        self->mask_since = self->bench.cycle;
    pin_set(self->link_up, self->link_mask);
}

static void line_leaves(struct reduce_bench *self, unsigned context)
{
    moehub_reduce_request_line_taken(&self->model, context);
    self->late_lines[context]++;
}

static void drive(struct reduce_bench *self)
{
    switch_contexts(self);
    if (!self->offered && !self->draining && !stall_next(&self->software))
        draw_reduce(self);
    pin_set(self->reduce_valid, self->offered);
    pin_set_words(self->reduce, self->item);
    pin_set(self->answered_ready, !stall_next(&self->takers));
    pin_set(self->ar_ready, !stall_next(&self->addresses));
    struct list_read *read = &self->reads[self->read_done % LISTS];
    const bool returns = self->read_done < self->read_asked && read->due <= self->bench.cycle;
    pin_set(self->r_valid, returns);
    pin_set_words(self->r_data, read->data.half);
    pin_set(self->r_resp, returns && read->error ? 2 : 0);
    self->read_done += returns;
    drive_link_up(self);
    unsigned ready = 0, freed = 0, taken = 0;
    uint64_t contexts = 0;
    memset(self->late_lines, 0, sizeof self->late_lines);
    for (unsigned l = 0; l < self->links; l++) {
        ready |= (unsigned)(!self->granting && !stall_next(&self->reservers)) << l;
        /* one group's lines are taken, then it is free */
        if (self->held_count[l] > 0 && self->held[l][0].due <= self->bench.cycle) {
            taken |= 1u << l;
            contexts |= (uint64_t)self->held[l][0].context << (3 * l);
            line_leaves(self, self->held[l][0].context);
            if (--self->held[l][0].lines == 0) {
                freed |= 1u << l;
                self->held_count[l]--;
                self->used[l]--;
                moehub_reduce_request_freed(&self->model, l);
                memmove(&self->held[l][0], &self->held[l][1], self->held_count[l] * sizeof self->held[l][0]);
            }
        }
    }
    pin_set(self->reserve_ready, ready);
    pin_set(self->freed_valid, freed);
    uint64_t grants[2] = {0, 0};
    const bool grants_now = self->granting && self->grant_due <= self->bench.cycle;
    pin_set(self->grant_valid, grants_now ? 1u << self->grant_link : 0);
    bits_set(grants, 28 * self->grant_link, 28,
             self->grant_status | (uint64_t)self->grant_entry << 4 | (uint64_t)self->grant_generation << 20);
    pin_set_words(self->grant, grants);
    unsigned takes = 0;
    if (chance(self, 1, 1500)) {
        self->blocked_way = (unsigned)random_below(&self->random, self->links + 1);
        self->blocked_until = self->bench.cycle + 400;
    }
    for (unsigned w = 0; w <= self->links; w++)
        takes |= (unsigned)(!stall_next(&self->request_takers) &&
                            (w != self->blocked_way || self->bench.cycle >= self->blocked_until)) << w;
    pin_set(self->request_ready, takes);
    /* what was answered at once comes on link 0, too */
    for (unsigned c = 0; c < self->contexts && (taken & 1) == 0; c++)
        if (self->answered_lines[c] > 0) {
            taken |= 1;
            contexts |= c;
            self->answered_lines[c]--;
            line_leaves(self, c);
        }
    pin_set(self->done_valid, taken);
    pin_set(self->done_context, contexts);
}

static void expect_reserve(struct reduce_bench *self, unsigned link)
{
    struct moehub_reduce_reservation reservation;
    uint64_t item = 0;
    if (!moehub_reduce_request_reserve(&self->model, link, &reservation))
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: a group is reserved that is not free, or for nobody", link);
    bits_set(&item, 0, 3, reservation.context);
    bits_set(&item, 3, 24, reservation.tag);
    bits_set(&item, 27, 2, reservation.element);
    bits_set(&item, 29, 3, reservation.lines_less_1);
    bits_set(&item, 32, 9, reservation.length);
    bits_set(&item, 41, 2, reservation.contributors);
    scoreboard_expect(&self->reserves, 0, &item);
    self->asked_lines = reservation.lines_less_1 + 1u;
    self->asked_context = reservation.context;
}

/* What has remote targets goes to a link that is up; link_up is looked at a cycle or two before the reservation is offered. */
static void check_link(struct reduce_bench *self, unsigned link)
{
    enum { CHOSEN = 4 };
    const bool remote = pin_get(self->reserve) >> 41 & 1, settled = self->mask_since + CHOSEN < self->idle_since;
    if (!remote || !settled)
        return;
    self->links_down += self->link_mask != (1u << self->links) - 1;
    if ((self->link_mask >> link & 1) == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "a group is reserved on link %u, which is down", link);
}

/* A cycle counts as one without a group only while no link that is up has a free one, a few cycles aside. */
static void check_no_group(struct reduce_bench *self)
{
    enum { KNOWN = 6 };
    const bool counted = pin_get(self->events) >> 5 & 1, settled = self->mask_since + KNOWN < self->bench.cycle;
    for (unsigned l = 0; l < self->links; l++) {
        if (self->model.free_groups[l] == 0)
            self->full_since[l] = self->bench.cycle;
        if (counted && settled && (self->link_mask >> l & 1) != 0 && self->full_since[l] + KNOWN < self->bench.cycle)
            bench_fail(&self->bench, BENCH_MISMATCH, "a cycle without a group is counted, link %u has one", l);
    }
}

static void sample_reserve(struct reduce_bench *self)
{
    const uint64_t taken = pin_get(self->reserve_valid) & pin_get(self->reserve_ready);
    if (pin_get(self->reserve_valid) == 0)
        self->idle_since = self->bench.cycle;
    if (taken == 0)
        return;
    const uint64_t item = pin_get(self->reserve);
    const unsigned l = (unsigned)__builtin_ctzll(taken);
    check_link(self, l);
    if ((taken & (taken - 1)) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "two groups are reserved at once");
    expect_reserve(self, l);
    scoreboard_check(&self->reserves, 0, &item);
    self->granting = true;
    self->grant_link = l;
    self->grant_due = self->bench.cycle + random_range(&self->random, 1, 12);
    self->grant_status = chance(self, 1, GRANTED) ? MOEHUB_STATUS_DRAINING : MOEHUB_STATUS_OK;
    self->grant_entry = (unsigned)random_below(&self->random, self->final_groups) * self->request_lines;
    self->grant_generation = (unsigned)random_bits(&self->random, 8);
}

static void hold_group(struct reduce_bench *self, unsigned l)
{
    self->used[l]++;
    self->held[l][self->held_count[l]].due = self->bench.cycle + random_range(&self->random, 1, HOLD);
    self->held[l][self->held_count[l]].lines = self->asked_lines;
    self->held[l][self->held_count[l]++].context = self->asked_context;
}

static void sample_grant(struct reduce_bench *self)
{
    if ((pin_get(self->grant_valid) & pin_get(self->grant_ready)) == 0)
        return;
    const struct moehub_reduction_grant grant = {.status = (uint8_t)self->grant_status, .entry = (uint16_t)self->grant_entry,
                                                 .generation = (uint8_t)self->grant_generation};
    struct moehub_reduce_copies copies;
    struct moehub_reduce_answer answer;
    self->granting = false;
    if (!moehub_reduce_request_grant(&self->model, &grant, &copies, &answer))
        bench_fail(&self->bench, BENCH_MISMATCH, "a grant is taken that nobody waits for");
    expect_request(self, self->grant_link, &copies.up);
    expect_request(self, self->links, &copies.loop);
    self->both += copies.up.count > 0 && copies.loop.count > 0;
    self->loops_alone += copies.up.count == 0 && copies.loop.count > 0;
    if (grant.status == MOEHUB_STATUS_OK)
        hold_group(self, self->grant_link);
    else
        expect_answer(self, &answer);
    self->drained += grant.status != MOEHUB_STATUS_OK;
    answer_next(self);
}

static void sample_outputs(struct reduce_bench *self)
{
    uint64_t words[12] = {0};
    if (pin_get(self->answered_valid) != 0 && pin_get(self->answered_ready) != 0) {
        uint64_t item[4] = {pin_get(self->answered_user), pin_get(self->answered_last), 0, 0};
        pin_get_words(self->answered, &item[2]);
        scoreboard_check(&self->answers, 0, item);
        const uint64_t of_context = item[0] >> 42 & 7;
        if (item[1] != 0 && of_context < self->contexts)
            self->answered_lines[of_context]++;
    }
    if (pin_get(self->ar_valid) != 0 && pin_get(self->ar_ready) != 0) {
        const uint64_t item = pin_get(self->ar_address);
        scoreboard_check(&self->lists, 0, &item);
        self->reads[self->read_asked % LISTS] = self->expected_reads[self->read_asked % LISTS];
        const uint64_t due = self->bench.cycle + 1 + random_below(&self->random, chance(self, 1, 2) ? 4 : 600);
        const uint64_t before = self->read_asked > self->read_done ? self->reads[(self->read_asked - 1) % LISTS].due : 0;
        self->reads[self->read_asked++ % LISTS].due = due > before ? due : before;
    }
    pin_get_words(self->request, words);
    const uint64_t offered = pin_get(self->request_valid), taken = offered & pin_get(self->request_ready);
    if ((self->inside & ~offered) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "requests: a gap between the flits of a packet");
    self->inside = (self->inside | taken) & ~(taken & pin_get(self->request_last));
    for (unsigned w = 0; w <= self->links; w++) {
        const uint64_t item[4] = {words[2 * w], words[2 * w + 1], pin_get(self->request_last) >> w & 1,
                                  pin_get(self->request_flits) >> (5 * w) & 31};
        if (taken >> w & 1) {
            scoreboard_check(&self->requests, w, item); /* ends the run where none is due */
            self->waiting[w]--;
        }
    }
    const uint64_t events = pin_get(self->events);
    for (unsigned i = 0; i < 7; i++)
        self->counts[i] += events >> i & 1;
    uint64_t header[2];
    pin_get_words(self->error_header, header);
    if (pin_get(self->error_valid) != 0)
        scoreboard_check(&self->errors, 0, header);
}

/* Of a reset: nothing is inside, and contexts are as they were. */
static void forget(struct reduce_bench *self)
{
    struct scoreboard *const all[] = {&self->lists, &self->answers, &self->reserves, &self->requests, &self->errors};
    struct moehub_reduce_context contexts[MOEHUB_REDUCE_CONTEXTS_MAX];
    const struct moehub_reduce_request_config config = self->model.config;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        scoreboard_forget(all[i]);
    self->inside = 0;
    memset(self->waiting, 0, sizeof self->waiting);
    memcpy(contexts, self->model.contexts, sizeof contexts);
    moehub_reduce_request_init(&self->model, &config);
    memcpy(self->model.contexts, contexts, sizeof contexts);
    self->no_group += self->counts[5];
    self->no_room += self->counts[6];
    memset(self->counts, 0, sizeof self->counts);
    memset(self->held_count, 0, sizeof self->held_count);
    memset(self->used, 0, sizeof self->used);
    memset(self->answered_lines, 0, sizeof self->answered_lines);
    memset(self->late_lines, 0, sizeof self->late_lines);
    self->read_put = self->read_asked = self->read_done = 0;
    self->offered = self->granting = false;
    const struct pin *const valids[] = {self->reduce_valid, self->r_valid, self->grant_valid, self->freed_valid,
                                        self->done_valid};
    for (unsigned i = 0; i < sizeof valids / sizeof *valids; i++)
        pin_set(valids[i], 0);
}

static void step(void *context)
{
    struct reduce_bench *self = context;
    for (unsigned c = 0; c < self->contexts && self->running; c++)
        if ((pin_get(self->in_flight) >> c & 1) != (self->model.lines_in_flight[c] + self->late_lines[c] != 0))
            bench_fail(&self->bench, BENCH_MISMATCH, "in_flight of context %u is wrong", c);
    drive(self);
    if (self->bench.reset)
        forget(self);
    bench_settle(&self->bench);
    if (self->bench.quiet && (pin_get(self->reduce_ready) | pin_get(self->answered_valid) | pin_get(self->ar_valid) |
                              pin_get(self->reserve_valid) | pin_get(self->grant_ready) | pin_get(self->request_valid)) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "a valid or ready is high in reset or in the cycle after it");
    if (!self->bench.reset) {
        self->immediates += self->offered && pin_get(self->reduce_ready) != 0 && self->drawn.immediate;
        if (self->offered && pin_get(self->reduce_ready) != 0)
            take_reduce(self);
        check_no_group(self);
        sample_reserve(self);
        sample_grant(self);
        sample_outputs(self);
    }
    bench_tick(&self->bench);
}

/* ---- the run --------------------------------------------------------------------------------------------------------- */

static uint64_t left(const struct reduce_bench *self)
{
    uint64_t held = 0;
    for (unsigned l = 0; l < self->links; l++)
        held += self->held_count[l];
    return held + self->model.count + self->lists.waiting + self->answers.waiting + self->reserves.waiting +
           self->requests.waiting +
           self->errors.waiting + self->offered + self->granting;
}

static void drain(struct reduce_bench *self)
{
    enum { MOST = 1000000 };
    self->draining = true;
    for (unsigned i = 0; i < MOST && left(self) > 0; i++)
        step(self);
    bench_run(&self->bench, 30);
    if (left(self) > 0)
        bench_fail(&self->bench, BENCH_TIMEOUT, "something is left after %d cycles", MOST);
    const struct moehub_reduce_request *model = &self->model;
    scoreboard_value(&self->reserves, "reduces", model->reduces, self->counts[0]);
    scoreboard_value(&self->reserves, "lines", model->lines, self->counts[1]);
    scoreboard_value(&self->reserves, "up", model->requests_up, self->counts[2]);
    scoreboard_value(&self->reserves, "loop", model->requests_loop, self->counts[3]);
    scoreboard_value(&self->reserves, "answered", model->answered, self->counts[4]);
    self->draining = false;
}

/* Between drains: another GPU, other contexts. */
static void change_contexts(struct reduce_bench *self)
{
    uint64_t sizes[4] = {0}, peers[8] = {0}, rounds = 0, shifts = 0;
    const unsigned most = 1u << self->offset_width;
    self->own_gpu = (unsigned)random_below(&self->random, self->gpus);
    self->model.config.own = self->own_gpu;
    pin_set(self->own, self->own_gpu);
    self->enabled_set = (unsigned)random_bits(&self->random, self->contexts) | 1;
    for (unsigned c = 0; c < self->contexts; c++) {
        struct moehub_reduce_context *of_context = &self->model.contexts[c];
        *of_context = (struct moehub_reduce_context){
            .round = (uint8_t)random_bits(&self->random, 4),
            .owner_shift = (uint8_t)random_range(&self->random, 1, 26), /* 64 GPUs are named by the other 6 bits */
            .row_size = c == 0 ? most : 128 * (1 + (unsigned)random_below(&self->random, most / 128)),
            .peers = random_bits(&self->random, self->gpus) | random_bits(&self->random, self->gpus) |
                     UINT64_C(1) << self->own_gpu};
        bits_set(sizes, c * (self->offset_width + 1), self->offset_width + 1, of_context->row_size);
        bits_set(peers, c * self->gpus, self->gpus, of_context->peers);
        rounds |= (uint64_t)of_context->round << (4 * c);
        shifts |= (uint64_t)of_context->owner_shift << (5 * c);
    }
    pin_set(self->rounds, rounds);
    pin_set(self->owner_shifts, shifts);
    pin_set_words(self->peers, peers);
    pin_set_words(self->row_sizes, sizes);
}

static void demand(struct reduce_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void find_pins(struct reduce_bench *self)
{
    const struct {
        const struct pin **pin;
        const char *name;
    } pins[] = {
        {&self->own, "own"}, {&self->enabled, "enabled"}, {&self->rounds, "rounds"}, {&self->owner_shifts, "owner_shifts"},
        {&self->peers, "peers"}, {&self->row_sizes, "row_sizes"}, {&self->link_up, "link_up"},
        {&self->reduce_valid, "s_axis_reduce_tvalid"}, {&self->reduce_ready, "s_axis_reduce_tready"},
        {&self->reduce, "s_axis_reduce_tdata"}, {&self->answered_valid, "m_axis_answered_tvalid"},
        {&self->answered_ready, "m_axis_answered_tready"}, {&self->answered, "m_axis_answered_tdata"},
        {&self->answered_user, "m_axis_answered_tuser"}, {&self->answered_last, "m_axis_answered_tlast"},
        {&self->ar_valid, "m_axi_list_arvalid"}, {&self->ar_ready, "m_axi_list_arready"},
        {&self->ar_address, "m_axi_list_araddr"}, {&self->r_valid, "m_axi_list_rvalid"}, {&self->r_data, "m_axi_list_rdata"},
        {&self->r_resp, "m_axi_list_rresp"}, {&self->reserve_valid, "m_axis_reserve_tvalid"},
        {&self->reserve_ready, "m_axis_reserve_tready"}, {&self->reserve, "m_axis_reserve_tdata"},
        {&self->grant_valid, "s_axis_grant_tvalid"}, {&self->grant_ready, "s_axis_grant_tready"},
        {&self->grant, "s_axis_grant_tdata"}, {&self->freed_valid, "freed_valid"},
        {&self->request_valid, "m_axis_request_tvalid"}, {&self->request_ready, "m_axis_request_tready"},
        {&self->request, "m_axis_request_tdata"}, {&self->request_last, "m_axis_request_tlast"},
        {&self->request_flits, "m_axis_request_tflits"}, {&self->done_valid, "line_done_valid"},
        {&self->done_context, "line_done_context"}, {&self->in_flight, "in_flight"}, {&self->events, "events"},
        {&self->error_valid, "error_valid"}, {&self->error_header, "error_header"},
    };
    for (unsigned i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(&self->bench, pins[i].name);
}

static void create(struct reduce_bench *self)
{
    struct bench *bench = &self->bench;
    const uint64_t seed = bench->options.seed;
    self->links = 1, self->gpus = 8, self->contexts = 4, self->local_expert_bits = 8, self->max_targets = 32;
    self->request_lines = 8, self->offset_width = 14, self->address_width = 48, self->reduces = 16, self->final_groups = 13;
    self->with_fp32 = 1;
    const struct parameter parameters[] = {
        {"LINKS", &self->links}, {"GPUS", &self->gpus}, {"CONTEXTS", &self->contexts},
        {"LOCAL_EXPERT_BITS", &self->local_expert_bits}, {"MAX_TARGETS", &self->max_targets},
        {"REQUEST_LINES", &self->request_lines}, {"OFFSET_WIDTH", &self->offset_width},
        {"ADDRESS_WIDTH", &self->address_width}, {"REDUCES", &self->reduces}, {"FINAL_GROUPS", &self->final_groups},
        {"WITH_FP32", &self->with_fp32}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    find_pins(self);
    scoreboard_create(&self->lists, bench, "list reads", list_fields, 1, 1, 1 << 12);
    scoreboard_create(&self->answers, bench, "answers", answer_fields, 3, 1, 1 << 15);
    scoreboard_create(&self->reserves, bench, "reservations", reserve_fields, 1, 1, 1 << 12);
    scoreboard_create(&self->requests, bench, "requests", request_fields, 3, self->links + 1, 1 << 12);
    scoreboard_create(&self->errors, bench, "errors", error_fields, 1, 1, 1 << 12);
    self->lists.block.may_be_empty = self->max_targets == 1;
    bench_random(bench, &self->random, "reduces");
    stall_init(&self->software, STALL_MIXED, seed, "software");
    stall_init(&self->addresses, STALL_MIXED, seed, "addresses");
    stall_init(&self->takers, STALL_MIXED, seed, "answers");
    stall_init(&self->reservers, STALL_MIXED, seed, "reservations");
    stall_init(&self->request_takers, STALL_MIXED, seed, "requests");
    const struct moehub_reduce_request_config config = {
        self->links, self->gpus, self->contexts, self->local_expert_bits, self->max_targets, self->request_lines,
        self->address_width, self->final_groups, self->with_fp32, 0};
    if (moehub_reduce_request_init(&self->model, &config) != 0)
        bench_fail(bench, BENCH_CONFIGURATION, "the model has no such configuration");
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "reduce_request against its model", .events = 60000, .cycles = UINT64_MAX, .watchdog = 100000};
    static struct reduce_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    create(&self);
    bench->step = step;
    bench->context = &self;
    self.draining = true;
    change_contexts(&self);
    bench_reset(bench, 2);
    self.draining = false;
    self.running = true;
    while (bench_running(bench)) {
        bench_run(bench, random_range(&self.random, 2000, 20000));
        if (chance(&self, 1, 3))
            bench_reset(bench, (unsigned)random_range(&self.random, 1, 3));
        drain(&self);
        change_contexts(&self);
    }
    drain(&self);
    if (self.max_targets > 1)
        demand(&self, "up and loop-back", self.both);
    demand(&self, "loop-back alone", self.loops_alone);
    demand(&self, "no target", self.empties);
    demand(&self, "immediate", self.immediates);
    if (self.links > 1)
        demand(&self, "choices while a link is down", self.links_down);
    demand(&self, "grants that are not OK", self.drained);
    static const struct { unsigned status; const char *name; } refusals[] = {
        {MOEHUB_STATUS_CONTEXT, "CONTEXT"}, {MOEHUB_STATUS_TYPE, "TYPE"}, {MOEHUB_STATUS_LENGTH, "LENGTH"},
        {MOEHUB_STATUS_RANGE, "RANGE"}, {MOEHUB_STATUS_MEMORY, "MEMORY"}, {MOEHUB_STATUS_PEER, "PEER"}};
    for (unsigned i = 0; i < sizeof refusals / sizeof *refusals; i++)
        demand(&self, refusals[i].name, self.by_status[refusals[i].status]);
    if (self.max_targets > 1)
        demand(&self, "MALFORMED", self.by_status[MOEHUB_STATUS_MALFORMED]);
    demand(&self, "cycles without a group", self.no_group + self.counts[5]);
    if (self.final_groups > 5)
        demand(&self, "cycles without room", self.no_room + self.counts[6]);
    return bench_finish(bench);
}
