/* SPDX-License-Identifier: Apache-2.0 */
/* Partials: their causes and failures, framing, sums that cancel, packets back to back. */
#include "bench/switch/reduction_scene.h"

#include "bench/switch/reduction_config.h"

/* Every cause of a partial, one packet each. */
void scenario_partial_causes(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    const struct moehub_reduction_partial right = scene_first_answer(scene, &request, &grant);

    struct moehub_reduction_partial wrong = right;
    wrong.entry = (uint16_t)scene->port->config.entries;
    reduction_script_send(script, &wrong);
    wrong = right;
    wrong.generation++;
    reduction_script_send(script, &wrong);
    wrong = right;
    wrong.port = (uint8_t)scene->port->config.own_port;
    reduction_script_send(script, &wrong);
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_ENTRY, 1);
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_STALE, 1);
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_FOREIGN, 1);
    reduction_script_send(script, &right);
    reduction_script_send(script, &right); /* a duplicate, or late when it was the only port */
    bool only = (request.contributors & (request.contributors - 1)) == 0;
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_DUPLICATE, only ? 0 : 1);
    scene_expect_cause(scene, MOEHUB_REDUCTION_CAUSE_STALE, only ? 2 : 1);
    request.contributors &= request.contributors - 1;
    scene_add_answers(scene, &request, &grant);
    reduction_script_run(script);
    reduction_script_wait_results(script, 1, scene->latency);
    scene_expect(scene, "status of the result", MOEHUB_STATUS_OK, script->last_status);
}

/* One entry whose ports fail with `first`, then `second`, and are right from the third on. */
static void fail_twice(struct scene *scene, unsigned first, unsigned second, unsigned expected)
{
    struct reduction_script *script = &scene->script;
    struct moehub_reduction_reserve request = scene_request(scene, 3, scene->longest);
    struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
    uint64_t before = script->results;
    unsigned number = 0;
    for (uint64_t set = request.contributors; set != 0; set &= set - 1, number++) {
        struct moehub_reduction_partial packet =
            reduction_script_answer(script, &request, &grant, (unsigned)__builtin_ctzll(set));
        if (number < 2)
            scene_spoil(&packet, number == 0 ? first : second);
        reduction_script_send(script, &packet);
    }
    reduction_script_wait_results(script, before + 1, scene->latency);
    scene_expect(scene, "status of the result", expected, script->last_status);
}

/* Failures PARTIAL < TYPE < LENGTH, whatever the order of arrival. */
void scenario_smallest_failure(struct scene *scene)
{
    static const unsigned ranked[] = {MOEHUB_STATUS_PARTIAL, MOEHUB_STATUS_TYPE, MOEHUB_STATUS_LENGTH};
    bool alone = reduction_config_contributors(&scene->port->config) == 1;
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 3; b++)
            fail_twice(scene, ranked[a], ranked[b], ranked[alone || a < b ? a : b]);
}

/* The last flit comes early and late: one LENGTH error each, and the next packet is understood. */
void scenario_framing(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    uint64_t results = 0;
    for (int extra = -1; extra <= (int)REDUCTION_EXTRA_FLITS; extra++) {
        struct moehub_reduction_reserve request = scene_request(scene, 1, scene->longest);
        struct moehub_reduction_grant grant = reduction_script_reserve(script, &request);
        struct moehub_reduction_partial packet = scene_first_answer(scene, &request, &grant);
        unsigned right = packet.flits;
        packet.flits = (uint32_t)((int)right + extra);
        if (packet.flits == 0)
            packet.flits = right;
        reduction_script_send(script, &packet);
        reduction_script_wait_results(script, ++results, scene->latency);
        scene_expect(scene, "status of the result", packet.flits == right ? MOEHUB_STATUS_OK : MOEHUB_STATUS_LENGTH,
                     script->last_status);
    }
}

/* Two values that cancel, or nearly, and a third so far below that its bits are anywhere in the sum: number `low_comes` of the
 * three to be added. */
static void cancel_sums(struct scene *scene, const struct moehub_reduction_reserve *request, unsigned low_comes)
{
    enum { HIGHEST = 160, PHASES = 16, DISTANCES = 64, FRACTION = 7, SIGN = 1 << 15, EVERY = 7 };
    struct reduction_script *script = &scene->script;
    const uint64_t before = script->results;
    uint16_t elements[3];
    uint16_t *const opposite = &elements[low_comes == 1 ? 2 : 1], *const third = &elements[low_comes];
    script->elements = elements;
    script->element_count = 3;
    for (unsigned i = 0; i < PHASES * DISTANCES; i++) {
        const unsigned high = HIGHEST - i % PHASES, low = high - i / PHASES;
        const uint64_t bits = random_next(&script->random);
        elements[0] = (uint16_t)(high << FRACTION | (bits & 127));
        *opposite = (uint16_t)(elements[0] ^ SIGN ^ (i % EVERY == 0));
        *third = (uint16_t)((bits >> 8 & 1) << 15 | low << FRACTION | (bits >> 9 & 1 ? bits >> 10 & 127 : 0));
        struct moehub_reduction_grant grant = reduction_script_reserve(script, request);
        scene_add_answers(scene, request, &grant);
        reduction_script_run(script);
    }
    reduction_script_wait_results(script, before + PHASES * DISTANCES, scene->latency);
    script->elements = NULL;
}

/* Every number of leading zeros and every carry, in all lanes at once. Then in packets of two or three flits, whose sums are
 * still on their way when the next packet wants them: the third value comes between the two, and the result has all its bits. */
void scenario_cancelling_sums(struct scene *scene)
{
    enum { ADDENDS = 3, LAST = 2, BETWEEN = 1, UNDER_WAY = 3 };
    const struct moehub_reduction_buffer_config *config = &scene->port->config;
    struct moehub_reduction_reserve request = scene_request(scene, ADDENDS, 2);
    if (__builtin_popcountll(request.contributors) < ADDENDS || config->entries > 20)
        return;
    request.length = (uint16_t)(config->payload_bytes < config->flit_bytes ? scene->longest : config->flit_bytes);
    cancel_sums(scene, &request, LAST);
    request.length = (uint16_t)scene->longest;
    request.out_fp32 = true;
    const unsigned flits = reduction_config_flits(config, scene->longest);
    if (flits > 1 && flits <= UNDER_WAY)
        cancel_sums(scene, &request, BETWEEN);
}

/* Packets of one flit, back to back into the same entry: the state of one word is read, changed and written every cycle. */
void scenario_one_flit_back_to_back(struct scene *scene)
{
    struct reduction_script *script = &scene->script;
    struct reduction_port *port = scene->port;
    const unsigned length = port->config.flit_bytes < scene->longest ? port->config.flit_bytes : scene->longest;
    struct moehub_reduction_reserve request = reduction_script_request(script, scene->everyone, length);
    scene_reserve_all(scene, &request);
    for (uint32_t i = 0; i < scene->groups; i++)
        scene_add_answers(scene, &request, &script->grants[i]);
    uint64_t packets = (uint64_t)scene->groups * (uint64_t)__builtin_popcountll(request.contributors);
    uint64_t before = port->partial_flits;
    bench_run(port->bench, packets);
    scene_expect(scene, "packets in as many cycles", packets, port->partial_flits - before);
    reduction_script_wait_results(script, scene->groups, scene->latency);
    scene_expect(scene, "status of the result", MOEHUB_STATUS_OK, script->last_status);
}
