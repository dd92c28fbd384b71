# SPDX-License-Identifier: Apache-2.0
# Bench of the request unit beside a crossbar at one store.
BENCHES += request_unit
BENCH_request_unit_SOURCES := sim/bench/switch/request_unit_port.c
BENCH_request_unit_CONFIGS := $(addprefix shared-request-unit-,$(REQUEST_UNIT_CONFIGURATIONS))
BENCH_request_unit_ARGS := --events 60000
BENCH_request_unit_REGRESS_ARGS := --events 300000
