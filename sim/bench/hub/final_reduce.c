/* SPDX-License-Identifier: Apache-2.0 */
/* The last step of a hub's sums against the model: own partials, final_reduce of each link, link 0's sums joined with answers.
 * The model is told which part the buffer takes next, which entry leaves, which group is free again, when a line's time is up.
 * It follows the design TIMEOUT_ORDER cycles late, as a timeout comes before the parts of that many cycles before its pulse. */
#include "kit/axi_lite.h"
#include "kit/bits.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "moehub/final_reduce.h"
#include "moehub/registers.h"

#include <inttypes.h>
#include <string.h>

enum {
    LINKS = 4,
    STREAMS = LINKS + 1, /* results of each link; own partials of all */
    ORDER = 4,           /* TIMEOUT_ORDER of the buffer */
    HISTORY = ORDER + 1,
    POOL = 1 << 16,
    AHEAD = 32, /* of a pool's packets one of the first so many is next */
    SENT = 64,
    OUTSTANDING = 64,
    RESULT_WIDTH = 167,
    RESERVE_WIDTH = 43,
    GRANT_WIDTH = 28,
    GROUPS = 4096,
    PASSED = 2, /* packets of the other that begin while one waits, and, maybe, the end of one before */
    USER_WIDTH = 45,
    PACKET_FLITS = 16,
    REFUSED = 16
};

struct packet {
    struct moehub_flit flits[MOEHUB_RESPONSE_LONGEST];
    unsigned count;
};

/* Packets that wait, and the one under way: as the way or pre_reduce has it. */
struct sender {
    struct packet *pool;
    unsigned waiting;
    struct packet packet;
    struct moehub_line_part part;
    unsigned link, at, flits;
    bool busy, offered;
    struct stall stall;
};

struct flit_out {
    uint64_t item[4]; /* data, user, last */
};

struct packet_out {
    struct flit_out flits[PACKET_FLITS];
    unsigned count;
};

/* What the design did in a cycle, a link. */
struct happened {
    bool freed, reserved, granted, left, part, packet, answer;
    unsigned freed_entry, left_entry, part_port;
    struct moehub_reduce_reservation reservation;
    uint64_t grant;
    struct packet_out out;
};

struct link {
    struct moehub_final_reduce model;
    struct happened history[HISTORY];
    struct moehub_line_part sent[2][SENT]; /* by port, not taken by the buffer */
    unsigned sent_first[2], sent_count[2];
    unsigned passed[2]; /* by port: packets of the other that began since one waits */
    uint64_t granted_at[GROUPS];
    bool timed_out[GROUPS];
    struct moehub_reduce_reservation outstanding[OUTSTANDING];
    unsigned outstanding_first, outstanding_count;
    struct moehub_reduce_reservation offer;
    bool offered, inside; /* inside: of a part, in the buffer's input */
    struct packet_out out;
    struct flit_out held;
    bool holds;
    unsigned occupied;
    struct stall reserves, grants, takes;
};

struct final_bench {
    struct bench bench;
    const struct pin *own, *axil_links, *reserve_valid, *reserve_ready, *reserve_data, *grant_valid, *grant_ready, *grant_data,
        *result_valid, *result_ready, *result_data, *result_last, *partial_valid, *partial_ready, *partial_data, *partial_last,
        *reduced_valid, *reduced_ready, *reduced_data, *reduced_user, *reduced_last, *initialised, *timeout_valid, *timeout_entry,
        *freed_valid, *freed_entry, *own_waits, *part_taken, *part_last, *part_of_own, *left, *left_entry, *joined_answer;
    struct scoreboard grants, sums, answers, registers;
    struct random_source random;
    struct axi_lite lite;
    struct source answered;
    struct packet_out answer; /* under way */
    unsigned answer_at;
    uint32_t links, final_groups, request_lines, with_fp32;
    struct link link[LINKS];
    struct sender sender[STREAMS];
    unsigned timeout;      /* cycles of all links, 0: none */
    unsigned contributors; /* while rates are measured: of all reservations; else 0 */
    bool draining, resting;
    uint64_t causes[MOEHUB_REDUCTION_CAUSES + 1], statuses[16], grant_statuses[16], foreign_links, answer_packets, timeouts,
        joined, sum_flits;
};

static const struct field grant_fields[] = {{"grant", GRANT_WIDTH}};
static const struct field flit_fields[] = {{"data", 128}, {"user", USER_WIDTH}, {"last", 1}};
static const struct field value_fields[] = {{"value", 64}};

static bool chance(struct final_bench *self, unsigned numerator, unsigned denominator)
{
    return random_chance(&self->random, numerator, denominator);
}

static bool measuring(const struct final_bench *self)
{
    return self->contributors != 0;
}

/* ---- parts of the lines of a group ---------------------------------------------------------------------------------------- */

static void pack(struct final_bench *self, unsigned link, unsigned port, const struct moehub_line_part *part,
                 struct packet *packet)
{
    const uint32_t tag = port == MOEHUB_FINAL_REDUCE_NETWORK
                             ? (uint32_t)part->generation << 16 | part->entry
                             : (uint32_t)link << 22 | (uint32_t)(part->entry & 0x3FFF) << 8 | part->generation;
    const struct moehub_header header = {
        .type = port == MOEHUB_FINAL_REDUCE_NETWORK ? MOEHUB_PACKET_RESULT : MOEHUB_PACKET_PARTIAL,
        .length = part->length,
        .source = (uint16_t)random_bits(&self->random, 10),
        .context = (uint8_t)random_bits(&self->random, 3),
        .tag = tag,
        .status = part->status,
        .element = part->element,
        .offset = (uint16_t)pin_get(self->own),
        .stage = MOEHUB_STAGE_COMBINE,
        .round = (uint8_t)random_bits(&self->random, 4)};
    packet->flits[0] = moehub_header_pack(&header);
    packet->count = 1 + part->flits;
    for (unsigned i = 0; i < part->flits; i++)
        packet->flits[1 + i] = (struct moehub_flit){{random_next(&self->random), random_next(&self->random)}};
}

static void plan(struct final_bench *self, unsigned link, unsigned port, const struct moehub_line_part *part)
{
    struct sender *sender = &self->sender[port == MOEHUB_FINAL_REDUCE_NETWORK ? link : LINKS];
    if (sender->waiting == POOL)
        bench_fail(&self->bench, BENCH_CONFIGURATION, "the bench has no room for a part");
    pack(self, link, port, part, &sender->pool[sender->waiting++]);
}

/* Wrong in one of the ways in which a part can be. */
static void spoil(struct final_bench *self, struct moehub_line_part *part)
{
    switch (random_below(&self->random, 12)) {
    case 0:
        part->status = (uint8_t)random_range(&self->random, 1, 15);
        part->length = 0;
        part->flits = 0;
        break;
    case 1:
        part->element = (uint8_t)random_bits(&self->random, 2);
        break;
    case 2:
        part->flits = (unsigned)random_range(&self->random, 1, PACKET_FLITS);
        part->length = (uint16_t)(MOEHUB_FLIT_BYTES * part->flits);
        break;
    case 3:
        part->flits = (unsigned)random_range(&self->random, 1, PACKET_FLITS);
        break;
    default:
        break;
    }
}

/* Beside the right one: one too many, of nobody, of an earlier use of the group, of no entry, of no link. */
static void plan_more(struct final_bench *self, unsigned link, unsigned port, struct moehub_line_part part)
{
    const unsigned entries = self->final_groups * self->request_lines;
    switch (random_below(&self->random, 24)) {
    case 0:
        plan(self, link, port, &part);
        break;
    case 1:
        plan(self, link, 1 - port, &part);
        break;
    case 2:
        part.generation ^= 0x80;
        plan(self, link, port, &part);
        break;
    case 3:
        part.entry = (uint16_t)(entries + random_below(&self->random, 0x3FFF - entries));
        plan(self, link, port, &part);
        break;
    case 4:
        if (self->links < LINKS) {
            plan(self, (unsigned)random_range(&self->random, self->links, LINKS - 1), MOEHUB_FINAL_REDUCE_OWN, &part);
            self->foreign_links++;
        }
        break;
    default:
        break;
    }
}

static void plan_group(struct final_bench *self, unsigned l, const struct moehub_reduce_reservation *reservation, unsigned entry,
                       unsigned generation)
{
    for (unsigned line = 0; line <= reservation->lines_less_1 % self->request_lines; line++)
        for (unsigned port = 0; port < 2; port++) {
            const bool last = line == reservation->lines_less_1 % self->request_lines;
            const unsigned length = last ? reservation->length : MOEHUB_LINE_BYTES;
            struct moehub_line_part part = {.flits = moehub_payload_flits(length), .length = (uint16_t)length,
                                            .entry = (uint16_t)(entry + line), .generation = (uint8_t)generation,
                                            .element = reservation->element};
            if ((reservation->contributors >> port & 1) == 0)
                continue;
            if (!measuring(self) && chance(self, 1, 3))
                plan_more(self, l, port, part);
            if (!measuring(self) && chance(self, 1, 3))
                spoil(self, &part);
            if (self->timeout == 0 || !chance(self, 1, 20))
                plan(self, l, port, &part);
        }
}

/* ---- what is offered ------------------------------------------------------------------------------------------------------ */

static void draw_reservation(struct final_bench *self, struct moehub_reduce_reservation *reservation)
{
    *reservation = (struct moehub_reduce_reservation){.tag = (uint32_t)random_bits(&self->random, 24),
                                                      .length = (uint16_t)(16 * random_range(&self->random, 1, 8)),
                                                      .context = (uint8_t)random_bits(&self->random, 3),
                                                      .element = (uint8_t)random_below(&self->random, self->with_fp32 ? 3 : 2),
                                                      .lines_less_1 = (uint8_t)random_below(&self->random, self->request_lines),
                                                      .contributors = (uint8_t)random_range(&self->random, 1, 3)};
    if (measuring(self)) {
        reservation->contributors = (uint8_t)self->contributors;
        reservation->length = MOEHUB_LINE_BYTES;
        reservation->element = MOEHUB_ELEMENT_BF16;
        reservation->lines_less_1 = (uint8_t)(self->request_lines - 1);
    } else if (chance(self, 1, REFUSED)) {
        reservation->contributors = chance(self, 1, 3) ? 0 : reservation->contributors;
        reservation->element = (uint8_t)(chance(self, 1, 3) ? 2 + random_below(&self->random, 2) : reservation->element);
        reservation->length = (uint16_t)(chance(self, 1, 2) ? random_bits(&self->random, 9) : reservation->length);
    }
}

static void drive_reserve(struct final_bench *self, unsigned l, uint64_t *valid, uint64_t *data)
{
    struct link *link = &self->link[l];
    if (!link->offered && !self->draining && link->outstanding_count < OUTSTANDING &&
        (!stall_next(&link->reserves) || measuring(self))) {
        draw_reservation(self, &link->offer);
        link->offered = true;
    }
    *valid |= (uint64_t)link->offered << l;
    const struct moehub_reduce_reservation *offer = &link->offer;
    const uint64_t words = offer->context | (uint64_t)offer->tag << 3 | (uint64_t)offer->element << 27 |
                           (uint64_t)offer->lines_less_1 << 29 | (uint64_t)offer->length << 32 |
                           (uint64_t)offer->contributors << 41;
    bits_set(data, l * RESERVE_WIDTH, RESERVE_WIDTH, link->offered ? words : random_next(&self->random));
}

static void begin_packet(struct final_bench *self, unsigned s)
{
    struct sender *sender = &self->sender[s];
    const unsigned ahead = sender->waiting < AHEAD ? sender->waiting : AHEAD;
    const unsigned index = measuring(self) ? 0 : (unsigned)random_below(&self->random, ahead);
    sender->packet = sender->pool[index];
    memmove(&sender->pool[index], &sender->pool[index + 1], (--sender->waiting - index) * sizeof *sender->pool);
    sender->at = 0;
    sender->link = s;
    if (s == LINKS)
        sender->link = moehub_own_part(sender->packet.flits, sender->packet.count, &sender->part);
    else
        moehub_result_part(sender->packet.flits, sender->packet.count, &sender->part);
    sender->flits = s == LINKS ? sender->packet.count : sender->part.flits;
    sender->busy = true;
    if (sender->link >= self->links)
        return;
    struct link *link = &self->link[sender->link];
    const unsigned port = s == LINKS;
    if (link->sent_count[port] == SENT)
        bench_fail(&self->bench, BENCH_TIMEOUT, "parts of link %u are not taken", sender->link);
    link->sent[port][(link->sent_first[port] + link->sent_count[port]++) % SENT] = sender->part;
}

static void prepare_sender(struct final_bench *self, unsigned s)
{
    struct sender *sender = &self->sender[s];
    if (!sender->busy && sender->waiting > 0 && !self->resting)
        begin_packet(self, s);
    if (!sender->offered)
        sender->offered = sender->busy && (!stall_next(&sender->stall) || measuring(self));
}

static void put_part_flit(const struct sender *sender, unsigned l, uint64_t *data)
{
    const struct moehub_line_part *part = &sender->part;
    const unsigned lsb = l * RESULT_WIDTH;
    bits_set(data, lsb, 16, part->entry);
    bits_set(data, lsb + 16, 8, part->generation);
    bits_set(data, lsb + 24, 4, part->status);
    bits_set(data, lsb + 28, 2, part->element);
    bits_set(data, lsb + 30, 9, part->length);
    bits_set(data, lsb + 39, 64, part->data[sender->at].half[0]);
    bits_set(data, lsb + 103, 64, part->data[sender->at].half[1]);
}

static void drive_senders(struct final_bench *self)
{
    uint64_t valid = 0, last = 0, data[LINKS * 3] = {0};
    for (unsigned l = 0; l < self->links; l++) {
        const struct sender *sender = &self->sender[l];
        prepare_sender(self, l);
        valid |= (uint64_t)sender->offered << l;
        last |= (uint64_t)(sender->at + 1 == sender->flits) << l;
        if (sender->offered)
            put_part_flit(sender, l, data);
    }
    pin_set(self->result_valid, valid);
    pin_set(self->result_last, last);
    pin_set_words(self->result_data, data);
    const struct sender *own = &self->sender[LINKS];
    prepare_sender(self, LINKS);
    pin_set(self->partial_valid, own->offered);
    pin_set(self->partial_last, own->at + 1 == own->flits);
    pin_set_words(self->partial_data, own->packet.flits[own->offered ? own->at : 0].half);
}

static void sample_sender(struct final_bench *self, unsigned s, bool ready)
{
    struct sender *sender = &self->sender[s];
    if (!sender->offered || !ready)
        return;
    sender->offered = false;
    sender->busy = ++sender->at < sender->flits;
}

/* What reduce_request answers at once: anything. */
static void drive_answers(struct final_bench *self)
{
    const bool begun = self->answer_at < self->answer.count; /* link 0 waits for the end of an answer */
    if (source_free(&self->answered) && (begun || (!self->draining && !measuring(self)))) {
        if (!begun) {
            self->answer.count = (unsigned)random_range(&self->random, 1, 8);
            self->answer_at = 0;
            self->answer_packets++;
        }
        uint64_t *item = source_offer(&self->answered);
        item[0] = random_next(&self->random);
        item[1] = random_next(&self->random);
        item[2] = random_bits(&self->random, USER_WIDTH);
        item[3] = ++self->answer_at == self->answer.count;
        scoreboard_expect(&self->answers, 0, item);
    }
    source_drive(&self->answered);
}

/* ---- what the design did -------------------------------------------------------------------------------------------------- */

static void sample_grant(struct final_bench *self, unsigned l, const uint64_t *words)
{
    struct link *link = &self->link[l];
    struct happened *now = &link->history[self->bench.cycle % HISTORY];
    now->granted = true;
    now->grant = bits_get(words, l * GRANT_WIDTH, GRANT_WIDTH);
    if (link->outstanding_count == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: a grant that nobody asked for", l);
    const struct moehub_reduce_reservation *reservation = &link->outstanding[link->outstanding_first];
    link->outstanding_first = (link->outstanding_first + 1) % OUTSTANDING;
    link->outstanding_count--;
    self->grant_statuses[now->grant & 15]++;
    if ((now->grant & 15) != MOEHUB_STATUS_OK)
        return;
    const unsigned group = (unsigned)(now->grant >> 4 & 0xFFFF) / self->request_lines % GROUPS;
    link->granted_at[group] = self->bench.cycle;
    link->timed_out[group] = false;
    plan_group(self, l, reservation, (unsigned)(now->grant >> 4 & 0xFFFF), (unsigned)(now->grant >> 20));
}

static void sample_reserve(struct final_bench *self, unsigned l)
{
    struct link *link = &self->link[l];
    struct happened *now = &link->history[self->bench.cycle % HISTORY];
    if (!link->offered || (pin_get(self->reserve_ready) >> l & 1) == 0)
        return;
    link->offered = false;
    now->reserved = true;
    now->reservation = link->offer;
    link->outstanding[(link->outstanding_first + link->outstanding_count++) % OUTSTANDING] = link->offer;
}

static void sample_reduced(struct final_bench *self, unsigned l, const uint64_t *data, const uint64_t *user)
{
    struct link *link = &self->link[l];
    struct happened *now = &link->history[self->bench.cycle % HISTORY];
    const struct flit_out flit = {{data[2 * l], data[2 * l + 1], bits_get(user, l * USER_WIDTH, USER_WIDTH),
                                   pin_get(self->reduced_last) >> l & 1}};
    const bool valid = pin_get(self->reduced_valid) >> l & 1, ready = pin_get(self->reduced_ready) >> l & 1;
    if (link->holds && (!valid || memcmp(&flit, &link->held, sizeof flit) != 0))
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: a sum that was not taken changes", l);
    link->held = flit;
    link->holds = valid && !ready;
    if (!valid || !ready)
        return;
    const bool answer = l == 0 && pin_get(self->joined_answer) != 0;
    if (answer) {
        self->joined++;
        scoreboard_check(&self->answers, 0, flit.item);
        if (link->out.count > 0)
            bench_fail(&self->bench, BENCH_MISMATCH, "an answer comes inside of a sum");
        return;
    }
    if (link->out.count == PACKET_FLITS)
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: a sum has no end", l);
    self->sum_flits++;
    link->out.flits[link->out.count++] = flit;
    if (flit.item[3] == 0)
        return;
    now->packet = true;
    now->out = link->out;
    link->out.count = 0;
}

/* A part waits for one packet of the other kind at most. */
static void count_turn(struct final_bench *self, unsigned l, unsigned port)
{
    struct link *link = &self->link[l];
    const struct pin *waits = port == MOEHUB_FINAL_REDUCE_OWN ? self->result_valid : self->own_waits;
    link->passed[port] = 0;
    link->passed[1 - port] += (pin_get(waits) >> l & 1) != 0;
    if (link->passed[1 - port] > PASSED)
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: parts of port %u do not get their turn", l, 1 - port);
}

static void sample_link(struct final_bench *self, unsigned l)
{
    struct link *link = &self->link[l];
    struct happened *now = &link->history[self->bench.cycle % HISTORY];
    uint64_t words[LINKS] = {0};
    now->freed = pin_get(self->freed_valid) >> l & 1;
    pin_get_words(self->freed_entry, words);
    now->freed_entry = (unsigned)bits_get(words, 16 * l, 16);
    now->left = pin_get(self->left) >> l & 1;
    pin_get_words(self->left_entry, words);
    now->left_entry = (unsigned)bits_get(words, 16 * l, 16);
    if (pin_get(self->part_taken) >> l & 1) {
        now->part = !link->inside;
        if (now->part)
            count_turn(self, l, pin_get(self->part_of_own) >> l & 1);
        now->part_port = pin_get(self->part_of_own) >> l & 1;
        link->inside = (pin_get(self->part_last) >> l & 1) == 0;
    }
    sample_reserve(self, l);
}

static void sample(struct final_bench *self)
{
    uint64_t grants[LINKS] = {0}, data[2 * LINKS], user[LINKS];
    pin_get_words(self->grant_data, grants);
    pin_get_words(self->reduced_data, data);
    pin_get_words(self->reduced_user, user);
    for (unsigned l = 0; l < self->links; l++)
        sample_sender(self, l, pin_get(self->result_ready) >> l & 1);
    sample_sender(self, LINKS, pin_get(self->partial_ready) != 0);
    for (unsigned l = 0; l < self->links; l++) {
        self->link[l].history[self->bench.cycle % HISTORY] = (struct happened){0};
        sample_link(self, l);
        if (pin_get(self->grant_valid) & pin_get(self->grant_ready) & 1u << l)
            sample_grant(self, l, grants);
        sample_reduced(self, l, data, user);
    }
}

/* ---- the model ------------------------------------------------------------------------------------------------------------ */

static void model_timeout(struct final_bench *self, unsigned l)
{
    uint64_t words[2] = {0};
    pin_get_words(self->timeout_entry, words);
    if ((pin_get(self->timeout_valid) >> l & 1) == 0)
        return;
    const unsigned entry = (unsigned)bits_get(words, 16 * l, 16);
    if (self->timeout == 0 || moehub_reduction_buffer_timeout(&self->link[l].model.buffer, entry) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: entry %u must not time out", l, entry);
    const unsigned group = entry / self->request_lines;
    const uint64_t age = self->bench.cycle - self->link[l].granted_at[group];
    if (age < self->timeout || age > self->timeout + 2 * self->final_groups * self->request_lines + 64)
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: entry %u times out after %" PRIu64 " cycles", l, entry, age);
    self->link[l].timed_out[group] = true;
    self->timeouts++;
}

static void model_part(struct final_bench *self, unsigned l, unsigned port)
{
    struct link *link = &self->link[l];
    if (link->sent_count[port] == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: the buffer takes a part that nobody sent", l);
    const struct moehub_line_part *part = &link->sent[port][link->sent_first[port]];
    link->sent_first[port] = (link->sent_first[port] + 1) % SENT;
    link->sent_count[port]--;
    self->causes[moehub_final_reduce_part(&link->model, port, part)]++;
}

/* A group of which a line timed out stands for twice that time. */
static void check_quarantine(struct final_bench *self, unsigned l, unsigned entry)
{
    const struct link *link = &self->link[l];
    const unsigned group = entry / self->request_lines % GROUPS;
    if (link->timed_out[group] && self->bench.cycle - ORDER - link->granted_at[group] < 2ull * self->timeout)
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: group %u is free before twice its timeout", l, group);
}

static void model_reserve(struct final_bench *self, unsigned l, const struct moehub_reduce_reservation *reservation)
{
    struct moehub_reduction_grant grant;
    if (moehub_final_reduce_reserve(&self->link[l].model, reservation, &grant) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: a reservation is taken and no group is free", l);
    const uint64_t item = grant.status | (uint64_t)grant.entry << 4 | (uint64_t)grant.generation << 20;
    scoreboard_expect(&self->grants, l, &item);
}

static void model_left(struct final_bench *self, unsigned l, unsigned entry)
{
    struct moehub_reduced reduced;
    if (moehub_final_reduce_taken(&self->link[l].model, entry, &reduced) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: entry %u has no sum that could leave", l, entry);
    self->statuses[reduced.status]++;
    for (unsigned i = 0; i < reduced.flits; i++) {
        const uint64_t item[4] = {reduced.data[i].half[0], reduced.data[i].half[1], moehub_reduced_user(&reduced),
                                  i + 1 == reduced.flits};
        scoreboard_expect(&self->sums, l, item);
    }
}

static void follow(struct final_bench *self, unsigned l)
{
    struct link *link = &self->link[l];
    struct happened *then = &link->history[(self->bench.cycle + 1) % HISTORY];
    model_timeout(self, l);
    if (then->freed && moehub_reduction_buffer_freed(&link->model.buffer, then->freed_entry) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "link %u: the group of entry %u is not free", l, then->freed_entry);
    if (then->freed)
        check_quarantine(self, l, then->freed_entry);
    if (then->part)
        model_part(self, l, then->part_port);
    if (then->reserved)
        model_reserve(self, l, &then->reservation);
    if (then->granted)
        scoreboard_check(&self->grants, l, &then->grant);
    if (then->left)
        model_left(self, l, then->left_entry);
    for (unsigned i = 0; then->packet && i < then->out.count; i++)
        scoreboard_check(&self->sums, l, then->out.flits[i].item);
    *then = (struct happened){0};
}

/* ---- one cycle ------------------------------------------------------------------------------------------------------------ */

static void forget(struct final_bench *self)
{
    struct scoreboard *const all[] = {&self->grants, &self->sums, &self->answers};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        scoreboard_forget(all[i]);
    for (unsigned l = 0; l < self->links; l++) {
        struct link *link = &self->link[l];
        moehub_reduction_buffer_reset(&link->model.buffer);
        memset(link->history, 0, sizeof link->history);
        link->sent_count[0] = link->sent_count[1] = link->outstanding_count = link->out.count = 0;
        link->offered = link->inside = link->holds = false;
        memset(link->passed, 0, sizeof link->passed);
    }
    for (unsigned s = 0; s < STREAMS; s++)
        self->sender[s].waiting = self->sender[s].busy = self->sender[s].offered = 0;
    self->answer.count = self->answer_at = 0;
    self->timeout = 0;
}

static void drive(struct final_bench *self)
{
    uint64_t reserves = 0, reservations[LINKS] = {0}, grants = 0, takes = 0;
    for (unsigned l = 0; l < self->links; l++) {
        drive_reserve(self, l, &reserves, reservations);
        grants |= (uint64_t)(!stall_next(&self->link[l].grants) || measuring(self)) << l;
        takes |= (uint64_t)(!stall_next(&self->link[l].takes) || measuring(self)) << l;
    }
    pin_set(self->reserve_valid, reserves);
    pin_set_words(self->reserve_data, reservations);
    pin_set(self->grant_ready, grants);
    pin_set(self->reduced_ready, takes);
    drive_senders(self);
    drive_answers(self);
    axi_lite_drive(&self->lite);
}

static void quiet_pins(struct final_bench *self)
{
    const struct pin *const valids[] = {self->reserve_valid, self->result_valid, self->partial_valid};
    for (unsigned i = 0; i < 3; i++)
        pin_set(valids[i], 0);
    forget(self);
}

static void step(void *context)
{
    struct final_bench *self = context;
    drive(self);
    if (self->bench.reset)
        quiet_pins(self);
    bench_settle(&self->bench);
    if (self->bench.quiet && (pin_get(self->grant_valid) | pin_get(self->reduced_valid) | pin_get(self->reserve_ready) |
                              pin_get(self->result_ready) | pin_get(self->partial_ready)) != 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "a valid or ready is high in reset or in the cycle after it");
    if (!self->bench.reset)
        sample(self);
    source_sample(&self->answered);
    axi_lite_sample(&self->lite);
    for (unsigned l = 0; l < self->links && !self->bench.reset; l++)
        follow(self, l);
    bench_tick(&self->bench);
}

/* ---- the run -------------------------------------------------------------------------------------------------------------- */

static bool busy(const struct final_bench *self)
{
    bool any = self->answers.waiting + self->sums.waiting + self->grants.waiting > 0 || self->answer_at < self->answer.count;
    for (unsigned s = 0; s < STREAMS; s++)
        any = any || self->sender[s].waiting > 0 || self->sender[s].busy;
    for (unsigned l = 0; l < self->links; l++)
        any = any || self->link[l].offered || self->link[l].outstanding_count > 0 ||
              moehub_reduction_buffer_occupancy(&self->link[l].model.buffer) > 0;
    return any;
}

static void drain(struct final_bench *self)
{
    enum { MOST = 200000 };
    self->draining = true;
    for (unsigned i = 0; i < MOST && busy(self); i++)
        step(self);
    bench_run(&self->bench, 30);
    if (busy(self))
        bench_fail(&self->bench, BENCH_TIMEOUT, "something is left after %d cycles", MOST);
    self->draining = false;
}

static void command(struct final_bench *self, unsigned l, unsigned operation, uint32_t data)
{
    pin_set(self->axil_links, 1u << l);
    axi_lite_set(&self->lite, MOEHUB_SWITCH_CSR_COMMAND_DATA, data);
    axi_lite_set(&self->lite, MOEHUB_CSR_COMMAND, operation);
    while ((axi_lite_get(&self->lite, MOEHUB_CSR_COMMAND_STATUS) & MOEHUB_CSR_COMMAND_STATUS_BUSY) != 0)
        ;
    if (moehub_reduction_buffer_command(&self->link[l].model.buffer, operation, data))
        bench_fail(&self->bench, BENCH_CONFIGURATION, "the model refuses a command of the bench");
}

/* While nothing is inside. */
static void set_timeouts(struct final_bench *self, unsigned cycles)
{
    self->resting = self->draining = true;
    for (unsigned l = 0; l < self->links; l++)
        command(self, l, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, cycles);
    self->timeout = cycles;
    self->resting = self->draining = false;
}

static void check_counters(struct final_bench *self)
{
    self->draining = true;
    for (unsigned l = 0; l < self->links; l++) {
        pin_set(self->axil_links, 1u << l);
        axi_lite_set(&self->lite, MOEHUB_CSR_SNAPSHOT, 0);
        for (unsigned i = 0; i < MOEHUB_REDUCTION_ORDER_EVENTS; i++)
            scoreboard_value(&self->registers, "counter", self->link[l].model.buffer.counters[i],
                             axi_lite_get64(&self->lite, MOEHUB_CSR_COUNTER_LOW + 8 * i));
    }
    self->draining = false;
}

/* A link that drains refuses. */
static void drained_round(struct final_bench *self)
{
    self->draining = true;
    for (unsigned l = 0; l < self->links; l++)
        command(self, l, MOEHUB_REDUCTION_COMMAND_DRAIN, 0);
    self->draining = false;
    bench_run(&self->bench, 200);
    drain(self);
    self->draining = true;
    for (unsigned l = 0; l < self->links; l++)
        command(self, l, MOEHUB_REDUCTION_COMMAND_RESUME, 0);
    self->draining = false;
}

/* Whole groups without stalls: cycles a line, of each link where only the network adds. Own partials have one stream. */
static void measure(struct final_bench *self, unsigned contributors, double most, const char *name)
{
    enum { WARM = 2000, RUN = 20000 };
    self->contributors = contributors;
    bench_run(&self->bench, WARM);
    const uint64_t before = self->sum_flits;
    bench_run(&self->bench, RUN);
    const double cycles = RUN * 8.0 * self->links / (double)(self->sum_flits - before);
    summary_number(&self->bench.summary, name, cycles, "cycles");
    if (cycles > most && self->final_groups >= 13)
        bench_fail(&self->bench, BENCH_MISMATCH, "%s: %.2f, at most %.2f expected", name, cycles, most);
    drain(self);
    self->contributors = 0;
}

static void demand(struct final_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void demand_all(struct final_bench *self)
{
    static const struct {
        unsigned cause;
        const char *name;
    } causes[] = {{MOEHUB_REDUCTION_CAUSE_ENTRY, "ENTRY"},
                  {MOEHUB_REDUCTION_CAUSE_STALE, "STALE"},
                  {MOEHUB_REDUCTION_CAUSE_FOREIGN, "FOREIGN"},
                  {MOEHUB_REDUCTION_CAUSE_DUPLICATE, "DUPLICATE"},
                  {MOEHUB_REDUCTION_CAUSE_PARTIAL_STATUS, "status of a part"},
                  {MOEHUB_REDUCTION_CAUSE_PARTIAL_TYPE, "type of a part"},
                  {MOEHUB_REDUCTION_CAUSE_PARTIAL_LENGTH, "length of a part"},
                  {MOEHUB_REDUCTION_NO_CAUSE, "good parts"}};
    for (unsigned i = 0; i < sizeof causes / sizeof *causes; i++)
        demand(self, causes[i].name, self->causes[causes[i].cause]);
    demand(self, "timeouts", self->timeouts);
    demand(self, "sums", self->statuses[MOEHUB_STATUS_OK]);
    demand(self, "sums PARTIAL", self->statuses[MOEHUB_STATUS_PARTIAL]);
    demand(self, "flits of answers", self->joined);
    demand(self, "grants DRAINING", self->grant_statuses[MOEHUB_STATUS_DRAINING]);
    demand(self, "grants TYPE", self->grant_statuses[MOEHUB_STATUS_TYPE]);
    demand(self, "grants LENGTH", self->grant_statuses[MOEHUB_STATUS_LENGTH]);
    demand(self, "grants CONTRIBUTORS", self->grant_statuses[MOEHUB_STATUS_CONTRIBUTORS]);
    if (self->links < LINKS)
        demand(self, "own partials of no link", self->foreign_links);
}

static void find_pins(struct final_bench *self)
{
    const struct {
        const struct pin **pin;
        const char *name;
    } pins[] = {
        {&self->own, "own"}, {&self->axil_links, "axil_links"}, {&self->reserve_valid, "reserve_valid"},
        {&self->reserve_ready, "reserve_ready"}, {&self->reserve_data, "reserve_data"}, {&self->grant_valid, "grant_valid"},
        {&self->grant_ready, "grant_ready"}, {&self->grant_data, "grant_data"}, {&self->result_valid, "result_valid"},
        {&self->result_ready, "result_ready"}, {&self->result_data, "result_data"}, {&self->result_last, "result_last"},
        {&self->partial_valid, "partial_valid"}, {&self->partial_ready, "partial_ready"},
        {&self->partial_data, "partial_data"}, {&self->partial_last, "partial_last"}, {&self->reduced_valid, "reduced_valid"},
        {&self->reduced_ready, "reduced_ready"}, {&self->reduced_data, "reduced_data"}, {&self->reduced_user, "reduced_user"},
        {&self->reduced_last, "reduced_last"}, {&self->initialised, "initialised"}, {&self->timeout_valid, "timeout_valid"},
        {&self->timeout_entry, "timeout_entry"}, {&self->freed_valid, "freed_valid"}, {&self->freed_entry, "freed_entry"},
        {&self->own_waits, "own_waits"}, {&self->part_taken, "part_taken"}, {&self->part_last, "part_last"},
        {&self->part_of_own, "part_of_own"},
        {&self->left, "left"}, {&self->left_entry, "left_entry"}, {&self->joined_answer, "joined_answer"},
    };
    for (unsigned i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(&self->bench, pins[i].name);
}

static void create_links(struct final_bench *self)
{
    static struct packet pools[STREAMS][POOL];
    const uint64_t seed = self->bench.options.seed;
    const struct moehub_final_reduce_config config = {self->final_groups, self->request_lines, self->with_fp32,
                                                      (uint32_t)pin_get(self->own)};
    for (unsigned l = 0; l < self->links; l++) {
        char name[16];
        snprintf(name, sizeof name, "link %u", l);
        if (moehub_final_reduce_create(&self->link[l].model, &config) != 0)
            bench_fail(&self->bench, BENCH_CONFIGURATION, "the model has no such configuration");
        stall_init(&self->link[l].reserves, STALL_MIXED, seed + 1, name);
        stall_init(&self->link[l].grants, STALL_MIXED, seed + 2, name);
        stall_init(&self->link[l].takes, STALL_MIXED, seed + 3, name);
    }
    for (unsigned s = 0; s < STREAMS; s++) {
        self->sender[s].pool = pools[s];
        stall_init(&self->sender[s].stall, STALL_MIXED, seed + 4 + s, "sender");
    }
}

static void create(struct final_bench *self)
{
    struct bench *bench = &self->bench;
    self->links = 1, self->final_groups = 13, self->request_lines = 8, self->with_fp32 = 1;
    const struct parameter parameters[] = {{"LINKS", &self->links},
                                           {"FINAL_GROUPS", &self->final_groups},
                                           {"REQUEST_LINES", &self->request_lines},
                                           {"WITH_FP32", &self->with_fp32}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    find_pins(self);
    bench_random(bench, &self->random, "reduces");
    scoreboard_create(&self->grants, bench, "grants", grant_fields, 1, self->links, 1 << 10);
    scoreboard_create(&self->sums, bench, "sums", flit_fields, 3, self->links, 1 << 10);
    scoreboard_create(&self->answers, bench, "answers", flit_fields, 3, 1, 1 << 10);
    scoreboard_create(&self->registers, bench, "registers", value_fields, 1, 1, 1);
    source_create(&self->answered, bench, "answered", "data user last", STALL_MIXED);
    axi_lite_create(&self->lite, bench, "s_axil", STALL_MIXED);
    pin_set(self->own, random_below(&self->random, 64));
    pin_set(self->axil_links, 1);
    create_links(self);
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "sums of a hub against their model", .events = 300000, .cycles = UINT64_MAX, .watchdog = 100000};
    static struct final_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    create(&self);
    bench->step = step;
    bench->context = &self;
    bench_reset(bench, 2);
    while (bench_running(bench)) {
        set_timeouts(&self, chance(&self, 1, 2) ? 0 : (unsigned)random_range(&self.random, 200, 2000));
        bench_run(bench, random_range(&self.random, 2000, 10000));
        if (chance(&self, 1, 4))
            bench_reset(bench, (unsigned)random_range(&self.random, 1, 3));
        drain(&self);
        check_counters(&self);
        drained_round(&self);
    }
    set_timeouts(&self, 0);
    measure(&self, 1, 8.05, "cycles a line and link, of the network alone");
    measure(&self, 2, 9.05 * self.links, "cycles a line and link, of own experts alone");
    measure(&self, 3, self.links == 1 ? 16.1 : 9.05 * self.links, "cycles a line and link, of both");
    demand_all(&self);
    for (unsigned l = 0; l < self.links; l++)
        moehub_final_reduce_destroy(&self.link[l].model);
    return bench_finish(bench);
}
