# SPDX-License-Identifier: Apache-2.0
# Bench of what ends a packet manager's contexts: sums that no run of the whole manager fills.
BENCHES += packet_manager_close
BENCH_packet_manager_close_CONFIGS := $(addprefix packet-close-,$(PACKET_CLOSE_CONFIGURATIONS))
BENCH_packet_manager_close_ARGS := --events 50000
BENCH_packet_manager_close_FAULTS := $(addsuffix @packet-close-odd,manager-pairs-forward-missing manager-clear-skips \
	manager-closes-again manager-close-early manager-notice-way-down)
