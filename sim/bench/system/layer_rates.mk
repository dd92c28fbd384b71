# SPDX-License-Identifier: Apache-2.0
# Rates of whole layers of 8 GPUs, unfused and fused: build/bench/layer.json, and as a table build/bench/layer.md. All takes more
# than half an hour; LAYER_CASES="fp8-bf16" some minutes.

# $(call layer_case,CASE,ARGUMENTS)
define LAYER_CASE
LAYER_CASES_ALL += $(1)
.PHONY: bench-layer-case-$(1)
bench-layer-case-$(1): build/sim/layer/layer-eight/run
	@mkdir -p build/bench/layer
	@echo "  BENCH layer $(1)"
	@.ci/tools/layer build/bench/layer/$(1) $$< --seed $$(or $$(SEED),1) $(2) > build/bench/layer/$(1).txt || \
		{ cat build/bench/layer/$(1).txt; exit 1; }
endef
layer_case = $(eval $(call LAYER_CASE,$(strip $(1)),$(strip $(2))))

$(call layer_case,fp8-bf16,--tokens 64 --tile-shift 1)
$(call layer_case,fp8-bf16-tiles-of-1-row,--tokens 64 --tile-shift 0)
$(call layer_case,fp8-bf16-2-rows-open,--tokens 64 --tile-shift 0 --rows-open 2)
$(call layer_case,fp8-bf16-row-by-row,--tokens 64 --tile-shift 1 --rows-open 1)
$(call layer_case,bf16-bf16,--tokens 64 --tile-shift 1 --type bf16)
$(call layer_case,bf16-bf16-tiles-of-1-row,--tokens 64 --tile-shift 0 --type bf16)
$(call layer_case,bf16-bf16-2-rows-open,--tokens 64 --tile-shift 0 --type bf16 --rows-open 2)
$(call layer_case,bf16-bf16-row-by-row,--tokens 64 --tile-shift 0 --type bf16 --rows-open 1)
$(call layer_case,tiles-of-16-rows,--tokens 64 --tile-shift 4)
$(call layer_case,skew,--tokens 64 --tile-shift 1 --routing zipf:1)
$(call layer_case,mixtral,--tokens 64 --tile-shift 1 --model mixtral-8x7b)

LAYER_CASES ?= $(LAYER_CASES_ALL)
$(if $(filter-out $(LAYER_CASES_ALL),$(LAYER_CASES)),\
	$(error no case $(filter-out $(LAYER_CASES_ALL),$(LAYER_CASES)); there are: $(LAYER_CASES_ALL)))
BENCH_TARGETS += bench-layer
.PHONY: bench-layer
bench-layer: $(LAYER_CASES:%=bench-layer-case-%) ## Rates of whole layers of 8 GPUs, build/bench/layer.json (LAYER_CASES= SEED=)
	@for case in $(LAYER_CASES); do jq --arg case $$case -f sim/bench/system/layer_rates.jq \
		build/bench/layer/$$case/summary.json || exit 1; done | jq -s 'add' > build/bench/layer.json
	@jq -r --arg command 'make bench-layer' -f sim/bench/system/layer_rates_table.jq build/bench/layer.json > build/bench/layer.md
	@cat build/bench/layer.md
