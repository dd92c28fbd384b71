# SPDX-License-Identifier: Apache-2.0
# Common parts: every size from one, neighbours of powers of two among them.
COMMON_SIZES := 1 2 3 5 8 16 64
$(foreach n,$(COMMON_SIZES),$(call configuration,fifo-$(n),moehub_fifo,rtl/common.f,DEPTH=$(n) WIDTH=40))
$(foreach n,$(COMMON_SIZES),$(call configuration,deep-fifo-$(n),moehub_deep_fifo,rtl/common.f,DEPTH=$(n) WIDTH=40))
$(foreach n,$(COMMON_SIZES),$(call configuration,skid-$(n),moehub_skid_buffer,rtl/common.f,WIDTH=$(n)))
$(foreach n,$(COMMON_SIZES),$(call configuration,ready-$(n),moehub_ready_buffer,rtl/common.f,WIDTH=$(n)))
$(foreach n,$(COMMON_SIZES),$(call configuration,arbiter-$(n),moehub_arbiter,rtl/common.f,PORTS=$(n)))
$(foreach n,$(COMMON_SIZES),$(call configuration,memory-$(n),moehub_memory_1r1w,rtl/common.f,DEPTH=$(n) WIDTH=37 PARITY=1))
$(foreach n,$(COMMON_SIZES),$(call configuration,lowest-one-$(n),moehub_lowest_one,rtl/common.f,WIDTH=$(n)))
$(foreach n,$(COMMON_SIZES),$(call configuration,one-hot-index-$(n),moehub_one_hot_index,rtl/common.f,WIDTH=$(n)))
$(foreach n,$(COMMON_SIZES),$(call configuration,one-hot-mux-$(n),moehub_one_hot_mux,rtl/common.f,WAYS=$(n) WIDTH=5))
$(foreach n,$(COMMON_SIZES),$(call configuration,count-ones-$(n),moehub_count_ones,rtl/common.f,WIDTH=$(n)))
$(call configuration,fifo-wide,moehub_fifo,rtl/common.f,DEPTH=3 WIDTH=1091)
$(call configuration,fifo-1-bit,moehub_fifo,rtl/common.f,DEPTH=5 WIDTH=1)
$(call configuration,memory-1-bit,moehub_memory_1r1w,rtl/common.f,DEPTH=5 WIDTH=1 PARITY=0)
$(call configuration,memory-wide,moehub_memory_1r1w,rtl/common.f,DEPTH=107 WIDTH=1216 PARITY=16)
# Ends of a link: of a switch as built, smallest, odd, largest; of a hub. Stores: the three classes as built, then the ends.
LINK_SMALL := PORTS=2 LOCAL_EXPERT_BITS=0 MAX_TARGETS=1 REQUEST_LINES=1
LINK_ODD := PORTS=5 LOCAL_EXPERT_BITS=3 MAX_TARGETS=13 REQUEST_LINES=2
LINK_LARGE := PORTS=64 LOCAL_EXPERT_BITS=8 MAX_TARGETS=32 REQUEST_LINES=4
LINK_HUB := TOWARDS_HUB=1 PORTS=1024 LOCAL_EXPERT_BITS=6 MAX_TARGETS=32 REQUEST_LINES=8
LINK_LOOP := TOWARDS_HUB=1 LOOP_BACK=1 PORTS=8 LOCAL_EXPERT_BITS=8 MAX_TARGETS=32 REQUEST_LINES=8
LINK_HUB_SMALL := TOWARDS_HUB=1 PORTS=2 LOCAL_EXPERT_BITS=8 MAX_TARGETS=3 REQUEST_LINES=8
$(call configuration,link-sender,moehub_link_sender,rtl/common.f)
$(call configuration,credit-grants,moehub_credit_grants,rtl/common.f)
$(foreach m,link_receiver packet_check header_check,\
	$(call configuration,$(subst _,-,$(m)),moehub_$(m),rtl/common.f)\
	$(call configuration,$(subst _,-,$(m))-small,moehub_$(m),rtl/common.f,$(LINK_SMALL))\
	$(call configuration,$(subst _,-,$(m))-odd,moehub_$(m),rtl/common.f,$(LINK_ODD))\
	$(call configuration,$(subst _,-,$(m))-large,moehub_$(m),rtl/common.f,$(LINK_LARGE))\
	$(call configuration,$(subst _,-,$(m))-hub,moehub_$(m),rtl/common.f,$(LINK_HUB))\
	$(call configuration,$(subst _,-,$(m))-hub-small,moehub_$(m),rtl/common.f,$(LINK_HUB_SMALL))\
	$(call configuration,$(subst _,-,$(m))-loop,moehub_$(m),rtl/common.f,$(LINK_LOOP)))
packet_store = $(call configuration,packet-store$(1),moehub_packet_store,rtl/common.f,\
	LONGEST=$(2) SHORTEST=$(3) PLACES=$(4) TARGET_QUEUE=$(5) MARK_WIDTH=$(6))
$(call packet_store,,14,3,2048,16,12)
$(call packet_store,-request,5,1,256,0,64)
$(call packet_store,-response,17,1,1024,0,4)
$(call packet_store,-smallest,1,1,1,0,1)
$(call packet_store,-one-packet,5,3,5,4,2)
$(call packet_store,-odd,14,3,37,5,12)
$(call packet_store,-full,7,7,63,64,3)
$(call packet_store,-largest,31,1,8191,7,12)
$(foreach n,$(COMMON_SIZES),$(call configuration,prompt-fifo-$(n),moehub_prompt_fifo,rtl/common.f,DEPTH=$(n) WIDTH=5))
$(foreach n,$(COMMON_SIZES),$(call configuration,place-chain-$(n),moehub_place_chain,rtl/common.f,PLACES=$(n)))
$(foreach n,4 5 16 63 64,$(call configuration,target-queue-$(n),moehub_target_queue,rtl/common.f,DEPTH=$(n)))

$(foreach n,1 2 129,$(call configuration,axi-lite-decoder-$(n),moehub_axi_lite_decoder,rtl/common.f,BLOCKS=$(n)))
$(call configuration,axi-lite-decoder-narrow,moehub_axi_lite_decoder,rtl/common.f,ADDRESS_WIDTH=12 BLOCKS=3)
$(foreach n,1 2 5,$(call configuration,high-water-$(n),moehub_high_water,rtl/common.f,LEVELS=$(n)))
$(foreach n,1 39 64,$(call configuration,csr-bank-$(n),moehub_csr_bank,rtl/common.f,EVENTS=$(n)))

# Counters in memories: fewer than a round has visits, as many, one more; of one port of the switch; the most.
$(foreach n,1 2 4 5 17 39 64,$(call configuration,counter-memory-$(n),moehub_counter_memory,rtl/common.f,EVENTS=$(n)))
$(call configuration,counter-memory-odd,moehub_counter_memory,rtl/common.f,EVENTS=5 WIDTH=9)
$(call configuration,counter-memory-narrow,moehub_counter_memory,rtl/common.f,EVENTS=3 WIDTH=7)
$(call configuration,counter-memory-wide,moehub_counter_memory,rtl/common.f,EVENTS=63 WIDTH=64)
