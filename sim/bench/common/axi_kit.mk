# SPDX-License-Identifier: Apache-2.0
# The kit's own bench: AXI4 memory and AXI4-Lite master, and every rule that they check.
BENCHES += axi_kit
BENCH_axi_kit_CONFIGS := axi-kit-128 axi-kit-32 axi-kit-512
BENCH_axi_kit_ARGS := --events 20000
BENCH_axi_kit_FAULTS := skid-withdraws-valid ready-buffer-open ready-buffer-survives-reset kit-extra-response kit-no-response
BENCH_axi_kit_FAULT_STATUS_kit-no-response := 3
BENCH_axi_kit_ARGS_axi-kit-512 := --latency 1000

AXI_KIT_VIOLATIONS := length burst alignment size strobes last read-during-write range
.PHONY: axi-kit-violations $(AXI_KIT_VIOLATIONS:%=axi-kit-violate-%)
axi-kit-violations: $(AXI_KIT_VIOLATIONS:%=axi-kit-violate-%)
$(AXI_KIT_VIOLATIONS:%=axi-kit-violate-%): axi-kit-violate-%: build/sim/axi_kit/axi-kit-128/run
	@.ci/tools/run_bench 1 build/sim/axi_kit/violate-$*.log $< --seed 1 --violate $*
TEST_ITEMS += axi-kit-violations
TEST_axi-kit-violations = $(MAKE) -k axi-kit-violations
