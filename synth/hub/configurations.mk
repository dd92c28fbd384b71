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

# Registers around them, which the papers' areas do not name: apart.
$(call synth_blocks,hub,moehub_hub_address_unit,rtl/hub.f,$(HUB_512),moehub_hub_csr)

# The whole hub of HUB_LINKS links in parts, each synthesised once, with what moehub_hub_top gives it by default
# (`make synth-hub`): of each link and of the loop-back, where they differ; what every hub has once; what depends on LINKS.
HUB_LINKS ?= 1 2 4
HUB_EACH := moehub_way moehub_hub_way_csr
HUB_ONCE := moehub_list_port moehub_own_partials
HUB_SIZED := moehub_question_arbiter moehub_notice_arbiter moehub_axi_lite_decoder \
	moehub_hub_contexts moehub_hub_control_csr moehub_tile_tracker moehub_tile_tracker_csr \
	moehub_packet_manager moehub_packet_manager_csr moehub_reduce_request

# $(call hub_part,GROUP,LINKS,MODULE,INSTANCE)
hub_part = $(call synth,$(call synth_block,hub-part-$(1),$(3)),moehub_hub_top,rtl/hub.f,LINKS=$(2),$(4:%=%/)$(3),SYNTH_HUB)
# $(call HUB_WAY,GROUP,NUMBER): way 0 is the link of a hub of one, way 1 its loop-back.
define HUB_WAY
$(foreach b,$(HUB_EACH),$(call hub_part,$(1),1,$(b),g_way[$(2)].u_way))
$(call hub_part,$(1),1,moehub_pre_reduce,g_way[$(2)].u_pre_reduce)
endef
$(foreach b,$(HUB_ONCE),$(call hub_part,once,1,$(b)))
$(call hub_part,once,1,moehub_packet_join,g_final[0].g_answers.u_reduced)
$(call HUB_WAY,link,0)
$(call HUB_WAY,loop,1)
$(call hub_part,link,1,moehub_final_reduce)
# $(call HUB_OF,LINKS)
define HUB_OF
$(foreach b,$(HUB_SIZED),$(call hub_part,$(1),$(1),$(b)))
$(foreach b,moehub_address_path moehub_hub_csr,$(call hub_part,$(1),$(1),$(b)))
endef
$(foreach l,$(HUB_LINKS),$(call HUB_OF,$(l)))

# What is inside the way of a link, which `make synth` builds where CONFIG names it.
HUB_WAY_BLOCKS := moehub_way_check moehub_way_stores moehub_way_requests moehub_way_responses moehub_way_report
$(foreach b,$(HUB_WAY_BLOCKS),$(call synth,$(call synth_block,hub,$(b)),moehub_hub_top,rtl/hub.f,LINKS=1,\
	g_way[0].u_way/$(b),SYNTH_HUB_WAY))
$(call synth,hub-packet-queue,moehub_hub_top,rtl/hub.f,LINKS=1,g_way[0].u_way/u_way/u_stores/moehub_packet_queue,SYNTH_HUB_WAY)
