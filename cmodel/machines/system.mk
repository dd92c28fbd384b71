# SPDX-License-Identifier: Apache-2.0
# The system performance model: tables on the terminal; JSON, CSV, SVG and a timeline in build/system (cmodel/doc/system.md)
.PHONY: system shares
system: cmodel ## The system model: validation, layers, the papers' claims (build/system)
	@mkdir -p build/system
	@build/bin/moehub system --output build/system
	@build/bin/moehub system --levels --output build/system
	@build/bin/moehub system --scheme dysharp,deepep,nvls,comet-tiles,megamoe,moehub --tokens 8192 \
		--timeline build/system/dysharp.trace.json

.PHONY: system-plots
system-plots: system ## The plots of cmodel/doc/system.md, from build/system
	@mkdir -p cmodel/doc/plots
	@cp build/system/*.svg cmodel/doc/plots/

shares: cmodel ## Run the slices again that tell the hardware's share of the links: cmodel/machines/rtl.shares, ten minutes
	@rm -f cmodel/machines/rtl.shares
	@build/bin/moehub system --write-shares cmodel/machines/rtl.shares

# Of all tables; of a question it is a unit test.
.PHONY: system-threads
system-threads: cmodel ## The system model says the same on one thread as on two
	@mkdir -p build/system
	@for threads in 1 2; do build/bin/moehub system --threads $$threads > build/system/threads-$$threads || exit 1; done
	@cmp build/system/threads-1 build/system/threads-2
ifeq ($(BENCH),)
regress: system-threads
endif
