# SPDX-License-Identifier: Apache-2.0
# The DPI example under Verilator.
#
#   cmodel-dpi   builds and runs it: it must pass, and fail when told to (+break)
#
# Verilator compiles C sources as C++, so the face is compiled here.

TEST_ITEMS += dpi
TEST_dpi = $(MAKE) cmodel-dpi

.PHONY: cmodel-dpi

build/dpi/moehub_dpi.o: cmodel/dpi/moehub_dpi.c $(wildcard cmodel/include/moehub/*.h)
	@mkdir -p $(@D)
	@echo "  CC    $@"
	$(CMODEL_QUIET)$(CMODEL_CC) $(filter-out -MMD -MP,$(CMODEL_FLAGS)) $(CMODEL_OPTIMISE) -fPIC -c -o $@ $<

build/dpi/example: cmodel/dpi/example.sv cmodel/dpi/moehub_dpi.svh build/dpi/moehub_dpi.o build/lib/libmoehub.a \
		rtl/include/moehub_defines.vh
	@echo "  VERILATE $@"
	@rm -f $@ # Verilator's makefile does not know that it is linked from the library
	$(CMODEL_QUIET)verilator --binary -Wall --top-module example --Mdir build/dpi/obj -o ../example \
		+incdir+cmodel/dpi +incdir+rtl/include cmodel/dpi/example.sv \
		-LDFLAGS "$(CURDIR)/build/dpi/moehub_dpi.o $(CURDIR)/build/lib/libmoehub.a $(CMODEL_LIBS)" \
		> build/dpi/build.log 2>&1 || { cat build/dpi/build.log; exit 1; }

cmodel-dpi: build/dpi/example
	@build/dpi/example
	@if build/dpi/example +break > build/dpi/break.log 2>&1; then \
		echo "the DPI example does not notice a wrong value"; exit 1; fi
	@grep -q 'allocations: got 2, expected 3' build/dpi/break.log
