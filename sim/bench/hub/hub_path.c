/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_path.h"

#include "bench/hub/hub_config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Words of items, in the order of the field lists below. */
enum { REQUEST_OPERATION, REQUEST_FIRST, REQUEST_CONTEXT, REQUEST_EXPERT, REQUEST_ROW, REQUEST_OFFSET, REQUEST_LENGTH,
       REQUEST_SOURCE, REQUEST_PORT, REQUEST_TAG };
enum { ANSWER_STATUS, ANSWER_PORT, ANSWER_TAG, ANSWER_SLOT, ANSWER_ADDRESS, ANSWER_ALLOCATED, ANSWER_WORDS };
enum { COMMAND_OPERATION, COMMAND_CONTEXT, COMMAND_INDEX, COMMAND_DATA0, COMMAND_DATA1 };
enum { RESULT_REFUSED, RESULT_IN_FLIGHT, RESULT_DATA0, RESULT_DATA1 };
static const char request_fields[] = "operation first context expert row_index offset length source port tag";
static const char answer_fields[] = "status port tag slot address allocated";
static const char command_fields[] = "operation context index data0 data1";
static const char result_fields[] = "refused in_flight data0 data1";

enum { SEEN_MAX = 64, OFFENDERS_KNOWN = 1 << 14 };

static void *must(void *memory)
{
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        exit(BENCH_CONFIGURATION);
    }
    return memory;
}

/* ---- the model's half ---------------------------------------------------------- */

/* The one value copied from the design: whether something of the command's context was in flight. */
static bool take_in_flight(struct hub_path *path, const struct hub_result_seen *seen)
{
    const bool said = seen->item[RESULT_IN_FLIGHT] != 0;
    path->copied++;
    if (seen->bound == HUB_FLIGHT_EITHER)
        return said;
    path->bounded++;
    if (said != (seen->bound == HUB_FLIGHT_YES))
        bench_fail(&path->bench, BENCH_MISMATCH, "result_in_flight is %d, but %s of the context was in flight all the time", said,
                   said ? "nothing" : "something");
    return said;
}

static void model_request(struct hub_path *path, const struct moehub_hub_request *request)
{
    struct moehub_hub_answer answer;
    moehub_address_path_request(&path->model, request, &answer);
    if (answer.allocated)
        hub_flight_announce(&path->flight, request->context, path->bench.cycle);
    const uint64_t item[ANSWER_WORDS] = {answer.status, answer.port, answer.tag, answer.slot, answer.address, answer.allocated};
    scoreboard_expect(&path->answers, request->port, item);
    path->expected_on[request->port]++;
}

static void model_command(struct hub_path *path, const struct moehub_hub_command *command, const struct hub_result_seen *seen)
{
    struct moehub_hub_result *result = &path->last_result;
    moehub_address_path_command(&path->model, command, take_in_flight(path, seen), result);
    const uint64_t item[4] = {result->refused, result->in_flight, result->data0, result->data1};
    scoreboard_expect(&path->results, 0, item);
    scoreboard_check(&path->results, 0, seen->item);
    path->done++;
}

/* Compares the early answers whose turn has come. */
static void replay_early(struct hub_path *path)
{
    while (path->early_head != path->early_tail) {
        const uint64_t *item = path->early + path->early_head % HUB_ORDER_MAX * ANSWER_WORDS;
        const unsigned port = (unsigned)item[ANSWER_PORT];
        if (path->expected_on[port] == path->answered_on[port])
            return;
        scoreboard_check(&path->answers, port, item);
        path->answered_on[port]++;
        path->early_head++;
    }
}

/* Gives the model what was accepted, up to a command whose result has not come. */
static void catch_up(struct hub_path *path)
{
    while (path->order_head != path->order_tail) {
        const struct hub_accepted *next = &path->order[path->order_head % HUB_ORDER_MAX];
        if (!next->is_command) {
            model_request(path, &next->request);
        } else {
            if (path->seen_head == path->seen_tail)
                return;
            model_command(path, &next->command, &path->seen[path->seen_head++ % SEEN_MAX]);
        }
        path->order_head++;
        replay_early(path);
    }
}

static struct hub_accepted *next_accepted(struct hub_path *path)
{
    if (path->order_tail - path->order_head == HUB_ORDER_MAX)
        bench_fail(&path->bench, BENCH_TIMEOUT, "%d requests accepted behind a command that has no result", HUB_ORDER_MAX);
    return &path->order[path->order_tail++ % HUB_ORDER_MAX];
}

/* ---- streams ------------------------------------------------------------------- */

static void offer_request(struct hub_path *path, const struct moehub_hub_request *request)
{
    uint64_t *item = source_offer(&path->request);
    item[REQUEST_OPERATION] = request->operation;
    item[REQUEST_FIRST] = request->first;
    item[REQUEST_CONTEXT] = request->context;
    item[REQUEST_EXPERT] = request->expert;
    item[REQUEST_ROW] = request->row_index;
    item[REQUEST_OFFSET] = request->offset;
    item[REQUEST_LENGTH] = request->length;
    item[REQUEST_SOURCE] = request->source;
    item[REQUEST_PORT] = request->port;
    item[REQUEST_TAG] = request->tag & path->model.tag_mask;
}

static void accept_request(struct hub_path *path, const uint64_t *item)
{
    const struct moehub_hub_request request = {
        .operation = (uint8_t)item[REQUEST_OPERATION],
        .first = item[REQUEST_FIRST] != 0,
        .context = (uint8_t)item[REQUEST_CONTEXT],
        .expert = (uint16_t)item[REQUEST_EXPERT],
        .row_index = (uint32_t)item[REQUEST_ROW],
        .offset = (uint16_t)item[REQUEST_OFFSET],
        .length = (uint16_t)item[REQUEST_LENGTH],
        .source = (uint16_t)item[REQUEST_SOURCE],
        .port = (uint8_t)item[REQUEST_PORT],
        .tag = item[REQUEST_TAG],
    };
    hub_flight_request(&path->flight, request.context, request.port, path->bench.cycle);
    if (path->order_head == path->order_tail) {
        model_request(path, &request);
        return;
    }
    struct hub_accepted *accepted = next_accepted(path);
    accepted->is_command = false;
    accepted->request = request;
}

static void offer_command(struct hub_path *path)
{
    const struct moehub_hub_command *command = &path->to_send[path->send_head++ % HUB_COMMANDS_MAX];
    uint64_t *item = source_offer(&path->command);
    item[COMMAND_OPERATION] = command->operation;
    item[COMMAND_CONTEXT] = command->context;
    item[COMMAND_INDEX] = command->index;
    item[COMMAND_DATA0] = command->data0;
    item[COMMAND_DATA1] = command->data1;
}

static void accept_command(struct hub_path *path, const uint64_t *item)
{
    struct hub_flight_mark mark = hub_flight_mark(&path->flight, (unsigned)item[COMMAND_CONTEXT],
                                                  item[COMMAND_OPERATION] == MOEHUB_HUB_COMMAND_FLUSH, path->bench.cycle);
    mark.idle = mark.idle && path->order_head == path->order_tail;
    struct hub_accepted *accepted = next_accepted(path);
    accepted->is_command = true;
    accepted->command = (struct moehub_hub_command){
        .operation = (uint8_t)item[COMMAND_OPERATION],
        .context = (uint8_t)item[COMMAND_CONTEXT],
        .index = (uint16_t)item[COMMAND_INDEX],
        .data0 = item[COMMAND_DATA0],
        .data1 = item[COMMAND_DATA1],
    };
    if (path->marks_tail - path->marks_head == SEEN_MAX)
        bench_fail(&path->bench, BENCH_MISMATCH, "%d commands accepted and no result", SEEN_MAX);
    path->marks[path->marks_tail % SEEN_MAX] = mark;
    path->commands_accepted[path->marks_tail++ % SEEN_MAX] = accepted->command;
}

static void see_answer(struct hub_path *path, const uint64_t *item)
{
    const unsigned port = (unsigned)item[ANSWER_PORT];
    if (port >= path->config.ports)
        bench_fail(&path->bench, BENCH_MISMATCH, "answer_port %u: there are %u ports", port, path->config.ports);
    const bool asked = hub_flight_answer(&path->flight, port, path->bench.cycle);
    if (!asked || (path->expected_on[port] != path->answered_on[port] && path->early_head == path->early_tail)) {
        scoreboard_check(&path->answers, port, item);
        path->answered_on[port]++;
        return;
    }
    if (path->early_tail - path->early_head == HUB_ORDER_MAX)
        bench_fail(&path->bench, BENCH_TIMEOUT, "%d answers after a command that has no result", HUB_ORDER_MAX);
    memcpy(path->early + path->early_tail++ % HUB_ORDER_MAX * ANSWER_WORDS, item, ANSWER_WORDS * sizeof *item);
    replay_early(path);
}

static void see_result(struct hub_path *path, const uint64_t *item)
{
    if (path->marks_head == path->marks_tail)
        bench_fail(&path->bench, BENCH_MISMATCH, "a result without a command");
    const struct moehub_hub_command *command = &path->commands_accepted[path->marks_head % SEEN_MAX];
    struct hub_result_seen *seen = &path->seen[path->seen_tail++ % SEEN_MAX];
    memcpy(seen->item, item, sizeof seen->item);
    seen->bound = hub_flight_result(&path->flight, command->context, command->operation == MOEHUB_HUB_COMMAND_FLUSH,
                                    path->marks[path->marks_head % SEEN_MAX]);
    path->marks_head++;
}

/* ---- watching the pins ----------------------------------------------------------- */

static uint32_t stalls(const struct pin *valid, const struct pin *ready)
{
    return pin_get(valid) != 0 && pin_get(ready) == 0 ? 1 : 0;
}

/* A stalled stream is an event of the next cycle. */
static void watch_stalls(struct hub_path *path)
{
    enum { FIRST = MOEHUB_HUB_EVENT_REQUEST_STALLED, STREAMS = 4 };
    const uint32_t said = (uint32_t)pin_get(path->events) >> FIRST & ((1u << STREAMS) - 1);
    if (said != path->stalled)
        bench_fail(&path->bench, BENCH_MISMATCH, "events of stalled streams: 0x%x, in the cycle before 0x%x were stalled", said,
                   path->stalled);
    path->stalled = stalls(path->request.stream.valid, path->request.stream.ready) |
                    stalls(path->answer.stream.valid, path->answer.stream.ready) << 1 | stalls(path->arvalid, path->arready) << 2 |
                    (stalls(path->awvalid, path->awready) | stalls(path->wvalid, path->wready)) << 3;
}

static void watch_events(struct hub_path *path)
{
    const uint32_t events = (uint32_t)pin_get(path->events);
    for (uint32_t left = events; left != 0; left &= left - 1)
        path->counters[__builtin_ctz(left)]++;
    const uint32_t causes = events >> MOEHUB_HUB_EVENT_CAUSES & ((1u << MOEHUB_HUB_CAUSES) - 1);
    if ((causes != 0) != (pin_get(path->error_valid) != 0))
        bench_fail(&path->bench, BENCH_MISMATCH, "error_valid is %u, the causes counted in this cycle are 0x%x",
                   (unsigned)pin_get(path->error_valid), causes);
    if (causes == 0)
        return;
    const unsigned cause = (unsigned)__builtin_ctz(causes);
    if (pin_get(path->error_cause) != cause)
        bench_fail(&path->bench, BENCH_MISMATCH, "error_cause is %u, the smallest cause counted in this cycle is %u",
                   (unsigned)pin_get(path->error_cause), cause);
    if (path->offender_count == HUB_OFFENDERS_MAX)
        return;
    uint64_t header[2];
    pin_get_words(path->error_header, header);
    path->offenders[path->offender_count++] = (struct moehub_offender){
        .header = {{header[0], header[1]}}, .expert = (uint16_t)pin_get(path->error_expert),
        .port = (uint8_t)pin_get(path->error_port), .cause = (uint8_t)cause};
}

static void watch_in_flight(struct hub_path *path)
{
    if (path->order_head != path->order_tail)
        return; /* the model does not know yet what was announced */
    unsigned ones, zeros;
    hub_flight_pins(&path->flight, path->bench.cycle, &ones, &zeros);
    const unsigned pins = (unsigned)pin_get(path->in_flight);
    if ((ones & ~pins) != 0 || (zeros & pins) != 0)
        bench_fail(&path->bench, BENCH_MISMATCH, "in_flight is 0x%x, for %d cycles it has had to have ones 0x%x and zeros 0x%x", pins,
                   HUB_FLIGHT_LAG, ones, zeros);
}

/* Which entry each write in flight is for: its B ends an announcement. */
static void watch_writes(struct hub_path *path)
{
    if (pin_get(path->bvalid) != 0 && pin_get(path->bready) != 0) {
        const uint64_t id = pin_get(path->bid);
        hub_flight_written(&path->flight, path->write_address[id], path->bench.cycle);
        path->write_open[id] = false;
    }
    if (pin_get(path->awvalid) == 0 || pin_get(path->awready) == 0)
        return;
    const uint64_t id = pin_get(path->awid);
    if (path->write_open[id])
        bench_fail(&path->bench, BENCH_MISMATCH, "two writes in flight have id %" PRIu64, id);
    path->write_open[id] = true;
    path->write_address[id] = pin_get(path->awaddr);
    table_image_touch(&path->table, path->write_address[id]);
}

/* ---- a cycle -------------------------------------------------------------------- */

static void drive(struct hub_path *path)
{
    struct moehub_hub_request request;
    if (path->idle != NULL)
        path->idle(path->idle_user);
    if (path->supply != NULL && source_free(&path->request) && path->order_tail - path->order_head < HUB_ORDER_MAX / 2 &&
        path->supply(path->supply_user, &request))
        offer_request(path, &request);
    source_drive(&path->request);
    sink_drive(&path->answer);
    if (path->has_commands) {
        if (path->send_head != path->send_tail && source_free(&path->command) && !path->bench.reset)
            offer_command(path);
        source_drive(&path->command);
        sink_drive(&path->result);
    }
    axi_memory_drive(path->memory);
    if (path->drive_more != NULL)
        path->drive_more(path->more_user);
}

static void sample(struct hub_path *path)
{
    const uint64_t *item = source_sample(&path->request);
    if (item != NULL)
        accept_request(path, item);
    if (path->has_commands && (item = source_sample(&path->command)) != NULL)
        accept_command(path, item);
    if ((item = sink_sample(&path->answer)) != NULL)
        see_answer(path, item);
    if (path->has_commands && (item = sink_sample(&path->result)) != NULL)
        see_result(path, item);
    catch_up(path);
    axi_memory_sample(path->memory);
    if (!path->bench.reset) {
        watch_writes(path);
        if (path->events != NULL) {
            watch_stalls(path);
            watch_events(path);
            watch_in_flight(path);
        }
    }
    if (path->sample_more != NULL)
        path->sample_more(path->more_user);
}

void hub_path_step(void *context)
{
    struct hub_path *path = context;
    drive(path);
    bench_settle(&path->bench);
    sample(path);
    bench_tick(&path->bench);
}

/* ---- commands ------------------------------------------------------------------- */

void hub_path_send(struct hub_path *path, const struct moehub_hub_command *command)
{
    if (path->send_tail - path->send_head == HUB_COMMANDS_MAX)
        bench_fail(&path->bench, BENCH_CONFIGURATION, "more than %d commands to send", HUB_COMMANDS_MAX);
    path->to_send[path->send_tail++ % HUB_COMMANDS_MAX] = *command;
}

struct moehub_hub_result hub_path_command(struct hub_path *path, unsigned operation, unsigned context, unsigned index,
                                          uint64_t data0, uint64_t data1)
{
    const struct moehub_hub_command command = {data0, data1, (uint16_t)index, (uint8_t)context, (uint8_t)operation};
    struct moehub_hub_result result = {0};
    if (path->perform != NULL) {
        result = path->perform(path->perform_user, &command);
        /* cppcheck-suppress returnDanglingLifetime ; a result holds numbers only, no pointer */
        return result;
    }
    hub_path_send(path, &command);
    const uint64_t number = path->send_tail, begin = path->bench.cycle, limit = path->bench.options.watchdog;
    while (path->done < number) {
        hub_path_step(path);
        if (limit != 0 && path->bench.cycle - begin > limit)
            bench_fail(&path->bench, BENCH_TIMEOUT, "no result of command %u within %" PRIu64 " cycles", operation, limit);
        result = path->last_result;
    }
    return result;
}

/* ---- set-up --------------------------------------------------------------------- */

static unsigned table_response(void *user, uint64_t address, bool is_write)
{
    const struct hub_table_errors *errors = user;
    const unsigned chance = is_write ? errors->writes : errors->reads;
    if (chance == 0)
        return AXI_OKAY;
    const uint64_t hash = random_hash(errors->salt + is_write, address);
    if (hash % 1024 >= chance)
        return AXI_OKAY;
    return hash >> 32 & 1 ? AXI_SLVERR : AXI_DECERR;
}

static void find_pins(struct hub_path *path)
{
    struct bench *bench = &path->bench;
    path->events = bench_optional_pin(bench, "events");
    path->initialised = bench_optional_pin(bench, "initialised");
    if (path->events != NULL) {
        path->in_flight = bench_pin(bench, "in_flight");
        path->waiting_used = bench_pin(bench, "waiting_used");
        path->pending_used = bench_pin(bench, "pending_used");
        path->error_valid = bench_pin(bench, "error_valid");
        path->error_cause = bench_pin(bench, "error_cause");
        path->error_header = bench_pin(bench, "error_header");
        path->error_expert = bench_pin(bench, "error_expert");
        path->error_port = bench_pin(bench, "error_port");
    }
    path->arvalid = bench_pin(bench, "m_axi_arvalid");
    path->arready = bench_pin(bench, "m_axi_arready");
    path->wvalid = bench_pin(bench, "m_axi_wvalid");
    path->wready = bench_pin(bench, "m_axi_wready");
    path->awvalid = bench_pin(bench, "m_axi_awvalid");
    path->awready = bench_pin(bench, "m_axi_awready");
    path->awaddr = bench_pin(bench, "m_axi_awaddr");
    path->awid = bench_pin(bench, "m_axi_awid");
    path->bvalid = bench_pin(bench, "m_axi_bvalid");
    path->bready = bench_pin(bench, "m_axi_bready");
    path->bid = bench_pin(bench, "m_axi_bid");
}

static void create_scoreboards(struct hub_path *path)
{
    struct bench *bench = &path->bench;
    scoreboard_create_for(&path->answers, bench, "answer", &path->answer.stream.table, path->config.ports, path->config.waiting + 256);
    scoreboard_measure_latency(&path->answers);
    if (path->has_commands)
        scoreboard_create_for(&path->results, bench, "command result", &path->result.stream.table, 1, 4);
    static const struct field value = {"value", 64};
    scoreboard_create(&path->end_state, bench, "end state", &value, 1, 1, 1);
}

void hub_path_create(struct hub_path *path, int argc, char **argv, const struct options_defaults *defaults,
                     const struct knob *knobs, bool has_commands)
{
    memset(path, 0, sizeof *path);
    path->has_commands = has_commands;
    bench_create(&path->bench, argc, argv, defaults, knobs);
    path->bench.step = hub_path_step;
    path->bench.context = path;
    path->config = hub_config_built();
    path->order = must(calloc(HUB_ORDER_MAX, sizeof *path->order));
    path->early = must(calloc((size_t)HUB_ORDER_MAX * ANSWER_WORDS, sizeof *path->early));
    path->to_send = must(calloc(HUB_COMMANDS_MAX, sizeof *path->to_send));
    path->expected_on = must(calloc(path->config.ports, sizeof *path->expected_on));
    path->answered_on = must(calloc(path->config.ports, sizeof *path->answered_on));
    source_create(&path->request, &path->bench, "request", request_fields, STALL_NONE);
    sink_create(&path->answer, &path->bench, "answer", answer_fields, STALL_NONE);
    if (has_commands) {
        source_create(&path->command, &path->bench, "command", command_fields, STALL_NONE);
        sink_create(&path->result, &path->bench, "result", result_fields, STALL_NONE);
    }
    const struct axi_memory_options options = {.latency_minimum = 1, .latency_maximum = 20, .response = table_response,
                                               .response_context = &path->errors};
    path->memory = axi_memory_create(&path->bench, "m_axi", &options);
    table_image_create(&path->table, path->memory, table_response, &path->errors);
    hub_flight_create(&path->flight, &path->config, random_hash(path->bench.options.seed, 1));
    const struct moehub_al_memory memory = table_image_memory(&path->table);
    if (moehub_address_path_create(&path->model, &path->config, &memory) != 0)
        bench_fail(&path->bench, BENCH_CONFIGURATION, "the model refuses the parameters");
    moehub_offenders_destroy(&path->model.offenders); /* all of them, not only those that may be the first */
    if (moehub_offenders_create(&path->model.offenders, OFFENDERS_KNOWN) != 0)
        bench_fail(&path->bench, BENCH_CONFIGURATION, "out of memory");
    find_pins(path);
    create_scoreboards(path);
}

void hub_path_stalls(struct hub_path *path, enum stall_kind request, enum stall_kind answer, enum stall_kind memory)
{
    path->request.stream.stall.kind = path->request.stream.stall.now = request;
    path->answer.stream.stall.kind = path->answer.stream.stall.now = answer;
    if (path->has_commands) {
        path->command.stream.stall.kind = path->command.stream.stall.now = request;
        path->result.stream.stall.kind = path->result.stream.stall.now = answer;
    }
    axi_memory_options(path->memory)->stall = memory;
}
