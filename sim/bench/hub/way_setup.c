/* SPDX-License-Identifier: Apache-2.0 */
/* A way's bench before its first cycle: pins, parameters, streams, what is compared. */
#include "bench/hub/way_bench.h"

#include "kit/parameters.h"

#include <string.h>

static const struct field beat_fields[] = {{"data", 256}, {"strobes", 32}, {"last", 1}};
static const struct field sent_fields[] = {{"data", 128}, {"first", 1}, {"last", 1}, {"class", 2}};
static const struct field answer_fields[] = {{"status", 4}, {"address", 64}};
static const struct field state_fields[] = {{"value", 64}};

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
                                              .own = (uint16_t)way_below(self, self->gpus), .max_targets = (uint8_t)max_targets,
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

void way_create(struct way_bench *self)
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
