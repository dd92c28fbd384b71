# SPDX-License-Identifier: Apache-2.0
# Benches of the switch's reduction buffer: the block alone, and the block behind its registers.
REDUCTION_SOURCES := $(addprefix sim/bench/switch/,reduction_check.c reduction_config.c reduction_groups.c reduction_missing.c \
	reduction_payload.c reduction_port.c reduction_traffic.c)

BENCHES += reduction_buffer
BENCH_reduction_buffer_SOURCES := $(REDUCTION_SOURCES) $(addprefix sim/bench/switch/,reduction_command_scenarios.c \
	reduction_group_scenarios.c reduction_partial_scenarios.c reduction_reserve_scenarios.c reduction_reset_scenarios.c \
	reduction_result_scenarios.c reduction_round_trip.c reduction_scenarios.c reduction_scene.c reduction_script.c \
	reduction_throughput.c reduction_timeout_scenarios.c)
BENCH_reduction_buffer_CONFIGS := $(addprefix reduction-,$(REDUCTION_CONFIGURATIONS))
BENCH_reduction_buffer_QUICK := $(addprefix reduction-,two three 64k most groups-three groups-released quarantine-three)
BENCH_reduction_buffer_MEASURED := reduction-groups-plane
BENCH_reduction_buffer_ARGS := --events 50000
# 32 lanes are slow.
BENCH_reduction_buffer_ARGS_reduction-five := --events 20000
BENCH_reduction_buffer_REGRESS_ARGS := --events 200000 --resets 20

# The small configuration meets every case often; what needs a full result queue or many entries takes the large one.
REDUCTION_FAULTS_SMALL := reduction-answered-forward reduction-duplicate-accepted reduction-foreign-accepted \
	reduction-generation-ignored reduction-complete-early reduction-result-flit-lost reduction-failure-lost \
	reduction-timeout-leaves-open reduction-free-twice reduction-own-port reduction-drain-ignored \
	reduction-commit-bad-frame reduction-too-many-ports reduction-length-unaligned reduction-timeout-complete \
	reduction-generation-stuck reduction-tail-added reduction-second-flit reduction-flush-generation \
	reduction-timeout-early reduction-timeout-at-once reduction-event-lost reduction-late-frame reduction-first-reads-old \
	reduction-result-bubble reduction-flush-busy reduction-flush-forgets-packet reduction-occupancy reduction-offender-port \
	reduction-room-leaks reduction-open-survives reduction-partial-cause-first reduction-command-hasty
REDUCTION_FAULTS_ONE_FLIT := reduction-forward-1 reduction-forward-2 reduction-forward-3
REDUCTION_FAULTS_LARGE := reduction-late-first reduction-passed-kept reduction-no-room reduction-ready-drops \
	reduction-deferred-lost reduction-always-passes reduction-late-last reduction-command-cause-first
# Groups of eight lines with all that can hold them.
REDUCTION_FAULTS_GROUPS := reduction-lines-lost reduction-opens-one-line reduction-grant-group reduction-credit-entries \
	reduction-opens-all-lines reduction-length-last-line reduction-result-length reduction-missing-old reduction-look-first \
	reduction-quarantine-short reduction-quarantine-step reduction-freed-early reduction-copies-ignored \
	reduction-quarantine-ignored reduction-stray-release reduction-release-lost reduction-release-in-turn \
	reduction-missing-silent reduction-missing-early reduction-missing-lost reduction-timeout-below-port \
	reduction-timeout-too-long
BENCH_reduction_buffer_FAULTS := $(addsuffix @reduction-three,$(REDUCTION_FAULTS_SMALL)) \
	$(addsuffix @reduction-groups-eight,$(REDUCTION_FAULTS_GROUPS)) \
	$(addsuffix @reduction-two,$(REDUCTION_FAULTS_ONE_FLIT)) $(addsuffix @reduction-64k,$(REDUCTION_FAULTS_LARGE))
BENCH_reduction_buffer_FAULT_ARGS := --events 100000

BENCHES += switch_reduction_unit
BENCH_switch_reduction_unit_SOURCES := $(REDUCTION_SOURCES) sim/bench/common/csr_bench.c
BENCH_switch_reduction_unit_CONFIGS := $(addprefix switch-unit-,$(SWITCH_UNIT_CONFIGURATIONS))
BENCH_switch_reduction_unit_ARGS := --events 30000
BENCH_switch_reduction_unit_REGRESS_ARGS := --events 200000
BENCH_switch_reduction_unit_FAULTS := $(addsuffix @switch-unit-three,csr-latch-overwritten csr-high-water-falls \
	csr-header-rotated csr-counter-halves csr-read-unaligned csr-refusal-stays csr-busy-survives \
	reduction-packet-survives reduction-interrupt-lost reduction-drain-ignored) \
	$(addsuffix @switch-unit-parity,reduction-parity-lost reduction-parity-false)

# Throughput: the figure of the README, and a short run of the same in the tests (the rows' bars are part of the program).
REDUCTION_THROUGHPUT := $(foreach c,reduction-64k reduction-512,build/sim/reduction_buffer/$(c)/run)
BENCH_TARGETS += bench-reduction
.PHONY: bench-reduction sim-reduction-throughput
bench-reduction: $(REDUCTION_THROUGHPUT) ## Partial flits a cycle by contributors, order and entries
	@for program in $^; do $$program --throughput 100000 || exit 1; done
sim-reduction-throughput: $(REDUCTION_THROUGHPUT) build/sim/reduction_buffer/reduction-64k/faults/run
	@for program in $(REDUCTION_THROUGHPUT); do $$program --throughput 3000 || exit 1; done
	@.ci/tools/run_bench 1 build/sim/reduction_buffer/reduction-64k/faults/throughput.log \
		build/sim/reduction_buffer/reduction-64k/faults/run --throughput 500 --fault reduction-result-bubble
TEST_ITEMS += reduction-throughput
TEST_reduction-throughput = $(MAKE) sim-reduction-throughput
