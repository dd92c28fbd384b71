/* SPDX-License-Identifier: Apache-2.0 */
/* Reservations: order of the entries, refusals, a full buffer, generations. */
#include "bench/switch/reduction_scene.h"

#include "bench/switch/reduction_config.h"

/* Entries are granted 0, 1, 2 ... with generation 0 after reset, then in the order in which they came back. */
void scenario_grant_order(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    const uint32_t groups = scene->groups;
    struct moehub_reduction_reserve request = scene_request(scene, 1, 2);
    for (uint32_t i = 0; i < groups; i++) {
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        scene_expect(scene, "entry", i * scene->lines, grant.entry);
        scene_expect(scene, "generation", 0, grant.generation);
    }
    for (uint32_t i = 0; i < groups; i++) {
        struct moehub_reduction_grant grant = {.entry = (uint16_t)((groups - 1 - i) * scene->lines)};
        scene_add_answers(scene, &request, &grant);
        reduction_script_wait_results(script, i, scene->latency);
        reduction_script_run(script);
        reduction_script_wait_results(script, i + 1, scene->latency);
    }
    struct moehub_reduction_grant again = reduction_script_reserve(script, &request);
    scene_expect(scene, "first entry to come back", (groups - 1) * scene->lines, again.entry);
    scene_expect(scene, "its generation", 1, again.generation);
    scene_add_answers(scene, &request, &again);
    reduction_script_run(script);
}

/* Each refusal, alone and several at once: the first in the order of the specification decides. */
void scenario_refusals(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    const struct moehub_reduction_buffer_config *config = &scene->port->config;
    struct moehub_reduction_reserve good = reduction_script_request(script, scene->everyone, 2);
    struct moehub_reduction_reserve bad = good;
    bad.contributors = 0;
    scene_expect(scene, "empty set", MOEHUB_STATUS_CONTRIBUTORS, reduction_script_reserve(script, &bad).status);
    bad.contributors = (uint64_t)1 << config->own_port;
    scene_expect(scene, "own port", MOEHUB_STATUS_CONTRIBUTORS, reduction_script_reserve(script, &bad).status);
    bad.element = MOEHUB_ELEMENT_BYTES;
    bad.length = 0;
    scene_expect(scene, "own port, type and length", MOEHUB_STATUS_CONTRIBUTORS, reduction_script_reserve(script, &bad).status);
    bad.contributors = good.contributors;
    scene_expect(scene, "type and length", MOEHUB_STATUS_TYPE, reduction_script_reserve(script, &bad).status);
    bad.element = MOEHUB_ELEMENT_FP16;
    scene_expect(scene, "length 0", MOEHUB_STATUS_LENGTH, reduction_script_reserve(script, &bad).status);
    bad.length = 3;
    scene_expect(scene, "odd length", MOEHUB_STATUS_LENGTH, reduction_script_reserve(script, &bad).status);
    bad.length = (uint16_t)(config->payload_bytes + 2);
    scene_expect(scene, "too long", MOEHUB_STATUS_LENGTH, reduction_script_reserve(script, &bad).status);
    bad.element = MOEHUB_ELEMENT_FP32;
    bad.length = 2;
    scene_expect(scene, "fp32", config->with_fp32 ? MOEHUB_STATUS_LENGTH : MOEHUB_STATUS_TYPE,
           reduction_script_reserve(script, &bad).status);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_DRAIN, 0);
    bad.contributors = 0;
    scene_expect(scene, "while draining", MOEHUB_STATUS_DRAINING, reduction_script_reserve(script, &bad).status);
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_DRAINING, 1);
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_CONTRIBUTORS, 3);
    scene_expect(scene, "occupancy", 0, pin_get(scene->port->occupancy));
}

/* More ports than MAX_CONTRIBUTORS. */
void scenario_too_many_ports(struct scene *scene)
{
    const struct moehub_reduction_buffer_config *config = &scene->port->config;
    if (config->max_contributors >= config->ports - 1)
        return; /* no such set */
    const uint64_t all = config->ports == 64 ? UINT64_MAX : ((uint64_t)1 << config->ports) - 1;
    const uint64_t others = all & ~((uint64_t)1 << config->own_port);
    struct moehub_reduction_reserve request =
        reduction_script_request(&scene->script, scene_lowest_ports(others, config->max_contributors + 1), 2);
    scene_expect(scene, "one port too many", MOEHUB_STATUS_CONTRIBUTORS,
                 reduction_script_reserve(&scene->script, &request).status);
}

/* All entries taken: nothing more is accepted, not even what would be refused, until one comes back. */
void scenario_buffer_full(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
    scene_reserve_all(scene, &request);
    struct moehub_reduction_reserve bad = request;
    bad.length = 0;
    reduction_script_add_reserve(script, &bad);
    bench_run(port->bench, LATENCY_MAX);
    scene_expect(scene, "requests accepted", scene->groups, scene_counted(scene, MOEHUB_REDUCTION_EVENT_REQUESTS));
    scene_expect(scene, "occupancy", port->config.entries, pin_get(port->occupancy));
    for (uint32_t i = 0; i < scene->groups; i++)
        scene_add_answers(scene, &request, &script->grants[i]);
    reduction_script_run(script);
    reduction_script_wait_results(script, scene->groups, scene->latency);
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_LENGTH, 1);
}

/* Nobody takes a grant. As many reservations as grants have places are accepted, also when they come one by one. */
void scenario_grants_held(struct scene *scene)
{
    enum { PLACES = 10, MORE = 2, APART = 12 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (scene->groups < PLACES + MORE)
        return;
    struct moehub_reduction_reserve request = scene_request(scene, 1, 2);
    reduction_port_hold_grants(port, true);
    for (unsigned i = 0; i < PLACES + MORE; i++) {
        reduction_script_add_reserve(script, &request);
        bench_run(port->bench, APART);
    }
    scene_expect(scene, "requests accepted", PLACES, scene_counted(scene, MOEHUB_REDUCTION_EVENT_REQUESTS));
    reduction_port_hold_grants(port, false);
    reduction_script_run(script);
    for (unsigned i = 0; i < PLACES + MORE; i++)
        scene_add_answers(scene, &request, &script->grants[i]);
    reduction_script_run(script);
    reduction_script_wait_results(script, PLACES + MORE, scene->latency);
}

/* An entry is used more often than generations exist; each use is followed by a late copy of its only partial. */
void scenario_generation_wrap(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    unsigned generations = 1u << scene->port->config.generation_width;
    uint64_t uses = (uint64_t)scene->groups * (generations + 1);
    if (uses > 2000)
        uses = 2000;
    struct moehub_reduction_reserve request = scene_request(scene, 1, 2);
    for (uint64_t use = 0; use < uses; use++) {
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        scene_expect(scene, "generation", use / scene->groups % generations, grant.generation);
        scene_add_answers(scene, &request, &grant);
        scene_add_answers(scene, &request, &grant); /* late */
        reduction_script_run(script);
        reduction_script_wait_results(script, use + 1, scene->latency);
    }
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_STALE, uses);
}
