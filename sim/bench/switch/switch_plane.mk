# SPDX-License-Identifier: Apache-2.0
# Bench of the whole switch plane: a GPU at each port.
BENCHES += switch_plane
BENCH_switch_plane_SOURCES := sim/bench/common/link_wires.c sim/bench/common/packet_maker.c \
	$(addprefix sim/bench/switch/,crossbar_packets.c dispatch_rows.c output_queues.c reduction_payload.c switch_plane_check.c \
	switch_plane_config.c switch_plane_counters.c switch_plane_downlink.c switch_plane_gpu.c switch_plane_layer.c \
	switch_plane_log.c switch_plane_pins.c switch_plane_queue.c switch_plane_random.c switch_plane_rate.c \
	switch_plane_responder.c switch_plane_run.c switch_plane_scenarios.c switch_plane_traffic.c switch_plane_uplink.c)
BENCH_switch_plane_CONFIGS := switch-three switch-two
BENCH_switch_plane_ARGS := --events 30000
switch-eight.optimise := -O1
switch-three.optimise := -O1
# The smallest plane meets most of them within some thousand cycles; joins and tags of several copies take three ports.
BENCH_switch_plane_FAULTS := $(addsuffix @switch-two,switch-port-round-lost switch-port-own-contributes switch-report-flits-in \
	result-packer-line-lost result-packer-error-data result-header-source egress-one-flit-enough egress-mixes \
	egress-credits-late response-output-empty-lost response-output-fields-live response-output-notice-lost \
	response-output-keeps request-unit-any-grant request-unit-line-more request-unit-found-late request-unit-answer-lost \
	request-unit-last-full request-unit-release-lost places-share-forgets crossbar-append-lost crossbar-freed-with-copies \
	crossbar-id-dropped copy-buffer-compact-four store-body-early sender-grant-lost receiver-unended-joined \
	check-broken-forgotten header-line-end packet-answers-any counter-memory-visit-loses reduction-generation-stuck \
	reduction-duplicate-accepted reduction-result-flit-lost) \
	$(addsuffix @switch-three,crossbar-join-cut crossbar-other-tag crossbar-circle-short)
