# SPDX-License-Identifier: Apache-2.0
# Bench of the stores of a hub's way.
BENCHES += way_stores
BENCH_way_stores_SOURCES := sim/bench/common/packet_draw.c
BENCH_way_stores_CONFIGS := $(addprefix watched-stores-,$(WAY_STORES_CONFIGURATIONS))
BENCH_way_stores_ARGS := --events 300000
BENCH_way_stores_FAULTS := way-arrived-unchecked way-checked-twice way-owner-unchecked way-peer-unchecked way-flags-always \
	way-arrived-uncounted asker-answers-overrun@watched-stores-odd asker-records-overrun \
	asker-targets-unread asker-wraps-late@watched-stores-odd asker-unchecked-asks reader-line-early \
	reader-enables-ignored reader-lower-stale reader-bytes-kept reader-frees-fewer mover-lane-wrong \
	mover-length-wrong mover-w-overrun mover-gaps mover-expert-of-refused mover-last-early mover-flags-nobody \
	mover-error-row completed-overwrites completed-unanswered completed-overrun@watched-stores-odd completed-stray \
	completed-refused-as-bytes way-counted-unseen
