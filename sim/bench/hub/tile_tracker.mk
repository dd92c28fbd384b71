# SPDX-License-Identifier: Apache-2.0
# Bench of the tile tracker.
BENCHES += tile_tracker
BENCH_tile_tracker_SOURCES := sim/bench/hub/tile_tracker_port.c
BENCH_tile_tracker_CONFIGS := $(addprefix tile-tracker-,$(TILE_TRACKER_CONFIGURATIONS))
BENCH_tile_tracker_ARGS := --events 120000
BENCH_tile_tracker_REGRESS_ARGS := --events 300000
BENCH_tile_tracker_FAULTS := tracker-forward-missing tracker-forward-older-missing tracker-rows-beyond tracker-told-early \
	tracker-told-twice tracker-settles-unflagged tracker-late-unflagged tracker-done-unchecked tracker-done-early \
	tracker-close-twice tracker-excess-silent tracker-token-early tracker-token-failed-lost tracker-token-forward-missing \
	tracker-arrived-open tracker-settles-in-flight tracker-timer-while-disabled tracker-settle-short tracker-clear-short \
	tracker-arrived-first tracker-ready-changes tracker-ring-shifted tracker-notifies-nobody \
	tracker-list-error-unseen tracker-notice-way-down tracker-places-overrun tracker-tiles-overrun \
	tracker-notify-context-of-asker tracker-notify-flag-of-asker tracker-notifying-short tracker-tile-stays \
	tracker-cause-largest tracker-starves tracker-first-untold
# By chance: so many beats are asked for when a memory is slow just then; seed 1 meets it after 200 thousand events.
BENCH_tile_tracker_FAULT_ARGS_tracker-places-overrun := --seed 3 --events 300000
