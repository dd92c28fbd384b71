# SPDX-License-Identifier: Apache-2.0
# A switch plane of so many ports in parts, each of which is synthesised once: a port; of each crossbar the modules of an
# input and of an output; what a plane has once. Parameters of the crossbars are those in moehub_switch_top.
PLANE_PORTS ?= 8 16 32 64
PLANE_CROSSBARS := stores requests responses
PLANE_stores    :=
PLANE_requests  := DATA_WIDTH=32 WITH_TAG=1 PLACES=256 PACKETS=256 COPIES=256
PLANE_responses := JOIN=0 WITH_IDS=0 PLACES=2048 PACKETS=2048 AHEAD=9
PLANE_BLOCKS    := moehub_copy_list moehub_crossbar_heads moehub_crossbar_input moehub_crossbar_output
PLANE_BLOCKS_stores    := $(PLANE_BLOCKS) moehub_copy_buffer
PLANE_BLOCKS_requests  := $(PLANE_BLOCKS) moehub_copy_buffer
PLANE_BLOCKS_responses := $(PLANE_BLOCKS)

# $(call PLANE,PORTS)
define PLANE
$(call synth,plane-$(1)-port,moehub_switch_port,rtl/switch.f,PORTS=$(1),,SYNTH_PLANE)
$(foreach c,$(PLANE_CROSSBARS),$(call synth_blocks,plane-$(1)-$(c),moehub_crossbar,rtl/switch.f,\
	PORTS=$(1) $(PLANE_$(c)),$(PLANE_BLOCKS_$(c)),SYNTH_PLANE))
$(call synth,plane-$(1)-fullest,moehub_fullest_inputs,rtl/switch.f,PORTS=$(1),,SYNTH_PLANE)
$(call synth,plane-$(1)-state,moehub_plane_state,rtl/switch.f,PORTS=$(1),,SYNTH_PLANE)
$(call synth,plane-$(1)-registers,moehub_switch_plane_csr,rtl/switch.f,PORTS=$(1),,SYNTH_PLANE)
$(call synth,plane-$(1)-decoder,moehub_axi_lite_decoder,rtl/switch.f,\
	ADDRESS_WIDTH=20 BLOCKS=$(shell echo $$((2 * $(1) + 1))),,SYNTH_PLANE)
endef
$(foreach p,$(PLANE_PORTS),$(call PLANE,$(p)))
