/* SPDX-License-Identifier: Apache-2.0 */
/* moehub golden: a whole layer through the models of all hubs and switch ports, everything checked. */
#include "command.h"
#include "json.h"
#include "moehub/element.h"
#include "moehub/event_names.h"
#include "moehub/golden.h"
#include "moehub/integer.h"
#include "moehub/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* With --payloads auto, layers of more elements than this (written and read) run without: some ten seconds. */
#define PAYLOADS_AUTO_ELEMENTS UINT64_C(1000000000)

enum key {
    KEY_SETS = 0x400,
    KEY_WAYS,
    KEY_REPLACEMENT,
    KEY_PORTS,
    KEY_ENTRIES,
    KEY_INFLIGHT,
    KEY_PACKET_BYTES,
    KEY_PAYLOADS,
    KEY_FAULT,
    KEY_AT_LEAST,
};

enum payloads { PAYLOADS_AUTO, PAYLOADS_ON, PAYLOADS_OFF };

struct arguments {
    struct moehub_options layer;
    struct moehub_golden_options run;
    enum payloads payloads;
    bool entries_given;
    unsigned at_least;   /* millions per second; 0: any speed is fine */
    bool json;
};

/* A run's outcome and its cost. */
struct outcome {
    struct moehub_golden_report report;
    double seconds;      /* of processor time: the run has one thread */
    uint64_t memory;     /* largest resident size, bytes */
};

static const char *const fault_names[] = {"none", "address", "payload", "partial", "port"};
enum { FAULTS = sizeof fault_names / sizeof fault_names[0] };

static const struct argp_option entries[] = {
    {0, 0, 0, 0, "The hardware:", 3},
    {"sets", KEY_SETS, "N", 0, "AL-TLB sets, a power of two, 1..4096 (default 128)", 0},
    {"ways", KEY_WAYS, "N", 0, "AL-TLB ways, 1..8 (default 4)", 0},
    {"replacement", KEY_REPLACEMENT, "plru|fifo", 0, "tree pseudo-LRU (ways a power of two) or first in, first out "
     "(default plru)", 0},
    {"ports", KEY_PORTS, "N", 0, "ingress ports of a hub, 1..64 (default 16)", 0},
    {"entries", KEY_ENTRIES, "N", 0, "entries of each switch port's reduction buffer, 1..4096 (default 107). More than 64 "
     "GPUs run without the switch: addresses, and partials where they leave", 0},
    {"packet-bytes", KEY_PACKET_BYTES, "N", 0, "payload of a full packet, a multiple of 16, 16..256 (default 128)", 0},
    {0, 0, 0, 0, "The run:", 4},
    {"inflight", KEY_INFLIGHT, "N", 0, "rows in flight per source GPU, 1..65536 (default 16)", 0},
    {"payloads", KEY_PAYLOADS, "on|off|auto", 0, "generate, sum and check every element, or addresses and counters only "
     "(default auto: on up to 10^9 elements and 32 experts a token)", 0},
    {"fault", KEY_FAULT, "KIND", 0, "make one deliberate error, to see the checks fail: address, payload, partial, port "
     "(payload and partial need payloads)", 0},
    {"at-least", KEY_AT_LEAST, "N", 0, "fail below N million packets (payloads off) or elements (on) per second of one "
     "core", 0},
    {"json", 'j', 0, 0, "print JSON instead of a table", 0},
    {0}};

/* ---- arguments ----------------------------------------------------------------- */

/* The index of `text` among `names`. */
static unsigned choice(struct argp_state *state, const char *option, const char *text, const char *const *names,
                       unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    char legal[128] = "";
    for (unsigned i = 0; i < count; i++) {
        strncat(legal, i > 0 ? ", " : "", sizeof legal - strlen(legal) - 1);
        strncat(legal, names[i], sizeof legal - strlen(legal) - 1);
    }
    argp_error(state, "--%s %s: legal are %s", option, text, legal);
    return 0;
}

static uint64_t elements_of(const struct arguments *arguments, const struct moehub_layer *layer)
{
    return 2 * (uint64_t)layer->tokens * layer->topk * arguments->layer.layer.hidden;
}

static void check_together(struct argp_state *state, struct arguments *arguments)
{
    struct moehub_golden_options *run = &arguments->run;
    run->payloads = arguments->payloads == PAYLOADS_ON;
    const bool needs_payloads = run->fault == MOEHUB_GOLDEN_FAULT_PAYLOAD || run->fault == MOEHUB_GOLDEN_FAULT_PARTIAL;
    if (needs_payloads && arguments->payloads != PAYLOADS_ON)
        argp_error(state, "--fault %s needs --payloads on", fault_names[run->fault]);
    if (!moehub_power_of_two(run->sets))
        argp_error(state, "--sets %u: not a power of two", run->sets);
    if (run->replacement == MOEHUB_REPLACEMENT_PLRU && !moehub_power_of_two(run->ways))
        argp_error(state, "--ways %u: not a power of two, as pseudo-LRU needs; give --replacement fifo", run->ways);
    if (run->packet_bytes % MOEHUB_FLIT_BYTES != 0)
        argp_error(state, "--packet-bytes %u: not a multiple of %u", run->packet_bytes, MOEHUB_FLIT_BYTES);
    if (arguments->entries_given && !moehub_golden_has_switch(arguments->layer.layer.gpus))
        argp_error(state, "--entries: %u GPUs run without the switch, which has at most %u ports",
                   arguments->layer.layer.gpus, MOEHUB_GOLDEN_SWITCH_GPUS_MAX);
    struct moehub_message message;
    if (moehub_golden_check(&arguments->layer.layer, run, &message) != 0)
        argp_error(state, "%s", message.text);
}

static error_t parse(int key, char *argument, struct argp_state *state)
{
    static const char *const replacements[] = {"plru", "fifo"};
    static const char *const payload_modes[] = {"auto", "on", "off"};
    struct arguments *arguments = state->input;
    struct moehub_golden_options *run = &arguments->run;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &arguments->layer;
        return 0;
    case KEY_SETS:
        run->sets = (unsigned)moehub_options_parse_number(state, "sets", argument, 1, MOEHUB_SETS_MAX);
        return 0;
    case KEY_WAYS:
        run->ways = (unsigned)moehub_options_parse_number(state, "ways", argument, 1, MOEHUB_WAYS_MAX);
        return 0;
    case KEY_REPLACEMENT:
        run->replacement = choice(state, "replacement", argument, replacements, 2);
        return 0;
    case KEY_PORTS:
        run->ports = (unsigned)moehub_options_parse_number(state, "ports", argument, 1, 64);
        return 0;
    case KEY_ENTRIES:
        arguments->entries_given = true;
        run->entries = (unsigned)moehub_options_parse_number(state, "entries", argument, 1, 4096);
        return 0;
    case KEY_INFLIGHT:
        run->inflight = (unsigned)moehub_options_parse_number(state, "inflight", argument, 1, 65536);
        return 0;
    case KEY_PACKET_BYTES:
        run->packet_bytes = (unsigned)moehub_options_parse_number(state, "packet-bytes", argument, 16, 256);
        return 0;
    case KEY_PAYLOADS:
        arguments->payloads = (enum payloads)choice(state, "payloads", argument, payload_modes, 3);
        return 0;
    case KEY_FAULT:
        run->fault = (enum moehub_golden_fault)choice(state, "fault", argument, fault_names, FAULTS);
        return 0;
    case KEY_AT_LEAST:
        arguments->at_least = (unsigned)moehub_options_parse_number(state, "at-least", argument, 1, 1000000);
        return 0;
    case 'j':
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "unexpected argument '%s'", argument);
        return EINVAL;
    case ARGP_KEY_END:
        check_together(state, arguments);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- the run -------------------------------------------------------------------- */

static void show_progress(void *user, uint64_t done, uint64_t total)
{
    unsigned *shown = user;
    const unsigned percent = (unsigned)(100 * done / total);
    if (percent == *shown)
        return;
    *shown = percent;
    fprintf(stderr, percent < 100 ? "\r%3u %%" : "\r     \r", percent);
}

static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int run_layer(struct arguments *arguments, const struct moehub_layer *layer, struct outcome *outcome,
                     struct moehub_message *message)
{
    unsigned shown = 0;
    arguments->run.payloads = arguments->payloads == PAYLOADS_ON ||
                              (arguments->payloads == PAYLOADS_AUTO && layer->topk <= MOEHUB_GOLDEN_TOPK_MAX &&
                               elements_of(arguments, layer) <= PAYLOADS_AUTO_ELEMENTS);
    if (isatty(STDERR_FILENO)) {
        arguments->run.progress = show_progress;
        arguments->run.progress_user = &shown;
    }
    const double start = processor_seconds();
    const int error = moehub_golden_run(layer, &arguments->run, &outcome->report, message);
    outcome->seconds = processor_seconds() - start;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    outcome->memory = (uint64_t)usage.ru_maxrss * 1024;
    return error;
}

/* ---- output --------------------------------------------------------------------- */

static json_t *causes_json(const char *(*name)(unsigned cause), const uint64_t *counts, unsigned causes)
{
    json_t *object = json_object();
    for (unsigned cause = 0; cause < causes; cause++)
        json_object_set_new(object, name(cause), json_integer((json_int_t)counts[cause]));
    return object;
}

static double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

static double hit_rate(const struct moehub_golden_report *report)
{
    return ratio((double)report->hub[MOEHUB_HUB_EVENT_HITS], (double)report->hub[MOEHUB_HUB_EVENT_LOOKUPS]);
}

static const char *replacement_name(const struct arguments *arguments)
{
    return arguments->run.replacement == MOEHUB_REPLACEMENT_PLRU ? "plru" : "fifo";
}

static json_t *hardware_json(const struct arguments *arguments)
{
    const struct moehub_golden_options *run = &arguments->run;
    return json_pack("{s:i, s:i, s:s, s:i, s:b, s:i, s:i, s:i, s:b, s:s}",
                     "sets", (int)run->sets,
                     "ways", (int)run->ways,
                     "replacement", replacement_name(arguments),
                     "ports", (int)run->ports,
                     "switch", (int)moehub_golden_has_switch(arguments->layer.layer.gpus),
                     "entries", (int)run->entries,
                     "packet_bytes", (int)run->packet_bytes,
                     "inflight", (int)run->inflight,
                     "payloads", (int)run->payloads,
                     "fault", fault_names[run->fault]);
}

static json_t *counters_json(const struct moehub_golden_report *report)
{
    const uint64_t *hub = report->hub;
    const uint64_t *reduction = report->reduction;
    return json_pack("{s:{s:I, s:I, s:I, s:I, s:I, s:I}, s:f, s:I, s:o, s:{s:I, s:I, s:I, s:I}, s:o}",
                     "al_tlb",
                     "lookups", (json_int_t)hub[MOEHUB_HUB_EVENT_LOOKUPS],
                     "hits", (json_int_t)hub[MOEHUB_HUB_EVENT_HITS],
                     "misses", (json_int_t)hub[MOEHUB_HUB_EVENT_MISSES],
                     "evictions", (json_int_t)hub[MOEHUB_HUB_EVENT_EVICTIONS],
                     "table_reads", (json_int_t)hub[MOEHUB_HUB_EVENT_TABLE_READS],
                     "table_writes", (json_int_t)hub[MOEHUB_HUB_EVENT_TABLE_WRITES],
                     "hit_rate", hit_rate(report),
                     "allocations", (json_int_t)hub[MOEHUB_HUB_EVENT_ALLOCATIONS],
                     "errors", causes_json(moehub_hub_cause_name, hub + MOEHUB_HUB_EVENT_CAUSES, MOEHUB_HUB_ORDER_CAUSES),
                     "reductions",
                     "requests", (json_int_t)reduction[MOEHUB_REDUCTION_EVENT_REQUESTS],
                     "partials", (json_int_t)reduction[MOEHUB_REDUCTION_EVENT_PARTIALS],
                     "results", (json_int_t)reduction[MOEHUB_REDUCTION_EVENT_RESULTS],
                     "occupancy_max", (json_int_t)report->occupancy,
                     "reduction_errors",
                     causes_json(moehub_reduction_cause_name, reduction + MOEHUB_REDUCTION_EVENT_CAUSES,
                                 MOEHUB_REDUCTION_ORDER_CAUSES));
}

static json_t *cost_json(const struct outcome *outcome)
{
    const struct moehub_golden_report *report = &outcome->report;
    return json_pack("{s:I, s:I, s:s, s:I, s:I, s:f, s:f, s:f, s:I}",
                     "checks", (json_int_t)report->checks,
                     "failures", (json_int_t)report->failures,
                     "first_failure", report->failure,
                     "packets", (json_int_t)report->packets,
                     "elements", (json_int_t)report->elements,
                     "cpu_seconds", outcome->seconds,
                     "packets_per_second", ratio((double)report->packets, outcome->seconds),
                     "elements_per_second", ratio((double)report->elements, outcome->seconds),
                     "resident_bytes", (json_int_t)outcome->memory);
}

static int print_json(const struct arguments *arguments, const struct moehub_layer *layer, const struct outcome *outcome,
                      const char *program)
{
    json_t *const parts[] = {json_layer(&arguments->layer, layer), hardware_json(arguments),
                             counters_json(&outcome->report), cost_json(outcome)};
    return json_print(program, parts, sizeof parts / sizeof parts[0]);
}

static void print_causes(const char *(*name)(unsigned cause), const uint64_t *counts, unsigned causes)
{
    for (unsigned cause = 0; cause < causes; cause++)
        if (counts[cause] != 0)
            printf(" %s %" PRIu64, name(cause), counts[cause]);
}

static void print_reductions(const struct moehub_golden_options *run, const struct moehub_golden_report *report)
{
    const uint64_t *reduction = report->reduction;
    if (report->with_switch)
        printf("reductions    %" PRIu64 " requests, %" PRIu64 " partials, %" PRIu64 " results, at most %" PRIu32
               " of %u entries in use\n", reduction[MOEHUB_REDUCTION_EVENT_REQUESTS],
               reduction[MOEHUB_REDUCTION_EVENT_PARTIALS], reduction[MOEHUB_REDUCTION_EVENT_RESULTS], report->occupancy,
               run->entries);
    else
        printf("reductions    none: a switch has at most %u ports, so this run is without; %s\n",
               MOEHUB_GOLDEN_SWITCH_GPUS_MAX,
               run->payloads ? "partials are checked where they leave" : "addresses alone are checked");
}

static void print_table(const struct arguments *arguments, const struct moehub_layer *layer,
                        const struct outcome *outcome)
{
    const struct moehub_golden_report *report = &outcome->report;
    const struct moehub_golden_options *run = &arguments->run;
    const uint64_t *hub = report->hub;
    printf("layer         %s: %u experts, top-%u, hidden %u, %u GPUs, %zu tokens; %s, seed %" PRIu64 "\n",
           model_name(&arguments->layer), layer->experts, layer->topk, layer->hidden, layer->gpus, layer->tokens,
           arguments->layer.routing, arguments->layer.layer.seed);
    printf("traffic       dispatch %s, combine %s, %u-byte packets, %u rows in flight per GPU, payloads %s\n",
           moehub_element_name(layer->dispatch_element), moehub_element_name(layer->combine_element), run->packet_bytes,
           run->inflight, run->payloads ? "on" : "off");
    printf("AL-TLB        %u sets x %u ways, %s: %" PRIu64 " lookups, %.4f %% hits, %" PRIu64 " misses, %" PRIu64
           " evictions\n", run->sets, run->ways, replacement_name(arguments), hub[MOEHUB_HUB_EVENT_LOOKUPS],
           100 * hit_rate(report), hub[MOEHUB_HUB_EVENT_MISSES], hub[MOEHUB_HUB_EVENT_EVICTIONS]);
    printf("AL table      %" PRIu64 " reads, %" PRIu64 " writes, %" PRIu64 " allocations\n",
           hub[MOEHUB_HUB_EVENT_TABLE_READS], hub[MOEHUB_HUB_EVENT_TABLE_WRITES], hub[MOEHUB_HUB_EVENT_ALLOCATIONS]);
    print_reductions(run, report);
    printf("errors       ");
    print_causes(moehub_hub_cause_name, hub + MOEHUB_HUB_EVENT_CAUSES, MOEHUB_HUB_ORDER_CAUSES);
    print_causes(moehub_reduction_cause_name, report->reduction + MOEHUB_REDUCTION_EVENT_CAUSES, MOEHUB_REDUCTION_ORDER_CAUSES);
    printf("\ncost          %.2f s of one core, %.1f M packets/s, %.1f M elements/s, %.0f MiB resident\n",
           outcome->seconds, ratio((double)report->packets, outcome->seconds) / 1e6,
           ratio((double)report->elements, outcome->seconds) / 1e6, (double)outcome->memory / 1048576);
    printf("checks        %" PRIu64 " made, %" PRIu64 " failed\n", report->checks, report->failures);
    printf("%s%s\n", report->failures == 0 ? "PASS" : "FAIL: ", report->failure);
}

/* The speed that --at-least means, in millions per second. */
static double speed(const struct arguments *arguments, const struct outcome *outcome)
{
    const uint64_t count = arguments->run.payloads ? outcome->report.elements : outcome->report.packets;
    return ratio((double)count, outcome->seconds) / 1e6;
}

static int run_and_print(struct arguments *arguments, const struct moehub_layer *layer, const char *program)
{
    struct outcome outcome;
    struct moehub_message message = {""};
    const int error = run_layer(arguments, layer, &outcome, &message);
    if (error != 0)
        return command_fail(program, error, &message);
    int status = STATUS_OK;
    if (arguments->json)
        status = print_json(arguments, layer, &outcome, program);
    else
        print_table(arguments, layer, &outcome);
    const bool slow = speed(arguments, &outcome) < arguments->at_least;
    if (slow)
        fprintf(stderr, "%s: %.1f million %s per second, wanted %u\n", program, speed(arguments, &outcome),
                arguments->run.payloads ? "elements" : "packets", arguments->at_least);
    return !slow && outcome.report.failures == 0 && outcome.report.checks > 0 ? status : STATUS_FAILED;
}

int command_golden(int argc, char **argv)
{
    const struct argp_child children[] = {{&moehub_options_argp, 0, NULL, 0}, {0}};
    const struct argp argp = {
        entries, parse, NULL,
        "Runs a whole MoE layer, dispatch and combine, through the bit-exact models of all hubs' address paths and all "
        "switch ports' reduction buffers, and checks every address, table entry and sum. Exit status 1 when a check "
        "fails.",
        children, NULL, NULL};
    struct arguments arguments = {.run = moehub_golden_options_default()};
    moehub_options_init(&arguments.layer);
    argp_parse(&argp, argc, argv, 0, NULL, &arguments);
    struct moehub_message message = {""};
    struct moehub_layer layer;
    const int error = moehub_layer_create(&layer, &arguments.layer.layer, &message);
    if (error != 0)
        return command_fail(argv[0], error, &message);
    const int status = run_and_print(&arguments, &layer, argv[0]);
    moehub_layer_destroy(&layer);
    return status;
}
