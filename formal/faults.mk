# SPDX-License-Identifier: Apache-2.0
# The RTL with the deliberate bugs of the tables *.faults behind a run-time number (formal/faults.md), under build/planted/.
#   $(call planted,FILES)       the copies of these files; others than RTL and tops stay what they are
#   build/planted/fault_list.h  the bugs for C: FAULT("name", number, "what goes wrong")
FAULT_TABLES := $(sort $(wildcard formal/*/*.faults sim/*/*.faults))
FAULT_FILES := $(sort $(wildcard rtl/*/*.v sim/tops/*.v))
planted = $(foreach f,$(1),$(if $(filter $(f),$(FAULT_FILES)),build/planted/$(f),$(f)))

# A copy that comes out as it was keeps its date: what is built from it stays.
build/planted/done: $(FAULT_TABLES) $(FAULT_FILES) formal/tools/plant
	@formal/tools/plant all build/planted $(FAULT_FILES)
	@touch $@
build/planted/%.v: build/planted/done ;

build/planted/fault_list.h: $(FAULT_TABLES) formal/tools/plant
	@mkdir -p $(@D)
	@formal/tools/plant list > $@.new && mv $@.new $@

.PHONY: lint-faults
lint-faults:
	@formal/tools/plant check
