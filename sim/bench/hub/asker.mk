# SPDX-License-Identifier: Apache-2.0
# Bench of the asker of requests; that of stores is inside of way_stores.
BENCHES += asker
BENCH_asker_SOURCES := sim/bench/common/packet_draw.c
BENCH_asker_CONFIGS := asker-requests-odd asker-requests
BENCH_asker_ARGS := --events 100000
BENCH_asker_FAULTS := asker-answers-overrun asker-targets-unread asker-wraps-late asker-unchecked-asks asker-status-swapped \
	asker-gone-early asker-held-kept
