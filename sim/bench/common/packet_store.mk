# SPDX-License-Identifier: Apache-2.0
BENCHES += packet_store
BENCH_packet_store_SOURCES := sim/bench/common/store_port.c
BENCH_packet_store_CONFIGS := $(addprefix packet-store,-odd -request -response -smallest -one-packet -full -largest) packet-store
BENCH_packet_store_ARGS := --events 100000
# It takes a while to fill.
BENCH_packet_store_ARGS_packet-store-largest := --events 300000
BENCH_packet_store_ARGS_packet-store := --events 200000
BENCH_packet_store_FAULTS := $(addsuffix @packet-store-odd,chain-rewind-uncounted chain-tail-at-head \
	chain-last-taken chain-head-stale store-name-at-once store-body-early store-last-is-next store-flits-late \
	store-second-late free-list-last-lost \
	prompt-fifo-overtakes prompt-fifo-withdraws prompt-fifo-gives-twice \
	target-queue-keeps-rejected target-queue-overrun target-queue-early target-queue-skips \
	target-queue-lists-none)
