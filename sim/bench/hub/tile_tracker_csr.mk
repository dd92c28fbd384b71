# SPDX-License-Identifier: Apache-2.0
# Bench of the tile tracker's registers.
BENCHES += tile_tracker_csr
BENCH_tile_tracker_csr_SOURCES := sim/bench/common/csr_bench.c
BENCH_tile_tracker_csr_CONFIGS := hub-tile-tracker-csr hub-tile-tracker-csr-most
BENCH_tile_tracker_csr_ARGS := --events 100000
BENCH_tile_tracker_csr_FAULTS := tracker-csr-operand-live tracker-csr-index-live tracker-csr-result-always \
	tracker-csr-result-halves tracker-csr-refusal-lost tracker-csr-level-wraps tracker-csr-marks-swapped \
	tracker-csr-arrived-sweeps tracker-csr-busy-unseen tracker-csr-parameters-swapped tracker-csr-events-shifted \
	csr-interrupt-hole csr-own-word-lost csr-header-rotated counter-memory-copies-twice
