# SPDX-License-Identifier: Apache-2.0
# Bench of the packet manager's registers.
BENCHES += packet_manager_csr
BENCH_packet_manager_csr_SOURCES := sim/bench/common/csr_bench.c
BENCH_packet_manager_csr_CONFIGS := hub-packet-manager-csr hub-packet-manager-csr-odd
BENCH_packet_manager_csr_ARGS := --events 100000
BENCH_packet_manager_csr_FAULTS := manager-timeout-none manager-timeout-most manager-timeout-cut manager-timeout-refused \
	manager-timeout-at-reset manager-marks-swapped manager-reduce-latched manager-command-uncounted manager-reduce-uncounted \
	manager-reduce-events-mixed manager-operation-untold manager-status-slots csr-interrupt-hole csr-parameter-rotated \
	csr-own-word-lost csr-header-rotated
