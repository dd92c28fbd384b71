# SPDX-License-Identifier: Apache-2.0
# A layer of several GPUs through hubs, links and switch in RTL. Eight GPUs take three minutes to build: for `make layer`.
BENCHES += layer
BENCH_layer_SOURCES := sim/bench/common/packet_log.c sim/bench/switch/switch_plane_pins.c \
	$(addprefix sim/bench/system/,gpu.c gpu_abort.c gpu_bad_items.c gpu_layout.c gpu_manners.c gpu_memory.c gpu_nops.c \
	gpu_program.c gpu_rounds.c gpu_stores.c gpu_write_errors.c hub_check.c layer_arguments.c layer_counters.c layer_occupancy.c \
	layer_options.c layer_report.c layer_stalls.c layer_supervise.c layer_system.c layer_tiles.c layer_timeline.c \
	layer_values.c layer_verdict.c layer_watch.c link_injector.c link_packet.c plane_program.c software.c system_hub.c \
	system_link.c system_plane.c workers.c)
BENCH_layer_CONFIGS := layer-three layer-two
BENCH_layer_MEASURED := $(LAYER_LARGE:%=layer-%)
BENCH_layer_ARGS := --hidden 512 --experts 16 --topk 4 --tokens 8 --rounds 2 --stall mixed --tile-shift 1 --latency 60 \
	--memory-least 20 --memory-most 90 --watchdog 30000 --nops 3 --store-parts 2
BENCH_layer_FAULT_ARGS := --hidden 512 --experts 16 --topk 4 --tokens 5 --rounds 2 --stall mixed --tile-shift 1 --latency 60 \
	--memory-least 20 --memory-most 90 --watchdog 12000 --nops 3 --store-parts 2
BENCH_layer_REGRESS_ARGS := --hidden 512 --experts 16 --topk 4 --tokens 40 --stall mixed --tile-shift 2
BENCH_layer_FAULTS := question-tag-of-port question-operation-stuck own-partial-link final-ports-swapped \
	switch-report-flits-in tracker-csr-events-shifted manager-nop-untold manager-nop-of-latest completed-unanswered \
	manager-enables-missing reader-enables-ignored
LAYER_CONFIGS := $(foreach n,two three $(LAYER_LARGE),layer-$(n) layer-hub-$(n))
$(foreach c,$(LAYER_CONFIGS),$(eval $(c).verilate := --inline-mult 2000 -fno-gate))
# Large ones run longest, and -O2 takes 7 % of that.
$(foreach n,$(LAYER_EIGHTS) $(LAYER_OWN) sixteen,$(foreach c,layer-$(n) layer-hub-$(n),\
	$(eval $(c).optimise := -O2)$(eval $(c).parallel := 1)))
# Read flat, 16 ports take an hour to compile. A port by itself does not tell which of its outputs follow which inputs: not worth
# a warning.
ifneq ($(filter-out 2 3 4 5 6 7 8,$(LAYER_GPUS)),)
layer-$(LAYER_OWN).verilate += --hierarchical -Wno-UNOPTFLAT sim/bench/switch/switch_plane.vlt
endif

TEST_ITEMS += layer-report layer-same layer-conditions layer-withheld layer-refused layer-random layer-falls layer-traces \
	layer-hubs layer-faults
LONG_ITEMS += layer-traces layer-hubs layer-faults faults-layer
TEST_layer-report = $(MAKE) build/sim/layer/layer-two/run && .ci/tools/check_layer build/sim/layer/layer-two/run
$(foreach i,conditions withheld refused falls,$(eval TEST_layer-$(i) = $$(MAKE) build/sim/layer/layer-three/run && \
	.ci/tools/check_layer_$(i) build/sim/layer/layer-three/run))
# The same layer on 1 and 2 planes; on 1, 2 and 4 it takes a build of some minutes more.
LAYER_SAME := $(foreach n,two pair,build/sim/layer/layer-$(n)/run)
LAYER_SAME_ALL := $(foreach n,least pair links,build/sim/layer/layer-$(n)/run)
TEST_layer-same = $(MAKE) $(LAYER_SAME) && .ci/tools/check_layer_same $(LAYER_SAME)
.PHONY: layer-same
layer-same: $(LAYER_SAME_ALL) ## The same layer on 1, 2 and 4 planes, slow links, ten orders of events: the same bits
	@.ci/tools/check_layer_same $(LAYER_SAME_ALL)
TEST_layer-random = $(MAKE) build/sim/layer/layer-three/run && .ci/tools/layer_random long 4 1 layer-three && \
	.ci/tools/layer_random short 10 1 layer-three
TEST_layer-traces = $(MAKE) build/sim/layer/layer-two/run build/sim/layer/layer-two/faults/run && \
	.ci/tools/check_layer_traces build/sim/layer/layer-two/run build/sim/layer/layer-two/faults/run
TEST_layer-hubs = $(MAKE) build/sim/layer/layer-three/run build/sim/layer/layer-three/faults/run && \
	.ci/tools/check_layer_hubs build/sim/layer/layer-three/run build/sim/layer/layer-three/faults/run
TEST_layer-faults = $(MAKE) build/sim/layer/layer-three/faults/run && \
	.ci/tools/check_layer_faults build/sim/layer/layer-three/faults/run

BESIDE_ITEMS += layer-% bench-layer sanitize-layer faults-layer

# What the packet level of the system model takes for latencies of an idle hub and switch, and how far it is off on a small layer.
TEST_ITEMS += layer-packet-level
TEST_layer-packet-level = $(MAKE) build/sim/layer/layer-two/run build/bin/moehub && \
	.ci/tools/check_layer_packet_level build/sim/layer/layer-two/run
.PHONY: calibrate
calibrate: build/sim/layer/layer-two/run ## Constants of the packet level by their sources (cmodel/machines/rtl.*)
	@.ci/tools/calibrate build/calibrate $< cmodel/machines/rtl.packet cmodel/machines/rtl.hub
	@git diff --stat -- cmodel/machines

.PHONY: layer layer-size
# Of 8 GPUs on one plane, or of GPUS= on PLANES= with room for each MODEL=, which is built first.
LAYER_NAME := $(if $(MODEL)$(GPUS)$(PLANES),$(LAYER_OWN),eight)
LAYER_RUN := build/sim/layer/layer-$(LAYER_NAME)/run
layer: layer-size ## A layer of 8 GPUs through hubs and switch in RTL (MODEL= GPUS= PLANES= TOKENS= ROUTING= TRACE= SEED= ARGS=)
	@$(MAKE) --no-print-directory -j$(JOBS) $(LAYER_RUN)
	@.ci/tools/layer build/cosim $(LAYER_RUN) $(call bench_option,--model,$(MODEL)) --tokens $(or $(TOKENS),8) --tile-shift 1 \
		--seed $(or $(SEED),1) $(call bench_option,--routing,$(if $(TRACE),trace:$(TRACE),$(ROUTING))) $(ARGS)
layer-size:
ifeq ($(LAYER_NAME),)
	@echo "make layer: GPUS= is 2 to 64, PLANES= 1 to 4" >&2; exit 2
endif

# Random runs in configurations with every buffer at its smallest, 2 to 16 GPUs, 1 to 4 links; part of `make regress`.
LAYER_RANDOM_CONFIGS := layer-three layer-links layer-five layer-sixteen layer-two
.PHONY: layer-random
layer-random: $(LAYER_RANDOM_CONFIGS:%=build/sim/layer/%/run) ## Random layers of 2 to 16 GPUs in smallest buffers (RUNS= SEED=)
	@.ci/tools/layer_random long $(or $(RUNS),60) $(or $(SEED),1000) $(LAYER_RANDOM_CONFIGS)
# The smallest layers, where something is full most of the time; most of them of two GPUs, which take a third of a second.
LAYER_SMALL_CONFIGS := layer-three $(foreach n,1 2 3 4 5,layer-least) layer-links $(foreach n,1 2 3 4 5,layer-least)
.PHONY: layer-small
layer-small: $(sort $(LAYER_SMALL_CONFIGS:%=build/sim/layer/%/run)) ## The same, small ones, by the thousand (RUNS= SEED=)
	@.ci/tools/layer_random short $(or $(RUNS),1000) $(or $(SEED),1) $(LAYER_SMALL_CONFIGS)
ifneq ($(filter layer,$(or $(BENCH),layer)),)
regress: layer-random layer-small layer-same
endif
