# SPDX-License-Identifier: Apache-2.0
# A whole hub that is sent rows as fast as it takes them.
BENCHES += hub_rate
BENCH_hub_rate_SOURCES := sim/bench/switch/switch_plane_pins.c $(addprefix sim/bench/system/,gpu.c gpu_abort.c gpu_bad_items.c \
	gpu_layout.c gpu_manners.c gpu_memory.c gpu_nops.c gpu_program.c gpu_rounds.c gpu_stores.c gpu_write_errors.c hub_check.c \
	layer_occupancy.c layer_values.c link_injector.c link_packet.c software.c system_hub.c system_link.c)
BENCH_hub_rate_CONFIGS := hub-rate-1
BENCH_hub_rate_MEASURED := hub-rate-2 hub-rate-4
BENCH_hub_rate_ARGS := --tokens 8 --at-least 990
BENCH_hub_rate_FAULTS := mover-gaps mover-lane-wrong
BENCH_hub_rate_FAULT_ARGS_mover-gaps := --targets 2
$(foreach n,1 2 4,$(eval hub-rate-$(n).verilate := --inline-mult 2000 -fno-gate))

# Links and experts of a row; build/bench/hub.json, and as a table build/bench/hub.md.
HUB_RATES := $(foreach links,1 2 4,$(foreach targets,1 2 3,$(links)-$(targets)))
BENCH_TARGETS += bench-hub
.PHONY: bench-hub $(HUB_RATES:%=bench-hub-case-%)
$(foreach r,$(HUB_RATES),$(eval bench-hub-case-$(r): build/sim/hub_rate/hub-rate-$(firstword $(subst -, ,$(r)))/run))
$(HUB_RATES:%=bench-hub-case-%): bench-hub-case-%:
	@mkdir -p build/bench/hub
	@echo "  BENCH hub $*"
	@$< --seed $(or $(SEED),1) --targets $(lastword $(subst -, ,$*)) --json build/bench/hub/$*.json \
		> build/bench/hub/$*.log 2>&1 || { cat build/bench/hub/$*.log; exit 1; }
bench-hub: $(HUB_RATES:%=bench-hub-case-%) ## Flits a cycle and link that a whole hub takes, build/bench/hub.json
	@jq -s --arg commit "$$(.ci/tools/commit sim rtl)" 'map(. + {commit: $$commit})' $(HUB_RATES:%=build/bench/hub/%.json) \
		> build/bench/hub.json
	@jq -L sim/kit -r --arg command 'make bench-hub' -f sim/bench/system/hub_rate.jq build/bench/hub.json > build/bench/hub.md
	@cat build/bench/hub.md
