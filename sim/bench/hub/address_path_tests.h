/* SPDX-License-Identifier: Apache-2.0 */
/* The named situations of the address path's bench, by subject. Each leaves the path quiet and everything compared. */
#ifndef BENCH_ADDRESS_PATH_TESTS_H
#define BENCH_ADDRESS_PATH_TESTS_H

#include "bench/hub/address_path_script.h"

/* Opening a context takes a command for each expert: what does so often is for the smaller configurations. */
enum { ROWS_WANTED = 64, LATENCY_LONG = 600, EXPERTS_FEW = 64 };

/* address_path_slots.c */
void test_first_and_later(struct address_path_run *run);
void test_missing_first(struct address_path_run *run);
void test_repeated_first(struct address_path_run *run);
void test_full_region(struct address_path_run *run);
void test_refused_before_first(struct address_path_run *run);
void test_many_slots(struct address_path_run *run);
void test_any_address(struct address_path_run *run);
void test_high_slots(struct address_path_run *run);

/* address_path_refused.c */
void test_refused_requests(struct address_path_run *run);
void test_refused_names(struct address_path_run *run);
void test_refused_peer(struct address_path_run *run);
void test_bad_entries(struct address_path_run *run);

/* address_path_commands.c */
void test_refused_data(struct address_path_run *run);
void test_layouts_kept(struct address_path_run *run);
void test_refused_changes(struct address_path_run *run);
void test_epoch_wrap(struct address_path_run *run);
void test_flush(struct address_path_run *run);
void test_flush_nameless(struct address_path_run *run);
void test_refused_beside_write(struct address_path_run *run);
void test_command_rate(struct address_path_run *run);

/* address_path_stages.c */
void test_stage_sizes(struct address_path_run *run);
void test_stage_addresses(struct address_path_run *run);
void test_stage_commands(struct address_path_run *run);
void test_stage_commands_kept(struct address_path_run *run);
void test_stage_commands_unknown(struct address_path_run *run);

/* address_path_waits.c */
void test_victims_pending(struct address_path_run *run);
void test_first_on_pending_line(struct address_path_run *run);
void test_pending_entries_used_up(struct address_path_run *run);
void test_pending_entries_written(struct address_path_run *run);
void test_fills_beside_first(struct address_path_run *run);
void test_waiting_entries_used_up(struct address_path_run *run);
void test_entries_kept(struct address_path_run *run);
void test_counted_while_waiting(struct address_path_run *run);

/* address_path_ports.c */
void test_ports_independent(struct address_path_run *run);
void test_results_kept(struct address_path_run *run);
void test_shared_results_kept(struct address_path_run *run);
void test_results_kept_unread(struct address_path_run *run);
void test_answers_held(struct address_path_run *run);
void test_gap_for_waiting(struct address_path_run *run);
void test_turn_for_others(struct address_path_run *run);

/* address_path_rate.c */
void test_hits_alone(struct address_path_run *run);
void test_hits_without_bubble(struct address_path_run *run);
void test_firsts_without_bubble(struct address_path_run *run);

/* address_path_resets.c */
/* What software reads of every context and region; all of it is compared. */
void get_everything(struct address_path_run *run);
void test_reset_in_commands(struct address_path_run *run);
void test_reset_in_traffic(struct address_path_run *run);
void test_reset_when_full(struct address_path_run *run);

#endif
