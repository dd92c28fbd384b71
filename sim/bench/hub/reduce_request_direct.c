/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_request against its page: software, list memory, final_reduce of each link and takers of requests are the bench's. */
#include "kit/bits.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "moehub/list_check.h"
#include "moehub/packet.h"

#include <string.h>

enum { OPEN = 256, LINKS = 4, LISTS = 1024, GROUPS = 4096, SIZE_LSB_MOST = 17, STATUSES = 16, GRANTED = 24, HOLD = 600 };

struct reduce {
    unsigned context, line, length, element, tag, status, lines, remotes, owns;
    uint32_t row_index;
    bool at_once;
    uint16_t remote[32], own[32];
};

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
    unsigned own_gpu, shift;
    uint64_t peer_sets[8];
    unsigned sizes[8], round_of[8], enabled_set;
    /* in their order */
    struct reduce open[OPEN];
    uint64_t put, issued;
    struct list_read reads[LISTS];
    struct list_read expected_reads[LISTS];
    uint64_t read_put, read_asked, read_done;
    uint64_t item[3]; /* offered reduce */
    bool offered, draining, running;
    /* a reservation at a time */
    bool granting;
    unsigned grant_link, grant_status, grant_entry, grant_generation;
    uint64_t grant_due;
    unsigned used[LINKS], generation[LINKS];
    struct { uint64_t due; unsigned lines, context; } held[LINKS][GROUPS];
    unsigned held_count[LINKS];
    uint64_t in_flight_lines[8];
    uint64_t counts[7], expected[7], by_status[STATUSES], drained, both, loops_alone, empties, immediates;
    unsigned link_mask, blocked_way;
    uint64_t blocked_until;    /* nobody takes that way's requests */
    unsigned answered_lines[8]; /* taken, not told in line_done */
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

/* ---- what the page says of a reduce --------------------------------------------------------------------------------------- */

static unsigned field_status(const struct reduce_bench *self, const struct reduce *reduce, bool immediate, unsigned count,
                             uint64_t address)
{
    if (reduce->context >= self->contexts || (self->enabled_set >> reduce->context & 1) == 0)
        return MOEHUB_STATUS_CONTEXT;
    if (reduce->element == MOEHUB_ELEMENT_BYTES || (reduce->element == MOEHUB_ELEMENT_FP32 && self->with_fp32 == 0))
        return MOEHUB_STATUS_TYPE;
    if (reduce->length == 0 || reduce->length > 8 * self->request_lines)
        return MOEHUB_STATUS_LENGTH;
    if (reduce->row_index >> self->shift != self->own_gpu ||
        128 * reduce->line + 16 * reduce->length > self->sizes[reduce->context] ||
        (!immediate && (count > self->max_targets || address % 16 != 0)))
        return MOEHUB_STATUS_RANGE;
    return MOEHUB_STATUS_OK;
}

static unsigned lines_of(const struct reduce_bench *self, unsigned length)
{
    const unsigned lines = (length + 7) / 8;
    return lines == 0 ? 1 : lines > self->request_lines ? self->request_lines : lines;
}

static void expect_answer(struct reduce_bench *self, const struct reduce *reduce, unsigned status)
{
    self->by_status[status]++;
    self->expected[4]++;
    for (unsigned line = 0; line < reduce->lines; line++) {
        const unsigned rest = reduce->length - 8 * line, units = status ? 1 : rest > 8 ? 8 : rest;
        for (unsigned i = 0; i < units; i++) {
            uint64_t item[4] = {0, i + 1 == units, 0, 0};
            bits_set(item, 0, 4, status);
            bits_set(item, 4, 2, reduce->element);
            bits_set(item, 6, 9, status ? 0 : 16 * units);
            bits_set(item, 15, 3, line);
            bits_set(item, 18, 24, reduce->tag);
            bits_set(item, 42, 3, reduce->context);
            scoreboard_expect(&self->answers, 0, item);
        }
    }
    if (status == MOEHUB_STATUS_OK)
        return;
    uint64_t header[2] = {0, 0};
    bits_set(header, MOEHUB_HEADER_CONTEXT_LSB, 3, reduce->context);
    bits_set(header, MOEHUB_HEADER_TAG_LSB, 24, reduce->tag);
    bits_set(header, MOEHUB_HEADER_STATUS_LSB, 4, status);
    bits_set(header, MOEHUB_HEADER_ROW_INDEX_LSB, 32, reduce->row_index);
    scoreboard_expect(&self->errors, 0, header);
}

/* What is answered at once and is the oldest: answers come in the order of the reduces. */
static void answer_next(struct reduce_bench *self)
{
    for (; self->issued < self->put && self->open[self->issued % OPEN].at_once; self->issued++)
        expect_answer(self, &self->open[self->issued % OPEN], self->open[self->issued % OPEN].status);
}

static void expect_reserve(struct reduce_bench *self, const struct reduce *reduce)
{
    uint64_t item = 0;
    bits_set(&item, 0, 3, reduce->context);
    bits_set(&item, 3, 24, reduce->tag);
    bits_set(&item, 27, 2, reduce->element);
    bits_set(&item, 29, 3, reduce->lines - 1);
    bits_set(&item, 32, 9, 16 * (reduce->length - 8 * (reduce->lines - 1)));
    bits_set(&item, 41, 2, (reduce->remotes > 0) | (reduce->owns > 0) << 1);
    scoreboard_expect(&self->reserves, 0, &item);
}

static void expect_request(struct reduce_bench *self, const struct reduce *reduce, unsigned way, const uint16_t *ids,
                           unsigned count, unsigned tag)
{
    const struct moehub_header header = {.type = MOEHUB_PACKET_LD_REDUCE, .length = (uint16_t)reduce->length,
                                         .source = (uint16_t)self->own_gpu, .context = (uint8_t)reduce->context, .tag = tag,
                                         .element = (uint8_t)reduce->element, .operation = MOEHUB_OPERATION_SUM,
                                         .offset = (uint16_t)(128 * reduce->line), .row_index = reduce->row_index,
                                         .stage = MOEHUB_STAGE_COMBINE, .target_count = (uint8_t)count,
                                         .round = (uint8_t)self->round_of[reduce->context]};
    const unsigned flits = 1 + (count + 7) / 8;
    for (unsigned i = 0; i < flits; i++) {
        struct moehub_flit flit = {{0, 0}};
        if (i == 0)
            flit = moehub_header_pack(&header);
        for (unsigned j = 0; i > 0 && j < 8 && 8 * (i - 1) + j < count; j++)
            bits_set(flit.half, 16 * j, 16, ids[8 * (i - 1) + j]);
        const uint64_t item[4] = {flit.half[0], flit.half[1], i + 1 == flits, flits};
        scoreboard_expect(&self->requests, way, item);
    }
}

/* ---- software -------------------------------------------------------------------------------------------------------- */

static unsigned draw_ids(struct reduce_bench *self, const struct reduce *reduce, unsigned count, uint16_t *ids)
{
    const unsigned locals = 1u << self->local_expert_bits;
    const bool wild = chance(self, 1, 10);
    unsigned made = 0;
    for (unsigned tries = 0; made < count && tries < 200; tries++) {
        const unsigned gpu = wild ? (unsigned)random_below(&self->random, self->gpus + 1)
                                  : chance(self, 1, 3) ? self->own_gpu : (unsigned)random_below(&self->random, self->gpus);
        if (!wild && (self->peer_sets[reduce->context & 7] >> gpu & 1) == 0)
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
    return made;
}

static unsigned read_list(struct reduce_bench *self, const uint16_t *ids, unsigned count, uint64_t address)
{
    bool error = false;
    for (unsigned i = 0; i < (count + 7) / 8; i++) {
        struct list_read *read = &self->expected_reads[self->read_put++ % LISTS];
        const uint64_t item = (address + 16 * i) & bits_mask(self->address_width);
        *read = (struct list_read){{{random_next(&self->random), random_next(&self->random)}}, 0, chance(self, 1, 100)};
        for (unsigned j = 0; j < 8 && 8 * i + j < count; j++)
            bits_set(read->data.half, 16 * j, 16, ids[8 * i + j]);
        error = error || read->error;
        scoreboard_expect(&self->lists, 0, &item);
    }
    return error ? MOEHUB_STATUS_MEMORY : MOEHUB_STATUS_OK;
}

static void draw_reduce(struct reduce_bench *self)
{
    struct reduce *reduce = &self->open[self->put % OPEN];
    const unsigned room = self->sizes[0] / 16;
    uint16_t ids[64];
    *reduce = (struct reduce){.context = (unsigned)random_below(&self->random, chance(self, 1, 16) ? 8 : self->contexts),
                              .length = 1 + (unsigned)random_below(&self->random, 8 * self->request_lines),
                              .element = (unsigned)random_below(&self->random, chance(self, 1, 16) ? 4 : 2),
                              .tag = (unsigned)random_bits(&self->random, 24),
                              .row_index = self->own_gpu << self->shift | (uint32_t)random_bits(&self->random, self->shift)};
    if (room / 8 > 1)
        reduce->line = (unsigned)random_below(&self->random, room / 8);
    if (chance(self, 3, 4) && reduce->line * 8 + reduce->length > room)
        reduce->line = 0, reduce->length = reduce->length > room ? room : reduce->length;
    if (chance(self, 1, 32))
        reduce->length = chance(self, 1, 2) ? 0 : (unsigned)random_below(&self->random, 512);
    if (chance(self, 1, 32))
        reduce->row_index ^= 1u << random_below(&self->random, 32);
    const bool immediate = chance(self, 1, 8);
    unsigned count = (unsigned)random_below(&self->random, 1 + (chance(self, 1, 2) ? self->max_targets
                                                                 : self->max_targets < 4 ? self->max_targets : 4));
    uint64_t address = random_bits(&self->random, self->address_width) & ~UINT64_C(15);
    const unsigned made = draw_ids(self, reduce, immediate ? 1 : count, ids);
    if (!immediate)
        count = made;
    if (made == 0)
        ids[0] = (uint16_t)random_bits(&self->random, 16);
    const bool too_many = chance(self, 1, 40);
    const unsigned told = immediate ? (unsigned)random_bits(&self->random, 6) : too_many ? self->max_targets + 1 : count;
    if (chance(self, 1, 40) || immediate)
        address |= random_bits(&self->random, 4);
    reduce->lines = lines_of(self, reduce->length);
    reduce->status = field_status(self, reduce, immediate, told, address);
    const unsigned ids_count = immediate ? 1 : count;
    if (reduce->status == MOEHUB_STATUS_OK && !immediate)
        reduce->status = read_list(self, ids, count, address);
    if (reduce->status == MOEHUB_STATUS_OK && ids_count > 0) {
        const struct moehub_list_rules rules = {self->peer_sets[reduce->context], self->gpus, self->own_gpu,
                                                self->local_expert_bits};
        struct moehub_split_list split;
        reduce->status = moehub_list_check(&rules, ids, ids_count, &split);
        reduce->remotes = split.remote_count, reduce->owns = split.own_count;
        memcpy(reduce->remote, split.remote, sizeof split.remote);
        memcpy(reduce->own, split.own, sizeof split.own);
    }
    reduce->at_once = reduce->status != MOEHUB_STATUS_OK || reduce->remotes + reduce->owns == 0;
    self->empties += reduce->status == MOEHUB_STATUS_OK && reduce->at_once;
    self->immediates += reduce->status == MOEHUB_STATUS_OK && immediate;
    self->expected[0]++;
    if (!reduce->at_once)
        expect_reserve(self, reduce);
    self->put++;
    answer_next(self);
    memset(self->item, 0, sizeof self->item);
    bits_set(self->item, 0, 3, reduce->context);
    bits_set(self->item, 3, 1, immediate);
    bits_set(self->item, 4, 6, told);
    bits_set(self->item, 10, self->address_width, address);
    const unsigned at = 10 + self->address_width;
    bits_set(self->item, at, 16, ids[0]);
    bits_set(self->item, at + 16, 32, reduce->row_index);
    bits_set(self->item, at + 48, 9, reduce->line);
    bits_set(self->item, at + 57, 9, reduce->length);
    bits_set(self->item, at + 66, 2, reduce->element);
    bits_set(self->item, at + 68, 24, reduce->tag);
    self->offered = true;
}

/* ---- pins of a cycle ------------------------------------------------------------------------------------------------- */

static void drive(struct reduce_bench *self)
{
    if (!self->offered && !self->draining && self->put - self->issued < OPEN && !stall_next(&self->software))
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
    if (chance(self, 1, 500))
        self->link_mask = (unsigned)random_bits(&self->random, self->links);
    if (self->draining)
        self->link_mask = (1u << self->links) - 1;
    pin_set(self->link_up, self->link_mask);
    unsigned ready = 0, freed = 0, taken = 0;
    uint64_t contexts = 0;
    for (unsigned l = 0; l < self->links; l++) {
        ready |= (unsigned)(!self->granting && !stall_next(&self->reservers)) << l;
        /* one group's lines are taken, then it is free */
        if (self->held_count[l] > 0 && self->held[l][0].due <= self->bench.cycle) {
            taken |= 1u << l;
            contexts |= (uint64_t)self->held[l][0].context << (3 * l);
            self->in_flight_lines[self->held[l][0].context]--;
            if (--self->held[l][0].lines == 0) {
                freed |= 1u << l;
                self->held_count[l]--;
                self->used[l]--;
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
            self->in_flight_lines[c]--;
        }
    pin_set(self->done_valid, taken);
    pin_set(self->done_context, contexts);
}

static void sample_reserve(struct reduce_bench *self)
{
    const uint64_t taken = pin_get(self->reserve_valid) & pin_get(self->reserve_ready);
    if (taken == 0)
        return;
    uint64_t item = 0;
    item = pin_get(self->reserve);
    scoreboard_check(&self->reserves, 0, &item);
    const struct reduce *reduce = &self->open[self->issued % OPEN];
    const unsigned l = (unsigned)__builtin_ctzll(taken);
    if ((taken & (taken - 1)) != 0 || self->used[l] >= self->final_groups)
        bench_fail(&self->bench, BENCH_MISMATCH, "a group is reserved that is not there, or two are");
    self->granting = true;
    self->grant_link = l;
    self->grant_due = self->bench.cycle + random_range(&self->random, 1, 12);
    self->grant_status = chance(self, 1, GRANTED) ? MOEHUB_STATUS_DRAINING : MOEHUB_STATUS_OK;
    self->grant_entry = (unsigned)random_below(&self->random, self->final_groups) * self->request_lines;
    self->grant_generation = (unsigned)random_bits(&self->random, 8);
    if (self->grant_status != MOEHUB_STATUS_OK) {
        self->drained++;
        return;
    }
    if (reduce->remotes > 0)
        expect_request(self, reduce, l, reduce->remote, reduce->remotes, self->grant_generation << 16 | self->grant_entry);
    if (reduce->owns > 0)
        expect_request(self, reduce, self->links, reduce->own, reduce->owns,
                       l << 22 | self->grant_entry << 8 | self->grant_generation);
    self->both += reduce->remotes > 0 && reduce->owns > 0;
    self->loops_alone += reduce->remotes == 0;
    self->expected[1] += reduce->lines;
    self->expected[2] += reduce->remotes > 0;
    self->expected[3] += reduce->owns > 0;
    self->used[l]++;
}

static void sample_grant(struct reduce_bench *self)
{
    if ((pin_get(self->grant_valid) & pin_get(self->grant_ready)) == 0)
        return;
    const unsigned l = self->grant_link;
    const struct reduce *reduce = &self->open[self->issued++ % OPEN];
    self->granting = false;
    if (self->grant_status != MOEHUB_STATUS_OK)
        expect_answer(self, reduce, self->grant_status);
    answer_next(self);
    if (self->grant_status != MOEHUB_STATUS_OK)
        return;
    self->held[l][self->held_count[l]].due = self->bench.cycle + random_range(&self->random, 1, HOLD);
    self->held[l][self->held_count[l]].lines = reduce->lines;
    self->held[l][self->held_count[l]++].context = reduce->context;
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
    const uint64_t taken = pin_get(self->request_valid) & pin_get(self->request_ready);
    for (unsigned w = 0; w <= self->links; w++) {
        const uint64_t item[4] = {words[2 * w], words[2 * w + 1], pin_get(self->request_last) >> w & 1,
                                  pin_get(self->request_flits) >> (5 * w) & 31};
        if (taken >> w & 1)
            scoreboard_check(&self->requests, w, item);
    }
    const uint64_t events = pin_get(self->events);
    for (unsigned i = 0; i < 7; i++)
        self->counts[i] += events >> i & 1;
    uint64_t header[2];
    pin_get_words(self->error_header, header);
    if (pin_get(self->error_valid) != 0)
        scoreboard_check(&self->errors, 0, header);
}

static void step(void *context)
{
    struct reduce_bench *self = context;
    for (unsigned c = 0; c < self->contexts && self->running; c++)
        if ((pin_get(self->in_flight) >> c & 1) != (self->in_flight_lines[c] != 0))
            bench_fail(&self->bench, BENCH_MISMATCH, "in_flight of context %u is wrong", c);
    drive(self);
    if (self->bench.reset)
        pin_set(self->reduce_valid, 0);
    bench_settle(&self->bench);
    if (!self->bench.reset) {
        if (self->offered && pin_get(self->reduce_ready) != 0) {
            const struct reduce *reduce = &self->open[(self->put - 1) % OPEN];
            self->offered = false;
            if (reduce->context < self->contexts)
                self->in_flight_lines[reduce->context] += reduce->lines;
        }
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
    return held + self->lists.waiting + self->answers.waiting + self->reserves.waiting + self->requests.waiting +
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
    static const char *const names[] = {"reduces", "lines", "up", "loop", "answered"};
    for (unsigned i = 0; i < 5; i++)
        scoreboard_value(&self->reserves, names[i], self->expected[i], self->counts[i]);
    self->draining = false;
}

/* Between drains: other contexts. */
static void change_contexts(struct reduce_bench *self)
{
    uint64_t sizes[4] = {0}, peers[8] = {0}, rounds = 0, shifts = 0;
    self->enabled_set = (unsigned)random_bits(&self->random, self->contexts) | 1;
    for (unsigned c = 0; c < self->contexts; c++) {
        const unsigned most = 1u << self->offset_width;
        self->sizes[c] = c == 0 ? most : 128 * (1 + (unsigned)random_below(&self->random, most / 128));
        self->peer_sets[c] = random_bits(&self->random, self->gpus) | random_bits(&self->random, self->gpus) |
                             UINT64_C(1) << self->own_gpu;
        self->round_of[c] = (unsigned)random_below(&self->random, 16);
        bits_set(sizes, c * (self->offset_width + 1), self->offset_width + 1, self->sizes[c]);
        bits_set(peers, c * self->gpus, self->gpus, self->peer_sets[c]);
        rounds |= (uint64_t)self->round_of[c] << (4 * c);
        shifts |= (uint64_t)self->shift << (5 * c);
    }
    pin_set(self->enabled, self->enabled_set);
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
    self->own_gpu = (unsigned)random_below(&self->random, self->gpus);
    self->shift = 10;
    pin_set(self->own, self->own_gpu);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "reduce_request against its page", .events = 60000, .cycles = UINT64_MAX, .watchdog = 100000};
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
        drain(&self);
        change_contexts(&self);
    }
    drain(&self);
    if (self.max_targets > 1)
        demand(&self, "up and loop-back", self.both);
    demand(&self, "loop-back alone", self.loops_alone);
    demand(&self, "no target", self.empties);
    demand(&self, "immediate", self.immediates);
    demand(&self, "grants that are not OK", self.drained);
    static const struct { unsigned status; const char *name; } refusals[] = {
        {MOEHUB_STATUS_CONTEXT, "CONTEXT"}, {MOEHUB_STATUS_TYPE, "TYPE"}, {MOEHUB_STATUS_LENGTH, "LENGTH"},
        {MOEHUB_STATUS_RANGE, "RANGE"}, {MOEHUB_STATUS_MEMORY, "MEMORY"}, {MOEHUB_STATUS_PEER, "PEER"}};
    for (unsigned i = 0; i < sizeof refusals / sizeof *refusals; i++)
        demand(&self, refusals[i].name, self.by_status[refusals[i].status]);
    if (self.max_targets > 1)
        demand(&self, "MALFORMED", self.by_status[MOEHUB_STATUS_MALFORMED]);
    demand(&self, "cycles without a group", self.counts[5]);
    if (self.final_groups > 5)
        demand(&self, "cycles without room", self.counts[6]);
    return bench_finish(bench);
}
