# SPDX-License-Identifier: Apache-2.0
# Header check and packet check: a switch port's and a hub's.
CHECK_CONFIGURATIONS := -odd -small -large -hub -hub-small -loop
CHECK_SOURCES := $(addprefix sim/bench/common/,packet_draw.c packet_maker.c cause_count.c)

BENCHES += header_check
BENCH_header_check_SOURCES := $(CHECK_SOURCES)
BENCH_header_check_CONFIGS := header-check $(addprefix header-check,$(CHECK_CONFIGURATIONS))
BENCH_header_check_ARGS := --events 200000
BENCH_header_check_FAULTS := $(addsuffix @header-check,header-line-end header-class-any header-row-end header-status-length \
	header-byte-enables header-target-flits header-source-any header-field-zero) header-most-targets@header-check-odd \
	$(addsuffix @header-check-hub,header-hub-own header-local-beyond header-compact-any header-locals-equal) \
	$(addsuffix @header-check-loop,header-loop-result header-loop-source)

BENCHES += packet_check
BENCH_packet_check_SOURCES := $(CHECK_SOURCES) sim/bench/common/plane_mark.c
BENCH_packet_check_CONFIGS := packet-check $(addprefix packet-check,$(CHECK_CONFIGURATIONS))
BENCH_packet_check_ARGS := --events 200000
BENCH_packet_check_FAULTS := $(addsuffix @packet-check,check-unused-any check-too-long check-broken-forgotten check-wrong-late \
	check-refuses-field check-ports-kept packet-id-beside packet-answers-any packet-headerless packet-copies-beside \
	packet-refused-lost packet-result-is-partial packet-count-stuck packet-ports-unused)
