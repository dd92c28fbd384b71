# SPDX-License-Identifier: Apache-2.0
# Area and timing with Yosys and OpenSTA (synth/README.md). Variables, printed at the start of a run:
#   CONFIG      configurations of synth/configurations.mk (default: all)
#   LIBERTY     standard-cell library, Liberty, plain or .gz, or several files of it (default: OSU018 of Debian's
#               qflow-tech-osu018)
#   SYNTH_MHZ   clock target (default 350: with OSU018; another library gets the same number of FO4 delays)
#   SYNTH_NS    clock period, overrides SYNTH_MHZ
#   BASE        make synth-same: the commit to compare with
#   SYNTH_TREE  0: not mapped again with the hierarchy kept, so no table of where the logic goes (default 1)
#   EFFORT      1: one ABC script, 2: all of synth/abc (default), 3: all, each for several delay targets
include synth/configurations.mk

LIBERTY   ?= /usr/share/qflow/tech/osu018/osu018_stdcells.lib
SYNTH_MHZ ?= 350
EFFORT    ?= 2
SYNTH_TREE ?= 1
SYNTH_RUN  = $(or $(CONFIG),$(SYNTH_CONFIGURATIONS))
SYNTH_DIR ?= build/synth
SYNTH_UNKNOWN = $(filter-out $(SYNTH_KNOWN),$(CONFIG))

.PHONY: synth synth-check synth-library synth-fpga synth-equivalence $(SYNTH_KNOWN:%=synth-run-%)

# A missed clock target is reported by the last step, after all configurations have been tried.
synth: synth-library ## Area and timing (CONFIG= LIBERTY= SYNTH_MHZ= EFFORT=1..3); tables in build/synth/
	@$(MAKE) --no-print-directory -j$(JOBS) $(SYNTH_RUN:%=synth-run-%)
	@synth/flow/report $(SYNTH_DIR) $(SYNTH_RUN)

synth-check:
	@test -z "$(SYNTH_UNKNOWN)" || { echo "synth: unknown configuration: $(SYNTH_UNKNOWN)"; \
		echo "known: $(SYNTH_KNOWN)"; exit 2; }
synth-library: synth-check
	@synth/flow/library $(SYNTH_DIR)/library "$(LIBERTY)"

$(SYNTH_KNOWN:%=synth-run-%): synth-run-%:
	@SYNTH_CONFIG=$* SYNTH_TOP=$(synth-$*.top) SYNTH_BLOCK=$(synth-$*.block) SYNTH_PARAMETERS="$(synth-$*.parameters)" \
		SYNTH_SOURCES="$(call list_sources,$(synth-$*.list))" SYNTH_MHZ=$(or $(synth-$*.mhz),$(SYNTH_MHZ)) SYNTH_NS=$(SYNTH_NS) \
		SYNTH_APART="$(synth-$*.apart)" EFFORT=$(EFFORT) SYNTH_TREE=$(SYNTH_TREE) synth/flow/configuration $(SYNTH_DIR)

# ---- netlist against RTL -------------------------------------------------------------------------------------
SYNTH_EQUIVALENT ?= $(SYNTH_CONFIGURATIONS)
.PHONY: $(SYNTH_KNOWN:%=synth-equivalence-run-%)
synth-equivalence: ## Proves mapped netlists equal to their RTL (after make synth; SYNTH_EQUIVALENT="..")
	@$(MAKE) --no-print-directory -j$(JOBS) $(SYNTH_EQUIVALENT:%=synth-equivalence-run-%)
$(SYNTH_KNOWN:%=synth-equivalence-run-%): synth-equivalence-run-%:
	@synth/flow/equivalence $(SYNTH_DIR) $*

# ---- RTL against RTL ------------------------------------------------------------------------------------------
SAME_DIR ?= build/same
.PHONY: synth-same $(SYNTH_KNOWN:%=synth-same-run-%)
synth-same: synth-check ## Proves the RTL the same machine as that of another commit (BASE=commit CONFIG=)
	@synth/flow/same_base $(SAME_DIR) "$(BASE)"
	@$(MAKE) --no-print-directory -k -j$(JOBS) $(SYNTH_RUN:%=synth-same-run-%) 2> $(SAME_DIR)/make.log; \
	cat $(SYNTH_RUN:%=$(SAME_DIR)/%/result) | awk '{ count[$$1]++ } \
		END { printf "synth-same: %d configurations: %d equal, %d different, %d not decided, %d not compared\n", \
			$(words $(SYNTH_RUN)), count["equal"], count["different"], count["undecided"], \
			$(words $(SYNTH_RUN)) - count["equal"] - count["different"] - count["undecided"]; \
			exit count["equal"] != $(words $(SYNTH_RUN)) }'
$(SYNTH_KNOWN:%=synth-same-run-%): synth-same-run-%:
	@SYNTH_CONFIG=$* SYNTH_TOP=$(synth-$*.top) SYNTH_BLOCK=$(synth-$*.block) SYNTH_PARAMETERS="$(synth-$*.parameters)" \
		synth/flow/same $(SAME_DIR)

include synth/cosim.mk
include synth/sweep/sweep.mk
include synth/plane/plane.mk
include synth/hub/hub.mk

# ---- FPGA view -----------------------------------------------------------------------------------------------
SYNTH_FPGA ?= lane-bf16 lane-fp32 finalize hub-512 reduction-64k
SYNTH_FPGA_RUN = $(or $(CONFIG),$(SYNTH_FPGA))
.PHONY: $(SYNTH_KNOWN:%=synth-fpga-run-%)
synth-fpga: synth-check ## LUT, FF, BRAM, DSP on a Xilinx and a Lattice family (CONFIG=)
	@$(MAKE) --no-print-directory -j$(JOBS) $(SYNTH_FPGA_RUN:%=synth-fpga-run-%)
	@jq -s . $(foreach c,$(SYNTH_FPGA_RUN),$(SYNTH_DIR)/$(c)/fpga-xilinx.json $(SYNTH_DIR)/$(c)/fpga-ecp5.json) \
		> $(SYNTH_DIR)/fpga.json
	@jq -r -f synth/flow/fpga_table.jq $(SYNTH_DIR)/fpga.json > $(SYNTH_DIR)/fpga.md; cat $(SYNTH_DIR)/fpga.md
$(SYNTH_KNOWN:%=synth-fpga-run-%): synth-fpga-run-%:
	@SYNTH_CONFIG=$* SYNTH_TOP=$(synth-$*.top) SYNTH_PARAMETERS="$(synth-$*.parameters)" \
		SYNTH_SOURCES="$(call list_sources,$(synth-$*.list))" synth/flow/fpga $(SYNTH_DIR)

# ---- tests -----------------------------------------------------------------------------------------------------
TEST_ITEMS += synth-smoke synth-errors synth-cells synth-libraries synth-same synth-plane synth-hub
BESIDE_ITEMS += synth-smoke synth-errors synth-cells synth-libraries synth-same synth-plane synth-hub
LONG_ITEMS += synth-libraries synth-same
# One of them in modules, which are proved one by one.
TEST_synth-smoke = $(MAKE) synth CONFIG="fifo memory lane-bf16-plain port-response-output" EFFORT=1 SYNTH_DIR=build/synth-smoke \
	synth-port-response-output.apart=moehub_memory_fifo && synth/flow/equivalence build/synth-smoke fifo port-response-output
TEST_synth-errors = synth/tests/errors
TEST_synth-cells = synth/tests/cells
TEST_synth-same = synth/tests/same
TEST_synth-plane = synth/tests/plane
TEST_synth-hub = synth/tests/hub
TEST_synth-libraries = synth/tests/libraries
