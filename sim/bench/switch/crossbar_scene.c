/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/switch/crossbar_scene.h"

#include "kit/allocate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(struct crossbar_scene *);
} scenarios[] = {
    {"idle-latency", scenario_idle_latency},     {"lengths", scenario_lengths},
    {"lists", scenario_lists},                   {"no-gap", scenario_no_gap},
    {"stalled-output", scenario_stalled_output}, {"full-stores", scenario_full_stores},
    {"reset-when-full", scenario_reset_when_full}, {"reset-in-copy", scenario_reset_in_copy},
    {"passed-over", scenario_passed_over},       {"oldest-first", scenario_oldest_first},
    {"starving-turn", scenario_starving_turn},   {"starving-stays", scenario_starving_stays},
    {"arrivals-wrap", scenario_arrivals_wrap},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios, LEAST_CAPACITY = 8192 };

void crossbar_scene_create(struct crossbar_scene *scene, struct crossbar_run *run)
{
    *scene = (struct crossbar_scene){.run = run, .kind = crossbar_config_kind(&run->config), .name = "none"};
    scene->capacity = run->config.places + LEAST_CAPACITY;
    scene->inputs = allocate(run->config.ports, sizeof *scene->inputs);
    for (unsigned input = 0; input < run->config.ports; input++)
        scene->inputs[input].packets = allocate(scene->capacity, sizeof *scene->inputs[input].packets);
    bench_random(run->bench, &scene->random, "scenarios");
}

void crossbar_scene_destroy(struct crossbar_scene *scene)
{
    for (unsigned input = 0; input < scene->run->config.ports; input++)
        free(scene->inputs[input].packets);
    free(scene->inputs);
    *scene = (struct crossbar_scene){0};
}

/* ---- packets ----------------------------------------------------------------------------------------- */

static void choose_targets(struct crossbar_scene *scene, uint64_t outputs, unsigned ids, struct crossbar_targets *targets)
{
    const unsigned bits = scene->kind.local_expert_bits;
    const unsigned locals = 1u << bits;
    targets->count = 0;
    for (unsigned output = 0; output < scene->kind.ports; output++)
        for (unsigned i = 0; (outputs >> output & 1) != 0 && i < ids && i < locals; i++)
            if (targets->count < scene->kind.max_targets)
                targets->ids[targets->count++] = (uint16_t)(output << bits | i * (locals / (ids < locals ? ids : locals)));
}

static struct moehub_header make_header(const struct crossbar_scene *scene, unsigned input, unsigned output,
                                        const struct crossbar_targets *targets, unsigned units)
{
    struct moehub_header header = crossbar_line_header(input, 0x12345, 0, targets->count);
    header.length = (uint16_t)(16 * units);
    if (scene->kind.class == MOEHUB_CLASS_REQUEST) {
        header.type = MOEHUB_PACKET_LD_REDUCE;
        header.stage = MOEHUB_STAGE_COMBINE;
        header.operation = MOEHUB_OPERATION_SUM;
        header.length = (uint16_t)units;
    }
    if (scene->kind.class == MOEHUB_CLASS_RESPONSE)
        header = (struct moehub_header){.type = MOEHUB_PACKET_PARTIAL, .stage = MOEHUB_STAGE_COMBINE,
                                        .length = header.length, .source = (uint16_t)input, .offset = (uint16_t)output};
    return header;
}

bool crossbar_scene_add(struct crossbar_scene *scene, unsigned input, uint64_t outputs, unsigned ids, unsigned units)
{
    struct crossbar_list *list = &scene->inputs[input];
    struct crossbar_targets targets;
    outputs &= crossbar_scene_all_but(scene, UINT64_C(1) << input);
    if (outputs == 0)
        return false;
    if (list->count == scene->capacity)
        bench_fail(scene->run->bench, BENCH_CONFIGURATION, "scenario %s: too many packets", scene->name);
    choose_targets(scene, outputs, ids, &targets);
    const struct moehub_header header = make_header(scene, input, (unsigned)__builtin_ctzll(outputs), &targets, units);
    crossbar_build_packet(&header, &targets, &scene->random, &list->packets[list->count++]);
    return true;
}

static bool next(void *self, unsigned input, unsigned places, struct crossbar_packet *packet)
{
    struct crossbar_scene *scene = self;
    struct crossbar_list *list = &scene->inputs[input];
    if (list->given == list->count || list->packets[list->given].packet.count > places)
        return false;
    *packet = list->packets[list->given++];
    return true;
}

void crossbar_scene_start(struct crossbar_scene *scene)
{
    scene->run->inputs.stimulus = (struct crossbar_stimulus){.self = scene, .next = next};
}

/* ---- running ----------------------------------------------------------------------------------------- */

static bool all_written(const struct crossbar_scene *scene)
{
    for (unsigned input = 0; input < scene->kind.ports; input++)
        if (scene->inputs[input].given < scene->inputs[input].count)
            return false;
    return crossbar_inputs_idle(&scene->run->inputs);
}

static void empty_lists(struct crossbar_scene *scene)
{
    for (unsigned input = 0; input < scene->kind.ports; input++)
        scene->inputs[input].given = scene->inputs[input].count = 0;
}

void crossbar_scene_cut(struct crossbar_scene *scene)
{
    for (unsigned input = 0; input < scene->kind.ports; input++)
        scene->inputs[input].count = scene->inputs[input].given;
}

void crossbar_scene_load(struct crossbar_scene *scene)
{
    crossbar_scene_start(scene);
    crossbar_run_until_still(scene->run);
    if (!all_written(scene))
        bench_fail(scene->run->bench, BENCH_TIMEOUT, "scenario %s: the stores do not take all its packets", scene->name);
}

void crossbar_scene_finish(struct crossbar_scene *scene, uint64_t stay)
{
    crossbar_scene_start(scene);
    while (!all_written(scene) || scene->run->model.waiting > stay)
        crossbar_run_step(scene->run);
    empty_lists(scene);
}

void crossbar_scene_reset(struct crossbar_scene *scene)
{
    empty_lists(scene);
    scene->run->inputs.stimulus = (struct crossbar_stimulus){0};
    crossbar_outputs_hold(&scene->run->outputs, 0);
    crossbar_run_reset(scene->run, 1);
}

void crossbar_scene_expect_most(const struct crossbar_scene *scene, const char *what, uint64_t bound, uint64_t got)
{
    if (got > bound)
        bench_fail(scene->run->bench, BENCH_MISMATCH, "scenario %s: %s: %" PRIu64 ", more than %" PRIu64, scene->name, what, got,
                   bound);
}

void crossbar_scene_expect(const struct crossbar_scene *scene, const char *what, uint64_t expected, uint64_t got)
{
    if (got != expected)
        bench_fail(scene->run->bench, BENCH_MISMATCH, "scenario %s: %s: expected %" PRIu64 ", got %" PRIu64, scene->name, what,
                   expected, got);
}

uint64_t crossbar_scene_all_but(const struct crossbar_scene *scene, uint64_t set)
{
    const unsigned ports = scene->kind.ports;
    return (ports == 64 ? UINT64_MAX : (UINT64_C(1) << ports) - 1) & ~set;
}

/* ---- all of them ------------------------------------------------------------------------------------- */

static void run_one(struct crossbar_scene *scene, unsigned number)
{
    struct crossbar_run *run = scene->run;
    scene->name = scenarios[number].name;
    run->inputs.late_ends = false;
    crossbar_inputs_stall(&run->inputs, STALL_NONE);
    crossbar_outputs_stall(&run->outputs, STALL_NONE, false);
    crossbar_scene_reset(scene);
    crossbar_outputs_mark(&run->outputs);
    scenarios[number].run(scene);
    crossbar_run_settle(run);
    printf("  scenario %-24s ok\n", scene->name);
}

bool crossbar_scenarios_run(struct crossbar_run *run, const char *name)
{
    struct crossbar_scene scene;
    bool found = false;
    crossbar_scene_create(&scene, run);
    for (unsigned i = 0; i < SCENARIOS; i++) {
        if (strcmp(name, "all") != 0 && strcmp(name, scenarios[i].name) != 0)
            continue;
        run_one(&scene, i);
        found = true;
    }
    crossbar_scene_destroy(&scene);
    return found;
}

void crossbar_scenarios_list(void)
{
    for (unsigned i = 0; i < SCENARIOS; i++)
        fprintf(stderr, "  %s\n", scenarios[i].name);
}
