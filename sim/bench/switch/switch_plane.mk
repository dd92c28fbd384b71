# SPDX-License-Identifier: Apache-2.0
# Bench of the whole switch plane: a GPU at each port.
BENCHES += switch_plane
BENCH_switch_plane_SOURCES := sim/bench/common/link_wires.c sim/bench/common/packet_maker.c \
	$(addprefix sim/bench/switch/,crossbar_packets.c dispatch_rows.c output_queues.c reduction_payload.c switch_plane_check.c \
	switch_plane_commands.c switch_plane_command_scenarios.c switch_plane_down.c switch_plane_down_scenarios.c \
	switch_plane_packet_scenarios.c switch_plane_scene.c \
	switch_plane_config.c switch_plane_registers.c switch_plane_downlink.c switch_plane_gpu.c switch_plane_layer.c \
	switch_plane_log.c switch_plane_pins.c switch_plane_queue.c switch_plane_random.c switch_plane_rate.c \
	switch_plane_responder.c switch_plane_run.c switch_plane_scenarios.c switch_plane_traffic.c switch_plane_uplink.c)
BENCH_switch_plane_CONFIGS := switch-two switch-three
BENCH_switch_plane_MEASURED := switch-eight
BENCH_switch_plane_ARGS := --events 40000
BENCH_switch_plane_REGRESS_ARGS := --events 200000 --resets 10
# Large programs, which take long to compile.
$(foreach c,two three eight,$(eval switch-$(c).optimise := -O1))
# The smallest plane meets most of them within some thousand cycles; joins, several copies of a packet and several
# contributors take three ports.
BENCH_switch_plane_FAULTS := $(addsuffix @switch-two,switch-port-round-lost switch-port-own-contributes switch-report-flits-in \
	result-packer-line-lost result-packer-error-data result-header-source egress-one-flit-enough egress-mixes \
	egress-credits-late egress-cut-untold response-output-empty-lost response-output-fields-live response-output-notice-lost \
	response-output-keeps request-unit-any-grant request-unit-line-more request-unit-found-late request-unit-last-full \
	crossbar-append-lost store-body-early sender-grant-lost sender-credits-wrap receiver-unended-joined \
	packet-answers-any counter-memory-visit-loses reduction-generation-stuck reduction-result-flit-lost) \
	$(addsuffix @switch-three,crossbar-join-cut crossbar-other-tag crossbar-circle-short crossbar-freed-with-copies \
	copy-buffer-compact-four crossbar-id-dropped reduction-duplicate-accepted)

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
