# SPDX-License-Identifier: Apache-2.0
# The RTL with the deliberate bugs of the tables *.faults behind a run-time number (formal/faults.md), under build/planted/.
#   $(call planted,FILES)       the copies of these files; others than RTL and tops stay what they are
#   build/planted/lists/LIST    as new as the newest of a list's files with their copies
#   build/planted/fault_list.h  the bugs for C: FAULT("name", number, "what goes wrong")
FAULT_TABLES := $(sort $(wildcard formal/*/*.faults sim/*/*.faults))
FAULT_FILES := $(sort $(wildcard rtl/*/*.v sim/tops/*.v))
planted = $(filter-out $(FAULT_FILES),$(1)) $(addprefix build/planted/,$(filter $(FAULT_FILES),$(1)))

# A copy that comes out as it was keeps its date: what is built from it stays.
build/planted/done: $(FAULT_TABLES) $(FAULT_FILES) formal/tools/plant
	@formal/tools/plant all build/planted $(FAULT_FILES)
	@touch $@
build/planted/%.v: build/planted/done ;
# $(call LIST_PLANTED,LIST)
define LIST_PLANTED
build/planted/lists/$(1): build/lists/$(1) $(call planted,$(call list_sources,$(1)))
	@mkdir -p $$(@D) && touch $$@
endef
$(foreach l,$(LISTS),$(eval $(call LIST_PLANTED,$(l))))

build/planted/fault_list.h: $(FAULT_TABLES) formal/tools/plant
	@mkdir -p $(@D)
	@formal/tools/plant list > $@.new && mv $@.new $@

.PHONY: lint-faults
lint-faults:
	@formal/tools/plant check
