# SPDX-License-Identifier: Apache-2.0
# Bench of the hub's contexts with the registers of the control window.
BENCHES += hub_control
BENCH_hub_control_SOURCES := sim/bench/common/csr_bench.c sim/bench/hub/hub_control_draw.c
BENCH_hub_control_CONFIGS := $(addprefix watched-control-,$(HUB_CONTROL_CONFIGURATIONS))
BENCH_hub_control_QUICK := $(addprefix watched-control-,default least five)
BENCH_hub_control_ARGS := --events 500000
BENCH_hub_control_REGRESS_ARGS := --events 2000000
BENCH_hub_control_FAULT_ARGS := --events 300000
BENCH_hub_control_FAULTS := control-waits-for-nobody control-one-block-unseen@watched-control-two control-advance-in-flight \
	control-advance-enabled control-closes-unseen control-requests-of-one-way control-stores-of-one-way control-rows-half-seen \
	control-notify-unseen control-reduces-unseen control-table-unseen control-refused-acts control-sets-dirty \
	control-enables-alone control-enables-unset control-closes-twice control-closes-disabled control-aborts-clean \
	control-aborts-closed control-clean-before-pairs control-pause-short control-forgets-nobody control-abort-closes \
	control-region-expert control-missing-arrived control-state-swapped control-result-kept control-flag-of-ways \
	control-flag-of-table control-other-context control-uncounted control-operation-untold control-failed-silent \
	context-flag-while-clean context-arrived-stays context-stays-clean context-abort-unflagged context-abort-open \
	context-round-stands context-given-early context-timeouts-swapped operands-own-no-peer operands-owner-one-less \
	operands-tokens-one-more operands-list-unaligned operands-list-beyond operands-list-shift@watched-control-two \
	operands-tile-shift operands-tiles-one-more operands-expert-one-more operands-region-one-more operands-region-slots \
	operands-blocks-second operands-timeout-none operands-timeout-long operands-any-operation control-operands-live \
	control-windows-shifted@watched-control-two control-own-window-lost control-interrupt-of-four control-result-halves \
	control-status-enabled control-raised-swapped control-in-flight-untold
