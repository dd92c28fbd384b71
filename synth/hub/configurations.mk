# SPDX-License-Identifier: Apache-2.0
# The hub's address path: 512 entries with 16 misses outstanding, a small one, and an NVL32 domain.
HUB_512   := SETS=128 WAYS=4 PENDING=16
HUB_SMALL := CONTEXTS=2 LOCAL_EXPERTS=16 GPUS=8 SETS=16 PORTS=2 PENDING=8 WAITING=32
HUB_NVL32 := LOCAL_EXPERTS=8 GPUS=32 SETS=128 WAYS=4 PORTS=18 PENDING=16
$(call synth,hub-512,moehub_address_path,rtl/hub.f,$(HUB_512))
$(call synth,hub-small,moehub_address_path,rtl/hub.f,$(HUB_SMALL))
$(call synth,hub-nvl32,moehub_address_path,rtl/hub.f,$(HUB_NVL32))
HUB_BLOCKS := $(addprefix moehub_,addr_alloc context_table al_tlb al_tags al_pending answer_queue al_walker answer_pipe)
$(call synth_blocks,hub,moehub_address_path,rtl/hub.f,$(HUB_512),$(HUB_BLOCKS))

# Registers and event counters around them, which the papers' areas do not name: apart.
$(call synth_blocks,hub,moehub_hub_address_unit,rtl/hub.f,$(HUB_512),moehub_hub_csr moehub_event_counters)
