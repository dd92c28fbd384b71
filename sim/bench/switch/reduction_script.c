/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_script.h"

#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_payload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool next_reserve(void *context, struct moehub_reduction_reserve *reserve)
{
    struct reduction_script *script = context;
    if (script->reserve_next == script->reserve_count)
        return false;
    *reserve = script->reserves[script->reserve_next++];
    return true;
}

static bool next_packet(void *context, struct reduction_packet *packet)
{
    struct reduction_script *script = context;
    if (script->packet_next == script->packet_count)
        return false;
    const size_t number = script->packet_next++;
    packet->header = script->packets[number];
    size_t bytes = (size_t)packet->header.flits * script->port->config.flit_bytes;
    if (script->elements != NULL) {
        const uint16_t element = script->elements[number % script->element_count];
        for (size_t i = 0; i + sizeof element <= bytes; i += sizeof element)
            memcpy(packet->data + i, &element, sizeof element);
        return true;
    }
    reduction_payload_fill(&script->random, PAYLOAD_NEAR, packet->header.element, packet->data, bytes, NULL);
    return true;
}

static bool next_command(void *context, struct reduction_command *command)
{
    struct reduction_script *script = context;
    if (script->command_next == script->command_count)
        return false;
    *command = script->commands[script->command_next++];
    return true;
}

static bool next_released(void *context, unsigned *entry)
{
    struct reduction_script *script = context;
    if (script->release_next == script->release_count)
        return false;
    *entry = script->releases[script->release_next++];
    return true;
}

static void granted(void *context, const struct moehub_reduction_reserve *reserve, const struct moehub_reduction_grant *grant)
{
    struct reduction_script *script = context;
    (void)reserve;
    script->grants[script->grant_count++ % SCRIPT_GRANTS] = *grant;
    if (script->port->config.with_release != 0 && !script->holds_releases && grant->status == MOEHUB_STATUS_OK)
        reduction_script_add_release(script, grant->entry);
}

static void result_taken(void *context, unsigned entry, unsigned status)
{
    struct reduction_script *script = context;
    (void)entry;
    script->results++;
    script->last_status = status;
}

static void timed_out(void *context, unsigned entry)
{
    struct reduction_script *script = context;
    script->timeouts++;
    script->last_timeout = entry;
}

static void freed(void *context, unsigned entry)
{
    struct reduction_script *script = context;
    (void)entry;
    script->freed++;
    script->freed_cycle = script->port->bench->cycle;
}

static void reset(void *context)
{
    struct reduction_script *script = context;
    script->reserve_count = script->reserve_next = 0;
    script->packet_count = script->packet_next = 0;
    script->command_count = script->command_next = 0;
    script->release_count = script->release_next = 0;
    script->grant_count = script->results = script->timeouts = script->freed = 0;
}

void reduction_script_create(struct reduction_script *script, struct reduction_port *port, size_t capacity)
{
    *script = (struct reduction_script){.port = port, .capacity = capacity};
    bench_random(port->bench, &script->random, "script");
    script->reserves = calloc(capacity, sizeof *script->reserves);
    script->packets = calloc(capacity, sizeof *script->packets);
    script->commands = calloc(capacity, sizeof *script->commands);
    script->releases = calloc(capacity, sizeof *script->releases);
    if (script->reserves == NULL || script->packets == NULL || script->commands == NULL || script->releases == NULL)
        bench_fail(port->bench, BENCH_CONFIGURATION, "script: out of memory");
    port->stimulus = (struct reduction_stimulus){
        .context = script,
        .next_reserve = next_reserve,
        .next_packet = next_packet,
        .next_command = next_command,
        .next_released = next_released,
        .granted = granted,
        .result_taken = result_taken,
        .timed_out = timed_out,
        .freed = freed,
        .reset = reset,
    };
}

void reduction_script_destroy(struct reduction_script *script)
{
    free(script->reserves);
    free(script->packets);
    free(script->commands);
    free(script->releases);
}

static void need_room(const struct reduction_script *script, size_t count)
{
    if (count == script->capacity)
        bench_fail(script->port->bench, BENCH_CONFIGURATION, "the script is longer than %zu", script->capacity);
}

void reduction_script_add_reserve(struct reduction_script *script, const struct moehub_reduction_reserve *reserve)
{
    need_room(script, script->reserve_count);
    script->reserves[script->reserve_count++] = *reserve;
}

void reduction_script_add_packet(struct reduction_script *script, const struct moehub_reduction_partial *packet)
{
    need_room(script, script->packet_count);
    script->packets[script->packet_count++] = *packet;
}

struct moehub_reduction_reserve reduction_script_request(const struct reduction_script *script, uint64_t contributors,
                                                         unsigned length)
{
    return (struct moehub_reduction_reserve){.contributors = contributors, .length = (uint16_t)length,
                                             .element = MOEHUB_ELEMENT_BF16, .tag = script->reserve_count, .requester = 7};
}

struct moehub_reduction_partial reduction_script_answer(const struct reduction_script *script,
                                                        const struct moehub_reduction_reserve *reserve,
                                                        const struct moehub_reduction_grant *grant, unsigned port)
{
    return (struct moehub_reduction_partial){.entry = grant->entry, .generation = grant->generation, .port = (uint8_t)port,
                                             .element = reserve->element, .length = reserve->length,
                                             .flits = reduction_config_flits(&script->port->config, reserve->length)};
}

void reduction_script_add_release(struct reduction_script *script, unsigned entry)
{
    need_room(script, script->release_count);
    script->releases[script->release_count++] = entry;
}

static bool is_pending(const struct reduction_script *script)
{
    const struct reduction_port *port = script->port;
    return script->release_next < script->release_count || (port->has_groups && !source_free(&port->released)) ||
           script->reserve_next < script->reserve_count || script->packet_next < script->packet_count ||
           script->command_next < script->command_count || port->flits_sent != 0 || port->command_busy ||
           port->requests_granted != port->requests_accepted || !source_free(&port->reserve) || !source_free(&port->partial);
}

void reduction_script_run(struct reduction_script *script)
{
    struct bench *bench = script->port->bench;
    while (is_pending(script))
        bench->step(bench->context); /* the streams' watchdogs end a deadlock */
}

struct moehub_reduction_grant reduction_script_reserve(struct reduction_script *script,
                                                       const struct moehub_reduction_reserve *reserve)
{
    reduction_script_add_reserve(script, reserve);
    reduction_script_run(script);
    return script->grants[(script->grant_count - 1) % SCRIPT_GRANTS];
}

void reduction_script_send(struct reduction_script *script, const struct moehub_reduction_partial *packet)
{
    reduction_script_add_packet(script, packet);
    reduction_script_run(script);
}

void reduction_script_add_command(struct reduction_script *script, unsigned operation, uint32_t data)
{
    need_room(script, script->command_count);
    script->commands[script->command_count++] =
        (struct reduction_command){.operation = operation, .data = data, .port_timeout = script->port_timeout};
}

bool reduction_script_command(struct reduction_script *script, unsigned operation, uint32_t data)
{
    reduction_script_add_command(script, operation, data);
    reduction_script_run(script);
    return pin_get(script->port->command_refused) != 0;
}

void reduction_script_wait_results(struct reduction_script *script, uint64_t count, uint64_t cycles)
{
    struct bench *bench = script->port->bench;
    for (uint64_t i = 0; script->results < count; i++) {
        if (i == cycles)
            bench_fail(bench, BENCH_TIMEOUT, "%" PRIu64 " results within %" PRIu64 " cycles, expected %" PRIu64,
                       script->results, cycles, count);
        bench->step(bench->context);
    }
}
