/* SPDX-License-Identifier: Apache-2.0 */
/* DRAIN, RESUME and FLUSH. */
#include "bench/switch/reduction_scene.h"

#include "bench/switch/reduction_config.h"

/* Drain and flush. */
void scenario_drain_and_flush(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    scene_expect(scene, "flush refused", true, reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_FLUSH, 0));
    scene_expect(scene, "drain refused", false, reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_DRAIN, 0));
    if (scene->groups > 1) /* with none free even a refusal waits */
        scene_expect(scene, "reserve while draining", MOEHUB_STATUS_DRAINING, reduction_script_reserve(script, &request).status);
    scene_add_answers(scene, &request, &grant);
    reduction_script_run(script);
    scene_settle(scene);
    scene_expect(scene, "empty", true, pin_get(port->empty));
    scene_expect(scene, "flush refused", false, reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_FLUSH, 0));
    reduction_port_wait_initialised(port);
    scene_expect(scene, "reserve after flush, still draining", MOEHUB_STATUS_DRAINING,
                 reduction_script_reserve(script, &request).status);
    scene_expect(scene, "resume refused", false, reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_RESUME, 0));
    scene_expect(scene, "unknown command refused", true, reduction_script_command(script, 9, 0));
    grant = reduction_script_reserve(script, &request);
    scene_expect(scene, "entry after flush", 0, grant.entry);
    scene_expect(scene, "generation after flush", 1, grant.generation);
    scene_add_answers(scene, &request, &grant);
    reduction_script_run(script);
}

/* FLUSH of the empty buffer while a late packet is half in: its rest is consumed and the next packet understood. */
void scenario_flush_in_packet(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    struct moehub_reduction_partial late = scene_first_answer(scene, &request, &grant);
    reduction_script_send(script, &late);
    scene_settle(scene);
    late.flits += 1; /* two at least */
    reduction_script_add_packet(script, &late);
    while (port->flits_sent == 0)
        port->bench->step(port->bench->context);
    reduction_port_hold_partials(port, true);
    const uint64_t flushes = port->check.flushes_empty;
    reduction_script_add_command(script, MOEHUB_REDUCTION_COMMAND_FLUSH, 0);
    for (unsigned cycle = 0; cycle < 2 * LATENCY_MAX && port->check.flushes_empty == flushes; cycle++)
        port->bench->step(port->bench->context);
    scene_expect(scene, "flushes with a packet half in", flushes + 1, port->check.flushes_empty);
    bench_run(port->bench, LATENCY_MAX);
    scene_expect(scene, "rest of the packet still to come", true, port->flits_sent > 0);
    reduction_port_hold_partials(port, false);
    reduction_script_run(script);
    reduction_port_wait_initialised(port);
    grant = reduction_script_reserve(script, &request);
    scene_expect(scene, "entry after flush", 0, grant.entry);
    scene_add_answers(scene, &request, &grant);
    reduction_script_run(script);
    reduction_script_wait_results(script, 2, scene->latency);
    scene_expect(scene, "status of the result", MOEHUB_STATUS_OK, script->last_status);
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_STALE, 1);
}
