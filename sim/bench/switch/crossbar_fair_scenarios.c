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

/* ---- the older of two heads -------------------------------------------------------------------------- */

/* Packets of one input for two outputs, in any order. Both copy buffers are full; from one cycle on either one output takes, or
 * both do: then the older of the two heads is served first. Some wait for almost a watch before, none for a whole one. */
enum { OF_EACH = 24, MOST_PORTS = 8, ROUNDS = 24, SETTLE = 50, SPARE = 200 }; /* of more ports a group's oldest is chosen */

struct two_lists {
    unsigned input, outputs[2];
    uint64_t left[2];            /* copies of each that had left before */
    unsigned order[2 * OF_EACH]; /* which of the two */
};

static uint64_t set_of(const struct two_lists *lists)
{
    return UINT64_C(1) << lists->outputs[0] | UINT64_C(1) << lists->outputs[1];
}

static uint64_t copies_left(const struct crossbar_scene *scene, const struct two_lists *lists, unsigned which)
{
    return scene->run->waits.left[lists->input * scene->kind.ports + lists->outputs[which]];
}

/* Packets that came before that of the head; a full copy buffer is ahead of it. 2 * OF_EACH: there is no head any more. */
static unsigned head_place(const struct crossbar_scene *scene, const struct two_lists *lists, unsigned which)
{
    uint64_t ahead = copies_left(scene, lists, which) - lists->left[which] + scene->run->config.slots;
    unsigned place = 0;
    while (place < 2 * OF_EACH && (lists->order[place] != which || ahead-- > 0))
        place++;
    return place;
}

/* The outputs of `set` take from now on, until one of them is granted a copy. */
static void take_one(struct crossbar_scene *scene, const struct two_lists *lists, uint64_t set)
{
    struct crossbar_run *run = scene->run;
    const struct crossbar_output *first = &run->outputs.ports[lists->outputs[0]];
    const struct crossbar_output *second = &run->outputs.ports[lists->outputs[1]];
    crossbar_outputs_mark(&run->outputs);
    crossbar_outputs_hold(&run->outputs, set_of(lists) & ~set);
    while (first->first_grant == UINT64_MAX && second->first_grant == UINT64_MAX)
        crossbar_run_step(run);
    crossbar_outputs_hold(&run->outputs, set_of(lists));
}

static void take_from_lists(struct crossbar_scene *scene, const struct two_lists *lists)
{
    const struct crossbar_output *ports = scene->run->outputs.ports;
    bool both = false; /* in the turn before: so both heads are new */
    for (;;) {
        const unsigned places[2] = {head_place(scene, lists, 0), head_place(scene, lists, 1)};
        const unsigned older = places[1] < places[0], choice = (unsigned)random_below(&scene->random, 4);
        if (places[0] == 2 * OF_EACH || places[1] == 2 * OF_EACH)
            return;
        if (both && choice >= 2 && random_chance(&scene->random, 1, 4))
            bench_run(scene->run->bench, crossbar_waits_watch(&scene->run->config) - SPARE);
        both = choice >= 2;
        take_one(scene, lists, both ? set_of(lists) : UINT64_C(1) << lists->outputs[choice]);
        if (both)
            crossbar_scene_expect_most(scene, "cycle of a grant of the older of two heads",
                                       ports[lists->outputs[!older]].first_grant, ports[lists->outputs[older]].first_grant);
        bench_run(scene->run->bench, SETTLE);
    }
}

static void fill_lists(struct crossbar_scene *scene, struct two_lists *lists)
{
    unsigned of_each[2] = {0, 0}, which = 0;
    for (unsigned i = 0; i < 2 * OF_EACH; i++) {
        which ^= random_chance(&scene->random, 1, 3);
        which ^= of_each[which] == OF_EACH;
        of_each[which]++;
        lists->order[i] = which;
        crossbar_scene_add(scene, lists->input, UINT64_C(1) << lists->outputs[which], 1, 1);
    }
    for (which = 0; which < 2; which++)
        lists->left[which] = copies_left(scene, lists, which);
    crossbar_outputs_hold(&scene->run->outputs, set_of(lists));
    crossbar_scene_load(scene);
}

void scenario_oldest_first(struct crossbar_scene *scene)
{
    const struct crossbar_config *config = &scene->run->config;
    const unsigned ports = scene->kind.ports;
    if (config->with_ids == 0 || ports < 3 || ports > MOST_PORTS || config->places < 2 * OF_EACH * 3)
        return; /* without ids there are no copy buffers */
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned input = 0; input < ports; input++) {
            const unsigned first = 1 + (unsigned)random_below(&scene->random, ports - 1);
            const unsigned second = 1 + (first + (unsigned)random_below(&scene->random, ports - 2)) % (ports - 1);
            struct two_lists lists = {.input = input, .outputs = {(input + first) % ports, (input + second) % ports}};
            fill_lists(scene, &lists);
            take_from_lists(scene, &lists);
            crossbar_outputs_hold(&scene->run->outputs, 0);
            crossbar_scene_finish(scene, 0);
        }
}

/* ---- the turn of those that starve ------------------------------------------------------------------- */

/* An input has copies for all outputs, and all wait until each has been hungry, and longer. Then all outputs take from the same
 * cycle on, and the copy that is hungry is served first, not the oldest: each of them after some tries. */
static unsigned first_granted(struct crossbar_scene *scene)
{
    struct crossbar_run *run = scene->run;
    crossbar_outputs_mark(&run->outputs);
    crossbar_outputs_hold(&run->outputs, 0);
    for (;;) {
        crossbar_run_step(run);
        for (unsigned output = 0; output < scene->kind.ports; output++)
            if (run->outputs.ports[output].first_grant != UINT64_MAX)
                return output;
    }
}

static void add_for_all(struct crossbar_scene *scene, unsigned input, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        for (unsigned output = 0; output < scene->kind.ports; output++)
            add_packets(scene, input, output, output != input);
    crossbar_outputs_hold(&scene->run->outputs, UINT64_MAX);
    crossbar_scene_load(scene);
}

void scenario_starving_turn(struct crossbar_scene *scene)
{
    enum { TRIES_MOST = 60, LONGEST = 14 };
    const struct crossbar_config *config = &scene->run->config;
    const unsigned ports = scene->kind.ports;
    const uint64_t watch = crossbar_waits_watch(config);
    if (ports > PORTS_MAX || config->places < (config->slots + 1) * (ports - 1) * LONGEST)
        return;
    const uint64_t round = 2 * watch * (ports - 1); /* all are hungry in turn, for two watches at most */
    for (unsigned input = 0; input < ports; input++) {
        const uint64_t all = crossbar_scene_all_but(scene, UINT64_C(1) << input);
        uint64_t first = 0; /* outputs */
        for (unsigned tries = 0; tries < TRIES_MOST && first != all; tries++) {
            add_for_all(scene, input, config->slots + 1);
            bench_run(scene->run->bench, 4 * watch + random_below(&scene->random, round));
            first |= UINT64_C(1) << first_granted(scene);
            crossbar_scene_finish(scene, 0);
        }
        crossbar_scene_expect(scene, "outputs whose starving copy was the first", all, first);
    }
}

/* ---- the stay of one that starves -------------------------------------------------------------------- */

/* An input has copies for two outputs, and both wait from a watch's first cycle on. In the next watch one of them is hungry, in
 * the one after that it still is, then the other one is: who is served first, in the middle of each? */
static unsigned first_in_watch(struct crossbar_scene *scene, unsigned input, const unsigned outputs[2], unsigned number)
{
    struct crossbar_run *run = scene->run;
    const uint64_t watch = crossbar_waits_watch(&run->config), begin = run->bench->cycle;
    crossbar_scene_reset(scene);
    for (unsigned which = 0; which < 2; which++)
        add_packets(scene, input, outputs[which], run->config.slots + 1);
    crossbar_outputs_hold(&run->outputs, UINT64_MAX);
    crossbar_scene_load(scene);
    const uint64_t before = (run->bench->cycle - begin) / watch + 1; /* watches until both wait */
    bench_run(run->bench, begin + (before + number) * watch + watch / 2 - run->bench->cycle);
    const unsigned first = first_granted(scene);
    crossbar_scene_finish(scene, 0);
    return first;
}

void scenario_starving_stays(struct crossbar_scene *scene)
{
    enum { LONGEST = 14 };
    const struct crossbar_config *config = &scene->run->config;
    const unsigned ports = scene->kind.ports;
    if (ports < 3 || ports > PORTS_MAX || config->places < (config->slots + 1) * 2 * LONGEST)
        return;
    for (unsigned input = 0; input < ports; input++) {
        const unsigned outputs[2] = {(input + 1) % ports, (input + 2) % ports};
        const unsigned first = first_in_watch(scene, input, outputs, 1);
        crossbar_scene_expect(scene, "output that is hungry in the second watch", first,
                              first_in_watch(scene, input, outputs, 2));
        crossbar_scene_expect(scene, "output that is hungry in the third watch", outputs[0] + outputs[1] - first,
                              first_in_watch(scene, input, outputs, 3));
    }
}

/* ---- arrival numbers that wrap ----------------------------------------------------------------------- */

/* Input `input` has copies for output `old` that wait while packets for output `young` pass, three quarters of the arrival
 * numbers. Copies for `stalled` wait all the time: its head is the one that starves. */
enum { ROLES = 3, TRIES = 6, COPIES = 4 * TRIES, NUMBERS_FEW = 1024 };

struct wrap {
    unsigned input, stalled, old, young;
};

static void hold(struct crossbar_scene *scene, const struct wrap *wrap, bool old, bool young)
{
    crossbar_outputs_hold(&scene->run->outputs,
                          UINT64_C(1) << wrap->stalled | (uint64_t)old << wrap->old | (uint64_t)young << wrap->young);
}

/* Both outputs take from the same cycle on: whom does the input serve first? Tries follow soon, lest `young` starves. */
static void expect_old_first(struct crossbar_scene *scene, const struct wrap *wrap)
{
    struct crossbar_run *run = scene->run;
    const struct crossbar_output *old = &run->outputs.ports[wrap->old], *young = &run->outputs.ports[wrap->young];
    bench_run(run->bench, SETTLE); /* both copy buffers are full */
    crossbar_outputs_mark(&run->outputs);
    hold(scene, wrap, false, false);
    while (old->first_grant == UINT64_MAX && young->first_grant == UINT64_MAX)
        crossbar_run_step(run);
    hold(scene, wrap, true, true);
    crossbar_scene_expect_most(scene, "cycle of a grant of a copy that waited for three quarters of the arrival numbers",
                               young->first_grant, old->first_grant);
}

static void wrap_arrivals(struct crossbar_scene *scene, const struct wrap *wrap, unsigned numbers)
{
    struct crossbar_run *run = scene->run;
    const unsigned slots = run->config.slots;
    hold(scene, wrap, true, false);
    add_packets(scene, wrap->input, wrap->stalled, slots + 1);
    add_packets(scene, wrap->input, wrap->old, slots + COPIES);
    crossbar_scene_load(scene);
    const uint64_t stay = run->model.waiting;
    add_packets(scene, wrap->input, wrap->young, numbers / 4 * 3);
    crossbar_scene_finish(scene, stay);
    hold(scene, wrap, true, true);
    add_packets(scene, wrap->input, wrap->young, slots + COPIES);
    crossbar_scene_load(scene);
    for (unsigned i = 0; i < TRIES; i++)
        expect_old_first(scene, wrap);
    crossbar_outputs_hold(&run->outputs, 0);
    crossbar_scene_finish(scene, 0);
}

/* Every input with every part of its outputs; where there are many numbers, one. */
void scenario_arrivals_wrap(struct crossbar_scene *scene)
{
    const struct crossbar_config *config = &scene->run->config;
    const unsigned ports = config->ports;
    unsigned numbers = 8; /* arrival numbers: rtl/doc/plane/crossbar.md section 4 */
    while (numbers < 4 * config->packets)
        numbers *= 2;
    if (ports < 4 || config->places < ROOM)
        return;
    for (unsigned i = 0; i < (numbers > NUMBERS_FEW ? 1 : ROLES * ports); i++) {
        const unsigned input = i / ROLES;
        const struct wrap wrap = {input, (input + 1 + i % ROLES) % ports, (input + 1 + (i + 1) % ROLES) % ports,
                                  (input + 1 + (i + 2) % ROLES) % ports};
        wrap_arrivals(scene, &wrap, numbers);
    }
}
