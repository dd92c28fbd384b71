# SPDX-License-Identifier: Apache-2.0
# Bench of the packet manager's registers.
BENCHES += packet_manager_csr
BENCH_packet_manager_csr_SOURCES := sim/bench/common/csr_bench.c
BENCH_packet_manager_csr_CONFIGS := hub-packet-manager-csr hub-packet-manager-csr-odd
BENCH_packet_manager_csr_ARGS := --events 100000
