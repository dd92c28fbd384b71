/* SPDX-License-Identifier: Apache-2.0 */
/* What is expected of a packet that came whole, and of each answer: the model, shown what the way was. */
#include "bench/hub/way_bench.h"

/* What the receiver finds; the rest is the model's. */
void way_expect_malformed(struct way_bench *self, unsigned cause)
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

void way_expect_packet(struct way_bench *self, const struct made_packet *packet, unsigned count, bool broken)
{
    self->events_expected[MOEHUB_HUB_WAY_EVENT_PACKETS_IN + packet->packet_class]++;
    self->events_expected[MOEHUB_HUB_WAY_EVENT_FLITS_IN] += count;
    const unsigned cause =
        moehub_packet_check(&self->maker.config, packet->packet_class, packet->flits, count, broken).cause;
    if (cause != MOEHUB_PACKET_CAUSES) {
        way_expect_malformed(self, cause);
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

static bool expect_write(struct way_bench *self, const struct moehub_way_write *write)
{
    const uint64_t item[2] = {write->address, write->beats - 1};
    const bool error = way_chance(self, 1, self->failing ? 2 : 50);
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

void way_expect_pair(struct way_bench *self, const struct asked_pair *pair)
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
