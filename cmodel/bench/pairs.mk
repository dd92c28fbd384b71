# SPDX-License-Identifier: Apache-2.0
# All pairs of bf16 words: the model exhaustively, the RTL lanes on as many as LANE_PAIRS_SECONDS allow.
LANE_PAIRS_SECONDS ?= 600

BENCH_TARGETS += bench-pairs bench-lane-pairs
.PHONY: bench-pairs bench-lane-pairs

build/bench/pairs: cmodel/bench/pairs.c build/cmodel/libmoehub.a
	@mkdir -p $(@D)
	@echo "  LINK  $@"
	$(CMODEL_QUIET)$(CMODEL_CC) $(filter-out -MMD -MP,$(CMODEL_FLAGS)) $(CMODEL_OPTIMISE) -o $@ $^

bench-pairs: build/bench/pairs
	@$<

bench-lane-pairs: build/sim/lane/lane-16/run
	@$< --pairs 1 --seconds $(LANE_PAIRS_SECONDS) --events 18446744073709551615
