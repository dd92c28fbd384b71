# SPDX-License-Identifier: Apache-2.0
# Bench of a whole way.
BENCHES += way
BENCH_way_SOURCES := sim/bench/hub/way_stores_model.c sim/bench/common/packet_draw.c sim/bench/common/packet_maker.c
BENCH_way_CONFIGS := $(addprefix watched-way-,$(WAY_CONFIGURATIONS))
BENCH_way_ARGS := --events 300000
