# SPDX-License-Identifier: Apache-2.0
# `make help` tells what there is. Each part brings a .mk file of its own: rtl, cmodel, sim, synth, formal.
SHELL := /bin/bash -o pipefail
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
JOBS ?= $(eval JOBS := $(shell nproc))$(JOBS)

.PHONY: all tools test test-long check bench help clean
# The path's options are not the layer's: with any of them the path runs alone.
all: tools ## The main job: MoE traffic through address path and reduction (options: main-job), then make layer
	@$(MAKE) --no-print-directory -j$(JOBS) main-job
	@$(if $(MODEL)$(GPUS)$(ROUTING)$(TRACE)$(ARGS),,$(MAKE) --no-print-directory -j$(JOBS) layer)

include rtl/configurations.mk
include formal/faults.mk
include rtl/rtl.mk
include .ci/documents.mk
-include cmodel/cmodel.mk
include sim/sim.mk
-include synth/synth.mk
-include formal/formal.mk

# Test items: name in TEST_ITEMS, command in TEST_<name>; those of CHECK_ITEMS are the fast subset. Items run one after the
# other, those of BESIDE_ITEMS (which may be patterns) at the same time beside the rest: nothing else builds what they build,
# but for what is there before (test-lists, test-objects). Items that ITEMS= names all run one after the other.
# Those of LONG_ITEMS are in `make test-long`, a part of `make regress`, so that `make test` ends within half an hour.
TEST_ITEMS += defines runner
BESIDE_ITEMS += defines runner
TEST_defines = .ci/tools/check_defines rtl/include/moehub_defines.vh cmodel/include/moehub/defines.h
TEST_runner = .ci/tools/check_runner build/runner
CHECK_ITEMS += defines runner

# The C model: each unit test and each fuzz target under its seeded driver is an item.
CMODEL_ITEMS := $(CMODEL_TEST_NAMES:test_%=unit-%) $(CMODEL_FUZZ_NAMES:fuzz_%=fuzz-%)
TEST_ITEMS += cmodel $(CMODEL_ITEMS) cmodel-sanitize cmodel-clang cmodel-fuzz
CHECK_ITEMS += cmodel $(filter-out $(CMODEL_LONG:test_%=unit-%),$(CMODEL_ITEMS))
TEST_cmodel = $(MAKE) cmodel
TEST_cmodel-sanitize = $(MAKE) cmodel-sanitize CMODEL_SANITIZED='$(filter-out $(CMODEL_LONG),$(CMODEL_TEST_NAMES))'
TEST_cmodel-clang = $(MAKE) cmodel-clang
TEST_cmodel-fuzz = $(MAKE) cmodel-fuzz CMODEL_FUZZ_SECONDS=3
BESIDE_ITEMS += cmodel-clang cmodel-fuzz
LONG_ITEMS += cmodel-clang cmodel-fuzz
$(foreach t,$(CMODEL_TEST_NAMES),$(eval TEST_$(t:test_%=unit-%) = \
	$$(MAKE) build/tests/$(t) cmodel && MOEHUB_PROGRAM=build/bin/moehub build/tests/$(t)))
$(foreach t,$(CMODEL_FUZZ_NAMES),$(eval TEST_$(t:fuzz_%=fuzz-%) = $$(MAKE) build/cmodel/$(t) && build/cmodel/$(t)))

# $(call run_items,ITEMS): hands the items to the runner; build/test/results.json and junit.xml say what it found
item_lines = printf '%s\t%s\n' $(foreach i,$(1),$(i) '$(subst ','\'',$(TEST_$(i)))')
run_items = mkdir -p build/test \
	&& $(call item_lines,$(filter-out $(BESIDE),$(1))) > build/test/items \
	&& $(call item_lines,$(filter $(BESIDE),$(1))) > build/test/items_beside \
	&& .ci/tools/run_items build/test "make $@" build/test/items build/test/items_beside

BESIDE = $(if $(ITEMS),,$(BESIDE_ITEMS))
.PHONY: test-lists test-objects
test-lists: build/planted/fault_list.h $(LISTS:%=build/planted/lists/%)
test-objects: test-lists $(SIM_HEADER) $(SIM_HEADER:%$(SIM_OPTIMISE).pch=%-O0.pch) build/bin/moehub build/sanitize/libmoehub.a \
	build/sim/obj/libkit.a build/sim/obj-sanitize/libkit.a \
	$(sort $(foreach b,$(BENCHES),$(foreach o,obj obj-sanitize,$(call bench_objects,$(b),build/sim/$(o)))))
test test-long check: override MAKE := make --no-print-directory -j$(JOBS)
test: tools ## What must pass before each commit (ITEMS="name ..." for some of it); logs, results.json, junit.xml in build/test/
	@$(MAKE) -s $(if $(ITEMS),test-lists,test-objects)
	@$(call run_items,$(or $(ITEMS),$(filter-out $(LONG_ITEMS),$(TEST_ITEMS))))
test-long: tools ## What takes longest of it: deliberate bugs in whole systems, tools of the flows (part of `make regress`)
	@$(MAKE) -s test-objects
	@$(call run_items,$(filter $(LONG_ITEMS),$(TEST_ITEMS)))
check: tools ## The fast subset of `make test`
	@$(MAKE) -s test-lists
	@$(call run_items,$(sort $(CHECK_ITEMS)))

# One after the other: what is timed has the machine for itself.
bench: tools ## The figures of rtl/doc/figures.md, measured here
	@$(MAKE) --no-print-directory -j1 $(BENCH_TARGETS)
# Their commands are in cmodel/bench/.
bench-golden: ## Speed of the C model over a layer of 32 GPUs, without and with payloads
bench-packet-level: ## Packet events a second of the packet level; its cycles beside the RTL's where those have been measured
bench-pairs: ## All 2^32 pairs of bf16: C model against float addition
bench-lane-pairs: ## Pairs of bf16 through the RTL lane against the C model (LANE_PAIRS_SECONDS=)

tools: ## Installs what is missing through apt (root or sudo without password), else names it
	@.ci/tools/bootstrap

clean: ## Removes build/
	@rm -rf build

help: ## This
	@echo "Targets:"
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-20s %s\n", $$1, $$2 }' $(MAKEFILE_LIST) \
		| awk -v indent=28 -f .ci/tools/fold.awk
	@echo "Benches:        $(BENCHES)" | awk -v indent=16 -f .ci/tools/fold.awk
	@echo "Test items:     $(filter-out $(LONG_ITEMS),$(TEST_ITEMS))" | awk -v indent=16 -f .ci/tools/fold.awk
	@echo "... long:       $(filter $(LONG_ITEMS),$(TEST_ITEMS))" | awk -v indent=16 -f .ci/tools/fold.awk
	@echo "Configurations: $(words $(CONFIGURATIONS)), listed in rtl/configurations.mk"
	@echo "V=1 shows the commands, JOBS=n sets the parallel jobs (here $(JOBS))."
