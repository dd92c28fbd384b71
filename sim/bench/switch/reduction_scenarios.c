/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_scenarios.h"

#include "bench/switch/reduction_config.h"
#include "bench/switch/reduction_script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LATENCY_MAX = 64 }; /* cycles: far above any latency of the block, far below a timeout of the watchdog */

struct scene {
    struct reduction_port *port;
    struct reduction_script script;
    const char *name;
    uint64_t everyone; /* the largest legal set */
    unsigned longest;  /* bytes of the longest bf16 partial */
};

static void expect(struct scene *scene, const char *what, uint64_t expected, uint64_t got)
{
    struct bench *bench = scene->port->bench;
    if (expected != got)
        bench_fail(bench, BENCH_MISMATCH, "scenario %s: %s expected %" PRIu64 ", got %" PRIu64, scene->name, what, expected, got);
    bench->compared++;
}

static uint64_t counted(const struct scene *scene, unsigned event)
{
    return scene->port->check.counted[event];
}

static void expect_cause(struct scene *scene, unsigned cause, uint64_t count)
{
    bench_run(scene->port->bench, LATENCY_MAX);
    expect(scene, "count of the cause", count, counted(scene, MOEHUB_REDUCTION_EVENT_CAUSES + cause));
}

static void settle(struct scene *scene)
{
    reduction_port_settle(scene->port, 100000);
}

/* The `count` lowest ports of a set. */
static uint64_t lowest_ports(uint64_t set, unsigned count)
{
    uint64_t lowest = 0;
    for (; count > 0 && set != 0; count--, set &= set - 1)
        lowest |= set & -set;
    return lowest;
}

static uint64_t largest_set(const struct moehub_reduction_buffer_config *config)
{
    uint64_t ports = config->ports == 64 ? UINT64_MAX : ((uint64_t)1 << config->ports) - 1;
    return lowest_ports(ports & ~((uint64_t)1 << config->own_port), reduction_config_contributors(config));
}

/* All partials of a grant, queued in port order. */
static void add_answers(struct scene *scene, const struct moehub_reduction_reserve *request, const struct moehub_reduction_grant *grant)
{
    for (uint64_t set = request->contributors; set != 0; set &= set - 1) {
        struct moehub_reduction_partial packet =
            reduction_script_answer(&scene->script, request, grant, (unsigned)__builtin_ctzll(set));
        reduction_script_add_packet(&scene->script, &packet);
    }
}

/* The partial of the lowest port of the set. */
static struct moehub_reduction_partial first_answer(const struct scene *scene, const struct moehub_reduction_reserve *request,
                                                    const struct moehub_reduction_grant *grant)
{
    return reduction_script_answer(&scene->script, request, grant, (unsigned)__builtin_ctzll(request->contributors));
}

/* Reserves every entry: script.grants has them from 0 on. */
static void reserve_all(struct scene *scene, const struct moehub_reduction_reserve *request)
{
    for (uint32_t i = 0; i < scene->port->config.entries; i++)
        reduction_script_reserve(&scene->script, request);
}

/* ---- the scenarios -------------------------------------------------------------------------------------------------------- */

/* Entries are granted 0, 1, 2 ... with generation 0 after reset, then in the order in which they came back. */
static void grant_order(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    uint32_t entries = scene->port->config.entries;
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 1), 2);
    for (uint32_t i = 0; i < entries; i++) {
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        expect(scene, "entry", i, grant.entry);
        expect(scene, "generation", 0, grant.generation);
    }
    for (uint32_t i = 0; i < entries; i++) {
        struct moehub_reduction_grant grant = {.entry = (uint16_t)(entries - 1 - i)};
        add_answers(scene, &request, &grant);
        reduction_script_wait_results(script, i, LATENCY_MAX);
        reduction_script_run(script);
        reduction_script_wait_results(script, i + 1, LATENCY_MAX);
    }
    struct moehub_reduction_grant again = reduction_script_reserve(script, &request);
    expect(scene, "first entry to come back", entries - 1, again.entry);
    expect(scene, "its generation", 1, again.generation);
    add_answers(scene, &request, &again);
    reduction_script_run(script);
}

/* Each refusal, alone and several at once: the first in the order of the specification decides. */
static void refusals(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    const struct moehub_reduction_buffer_config *config = &scene->port->config;
    struct moehub_reduction_reserve good = reduction_script_request(script, scene->everyone, 2);
    struct moehub_reduction_reserve bad = good;
    bad.contributors = 0;
    expect(scene, "empty set", MOEHUB_STATUS_CONTRIBUTORS, reduction_script_reserve(script, &bad).status);
    bad.contributors = (uint64_t)1 << config->own_port;
    expect(scene, "own port", MOEHUB_STATUS_CONTRIBUTORS, reduction_script_reserve(script, &bad).status);
    bad.element = MOEHUB_ELEMENT_BYTES;
    bad.length = 0;
    expect(scene, "own port, type and length", MOEHUB_STATUS_CONTRIBUTORS, reduction_script_reserve(script, &bad).status);
    bad.contributors = good.contributors;
    expect(scene, "type and length", MOEHUB_STATUS_TYPE, reduction_script_reserve(script, &bad).status);
    bad.element = MOEHUB_ELEMENT_FP16;
    expect(scene, "length 0", MOEHUB_STATUS_LENGTH, reduction_script_reserve(script, &bad).status);
    bad.length = 3;
    expect(scene, "odd length", MOEHUB_STATUS_LENGTH, reduction_script_reserve(script, &bad).status);
    bad.length = (uint16_t)(config->payload_bytes + 2);
    expect(scene, "too long", MOEHUB_STATUS_LENGTH, reduction_script_reserve(script, &bad).status);
    bad.element = MOEHUB_ELEMENT_FP32;
    bad.length = 2;
    expect(scene, "fp32", config->with_fp32 ? MOEHUB_STATUS_LENGTH : MOEHUB_STATUS_TYPE,
           reduction_script_reserve(script, &bad).status);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_DRAIN, 0);
    bad.contributors = 0;
    expect(scene, "while draining", MOEHUB_STATUS_DRAINING, reduction_script_reserve(script, &bad).status);
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_DRAINING, 1);
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_CONTRIBUTORS, 3);
    expect(scene, "occupancy", 0, pin_get(scene->port->occupancy));
}

/* More ports than MAX_CONTRIBUTORS. */
static void too_many_ports(struct scene *scene)
{
    const struct moehub_reduction_buffer_config *config = &scene->port->config;
    if (config->max_contributors >= config->ports - 1)
        return; /* no such set */
    uint64_t others = (config->ports == 64 ? UINT64_MAX : ((uint64_t)1 << config->ports) - 1) & ~((uint64_t)1 << config->own_port);
    struct moehub_reduction_reserve request =
        reduction_script_request(&scene->script, lowest_ports(others, config->max_contributors + 1), 2);
    expect(scene, "one port too many", MOEHUB_STATUS_CONTRIBUTORS, reduction_script_reserve(&scene->script, &request).status);
}

/* Every cause of a partial, one packet each. */
static void partial_causes(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    const struct moehub_reduction_partial right = first_answer(scene, &request, &grant);

    struct moehub_reduction_partial wrong = right;
    wrong.entry = (uint16_t)scene->port->config.entries;
    reduction_script_send(script, &wrong);
    wrong = right;
    wrong.generation++;
    reduction_script_send(script, &wrong);
    wrong = right;
    wrong.port = (uint8_t)scene->port->config.own_port;
    reduction_script_send(script, &wrong);
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_ENTRY, 1);
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_STALE, 1);
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_FOREIGN, 1);
    reduction_script_send(script, &right);
    reduction_script_send(script, &right); /* a duplicate, or late when it was the only port */
    bool only = (request.contributors & (request.contributors - 1)) == 0;
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_DUPLICATE, only ? 0 : 1);
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_STALE, only ? 2 : 1);
    request.contributors &= request.contributors - 1;
    add_answers(scene, &request, &grant);
    reduction_script_run(script);
    reduction_script_wait_results(script, 1, LATENCY_MAX);
    expect(scene, "status of the result", MOEHUB_STATUS_OK, script->last_status);
}

static void spoil_for(struct moehub_reduction_partial *packet, unsigned status)
{
    if (status == MOEHUB_STATUS_PARTIAL)
        packet->status = MOEHUB_STATUS_MEMORY;
    else if (status == MOEHUB_STATUS_TYPE)
        packet->element = MOEHUB_ELEMENT_FP16;
    else
        packet->flits++;
}

/* One entry whose ports fail with `first`, then `second`, and are right from the third on. */
static void fail_twice(struct scene *scene, unsigned first, unsigned second, unsigned expected)
{
    struct reduction_script *script = &scene->script;
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 3), scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    uint64_t before = script->results;
    unsigned number = 0;
    for (uint64_t set = request.contributors; set != 0; set &= set - 1, number++) {
        struct moehub_reduction_partial packet = reduction_script_answer(script, &request, &grant, (unsigned)__builtin_ctzll(set));
        if (number < 2)
            spoil_for(&packet, number == 0 ? first : second);
        reduction_script_send(script, &packet);
    }
    reduction_script_wait_results(script, before + 1, LATENCY_MAX);
    expect(scene, "status of the result", expected, script->last_status);
}

/* Failures PARTIAL < TYPE < LENGTH, whatever the order of arrival. */
static void smallest_failure(struct scene *scene)
{
    static const unsigned ranked[] = {MOEHUB_STATUS_PARTIAL, MOEHUB_STATUS_TYPE, MOEHUB_STATUS_LENGTH};
    bool alone = reduction_config_contributors(&scene->port->config) == 1;
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 3; b++)
            fail_twice(scene, ranked[a], ranked[b], ranked[alone || a < b ? a : b]);
}

/* The last flit comes early and late: one LENGTH error each, and the next packet is understood. */
static void framing(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    uint64_t results = 0;
    for (int extra = -1; extra <= (int)REDUCTION_EXTRA_FLITS; extra++) {
        struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 1), scene->longest);
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        struct moehub_reduction_partial packet = first_answer(scene, &request, &grant);
        unsigned right = packet.flits;
        packet.flits = (uint32_t)((int)right + extra);
        if (packet.flits == 0)
            packet.flits = right;
        reduction_script_send(script, &packet);
        reduction_script_wait_results(script, ++results, LATENCY_MAX);
        expect(scene, "status of the result", packet.flits == right ? MOEHUB_STATUS_OK : MOEHUB_STATUS_LENGTH, script->last_status);
    }
}

/* All entries taken: nothing more is accepted, not even what would be refused, until one comes back. */
static void buffer_full(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 1), scene->longest);
    reserve_all(scene, &request);
    struct moehub_reduction_reserve bad = request;
    bad.length = 0;
    reduction_script_add_reserve(script, &bad);
    bench_run(port->bench, LATENCY_MAX);
    expect(scene, "requests accepted", port->config.entries, counted(scene, MOEHUB_REDUCTION_EVENT_REQUESTS));
    expect(scene, "occupancy", port->config.entries, pin_get(port->occupancy));
    for (uint32_t i = 0; i < port->config.entries; i++)
        add_answers(scene, &request, &script->grants[i]);
    reduction_script_run(script);
    reduction_script_wait_results(script, port->config.entries, LATENCY_MAX);
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_LENGTH, 1);
}

/* An entry is used more often than generations exist; each use is followed by a late copy of its only partial. */
static void generation_wrap(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    unsigned generations = 1u << scene->port->config.generation_width;
    uint64_t uses = (uint64_t)scene->port->config.entries * (generations + 1);
    if (uses > 2000)
        uses = 2000;
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 1), 2);
    for (uint64_t use = 0; use < uses; use++) {
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        expect(scene, "generation", use / scene->port->config.entries % generations, grant.generation);
        add_answers(scene, &request, &grant);
        add_answers(scene, &request, &grant); /* late */
        reduction_script_run(script);
        reduction_script_wait_results(script, use + 1, LATENCY_MAX);
    }
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_STALE, uses);
}

/* An entry that misses a port times out, its late partial is stale, and the next use of it is sound. */
static void timeout(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const uint32_t time = 200;
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, time);
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 7), scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    uint64_t start = port->bench->cycle;
    while (script->timeouts == 0 && port->bench->cycle < start + time + 2 * port->config.entries + 64 + LATENCY_MAX)
        port->bench->step(port->bench->context);
    expect(scene, "timeouts", 1, script->timeouts);
    expect(scene, "entry", grant.entry, script->last_timeout);
    add_answers(scene, &request, &grant);
    reduction_script_wait_results(script, 1, LATENCY_MAX);
    expect(scene, "status of the result", MOEHUB_STATUS_TIMEOUT, script->last_status);
    reduction_script_run(script);
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_STALE, (uint64_t)__builtin_popcountll(request.contributors));
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0);
    for (uint32_t i = 0; i < port->config.entries; i++) {
        grant = reduction_script_reserve(script, &request);
        add_answers(scene, &request, &grant);
        reduction_script_run(script);
    }
    reduction_script_wait_results(script, 1 + (uint64_t)port->config.entries, LATENCY_MAX);
    expect(scene, "timeouts", 1, script->timeouts);
}

/* Every bit of the time counts, carries of the clock too: neither before the time nor later than the specification says.
 * The longest ones only where the simulation is fast. */
static void timeout_lengths(struct scene *scene)
{
    static const uint32_t times[] = {1, 130, 300, 600, 1100, 2300, 4200, 8400, 66000};
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const uint32_t entries = port->config.entries;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, 2);
    for (unsigned i = 0; i < sizeof times / sizeof *times && (entries <= 20 || times[i] < 5000); i++) {
        reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, times[i]);
        const uint64_t before = script->timeouts;
        reduction_script_reserve(script, &request);
        const uint64_t start = port->bench->cycle; /* the grant has been taken shortly before */
        while (script->timeouts == before && port->bench->cycle < start + times[i] + 2 * entries + 64)
            port->bench->step(port->bench->context);
        expect(scene, "timeouts", before + 1, script->timeouts);
        expect(scene, "timeouts too early", 0, port->bench->cycle + LATENCY_MAX < start + times[i]);
    }
    reduction_script_wait_results(script, script->timeouts, LATENCY_MAX);
}

/* Timeouts with one high bit, too long to be waited for: none comes as early as the low bits alone would say. */
static void timeout_high_bits(struct scene *scene)
{
    enum { LOWEST = 9, LOW = 20 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const uint64_t late = 2 * (uint64_t)port->config.entries + 64 + LATENCY_MAX;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, 2);
    for (unsigned bit = LOWEST; bit < 32 && port->config.entries <= 20; bit++) {
        reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, UINT32_C(1) << bit | LOW);
        const uint64_t before = script->timeouts;
        reduction_script_reserve(script, &request);
        bench_run(port->bench, LOW + late);
        expect(scene, "timeouts too early", before, script->timeouts);
        reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 1);
        reduction_script_wait_results(script, before + 1, late);
    }
}

/* An entry's last partial comes around the cycles in which its time ends: it completes or times out, never both, whichever
 * entry it is. */
static void timeout_races(struct scene *scene)
{
    enum { RACES = 160, TIME = 40, CYCLES = 80 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (port->config.entries > 20)
        return; /* a turn of the search is longer than this looks */
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 1), 2);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, TIME);
    for (unsigned race = 0; race < RACES; race++) {
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        bench_run(port->bench, TIME / 2 + race % CYCLES / 2);
        add_answers(scene, &request, &grant);
        reduction_script_run(script);
        reduction_script_wait_results(script, race + 1, TIME + 2 * (uint64_t)port->config.entries + 64 + LATENCY_MAX);
    }
    expect(scene, "some timed out, some did not", 1, script->timeouts > 0 && script->timeouts < RACES);
}

/* A timeout far from reset, where the time's middle bits are set too, comes at most a turn of the search and 12 cycles late (the
 * specification allows 16). */
static void timeout_on_time(struct scene *scene)
{
    enum { LONG_AFTER = (1 << 17) + 1000, TIME = 150, TIMES = 64, TURN_LEAST = 8, LATE = 12 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const uint64_t entries = port->config.entries, turn = entries > TURN_LEAST ? entries : TURN_LEAST;
    if (entries > 20 || port->config.flit_bytes > 16)
        return; /* slow, and no other time */
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, 2);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, TIME);
    bench_run(port->bench, LONG_AFTER);
    for (uint64_t i = 0; i < TIMES; i++) {
        reduction_script_reserve(script, &request);
        const uint64_t granted = port->bench->cycle - 1;
        while (script->timeouts == i && port->bench->cycle <= granted + TIME + turn + LATE)
            port->bench->step(port->bench->context);
        expect(scene, "timeouts by then", i + 1, script->timeouts);
        expect(scene, "timeouts too early", 0, port->bench->cycle < granted + TIME);
        reduction_script_wait_results(script, i + 1, LATENCY_MAX);
    }
}

/* Every entry waits, all time out; with the time set to 0 again none would. */
static void timeout_all(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, 2);
    reserve_all(scene, &request);
    bench_run(port->bench, 3 * (uint64_t)port->config.entries + 200);
    expect(scene, "timeouts while off", 0, script->timeouts);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 1);
    reduction_script_wait_results(script, port->config.entries, 2 * (uint64_t)port->config.entries + 64 + LATENCY_MAX);
    expect(scene, "timeouts", port->config.entries, script->timeouts);
}

/* Entries that wait already when a time is set for the first time have all of that time: none times out at once, in
 * whatever turn of the search for timed-out entries the command takes effect. */
static void timeout_set_late(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, 2);
    reserve_all(scene, &request);
    for (unsigned turn = 0; turn < 16; turn++) {
        reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 1000000);
        reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0);
        bench_run(port->bench, 16 + turn);
    }
    expect(scene, "timeouts at once", 0, script->timeouts);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 1);
    reduction_script_wait_results(script, port->config.entries, 2 * (uint64_t)port->config.entries + 64 + LATENCY_MAX);
}

/* Two values that cancel, or nearly, and a third so far below that its bits are anywhere in the sum: every number of leading
 * zeros and every carry, in all lanes at once. */
static void cancelling_sums(struct scene *scene)
{
    enum { HIGHEST = 160, PHASES = 16, DISTANCES = 64, FRACTION = 7, SIGN = 1 << 15, EVERY = 7 };
    struct reduction_script *script = &scene->script;
    uint16_t elements[3];
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 3), 2);
    if (__builtin_popcountll(request.contributors) < 3 || scene->port->config.entries > 20)
        return;
    request.length = (uint16_t)(scene->port->config.payload_bytes < scene->port->config.flit_bytes ? scene->longest : scene->port->config.flit_bytes);
    script->elements = elements;
    script->element_count = 3;
    for (unsigned i = 0; i < PHASES * DISTANCES; i++) {
        const unsigned high = HIGHEST - i % PHASES, low = high - i / PHASES;
        const uint64_t bits = random_next(&script->random);
        elements[0] = (uint16_t)(high << FRACTION | (bits & 127));
        elements[1] = (uint16_t)(elements[0] ^ SIGN ^ (i % EVERY == 0));
        elements[2] = (uint16_t)((bits >> 8 & 1) << 15 | low << FRACTION | (bits >> 9 & 1 ? bits >> 10 & 127 : 0));
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        add_answers(scene, &request, &grant);
        reduction_script_run(script);
    }
    reduction_script_wait_results(script, PHASES * DISTANCES, LATENCY_MAX);
    script->elements = NULL;
}

/* Drain and flush. */
static void drain_and_flush(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    expect(scene, "flush refused", true, reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_FLUSH, 0));
    expect(scene, "drain refused", false, reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_DRAIN, 0));
    if (port->config.entries > 1) /* with none free even a refusal waits */
        expect(scene, "reserve while draining", MOEHUB_STATUS_DRAINING, reduction_script_reserve(script, &request).status);
    add_answers(scene, &request, &grant);
    reduction_script_run(script);
    settle(scene);
    expect(scene, "empty", true, pin_get(port->empty));
    expect(scene, "flush refused", false, reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_FLUSH, 0));
    reduction_port_wait_initialised(port);
    expect(scene, "reserve after flush, still draining", MOEHUB_STATUS_DRAINING, reduction_script_reserve(script, &request).status);
    expect(scene, "resume refused", false, reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_RESUME, 0));
    expect(scene, "unknown command refused", true, reduction_script_command(script, 9, 0));
    grant = reduction_script_reserve(script, &request);
    expect(scene, "entry after flush", 0, grant.entry);
    expect(scene, "generation after flush", 1, grant.generation);
    add_answers(scene, &request, &grant);
    reduction_script_run(script);
}

/* FLUSH of the empty buffer while a late packet is half in: its rest is consumed and the next packet understood. */
static void flush_in_packet(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 1), scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    struct moehub_reduction_partial late = first_answer(scene, &request, &grant);
    reduction_script_send(script, &late);
    settle(scene);
    late.flits += 1; /* two at least */
    reduction_script_add_packet(script, &late);
    while (port->flits_sent == 0)
        port->bench->step(port->bench->context);
    reduction_port_hold_partials(port, true);
    const uint64_t flushes = port->check.flushes_empty;
    reduction_script_add_command(script, MOEHUB_REDUCTION_COMMAND_FLUSH, 0);
    for (unsigned cycle = 0; cycle < 2 * LATENCY_MAX && port->check.flushes_empty == flushes; cycle++)
        port->bench->step(port->bench->context);
    expect(scene, "flushes with a packet half in", flushes + 1, port->check.flushes_empty);
    bench_run(port->bench, LATENCY_MAX);
    expect(scene, "rest of the packet still to come", true, port->flits_sent > 0);
    reduction_port_hold_partials(port, false);
    reduction_script_run(script);
    reduction_port_wait_initialised(port);
    grant = reduction_script_reserve(script, &request);
    expect(scene, "entry after flush", 0, grant.entry);
    add_answers(scene, &request, &grant);
    reduction_script_run(script);
    reduction_script_wait_results(script, 2, LATENCY_MAX);
    expect(scene, "status of the result", MOEHUB_STATUS_OK, script->last_status);
    expect_cause(scene, MOEHUB_REDUCTION_CAUSE_STALE, 1);
}

/* The taker stalls while every entry becomes complete; then all results leave without a bubble. */
static void stalled_results(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 3), scene->longest);
    reserve_all(scene, &request);
    reduction_port_hold_results(port, true);
    for (uint32_t i = 0; i < port->config.entries; i++)
        add_answers(scene, &request, &script->grants[i]);
    reduction_script_run(script);
    bench_run(port->bench, 2 * LATENCY_MAX);
    expect(scene, "results", 0, script->results);
    expect(scene, "occupancy", port->config.entries, pin_get(port->occupancy));
    reduction_port_hold_results(port, false);
    uint64_t flits = (uint64_t)port->config.entries * reduction_config_flits(&port->config, scene->longest);
    uint64_t before = port->result_flits;
    bench_run(port->bench, flits);
    expect(scene, "result flits in as many cycles", flits, port->result_flits - before);
    settle(scene);
    if (port->config.entries > 8)
        expect(scene, "some results were deferred", true, counted(scene, MOEHUB_REDUCTION_EVENT_DEFERRED) > 0);
}

/* Packets of one flit, back to back into the same entry: the state of one word is read, changed and written every cycle. */
static void one_flit_back_to_back(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request =
        reduction_script_request(script, scene->everyone, port->config.flit_bytes < scene->longest ? port->config.flit_bytes : scene->longest);
    reserve_all(scene, &request);
    for (uint32_t i = 0; i < port->config.entries; i++)
        add_answers(scene, &request, &script->grants[i]);
    uint64_t packets = (uint64_t)port->config.entries * (uint64_t)__builtin_popcountll(request.contributors);
    uint64_t before = port->partial_flits;
    bench_run(port->bench, packets);
    expect(scene, "packets in as many cycles", packets, port->partial_flits - before);
    reduction_script_wait_results(script, port->config.entries, LATENCY_MAX);
    expect(scene, "status of the result", MOEHUB_STATUS_OK, script->last_status);
}

/* One port, one entry after the other: as many result flits as partial flits, in as many cycles. */
static void results_keep_up(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 1), scene->longest);
    reserve_all(scene, &request);
    for (uint32_t i = 0; i < port->config.entries; i++)
        add_answers(scene, &request, &script->grants[i]);
    unsigned packet = reduction_config_flits(&port->config, scene->longest); /* good or not: known at its last flit */
    uint64_t flits = (uint64_t)port->config.entries * packet;
    uint64_t bubbles = port->result_bubbles;
    uint64_t start = port->bench->cycle;
    while (port->result_flits == 0 || script->results == 0)
        port->bench->step(port->bench->context);
    reduction_script_wait_results(script, port->config.entries, flits + LATENCY_MAX);
    expect(scene, "bubbles inside results", bubbles, port->result_bubbles);
    expect(scene, "finished in time", true, port->bench->cycle - start <= flits + packet + LATENCY_MAX / 2);
}

/* A result turns out bad at its last flit, and its rows leave the queue's count, while an older one leaves: whatever the cycle. */
static void dropped_while_leaving(struct scene *scene)
{
    enum { PACKETS = 4, BAD = 2 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (port->config.entries < PACKETS)
        return;
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 1), scene->longest);
    const unsigned flits = reduction_config_flits(&port->config, scene->longest);
    for (unsigned delay = 0; delay < 2 * PACKETS * flits; delay++) {
        const uint64_t before = script->results;
        struct moehub_reduction_grant grants[PACKETS];
        reduction_port_hold_results(port, true);
        for (unsigned i = 0; i < PACKETS; i++)
            grants[i] = reduction_script_reserve(script, &request);
        for (unsigned i = 0; i < PACKETS; i++) {
            struct moehub_reduction_partial packet = first_answer(scene, &request, &grants[i]);
            packet.flits += i == BAD;
            reduction_script_add_packet(script, &packet);
        }
        bench_run(port->bench, delay);
        reduction_port_hold_results(port, false);
        reduction_script_run(script);
        reduction_script_wait_results(script, before + PACKETS, PACKETS * (flits + LATENCY_MAX));
    }
}

/* An error waits while results pass without a gap: it leaves after 15 of them, and those that were on their way by then. */
static void patience(struct scene *scene)
{
    enum { PATIENCE = 15, ON_THEIR_WAY = 5 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (port->config.entries < PATIENCE + 2)
        return;
    struct moehub_reduction_reserve request = reduction_script_request(script, lowest_ports(scene->everyone, 1), scene->longest);
    reserve_all(scene, &request);
    struct moehub_reduction_partial bad = first_answer(scene, &request, &script->grants[0]);
    spoil_for(&bad, MOEHUB_STATUS_PARTIAL);
    reduction_script_add_packet(script, &bad);
    for (uint32_t i = 1; i < port->config.entries; i++)
        add_answers(scene, &request, &script->grants[i]);
    script->last_status = MOEHUB_STATUS_OK;
    while (script->last_status == MOEHUB_STATUS_OK && script->results < port->config.entries)
        port->bench->step(port->bench->context);
    const uint64_t passed = script->results - 1;
    expect(scene, "status of the one that waited", MOEHUB_STATUS_PARTIAL, script->last_status);
    expect(scene, "15 results before it, or few more", true, passed >= PATIENCE && passed <= PATIENCE + ON_THEIR_WAY);
    reduction_script_run(script);
    reduction_script_wait_results(script, port->config.entries, LATENCY_MAX);
}

static const struct {
    const char *name;
    void (*run)(struct scene *);
} scenarios[] = {
    {"grant-order", grant_order},
    {"refusals", refusals},
    {"too-many-ports", too_many_ports},
    {"partial-causes", partial_causes},
    {"smallest-failure", smallest_failure},
    {"framing", framing},
    {"buffer-full", buffer_full},
    {"generation-wrap", generation_wrap},
    {"timeout", timeout},
    {"timeout-lengths", timeout_lengths},
    {"timeout-high-bits", timeout_high_bits},
    {"timeout-races", timeout_races},
    {"timeout-on-time", timeout_on_time},
    {"timeout-all", timeout_all},
    {"timeout-set-late", timeout_set_late},
    {"cancelling-sums", cancelling_sums},
    {"drain-and-flush", drain_and_flush},
    {"flush-in-packet", flush_in_packet},
    {"stalled-results", stalled_results},
    {"one-flit-back-to-back", one_flit_back_to_back},
    {"results-keep-up", results_keep_up},
    {"dropped-while-leaving", dropped_while_leaving},
    {"patience", patience},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

static void run_one(struct scene *scene, unsigned number)
{
    struct reduction_port *port = scene->port;
    scene->name = scenarios[number].name;
    reduction_port_reset(port, 2);
    reduction_port_wait_initialised(port);
    scenarios[number].run(scene);
    settle(scene);
    printf("  scenario %-24s ok\n", scene->name);
}

bool reduction_scenarios_run(struct reduction_port *port, const char *name)
{
    const struct moehub_reduction_buffer_config *config = &port->config;
    struct scene scene = {.port = port, .everyone = largest_set(config), .longest = config->payload_bytes - config->payload_bytes % 2};
    bool found = false;
    reduction_script_create(&scene.script, port, (size_t)config->entries * 64 + 4096);
    reduction_port_stall(port, STALL_NONE);
    for (unsigned i = 0; i < SCENARIOS; i++) {
        if (strcmp(name, "all") != 0 && strcmp(name, scenarios[i].name) != 0)
            continue;
        run_one(&scene, i);
        found = true;
    }
    reduction_script_destroy(&scene.script);
    return found;
}

void reduction_scenarios_list(void)
{
    for (unsigned i = 0; i < SCENARIOS; i++)
        fprintf(stderr, "  %s\n", scenarios[i].name);
}
