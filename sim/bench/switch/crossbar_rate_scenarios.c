/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios about cycles: the way of one copy, copies without a gap, and what a stalled output does to the others. */
#include "bench/switch/crossbar_scene.h"

enum { UNITS_MAX = 8, IDLE = 50 };

/* ---- one copy ---------------------------------------------------------------------------------------- */

/* rtl/doc/plane/crossbar.md section 6: the last flit is in `write` in cycle 1; its copy is there for the egress in cycle 11, a
 * row for the response output in cycle 9. A packet that is not listed has its target flits read: two more, of narrow
 * rows one. A copy of narrow rows is there when its SPAN, three cycles at least, is over and its last row has gone through a
 * register. */
static uint64_t longest_way(const struct crossbar_config *config)
{
    if (config->with_ids == 0)
        return 9 - 1;
    const uint64_t rows = 128 / config->data_width;
    const uint64_t unlisted = config->target_queue != 0 ? 0 : rows == 1 ? 2 : 1;
    const uint64_t gathered = rows == 1 ? 0 : rows < 3 ? 3 : rows;
    return 11 - 1 + unlisted + gathered;
}

void scenario_idle_latency(struct crossbar_scene *scene)
{
    struct crossbar_run *run = scene->run;
    uint64_t most = 0;
    for (unsigned input = 0; input < scene->kind.ports; input++)
        for (unsigned output = 0; output < scene->kind.ports; output++) {
            if (!crossbar_scene_add(scene, input, UINT64_C(1) << output, 1, UNITS_MAX))
                continue;
            crossbar_outputs_mark(&run->outputs);
            crossbar_scene_finish(scene, 0);
            const uint64_t way = run->outputs.ports[output].offered - run->inputs.ports[input].last_write;
            most = way > most ? way : most;
            bench_run(run->bench, IDLE);
        }
    summary_number(&run->bench->summary, "cycles from a packet's last flit to its copy", (double)most, "");
    crossbar_scene_expect_most(scene, "cycles from a packet's last flit to its copy", longest_way(&run->config), most);
}

/* ---- copies that wait -------------------------------------------------------------------------------- */

/* Flits of the longest packet of `copies` ids. */
static unsigned longest_packet(const struct crossbar_scene *scene, unsigned copies)
{
    const unsigned target_flits = (copies + 7) / 8;
    return scene->kind.class == MOEHUB_CLASS_STORE     ? 1 + target_flits + UNITS_MAX
           : scene->kind.class == MOEHUB_CLASS_REQUEST ? 1 + target_flits
                                                       : 1 + UNITS_MAX;
}

/* Packets of so many flits and copies that an input holds at once, with `kept` records in use. */
static unsigned packets_that_fit(const struct crossbar_scene *scene, unsigned flits, unsigned copies, unsigned kept)
{
    enum { ENOUGH = 100 };
    const struct crossbar_config *config = &scene->run->config;
    const unsigned records = config->with_ids != 0 ? config->copies - kept : UINT32_MAX;
    unsigned fit = config->places / flits;
    fit = fit < records / copies ? fit : records / copies;
    return fit < ENOUGH ? fit : ENOUGH;
}

/* The output's copies since the mark: all there, and a flit in every cycle from the first to the last. */
static void expect_no_gap(const struct crossbar_scene *scene, unsigned output, uint64_t copies)
{
    const struct crossbar_output *taken = &scene->run->outputs.ports[output];
    crossbar_scene_expect(scene, "copies at an output", copies, taken->copies);
    crossbar_scene_expect(scene, "cycles from the first to the last flit of copies that waited", taken->flits,
                          taken->last_flit - taken->first_flit + 1);
}

/* Copies of 9 rows that one input has for an output follow one another without an idle cycle: rtl/doc/plane/crossbar.md
 * section 9, for joins and wide rows. One input to one output, then to all; then each output has an input of its own. */
static bool promises_no_gap(const struct crossbar_config *config)
{
    return config->join != 0 && config->data_width == 128 && config->ahead >= 5;
}

static void run_no_gap(struct crossbar_scene *scene, uint64_t inputs, uint64_t outputs)
{
    struct crossbar_run *run = scene->run;
    const unsigned ports = scene->kind.ports;
    const unsigned each = outputs != 0 && ports > 2 ? ports - 1 : 1; /* copies of a packet, at most */
    const unsigned count = packets_that_fit(scene, longest_packet(scene, each), each, 0);
    uint64_t copies[MOEHUB_CROSSBAR_PORTS_MAX] = {0};
    crossbar_outputs_hold(&run->outputs, UINT64_MAX);
    for (unsigned input = 0; input < scene->kind.ports; input++)
        for (unsigned i = 0; (inputs >> input & 1) != 0 && i < count; i++) {
            const uint64_t set = outputs != 0 ? outputs : UINT64_C(1) << (input + 1 < ports ? input + 1 : 0);
            crossbar_scene_add(scene, input, set, 1, UNITS_MAX);
            for (unsigned output = 0; output < scene->kind.ports; output++)
                copies[output] += output != input && (set >> output & 1) != 0;
        }
    crossbar_scene_load(scene);
    crossbar_outputs_mark(&run->outputs);
    crossbar_outputs_hold(&run->outputs, 0);
    crossbar_scene_finish(scene, 0);
    for (unsigned output = 0; output < scene->kind.ports; output++)
        if (copies[output] > 0)
            expect_no_gap(scene, output, copies[output]);
}

void scenario_no_gap(struct crossbar_scene *scene)
{
    if (!promises_no_gap(&scene->run->config))
        return;
    run_no_gap(scene, 1, 2);
    run_no_gap(scene, 1, UINT64_MAX);
    run_no_gap(scene, UINT64_MAX, 0);
}

/* ---- an output that takes nothing -------------------------------------------------------------------- */

/* Cycles until every output but `held` has taken its copies, of which each has one input. `blocked`: nothing more fits at the
 * held output, and each of these packets has a copy for it too (of responses: a packet for it is before each). */
static uint64_t cycles_with(struct crossbar_scene *scene, unsigned held, bool blocked)
{
    struct crossbar_run *run = scene->run;
    const bool responses = scene->kind.class == MOEHUB_CLASS_RESPONSE;
    const unsigned count = packets_that_fit(scene, (responses ? 2 : 1) * longest_packet(scene, 2), 2, run->config.slots + 1);
    const uint64_t held_set = UINT64_C(1) << held;
    crossbar_outputs_hold(&run->outputs, UINT64_MAX);
    for (unsigned i = 0; blocked && i < run->config.slots + 1; i++) /* nobody has room there from now on */
        crossbar_scene_add(scene, (held + 1) % scene->kind.ports, held_set, 1, 1);
    crossbar_scene_load(scene);
    for (unsigned input = 0; input < scene->kind.ports; input++)
        for (unsigned i = 0; i < count; i++) {
            const unsigned output = (input + 1) % scene->kind.ports;
            if (output == held)
                continue;
            if (blocked && responses)
                crossbar_scene_add(scene, input, held_set, 1, UNITS_MAX);
            crossbar_scene_add(scene, input, UINT64_C(1) << output | (blocked && !responses ? held_set : 0), 1, UNITS_MAX);
        }
    crossbar_scene_load(scene);
    crossbar_outputs_mark(&run->outputs);
    crossbar_outputs_hold(&run->outputs, held_set);
    const uint64_t start = run->bench->cycle;
    crossbar_run_until_still(run);
    uint64_t last = start;
    for (unsigned output = 0; output < scene->kind.ports; output++) {
        const struct crossbar_output *taken = &run->outputs.ports[output];
        if (output == held)
            continue;
        crossbar_scene_expect(scene, "copies at an output beside a held one", count, taken->copies);
        if (promises_no_gap(&run->config))
            expect_no_gap(scene, output, count);
        last = taken->last_flit > last ? taken->last_flit : last;
    }
    crossbar_outputs_hold(&run->outputs, 0);
    crossbar_scene_finish(scene, 0);
    return last - start;
}

/* An output that takes nothing, with a copy for it in every packet: the others take as long as without it. */
void scenario_stalled_output(struct crossbar_scene *scene)
{
    const unsigned held = scene->kind.ports - 1;
    if (scene->run->config.places < 2 * longest_packet(scene, 2))
        return; /* not two packets at once */
    const uint64_t without = cycles_with(scene, held, false), with = cycles_with(scene, held, true);
    summary_number(&scene->run->bench->summary, "cycles of the other outputs, none stalled", (double)without, "");
    summary_number(&scene->run->bench->summary, "cycles of the other outputs, one stalled", (double)with, "");
    crossbar_scene_expect_most(scene, "cycles of the other outputs beside a stalled one", without, with);
}
