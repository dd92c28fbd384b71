# SPDX-License-Identifier: Apache-2.0
# Bench of the whole switch plane: a GPU at each port.
BENCHES += switch_plane
BENCH_switch_plane_SOURCES := $(addprefix sim/bench/common/,link_wires.c packet_draw.c packet_log.c packet_maker.c) \
	$(addprefix sim/bench/switch/,crossbar_packets.c dispatch_rows.c ideal_plane.c layer_plan.c reduction_payload.c \
	switch_plane_check.c switch_plane_commands.c switch_plane_command_scenarios.c switch_plane_down.c \
	switch_plane_down_scenarios.c switch_plane_packet_scenarios.c switch_plane_scene.c \
	switch_plane_config.c switch_plane_registers.c switch_plane_downlink.c switch_plane_gpu.c switch_plane_layer.c \
	switch_plane_marks.c switch_plane_mark_scenarios.c switch_plane_outage.c \
	switch_plane_pins.c switch_plane_queue.c switch_plane_random.c switch_plane_rate.c \
	switch_plane_responder.c switch_plane_run.c switch_plane_scenarios.c switch_plane_trace.c switch_plane_traffic.c \
	switch_plane_uplink.c)
BENCH_switch_plane_CONFIGS := switch-two switch-three
BENCH_switch_plane_MEASURED := switch-eight switch-eight-2560 switch-eight-1024 switch-eight-256 switch-thirty-two \
	switch-thirty-two-256
BENCH_switch_plane_ARGS := --events 16000
BENCH_switch_plane_REGRESS_ARGS := --events 235000 --resets 10
BENCH_switch_plane_REGRESS_LEAST := flits 10000000
# Large programs. Ports, inputs and outputs share their code, as long as modules are not inlined
# and their inputs are not replaced by what drives them: a quarter of the code, and seven times the cycles a second.
$(foreach c,two three eight eight-2560 eight-1024 eight-256 thirty-two thirty-two-256,\
	$(eval switch-$(c).verilate := --inline-mult 2000 -fno-gate))
# Read flat, 32 ports take Verilator 12 minutes; a port by itself, 2. With 8 ports that is two thirds as fast to simulate.
$(foreach n,thirty-two thirty-two-256,$(eval switch-$(n).verilate += --hierarchical sim/bench/switch/switch_plane.vlt))
# The smallest plane meets most of them within some thousand cycles; joins, several copies of a packet and several
# contributors take three ports.
BENCH_switch_plane_FAULTS := $(addsuffix @switch-two,switch-port-round-lost switch-port-own-contributes switch-report-flits-in \
	result-packer-line-lost result-packer-error-data result-header-source egress-one-flit-enough egress-mixes \
	egress-credits-late egress-cut-untold egress-down-sends egress-blocked-down egress-discards-on \
	response-output-empty-lost response-output-fields-live response-output-notice-lost \
	response-output-keeps request-unit-any-grant request-unit-line-more request-unit-found-late request-unit-last-full \
	request-unit-answer-lost request-unit-asks-down request-unit-down-malformed header-line-end \
	port-state-falls-by-4 port-state-at-limit port-state-revive-keeps port-state-limit-passed port-state-tells-on \
	port-state-revives-up port-state-set-above plane-state-last-alone plane-state-limit-cut \
	switch-port-interrupt-lost switch-port-any-answer switch-report-header-lost csr-interrupt-unmasked csr-latch-overwritten \
	plane-csr-ports-silent port-csr-down-raises port-csr-credits-alike reduction-drain-ignored reduction-flush-busy \
	reduction-flush-generation reduction-interrupt-lost \
	crossbar-append-lost store-body-early sender-grant-lost sender-credits-wrap receiver-unended-joined \
	packet-answers-any counter-memory-visit-loses reduction-generation-stuck reduction-result-flit-lost \
	port-csr-levels-swapped port-csr-marks-swapped csr-high-water-stuck csr-high-water-falls switch-report-places-early \
	switch-top-other-records reduction-occupancy-groups switch-port-group-timeout switch-port-port-timeout) \
	$(addsuffix @switch-three,crossbar-join-cut crossbar-circle-short crossbar-freed-with-copies \
	copy-buffer-compact-four crossbar-id-dropped reduction-duplicate-accepted reduction-foreign-accepted \
	request-unit-release-lost)
# Where they strike, so that nothing is run before it.
plane_fault_args = $(foreach f,$(2),$(eval BENCH_switch_plane_FAULT_ARGS_$(f) := $(1)))
$(call plane_fault_args,--scenario none --mix all,egress-one-flit-enough egress-credits-late receiver-unended-joined)
$(call plane_fault_args,--scenario none --mix falls,egress-cut-untold)
$(call plane_fault_args,--scenario none --mix downs,egress-down-sends request-unit-asks-down port-state-limit-passed)
$(call plane_fault_args,--scenario refused-in-a-row,result-packer-error-data egress-mixes request-unit-found-late \
	request-unit-answer-lost)
$(call plane_fault_args,--scenario line-ends,header-line-end)
$(call plane_fault_args,--scenario malformed,switch-report-header-lost csr-latch-overwritten)
$(call plane_fault_args,--scenario commands,port-state-revives-up port-state-set-above plane-state-limit-cut \
	switch-port-group-timeout switch-port-port-timeout switch-port-interrupt-lost plane-csr-ports-silent \
	csr-interrupt-unmasked port-csr-credits-alike)
$(call plane_fault_args,--scenario high-water,port-csr-levels-swapped port-csr-marks-swapped csr-high-water-stuck \
	csr-high-water-falls switch-report-places-early switch-top-other-records reduction-occupancy-groups)
$(call plane_fault_args,--scenario drain,reduction-drain-ignored reduction-flush-busy reduction-flush-generation \
	reduction-interrupt-lost)
$(call plane_fault_args,--scenario timeout-limit,port-state-tells-on plane-state-last-alone \
	switch-port-any-answer port-csr-down-raises)
$(call plane_fault_args,--scenario port-down,port-state-at-limit port-state-revive-keeps egress-blocked-down)
$(call plane_fault_args,--scenario port-down --events 40000,request-unit-down-malformed)
$(call plane_fault_args,--scenario down-by-and-by,port-state-falls-by-4)
$(call plane_fault_args,--scenario down-in-a-packet,egress-discards-on)
$(call plane_fault_args,--scenario released-in-a-row,request-unit-release-lost)
$(call plane_fault_args,--scenario unasked-partials,reduction-duplicate-accepted reduction-foreign-accepted)

TEST_ITEMS += switch-plane-options
TEST_switch-plane-options = $(MAKE) build/sim/switch_plane/switch-two/run && \
	.ci/tools/check_switch_plane build/sim/switch_plane/switch-two/run

# ---- rates of whole layers ---------------------------------------------------------------------
# Saturated sources, a loop of 874 cycles: build/bench/switch.json, and as a table build/bench/switch.md. All takes more than
# half an hour; CASES="dispatch fused combine" some minutes.
# $(call switch_case,CASE,PLANE,TOKENS,ARGUMENTS)
define SWITCH_CASE
SWITCH_CASES += $(1)
.PHONY: bench-switch-case-$(1)
bench-switch-case-$(1): build/sim/switch_plane/switch-$(2)/run build/bench/switch/hot.placement
	@.ci/tools/bench_switch build/bench/switch/$(1) $$< --case $(1) --rate $(3) $(4)
endef
switch_case = $(eval $(call SWITCH_CASE,$(strip $(1)),$(strip $(2)),$(strip $(3)),$(strip $(4))))

$(call switch_case,dispatch,eight,64,--phase dispatch)
$(call switch_case,fused,eight,64,--phase fused)
$(call switch_case,fused-fp8-bf16,eight,64,--phase fused --combine-lines 112)
$(call switch_case,combine,eight,64,--phase combine)
$(call switch_case,combine-one-row,eight,64,--phase combine --rows-in-flight 1)
$(call switch_case,combine-1024-places,eight-1024,64,--phase combine)
$(call switch_case,fused-1024-places,eight-1024,64,--phase fused)
$(call switch_case,combine-256-entries,eight-256,64,--phase combine)
$(call switch_case,mixtral-dispatch,eight,64,--phase dispatch --experts 8 --topk 2)
$(call switch_case,mixtral-dispatch-8-rows,eight,64,--phase dispatch --experts 8 --topk 2 --rows-in-turn 8)
$(call switch_case,mixtral-dispatch-64-rows,eight,64,--phase dispatch --experts 8 --topk 2 --rows-in-turn 64)
$(call switch_case,mixtral-dispatch-2560-places,eight-2560,64,--phase dispatch --experts 8 --topk 2)
$(call switch_case,mixtral-dispatch-2560-places-8-rows,eight-2560,64,--phase dispatch --experts 8 --topk 2 --rows-in-turn 8)
$(call switch_case,mixtral-combine,eight,64,--phase combine --experts 8 --topk 2)
$(call switch_case,mixtral-combine-64-rows,eight,64,--phase combine --experts 8 --topk 2 --rows-in-flight 64)
$(call switch_case,mixtral-fused,eight,64,--phase fused --experts 8 --topk 2)
$(call switch_case,mixtral-fused-64-rows,eight,64,--phase fused --experts 8 --topk 2 --rows-in-flight 64)
# Lists of 16 and 32 targets; half of all experts at one GPU; some experts chosen more often. Equal work for all.
$(foreach p,dispatch combine fused,\
	$(call switch_case,$(p)-top-16,eight,8,--phase $(p) --topk 16) \
	$(call switch_case,$(p)-top-32,eight,8,--phase $(p) --topk 32) \
	$(call switch_case,$(p)-hot,eight,8,--phase $(p) --placement build/bench/switch/hot.placement) \
	$(call switch_case,$(p)-skew,eight,8,--phase $(p) --routing zipf:1) \
	$(call switch_case,$(p)-equal,eight,64,--phase $(p) --turned 1))
# Recorded routers, where they are: name of the trace, experts, top-k.
define SWITCH_TRACE
$(foreach file,$(wildcard ../shared/traces/$(1).layer0.jsonl),$(foreach p,dispatch combine fused,\
	$(call switch_case,$(p)-$(1),eight,64,--phase $(p) --routing trace:$(file) --experts $(2) --topk $(3))))
endef
$(call SWITCH_TRACE,olmoe-1b-7b,64,8)
$(call SWITCH_TRACE,qwen1.5-moe-a2.7b,60,4)
$(call switch_case,dispatch-32-ports,thirty-two,64,--phase dispatch)
$(call switch_case,combine-32-ports,thirty-two,64,--phase combine)
$(call switch_case,fused-32-ports,thirty-two,64,--phase fused)
$(call switch_case,fused-32-ports-128-tokens,thirty-two,128,--phase fused)
$(call switch_case,combine-32-ports-256-entries,thirty-two-256,64,--phase combine)
$(call switch_case,fused-32-ports-256-entries,thirty-two-256,64,--phase fused)

build/bench/switch/hot.placement:
	@mkdir -p $(@D)
	@seq 0 255 | awk '{ print $$1, $$1 < 128 ? 0 : 1 + $$1 % 7 }' > $@

CASES ?= $(SWITCH_CASES)
$(if $(filter-out $(SWITCH_CASES),$(CASES)),$(error no case $(filter-out $(SWITCH_CASES),$(CASES)); there are: $(SWITCH_CASES)))
BENCH_TARGETS += bench-switch
.PHONY: bench-switch bench-switch-table
bench-switch: $(CASES:%=bench-switch-case-%) ## Rates of switch planes beside ideal ones, build/bench/switch.json (CASES=)
	@$(MAKE) --no-print-directory bench-switch-table
# Of what has been measured.
bench-switch-table:
	@jq -s 'map(.rate)' $(CASES:%=build/bench/switch/%.json) > build/bench/switch.json
	@jq -L sim/kit -r --arg command 'make bench-switch' --arg commit "$$(.ci/tools/commit)" --arg date "$$(date +%F)" \
		-f sim/bench/switch/switch_rates.jq build/bench/switch.json > build/bench/switch.md
	@cat build/bench/switch.md

# The judge of the rates, of planes and crossbars, against closed forms and a simulation of output queues.
IDEAL_PLANE_TEST := build/sim/tests/test_ideal_plane
$(IDEAL_PLANE_TEST): $(addprefix build/sim/obj/,tests/test_ideal_plane.o bench/common/packet_draw.o \
		$(addprefix bench/switch/,ideal_plane.o layer_plan.o dispatch_rows.o crossbar_packets.o)) \
		build/sim/obj/libkit.a build/lib/libmoehub.a
	@mkdir -p $(@D)
	@$(SIM_CC) -o $@ $^ -lcmocka $(SIM_LIBS)
TEST_ITEMS += unit-ideal-plane
TEST_unit-ideal-plane = $(MAKE) $(IDEAL_PLANE_TEST) && $(IDEAL_PLANE_TEST)
