# SPDX-License-Identifier: Apache-2.0
# Bench of the packet queue of a hub's way.
BENCHES += packet_queue
BENCH_packet_queue_CONFIGS := $(addprefix packet-queue-,37 1 2 17 64 8191 2048)
BENCH_packet_queue_ARGS := --events 100000
BENCH_packet_queue_FAULTS := packet-queue-rewind-late packet-queue-rewind-kept packet-queue-rejected-kept \
	packet-queue-wraps-late packet-queue-rewind-uncounted packet-queue-space-stale \
	packet-queue-ended-next
