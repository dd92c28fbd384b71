/* SPDX-License-Identifier: Apache-2.0 */
/* Results: those that wait, keep up, are dropped, or are passed. */
#include "bench/switch/reduction_scene.h"

#include "bench/switch/reduction_config.h"

/* Rows of the longest results that the queue holds: rtl/doc/reduction_buffer.md section 8. */
static unsigned queue_rows(const struct reduction_port *port)
{
    return 2 * reduction_config_flits(&port->config, port->config.payload_bytes) + 24;
}

/* The taker stalls while every entry becomes complete; then all results leave without a bubble. */
void scenario_stalled_results(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = scene_request(scene, 3, scene->longest);
    scene_reserve_all(scene, &request);
    reduction_port_hold_results(port, true);
    for (uint32_t i = 0; i < scene->groups; i++)
        scene_add_answers(scene, &request, &script->grants[i]);
    reduction_script_run(script);
    bench_run(port->bench, 2 * LATENCY_MAX);
    scene_expect(scene, "results", 0, script->results);
    scene_expect(scene, "occupancy", port->config.entries, pin_get(port->occupancy));
    reduction_port_hold_results(port, false);
    uint64_t flits = (uint64_t)scene->groups * reduction_config_flits(&port->config, scene->longest);
    uint64_t before = port->result_flits;
    bench_run(port->bench, flits);
    scene_expect(scene, "result flits in as many cycles", flits, port->result_flits - before);
    scene_settle(scene);
    if (flits > queue_rows(port))
        scene_expect(scene, "some results were deferred", true, scene_counted(scene, MOEHUB_REDUCTION_EVENT_DEFERRED) > 0);
}

/* One port, one entry after the other: as many result flits as partial flits, in as many cycles. */
void scenario_results_keep_up(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
    scene_reserve_all(scene, &request);
    for (uint32_t i = 0; i < scene->groups; i++)
        scene_add_answers(scene, &request, &script->grants[i]);
    unsigned packet = reduction_config_flits(&port->config, scene->longest); /* good or not: known at its last flit */
    uint64_t flits = (uint64_t)scene->groups * packet;
    uint64_t bubbles = port->result_bubbles;
    uint64_t start = port->bench->cycle;
    while (port->result_flits == 0 || script->results == 0)
        port->bench->step(port->bench->context);
    reduction_script_wait_results(script, scene->groups, flits + scene->latency);
    scene_expect(scene, "bubbles inside results", bubbles, port->result_bubbles);
    scene_expect(scene, "finished in time", true, port->bench->cycle - start <= flits + packet + LATENCY_MAX / 2);
}

/* A result turns out bad at its last flit, and its rows leave the queue's count, while an older one leaves: whatever
 * the cycle. */
void scenario_dropped_while_leaving(struct scene *scene)
{
    enum { PACKETS = 4, BAD = 2 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (scene->groups < PACKETS)
        return;
    struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
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

/* The partials of all grants from number `answered` on. */
static void answer_grants(struct scene *scene, const struct moehub_reduction_reserve *request, uint64_t *answered)
{
    for (; *answered < scene->script.grant_count; (*answered)++)
        scene_add_answers(scene, request, &scene->script.grants[*answered]);
}

/* An error waits while results pass without a gap: it leaves after 15 of them, and those that were on their way by then. */
void scenario_patience(struct scene *scene)
{
    enum { PATIENCE = 15, ON_THEIR_WAY = 5, AGAIN = 16 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    if (scene->groups < PATIENCE + 2)
        return;
    struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
    scene_reserve_all(scene, &request);
    struct moehub_reduction_partial bad = scene_first_answer(scene, &request, &script->grants[0]);
    scene_spoil(&bad, MOEHUB_STATUS_PARTIAL);
    reduction_script_add_packet(script, &bad);
    for (unsigned i = 0; i < AGAIN; i++) /* for the groups that come back: the stream goes on */
        reduction_script_add_reserve(script, &request);
    script->last_status = MOEHUB_STATUS_OK;
    uint64_t answered = 1;
    while (script->last_status == MOEHUB_STATUS_OK && script->results < scene->groups + AGAIN) {
        answer_grants(scene, &request, &answered);
        port->bench->step(port->bench->context);
    }
    const uint64_t passed = script->results - 1;
    scene_expect(scene, "status of the one that waited", MOEHUB_STATUS_PARTIAL, script->last_status);
    scene_expect(scene, "15 results before it, or few more", true, passed >= PATIENCE && passed <= PATIENCE + ON_THEIR_WAY);
    while (answered < scene->groups + AGAIN) {
        answer_grants(scene, &request, &answered);
        port->bench->step(port->bench->context);
    }
    reduction_script_run(script);
    reduction_script_wait_results(script, scene->groups + AGAIN, scene->latency);
}

/* Results that turn out bad at their last flit, one after the other: each gives its rows' places in the queue back. */
void scenario_places_given_back(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
    const unsigned flits = reduction_config_flits(&scene->port->config, scene->longest);
    for (unsigned dropped = 0, results = 0; dropped < 2 * queue_rows(scene->port); dropped += flits) {
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        struct moehub_reduction_partial packet = scene_first_answer(scene, &request, &grant);
        scene_spoil(&packet, MOEHUB_STATUS_LENGTH);
        reduction_script_send(script, &packet);
        reduction_script_wait_results(script, ++results, scene->latency);
        scene_expect(scene, "status of the result", MOEHUB_STATUS_LENGTH, script->last_status);
    }
}

/* Timed-out entries and others that wait take turns, whichever are more. */
void scenario_turns(struct scene *scene)
{
    enum { EACH = 12, AHEAD = 2 };
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const unsigned flits = reduction_config_flits(&port->config, scene->longest);
    const unsigned full = queue_rows(port) / flits + EACH; /* so many fill the queue, and EACH wait behind it */
    if (scene->groups < full + EACH)
        return;
    struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
    for (unsigned i = 0; i < full + EACH; i++)
        reduction_script_reserve(script, &request);
    reduction_port_hold_results(port, true);
    for (unsigned i = 0; i < full; i++)
        scene_add_answers(scene, &request, &script->grants[i]);
    reduction_script_run(script);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 1);
    bench_run(port->bench, 2 * (uint64_t)port->config.entries + 2 * LATENCY_MAX);
    scene_expect(scene, "timeouts", EACH, script->timeouts);
    reduction_port_hold_results(port, false);
    unsigned late = 0, others = 0;
    for (unsigned i = 1; i <= full + EACH; i++) {
        reduction_script_wait_results(script, i, scene->latency);
        if (script->last_status == MOEHUB_STATUS_TIMEOUT)
            late++;
        else
            others += late > 0;
        scene_expect(scene, "timed-out entries before the others' turn", 0, late > others + AHEAD && others < EACH - AHEAD);
        scene_expect(scene, "others before the timed-out entries' turn", 0,
                     late > 0 && others > late + AHEAD && late < EACH - AHEAD);
    }
    scene_expect(scene, "results of timed-out entries", EACH, late);
}

/* With nothing in its way a result passes: the queue has all its places, and no result of before counts. */
void scene_probe(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    const uint64_t results = script->results;
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_RESUME, 0);
    reduction_script_command(script, MOEHUB_REDUCTION_COMMAND_TIMEOUT_SET, 0);
    scene_settle(scene);
    const uint64_t deferred = scene_counted(scene, MOEHUB_REDUCTION_EVENT_DEFERRED);
    struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    scene_add_answers(scene, &request, &grant);
    reduction_script_run(script);
    reduction_script_wait_results(script, results + 1, scene->latency);
    scene_settle(scene);
    scene_expect(scene, "status of a result with nothing in its way", MOEHUB_STATUS_OK, script->last_status);
    scene_expect(scene, "results deferred with nothing in their way", deferred,
                 scene_counted(scene, MOEHUB_REDUCTION_EVENT_DEFERRED));
}
