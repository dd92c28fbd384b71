# SPDX-License-Identifier: Apache-2.0
# Bench of the whole switch plane: a GPU at each port.
BENCHES += switch_plane
BENCH_switch_plane_SOURCES := sim/bench/common/link_wires.c sim/bench/common/packet_maker.c \
	$(addprefix sim/bench/switch/,crossbar_packets.c dispatch_rows.c output_queues.c reduction_payload.c switch_plane_check.c \
	switch_plane_commands.c switch_plane_command_scenarios.c switch_plane_down.c switch_plane_down_scenarios.c \
	switch_plane_packet_scenarios.c switch_plane_scene.c \
	switch_plane_config.c switch_plane_registers.c switch_plane_downlink.c switch_plane_gpu.c switch_plane_layer.c \
	switch_plane_log.c switch_plane_pins.c switch_plane_queue.c switch_plane_random.c switch_plane_rate.c \
	switch_plane_responder.c switch_plane_run.c switch_plane_scenarios.c switch_plane_trace.c switch_plane_traffic.c \
	switch_plane_uplink.c)
BENCH_switch_plane_CONFIGS := switch-two switch-three
BENCH_switch_plane_MEASURED := switch-eight
BENCH_switch_plane_ARGS := --events 16000
BENCH_switch_plane_REGRESS_ARGS := --events 235000 --resets 10
BENCH_switch_plane_REGRESS_LEAST := flits 10000000
# Large programs, which take long to compile.
$(foreach c,two three eight,$(eval switch-$(c).optimise := -O1))
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
	packet-answers-any counter-memory-visit-loses reduction-generation-stuck reduction-result-flit-lost) \
	$(addsuffix @switch-three,crossbar-join-cut crossbar-other-tag crossbar-circle-short crossbar-freed-with-copies \
	copy-buffer-compact-four crossbar-id-dropped reduction-duplicate-accepted reduction-foreign-accepted \
	places-share-forgets)
# Where they strike, so that nothing is run before it.
plane_fault_args = $(foreach f,$(2),$(eval BENCH_switch_plane_FAULT_ARGS_$(f) := $(1)))
$(call plane_fault_args,--scenario none --mix all,egress-one-flit-enough egress-credits-late receiver-unended-joined)
$(call plane_fault_args,--scenario none --mix falls,egress-cut-untold)
$(call plane_fault_args,--scenario refused-in-a-row,result-packer-error-data egress-mixes request-unit-found-late \
	request-unit-answer-lost places-share-forgets)
$(call plane_fault_args,--scenario line-ends,header-line-end)
$(call plane_fault_args,--scenario malformed,switch-report-header-lost csr-latch-overwritten)
$(call plane_fault_args,--scenario commands,port-state-revives-up port-state-set-above plane-state-limit-cut \
	switch-port-interrupt-lost plane-csr-ports-silent csr-interrupt-unmasked port-csr-credits-alike)
$(call plane_fault_args,--scenario drain,reduction-drain-ignored reduction-flush-busy reduction-flush-generation \
	reduction-interrupt-lost)
$(call plane_fault_args,--scenario timeout-limit,port-state-limit-passed port-state-tells-on plane-state-last-alone \
	switch-port-any-answer port-csr-down-raises)
$(call plane_fault_args,--scenario port-down,port-state-at-limit port-state-revive-keeps egress-down-sends egress-blocked-down \
	request-unit-asks-down request-unit-down-malformed)
$(call plane_fault_args,--scenario down-by-and-by,port-state-falls-by-4)
$(call plane_fault_args,--scenario down-in-a-packet,egress-discards-on)
$(call plane_fault_args,--scenario unasked-partials,reduction-duplicate-accepted reduction-foreign-accepted)

TEST_ITEMS += switch-plane-options
TEST_switch-plane-options = $(MAKE) build/sim/switch_plane/switch-two/run && \
	.ci/tools/check_switch_plane build/sim/switch_plane/switch-two/run

# Rates of whole layers, saturated sources, a loop of 874 cycles: build/bench/switch.json. A name, then the arguments.
SWITCH_RATE := build/sim/switch_plane/switch-eight/run
SWITCH_RATES := dispatch combine fused fused-bf16 mixtral-dispatch mixtral-combine mixtral-fused
SWITCH_RATE_dispatch := --phase dispatch
SWITCH_RATE_combine := --phase combine
SWITCH_RATE_fused := --phase fused
SWITCH_RATE_fused-bf16 := --phase fused --combine-lines 112
SWITCH_RATE_mixtral-dispatch := --phase dispatch --experts 8 --topk 2
SWITCH_RATE_mixtral-combine := --phase combine --experts 8 --topk 2
SWITCH_RATE_mixtral-fused := --phase fused --experts 8 --topk 2
BENCH_TARGETS += bench-switch
.PHONY: bench-switch
bench-switch: $(SWITCH_RATE)
	@mkdir -p build/bench/switch
	@set -e; $(foreach r,$(SWITCH_RATES),$(SWITCH_RATE) --rate 64 $(SWITCH_RATE_$(r)) --json build/bench/switch/$(r).json;)
	@jq -s 'map(.rate)' $(SWITCH_RATES:%=build/bench/switch/%.json) > build/bench/switch.json
	@jq -r '.[] | [.case, .ports, .tokens, .ideal_cycles, .cycles, .ratio, .steady_use, .bottleneck] | @tsv' build/bench/switch.json
