# SPDX-License-Identifier: Apache-2.0
# Benches of what is behind a switch's crossbars.
BENCHES += egress
BENCH_egress_SOURCES := sim/bench/common/packet_draw.c sim/bench/common/packet_maker.c \
	$(addprefix sim/bench/switch/,egress_sources.c egress_waits.c)
BENCH_egress_CONFIGS := egress-odd egress-least egress-most egress egress-turns
BENCH_egress_ARGS := --events 400000
BENCH_egress_FAULTS := $(addprefix egress-,chooses-early flits-of-turn mixes credits-late one-flit-enough link-ignored \
	down-sends told-twice cut-untold cut-forgotten blocked-down gap turn-stays overtaken-kept response-starves store-starves \
	due-store-first due-early overtaken-poor overtaken-down discards-on idle-sending) \
	$(addsuffix @egress-turns,egress-class-turn-stays egress-class-turn-wanders)

BENCHES += result_packer
BENCH_result_packer_CONFIGS := $(addprefix result-packer-,2 1 4 8)
BENCH_result_packer_ARGS := --events 50000
BENCH_result_packer_FAULTS := result-packer-line-lost result-packer-entry-line result-packer-error-data \
	result-packer-flits-short result-packer-last-early result-packer-header-takes \
	result-packer-waits result-header-source

BENCHES += response_output
BENCH_response_output_SOURCES := sim/bench/common/packet_draw.c sim/bench/common/packet_maker.c
BENCH_response_output_CONFIGS := $(addprefix response-output,-odd -least -most) response-output
BENCH_response_output_ARGS := --events 100000
BENCH_response_output_FAULTS := $(addprefix response-output-,empty-lost fields-live empty-data room-more keeps open notice-lost)

BENCHES += port_state
BENCH_port_state_SOURCES := sim/bench/switch/brief_command_port.c
BENCH_port_state_CONFIGS := port-state
BENCH_port_state_ARGS := --events 800000
BENCH_port_state_FAULTS := $(addprefix port-state-,falls-by-4 at-limit zero-limit answer-lost revive-keeps revives-up set-above \
	tells-on limit-passed timeouts-wrap revive-timeouts revive-late below-zero) brief-command-early brief-command-open

BENCHES += plane_state
BENCH_plane_state_SOURCES := sim/bench/switch/brief_command_port.c
BENCH_plane_state_CONFIGS := $(addprefix plane-state-,3 2 8 64)
BENCH_plane_state_ARGS := --events 50000
BENCH_plane_state_FAULTS := $(addprefix plane-state-,visit-loses says-again last-alone sticky-lost limit-cut begins-at-1)
