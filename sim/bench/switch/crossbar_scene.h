/* SPDX-License-Identifier: Apache-2.0 */
/* What the directed scenarios of the crossbar share: packets in a fixed order on each input, and facts to expect. */
#ifndef BENCH_CROSSBAR_SCENE_H
#define BENCH_CROSSBAR_SCENE_H

#include "bench/switch/crossbar_run.h"

struct crossbar_list {
    struct crossbar_packet *packets;
    unsigned count, given;
};

struct crossbar_scene {
    struct crossbar_run *run;
    struct crossbar_kind kind;
    const char *name;
    struct random_source random;
    struct crossbar_list *inputs;
    unsigned capacity;           /* packets of an input */
};

void crossbar_scene_create(struct crossbar_scene *scene, struct crossbar_run *run);
void crossbar_scene_destroy(struct crossbar_scene *scene);

/* A packet of `input` with `ids` ids for each output of the set (an input's own is left out; of a response's the lowest is
 * taken) and `units` times 16 bytes of payload (a request has none) joins the input's list. False: its set is empty. */
bool crossbar_scene_add(struct crossbar_scene *scene, unsigned input, uint64_t outputs, unsigned ids, unsigned units);

/* All packets of the lists are written from now on. */
void crossbar_scene_start(struct crossbar_scene *scene);

/* What is not written yet will not be. */
void crossbar_scene_cut(struct crossbar_scene *scene);

/* Until every list is written and nothing moves any more. */
void crossbar_scene_load(struct crossbar_scene *scene);

/* Until all copies have left but `stay`; then the lists are empty again. */
void crossbar_scene_finish(struct crossbar_scene *scene, uint64_t stay);

/* Resets the design with whatever is inside, and forgets the lists; every output takes again. */
void crossbar_scene_reset(struct crossbar_scene *scene);

/* Ends the run unless got is at most (is) the bound. */
void crossbar_scene_expect_most(const struct crossbar_scene *scene, const char *what, uint64_t bound, uint64_t got);
void crossbar_scene_expect(const struct crossbar_scene *scene, const char *what, uint64_t expected, uint64_t got);

/* Every output but those of the set. */
uint64_t crossbar_scene_all_but(const struct crossbar_scene *scene, uint64_t set);

/* Runs the named scenario, or all. False: there is none of that name. */
bool crossbar_scenarios_run(struct crossbar_run *run, const char *name);
void crossbar_scenarios_list(void);

/* crossbar_order_scenarios.c */
void scenario_lengths(struct crossbar_scene *scene);
void scenario_lists(struct crossbar_scene *scene);
void scenario_full_stores(struct crossbar_scene *scene);
void scenario_reset_when_full(struct crossbar_scene *scene);
void scenario_reset_in_copy(struct crossbar_scene *scene);

/* crossbar_fair_scenarios.c */
void scenario_passed_over(struct crossbar_scene *scene);
void scenario_oldest_first(struct crossbar_scene *scene);
void scenario_starving_turn(struct crossbar_scene *scene);
void scenario_starving_stays(struct crossbar_scene *scene);
void scenario_arrivals_wrap(struct crossbar_scene *scene);

/* crossbar_rate_scenarios.c */
void scenario_idle_latency(struct crossbar_scene *scene);
void scenario_no_gap(struct crossbar_scene *scene);
void scenario_stalled_output(struct crossbar_scene *scene);

#endif
