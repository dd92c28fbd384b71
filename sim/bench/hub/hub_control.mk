# SPDX-License-Identifier: Apache-2.0
# Bench of the hub's contexts with the registers of the control window.
BENCHES += hub_control
BENCH_hub_control_SOURCES := sim/bench/common/csr_bench.c sim/bench/hub/hub_control_draw.c
BENCH_hub_control_CONFIGS := $(addprefix watched-control-,$(HUB_CONTROL_CONFIGURATIONS))
BENCH_hub_control_ARGS := --events 200000
BENCH_hub_control_REGRESS_ARGS := --events 1000000
BENCH_hub_control_FAULTS :=
