/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of several lines, releases, quarantine, missing ports (rtl/doc/plane/groups.md). Each returns at once where the
 * design has nothing of it. */
#include "bench/switch/reduction_scene.h"

#include "bench/switch/reduction_config.h"

/* A reservation of so many lines, the last one short. */
static struct moehub_reduction_reserve lines_request(const struct scene *scene, unsigned ports, unsigned lines)
{
    struct moehub_reduction_reserve request = scene_request(scene, ports, 2);
    request.lines_less_1 = (uint8_t)(lines - 1);
    return request;
}

/* The request and grant of one line, as if it were the only one. */
static void line_of(const struct scene *scene, const struct moehub_reduction_reserve *request,
                    const struct moehub_reduction_grant *grant, unsigned line, struct moehub_reduction_reserve *its_request,
                    struct moehub_reduction_grant *its_grant)
{
    *its_request = *request;
    *its_grant = *grant;
    if (line < request->lines_less_1)
        its_request->length = (uint16_t)scene->port->config.payload_bytes;
    its_grant->entry = (uint16_t)(grant->entry + line);
}

static void add_line_answers(struct scene *scene, const struct moehub_reduction_reserve *request,
                             const struct moehub_reduction_grant *grant, unsigned line)
{
    struct moehub_reduction_reserve its_request;
    struct moehub_reduction_grant its_grant;
    line_of(scene, request, grant, line, &its_request, &its_grant);
    scene_add_answers(scene, &its_request, &its_grant);
}

static uint64_t stale(const struct scene *scene)
{
    return scene_counted(scene, MOEHUB_REDUCTION_EVENT_CAUSES + MOEHUB_REDUCTION_CAUSE_STALE);
}

static void wait_freed(struct scene *scene, uint64_t count, uint64_t cycles)
{
    for (uint64_t i = 0; scene->script.freed < count && i < cycles; i++)
        scene->port->bench->step(scene->port->bench->context);
    scene_expect(scene, "groups freed", count, scene->script.freed);
}

/* Requests of every number of lines, whose lines complete in every rotation, upwards and downwards: each asked line gives
 * one result, a line that was not asked takes nothing, and the group comes back once. */
void scenario_lines_any_order(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    uint64_t results = 0, groups = 0;
    for (unsigned lines = 1; scene->lines > 1 && lines <= scene->lines; lines++)
        for (unsigned order = 0; order < 2 * lines; order++) {
            const struct moehub_reduction_reserve request = lines_request(scene, 2, lines);
            const struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
            const uint64_t stale_before = stale(scene);
            for (unsigned line = lines; line < scene->lines; line++)
                add_line_answers(scene, &request, &grant, line);
            for (unsigned i = 0; i < lines; i++)
                add_line_answers(scene, &request, &grant, ((order % 2 != 0 ? lines - 1 - i : i) + order / 2) % lines);
            reduction_script_run(script);
            results += lines;
            reduction_script_wait_results(script, results, lines * scene->latency);
            scene_expect(scene, "status of the last result", MOEHUB_STATUS_OK, script->last_status);
            wait_freed(scene, ++groups, LATENCY_MAX);
            add_line_answers(scene, &request, &grant, lines - 1); /* late */
            reduction_script_run(script);
            bench_run(scene->port->bench, LATENCY_MAX);
            const uint64_t ports = (uint64_t)__builtin_popcountll(request.contributors);
            scene_expect(scene, "stale partials", (scene->lines - lines + 1) * ports, stale(scene) - stale_before);
            scene_expect(scene, "groups freed", groups, script->freed);
        }
}

/* `released` in no use, before the grant, of no entry and repeated changes nothing; last or before the result it frees the
 * group, and any entry of the group names it. */
void scenario_releases(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (port->config.with_release == 0)
        return;
    script->holds_releases = true;
    const uint64_t ignored = port->check.groups.ignored, counted = port->check.groups.counted;
    reduction_script_add_release(script, 0);
    reduction_script_run(script);
    struct moehub_reduction_reserve request = scene_request(scene, 1, 2);
    reduction_port_hold_grants(port, true);
    reduction_script_add_reserve(script, &request);
    bench_run(port->bench, LATENCY_MAX);
    reduction_script_add_release(script, 0);
    bench_run(port->bench, LATENCY_MAX);
    reduction_port_hold_grants(port, false);
    reduction_script_run(script);
    scene_add_answers(scene, &request, &script->grants[0]);
    reduction_script_run(script);
    reduction_script_wait_results(script, 1, scene->latency);
    bench_run(port->bench, LATENCY_MAX);
    scene_expect(scene, "groups freed before the release", 0, script->freed);
    scene_expect(scene, "entries in use", scene->lines, pin_get(port->occupancy));
    const unsigned entries = port->config.entries;
    const unsigned releases[] = {entries, UINT16_MAX, scene->lines - 1, 0, scene->lines - 1};
    for (unsigned i = 0; i < sizeof releases / sizeof *releases; i++)
        reduction_script_add_release(script, releases[i]);
    reduction_script_run(script);
    wait_freed(scene, 1, LATENCY_MAX);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    reduction_script_add_release(script, grant.entry);
    reduction_script_run(script);
    scene_expect(scene, "groups freed before the result", 1, script->freed);
    scene_add_answers(scene, &request, &grant);
    reduction_script_run(script);
    wait_freed(scene, 2, scene->latency);
    bench_run(port->bench, LATENCY_MAX);
    scene_expect(scene, "releases that changed something", 2, port->check.groups.counted - counted);
    scene_expect(scene, "releases that changed nothing", 6, port->check.groups.ignored - ignored);
    script->holds_releases = false;
}

/* One line of a group times out, or all: the group comes back at twice the time, and not much later. */
void scenario_quarantine_time(struct scene *scene)
{
    enum { TIME = 150 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const uint64_t late = 2 * (uint64_t)port->config.entries + 64 + 4 * scene->lines; /* results and numbers hold it up */
    if (port->config.quarantine == 0)
        return;
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, TIME);
    const struct moehub_reduction_reserve request = lines_request(scene, 2, scene->lines);
    for (unsigned silent = 0; silent <= scene->lines; silent++) { /* the last time every line */
        const struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        for (unsigned line = 0; line < scene->lines && silent < scene->lines; line++)
            if (line != silent)
                add_line_answers(scene, &request, &grant, line);
        reduction_script_run(script);
        const uint64_t granted = port->check.groups.list[grant.entry / scene->lines].grant_cycle;
        reduction_script_wait_results(script, (silent + 1) * scene->lines, TIME + late + scene->latency);
        const uint64_t before = stale(scene);
        add_line_answers(scene, &request, &grant, silent % scene->lines);
        reduction_script_run(script);
        wait_freed(scene, silent + 1, 2 * TIME + late);
        scene_expect(scene, "freed before twice the time", false, script->freed_cycle < granted + 2 * TIME);
        scene_expect(scene, "freed too late", false, script->freed_cycle > granted + 2 * TIME + late);
        bench_run(port->bench, LATENCY_MAX);
        scene_expect(scene, "late partials", (uint64_t)__builtin_popcountll(request.contributors), stale(scene) - before);
    }
}

/* A longer time set meanwhile prolongs a quarantine, 0 ends it. */
void scenario_quarantine_switched_off(struct scene *scene)
{
    enum { TIME = 150, LONG = 1 << 20 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const uint64_t late = 2 * (uint64_t)port->config.entries + 64;
    if (port->config.quarantine == 0)
        return;
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, TIME);
    const struct moehub_reduction_reserve request = lines_request(scene, 1, 1);
    reduction_script_reserve(script, &request);
    reduction_script_wait_results(script, 1, TIME + late + scene->latency);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, LONG);
    bench_run(port->bench, 2 * TIME + late);
    scene_expect(scene, "groups freed within twice the longer time", 0, script->freed);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0);
    wait_freed(scene, 1, late);
}

/* Line i is answered by i ports, then all time out: those that did not answer are told. */
void scenario_missing_ports(struct scene *scene)
{
    enum { TIME = 400 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (port->config.quarantine == 0)
        return;
    const uint64_t told = port->check.groups.missing.told;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, 2);
    request.lines_less_1 = (uint8_t)(scene->lines - 1);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, TIME);
    const struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    const unsigned ports = (unsigned)__builtin_popcountll(request.contributors);
    for (unsigned line = 1; line < scene->lines; line++) {
        struct moehub_reduction_reserve some = request;
        some.contributors = scene_lowest_ports(request.contributors, line < ports ? line : ports - 1);
        add_line_answers(scene, &some, &grant, line);
    }
    reduction_script_run(script);
    reduction_script_wait_results(script, scene->lines, TIME + 2 * (uint64_t)port->config.entries + 64 + scene->latency);
    wait_freed(scene, 1, 2 * TIME + 2 * (uint64_t)port->config.entries + 64 + LATENCY_MAX);
    scene_expect(scene, "timeouts", scene->lines, script->timeouts);
    scene_expect(scene, "sets of missing ports", scene->lines, port->check.groups.missing.told - told);
}

/* All lines time out while in every cycle a flit comes that the check reads for. When the flits end as many sets are told as the
 * queue holds, and then only the quarantine ends. */
void scenario_missing_lost(struct scene *scene)
{
    enum { TIME = 150 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const unsigned flits = 2 * TIME + 8 * port->config.entries + 256; /* far beyond the quarantine's end */
    if (port->config.quarantine == 0)
        return;
    const uint64_t told = port->check.groups.missing.told;
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, TIME);
    const struct moehub_reduction_reserve request = lines_request(scene, 2, scene->lines);
    const struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    struct moehub_reduction_partial late = scene_first_answer(scene, &request, &grant);
    late.generation ^= 1;
    late.length = 2;
    late.flits = 1;
    for (unsigned i = 0; i < flits; i++)
        reduction_script_add_packet(script, &late);
    reduction_script_run(script);
    scene_expect(scene, "timeouts", scene->lines, script->timeouts);
    scene_expect(scene, "sets told while flits come", 0, port->check.groups.missing.told - told);
    scene_expect(scene, "groups freed while numbers wait", 0, script->freed);
    wait_freed(scene, 1, 2 * (uint64_t)port->config.entries + 64);
    bench_run(port->bench, LATENCY_MAX);
    const unsigned kept = scene->lines < REDUCTION_MISSING_QUEUE ? scene->lines : REDUCTION_MISSING_QUEUE;
    scene_expect(scene, "sets told", kept, port->check.groups.missing.told - told);
}

static void expect_timeout_set(struct scene *scene, uint32_t port_timeout, uint32_t time, bool refused)
{
    scene->script.port_timeout = port_timeout;
    scene_expect(scene, "TIMEOUT_SET refused", refused && scene->port->config.quarantine != 0,
                 reduction_script_command(&scene->script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, time));
}

/* With a quarantine a time below port_timeout or above 2^30 is refused, and the time in force stays. */
void scenario_timeouts_refused(struct scene *scene)
{
    enum { TIME = 250 };
    const uint32_t most = UINT32_C(1) << 30;
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    expect_timeout_set(scene, 1000, 999, true);
    expect_timeout_set(scene, 1000, 1000, false);
    expect_timeout_set(scene, 1000, 1, true);
    expect_timeout_set(scene, 1000, 0, false);
    expect_timeout_set(scene, most, most, false);
    expect_timeout_set(scene, most, most + 1, true);
    expect_timeout_set(scene, UINT32_MAX, UINT32_MAX, true);
    expect_timeout_set(scene, 0, UINT32_MAX, true);
    if (port->config.quarantine != 0) {
        const struct moehub_reduction_reserve request = lines_request(scene, 1, 1);
        expect_timeout_set(scene, TIME, TIME, false);
        expect_timeout_set(scene, TIME, TIME - 1, true);
        reduction_script_reserve(script, &request);
        const uint64_t late = 2 * (uint64_t)port->config.entries + 64;
        reduction_script_wait_results(script, 1, TIME + late + scene->latency);
        wait_freed(scene, 1, 2 * TIME + late);
    }
    expect_timeout_set(scene, 0, 0, false);
}

/* FLUSH `delay` cycles after now; `when` cycles after now what ends the group's use. */
static void flush_around(struct scene *scene, unsigned delay, unsigned when, bool releases)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    for (unsigned cycle = 0; cycle < 2 * LATENCY_MAX; cycle++) {
        if (cycle == delay)
            reduction_script_add_command(script, MOEHUB_REDUCTION_COMMAND_FLUSH, 0);
        if (cycle == when)
            reduction_port_hold_results(port, false);
        if (cycle == when && releases)
            reduction_script_add_release(script, script->grants[(script->grant_count - 1) % SCRIPT_GRANTS].entry);
        port->bench->step(port->bench->context);
    }
    reduction_script_run(script);
    reduction_port_wait_initialised(port);
    wait_freed(scene, script->grant_count, LATENCY_MAX);
}

/* FLUSH in every cycle around that in which the group becomes free, by its result and by its release: refused, then not. */
void scenario_flush_order(struct scene *scene)
{
    enum { WHEN = 32 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    for (unsigned releases = 0; releases <= port->config.with_release && port->has_groups; releases++) {
        const uint64_t in_use = port->check.flushes_in_use, empty = port->check.flushes_empty;
        for (unsigned delay = 0; delay <= WHEN; delay++) {
            const struct moehub_reduction_reserve request = scene_request(scene, 1, 2);
            script->holds_releases = releases != 0;
            const struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
            reduction_port_hold_results(port, releases == 0);
            scene_add_answers(scene, &request, &grant);
            reduction_script_run(script);
            bench_run(port->bench, LATENCY_MAX);
            flush_around(scene, delay, WHEN, releases != 0);
        }
        scene_expect(scene, "some refused, some not", true,
                     port->check.flushes_in_use > in_use && port->check.flushes_empty > empty);
    }
    script->holds_releases = false;
}
