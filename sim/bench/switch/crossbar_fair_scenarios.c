/* SPDX-License-Identifier: Apache-2.0 */
/* Scenarios about whom the crossbar serves next: no copy is passed over for ever, and none looks younger than it is. Both need
 * room for a backlog, and an input has no copies for its own output. */
#include "bench/switch/crossbar_scene.h"

enum { UNITS = 8, ROOM = 100, PORTS_MAX = 5 }; /* of more ports the waits take long to run, and nothing else happens */

/* `count` packets of an input for one output. */
static void add_packets(struct crossbar_scene *scene, unsigned input, unsigned output, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        crossbar_scene_add(scene, input, UINT64_C(1) << output, 1, UNITS);
}

/* ---- passed over ------------------------------------------------------------------------------------- */

/* Input BUSY has a backlog for output THERE. Input OTHER has one for output HERE and a single copy for THERE. The passes of the
 * two may keep a distance at which THERE is never open when OTHER proposes. */
enum { BUSY = 0, OTHER = 2, HERE = 0, THERE = 1 };

/* The single copy is older than its input's backlog, or younger than what the store holds of it. */
static void add_backlogs(struct crossbar_scene *scene, bool young)
{
    const struct crossbar_run *run = scene->run;
    const uint64_t backlog = 2 * crossbar_waits_bound(&run->config, 1) / 3; /* three cycles at least a copy */
    const unsigned inside = run->config.places / scene->inputs[OTHER].packets[0].packet.count;
    add_packets(scene, BUSY, THERE, backlog);
    add_packets(scene, OTHER, HERE, young ? inside : 0);
    add_packets(scene, OTHER, THERE, 1);
    add_packets(scene, OTHER, HERE, backlog);
}

/* Output `first` takes from now on, the other `apart` cycles later, until the single copy has left. */
static void release(struct crossbar_scene *scene, unsigned first, unsigned apart)
{
    struct crossbar_run *run = scene->run;
    const uint64_t before = run->waits.left[OTHER * run->config.ports + THERE];
    crossbar_outputs_hold(&run->outputs, crossbar_scene_all_but(scene, UINT64_C(1) << first));
    bench_run(run->bench, apart);
    crossbar_outputs_hold(&run->outputs, 0);
    crossbar_waits_mark(&run->waits, run->bench->cycle);
    while (run->waits.left[OTHER * run->config.ports + THERE] == before)
        crossbar_run_step(run);
}

static uint64_t longest_wait(struct crossbar_scene *scene, unsigned first, unsigned apart, bool young)
{
    struct crossbar_run *run = scene->run;
    crossbar_scene_reset(scene);
    crossbar_outputs_hold(&run->outputs, UINT64_MAX);
    add_packets(scene, BUSY, THERE, run->config.slots + 1); /* nothing more fits at the outputs */
    add_packets(scene, OTHER, HERE, run->config.slots + 1);
    crossbar_scene_load(scene);
    add_backlogs(scene, young);
    crossbar_scene_start(scene);
    crossbar_run_until_still(run);
    release(scene, first, apart);
    crossbar_scene_cut(scene);
    crossbar_scene_finish(scene, 0);
    return run->waits.longest;
}

void scenario_passed_over(struct crossbar_scene *scene)
{
    enum { APART = 18, PHASES = 9 };
    const struct crossbar_config *config = &scene->run->config;
    uint64_t longest = 0;
    if (config->ports < 3 || config->ports > PORTS_MAX || config->places < ROOM)
        return;
    for (unsigned phase = 0; phase < 4 * PHASES; phase++) {
        const uint64_t wait = longest_wait(scene, phase / PHASES % 2, APART + phase % PHASES, phase / PHASES / 2 != 0);
        longest = wait > longest ? wait : longest;
    }
    summary_number(&scene->run->bench->summary, "longest wait beside backlogs", (double)longest, "");
    crossbar_scene_expect_most(scene, "cycles that a copy waits beside backlogs", crossbar_waits_bound(config, 1), longest);
}

/* ---- arrival numbers that wrap ----------------------------------------------------------------------- */

/* Input 0 has copies for output OLD that wait while packets for output YOUNG pass, three quarters of the arrival numbers. Copies
 * for STALLED wait all the time: its head is the one that starves. */
enum { STALLED = 1, OLD = 2, YOUNG = 3, TRIES = 6, COPIES = 4 * TRIES, SETTLE = 50 };

static void hold(struct crossbar_scene *scene, bool old, bool young)
{
    crossbar_outputs_hold(&scene->run->outputs,
                          UINT64_C(1) << STALLED | (uint64_t)old << OLD | (uint64_t)young << YOUNG);
}

/* Both outputs take from the same cycle on: whom does the input serve first? Tries follow soon, lest YOUNG starves. */
static void expect_old_first(struct crossbar_scene *scene)
{
    struct crossbar_run *run = scene->run;
    const struct crossbar_output *ports = run->outputs.ports;
    bench_run(run->bench, SETTLE); /* both copy buffers are full */
    crossbar_outputs_mark(&run->outputs);
    hold(scene, false, false);
    while (ports[OLD].first_grant == UINT64_MAX && ports[YOUNG].first_grant == UINT64_MAX)
        crossbar_run_step(run);
    hold(scene, true, true);
    crossbar_scene_expect_most(scene, "cycle of a grant of a copy that waited for three quarters of the arrival numbers",
                               ports[YOUNG].first_grant, ports[OLD].first_grant);
}

void scenario_arrivals_wrap(struct crossbar_scene *scene)
{
    struct crossbar_run *run = scene->run;
    const struct crossbar_config *config = &run->config;
    unsigned numbers = 8; /* arrival numbers: rtl/doc/plane/crossbar.md section 4 */
    while (numbers < 4 * config->packets)
        numbers *= 2;
    if (config->ports < 4 || config->places < ROOM)
        return;
    hold(scene, true, false);
    add_packets(scene, 0, STALLED, config->slots + 1);
    add_packets(scene, 0, OLD, config->slots + COPIES);
    crossbar_scene_load(scene);
    const uint64_t stay = run->model.waiting;
    add_packets(scene, 0, YOUNG, numbers / 4 * 3);
    crossbar_scene_finish(scene, stay);
    hold(scene, true, true);
    add_packets(scene, 0, YOUNG, config->slots + COPIES);
    crossbar_scene_load(scene);
    for (unsigned i = 0; i < TRIES; i++)
        expect_old_first(scene);
    crossbar_outputs_hold(&run->outputs, 0);
    crossbar_scene_finish(scene, 0);
}
