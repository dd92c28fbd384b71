# SPDX-License-Identifier: Apache-2.0
# Bench of the packet manager.
BENCHES += packet_manager
BENCH_packet_manager_SOURCES := sim/bench/hub/packet_manager_port.c
BENCH_packet_manager_CONFIGS := $(addprefix packet-manager-,$(PACKET_MANAGER_CONFIGURATIONS))
BENCH_packet_manager_QUICK := $(addprefix packet-manager-,default odd least four-links)
BENCH_packet_manager_ARGS := --events 300000
BENCH_packet_manager_REGRESS_ARGS := --events 1000000
BENCH_packet_manager_FAULT_ARGS := --events 100000
BENCH_packet_manager_FAULTS := manager-list-ascends manager-list-peer manager-list-full manager-handle-generation \
	manager-map-forward-missing manager-map-forward-old manager-mask-forward-missing manager-stored-forward-missing \
	manager-sent-forward-missing manager-again-late manager-last-line-whole manager-overlap-merged \
	manager-rewritten-counted-on manager-abort-free-entry manager-generation-stands manager-first-of-row \
	manager-raw-entry manager-token-whole-index manager-hand-frees-ready manager-timer-late manager-needs-one-kind \
	manager-enables-missing manager-enables-shifted manager-old-bytes-sent manager-targets-overwritten \
	manager-pairs-forward-missing manager-clear-skips manager-closes-again manager-close-early manager-notice-way-down \
	manager-leave-loop-count manager-leave-under-way manager-discard-sent manager-choice-highest manager-data-of-other \
	manager-gone-not-seen manager-leaves-early manager-ready-twice manager-latch-status manager-latch-row \
	manager-row-wait-untold manager-row-wait-always manager-hand-young
# A line that becomes ready, or gets its first store, in the few cycles around its row's abort.
# By chance: seed 3 meets both soon, seed 1 after 2 million events.
BENCH_packet_manager_FAULT_ARGS_manager-leaves-early := --seed 3 --events 3000000
BENCH_packet_manager_FAULT_ARGS_manager-hand-frees-ready := --seed 3 --events 3000000

# Rows of 7168 bytes, eight at a time: each link is to carry a flit a cycle, in whole lines; and whole lines alone where links
# have room at times. With a deliberate bug the bar has to stop it. 512 rows: with 64 the end alone, when one link of four has a
# row more than the others, costs up to 6 %.
PACKET_MANAGER_RATES := $(addprefix build/sim/packet_manager/packet-manager-,default/run four-links/run)
PACKET_MANAGER_RATE_BUG := build/sim/packet_manager/packet-manager-default/faults
BENCH_TARGETS += bench-packet-manager
.PHONY: bench-packet-manager sim-packet-manager-rate
bench-packet-manager: $(PACKET_MANAGER_RATES) ## Flits a cycle and link of stores in any order, with 1 and 4 links
	@for run in $^; do $$run --rate 512 || exit 1; done
sim-packet-manager-rate: $(PACKET_MANAGER_RATES) $(PACKET_MANAGER_RATE_BUG)/run
	@for run in $(PACKET_MANAGER_RATES); do $$run --rate 512 && $$run --rate 64 --room 16 || exit 1; done
	@.ci/tools/run_bench 1 $(PACKET_MANAGER_RATE_BUG)/rate.log $(PACKET_MANAGER_RATE_BUG)/run --rate 512 --fault manager-one-ahead
	@.ci/tools/run_bench 1 $(PACKET_MANAGER_RATE_BUG)/room.log $(PACKET_MANAGER_RATE_BUG)/run --rate 64 --room 16 \
		--fault manager-room-of-now
TEST_ITEMS += packet-manager-rate
TEST_packet-manager-rate = $(MAKE) sim-packet-manager-rate
