# SPDX-License-Identifier: Apache-2.0
# What `make synth` builds: one line a configuration.
#
#   $(call synth,NAME,TOP MODULE,FILE LIST,PARAMETER=VALUE ...,BLOCK,VARIABLE)
#
# BLOCK, if given, is a module inside the top: it is synthesised alone, with the parameters that it has there.
# INSTANCE/../MODULE is the one inside that instance, where a module has several sets of parameters.
# VARIABLE, if given, gets the name instead of SYNTH_CONFIGURATIONS: `make synth` builds it where CONFIG names it.
# The clock target of all is SYNTH_MHZ (in OSU018; scaled by FO4 in other libraries); NAME.mhz overrides it.
define SYNTH_CONFIGURATION
$(or $(6),SYNTH_CONFIGURATIONS) += $(1)
synth-$(1).top := $(2)
synth-$(1).list := $(3)
synth-$(1).parameters := $(4)
synth-$(1).block := $(5)
endef
synth = $(eval $(call SYNTH_CONFIGURATION,$(strip $(1)),$(strip $(2)),$(strip $(3)),$(strip $(4)),$(strip $(5)),$(strip $(6))))
# $(call synth_block,PREFIX,MODULE): moehub_al_tags in the hub is hub-al-tags, moehub_hub_csr hub-csr.
synth_block = $(1)-$(subst _,-,$(patsubst $(1)_%,%,$(patsubst moehub_%,%,$(2))))
synth_blocks = $(foreach b,$(5),$(call synth,$(call synth_block,$(1),$(b)),$(2),$(3),$(4),$(b),$(6)))

include $(sort $(wildcard synth/*/configurations.mk))

# A whole hub and a whole switch, each one netlist: those of the smallest layer, under whose bench they run.
$(call synth,whole-hub-least,moehub_hub_top,rtl/hub.f,$(layer-hub-least.parameters),,SYNTH_WHOLE)
$(call synth,whole-switch-least,moehub_switch_top,rtl/switch.f,$(layer-least.parameters),,SYNTH_WHOLE)
# ABC maps each of these by itself, bottom-up: they have registers at their edges and are the narrowest, and in a large netlist
# they come out slower than alone.
HUB_APART := $(addprefix moehub_,packet_check tile_tracker_tiles pre_reduce_sums pre_reduce_requests way_stores \
	tile_tracker_notifier counter_memory hub_operands reduction_lanes)
synth-whole-hub-least.apart := $(HUB_APART)

# With the defaults: the hub of one link, and the switch of 8 ports, whose eight ports are one module, mapped once. Of netlists of
# this size each large block is mapped by itself, whole: a path from pre_reduce into its sums was 0.03 ns too long in two pieces.
$(call synth,whole-hub-1,moehub_hub_top,rtl/hub.f,LINKS=1,,SYNTH_WHOLE)
synth-whole-hub-1.apart := $(filter-out moehub_pre_reduce_sums moehub_way_stores,$(HUB_APART)) \
	$(addprefix moehub_,way pre_reduce final_reduce packet_manager tile_tracker address_path reduce_request)
$(call synth,whole-switch-8,moehub_switch_top,rtl/switch.f,PORTS=8,,SYNTH_WHOLE)
synth-whole-switch-8.apart := moehub_switch_port moehub_crossbar

SYNTH_KNOWN = $(SYNTH_CONFIGURATIONS) $(SYNTH_PLANE) $(SYNTH_HUB) $(SYNTH_HUB_WAY) $(SYNTH_WHOLE)
