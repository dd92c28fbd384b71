/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/reduction_scene.h"

#include <inttypes.h>

void scene_expect(struct scene *scene, const char *what, uint64_t expected, uint64_t got)
{
    struct bench *bench = scene->port->bench;
    if (expected != got)
        bench_fail(bench, BENCH_MISMATCH, "scenario %s: %s expected %" PRIu64 ", got %" PRIu64, scene->name, what, expected, got);
    bench->compared++;
}

uint64_t scene_counted(const struct scene *scene, unsigned event)
{
    return scene->port->check.counted[event];
}

void scene_expect_cause(struct scene *scene, unsigned cause, uint64_t count)
{
    bench_run(scene->port->bench, LATENCY_MAX);
    scene_expect(scene, "count of the cause", count, scene_counted(scene, MOEHUB_REDUCTION_EVENT_CAUSES + cause));
}

void scene_settle(struct scene *scene)
{
    reduction_port_settle(scene->port, 100000);
}

uint64_t scene_lowest_ports(uint64_t set, unsigned count)
{
    uint64_t lowest = 0;
    for (; count > 0 && set != 0; count--, set &= set - 1)
        lowest |= set & -set;
    return lowest;
}

struct moehub_reduction_reserve scene_request(const struct scene *scene, unsigned ports, unsigned length)
{
    return reduction_script_request(&scene->script, scene_lowest_ports(scene->everyone, ports), length);
}

void scene_add_answers(struct scene *scene, const struct moehub_reduction_reserve *request,
                       const struct moehub_reduction_grant *grant)
{
    for (uint64_t set = request->contributors; set != 0; set &= set - 1) {
        struct moehub_reduction_partial packet =
            reduction_script_answer(&scene->script, request, grant, (unsigned)__builtin_ctzll(set));
        reduction_script_add_packet(&scene->script, &packet);
    }
}

struct moehub_reduction_partial scene_first_answer(const struct scene *scene, const struct moehub_reduction_reserve *request,
                                                    const struct moehub_reduction_grant *grant)
{
    return reduction_script_answer(&scene->script, request, grant, (unsigned)__builtin_ctzll(request->contributors));
}

void scene_reserve_all(struct scene *scene, const struct moehub_reduction_reserve *request)
{
    for (uint32_t i = 0; i < scene->groups; i++)
        reduction_script_reserve(&scene->script, request);
}

void scene_spoil(struct moehub_reduction_partial *packet, unsigned status)
{
    if (status == MOEHUB_STATUS_PARTIAL)
        packet->status = MOEHUB_STATUS_MEMORY;
    else if (status == MOEHUB_STATUS_TYPE)
        packet->element = MOEHUB_ELEMENT_FP16;
    else
        packet->flits++;
}
