# SPDX-License-Identifier: Apache-2.0
# Bench of the packet manager.
BENCHES += packet_manager
BENCH_packet_manager_SOURCES := sim/bench/hub/packet_manager_port.c
BENCH_packet_manager_CONFIGS := $(addprefix packet-manager-,$(PACKET_MANAGER_CONFIGURATIONS))
BENCH_packet_manager_ARGS := --events 100000
BENCH_packet_manager_REGRESS_ARGS := --events 500000
