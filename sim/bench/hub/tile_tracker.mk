# SPDX-License-Identifier: Apache-2.0
# Bench of the tile tracker.
BENCHES += tile_tracker
BENCH_tile_tracker_SOURCES := sim/bench/hub/tile_tracker_port.c
BENCH_tile_tracker_CONFIGS := $(addprefix tile-tracker-,$(TILE_TRACKER_CONFIGURATIONS))
BENCH_tile_tracker_ARGS := --events 60000
BENCH_tile_tracker_REGRESS_ARGS := --events 300000
