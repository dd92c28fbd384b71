/* SPDX-License-Identifier: Apache-2.0 */
/* rst in the middle of things: nothing of before is left, whatever the cycle. */
#include "bench/switch/reduction_scene.h"

#include "bench/switch/reduction_config.h"

/* After a reset the first result is an error: it passes nothing and nothing passes it. */
static void error_alone(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    scene_expect(scene, "entry after reset", 0, grant.entry);
    scene_expect(scene, "generation after reset", 0, grant.generation);
    struct moehub_reduction_partial packet = scene_first_answer(scene, &request, &grant);
    scene_spoil(&packet, MOEHUB_STATUS_PARTIAL);
    reduction_script_send(script, &packet);
    reduction_script_wait_results(script, 1, scene->latency);
    scene_expect(scene, "status of the result", MOEHUB_STATUS_PARTIAL, script->last_status);
    scene_settle(scene);
}

/* In every cycle of a packet that passes straight to the result. */
void scenario_reset_in_packet(struct scene *scene)
{
    enum { AFTER = 24 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const unsigned flits = reduction_config_flits(&port->config, scene->longest);
    for (unsigned delay = 0; delay < flits + AFTER; delay++) {
        struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        const uint64_t before = port->partial_flits;
        scene_add_answers(scene, &request, &grant);
        while (port->partial_flits == before)
            port->bench->step(port->bench->context);
        bench_run(port->bench, delay);
        reduction_port_reset(port, 1);
        reduction_port_wait_initialised(port);
        error_alone(scene);
    }
}

/* While every entry is used, and results fill their queue and wait behind it. */
void scenario_reset_when_full(struct scene *scene)
{
    enum { ROUNDS = 12 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const uint32_t groups = scene->groups;
    const unsigned flits = reduction_config_flits(&port->config, scene->longest);
    for (unsigned round = 0; round < ROUNDS && groups <= 512; round++) {
        struct moehub_reduction_reserve request = scene_request(scene, 2, scene->longest);
        scene_reserve_all(scene, &request);
        reduction_port_hold_results(port, round % 4 != 0);
        for (uint32_t i = 0; i < groups; i++)
            scene_add_answers(scene, &request, &script->grants[i]);
        bench_run(port->bench, random_below(&script->random, 2 * (uint64_t)groups * flits + LATENCY_MAX));
        reduction_port_hold_results(port, false);
        reduction_port_reset(port, 1 + round % 3);
        reduction_port_wait_initialised(port);
        scene_expect(scene, "empty", true, pin_get(port->empty));
        error_alone(scene);
    }
}
