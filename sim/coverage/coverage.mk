# SPDX-License-Identifier: Apache-2.0
# Coverage of the RTL by the co-simulation: lines, branches and toggles that the quick runs reach (Verilator, lcov).
#   build/coverage/html/index.html   the sources with their counts
#   build/coverage/uncovered         points that no run has reached, with the reason that sim/coverage/waivers gives, or none
#   build/coverage/files             the figures of every file
# BENCH/CONFIGURATION: small ones, whose every bit can move, and at least one for each alternative that parameters choose.
COVERAGE_RUNS := queue/fifo-5 queue/skid-5 arbiter/arbiter-5 memory/memory-5 lane/lane-32 \
	link/link-odd link/link-hub link_sender/link-sender packet_store/packet-store-odd \
	address_path/hub-path-plru8 address_path/hub-path-stages-odd hub_address_unit/hub-unit-three \
	reduction_buffer/reduction-seventeen reduction_buffer/reduction-groups-eight \
	switch_reduction_unit/switch-unit-three \
	egress/egress-odd result_packer/result-packer-2 response_output/response-output-odd port_state/port-state \
	plane_state/plane-state-3 counter_memory/counter-memory-odd counter_memory/counter-memory-17 \
	queue/deep-fifo-5 $(addprefix crossbar/stored-crossbar-,three requests-least responses-least) \
	request_unit/shared-request-unit-odd question_arbiter/question-arbiter-3 pre_reduce/pre-reduce-odd \
	reduce_request/reduce-request-odd reduce_request/reduce-request-three \
	way/watched-way-odd asker/asker-requests-odd way_stores/watched-stores-odd \
	packet_manager_close/packet-close-odd packet_manager_csr/hub-packet-manager-csr-odd tile_tracker_csr/hub-tile-tracker-csr \
	hub_control/watched-control-two \
	tile_tracker/tile-tracker-odd packet_manager/packet-manager-odd final_reduce/watched-final-least \
	switch_plane/switch-two layer/layer-least
# Where a block contains many that have runs of their own, only these files of it count: that makes programs a fraction as large.
COVERAGE_OF_crossbar := $(wildcard rtl/switch/moehub_crossbar*.v) $(patsubst %,rtl/switch/moehub_%.v,copy_buffer copy_list \
	fullest_inputs hungry_head list_age record_maker target_reader)
COVERAGE_OF_request_unit := $(patsubst %,rtl/switch/moehub_%.v,request_unit places_share)
COVERAGE_OF_pre_reduce := $(wildcard rtl/hub/moehub_pre_reduce*.v) rtl/hub/moehub_partial_packer.v
COVERAGE_OF_reduce_request := $(wildcard rtl/hub/moehub_reduce_*.v) rtl/hub/moehub_list_check.v
COVERAGE_OF_packet_manager_close := rtl/hub/moehub_packet_manager_close.v
# Benches of registers alone draw offenders, levels and events of any value.
COVERAGE_REGISTERS := $(patsubst %,rtl/common/moehub_%.v,axi_lite_slave counter_memory csr_bank error_latch high_water)
COVERAGE_OF_packet_manager_csr := rtl/hub/moehub_packet_manager_csr.v $(COVERAGE_REGISTERS)
COVERAGE_OF_tile_tracker_csr := rtl/hub/moehub_tile_tracker_csr.v $(COVERAGE_REGISTERS)
COVERAGE_OF_packet_manager := $(filter-out %_csr.v %_unit.v %_close.v,$(wildcard rtl/hub/moehub_packet_manager*.v))
COVERAGE_OF_tile_tracker := $(filter-out %_csr.v %_unit.v,$(wildcard rtl/hub/moehub_tile_tracker*.v))
COVERAGE_OF_final_reduce := $(patsubst %,rtl/hub/moehub_%.v,final_reduce own_partials) rtl/common/moehub_packet_join.v
COVERAGE_OF_way := $(wildcard rtl/hub/moehub_way*.v) $(patsubst %,rtl/hub/moehub_%.v,asker completed_writes data_mover hub_way \
	hub_way_csr line_reader packet_queue row_list_address)
COVERAGE_OF_asker := rtl/hub/moehub_asker.v
COVERAGE_OF_way_stores := $(patsubst %,rtl/hub/moehub_%.v,asker data_mover line_reader way_stores)
COVERAGE_OF_question_arbiter := rtl/hub/moehub_question_arbiter.v rtl/common/moehub_stream_arbiter.v
COVERAGE_OF_hub_control := $(wildcard rtl/hub/moehub_hub_con*.v) rtl/hub/moehub_hub_operands.v
COVERAGE_OF_switch_plane := $(patsubst %,rtl/switch/moehub_switch_%.v,top port port_csr port_report plane_csr address) \
	rtl/common/moehub_axi_lite_decoder.v
COVERAGE_OF_layer := $(patsubst %,rtl/hub/moehub_%.v,hub_top hub_window list_port notice_arbiter packet_manager_unit \
	tile_tracker_unit) rtl/common/moehub_axi_lite_decoder.v
# Counting makes a run some ten times slower: shorter than the quick regression, where that reaches as much.
COVERAGE_ARGS_lane := --events 50000
COVERAGE_ARGS_link := --events 500000
COVERAGE_ARGS_address_path := --events 10000 --traces none
COVERAGE_ARGS_hub_address_unit := --events 8000
COVERAGE_ARGS_reduction_buffer := --events 10000
COVERAGE_ARGS_switch_reduction_unit := --events 30000
COVERAGE_ARGS_crossbar := --events 3000 --scenario none
COVERAGE_ARGS_request_unit := --events 10000
COVERAGE_ARGS_question_arbiter := --events 20000
COVERAGE_ARGS_way := --events 40000
COVERAGE_ARGS_asker := --events 20000
COVERAGE_ARGS_way_stores := --events 20000
COVERAGE_ARGS_pre_reduce := --events 40000
COVERAGE_ARGS_reduce_request := --events 5000
COVERAGE_ARGS_packet_manager_close := --events 20000
COVERAGE_ARGS_tile_tracker_csr := --events 60000
# Of the first six seeds 4 has most of what is rare: rows that are aborted, two flits of targets, buffers that nothing else frees.
COVERAGE_ARGS_packet_manager := --events 45000 --seed 4
COVERAGE_ARGS_tile_tracker := --events 20000
COVERAGE_ARGS_final_reduce := --events 60000
COVERAGE_ARGS_hub_control := --events 200000
COVERAGE_ARGS_switch_plane := --mix all --events 1500
# Misbehaviour of all kinds that may be in one run.
COVERAGE_ARGS_layer := --experts 4 --topk 3 --tokens 2 --hidden 160 --type bf16 --tile-shift 1 --rounds 4 --latency 13 \
	--memory-least 5 --memory-most 60 --stall mixed --nops 3 --store-parts 2 --bad-items 6 --bad-packets 60 --read-errors 8 \
	--write-errors 6 --threads 1 --watchdog 100000
COVERAGE_SEEDS := 1
# BENCH="name ...": only those
COVERAGE_RUNS := $(foreach b,$(or $(BENCH),%),$(filter $(b)/% $(if $(BENCH),,%),$(COVERAGE_RUNS)))
COVERAGE_DIR := build/coverage
# Every file must be in one of them; with BENCH= there is no verdict.
COVERAGE_FILES := $(if $(BENCH),,$(sort $(wildcard rtl/*/*.v)))
# Signals of up to 1024 bits have toggle points (default: 256): all but the larger memories.
COVERAGE_FLAGS := --coverage-line --coverage-toggle --coverage-max-width 1024 --output-split 0

.PHONY: coverage-counted
# $(call COVERAGE,BENCH,CONFIG)
define COVERAGE
$(COVERAGE_DIR)/$(1)/$(2)/counted.vlt: coverage-counted
	@mkdir -p $$(@D)
	@printf '%s\n' '`verilator_config' $(patsubst %,'coverage_off -file "%"',sim/tops/* \
		$(if $(COVERAGE_OF_$(1)),$(filter-out $(COVERAGE_OF_$(1)),$(wildcard rtl/*/*.v)))) > $$@.new
	@cmp -s $$@.new $$@ && rm $$@.new || mv $$@.new $$@
$(foreach m,V$($(2).top) $(foreach n,$($(2).models),$(call model_name,$(n))/obj/V$($(call model_config,$(n)).top)),\
	$(COVERAGE_DIR)/$(1)/$(2)/$(if $(findstring /,$(m)),,obj/)$(m).mk): $(COVERAGE_DIR)/$(1)/$(2)/counted.vlt
$(call SIM_PROGRAM,$(1),$(2),$(COVERAGE_DIR)/$(1)/$(2),$(COVERAGE_FLAGS) $(COVERAGE_DIR)/$(1)/$(2)/counted.vlt,\
	-DDUT_COVERAGE,build/sim/obj,build/lib/libmoehub.a,)
$(foreach s,$(COVERAGE_SEEDS),
$(COVERAGE_DIR)/$(1)/$(2)/$(s).dat: $(COVERAGE_DIR)/$(1)/$(2)/run
	@rm -f $$@.*.start $$@.*.end
	@DUT_COVERAGE=$$@ .ci/tools/run_bench 0 $$(@:.dat=.log) $$< --seed $(s) $(or $(COVERAGE_ARGS_$(1)),$(BENCH_$(1)_ARGS))
	@for end in $$@.*.end; do awk -f sim/coverage/settled.awk $$$${end%.end}.start $$$$end || exit 1; done > $$@.new
	@mv $$@.new $$@
COVERAGE_DATA += $(COVERAGE_DIR)/$(1)/$(2)/$(s).dat
)
endef
COVERAGE_DATA :=
$(foreach r,$(COVERAGE_RUNS),$(eval $(call COVERAGE,$(firstword $(subst /, ,$(r))),$(lastword $(subst /, ,$(r))))))

.PHONY: coverage coverage-report
# What counts is slow to compile: not optimised.
coverage: tools ## Line, branch and toggle coverage of the co-simulation, HTML, and what nothing reaches, with its reason (BENCH=)
	@command -v genhtml > /dev/null || { echo "coverage: genhtml is missing (Debian package lcov)"; exit 2; }
	@$(MAKE) --no-print-directory -j$(JOBS) coverage-report SIM_OPTIMISE=-O0
coverage-report: $(COVERAGE_DATA)
	@verilator_coverage --write-info $(COVERAGE_DIR)/coverage.info $(COVERAGE_DATA) > $(COVERAGE_DIR)/verilator_coverage.log
	@genhtml --quiet --branch-coverage --title moehub --output-directory $(COVERAGE_DIR)/html $(COVERAGE_DIR)/coverage.info \
		> $(COVERAGE_DIR)/genhtml.log 2>&1
	@sim/coverage/report $(COVERAGE_DIR) sim/coverage/blocks sim/coverage/waivers '$(COVERAGE_FILES)' $(COVERAGE_DATA)
	@echo "coverage: $(COVERAGE_DIR)/html/index.html"

TEST_ITEMS += coverage-report
TEST_coverage-report = sim/coverage/check build/coverage-check
CHECK_ITEMS += coverage-report
