# SPDX-License-Identifier: Apache-2.0
# The reduction buffer of one switch port.
REDUCTION_64K := ENTRIES=107
REDUCTION_512 := ENTRIES=512
$(call synth,reduction-64k,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_64K))
$(call synth,reduction-512,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_512))
REDUCTION_BLOCKS := $(addprefix moehub_reduction_,reserve check timeout schedule waiting lanes result command report) \
	moehub_result_queue
$(call synth_blocks,switch,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_64K),$(REDUCTION_BLOCKS))
$(call synth_blocks,switch,moehub_switch_reduction_unit,rtl/switch.f,$(REDUCTION_64K),moehub_switch_csr moehub_counter_memory)

# One port of a switch plane of 8: the whole, what of it is not the reduction buffer, and its blocks.
SWITCH_PORT := PORTS=8
$(call synth,switch-port,moehub_switch_port,rtl/switch.f,$(SWITCH_PORT))
PORT_BLOCKS := $(addprefix moehub_,packet_check request_unit places_share response_output result_packer egress port_state \
	counter_memory switch_port_report switch_port_csr)
$(call synth_blocks,port,moehub_switch_port,rtl/switch.f,$(SWITCH_PORT),$(PORT_BLOCKS))

# The crossbars of a plane of 8: stores, requests, responses.
$(call synth,crossbar-8,moehub_crossbar,rtl/switch.f,PORTS=8)
$(call synth,crossbar-requests-8,moehub_crossbar,rtl/switch.f,PORTS=8 DATA_WIDTH=32 WITH_TAG=1 PLACES=256 PACKETS=256 COPIES=256)
$(call synth,crossbar-responses-8,moehub_crossbar,rtl/switch.f,PORTS=8 JOIN=0 WITH_IDS=0 PLACES=2048 PACKETS=2048 AHEAD=9)
