# SPDX-License-Identifier: Apache-2.0
# The reduction buffer of one switch port.
REDUCTION_64K := ENTRIES=107
REDUCTION_512 := ENTRIES=512
$(call synth,reduction-64k,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_64K))
$(call synth,reduction-512,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_512))
REDUCTION_BLOCKS := $(addprefix moehub_reduction_,reserve check timeout schedule waiting lanes result command report) \
	moehub_result_queue
$(call synth_blocks,switch,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_64K),$(REDUCTION_BLOCKS))
$(call synth_blocks,switch,moehub_switch_reduction_unit,rtl/switch.f,$(REDUCTION_64K),moehub_switch_csr moehub_event_counters)
