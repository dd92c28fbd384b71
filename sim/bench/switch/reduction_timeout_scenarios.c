/* SPDX-License-Identifier: Apache-2.0 */
/* Timeouts: when they fire and what they do. */
#include "bench/switch/reduction_scene.h"

#include "bench/switch/reduction_config.h"

/* An entry that misses a port times out, its late partial is stale, and the next use of it is sound. */
void scenario_timeout(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const uint32_t time = 200;
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, time);
    struct moehub_reduction_reserve request = scene_request(scene, 7, scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    uint64_t start = port->bench->cycle;
    while (script->timeouts == 0 && port->bench->cycle < start + time + 2 * port->config.entries + 64 + LATENCY_MAX)
        port->bench->step(port->bench->context);
    scene_expect(scene, "timeouts", 1, script->timeouts);
    scene_expect(scene, "entry", grant.entry, script->last_timeout);
    scene_add_answers(scene, &request, &grant);
    reduction_script_wait_results(script, 1, scene->latency);
    scene_expect(scene, "status of the result", MOEHUB_STATUS_TIMEOUT, script->last_status);
    reduction_script_run(script);
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_STALE, (uint64_t)__builtin_popcountll(request.contributors));
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0);
    for (uint32_t i = 0; i < scene->groups; i++) {
        grant = reduction_script_reserve(script, &request);
        scene_add_answers(scene, &request, &grant);
        reduction_script_run(script);
    }
    reduction_script_wait_results(script, 1 + (uint64_t)scene->groups, scene->latency);
    scene_expect(scene, "timeouts", 1, script->timeouts);
}

/* Lets a group in quarantine come back at once: the next reservation may wait for it. */
static void end_quarantine(struct scene *scene)
{
    if (scene->port->config.quarantine == 0)
        return;
    reduction_script_command(&scene->script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0);
    scene_settle(scene);
}

/* Every bit of the time counts, carries of the clock too: neither before the time nor later than the specification says.
 * The longest ones only where the simulation is fast. */
void scenario_timeout_lengths(struct scene *scene)
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
        scene_expect(scene, "timeouts", before + 1, script->timeouts);
        scene_expect(scene, "timeouts too early", 0, port->bench->cycle + LATENCY_MAX < start + times[i]);
        end_quarantine(scene);
    }
    reduction_script_wait_results(script, script->timeouts, scene->latency);
}

/* Timeouts with one high bit, too long to be waited for: none comes as early as the low bits alone would say. With a
 * quarantine 2^30 is the longest. */
void scenario_timeout_high_bits(struct scene *scene)
{
    enum { LOWEST = 9, LOW = 20 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const uint64_t late = 2 * (uint64_t)port->config.entries + 64 + LATENCY_MAX;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, 2);
    const unsigned highest = port->config.quarantine != 0 ? 29 : 31;
    for (unsigned bit = LOWEST; bit <= highest && port->config.entries <= 20; bit++) {
        reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, UINT32_C(1) << bit | LOW);
        const uint64_t before = script->timeouts;
        reduction_script_reserve(script, &request);
        bench_run(port->bench, LOW + late);
        scene_expect(scene, "timeouts too early", before, script->timeouts);
        reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 1);
        reduction_script_wait_results(script, before + 1, late);
        end_quarantine(scene);
    }
}

/* An entry's last partial comes around the cycles in which its time ends: it completes or times out, never both, whichever
 * entry it is. */
void scenario_timeout_races(struct scene *scene)
{
    enum { RACES = 160, TIME = 40, CYCLES = 80 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (port->config.entries > 20)
        return; /* a turn of the search is longer than this looks */
    struct moehub_reduction_reserve request = scene_request(scene, 1, 2);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, TIME);
    for (unsigned race = 0; race < RACES; race++) {
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        bench_run(port->bench, TIME / 2 + race % CYCLES / 2);
        scene_add_answers(scene, &request, &grant);
        reduction_script_run(script);
        reduction_script_wait_results(script, race + 1, TIME + 2 * (uint64_t)port->config.entries + 64 + scene->latency);
    }
    scene_expect(scene, "some timed out, some did not", 1, script->timeouts > 0 && script->timeouts < RACES);
}

/* A timeout far from reset, where the time's middle bits are set too, comes as late as its way through the search takes, and
 * less than a turn later, at whatever place of the turn the time ends. The specification allows more, on both sides. */
void scenario_timeout_on_time(struct scene *scene)
{
    enum { LONG_AFTER = (1 << 17) + 1000, TIME = 150, TIMES = 64, TURN_LEAST = 8, WAY = 11 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const uint64_t entries = port->config.entries, turn = entries > TURN_LEAST ? entries : TURN_LEAST;
    if (entries > 20 || port->config.flit_bytes > 16)
        return; /* slow, and no other time */
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, 2);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, TIME);
    bench_run(port->bench, LONG_AFTER);
    for (uint64_t i = 0; i < TIMES; i++) {
        bench_run(port->bench, i);
        reduction_script_reserve(script, &request);
        const uint64_t earliest = port->bench->cycle - 1 + TIME + WAY;
        while (script->timeouts == i && port->bench->cycle < earliest + turn)
            port->bench->step(port->bench->context);
        scene_expect(scene, "timeouts by then", i + 1, script->timeouts);
        scene_expect(scene, "timeouts too early", 0, port->bench->cycle < earliest);
        reduction_script_wait_results(script, i + 1, scene->latency);
    }
}

/* Every entry waits, all time out; with the time set to 0 again none would. */
void scenario_timeout_all(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, 2);
    scene_reserve_all(scene, &request);
    bench_run(port->bench, 3 * (uint64_t)port->config.entries + 200);
    scene_expect(scene, "timeouts while off", 0, script->timeouts);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 1);
    reduction_script_wait_results(script, scene->groups, 2 * (uint64_t)port->config.entries + 64 + scene->latency);
    scene_expect(scene, "timeouts", scene->groups, script->timeouts);
}

/* Entries that wait already when a time is set for the first time have all of that time: none times out at once, in
 * whatever turn of the search for timed-out entries the command takes effect. */
void scenario_timeout_set_late(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, 2);
    scene_reserve_all(scene, &request);
    for (unsigned turn = 0; turn < 16; turn++) {
        reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 1000000);
        reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0);
        bench_run(port->bench, 16 + turn);
    }
    scene_expect(scene, "timeouts at once", 0, script->timeouts);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 1);
    reduction_script_wait_results(script, scene->groups, 2 * (uint64_t)port->config.entries + 64 + scene->latency);
}
