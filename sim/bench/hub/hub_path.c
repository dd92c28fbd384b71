/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/hub/hub_path.h"

#include "bench/hub/hub_config.h"
#include "kit/allocate.h"
#include "moehub/integer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ORDER_MAX = 1 << 14,
    OFFENDERS_KNOWN = 1 << 14,
    QUIET = 64, /* cycles without anything under way before states are compared */
};

/* ---- the model's half ---------------------------------------------------------- */

static void model_request(struct hub_path *path, const struct moehub_hub_request *request)
{
    struct moehub_hub_answer answer;
    moehub_address_path_request(&path->model, request, &answer);
    if (answer.allocated)
        hub_flight_announce(&path->flight, request->context, path->bench.cycle);
    const struct hub_need need = {.reads = path->model.counters[MOEHUB_HUB_EVENT_TABLE_READS],
                                  .writes = path->model.counters[MOEHUB_HUB_EVENT_TABLE_WRITES]};
    hub_requests_expect(&path->requests, &answer, &need);
}

static void model_command(struct hub_path *path, const struct moehub_hub_command *command, const struct hub_result_seen *seen)
{
    struct moehub_hub_result result;
    moehub_address_path_command(&path->model, command, hub_commands_take_in_flight(&path->commands, seen), &result);
    hub_commands_compare(&path->commands, &result);
    hub_contexts_compare(&path->contexts);
}

/* Gives the model what was accepted, up to a command whose result has not come. */
static void catch_up(struct hub_path *path)
{
    while (!hub_path_up_to_date(path)) {
        const struct hub_accepted *next = &path->order.ring[path->order.head % ORDER_MAX];
        if (!next->is_command) {
            model_request(path, &next->request);
        } else {
            const struct hub_result_seen *seen = hub_commands_next_result(&path->commands);
            if (seen == NULL)
                return;
            model_command(path, &next->command, seen);
        }
        path->order.head++;
        hub_requests_replay_early(&path->requests);
    }
}

static void keep_for_model(struct hub_path *path, const struct hub_accepted *accepted)
{
    if (path->order.tail - path->order.head == ORDER_MAX)
        bench_fail(&path->bench, BENCH_TIMEOUT, "%d requests accepted behind a command that has no result", ORDER_MAX);
    path->order.ring[path->order.tail++ % ORDER_MAX] = *accepted;
}

/* ---- a cycle -------------------------------------------------------------------- */

static void drive(struct hub_path *path)
{
    if (path->idle != NULL)
        path->idle(path->idle_user);
    hub_requests_drive(&path->requests, path->order.tail - path->order.head < ORDER_MAX / 2);
    hub_commands_drive(&path->commands);
    axi_memory_drive(path->memory);
    if (path->drive_more != NULL)
        path->drive_more(path->more_user);
}

/* A request that is accepted in the same cycle as a command is before it. */
static void sample_accepted(struct hub_path *path)
{
    struct hub_accepted accepted = {.is_command = false};
    if (hub_requests_accepted(&path->requests, &accepted.request)) {
        if (hub_path_up_to_date(path))
            model_request(path, &accepted.request);
        else
            keep_for_model(path, &accepted);
    }
    accepted.is_command = true;
    if (hub_commands_accepted(&path->commands, !hub_path_up_to_date(path), &accepted.command))
        keep_for_model(path, &accepted);
}

static void sample_pins(struct hub_path *path)
{
    if (path->bench.reset)
        return;
    const struct hub_stalls stalls = {
        .request = path->requests.request.stream.waiting,
        .answer = path->requests.answer.stream.waiting,
        .table_read = hub_bus_read_stalled(&path->bus),
        .table_write = hub_bus_write_stalled(&path->bus),
    };
    hub_bus_sample(&path->bus);
    hub_status_sample(&path->status, &stalls, hub_path_up_to_date(path));
    hub_contexts_sample(&path->contexts);
}

static void sample(struct hub_path *path)
{
    sample_accepted(path);
    hub_requests_sample_answer(&path->requests);
    hub_commands_sample_result(&path->commands);
    catch_up(path);
    axi_memory_sample(path->memory);
    sample_pins(path);
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

/* ---- waiting -------------------------------------------------------------------- */

/* Steps while `wait` says so; when nothing has been compared for as long as the watchdog allows it is a deadlock. */
static void step_while(struct hub_path *path, bool (*wait)(const struct hub_path *path, uint64_t number), uint64_t number,
                       const char *what)
{
    const uint64_t limit = path->bench.options.watchdog, since = path->bench.cycle;
    uint64_t compared = path->bench.compared, progress = since;
    while (wait(path, number)) {
        hub_path_step(path);
        if (path->bench.compared != compared) {
            compared = path->bench.compared;
            progress = path->bench.cycle;
        }
        if (limit != 0 && path->bench.cycle - progress > limit)
            bench_fail(&path->bench, BENCH_TIMEOUT,
                       "%s since cycle %" PRIu64 ": %" PRIu64 " answers missing, %u table accesses unanswered, %" PRId64
                       " requests or announcements open, in_flight 0x%x",
                       what, since, path->requests.answers.waiting, axi_memory_outstanding(path->memory),
                       hub_flight_total(&path->flight), hub_status_in_flight(&path->status));
    }
}

static bool result_is_missing(const struct hub_path *path, uint64_t number)
{
    return path->commands.done < number;
}

struct moehub_hub_result hub_path_command(struct hub_path *path, unsigned operation, unsigned context, unsigned index,
                                          uint64_t data0, uint64_t data1)
{
    const struct moehub_hub_command command = {
        .operation = (uint8_t)operation, .context = (uint8_t)context, .index = (uint16_t)index, .data0 = data0, .data1 = data1};
    if (path->commands.perform != NULL) {
        const struct moehub_hub_result result = path->commands.perform(path->commands.perform_user, &command);
        /* cppcheck-suppress returnDanglingLifetime ; a result holds numbers only, no pointer */
        return result;
    }
    hub_commands_send(&path->commands, &command);
    step_while(path, result_is_missing, path->commands.send_tail, "a command without result");
    return path->commands.last;
}

bool hub_path_quiet(const struct hub_path *path)
{
    return hub_path_up_to_date(path) && hub_requests_quiet(&path->requests) && hub_commands_quiet(&path->commands) &&
           axi_memory_outstanding(path->memory) == 0 && hub_flight_total(&path->flight) == 0 &&
           hub_status_in_flight(&path->status) == 0;
}

static bool is_not_quiet(const struct hub_path *path, uint64_t number)
{
    (void)number;
    return !hub_path_quiet(path);
}

static void wait_quiet(struct hub_path *path)
{
    step_while(path, is_not_quiet, 0, "not quiet");
    bench_run(&path->bench, QUIET); /* the last events and what should not come any more */
}

void hub_path_settle(struct hub_path *path)
{
    wait_quiet(path);
    hub_end_compare(path, false);
}

/* As many cycles as rtl/doc/address_path.md section 9 says, to the cycle. */
void hub_path_wait_initialised(struct hub_path *path)
{
    enum { AROUND = 2 };
    const struct moehub_address_path_config *config = &path->config;
    const uint64_t bases = config->stages * config->local_experts;
    const uint64_t tables = config->contexts * moehub_larger(bases, (config->gpus + 31) / 32);
    const uint64_t wanted = moehub_larger(config->sets, tables) + AROUND;
    uint64_t waited = 0;
    for (; pin_get(path->initialised) == 0 && waited <= 2 * wanted; waited++)
        hub_path_step(path);
    scoreboard_value(&path->end.state, "cycles of initialisation", wanted, waited);
}

/* ---- reset ---------------------------------------------------------------------- */

static void forget(struct hub_path *path)
{
    path->order.head = path->order.tail;
    hub_requests_forget(&path->requests);
    hub_commands_forget(&path->commands);
    hub_bus_forget(&path->bus);
    hub_status_forget(&path->status);
    hub_contexts_forget(&path->contexts);
    hub_flight_forget(&path->flight, path->bench.cycle);
}

void hub_path_reset(struct hub_path *path, unsigned cycles, uint64_t memory_seed)
{
    hub_end_keep_totals(path);
    bench_reset(&path->bench, cycles);
    forget(path);
    moehub_address_path_reset(&path->model);
    path->end.counts_at_reset = axi_memory_counts(path->memory);
    table_image_scramble(&path->table, memory_seed, memory_seed == 0);
}

/* ---- beginning and end ---------------------------------------------------------- */

/* Errors by chance; of the others one in four is EXOKAY, which counts as OKAY. */
static unsigned table_response(void *user, uint64_t address, bool is_write)
{
    const struct hub_table_errors *errors = user;
    const unsigned chance = is_write ? errors->writes : errors->reads;
    const uint64_t hash = random_hash(errors->salt + is_write, address);
    if (hash % 1024 < chance)
        return hash >> 32 & 1 ? AXI_SLVERR : AXI_DECERR;
    return (hash >> 33 & 3) == 0 ? AXI_EXOKAY : AXI_OKAY;
}

static void create_memory(struct hub_path *path)
{
    const struct axi_memory_options options = {.latency_minimum = 1, .latency_maximum = 20, .response = table_response,
                                               .response_context = &path->errors};
    path->memory = axi_memory_create(&path->bench, "m_axi", &options);
    table_image_create(&path->table, path->memory, table_response, &path->errors);
}

static void create_model(struct hub_path *path)
{
    const struct moehub_al_memory memory = table_image_memory(&path->table);
    if (moehub_address_path_create(&path->model, &path->config, &memory) != 0)
        bench_fail(&path->bench, BENCH_CONFIGURATION, "the model refuses the parameters");
    moehub_offenders_destroy(&path->model.offenders); /* all of them, not only those that may be the first */
    if (moehub_offenders_create(&path->model.offenders, OFFENDERS_KNOWN) != 0)
        bench_fail(&path->bench, BENCH_CONFIGURATION, "out of memory");
}

void hub_path_create(struct hub_path *path, int argc, char **argv, const struct options_defaults *defaults,
                     const struct knob *knobs, bool has_commands)
{
    struct bench *bench = &path->bench;
    memset(path, 0, sizeof *path);
    bench_create(bench, argc, argv, defaults, knobs);
    bench->step = hub_path_step;
    bench->context = path;
    path->config = hub_config_built();
    path->order.ring = allocate(ORDER_MAX, sizeof *path->order.ring);
    hub_flight_create(&path->flight, &path->config, random_hash(bench->options.seed, 1));
    create_memory(path);
    hub_requests_create(&path->requests, bench, &path->flight, path->memory, &path->config);
    hub_commands_create(&path->commands, bench, &path->flight, has_commands);
    create_model(path);
    hub_bus_create(&path->bus, bench, &path->flight, &path->table);
    hub_status_create(&path->status, bench, &path->flight);
    hub_contexts_create(&path->contexts, bench, &path->model);
    hub_end_create(&path->end, bench);
    path->initialised = bench_optional_pin(bench, "initialised");
}

void hub_path_stalls(struct hub_path *path, enum stall_kind request, enum stall_kind answer, enum stall_kind memory)
{
    path->requests.request.stream.stall.kind = path->requests.request.stream.stall.now = request;
    path->requests.answer.stream.stall.kind = path->requests.answer.stream.stall.now = answer;
    if (path->commands.has_stream) {
        path->commands.command.stream.stall.kind = path->commands.command.stream.stall.now = request;
        path->commands.result.stream.stall.kind = path->commands.result.stream.stall.now = answer;
    }
    axi_memory_options(path->memory)->stall = memory;
}

int hub_path_finish(struct hub_path *path)
{
    path->requests.supply = NULL;
    path->idle = NULL;
    wait_quiet(path);
    hub_end_compare(path, true);
    hub_end_report(path);
    const int status = bench_finish(&path->bench);
    moehub_address_path_destroy(&path->model);
    table_image_destroy(&path->table);
    hub_flight_destroy(&path->flight);
    hub_requests_destroy(&path->requests);
    hub_commands_destroy(&path->commands);
    free(path->order.ring);
    return status;
}
