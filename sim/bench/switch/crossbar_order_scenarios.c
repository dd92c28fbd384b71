/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios about what leaves: every length, every list, full stores, resets in the middle. */
#include "bench/switch/crossbar_scene.h"

enum { UNITS_MAX = 8 };

/* Every length of payload, from every input to every output: alone, and to all at once. */
void scenario_lengths(struct crossbar_scene *scene)
{
    for (unsigned units = 1; units <= UNITS_MAX; units++)
        for (unsigned input = 0; input < scene->kind.ports; input++) {
            for (unsigned output = 0; output < scene->kind.ports; output++)
                crossbar_scene_add(scene, input, UINT64_C(1) << output, 1, units);
            crossbar_scene_add(scene, input, UINT64_MAX, 1, units);
        }
    crossbar_scene_finish(scene, 0);
}

/* Every number of ids, all of one GPU: copies of one to eleven records and both formats. */
void scenario_lists(struct crossbar_scene *scene)
{
    for (unsigned ids = 1; ids <= scene->kind.max_targets; ids++) {
        for (unsigned input = 0; input < scene->kind.ports; input++)
            crossbar_scene_add(scene, input, UINT64_C(1) << (input + ids) % scene->kind.ports, ids, UNITS_MAX);
        for (unsigned input = 0; input < scene->kind.ports; input++)
            crossbar_scene_add(scene, input, UINT64_MAX, ids, 1);
    }
    crossbar_scene_finish(scene, 0);
}

/* Packets for everyone while nobody takes any, until no input can send one more. */
static void fill_stores(struct crossbar_scene *scene)
{
    crossbar_outputs_hold(&scene->run->outputs, UINT64_MAX);
    for (unsigned input = 0; input < scene->kind.ports; input++)
        for (unsigned i = 0; i < scene->capacity; i++)
            crossbar_scene_add(scene, input, UINT64_C(1) << i % scene->kind.ports | UINT64_C(1) << (i / 3) % scene->kind.ports |
                               UINT64_C(1) << (input + 1) % scene->kind.ports, 1 + i % 4, 1 + i % UNITS_MAX);
    crossbar_scene_start(scene);
    crossbar_run_until_still(scene->run);
    crossbar_scene_cut(scene);
    for (unsigned input = 0; input < scene->kind.ports; input++)
        crossbar_scene_expect_most(scene, "free places of an input that can send no more", scene->run->config.longest,
                                   scene->run->inputs.ports[input].places);
}

void scenario_full_stores(struct crossbar_scene *scene)
{
    fill_stores(scene);
    crossbar_outputs_hold(&scene->run->outputs, 0);
    crossbar_scene_finish(scene, 0);
}

void scenario_reset_when_full(struct crossbar_scene *scene)
{
    fill_stores(scene);
    crossbar_scene_reset(scene);
    scenario_lengths(scene);
}

/* The reset comes one cycle later each time: in every cycle of a copy's way. */
void scenario_reset_in_copy(struct crossbar_scene *scene)
{
    enum { WAY = 40 };
    for (unsigned cycles = 1; cycles < WAY; cycles++) {
        for (unsigned input = 0; input < scene->kind.ports; input++)
            crossbar_scene_add(scene, input, UINT64_MAX, 4, UNITS_MAX);
        crossbar_scene_start(scene);
        bench_run(scene->run->bench, cycles);
        crossbar_scene_reset(scene);
        for (unsigned input = 0; input < scene->kind.ports; input++)
            crossbar_scene_add(scene, input, UINT64_MAX, 1, 1);
        crossbar_scene_finish(scene, 0);
    }
}
