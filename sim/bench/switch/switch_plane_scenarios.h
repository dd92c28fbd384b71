/* SPDX-License-Identifier: Apache-2.0 */
/* Directed scenarios of the switch plane: what random traffic of honest senders never does, and cycles of a single packet. */
#ifndef BENCH_SWITCH_PLANE_SCENARIOS_H
#define BENCH_SWITCH_PLANE_SCENARIOS_H

#include "bench/switch/switch_plane_run.h"

/* Runs the named scenario, or all. False: there is none of that name. */
bool plane_scenarios_run(struct plane_run *run, const char *name);
void plane_scenarios_list(void);

/* ---- switch_plane_packet_scenarios.c: packets to order */
void plane_line_ends(struct plane_run *run);
void plane_malformed(struct plane_run *run);
void plane_unasked_partials(struct plane_run *run);
void plane_refused_in_a_row(struct plane_run *run);
void plane_released_in_a_row(struct plane_run *run);

/* ---- switch_plane_mark_scenarios.c: high-water marks */
void plane_high_water(struct plane_run *run);

/* ---- switch_plane_command_scenarios.c: commands, limits, interrupts */
void plane_drain(struct plane_run *run);
void plane_commands(struct plane_run *run);
void plane_timeout_limit(struct plane_run *run);

/* ---- switch_plane_down_scenarios.c: ports that are down */
void plane_port_down(struct plane_run *run);
void plane_down_by_and_by(struct plane_run *run);
void plane_down_in_a_packet(struct plane_run *run);
void plane_two_down(struct plane_run *run);
void plane_down_and_fall(struct plane_run *run);
void plane_down_beside_others(struct plane_run *run);

#endif
