/* SPDX-License-Identifier: Apache-2.0 */
/* A whole way against its page (rtl/doc/hub/ingress.md), with everything around it the bench's: the link, the address path,
 * memory, tile tracker, pre_reduce, final_reduce, and who sends. Packets are well-formed, near misses and cut ones; contexts
 * change only while nothing is inside, so that each packet's verdict is known as it is sent. */
#include "bench/common/packet_maker.h"
#include "bench/hub/way_registers.h"
#include "bench/hub/way_waits.h"
#include "kit/bits.h"
#include "kit/parameters.h"
#include "kit/scoreboard.h"
#include "kit/stall.h"
#include "kit/stream.h"
#include "moehub/link.h"
#include "moehub/way.h"

#include <string.h>

enum { OFFENDERS = 8192, PACKETS = 16384, PAIRS = 32768, IDLE_CYCLES = 4, LANES = 4, FLITS_MOST = 17, INSIDE = 4000,
       LINES = 16,          /* of the line buffer */
       FILLED_MOST = 512 }; /* places and records that a round is long enough to fill */
enum { STORES, REQUESTS, ASKERS = WAY_ASKERS }; /* ports of questions */
enum { DRAWN, NO_PEERS, ALL_ARRIVED }; /* contexts of a round: drawn; they refuse all; they refuse stores and count them */
enum { LANE_STORE, LANE_REQUEST, LANE_NOTICE, LANE_PARTIAL }; /* sources of packets; the first three by class */

/* A pair whose question was asked, and its answer. */
struct asked_pair {
    uint64_t due, slot, address;
    uint8_t status, expert;
    bool allocated;
};

/* A request that passed, or was refused, as pre_reduce has to be told. */
struct asked_request {
    unsigned targets, status, context;
};

/* A well-formed packet, as it lies in its class's places. */
struct kept_packet {
    uint8_t flits;
    bool has_record;
};

/* What one source sends: a packet, flit by flit. */
struct lane {
    struct source source;
    struct made_packet packet;
    unsigned sent;                 /* flits of it that were offered; all: there is none */
    uint64_t packets;              /* that were offered whole */
};

/* Rings, by numbers that only rise. */
struct way_bench {
    struct bench bench;
    const struct pin *own, *link_up, *in_flit_valid, *in_flit_first, *in_flit_last, *in_flit_class, *in_flit_data,
        *in_credit_valid, *in_credit_class, *in_credit_flits, *out_flit_valid, *out_flit_first, *out_flit_last,
        *out_flit_class, *out_flit_data, *out_credit_valid, *out_credit_class, *out_credit_flits, *initialised, *enabled,
        *has_arrived, *rounds, *owner_shifts, *peers, *list_bases, *list_shifts, *failed, *stores_in_flight,
        *requests_in_flight, *answer_valid, *answer_port, *answer_status, *answer_expert, *answer_allocated, *answer_slot,
        *answer_address, *b_valid, *b_ready, *b_response, *answers_there, *answer_read_valid, *answer_read_index, *read_status,
        *read_address, *answers_release_valid, *answers_release_count, *partial_queued_valid, *partial_queued_context,
        *partial_events, *read_error_header, *store_room, *events, *error_valid, *error_cause, *used_places, *used_writes,
        *used_answers, *credits, *error_header;
    struct sink question[ASKERS], aw, w, completed, close, notify, asked, result;
    struct scoreboard questions, addresses, beats, records, closes, notifies, requests, results, sent, answers, states;
    struct random_source random;
    struct stall link, respond, memory, reads, grants;
    struct stall *held;            /* one of all that stalls for the whole round, so that what is before it fills; NULL: none */
    unsigned contexts;             /* DRAWN, .. */
    struct packet_maker maker;
    struct moehub_way model;
    uint32_t way, loop_back, gpus, slot_width, places[MOEHUB_CLASSES], request_answers;
    bool pausing;                  /* no packet begins */
    bool resting;                  /* and pre_reduce tells nothing: registers are read */
    unsigned answer_wait, memory_wait;
    bool failing;                  /* every other answer and write has an error: causes meet in a cycle */
    /* the link in, and what is granted of the link out */
    struct made_packet packet;
    unsigned sent_flits, cut_at;   /* cut_at: flits after which the packet just stops */
    bool cut_open;                 /* the last packet was cut: the next one ends it */
    uint64_t last_flit;            /* cycle */
    uint64_t credits_in[MOEHUB_CLASSES], granted_out[MOEHUB_CLASSES], withheld_out[MOEHUB_CLASSES];
    unsigned out_lane, out_left;   /* of the packet on the wires out; 0 left: none */
    struct lane lanes[LANES];
    /* stores: sent, answered pair by pair */
    struct moehub_way_packet stores[PACKETS];
    uint8_t verdicts[PACKETS];
    uint64_t stores_sent, stores_moved;
    unsigned target;
    struct asked_pair pairs[ASKERS][PAIRS];
    bool question_ends[ASKERS][PAIRS]; /* the last one of its packet */
    uint64_t questions_expected[ASKERS], asked_count[ASKERS], given[ASKERS];
    /* memory */
    bool write_errors[PAIRS];
    uint64_t write_due[PAIRS], writes_expected, started, finished, responded;
    uint64_t records_expected, records_taken, writes_told, live[MOEHUB_WAY_CONTEXTS_MAX];
    uint8_t record_context[PAIRS], record_kind[PAIRS];
    bool record_ends[PAIRS];
    /* requests at pre_reduce */
    struct asked_request requests_sent[PACKETS];
    uint64_t requests_expected, requests_taken, requests_done, released;
    bool reading;                  /* an answer was read in the last cycle */
    bool room;                     /* credits for the longest store, in the last cycle */
    /* events that were expected, and met */
    uint64_t events_expected[MOEHUB_HUB_WAY_EVENTS], events_met[MOEHUB_HUB_WAY_EVENTS], causes_met[MOEHUB_HUB_WAY_CAUSES];
    uint64_t flagged;              /* a set of contexts */
    uint64_t headers;              /* of offenders, that were compared */
    uint64_t met_together;         /* cycles with a refused answer and a failed write */
    struct way_registers registers;
    struct way_waits waits;
    struct kept_packet kept[ASKERS][PACKETS];
    uint64_t kept_count[ASKERS];
    uint64_t full[ASKERS];         /* rounds that ended so */
    uint64_t cuts, failed_writes, words, lines, withheld, passes[MOEHUB_CLASSES];
};

static const struct field beat_fields[] = {{"data", 256}, {"strobes", 32}, {"last", 1}};
static const struct field sent_fields[] = {{"data", 128}, {"first", 1}, {"last", 1}, {"class", 2}};
static const struct field answer_fields[] = {{"status", 4}, {"address", 64}};
static const struct field state_fields[] = {{"value", 64}};

static bool chance(struct way_bench *self, unsigned numerator, unsigned denominator)
{
    return random_chance(&self->random, numerator, denominator);
}

static unsigned below(struct way_bench *self, uint64_t bound)
{
    return (unsigned)random_below(&self->random, bound);
}

/* ---- contexts: drawn while nothing is inside ------------------------------------------------------------------------------- */

static void draw_context(struct way_bench *self, unsigned c)
{
    struct moehub_way_context *context = &self->model.contexts[c];
    const unsigned owner_bits = 26 - 6; /* rows of all GPUs fit into a compact copy's */
    context->enabled = chance(self, 15, 16);
    context->arrived = self->contexts == ALL_ARRIVED || chance(self, 1, 16);
    context->round = (uint8_t)below(self, 16);
    context->owner_shift = (uint8_t)below(self, owner_bits);
    context->peers = (chance(self, 3, 4) ? UINT64_MAX : random_next(&self->random)) & bits_mask(self->gpus);
    if (self->contexts == NO_PEERS)
        context->peers = 0;
    context->list_shift = (uint8_t)below(self, self->slot_width < 16 ? self->slot_width + 1 : 17);
    const unsigned array = context->list_shift + 2u + self->model.config.local_expert_bits;
    context->list_base = random_next(&self->random) & bits_mask(self->model.config.address_width) & ~bits_mask(array);
}

static void drive_contexts(struct way_bench *self)
{
    uint64_t enabled = 0, arrived = 0, rounds = 0, owner_shifts = 0, list_shifts = 0, peers[8] = {0}, bases[8] = {0};
    for (unsigned c = 0; c < self->model.config.contexts; c++) {
        const struct moehub_way_context *context = &self->model.contexts[c];
        enabled |= (uint64_t)context->enabled << c;
        arrived |= (uint64_t)context->arrived << c;
        bits_set(&rounds, 4 * c, 4, context->round);
        bits_set(&owner_shifts, 5 * c, 5, context->owner_shift);
        bits_set(&list_shifts, 5 * c, 5, context->list_shift);
        bits_set(peers, self->gpus * c, self->gpus, context->peers);
        bits_set(bases, self->model.config.address_width * c, self->model.config.address_width, context->list_base);
    }
    pin_set(self->enabled, enabled);
    pin_set(self->has_arrived, arrived);
    pin_set(self->rounds, rounds);
    pin_set(self->owner_shifts, owner_shifts);
    pin_set(self->list_shifts, list_shifts);
    pin_set_words(self->peers, peers);
    pin_set_words(self->list_bases, bases);
}

/* ---- packets --------------------------------------------------------------------------------------------------------------- */

/* Most are a peer's of this round, with a row of its owner: names that no receiver looks at. */
static void name_packet(struct way_bench *self, struct made_packet *packet)
{
    struct moehub_header header = moehub_header_unpack(packet->flits[0]);
    const bool response = header.type == MOEHUB_PACKET_CLOSE || header.type == MOEHUB_PACKET_NOTIFY;
    header.context = (uint8_t)below(self, chance(self, 1, 64) ? MOEHUB_WAY_CONTEXTS_MAX : self->model.config.contexts);
    const struct moehub_way_context *context = &self->model.contexts[header.context];
    header.round = chance(self, 1, 60) ? (uint8_t)below(self, 16) : context->round;
    const uint32_t owner = response ? self->maker.config.own : header.source;
    if (header.type != MOEHUB_PACKET_CLOSE && header.type != MOEHUB_PACKET_RESULT && !chance(self, 1, 40))
        header.row_index = owner << context->owner_shift | (uint32_t)random_bits(&self->random, context->owner_shift);
    packet->flits[0] = moehub_header_pack(&header);
}

static bool accepted(const struct way_bench *self, const struct made_packet *packet, unsigned count, bool broken)
{
    return moehub_packet_check(&self->maker.config, packet->packet_class, packet->flits, count, broken).cause ==
           MOEHUB_PACKET_CAUSES;
}

/* One that its class's places hold. */
static void draw_packet(struct way_bench *self, struct made_packet *packet)
{
    do {
        if (chance(self, 1, 4))
            packet_maker_any(&self->maker, packet);
        else
            packet_maker_good(&self->maker, packet);
        if (accepted(self, packet, packet->count, false))
            name_packet(self, packet);
    } while (packet->count > moehub_link_longest(packet->packet_class));
}

static void draw_noise(struct way_bench *self, struct made_packet *packet, unsigned lane)
{
    static const unsigned longest[LANES] = {MOEHUB_STORE_LONGEST, MOEHUB_REQUEST_LONGEST, 1, MOEHUB_RESPONSE_LONGEST};
    packet->packet_class = lane == LANE_PARTIAL ? MOEHUB_CLASS_RESPONSE : lane;
    packet->count = 1 + below(self, longest[lane]);
    for (unsigned i = 0; i < packet->count; i++)
        packet->flits[i] = (struct moehub_flit){{random_next(&self->random) << 1 | (lane == LANE_PARTIAL),
                                                 random_next(&self->random)}};
}

/* ---- what is expected of a packet that came whole -------------------------------------------------------------------------- */

/* What the receiver finds; the rest is the model's. */
static void expect_malformed(struct way_bench *self, unsigned cause)
{
    self->events_expected[MOEHUB_HUB_WAY_EVENT_CAUSES + cause]++;
    self->causes_met[cause]++;
}

/* The verdict on a packet. */
static unsigned check_packet(struct way_bench *self, const struct made_packet *packet)
{
    const unsigned cause = moehub_way_check(&self->model, packet->flits[0]);
    self->causes_met[cause] += cause != 0;
    return cause;
}

static void expect_questions(struct way_bench *self, unsigned asker, const struct moehub_way_packet *packet)
{
    for (unsigned i = 0; i < packet->header.target_count; i++) {
        struct moehub_way_question question;
        moehub_way_ask(&self->model, packet, i, &question);
        const uint64_t item[7] = {question.first,  question.context, question.expert, question.row_index,
                                  question.offset, question.length,  question.source};
        scoreboard_expect(&self->questions, asker, item);
        self->question_ends[asker][self->questions_expected[asker]++ % PAIRS] = i + 1 == packet->header.target_count;
    }
}

static void expect_record(struct way_bench *self, struct moehub_way_completed *completed, bool error)
{
    moehub_way_completed_taken(&self->model, completed, error);
    const uint64_t record[7] = {completed->kind, completed->context, completed->source, completed->expert,
                                completed->slot, completed->value,   completed->error};
    const uint64_t at = self->records_expected++ % PAIRS;
    scoreboard_expect(&self->records, 0, record);
    self->record_context[at] = completed->context;
    self->record_kind[at] = completed->kind;
    self->record_ends[at] = completed->last;
    self->causes_met[MOEHUB_HUB_WAY_CAUSE_WRITE] += completed->error;
}

static void end_store(struct way_bench *self)
{
    self->stores_moved++;
    self->target = 0;
}

/* Stores that were refused wait for those before them, and for no answer. */
static void move_refused(struct way_bench *self)
{
    while (self->target == 0 && self->stores_moved < self->stores_sent && self->verdicts[self->stores_moved % PACKETS] != 0) {
        struct moehub_way_completed record;
        const uint64_t at = self->stores_moved % PACKETS;
        if (moehub_way_refused(&self->stores[at], self->verdicts[at], &record))
            expect_record(self, &record, false);
        end_store(self);
    }
}

static void note_kept(struct way_bench *self, unsigned asker, unsigned flits, bool has_record)
{
    self->kept[asker][self->kept_count[asker]++ % PACKETS] = (struct kept_packet){(uint8_t)flits, has_record};
}

static void expect_store(struct way_bench *self, const struct made_packet *packet)
{
    struct moehub_way_packet *store = &self->stores[self->stores_sent % PACKETS];
    moehub_way_packet_read(store, packet->flits, packet->count);
    const unsigned cause = check_packet(self, packet);
    self->verdicts[self->stores_sent++ % PACKETS] = (uint8_t)cause;
    if (cause == 0)
        expect_questions(self, STORES, store);
    note_kept(self, STORES, packet->count, cause == MOEHUB_HUB_WAY_CAUSE_OWNER || cause == MOEHUB_HUB_WAY_CAUSE_ARRIVED);
    move_refused(self);
}

static void expect_request(struct way_bench *self, const struct made_packet *packet)
{
    struct moehub_way_packet request;
    struct moehub_way_request told;
    moehub_way_packet_read(&request, packet->flits, packet->count);
    const unsigned cause = check_packet(self, packet);
    moehub_way_requested(&request, cause, &told);
    const uint64_t item[9] = {told.source, told.context, told.round, told.tag, told.element,
                              told.offset, told.length, told.targets, told.status};
    scoreboard_expect(&self->requests, 0, item);
    self->requests_sent[self->requests_expected++ % PACKETS] = (struct asked_request){told.targets, told.status, told.context};
    if (cause == 0)
        expect_questions(self, REQUESTS, &request);
    note_kept(self, REQUESTS, packet->count, true);
}

static void expect_result(struct way_bench *self, const struct made_packet *packet, const struct moehub_header *header)
{
    const unsigned flits = packet->count > 1 ? packet->count - 1 : 1;
    for (unsigned i = 0; i < flits; i++) {
        const struct moehub_flit data = packet->count > 1 ? packet->flits[1 + i] : (struct moehub_flit){{0, 0}};
        const uint64_t item[8] = {header->tag & 0xFFFF, header->tag >> 16, header->status, header->element,
                                  header->length, data.half[0], data.half[1], i + 1 == flits};
        scoreboard_expect(&self->results, 0, item);
    }
    self->events_expected[MOEHUB_HUB_WAY_EVENT_RESULTS]++;
}

static void expect_response(struct way_bench *self, const struct made_packet *packet)
{
    const struct moehub_header header = moehub_header_unpack(packet->flits[0]);
    const bool notify = header.type == MOEHUB_PACKET_NOTIFY;
    if (header.type == MOEHUB_PACKET_RESULT) {
        expect_result(self, packet, &header);
        return;
    }
    if (check_packet(self, packet) != 0)
        return;
    const uint64_t item[4] = {header.context, header.source, header.row_index, header.status != MOEHUB_STATUS_OK};
    scoreboard_expect(notify ? &self->notifies : &self->closes, 0, item);
}

static void expect_packet(struct way_bench *self, const struct made_packet *packet, unsigned count, bool broken)
{
    self->events_expected[MOEHUB_HUB_WAY_EVENT_PACKETS_IN + packet->packet_class]++;
    self->events_expected[MOEHUB_HUB_WAY_EVENT_FLITS_IN] += count;
    const unsigned cause =
        moehub_packet_check(&self->maker.config, packet->packet_class, packet->flits, count, broken).cause;
    if (cause != MOEHUB_PACKET_CAUSES) {
        expect_malformed(self, cause);
        return;
    }
    self->passes[packet->packet_class]++;
    if (packet->packet_class == MOEHUB_CLASS_STORE)
        expect_store(self, packet);
    else if (packet->packet_class == MOEHUB_CLASS_REQUEST)
        expect_request(self, packet);
    else
        expect_response(self, packet);
}

/* ---- the link in ----------------------------------------------------------------------------------------------------------- */

static uint64_t inside(const struct way_bench *self)
{
    return self->stores_sent - self->stores_moved + (self->requests_expected - self->requests_done) + self->results.waiting +
           self->closes.waiting + self->notifies.waiting + (self->records_expected - self->records_taken);
}

/* A packet that was cut short holds its places until the next one begins: that must not wait for them. */
static void begin_packet(struct way_bench *self)
{
    draw_packet(self, &self->packet);
    const bool waits = self->cut_open && self->credits_in[self->packet.packet_class] < self->packet.count;
    self->sent_flits = waits ? self->packet.count : 0;
    self->cut_at = 0;
    if (waits || self->pausing || self->packet.count < 2 || !chance(self, 1, 64))
        return;
    self->cut_at = 1 + below(self, self->packet.count - 1);
    self->cuts++;
}

static void drive_link(struct way_bench *self)
{
    struct made_packet *packet = &self->packet;
    const bool may = !self->bench.reset && !stall_next(&self->link) && self->loop_back == 0;
    const bool begins = (!self->pausing || self->cut_open) && inside(self) < INSIDE;
    if (may && begins && self->sent_flits == packet->count)
        begin_packet(self);
    uint64_t *credits = &self->credits_in[packet->packet_class];
    const bool send = may && self->sent_flits < packet->count && (self->sent_flits > 0 || *credits >= packet->count);
    pin_set(self->in_flit_valid, send);
    pin_set(self->in_flit_first, self->sent_flits == 0);
    pin_set(self->in_flit_last, self->sent_flits + 1 == packet->count);
    pin_set(self->in_flit_class, packet->packet_class);
    if (!send)
        return;
    if (self->sent_flits == 0 && self->cut_open) {
        expect_malformed(self, MOEHUB_LINK_CAUSE_UNENDED);
        self->cut_open = false;
    }
    pin_set_words(self->in_flit_data, packet->flits[self->sent_flits++].half);
    self->last_flit = self->bench.cycle;
    --*credits;
    if (self->sent_flits == self->cut_at) {
        expect_packet(self, packet, self->cut_at, true);
        packet->count = self->cut_at;
        self->cut_open = true;
    } else if (self->sent_flits == packet->count)
        expect_packet(self, packet, packet->count, false);
}

static void sample_grants(struct way_bench *self)
{
    if (pin_get(self->in_credit_valid) == 0)
        return;
    if (pin_get(self->initialised) == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "places are granted before the hub is initialised");
    self->credits_in[pin_get(self->in_credit_class)] += pin_get(self->in_credit_flits);
}

/* ---- the link out ---------------------------------------------------------------------------------------------------------- */

/* On the loop-back these are the packets that come back. */
static void draw_lane(struct way_bench *self, unsigned number)
{
    struct lane *lane = &self->lanes[number];
    struct made_packet *packet = &lane->packet;
    lane->sent = 0;
    if (self->loop_back == 0) {
        draw_noise(self, packet, number);
        return;
    }
    do
        draw_packet(self, packet);
    while (packet->packet_class != number || (number == LANE_NOTICE && packet->count > 1));
}

static void end_lane(struct way_bench *self, struct lane *lane)
{
    lane->packets++;
    self->events_expected[MOEHUB_HUB_WAY_EVENT_PACKETS_OUT + lane->packet.packet_class]++;
    self->events_expected[MOEHUB_HUB_WAY_EVENT_FLITS_OUT] += lane->packet.count;
    if (self->loop_back != 0)
        expect_packet(self, &lane->packet, lane->packet.count, false);
}

static void offer_flit(struct way_bench *self, unsigned number)
{
    struct lane *lane = &self->lanes[number];
    const struct made_packet *packet = &lane->packet;
    uint64_t *item = source_offer(&lane->source);
    const struct moehub_flit flit = packet->flits[lane->sent];
    const bool last = lane->sent + 1 == packet->count;
    item[0] = flit.half[0];
    item[1] = flit.half[1];
    item[2] = last;
    item[3] = packet->count;
    if (self->loop_back == 0) {
        const uint64_t sent[5] = {flit.half[0], flit.half[1], lane->sent == 0, last, packet->packet_class};
        scoreboard_expect(&self->sent, number, sent);
    }
    if (++lane->sent == packet->count)
        end_lane(self, lane);
}

static void drive_lanes(struct way_bench *self)
{
    for (unsigned i = 0; i < LANES; i++) {
        struct lane *lane = &self->lanes[i];
        const bool sends = self->loop_back == 0 || i != LANE_PARTIAL;
        if (!self->bench.reset && sends && source_free(&lane->source)) {
            const bool begins = !self->pausing && inside(self) < INSIDE && self->sent.waiting < INSIDE;
            if (lane->sent == lane->packet.count && begins)
                draw_lane(self, i);
            if (lane->sent < lane->packet.count)
                offer_flit(self, i);
        }
        source_drive(&lane->source);
    }
}

static void sample_lanes(struct way_bench *self)
{
    for (unsigned i = 0; i < LANES; i++)
        source_sample(&self->lanes[i].source);
    if (self->bench.reset || self->bench.quiet || pin_get(self->out_flit_valid) == 0)
        return;
    const unsigned of = (unsigned)pin_get(self->out_flit_class);
    uint64_t item[5] = {0, 0, pin_get(self->out_flit_first), pin_get(self->out_flit_last), of};
    pin_get_words(self->out_flit_data, item);
    if (item[2])
        self->out_lane = of == MOEHUB_CLASS_RESPONSE && item[0] & 1 ? LANE_PARTIAL : of;
    if (self->granted_out[of]-- == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "a flit of class %u is sent without a credit", of);
    scoreboard_check(&self->sent, self->out_lane, item);
}

/* Places of the other end: given in pieces, and kept back for long. */
static void drive_grants(struct way_bench *self)
{
    const unsigned of = below(self, MOEHUB_CLASSES);
    const bool grant = !self->bench.reset && self->loop_back == 0 && self->granted_out[of] < 64 && !stall_next(&self->grants);
    const unsigned flits = 1 + below(self, 20);
    pin_set(self->out_credit_valid, grant);
    pin_set(self->out_credit_class, of);
    pin_set(self->out_credit_flits, flits);
    self->withheld_out[of] = grant ? flits : 0;
    self->withheld += !grant;
}

static void take_grants(struct way_bench *self)
{
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++) {
        self->granted_out[i] += self->withheld_out[i];
        self->withheld_out[i] = 0;
    }
}

/* ---- answers --------------------------------------------------------------------------------------------------------------- */

static bool expect_write(struct way_bench *self, const struct moehub_way_write *write)
{
    const uint64_t item[2] = {write->address, write->beats - 1};
    const bool error = chance(self, 1, self->failing ? 2 : 50);
    scoreboard_expect(&self->addresses, 0, item);
    for (unsigned i = 0; i < write->beats; i++) {
        uint64_t beat[6] = {0, 0, 0, 0, write->strobes[i], i + 1 == write->beats};
        for (unsigned byte = 0; byte < MOEHUB_WAY_BEAT_BYTES; byte++)
            beat[byte / 8] |= (uint64_t)write->data[i][byte] << (byte % 8 * 8);
        scoreboard_expect(&self->beats, 0, beat);
    }
    self->write_errors[self->writes_expected++ % PAIRS] = error;
    self->failed_writes += error;
    return error;
}

static void expect_pair(struct way_bench *self, const struct asked_pair *pair)
{
    const struct moehub_way_packet *store = &self->stores[self->stores_moved % PACKETS];
    const struct moehub_way_answer answer = {
        .status = pair->status, .expert = pair->expert, .allocated = pair->allocated, .slot = (uint32_t)pair->slot,
        .address = pair->address};
    const bool last = self->target + 1 == store->header.target_count;
    struct moehub_way_outcome outcome;
    moehub_way_answered(&self->model, store, &answer, last, &outcome);
    for (unsigned i = 0; i < outcome.records; i++)
        expect_record(self, &outcome.record[i], i < outcome.writes && expect_write(self, &outcome.write[i]));
    self->causes_met[MOEHUB_HUB_WAY_CAUSE_ANSWER] += outcome.writes == 0;
    self->lines += outcome.writes > 0;
    self->words += outcome.writes > 1;
    self->target++;
    if (last)
        end_store(self);
    move_refused(self);
}

static void sample_questions(struct way_bench *self)
{
    for (unsigned asker = 0; asker < ASKERS; asker++) {
        const uint64_t *item = sink_sample(&self->question[asker]);
        if (item == NULL)
            continue;
        scoreboard_check(&self->questions, asker, item);
        const uint64_t address = random_next(&self->random) & bits_mask(self->model.config.address_width) & ~UINT64_C(127);
        self->pairs[asker][self->asked_count[asker]++ % PAIRS] = (struct asked_pair){
            .status = (uint8_t)(chance(self, 1, self->failing ? 2 : 24) ? 1 + below(self, 15) : MOEHUB_STATUS_OK),
            .expert = (uint8_t)item[2],
            .allocated = asker == STORES && chance(self, 1, 3), .slot = random_bits(&self->random, self->slot_width),
            .address = address | (item[4] & 127), .due = self->bench.cycle + 1 + below(self, self->answer_wait)};
    }
}

/* One answer a cycle for all ports; some are another way's. */
static void drive_answer(struct way_bench *self)
{
    const unsigned asker = below(self, ASKERS);
    const struct asked_pair *pair = &self->pairs[asker][self->given[asker] % PAIRS];
    const bool ours = self->given[asker] < self->asked_count[asker] && pair->due <= self->bench.cycle &&
                      !self->bench.reset && !stall_next(&self->respond);
    const struct asked_pair noise = {.status = (uint8_t)below(self, 16), .slot = random_bits(&self->random, self->slot_width)};
    if (!ours)
        pair = &noise;
    pin_set(self->answer_valid, ours || (!self->bench.reset && chance(self, 1, 4)));
    pin_set(self->answer_port, (2 * self->way + asker + (ours ? 0 : 2)) % 10);
    pin_set(self->answer_status, pair->status);
    pin_set(self->answer_expert, pair->expert);
    pin_set(self->answer_allocated, pair->allocated);
    pin_set(self->answer_slot, pair->slot);
    pin_set(self->answer_address, pair->address);
    if (!ours)
        return;
    self->given[asker]++;
    if (asker == STORES)
        expect_pair(self, pair);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------------- */

static void drive_responses(struct way_bench *self)
{
    const uint64_t ready = self->started < self->finished ? self->started : self->finished;
    const bool give = self->responded < ready && self->write_due[self->responded % PAIRS] <= self->bench.cycle &&
                      !self->bench.reset && !self->bench.quiet && !stall_next(&self->memory);
    pin_set(self->b_valid, give);
    pin_set(self->b_response, self->write_errors[self->responded % PAIRS] ? 2 + below(self, 2) : below(self, 2));
    self->responded += give;
}

static void sample_memory(struct way_bench *self)
{
    const uint64_t *aw = sink_sample(&self->aw), *w = sink_sample(&self->w);
    if (!self->bench.reset && !self->bench.quiet && pin_get(self->b_ready) == 0)
        bench_fail(&self->bench, BENCH_MISMATCH, "B is not taken at once");
    if (aw != NULL) {
        scoreboard_check(&self->addresses, 0, aw);
        self->started++;
    }
    if (w == NULL)
        return;
    uint64_t beat[6];
    memcpy(beat, w, sizeof beat);
    for (unsigned i = 0; i < 32; i++)
        if ((beat[4] >> i & 1) == 0)
            beat[i / 8] &= ~(UINT64_C(0xFF) << (i % 8 * 8));
    scoreboard_check(&self->beats, 0, beat);
    if (beat[5])
        self->write_due[self->finished++ % PAIRS] = self->bench.cycle + 1 + below(self, self->memory_wait);
}

/* ---- tile tracker, final_reduce -------------------------------------------------------------------------------------------- */

static void sample_completed(struct way_bench *self)
{
    const uint64_t *item = sink_sample(&self->completed);
    if (item == NULL)
        return;
    scoreboard_check(&self->records, 0, item);
    const uint64_t at = self->records_taken++ % PAIRS;
    if (self->record_kind[at] == MOEHUB_COMPLETED_REFUSED) {
        if ((self->flagged >> self->record_context[at] & 1) == 0)
            bench_fail(&self->bench, BENCH_MISMATCH, "context %u is not flagged before the record of a refused pair",
                       self->record_context[at]);
    } else if (self->writes_told++ >= self->responded)
        bench_fail(&self->bench, BENCH_MISMATCH, "a record comes before the B response of its write");
}

static void sample_streams(struct way_bench *self)
{
    const uint64_t *close = sink_sample(&self->close), *notify = sink_sample(&self->notify), *result = sink_sample(&self->result);
    if (close != NULL) {
        const uint64_t item[4] = {close[0], close[1], close[2], 0};
        scoreboard_check(&self->closes, 0, item);
    }
    if (notify != NULL)
        scoreboard_check(&self->notifies, 0, notify);
    if (result != NULL)
        scoreboard_check(&self->results, 0, result);
}

/* ---- pre_reduce ------------------------------------------------------------------------------------------------------------ */

static void drive_pre_reduce(struct way_bench *self)
{
    const struct asked_request *request = &self->requests_sent[self->requests_done % PACKETS];
    const bool has = !self->bench.reset && !self->bench.quiet && self->requests_done < self->requests_taken;
    const unsigned needed = has && request->status == MOEHUB_STATUS_OK ? request->targets : 0;
    const bool may = has && pin_get(self->answers_there) >= needed && !stall_next(&self->reads);
    const bool ends = may && (needed == 0 || chance(self, 1, 2u * needed));
    const bool read = may && needed > 0;
    const unsigned index = read ? below(self, needed) : 0;
    pin_set(self->answer_read_valid, read);
    pin_set(self->answer_read_index, index);
    pin_set(self->answers_release_valid, ends && needed > 0);
    pin_set(self->answers_release_count, needed);
    pin_set(self->partial_queued_valid, ends && needed > 0);
    pin_set(self->partial_queued_context, request->context);
    if (read) {
        const struct asked_pair *pair = &self->pairs[REQUESTS][(self->released + index) % PAIRS];
        const uint64_t item[2] = {pair->status, pair->address};
        scoreboard_expect(&self->answers, 0, item);
    }
    if (ends) {
        self->released += needed;
        self->requests_done++;
    }
}

/* Its pulses are the way's events. */
static void drive_partial_events(struct way_bench *self)
{
    static const unsigned numbers[] = {MOEHUB_HUB_WAY_EVENT_LINES_READ, MOEHUB_HUB_WAY_EVENT_PARTIALS,
                                       MOEHUB_HUB_WAY_EVENT_PARTIAL_ERRORS,
                                       MOEHUB_HUB_WAY_EVENT_CAUSES + MOEHUB_HUB_WAY_CAUSE_READ,
                                       MOEHUB_HUB_WAY_EVENT_NO_DATA, MOEHUB_HUB_WAY_EVENT_NO_PARTIAL_PLACE};
    const bool quiet = self->bench.reset || self->bench.quiet || self->resting;
    const uint64_t events = quiet ? 0 : random_next(&self->random) & random_next(&self->random) & 63;
    const uint64_t header[2] = {random_next(&self->random), random_next(&self->random)};
    pin_set(self->partial_events, events);
    pin_set_words(self->read_error_header, header);
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
        self->events_expected[numbers[i]] += events >> i & 1;
}

static void sample_pre_reduce(struct way_bench *self)
{
    if (self->reading) {
        const uint64_t item[2] = {pin_get(self->read_status), pin_get(self->read_address)};
        scoreboard_check(&self->answers, 0, item);
    }
    self->reading = pin_get(self->answer_read_valid) != 0 && !self->bench.reset;
    const uint64_t there = self->bench.quiet || self->bench.reset ? 0 : pin_get(self->answers_there);
    if (there > self->request_answers)
        bench_fail(&self->bench, BENCH_MISMATCH, "%u answers are there", (unsigned)there);
    const uint64_t *item = sink_sample(&self->asked);
    if (item == NULL)
        return;
    scoreboard_check(&self->requests, 0, item);
    self->requests_taken++;
}

/* ---- events, flags, flight ------------------------------------------------------------------------------------------------- */

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

static void check_waits(struct way_bench *self)
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
static void check_room(struct way_bench *self)
{
    const bool room = pin_get(self->store_room) != 0;
    if (!self->bench.reset && !self->bench.quiet && room != self->room)
        bench_fail(&self->bench, BENCH_MISMATCH, "store_room is %d", room);
    const uint64_t credits = pin_get(self->credits) & bits_mask(MOEHUB_CREDITS_WIDTH);
    self->room = !self->bench.reset && credits >= MOEHUB_STORE_LONGEST;
}

/* ---- one cycle ------------------------------------------------------------------------------------------------------------- */

static void forget(struct way_bench *self)
{
    struct scoreboard *const all[] = {&self->questions, &self->addresses, &self->beats, &self->records, &self->closes,
                                      &self->notifies, &self->requests, &self->results, &self->sent, &self->answers};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        scoreboard_forget(all[i]);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        self->credits_in[i] = self->granted_out[i] = self->withheld_out[i] = 0;
    for (unsigned i = 0; i < LANES; i++) {
        self->lanes[i].sent = self->lanes[i].packet.count = 0;
        self->lanes[i].source.offered = self->lanes[i].source.driving = false;
    }
    for (unsigned i = 0; i < ASKERS; i++)
        self->kept_count[i] = self->questions_expected[i] = self->asked_count[i] = self->given[i] = 0;
    self->sent_flits = self->packet.count = self->target = 0;
    self->cut_open = self->reading = false;
    self->stores_sent = self->stores_moved = self->requests_expected = self->requests_taken = self->requests_done = 0;
    self->released = self->writes_expected = self->started = self->finished = self->responded = self->writes_told = 0;
    self->records_expected = self->records_taken = 0;
    self->flagged = self->model.failed = 0;
    memset(self->model.counters, 0, sizeof self->model.counters);
    moehub_offenders_clear(&self->model.offenders);
    memset(self->events_expected, 0, sizeof self->events_expected);
    memset(self->events_met, 0, sizeof self->events_met);
}

static void drive(struct way_bench *self)
{
    drive_contexts(self);
    pin_set(self->own, self->maker.config.own);
    pin_set(self->link_up, 1);
    pin_set(self->initialised, !self->bench.reset && (pin_get(self->initialised) != 0 || chance(self, 1, 30)));
    drive_link(self);
    drive_lanes(self);
    drive_grants(self);
    drive_answer(self);
    drive_responses(self);
    drive_pre_reduce(self);
    drive_partial_events(self);
    way_registers_drive(&self->registers, self->resting);
    for (unsigned i = 0; i < ASKERS; i++)
        sink_drive(&self->question[i]);
    struct sink *const sinks[] = {&self->aw, &self->w, &self->completed, &self->close, &self->notify, &self->asked,
        &self->result};
    for (unsigned i = 0; i < sizeof sinks / sizeof *sinks; i++)
        sink_drive(sinks[i]);
}

static void step(void *context)
{
    struct way_bench *self = context;
    if (self->bench.reset)
        forget(self);
    drive(self);
    bench_settle(&self->bench);
    if (!self->bench.reset && !self->bench.quiet) {
        check_flight(self);
        check_events(self);
        check_offender(self);
        sample_grants(self);
    }
    check_waits(self);
    check_room(self);
    way_registers_sample(&self->registers);
    sample_lanes(self);
    take_grants(self);
    sample_questions(self);
    sample_memory(self);
    sample_completed(self);
    sample_streams(self);
    sample_pre_reduce(self);
    bench_tick(&self->bench);
}

/* ---- the run --------------------------------------------------------------------------------------------------------------- */

static void let_go(struct way_bench *self)
{
    if (self->held != NULL)
        self->held->held = false;
    self->held = NULL;
}

/* fills: the class that is to fill up with refused packets, whose records nobody takes; ASKERS: neither. */
static void draw_stalls(struct way_bench *self, unsigned fills)
{
    static const enum stall_kind kinds[] = {STALL_NONE, STALL_LIGHT, STALL_MIXED, STALL_HEAVY};
    struct stall *const all[] = {
        &self->respond, &self->memory, &self->reads, &self->grants, &self->question[STORES].stream.stall,
        &self->question[REQUESTS].stream.stall, &self->aw.stream.stall, &self->w.stream.stall, &self->completed.stream.stall,
        &self->close.stream.stall, &self->notify.stream.stall, &self->asked.stream.stall, &self->result.stream.stall,
        &self->link, &self->lanes[LANE_STORE].source.stream.stall, &self->lanes[LANE_REQUEST].source.stream.stall,
        &self->lanes[LANE_NOTICE].source.stream.stall, &self->lanes[LANE_PARTIAL].source.stream.stall};
    enum { HOLDS = 13 }; /* the first ones: what the way waits for */
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        all[i]->kind = all[i]->now = kinds[below(self, 4)];
    let_go(self);
    self->contexts = DRAWN;
    if (fills == ASKERS && chance(self, 1, 3))
        self->held = all[below(self, HOLDS)];
    else if (fills < ASKERS) {
        self->held = fills == STORES ? &self->completed.stream.stall : &self->asked.stream.stall;
        self->contexts = fills == STORES ? ALL_ARRIVED : NO_PEERS;
    }
    if (self->held != NULL)
        self->held->held = true;
    self->answer_wait = 1 + below(self, chance(self, 1, 4) ? 400 : 40);
    self->memory_wait = 1 + below(self, chance(self, 1, 2) ? 600 : 30);
    self->failing = chance(self, 1, 4);
}

/* Of the newest packets of a class, whose flits fill these places: how many have records. */
static unsigned records_in(const struct way_bench *self, unsigned asker, uint64_t places)
{
    unsigned records = 0;
    for (uint64_t i = self->kept_count[asker]; places > 0 && i > 0; i--) {
        const struct kept_packet *packet = &self->kept[asker][(i - 1) % PACKETS];
        places -= packet->flits < places ? packet->flits : places;
        records += packet->has_record;
    }
    return records;
}

/* Nobody takes the records of refused packets, and some have no place before them: then all that can hold one does. */
static void check_full(struct way_bench *self)
{
    enum { AFTER = 100, OUTPUT = 1 };
    const bool requests = self->held == &self->asked.stream.stall && self->contexts == NO_PEERS;
    const bool stores = self->held == &self->completed.stream.stall && self->contexts == ALL_ARRIVED;
    if (self->loop_back != 0 || !(requests || stores) || self->bench.cycle - self->last_flit < AFTER)
        return;
    const unsigned of = requests ? MOEHUB_CLASS_REQUEST : MOEHUB_CLASS_STORE;
    const bool open = self->packet.packet_class == of && (self->cut_open || self->sent_flits < self->packet.count);
    const uint64_t places = (pin_get(self->used_places) >> 16 * of & 0xFFFF) - (open ? self->sent_flits : 0);
    if (places == 0)
        return;
    const unsigned asker = requests ? REQUESTS : STORES;
    const uint64_t waiting = requests ? self->requests.waiting : self->records.waiting;
    const uint64_t hold = requests ? self->request_answers : self->waits.writes + OUTPUT + LINES;
    scoreboard_value(&self->states, "records beyond the places", hold, waiting - records_in(self, asker, places));
    self->full[asker]++;
}

static bool busy(const struct way_bench *self)
{
    bool sending = self->sent_flits < self->packet.count || self->cut_open;
    for (unsigned i = 0; i < LANES; i++)
        sending = sending || !source_free(&self->lanes[i].source) || self->lanes[i].sent < self->lanes[i].packet.count;
    return sending || inside(self) > 0 || self->sent.waiting > 0;
}

/* The model counts what it decides; the bench the rest. */
static void take_counters(struct way_bench *self)
{
    for (unsigned i = 0; i < MOEHUB_HUB_WAY_EVENTS; i++) {
        self->events_expected[i] += self->model.counters[i];
        self->model.counters[i] = 0;
    }
}

static void check_drained(struct way_bench *self)
{
    take_counters(self);
    scoreboard_value(&self->states, "places in use", 0, pin_get(self->used_places));
    scoreboard_value(&self->states, "writes in use", 0, pin_get(self->used_writes));
    scoreboard_value(&self->states, "answer places held", 0, pin_get(self->used_answers));
    scoreboard_value(&self->states, "stores in flight", 0, pin_get(self->stores_in_flight));
    scoreboard_value(&self->states, "requests in flight", 0, pin_get(self->requests_in_flight));
    scoreboard_value(&self->states, "answers left", 0, pin_get(self->answers_there));
    scoreboard_value(&self->states, "contexts flagged", self->model.failed, self->flagged);
    for (unsigned i = 0; i < MOEHUB_CLASSES && self->loop_back == 0; i++)
        scoreboard_value(&self->states, "credits that came back", self->places[i], self->credits_in[i]);
    for (unsigned i = 0; i < MOEHUB_HUB_WAY_EVENTS; i++) {
        char name[] = "event 00";
        name[6] = (char)('0' + i / 10);
        name[7] = (char)('0' + i % 10);
        if (i < MOEHUB_HUB_WAY_EVENT_QUESTION_STALLED || i == MOEHUB_HUB_WAY_EVENT_NO_DATA ||
            i == MOEHUB_HUB_WAY_EVENT_NO_PARTIAL_PLACE)
            scoreboard_value(&self->states, name, self->events_expected[i], self->events_met[i]);
    }
}

/* All that came is over, and nothing of it is left. */
static void drain(struct way_bench *self)
{
    enum { MOST = 400000, AFTER = 400 };
    check_full(self);
    let_go(self);
    self->pausing = true;
    unsigned cycles = 0;
    while (busy(self) && cycles++ < MOST)
        step(self);
    if (cycles >= MOST)
        bench_fail(&self->bench, BENCH_TIMEOUT, "packets are not over after %d cycles", MOST);
    bench_run(&self->bench, AFTER); /* malformed packets give their places back; refused ones leave */
    check_drained(self);
    self->resting = true;
    way_registers_check(&self->registers, self->events_expected);
    self->pausing = self->resting = false;
}

static void demand(struct way_bench *self, const char *what, uint64_t count)
{
    summary_number(&self->bench.summary, what, (double)count, "times");
    if (count == 0)
        bench_fail(&self->bench, BENCH_NOTHING_COMPARED, "NOT COVERED: %s", what);
}

static void check_covered(struct way_bench *self)
{
    static const char *const causes[] = {"CONTEXT", "PEER", "ROUND", "OWNER", "ARRIVED", "ANSWER", "WRITE"};
    for (unsigned i = 0; i < sizeof causes / sizeof *causes; i++)
        demand(self, causes[i], self->causes_met[MOEHUB_HUB_WAY_CAUSE_CONTEXT + i]);
    for (unsigned i = 0; i < MOEHUB_PACKET_CAUSES; i++)
        demand(self, "a malformed packet of each cause", self->causes_met[i]);
    for (unsigned i = 0; i < MOEHUB_CLASSES; i++)
        demand(self, "accepted packets of each class", self->passes[i]);
    demand(self, "row list words", self->words);
    demand(self, "lines", self->lines);
    demand(self, "writes with an error", self->failed_writes);
    demand(self, "refused answer and failed write in one cycle", self->met_together);
    demand(self, "headers of offenders", self->headers);
    demand(self, "offenders read from the latch", self->registers.latches);
    demand(self, "commands refused", self->registers.refusals);
    static const char *const waits[WAY_WAITS] = {"cycles of stores without an answer place",
        "cycles of requests without an answer place", "cycles of a mover without answer",
        "cycles of a mover that memory stalls", "cycles of a mover without a place for its write"};
    const uint32_t places[WAY_WAITS] = {self->waits.answers[STORES], self->waits.answers[REQUESTS], 1, 1, self->waits.writes};
    for (unsigned i = 0; i < WAY_WAITS; i++)
        if (places[i] <= FILLED_MOST / 4)
            demand(self, waits[i], self->waits.met[i]);
    if (self->loop_back != 0)
        return;
    demand(self, "packets cut short", self->cuts);
    if (self->places[MOEHUB_CLASS_REQUEST] + self->request_answers > FILLED_MOST)
        return;
    demand(self, "rounds that ended full of refused requests", self->full[REQUESTS]);
    if (self->places[MOEHUB_CLASS_STORE] + self->waits.writes <= FILLED_MOST)
        demand(self, "rounds that ended full of refused stores", self->full[STORES]);
}

/* ---- set up ---------------------------------------------------------------------------------------------------------------- */

#define PIN(name) {&self->name, #name}
static void find_pins(struct way_bench *self)
{
    const struct {
        const struct pin **pin;
        const char *name;
    } pins[] = {
        PIN(own), PIN(link_up), PIN(in_flit_valid), PIN(in_flit_first), PIN(in_flit_last), PIN(in_flit_class),
        PIN(in_flit_data), PIN(in_credit_valid), PIN(in_credit_class), PIN(in_credit_flits), PIN(out_flit_valid),
        PIN(out_flit_first), PIN(out_flit_last), PIN(out_flit_class), PIN(out_flit_data), PIN(out_credit_valid),
        PIN(out_credit_class), PIN(out_credit_flits), PIN(initialised), PIN(enabled), PIN(has_arrived), PIN(rounds),
        PIN(owner_shifts), PIN(peers), PIN(list_bases), PIN(list_shifts), PIN(failed), PIN(stores_in_flight),
        PIN(requests_in_flight), PIN(answer_valid), PIN(answer_port), PIN(answer_status), PIN(answer_expert),
        PIN(answer_allocated), PIN(answer_slot), PIN(answer_address), PIN(b_valid), PIN(b_ready), PIN(b_response),
        PIN(answers_there), PIN(answer_read_valid), PIN(answer_read_index), PIN(read_status), PIN(read_address),
        PIN(answers_release_valid), PIN(answers_release_count), PIN(partial_queued_valid), PIN(partial_queued_context),
        PIN(partial_events), PIN(read_error_header), PIN(store_room), PIN(events), PIN(error_valid), PIN(error_cause),
        PIN(used_places), PIN(used_writes), PIN(used_answers), PIN(credits), PIN(error_header),
    };
    for (unsigned i = 0; i < sizeof pins / sizeof *pins; i++)
        *pins[i].pin = bench_pin(&self->bench, pins[i].name);
}

static void read_parameters(struct way_bench *self)
{
    uint32_t contexts = 4, local_expert_bits = 8, address_width = 48, max_targets = 32, request_lines = 8;
    uint32_t answers = 128, writes = 256, read_lines = 96, partial_rows = 40, notices = 16;
    self->gpus = 8;
    self->slot_width = 22;
    self->places[MOEHUB_CLASS_STORE] = 2048;
    self->places[MOEHUB_CLASS_REQUEST] = 256;
    self->places[MOEHUB_CLASS_RESPONSE] = 1024;
    self->request_answers = 64;
    const struct parameter parameters[] = {
        {"WAY", &self->way}, {"LOOP_BACK", &self->loop_back}, {"GPUS", &self->gpus}, {"CONTEXTS", &contexts},
        {"LOCAL_EXPERT_BITS", &local_expert_bits}, {"MAX_TARGETS", &max_targets}, {"REQUEST_LINES", &request_lines},
        {"SLOT_WIDTH", &self->slot_width}, {"ADDRESS_WIDTH", &address_width},
        {"PLACES_STORE", &self->places[MOEHUB_CLASS_STORE]}, {"PLACES_REQUEST", &self->places[MOEHUB_CLASS_REQUEST]},
        {"PLACES_RESPONSE", &self->places[MOEHUB_CLASS_RESPONSE]}, {"ANSWERS", &answers},
        {"REQUEST_ANSWERS", &self->request_answers}, {"WRITES", &writes}, {"READ_LINES", &read_lines},
        {"PARTIAL_ROWS", &partial_rows}, {"NOTICES", &notices}};
    parameters_read(dut_description(), "", NULL, parameters, sizeof parameters / sizeof *parameters);
    const uint32_t told[MOEHUB_HUB_WAY_CSR_PARAMETER_COUNT] = {
        self->places[MOEHUB_CLASS_STORE], self->places[MOEHUB_CLASS_REQUEST], self->places[MOEHUB_CLASS_RESPONSE], answers,
        self->request_answers, writes, read_lines, partial_rows, notices, self->loop_back};
    memcpy(self->registers.parameters, told, sizeof told);
    self->registers.way = self->way;
    self->waits.answers[STORES] = answers;
    self->waits.answers[REQUESTS] = self->request_answers;
    self->waits.writes = writes;
    const struct moehub_check_config check = {.hub = true, .loop_back = self->loop_back != 0, .ports = (uint16_t)self->gpus,
                                              .own = (uint16_t)below(self, self->gpus), .max_targets = (uint8_t)max_targets,
                                              .local_expert_bits = (uint8_t)local_expert_bits,
                                              .request_lines = (uint8_t)request_lines};
    const struct moehub_way_config config = {self->way, check.own, contexts, local_expert_bits, address_width};
    if (moehub_way_create(&self->model, &config, OFFENDERS) != 0)
        bench_fail(&self->bench, BENCH_TIMEOUT, "no memory for the model");
    packet_maker_create(&self->maker, &self->bench, &check, "packets");
}

static void create_streams(struct way_bench *self)
{
    static const char question[] = "first context expert row_index offset length source";
    static const char *const lanes[LANES] = {"store", "request", "notice", "partial"};
    struct bench *bench = &self->bench;
    sink_create(&self->question[STORES], bench, "question_store", question, STALL_MIXED);
    sink_create(&self->question[REQUESTS], bench, "question_request", question, STALL_MIXED);
    sink_create(&self->aw, bench, "aw", "address len", STALL_MIXED);
    sink_create(&self->w, bench, "w", "data strobes last", STALL_MIXED);
    sink_create(&self->completed, bench, "completed", "kind context source expert slot value error", STALL_MIXED);
    sink_create(&self->close, bench, "close", "context source count", STALL_MIXED);
    sink_create(&self->notify, bench, "notify", "context source row_index failed", STALL_MIXED);
    sink_create(&self->asked, bench, "asked", "source context round tag element offset length targets status", STALL_MIXED);
    sink_create(&self->result, bench, "result", "entry generation status element length data last", STALL_MIXED);
    for (unsigned i = 0; i < LANES; i++)
        source_create(&self->lanes[i].source, bench, lanes[i], i == LANE_NOTICE ? "data" : "data last flits", STALL_MIXED);
}

static void create_scoreboards(struct way_bench *self)
{
    struct bench *bench = &self->bench;
    scoreboard_create_for(&self->questions, bench, "questions", &self->question[STORES].stream.table, ASKERS, PAIRS);
    scoreboard_create_for(&self->addresses, bench, "AW", &self->aw.stream.table, 1, PAIRS);
    scoreboard_create(&self->beats, bench, "W", beat_fields, 3, 1, PAIRS);
    scoreboard_create_for(&self->records, bench, "completed", &self->completed.stream.table, 1, PAIRS);
    scoreboard_create_for(&self->closes, bench, "closes", &self->notify.stream.table, 1, PACKETS);
    scoreboard_create_for(&self->notifies, bench, "notifies", &self->notify.stream.table, 1, PACKETS);
    scoreboard_create_for(&self->requests, bench, "asked", &self->asked.stream.table, 1, PACKETS);
    scoreboard_create_for(&self->results, bench, "results", &self->result.stream.table, 1, PAIRS);
    self->results.block.may_be_empty = self->loop_back != 0;
    scoreboard_create(&self->sent, bench, "sent", sent_fields, 4, LANES, PAIRS);
    self->sent.block.may_be_empty = self->loop_back != 0;
    scoreboard_create(&self->answers, bench, "answers", answer_fields, 2, 1, 4);
    scoreboard_create(&self->states, bench, "states", state_fields, 1, 1, 4);
}

static void create(struct way_bench *self)
{
    struct bench *bench = &self->bench;
    find_pins(self);
    bench_random(bench, &self->random, "way");
    read_parameters(self);
    struct stall *const stalls[] = {&self->link, &self->respond, &self->memory, &self->reads, &self->grants};
    static const char *const names[] = {"link", "answers", "memory", "pre_reduce", "grants"};
    for (unsigned i = 0; i < sizeof stalls / sizeof *stalls; i++)
        stall_init(stalls[i], STALL_MIXED, bench->options.seed, names[i]);
    create_streams(self);
    create_scoreboards(self);
    way_registers_create(&self->registers, bench, &self->random);
    way_waits_create(&self->waits, bench);
    for (unsigned i = 0; i < ASKERS; i++)
        self->waits.questions[i] = &self->question[i].stream;
    self->waits.aw = &self->aw.stream;
    self->waits.w = &self->w.stream;
    self->waits.completed = &self->completed.stream;
}

/* From reset, or when all before it is over. Every eighth fills one of the classes. */
static void run_round(struct way_bench *self, unsigned round)
{
    enum { PERIOD = 16, LONGEST = 4000 };
    const unsigned fills = round % PERIOD == PERIOD / 4 ? STORES : round % PERIOD == 3 * PERIOD / 4 ? REQUESTS : ASKERS;
    if (round == 0 || (self->contexts == DRAWN && chance(self, 1, 4)))
        bench_reset(&self->bench, (unsigned)random_range(&self->random, 2, 4));
    else
        drain(self);
    self->flagged = self->model.failed = 0;
    moehub_offenders_clear(&self->model.offenders);
    draw_stalls(self, fills);
    for (unsigned c = 0; c < self->model.config.contexts; c++)
        draw_context(self, c);
    bench_run(&self->bench, fills < ASKERS ? LONGEST : random_range(&self->random, 500, LONGEST));
}

int main(int argc, char **argv)
{
    static const struct options_defaults defaults = {
        .description = "A whole way against its page", .events = 100000, .cycles = UINT64_MAX, .watchdog = 40000};
    static struct way_bench self;
    struct bench *bench = &self.bench;
    bench_create(bench, argc, argv, &defaults, NULL);
    create(&self);
    bench->step = step;
    bench->context = &self;
    for (unsigned round = 0; round == 0 || bench_running(bench); round++)
        run_round(&self, round);
    drain(&self);
    check_covered(&self);
    return bench_finish(bench);
}
