# SPDX-License-Identifier: Apache-2.0
# What `make synth` builds: one line a configuration.
#
#   $(call synth,NAME,TOP MODULE,FILE LIST,PARAMETER=VALUE ...,BLOCK)
#
# BLOCK, if given, is a module inside the top: it is synthesised alone, with the parameters that it has there.
# The clock target of all is SYNTH_MHZ (in OSU018; scaled by FO4 in other libraries); NAME.mhz overrides it.
define SYNTH_CONFIGURATION
SYNTH_CONFIGURATIONS += $(1)
synth-$(1).top := $(2)
synth-$(1).list := $(3)
synth-$(1).parameters := $(4)
synth-$(1).block := $(5)
endef
synth = $(eval $(call SYNTH_CONFIGURATION,$(strip $(1)),$(strip $(2)),$(strip $(3)),$(strip $(4)),$(strip $(5))))
# $(call synth_block,PREFIX,MODULE): moehub_al_tags in the hub is hub-al-tags, moehub_hub_csr hub-csr.
synth_block = $(1)-$(subst _,-,$(patsubst $(1)_%,%,$(patsubst moehub_%,%,$(2))))
synth_blocks = $(foreach b,$(5),$(call synth,$(call synth_block,$(1),$(b)),$(2),$(3),$(4),$(b)))

# ---- arithmetic: one lane, with and without the same-entry bypass, and the finaliser -------------------------
$(call synth,lane-bf16,moehub_accumulate,rtl/arithmetic.f,BYPASS=1)
$(call synth,lane-bf16-plain,moehub_accumulate,rtl/arithmetic.f,BYPASS=0)
$(call synth,lane-fp32,moehub_accumulate,rtl/arithmetic.f,WITH_FP32=1 BYPASS=1)
$(call synth,lane-fp32-plain,moehub_accumulate,rtl/arithmetic.f,WITH_FP32=1 BYPASS=0)
$(call synth,finalize,moehub_finalize,rtl/arithmetic.f,)

# ---- common parts ------------------------------------------------------------------------------------------------
$(call synth,fifo,moehub_fifo,rtl/common.f,DEPTH=4 WIDTH=40)
$(call synth,skid-buffer,moehub_skid_buffer,rtl/common.f,WIDTH=40)
$(call synth,arbiter,moehub_arbiter,rtl/common.f,PORTS=16)
$(call synth,memory,moehub_memory_1r1w,rtl/common.f,DEPTH=512 WIDTH=32 PARITY=4)

# ---- the hub's address path: 512 entries with 16 misses outstanding, a small one, and an NVL32 domain -------------
HUB_512   := SETS=128 WAYS=4 PENDING=16
HUB_SMALL := CONTEXTS=2 LOCAL_EXPERTS=16 GPUS=8 SETS=16 PORTS=2 PENDING=8 WAITING=32
HUB_NVL32 := LOCAL_EXPERTS=8 GPUS=32 SETS=128 WAYS=4 PORTS=18 PENDING=16
$(call synth,hub-512,moehub_address_path,rtl/hub.f,$(HUB_512))
$(call synth,hub-small,moehub_address_path,rtl/hub.f,$(HUB_SMALL))
$(call synth,hub-nvl32,moehub_address_path,rtl/hub.f,$(HUB_NVL32))
HUB_BLOCKS := moehub_addr_alloc moehub_context_table moehub_al_tlb moehub_al_tags moehub_al_pending moehub_answer_queue moehub_al_walker moehub_answer_pipe
$(call synth_blocks,hub,moehub_address_path,rtl/hub.f,$(HUB_512),$(HUB_BLOCKS))

# Registers and event counters around them, which the papers' areas do not name: apart.
$(call synth_blocks,hub,moehub_hub_address_unit,rtl/hub.f,$(HUB_512),moehub_hub_csr moehub_event_counters)

# ---- the reduction buffer of one switch port --------------------------------------------------------------------------
REDUCTION_64K := ENTRIES=107
REDUCTION_512 := ENTRIES=512
$(call synth,reduction-64k,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_64K))
$(call synth,reduction-512,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_512))
REDUCTION_BLOCKS := $(addprefix moehub_reduction_,reserve check timeout schedule waiting lanes result command report) moehub_result_queue
$(call synth_blocks,switch,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_64K),$(REDUCTION_BLOCKS))
$(call synth_blocks,switch,moehub_switch_reduction_unit,rtl/switch.f,$(REDUCTION_64K),moehub_switch_csr moehub_event_counters)
