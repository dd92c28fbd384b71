/* SPDX-License-Identifier: Apache-2.0 */
/* What the directed scenarios of the reduction buffer share: a script on a fresh buffer, and facts to expect. */
#ifndef BENCH_REDUCTION_SCENE_H
#define BENCH_REDUCTION_SCENE_H

#include "bench/switch/reduction_script.h"

enum { LATENCY_MAX = 64 }; /* cycles: far above any latency of the block for one flit, far below the watchdog's limit */

struct scene {
    struct reduction_port *port;
    struct reduction_script script;
    const char *name;
    unsigned groups;   /* so many requests of one line find room */
    unsigned lines;    /* entries of a group */
    uint64_t everyone; /* the largest legal set */
    unsigned longest;  /* bytes of the longest bf16 partial */
    uint64_t latency;  /* LATENCY_MAX, and the flits of the longest partial and of its result */
};

/* Ends the run unless the two are equal. */
void scene_expect(struct scene *scene, const char *what, uint64_t expected, uint64_t got);
/* Waits a little, then expects how often a cause has been counted. */
void scene_expect_cause(struct scene *scene, unsigned cause, uint64_t count);
/* How often the design has counted an event since the scenario's start. */
uint64_t scene_counted(const struct scene *scene, unsigned event);

/* Runs until the buffer is empty and everything compared. */
void scene_settle(struct scene *scene);

/* The `count` lowest ports of a set. */
uint64_t scene_lowest_ports(uint64_t set, unsigned count);

/* A legal reservation of one line of bf16 elements that waits for so many ports. */
struct moehub_reduction_reserve scene_request(const struct scene *scene, unsigned ports, unsigned length);

/* All partials of a grant, queued in port order. */
void scene_add_answers(struct scene *scene, const struct moehub_reduction_reserve *request,
                       const struct moehub_reduction_grant *grant);
/* The partial of the lowest port of the set. */
struct moehub_reduction_partial scene_first_answer(const struct scene *scene, const struct moehub_reduction_reserve *request,
                                                   const struct moehub_reduction_grant *grant);
/* Changes a right partial so that its entry fails with `status`. */
void scene_spoil(struct moehub_reduction_partial *packet, unsigned status);

/* Reserves every group: script.grants has them from 0 on. */
void scene_reserve_all(struct scene *scene, const struct moehub_reduction_reserve *request);

/* reduction_reserve_scenarios.c */
void scenario_grant_order(struct scene *scene);
void scenario_refusals(struct scene *scene);
void scenario_too_many_ports(struct scene *scene);
void scenario_buffer_full(struct scene *scene);
void scenario_grants_held(struct scene *scene);
void scenario_generation_wrap(struct scene *scene);

/* reduction_partial_scenarios.c */
void scenario_partial_causes(struct scene *scene);
void scenario_smallest_failure(struct scene *scene);
void scenario_framing(struct scene *scene);
void scenario_cancelling_sums(struct scene *scene);
void scenario_one_flit_back_to_back(struct scene *scene);

/* reduction_timeout_scenarios.c */
void scenario_timeout(struct scene *scene);
void scenario_timeout_lengths(struct scene *scene);
void scenario_timeout_high_bits(struct scene *scene);
void scenario_timeout_races(struct scene *scene);
void scenario_timeout_on_time(struct scene *scene);
void scenario_timeout_all(struct scene *scene);
void scenario_timeout_set_late(struct scene *scene);

/* reduction_result_scenarios.c */
void scenario_stalled_results(struct scene *scene);
void scenario_results_keep_up(struct scene *scene);
void scenario_dropped_while_leaving(struct scene *scene);
void scenario_patience(struct scene *scene);
void scenario_places_given_back(struct scene *scene);
void scenario_turns(struct scene *scene);
/* Follows every scenario, and the random traffic. */
void scene_probe(struct scene *scene);

/* reduction_command_scenarios.c */
void scenario_drain_and_flush(struct scene *scene);
void scenario_flush_in_packet(struct scene *scene);

/* reduction_group_scenarios.c */
void scenario_lines_any_order(struct scene *scene);
void scenario_releases(struct scene *scene);
void scenario_quarantine_time(struct scene *scene);
void scenario_quarantine_switched_off(struct scene *scene);
void scenario_missing_ports(struct scene *scene);
void scenario_missing_lost(struct scene *scene);
void scenario_timeouts_refused(struct scene *scene);
void scenario_flush_order(struct scene *scene);

/* reduction_reset_scenarios.c */
void scenario_reset_in_packet(struct scene *scene);
void scenario_reset_when_full(struct scene *scene);

#endif
