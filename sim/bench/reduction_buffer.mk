# SPDX-License-Identifier: Apache-2.0
# Benches of the switch's reduction buffer: the block alone, and the block behind its registers.
REDUCTION_SOURCES := $(addprefix sim/bench/,reduction_check.c reduction_config.c reduction_payload.c reduction_port.c reduction_traffic.c)

BENCHES += reduction_buffer
BENCH_reduction_buffer_SOURCES := $(REDUCTION_SOURCES) $(addprefix sim/bench/,reduction_scenarios.c reduction_script.c reduction_throughput.c)
BENCH_reduction_buffer_CONFIGS := $(addprefix reduction-,$(REDUCTION_CONFIGURATIONS))
BENCH_reduction_buffer_ARGS := --events 50000
BENCH_reduction_buffer_REGRESS_ARGS := --events 500000 --resets 20

BENCHES += switch_reduction_unit
BENCH_switch_reduction_unit_SOURCES := $(REDUCTION_SOURCES)
BENCH_switch_reduction_unit_CONFIGS := $(addprefix switch-unit-,$(SWITCH_UNIT_CONFIGURATIONS))
BENCH_switch_reduction_unit_ARGS := --events 30000
BENCH_switch_reduction_unit_REGRESS_ARGS := --events 200000
