# SPDX-License-Identifier: Apache-2.0
# Bench of the crossbar behind its packet stores.
BENCHES += crossbar
BENCH_crossbar_SOURCES := sim/bench/common/packet_draw.c \
	$(addprefix sim/bench/switch/,crossbar_config.c crossbar_fair_scenarios.c crossbar_inputs.c \
	crossbar_order_scenarios.c crossbar_outputs.c crossbar_packets.c crossbar_rate.c crossbar_rate_scenarios.c crossbar_rows.c \
	crossbar_run.c crossbar_scene.c crossbar_streams.c crossbar_traffic.c crossbar_waits.c dispatch_links.c dispatch_rows.c \
	ideal_plane.c layer_plan.c)
BENCH_crossbar_CONFIGS := $(addprefix stored-crossbar-,$(CROSSBAR_CONFIGURATIONS))
BENCH_crossbar_QUICK := $(addprefix stored-crossbar-,three least requests requests-least responses responses-least)
BENCH_crossbar_MEASURED := stored-crossbar-thirty-two stored-crossbar-sixty-four
BENCH_crossbar_ARGS := --events 20000
BENCH_crossbar_FAULTS := $(addsuffix @stored-crossbar-three,crossbar-freed-early crossbar-join-cut crossbar-circle-short \
	crossbar-asks-closed crossbar-head-overwritten crossbar-no-ahead crossbar-room-ignored crossbar-split-at-flit \
	crossbar-append-lost crossbar-id-dropped copy-buffer-compact-four copy-buffer-second-word \
	crossbar-loaded-youngest crossbar-join-uncounted hungry-for-ever crossbar-hungry-last crossbar-loads-first crossbar-loads-over \
	crossbar-left-lost crossbar-begins-together) \
	hungry-never@stored-crossbar-requests crossbar-never-aged@stored-crossbar-requests \
	crossbar-aged-unread@stored-crossbar-requests \
	crossbar-other-tag@stored-crossbar-requests crossbar-room-ignored@stored-crossbar-responses-least
BENCH_crossbar_REGRESS_ARGS := --events 100000 --resets 10

# Rate of a dispatch against ideal output queues: the figures, and a short run of the same in the tests (its bar is part of the
# program).
CROSSBAR_RATE := build/sim/crossbar/stored-crossbar-eight/run
BENCH_TARGETS += bench-crossbar
.PHONY: bench-crossbar sim-crossbar-rate
bench-crossbar: $(CROSSBAR_RATE) $(BENCH_crossbar_MEASURED:%=build/sim/crossbar/%/run) ## A dispatch against ideal output queues
	@for seed in 1 2 3; do $(CROSSBAR_RATE) --rate 64 --seed $$seed || exit 1; done
	@for crossbar in $(BENCH_crossbar_MEASURED); do build/sim/crossbar/$$crossbar/run --rate 64 || exit 1; done
# A short loop, since the small store holds little; with a deliberate bug the bar has to stop it.
CROSSBAR_RATE_SMALL := build/sim/crossbar/stored-crossbar-three/faults
CROSSBAR_RATE_SMALL_ARGS := --rate 8 --experts 48 --loop 100
sim-crossbar-rate: $(CROSSBAR_RATE) $(CROSSBAR_RATE_SMALL)/run
	@$(CROSSBAR_RATE) --rate 8
	@$(CROSSBAR_RATE_SMALL)/run $(CROSSBAR_RATE_SMALL_ARGS)
	@.ci/tools/run_bench 1 $(CROSSBAR_RATE_SMALL)/rate.log $(CROSSBAR_RATE_SMALL)/run $(CROSSBAR_RATE_SMALL_ARGS) \
		--fault crossbar-no-ahead
TEST_ITEMS += crossbar-rate
TEST_crossbar-rate = $(MAKE) sim-crossbar-rate

# What the rows of a layer send.
DISPATCH_ROWS_TEST := build/sim/tests/test_dispatch_rows
$(DISPATCH_ROWS_TEST): $(addprefix build/sim/obj/,tests/test_dispatch_rows.o bench/common/packet_draw.o \
		$(addprefix bench/switch/,dispatch_rows.o crossbar_packets.o)) build/sim/obj/libkit.a build/lib/libmoehub.a
	@mkdir -p $(@D)
	@$(SIM_CC) -o $@ $^ -lcmocka $(SIM_LIBS)
TEST_ITEMS += unit-dispatch-rows
TEST_unit-dispatch-rows = $(MAKE) $(DISPATCH_ROWS_TEST) && $(DISPATCH_ROWS_TEST)
