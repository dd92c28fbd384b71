/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_round_trip.h"

#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_payload.h"
#include "kit/options.h"
#include "moehub/element.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A partial on its way. */
struct journey {
    uint64_t arrival; /* cycle */
    uint16_t entry;
    uint8_t generation, port;
};

/* The network: journeys in a binary heap, the earliest arrival first. */
struct network {
    const struct reduction_port *port;
    const struct round_trip_options *options;
    struct random_source random;
    struct journey *journeys;
    size_t count;
    unsigned entries, in_use;
    bool ending;
};

/* ---- heap ------------------------------------------------------------------------------------------------------------ */

static void swap(struct journey *a, struct journey *b)
{
    const struct journey kept = *a;
    *a = *b;
    *b = kept;
}

static void push(struct network *network, struct journey journey)
{
    struct journey *heap = network->journeys;
    size_t at = network->count++;
    heap[at] = journey;
    for (; at > 0 && heap[at].arrival < heap[(at - 1) / 2].arrival; at = (at - 1) / 2)
        swap(&heap[at], &heap[(at - 1) / 2]);
}

static struct journey pop(struct network *network)
{
    struct journey *heap = network->journeys;
    const struct journey first = heap[0];
    heap[0] = heap[--network->count];
    for (size_t at = 0, child; (child = 2 * at + 1) < network->count; at = child) {
        child += child + 1 < network->count && heap[child + 1].arrival < heap[child].arrival;
        if (heap[at].arrival <= heap[child].arrival)
            break;
        swap(&heap[at], &heap[child]);
    }
    return first;
}

/* ---- the stimulus ---------------------------------------------------------------------------------------------------- */

static uint64_t draw_ports(struct network *network)
{
    const struct moehub_reduction_buffer_config *config = &network->port->config;
    uint64_t set = 0;
    while ((unsigned)__builtin_popcountll(set) < network->options->fan_out) {
        const uint64_t port = random_below(&network->random, config->ports);
        if (port != config->own_port)
            set |= UINT64_C(1) << port;
    }
    return set;
}

static bool next_reserve(void *context, struct moehub_reduction_reserve *reserve)
{
    struct network *network = context;
    if (network->ending || network->in_use == network->entries)
        return false;
    network->in_use++;
    *reserve = (struct moehub_reduction_reserve){
        .tag = random_bits(&network->random, network->port->config.tag_width),
        .requester = (uint16_t)random_bits(&network->random, 10),
        .element = MOEHUB_ELEMENT_BF16,
        .length = (uint16_t)network->port->config.payload_bytes,
        .contributors = draw_ports(network),
    };
    return true;
}

static void granted(void *context, const struct moehub_reduction_reserve *reserve, const struct moehub_reduction_grant *grant)
{
    struct network *network = context;
    const uint64_t earliest = network->port->bench->cycle + network->options->round_trip;
    for (uint64_t set = reserve->contributors; set != 0; set &= set - 1)
        push(network, (struct journey){.arrival = earliest + random_below(&network->random, network->options->skew + 1),
                                       .entry = grant->entry, .generation = grant->generation,
                                       .port = (uint8_t)__builtin_ctzll(set)});
}

static bool next_packet(void *context, struct reduction_packet *packet)
{
    struct network *network = context;
    const struct moehub_reduction_buffer_config *config = &network->port->config;
    if (network->count == 0 || network->journeys[0].arrival > network->port->bench->cycle)
        return false;
    const struct journey journey = pop(network);
    packet->header = (struct moehub_reduction_partial){
        .entry = journey.entry, .generation = journey.generation, .port = journey.port, .element = MOEHUB_ELEMENT_BF16,
        .length = (uint16_t)config->payload_bytes, .flits = reduction_config_flits(config, config->payload_bytes),
    };
    reduction_payload_fill(&network->random, PAYLOAD_NEAR, MOEHUB_ELEMENT_BF16, packet->data, config->payload_bytes, NULL);
    return true;
}

static bool next_command(void *context, struct reduction_command *command)
{
    (void)context;
    (void)command;
    return false;
}

static void result_taken(void *context, unsigned entry, unsigned status)
{
    struct network *network = context;
    (void)entry;
    (void)status;
    network->in_use--;
}

static void timed_out(void *context, unsigned entry)
{
    (void)context;
    (void)entry;
}

static void forget(void *context)
{
    struct network *network = context;
    network->count = network->in_use = 0;
}

static void create(struct network *network, const struct reduction_port *port, const struct round_trip_options *options)
{
    *network = (struct network){.port = port, .options = options, .entries = port->config.entries};
    if (options->entries > 0 && options->entries < network->entries)
        network->entries = options->entries;
    bench_random(port->bench, &network->random, "network");
    network->journeys = calloc((size_t)port->config.entries * options->fan_out, sizeof *network->journeys);
    if (network->journeys == NULL)
        bench_fail(port->bench, BENCH_CONFIGURATION, "out of memory");
}

/* ---- the measurement ------------------------------------------------------------------------------------------------- */

static void report(const struct network *network, double flits, double results)
{
    const struct round_trip_options *options = network->options;
    struct summary *summary = &network->port->bench->summary;
    summary_number(summary, "entries used", network->entries, "");
    summary_number(summary, "fan-out", options->fan_out, "");
    summary_number(summary, "round trip", (double)options->round_trip, "cycles");
    summary_number(summary, "skew", (double)options->skew, "cycles");
    summary_number(summary, "partial flits per cycle", flits, "");
    summary_number(summary, "results per cycle", results, "");
}

int reduction_round_trip_run(struct reduction_port *port, const struct round_trip_options *options)
{
    struct network network;
    const uint64_t flits = reduction_config_flits(&port->config, port->config.payload_bytes);
    if (options->fan_out > reduction_config_contributors(&port->config))
        bench_fail(port->bench, BENCH_CONFIGURATION, "no set has %u ports", options->fan_out);
    create(&network, port, options);
    port->stimulus = (struct reduction_stimulus){
        .context = &network,
        .next_reserve = next_reserve,
        .next_packet = next_packet,
        .next_command = next_command,
        .granted = granted,
        .result_taken = result_taken,
        .timed_out = timed_out,
        .reset = forget,
    };
    port->bench->watchdog.limit += 4 * (options->round_trip + options->skew);
    reduction_port_stall(port, STALL_NONE);
    reduction_port_reset(port, 2);
    reduction_port_wait_initialised(port);
    bench_run(port->bench, 2 * (options->round_trip + options->skew + network.entries * options->fan_out * flits));

    const uint64_t flits_before = port->partial_flits, results_before = port->results;
    bench_run(port->bench, options->cycles);
    report(&network, (double)(port->partial_flits - flits_before) / (double)options->cycles,
           (double)(port->results - results_before) / (double)options->cycles);

    network.ending = true;
    reduction_port_settle(port, REDUCTION_EMPTYING);
    free(network.journeys);
    return bench_finish(port->bench);
}
