# SPDX-License-Identifier: Apache-2.0
# Benches of what is behind a switch's crossbars.
BENCHES += egress
BENCH_egress_SOURCES := sim/bench/common/packet_maker.c $(addprefix sim/bench/switch/,egress_sources.c egress_waits.c)
BENCH_egress_CONFIGS := egress-odd egress-least egress-most egress
BENCH_egress_ARGS := --events 400000
BENCH_egress_FAULTS := $(addprefix egress-,chooses-early flits-of-turn mixes credits-late one-flit-enough link-ignored down-sends \
	told-twice cut-untold cut-forgotten blocked-down gap turn-stays overtaken-kept response-starves store-starves \
	due-store-first due-early overtaken-poor overtaken-down discards-on idle-sending)
