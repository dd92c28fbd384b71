/* SPDX-License-Identifier: Apache-2.0 */
/* Results: those that wait, keep up, are dropped, or are passed. */
#include "bench/switch/reduction_scene.h"

#include "bench/switch/reduction_config.h"

/* The taker stalls while every entry becomes complete; then all results leave without a bubble. */
void scenario_stalled_results(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene_lowest_ports(scene->everyone, 3), scene->longest);
    scene_reserve_all(scene, &request);
    reduction_port_hold_results(port, true);
    for (uint32_t i = 0; i < port->config.entries; i++)
        scene_add_answers(scene, &request, &script->grants[i]);
    reduction_script_run(script);
    bench_run(port->bench, 2 * LATENCY_MAX);
    scene_expect(scene, "results", 0, script->results);
    scene_expect(scene, "occupancy", port->config.entries, pin_get(port->occupancy));
    reduction_port_hold_results(port, false);
    uint64_t flits = (uint64_t)port->config.entries * reduction_config_flits(&port->config, scene->longest);
    uint64_t before = port->result_flits;
    bench_run(port->bench, flits);
    scene_expect(scene, "result flits in as many cycles", flits, port->result_flits - before);
    scene_settle(scene);
    const uint64_t queue_rows = 2 * (uint64_t)reduction_config_flits(&port->config, port->config.payload_bytes) + 24;
    if (flits > queue_rows) /* rtl/doc/reduction_buffer.md section 8 */
        scene_expect(scene, "some results were deferred", true, scene_counted(scene, MOEHUB_REDUCTION_EVENT_DEFERRED) > 0);
}

/* One port, one entry after the other: as many result flits as partial flits, in as many cycles. */
void scenario_results_keep_up(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene_lowest_ports(scene->everyone, 1), scene->longest);
    scene_reserve_all(scene, &request);
    for (uint32_t i = 0; i < port->config.entries; i++)
        scene_add_answers(scene, &request, &script->grants[i]);
    unsigned packet = reduction_config_flits(&port->config, scene->longest); /* good or not: known at its last flit */
    uint64_t flits = (uint64_t)port->config.entries * packet;
    uint64_t bubbles = port->result_bubbles;
    uint64_t start = port->bench->cycle;
    while (port->result_flits == 0 || script->results == 0)
        port->bench->step(port->bench->context);
    reduction_script_wait_results(script, port->config.entries, flits + scene->latency);
    scene_expect(scene, "bubbles inside results", bubbles, port->result_bubbles);
    scene_expect(scene, "finished in time", true, port->bench->cycle - start <= flits + packet + LATENCY_MAX / 2);
}

/* A result turns out bad at its last flit, and its rows leave the queue's count, while an older one leaves: whatever the cycle. */
void scenario_dropped_while_leaving(struct scene *scene)
{
    enum { PACKETS = 4, BAD = 2 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (port->config.entries < PACKETS)
        return;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene_lowest_ports(scene->everyone, 1), scene->longest);
    const unsigned flits = reduction_config_flits(&port->config, scene->longest);
    for (unsigned delay = 0; delay < 2 * PACKETS * flits; delay++) {
        const uint64_t before = script->results;
        struct moehub_reduction_grant grants[PACKETS];
        reduction_port_hold_results(port, true);
        for (unsigned i = 0; i < PACKETS; i++)
            grants[i] = reduction_script_reserve(script, &request);
        for (unsigned i = 0; i < PACKETS; i++) {
            struct moehub_reduction_partial packet = scene_first_answer(scene, &request, &grants[i]);
            packet.flits += i == BAD;
            reduction_script_add_packet(script, &packet);
        }
        bench_run(port->bench, delay);
        reduction_port_hold_results(port, false);
        reduction_script_run(script);
        reduction_script_wait_results(script, before + PACKETS, PACKETS * (flits + scene->latency));
    }
}

/* An error waits while results pass without a gap: it leaves after 15 of them, and those that were on their way by then. */
void scenario_patience(struct scene *scene)
{
    enum { PATIENCE = 15, ON_THEIR_WAY = 5 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (port->config.entries < PATIENCE + 2)
        return;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene_lowest_ports(scene->everyone, 1), scene->longest);
    scene_reserve_all(scene, &request);
    struct moehub_reduction_partial bad = scene_first_answer(scene, &request, &script->grants[0]);
    scene_spoil(&bad, MOEHUB_STATUS_PARTIAL);
    reduction_script_add_packet(script, &bad);
    for (uint32_t i = 1; i < port->config.entries; i++)
        scene_add_answers(scene, &request, &script->grants[i]);
    script->last_status = MOEHUB_STATUS_OK;
    while (script->last_status == MOEHUB_STATUS_OK && script->results < port->config.entries)
        port->bench->step(port->bench->context);
    const uint64_t passed = script->results - 1;
    scene_expect(scene, "status of the one that waited", MOEHUB_STATUS_PARTIAL, script->last_status);
    scene_expect(scene, "15 results before it, or few more", true, passed >= PATIENCE && passed <= PATIENCE + ON_THEIR_WAY);
    reduction_script_run(script);
    reduction_script_wait_results(script, port->config.entries, scene->latency);
}
