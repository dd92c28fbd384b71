/* SPDX-License-Identifier: Apache-2.0 */
/* The table of named situations, in the order in which they run. */
#include "bench/hub/address_path_tests.h"

#include <string.h>

static const struct {
    const char *name;
    void (*run)(struct address_path_run *run);
} tests[] = {
    {"first_and_later", test_first_and_later},
    {"missing_first", test_missing_first},
    {"repeated_first", test_repeated_first},
    {"full_region", test_full_region},
    {"refused_requests", test_refused_requests},
    {"refused_names", test_refused_names},
    {"refused_peer", test_refused_peer},
    {"bad_entries", test_bad_entries},
    {"high_slots", test_high_slots},
    {"any_address", test_any_address},
    {"stage_sizes", test_stage_sizes},
    {"stage_addresses", test_stage_addresses},
    {"stage_commands", test_stage_commands},
    {"stage_commands_kept", test_stage_commands_kept},
    {"stage_commands_unknown", test_stage_commands_unknown},
    {"refused_changes", test_refused_changes},
    {"refused_data", test_refused_data},
    {"layouts_kept", test_layouts_kept},
    {"epoch_wrap", test_epoch_wrap},
    {"victims_pending", test_victims_pending},
    {"first_on_pending_line", test_first_on_pending_line},
    {"pending_entries_used_up", test_pending_entries_used_up},
    {"waiting_entries_used_up", test_waiting_entries_used_up},
    {"ports_independent", test_ports_independent},
    {"results_kept", test_results_kept},
    {"shared_results_kept", test_shared_results_kept},
    {"refused_before_first", test_refused_before_first},
    {"answers_held", test_answers_held},
    {"gap_for_waiting", test_gap_for_waiting},
    {"turn_for_others", test_turn_for_others},
    {"hits_alone", test_hits_alone},
    {"hits_without_bubble", test_hits_without_bubble},
    {"firsts_without_bubble", test_firsts_without_bubble},
    {"reset_in_traffic", test_reset_in_traffic},
    {"reset_when_full", test_reset_when_full},
    {"flush", test_flush},
    {"flush_nameless", test_flush_nameless},
    {"reset_in_commands", test_reset_in_commands},
    {"refused_beside_write", test_refused_beside_write},
    {"command_rate", test_command_rate},
    {"many_slots", test_many_slots},
    {"entries_kept", test_entries_kept},
    {"counted_while_waiting", test_counted_while_waiting},
    {"pending_entries_written", test_pending_entries_written},
    {"fills_beside_first", test_fills_beside_first},
    {"results_kept_unread", test_results_kept_unread},
};

void address_path_directed(struct address_path_run *run, const char *only)
{
    unsigned found = 0;
    hub_path_stalls(&run->path, STALL_NONE, STALL_NONE, STALL_NONE);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        if (only != NULL && strcmp(only, tests[i].name) != 0)
            continue;
        /* The longest possible epoch count belongs to the wide tables; a thousand epochs are enough. */
        if (tests[i].run == test_epoch_wrap && run->path.config.slot_width < 22)
            continue;
        const uint64_t before = run->path.bench.compared;
        printf("  %s\n", tests[i].name);
        tests[i].run(run);
        if (run->path.bench.compared == before)
            printf("    not possible with these parameters\n");
        found++;
    }
    if (found == 0)
        bench_fail(&run->path.bench, BENCH_CONFIGURATION, "--test %s: no such test", only);
}
