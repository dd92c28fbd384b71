# SPDX-License-Identifier: Apache-2.0
# Every named configuration: what lint, simulation and synthesis build. A name is used once.
#
#   $(call configuration,NAME,TOP MODULE,FILE LIST,PARAMETER=VALUE ...)
#
# Afterwards CONFIGURATIONS holds the names; NAME.top, NAME.list, NAME.parameters the rest, NAME.sources the list's files, and
# NAME.read a file as new as the newest of these, the list and the headers: what hundreds of rules depend on.
# Keep awkward values in: 1, 2, 3, neighbours of powers of two, the largest legal one.

# The files that a list names (read once per list).
list_sources = $(or $(SOURCES_OF_$(1)),\
	$(eval SOURCES_OF_$(1) := $(shell awk -f .ci/tools/list_sources.awk $(1)))$(SOURCES_OF_$(1)))

define CONFIGURATION
CONFIGURATIONS += $(1)
$(1).top := $(2)
$(1).list := $(3)
$(1).parameters := $(4)
$(1).sources := $(call list_sources,$(3))
$(1).read := build/lists/$(3)
endef
configuration = $(eval $(call CONFIGURATION,$(strip $(1)),$(strip $(2)),$(strip $(3)),$(strip $(4))))

# ---- each folder's own list ---------------------------------------------------------
-include $(sort $(wildcard rtl/*/configurations.mk)) sim/tops/configurations.mk

RTL_HEADERS := $(wildcard rtl/include/*.vh)
# $(call LIST_READ,LIST)
define LIST_READ
build/lists/$(1): $(1) $(call list_sources,$(1)) $(RTL_HEADERS)
	@mkdir -p $$(@D) && touch $$@
endef
LISTS := $(sort $(foreach c,$(CONFIGURATIONS),$($(c).list)))
$(foreach l,$(LISTS),$(eval $(call LIST_READ,$(l))))

# What a configuration is, in a file that changes only with it: what was built or linted for other parameters is not kept.
build/configurations/%: FORCE
	@mkdir -p $(@D)
	@new=$@.$$$$; echo '$($*.top) $($*.parameters) $($*.sources)' > $$new; \
		if cmp -s $$new $@; then rm $$new; else mv $$new $@; fi
.PHONY: FORCE
