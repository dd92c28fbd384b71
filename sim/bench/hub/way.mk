# SPDX-License-Identifier: Apache-2.0
# Bench of a whole way.
BENCHES += way
BENCH_way_SOURCES := $(patsubst %,sim/bench/hub/way_%.c,events expected links neighbours packets registers setup waits) \
	sim/bench/common/packet_draw.c sim/bench/common/packet_maker.c
BENCH_way_CONFIGS := $(addprefix watched-way-,$(WAY_CONFIGURATIONS))
BENCH_way_ARGS := --events 300000
BENCH_way_FAULTS := way-frees-targets@watched-way-loop way-records-unasked@watched-way-least requests-release-one \
	requests-ring-wraps-late@watched-way-odd requests-there-early requests-refused-in-flight responses-empty-lost \
	responses-unchecked responses-owner-is-source responses-frees-header responses-stall-ignored responses-stall-reads \
	responses-zeros-lost way-answers-of-others way-grants-early \
	way-check-flags-nobody way-room-one-more way-report-latest-cause way-report-read-header way-report-closes-notifies \
	way-csr-parameters-swapped way-csr-levels-swapped way-csr-command-accepted way-csr-nameless@watched-way-odd \
	way-csr-credits-alike way-csr-marks-swapped way-csr-events-shifted way-report-answer-header \
	requests-records-fewer@watched-way-odd requests-no-place-untold@watched-way-odd requests-stall-untold@watched-way-odd \
	stores-no-place-untold@watched-way-odd mover-missing-untold mover-stall-untold mover-stall-always \
	mover-full-untold@watched-way-odd completed-stall-untold
