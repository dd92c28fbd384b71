# SPDX-License-Identifier: Apache-2.0
# Design-space sweeps (synth/README.md, "Sweeps"). Variables:
#   SWEEP        quick (minutes) or full (default quick)
#   SWEEP_LOGIN  machines of GNU parallel's --sshlogin, e.g. "8/node1,8/node2,:"; they share this folder
#   LIBERTY, JOBS as for `make synth`
SWEEP ?= quick
$(if $(filter quick full,$(SWEEP)),,$(error SWEEP=$(SWEEP): quick or full))

# The address path's RTL, SETSxWAYS-POLICY: 4-way ones of 16 .. 4096 entries, and 512 entries in other shapes.
SWEEP_HUBS_quick := 128x4-plru 512x4-plru
SWEEP_HUBS_full  := 4x4-plru 16x4-plru 64x4-plru 128x4-plru 256x4-plru 512x4-plru 1024x4-plru 64x8-plru 512x1-fifo 128x4-fifo
define SWEEP_HUB
sweep-hub-$(1).top := moehub_address_path
sweep-hub-$(1).list := rtl/hub.f
sweep-hub-$(1).sources := $(call list_sources,rtl/hub.f)
sweep-hub-$(1).parameters := SETS=$(word 1,$(subst x, ,$(subst -, ,$(1)))) WAYS=$(word 2,$(subst x, ,$(subst -, ,$(1)))) \
	REPLACEMENT=$(if $(findstring fifo,$(1)),1,0)
$$(eval $$(call SIM_PROGRAM,address_path_throughput,sweep-hub-$(1),build/sweep/programs/$(1),,,\
	build/sim/obj,build/lib/libmoehub.a,))
endef
$(foreach h,$(SWEEP_HUBS_full),$(eval $(call SWEEP_HUB,$(h))))

# One buffer serves all sizes: the bench uses as many of its 512 entries as the point says.
SWEEP_PROGRAMS = build/bin/moehub build/sim/reduction_buffer/reduction-512/run build/sweep/bins_error \
	$(SWEEP_HUBS_$(SWEEP):%=build/sweep/programs/%/run)

build/sweep/bins_error: synth/sweep/bins_error.c build/cmodel/libmoehub.a \
		cmodel/tests/arithmetic/sum_oracle.h cmodel/tests/arithmetic/sum_case.h
	@mkdir -p $(@D)
	@$(CMODEL_CC) $(filter-out -MMD -MP,$(CMODEL_FLAGS)) -Icmodel/tests $(CMODEL_OPTIMISE) -o $@ $(filter %.c %.a,$^) \
		-lmpfr -lgmp -lm

.PHONY: sweep sweep-programs
sweep: ## Design-space sweeps with plots and verdict (SWEEP=quick|full SWEEP_LOGIN=); build/sweep/
	@echo "sweep: $(SWEEP), library $(LIBERTY), $(JOBS) jobs$(if $(SWEEP_LOGIN), on $(SWEEP_LOGIN)); programs first"
	@$(MAKE) --no-print-directory -j$(JOBS) sweep-programs
	@SWEEP_LOGIN="$(SWEEP_LOGIN)" JOBS=$(JOBS) synth/sweep/run $(SWEEP)
sweep-programs: $(SWEEP_PROGRAMS)
	@synth/flow/library build/sweep/library "$(LIBERTY)"
