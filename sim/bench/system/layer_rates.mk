# SPDX-License-Identifier: Apache-2.0
# Rates of whole layers of 8 GPUs, unfused and fused, and of dispatches alone: build/bench/layer.json, and as a table
# build/bench/layer.md. All takes more than half an hour; LAYER_CASES="fp8-bf16" some minutes.

# $(call layer_case,CASE,ARGUMENTS[,CONFIGURATION]): a layer unfused and fused
define LAYER_CASE
LAYER_CASES_ALL += $(1)
.PHONY: bench-layer-case-$(1)
bench-layer-case-$(1): build/sim/layer/$(or $(3),layer-eight)/run
	@mkdir -p build/bench/layer
	@echo "  BENCH layer $(1)"
	@.ci/tools/layer build/bench/layer/$(1) $$< --seed $$(or $$(SEED),1) $(2) > build/bench/layer/$(1).txt || \
		{ cat build/bench/layer/$(1).txt; exit 1; }
endef
layer_case = $(eval $(call LAYER_CASE,$(strip $(1)),$(strip $(2)),$(strip $(3))))

$(call layer_case,fp8-bf16,--tokens 64 --tile-shift 1)
$(call layer_case,fp8-bf16-tiles-of-1-row,--tokens 64 --tile-shift 0)
$(call layer_case,fp8-bf16-2-rows-open,--tokens 64 --tile-shift 0 --rows-open 2)
$(call layer_case,fp8-bf16-tiles-of-2-rows-2-rows-open,--tokens 64 --tile-shift 1 --rows-open 2)
$(call layer_case,fp8-bf16-row-by-row,--tokens 64 --tile-shift 1 --rows-open 1)
$(call layer_case,bf16-bf16,--tokens 64 --tile-shift 1 --type bf16)
$(call layer_case,bf16-bf16-tiles-of-1-row,--tokens 64 --tile-shift 0 --type bf16)
$(call layer_case,bf16-bf16-2-rows-open,--tokens 64 --tile-shift 0 --type bf16 --rows-open 2)
$(call layer_case,bf16-bf16-row-by-row,--tokens 64 --tile-shift 0 --type bf16 --rows-open 1)
$(call layer_case,tiles-of-16-rows,--tokens 64 --tile-shift 4)
$(call layer_case,skew,--tokens 64 --tile-shift 1 --routing zipf:1)
$(call layer_case,mixtral,--tokens 64 --tile-shift 1 --model mixtral-8x7b)
$(call layer_case,two-planes,--tokens 64 --tile-shift 1,layer-eight-two-planes)
$(call layer_case,two-planes-bf16,--tokens 64 --tile-shift 0 --type bf16,layer-eight-two-planes)
$(call layer_case,two-planes-mixtral,--tokens 64 --tile-shift 1 --model mixtral-8x7b,layer-eight-two-planes)
$(call layer_case,four-planes,--tokens 64 --tile-shift 1,layer-eight-four-planes)
$(call layer_case,four-planes-bf16,--tokens 64 --tile-shift 0 --type bf16,layer-eight-four-planes)

# $(call dispatch_case,CASE,ARGUMENTS,CONFIGURATION): a dispatch alone
define DISPATCH_CASE
LAYER_CASES_ALL += $(1)
.PHONY: bench-layer-case-$(1)
bench-layer-case-$(1): build/sim/layer/$(3)/run
	@mkdir -p build/bench/layer/$(1)
	@echo "  BENCH layer $(1)"
	@$$< --seed $$(or $$(SEED),1) $(2) --phase dispatch --json build/bench/layer/$(1)/layer-dispatch.json \
		> build/bench/layer/$(1).txt 2>&1 || { cat build/bench/layer/$(1).txt; exit 1; }
	@jq --arg commit "$$$$(.ci/tools/commit sim rtl)" --arg verilator "$$$$(verilator --version | head -n 1)" \
		'. + {commit: $$$$commit, tools: (.tools + {verilator: $$$$verilator}), runs: {dispatch: .}}' \
		build/bench/layer/$(1)/layer-dispatch.json > build/bench/layer/$(1)/summary.json
endef
dispatch_case = $(eval $(call DISPATCH_CASE,$(strip $(1)),$(strip $(2)),$(strip $(3))))

# What the packet manager and tile readiness give, each alone and both: stores in any order within a KB of 8 rows, a GEMM of two
# rows 500 cycles, one at a time.
#   managed     stores of 32 bytes; hubs have room for all lines of 8 rows
#   unordered   stores of whole lines; hubs have room for 16 lines: no row is chosen among more than what came last
#   unmanaged   stores of 32 bytes, room for 16 lines, and each leaves at once (LINE_TIMEOUT 1): next to nothing is merged either
#   -kernels    GEMMs begin when all has arrived and 2 us are over (gemm_launch of cmodel/machines/paper.assumptions; a link of
#               437 cycles is 250 ns)
LAYER_GEMM := --tile-shift 1 --gemm 500 --gemm-in-turn 1
LAYER_KERNELS := $(LAYER_GEMM) --tile-readiness 0 --kernel-start 3496
LAYER_UNMANAGED := --window 32 --line-timeout 1
# $(call WINDOW_CASES,TOKENS,MANY): MANY rows side by side in the cases of that name, of which not all lines have room
define WINDOW_CASES
$(call dispatch_case,managed-$(1),--tokens $(1) $(LAYER_GEMM) --window 32,layer-eight)
$(call dispatch_case,managed-kernels-$(1),--tokens $(1) $(LAYER_KERNELS) --window 32,layer-eight)
$(call dispatch_case,unordered-$(1),--tokens $(1) $(LAYER_GEMM) --window 8,layer-eight-sixteen-lines)
$(call dispatch_case,unordered-kernels-$(1),--tokens $(1) $(LAYER_KERNELS) --window 8,layer-eight-sixteen-lines)
$(call dispatch_case,unmanaged-$(1),--tokens $(1) $(LAYER_GEMM) $(LAYER_UNMANAGED),layer-eight-sixteen-stores)
$(call dispatch_case,unmanaged-kernels-$(1),--tokens $(1) $(LAYER_KERNELS) $(LAYER_UNMANAGED),layer-eight-sixteen-stores)
$(call dispatch_case,managed-many-$(1),--tokens $(1) $(LAYER_GEMM) --window 4 --rows-open $(2),layer-eight)
$(call dispatch_case,unordered-many-$(1),--tokens $(1) $(LAYER_GEMM) --window 8 --rows-open $(2),layer-eight-sixteen-lines)
endef
$(eval $(call WINDOW_CASES,16,16))
$(eval $(call WINDOW_CASES,64,32))

LAYER_CASES ?= $(LAYER_CASES_ALL)
$(if $(filter-out $(LAYER_CASES_ALL),$(LAYER_CASES)),\
	$(error no case $(filter-out $(LAYER_CASES_ALL),$(LAYER_CASES)); there are: $(LAYER_CASES_ALL)))
BENCH_TARGETS += bench-layer
.PHONY: bench-layer
bench-layer: $(LAYER_CASES:%=bench-layer-case-%) ## Rates of whole layers of 8 GPUs, build/bench/layer.json (LAYER_CASES= SEED=)
	@for case in $(LAYER_CASES); do jq --arg case $$case -f sim/bench/system/layer_rates.jq \
		build/bench/layer/$$case/summary.json || exit 1; done | jq -s 'add' > build/bench/layer.json
	@jq -L sim/kit -r --arg command 'make bench-layer' -f sim/bench/system/layer_rates_table.jq build/bench/layer.json \
		> build/bench/layer.md
	@cat build/bench/layer.md

# The same cases with several seeds, for `moehub system --packet-level --against`: of some layers one run is 3 % from their mean.
LAYER_SEEDS = $(or $(SEEDS),1 2 3)
.PHONY: bench-layer-seeds
bench-layer-seeds: ## Layers of 8 GPUs with several seeds, build/bench/layer-seeds.json (LAYER_CASES= SEEDS=)
	@mkdir -p build/bench/layer-seeds
	@for seed in $(LAYER_SEEDS); do $(MAKE) --no-print-directory bench-layer SEED=$$seed && \
		cp build/bench/layer.json build/bench/layer-seeds/$$seed.json || exit 1; done
	@jq -s 'add' $(LAYER_SEEDS:%=build/bench/layer-seeds/%.json) > build/bench/layer-seeds.json

# Random small layers of two GPUs, of latencies more than of links, in RTL and at the packet level.
BENCH_TARGETS += bench-layer-random
.PHONY: bench-layer-random
bench-layer-random: build/sim/layer/layer-two/run cmodel ## Small layers in RTL and at the packet level (RUNS= SEED=)
	@.ci/tools/layer_packet_random build/bench/layer-random $< $(or $(RUNS),20) $(or $(SEED),1)
