# SPDX-License-Identifier: Apache-2.0
# Named configurations of the hub's address path: the default first, then the ends of every range, odd values, both policies.
hub_path = $(call configuration,hub-path-$(1),moehub_address_path,rtl/hub.f,$(2))
HUB_PATH_CONFIGURATIONS := default least two three odd plru8 direct associative fifo8 one-pending most entries-1024 \
    entries-2048 pending-32 pending-128 stages stages-odd

$(call hub_path,default,)
$(call hub_path,least,CONTEXTS=1 LOCAL_EXPERTS=1 GPUS=1 ROW_INDEX_WIDTH=1 SLOT_WIDTH=31 OFFSET_WIDTH=4 ADDRESS_WIDTH=32 SETS=1 \
    WAYS=1 PORTS=1 PENDING=1 WAITING=2 TAG_WIDTH=1 AXI_DATA_WIDTH=32 PARITY=1)
$(call hub_path,two,CONTEXTS=2 LOCAL_EXPERTS=2 GPUS=2 ROW_INDEX_WIDTH=2 SLOT_WIDTH=30 OFFSET_WIDTH=5 ADDRESS_WIDTH=33 SETS=2 \
    WAYS=2 PORTS=2 PENDING=2 WAITING=2 TAG_WIDTH=2 AXI_DATA_WIDTH=64)
$(call hub_path,three,CONTEXTS=3 LOCAL_EXPERTS=3 GPUS=3 ROW_INDEX_WIDTH=3 SLOT_WIDTH=29 OFFSET_WIDTH=7 ADDRESS_WIDTH=35 SETS=4 \
    WAYS=3 REPLACEMENT=1 PORTS=3 PENDING=3 WAITING=3 TAG_WIDTH=3)
$(call hub_path,odd,CONTEXTS=5 LOCAL_EXPERTS=37 GPUS=33 ROW_INDEX_WIDTH=17 SLOT_WIDTH=22 OFFSET_WIDTH=13 ADDRESS_WIDTH=41 \
    SETS=16 WAYS=7 REPLACEMENT=1 PORTS=13 PENDING=5 WAITING=19 TAG_WIDTH=17 AXI_DATA_WIDTH=256 PARITY=1)
$(call hub_path,plru8,CONTEXTS=2 LOCAL_EXPERTS=16 GPUS=8 SLOT_WIDTH=30 SETS=64 WAYS=8 PORTS=8 PENDING=16 WAITING=64)
$(call hub_path,direct,LOCAL_EXPERTS=33 GPUS=31 SLOT_WIDTH=28 SETS=256 WAYS=1 PORTS=4 PENDING=7 WAITING=33)
$(call hub_path,associative,LOCAL_EXPERTS=9 GPUS=64 SLOT_WIDTH=16 SETS=1 WAYS=8 PORTS=5 PENDING=9 WAITING=16)
$(call hub_path,fifo8,LOCAL_EXPERTS=65 GPUS=65 ADDRESS_WIDTH=64 SLOT_WIDTH=30 SETS=32 WAYS=8 REPLACEMENT=1 PORTS=17 PENDING=31 \
    WAITING=127 TAG_WIDTH=33)
$(call hub_path,one-pending,SETS=8 WAYS=2 PORTS=16 PENDING=1 WAITING=9)
$(call hub_path,most,CONTEXTS=8 LOCAL_EXPERTS=1024 GPUS=1024 ROW_INDEX_WIDTH=32 SLOT_WIDTH=1 OFFSET_WIDTH=16 ADDRESS_WIDTH=64 \
    SETS=4096 WAYS=8 PORTS=64 PENDING=256 WAITING=4096 TAG_WIDTH=64 AXI_DATA_WIDTH=512)
$(call hub_path,entries-1024,SETS=256)
$(call hub_path,entries-2048,SETS=512)
$(call hub_path,pending-32,PENDING=32)
$(call hub_path,pending-128,PENDING=128)
# Two stages: as in a hub of one link, but smaller; the smallest rows, with odd values.
HUB_STAGES := GPUS=8 SLOT_WIDTH=28 SETS=64 PORTS=2 PENDING=16 WAITING=32 TAG_WIDTH=8 STAGES=2 LENGTH_WIDTH=11
$(call hub_path,stages,LOCAL_EXPERTS=32 $(HUB_STAGES))
$(call hub_path,stages-odd,CONTEXTS=3 LOCAL_EXPERTS=5 GPUS=9 ROW_INDEX_WIDTH=7 SLOT_WIDTH=29 OFFSET_WIDTH=7 ADDRESS_WIDTH=33 \
    SETS=8 WAYS=3 REPLACEMENT=1 PORTS=3 PENDING=3 WAITING=7 TAG_WIDTH=5 STAGES=2 LENGTH_WIDTH=10 PARITY=1)

# With parity; its memories can be reached from the bench (sim/sim.mk).
$(call configuration,hub-parity,moehub_address_path,rtl/hub.f,CONTEXTS=3 LOCAL_EXPERTS=5 GPUS=8 SETS=4 WAYS=4 PORTS=4 PENDING=4 \
    WAITING=16 TAG_WIDTH=8 PARITY=1)
hub-parity.memories := 1

# The address path with its registers.
hub_unit = $(call configuration,hub-unit-$(1),moehub_hub_address_unit,rtl/hub.f,$(2))
HUB_UNIT_CONFIGURATIONS := default least three odd stages

$(call hub_unit,default,)
$(call hub_unit,least,CONTEXTS=1 LOCAL_EXPERTS=1 GPUS=1 ROW_INDEX_WIDTH=1 SLOT_WIDTH=31 OFFSET_WIDTH=4 ADDRESS_WIDTH=32 SETS=1 \
    WAYS=1 PORTS=1 PENDING=1 WAITING=2 TAG_WIDTH=1 AXI_DATA_WIDTH=32)
$(call hub_unit,three,CONTEXTS=3 LOCAL_EXPERTS=3 GPUS=3 ROW_INDEX_WIDTH=3 SLOT_WIDTH=29 OFFSET_WIDTH=7 ADDRESS_WIDTH=35 SETS=4 \
    WAYS=3 REPLACEMENT=1 PORTS=3 PENDING=3 WAITING=3 TAG_WIDTH=3)
$(call hub_unit,odd,CONTEXTS=8 LOCAL_EXPERTS=17 GPUS=33 ROW_INDEX_WIDTH=32 SLOT_WIDTH=30 OFFSET_WIDTH=16 ADDRESS_WIDTH=64 \
    SETS=128 WAYS=2 PORTS=5 PENDING=9 WAITING=65 TAG_WIDTH=64 AXI_DATA_WIDTH=256)
$(call hub_unit,stages,LOCAL_EXPERTS=16 OFFSET_WIDTH=16 $(HUB_STAGES))

# The tile tracker.
tile_tracker = $(call configuration,hub-tile-tracker-$(1),moehub_tile_tracker,rtl/hub.f,$(2))

$(call tile_tracker,default,)
$(call tile_tracker,least,LINKS=1 GPUS=2 CONTEXTS=1 LOCAL_EXPERTS=1 SLOT_WIDTH=1 OFFSET_WIDTH=7 ADDRESS_WIDTH=32 TILES=1 TOKENS=1)
$(call tile_tracker,three,LINKS=3 GPUS=3 CONTEXTS=3 LOCAL_EXPERTS=3 SLOT_WIDTH=13 OFFSET_WIDTH=9 ADDRESS_WIDTH=37 \
    TILES=3 TOKENS=3)
$(call tile_tracker,most,LINKS=4 GPUS=64 CONTEXTS=8 LOCAL_EXPERTS=256 SLOT_WIDTH=31 OFFSET_WIDTH=16 ADDRESS_WIDTH=64 TILES=65536 \
    TOKENS=65536)

# The places of a class of a hub's way: the store class as built, the loop-back's, then the ends and odd values.
$(foreach n,2048 64 1 2 17 37 8191,$(call configuration,packet-queue-$(n),moehub_packet_queue,rtl/hub.f,PLACES=$(n)))

# A way's check, and its stores: as of a link, smallest, odd, largest.
way_check = $(call configuration,way-check-$(1),moehub_way_check,rtl/hub.f,$(2))
WAY_STORES_default :=
WAY_STORES_least := CONTEXTS=1 LOCAL_EXPERT_BITS=0 SLOT_WIDTH=1 ADDRESS_WIDTH=32 PLACES=14 ANSWERS=1 WRITES=2
WAY_STORES_odd := CONTEXTS=3 LOCAL_EXPERT_BITS=3 SLOT_WIDTH=13 ADDRESS_WIDTH=37 PLACES=37 ANSWERS=5 WRITES=7
WAY_STORES_most := CONTEXTS=8 LOCAL_EXPERT_BITS=8 SLOT_WIDTH=31 ADDRESS_WIDTH=64 PLACES=8191 ANSWERS=1024 WRITES=1024
WAY_STORES_CONFIGURATIONS := default least odd most
WAY_GPUS_default := GPUS=8
WAY_GPUS_least := GPUS=2
WAY_GPUS_odd := GPUS=5
WAY_GPUS_most := GPUS=64
$(foreach c,$(WAY_STORES_CONFIGURATIONS),\
	$(call configuration,way-stores-$(c),moehub_way_stores,rtl/hub.f,$(WAY_STORES_$(c)))\
	$(call way_check,$(c),$(WAY_GPUS_$(c)) $(filter CONTEXTS=%,$(WAY_STORES_$(c)))))
# The asker of requests.
$(call configuration,asker-requests,moehub_asker,rtl/hub.f,OPERATION=1 PLACES=256 ANSWERS=64)
$(call configuration,asker-requests-odd,moehub_asker,rtl/hub.f,OPERATION=1 PLACES=7 ANSWERS=13 LOCAL_EXPERT_BITS=5)

# A way: as of a link, its smallest, as the loop-back, odd, largest.
WAY_default :=
WAY_least := LOOP_BACK=0 MAX_TARGETS=1 REQUEST_LINES=1 PLACES_STORE=14 PLACES_REQUEST=5 PLACES_RESPONSE=17 ANSWERS=1 \
	REQUEST_ANSWERS=1 WRITES=2 READ_LINES=1 NOTICES=2 $(WAY_GPUS_least) $(filter-out PLACES=% ANSWERS=% WRITES=%,$(WAY_STORES_least))
WAY_loop := WAY=1 LOOP_BACK=1 PLACES_STORE=64 PLACES_REQUEST=64 PLACES_RESPONSE=64 ANSWERS=32 WRITES=64 READ_LINES=24
WAY_odd := WAY=2 MAX_TARGETS=7 REQUEST_LINES=2 PLACES_STORE=37 PLACES_REQUEST=11 PLACES_RESPONSE=23 ANSWERS=5 REQUEST_ANSWERS=13 \
	WRITES=7 READ_LINES=5 NOTICES=3 $(WAY_GPUS_odd) $(filter-out PLACES=% ANSWERS=% WRITES=%,$(WAY_STORES_odd))
WAY_most := WAY=4 PLACES_STORE=8191 PLACES_REQUEST=8191 PLACES_RESPONSE=8191 ANSWERS=1024 REQUEST_ANSWERS=1024 WRITES=1024 \
	READ_LINES=1024 NOTICES=64 $(WAY_GPUS_most) $(filter-out PLACES=% ANSWERS=% WRITES=%,$(WAY_STORES_most))
WAY_CONFIGURATIONS := default least loop odd most
$(foreach c,$(WAY_CONFIGURATIONS),$(call configuration,way-$(c),moehub_way,rtl/hub.f,$(WAY_$(c))))
# With its registers.
$(foreach c,$(WAY_CONFIGURATIONS),$(call configuration,hub-way-$(c),moehub_hub_way,rtl/hub.f,$(WAY_$(c))))

# The askers of a hub at its address path: of every number of links.
$(foreach n,1 2 3 4,$(call configuration,question-arbiter-$(n),moehub_question_arbiter,rtl/hub.f,LINKS=$(n)))

# The choice of what leaves next: as built, smallest, more rows than a group, odd, four links, largest.
packet_choice = $(call configuration,packet-choice-$(1),moehub_packet_manager_choice,rtl/hub.f,$(2))
$(call packet_choice,default,)
$(call packet_choice,least,LINKS=1 ROWS=1 OFFSET_WIDTH=7 ROW_INDEX_WIDTH=1)
$(call packet_choice,two,LINKS=2 ROWS=9 OFFSET_WIDTH=8 ROW_INDEX_WIDTH=3)
$(call packet_choice,odd,LINKS=3 ROWS=11 OFFSET_WIDTH=9 ROW_INDEX_WIDTH=17)
$(call packet_choice,four,LINKS=4)
$(call packet_choice,most,LINKS=4 ROWS=64 OFFSET_WIDTH=16 ROW_INDEX_WIDTH=32)

# The whole packet manager: as built, smallest, two, three, five of each, largest.
packet_manager = $(call configuration,hub-packet-manager-$(1),moehub_packet_manager,rtl/hub.f,$(2))
HUB_PACKET_MANAGER_CONFIGURATIONS := default least two three five most
$(call packet_manager,default,)
$(call packet_manager,least,LINKS=1 GPUS=2 CONTEXTS=1 LOCAL_EXPERT_BITS=0 MAX_TARGETS=1 OFFSET_WIDTH=7 ROW_INDEX_WIDTH=1 \
    ADDRESS_WIDTH=32 ROWS=1 LINES=1 STORE_BYTES=16)
$(call packet_manager,two,LINKS=2 GPUS=2 CONTEXTS=2 LOCAL_EXPERT_BITS=1 MAX_TARGETS=2 OFFSET_WIDTH=8 ROW_INDEX_WIDTH=2 \
    ADDRESS_WIDTH=33 ROWS=2 LINES=2 STORE_BYTES=32)
$(call packet_manager,three,LINKS=3 GPUS=3 CONTEXTS=3 LOCAL_EXPERT_BITS=3 MAX_TARGETS=11 OFFSET_WIDTH=9 ROW_INDEX_WIDTH=13 \
    ADDRESS_WIDTH=37 ROWS=3 LINES=3 STORE_BYTES=64)
$(call packet_manager,five,LINKS=4 GPUS=5 CONTEXTS=5 LOCAL_EXPERT_BITS=5 MAX_TARGETS=17 OFFSET_WIDTH=10 ROW_INDEX_WIDTH=19 \
    ADDRESS_WIDTH=41 ROWS=5 LINES=5 STORE_BYTES=128)
$(call packet_manager,most,LINKS=4 GPUS=64 CONTEXTS=8 OFFSET_WIDTH=16 ROW_INDEX_WIDTH=32 ADDRESS_WIDTH=64 ROWS=64 LINES=4096 \
    STORE_BYTES=128)

# The packet manager with its registers; and these alone.
$(call configuration,hub-packet-manager-unit,moehub_packet_manager_unit,rtl/hub.f)
$(call configuration,hub-packet-manager-unit-small,moehub_packet_manager_unit,rtl/hub.f,LINKS=1 GPUS=2 CONTEXTS=1 \
    LOCAL_EXPERT_BITS=0 MAX_TARGETS=1 OFFSET_WIDTH=7 ROW_INDEX_WIDTH=1 ADDRESS_WIDTH=32 ROWS=1 LINES=1 STORE_BYTES=16 REDUCES=1)
$(call configuration,hub-packet-manager-csr,moehub_packet_manager_csr,rtl/hub.f,)
$(call configuration,hub-packet-manager-csr-odd,moehub_packet_manager_csr,rtl/hub.f,ROWS=37 LINES=4096 STORE_BYTES=128 REDUCES=5)

# Sums of a way's requests: as of a link, smallest, odd, wide lanes, a deep queue of partials, largest.
PRE_REDUCE_default :=
PRE_REDUCE_least := MAX_TARGETS=1 ADDRESS_WIDTH=32 REQUEST_ANSWERS=1 READ_LINES=1 PARTIAL_ROWS=9
PRE_REDUCE_odd := MAX_TARGETS=7 ADDRESS_WIDTH=37 REQUEST_ANSWERS=13 READ_LINES=5 PARTIAL_ROWS=17 WITH_FP32=0
PRE_REDUCE_wide := LANE_BYTES=32 READ_LINES=192
PRE_REDUCE_wide-odd := LANE_BYTES=32 MAX_TARGETS=3 REQUEST_ANSWERS=3 READ_LINES=3 PARTIAL_ROWS=9
PRE_REDUCE_deep := PARTIAL_ROWS=72
PRE_REDUCE_most := ADDRESS_WIDTH=64 REQUEST_ANSWERS=1024 READ_LINES=1024 PARTIAL_ROWS=256
PRE_REDUCE_CONFIGURATIONS := default least odd wide wide-odd deep most
$(foreach c,$(PRE_REDUCE_CONFIGURATIONS),$(call configuration,pre-reduce-$(c),moehub_pre_reduce,rtl/hub.f,$(PRE_REDUCE_$(c))))

# Sums of the network's result and the own part: as built, smallest, odd, largest; the own parts' way there.
$(call configuration,final-reduce-default,moehub_final_reduce,rtl/hub.f,)
$(call configuration,final-reduce-least,moehub_final_reduce,rtl/hub.f,FINAL_GROUPS=1 REQUEST_LINES=1)
$(call configuration,final-reduce-odd,moehub_final_reduce,rtl/hub.f,FINAL_GROUPS=3 REQUEST_LINES=2 WITH_FP32=0)
$(call configuration,final-reduce-most,moehub_final_reduce,rtl/hub.f,FINAL_GROUPS=512)
$(foreach n,1 2 3 4,$(call configuration,own-partials-$(n),moehub_own_partials,rtl/hub.f,LINKS=$(n)))
$(call configuration,packet-join,moehub_packet_join,rtl/common.f,)

# Requests for sums: as built, smallest, odd, three links, largest.
REDUCE_REQUEST_default :=
REDUCE_REQUEST_least := GPUS=2 CONTEXTS=1 LOCAL_EXPERT_BITS=0 MAX_TARGETS=1 REQUEST_LINES=1 OFFSET_WIDTH=7 \
	ADDRESS_WIDTH=32 REDUCES=1 FINAL_GROUPS=1
REDUCE_REQUEST_odd := LINKS=2 GPUS=5 CONTEXTS=3 LOCAL_EXPERT_BITS=3 MAX_TARGETS=7 REQUEST_LINES=2 OFFSET_WIDTH=9 \
	ADDRESS_WIDTH=37 REDUCES=3 FINAL_GROUPS=3 WITH_FP32=0
REDUCE_REQUEST_three := LINKS=3 REQUEST_LINES=4 REDUCES=5 FINAL_GROUPS=2
REDUCE_REQUEST_most := LINKS=4 GPUS=64 CONTEXTS=8 OFFSET_WIDTH=16 ADDRESS_WIDTH=64 REDUCES=64 FINAL_GROUPS=512
REDUCE_REQUEST_CONFIGURATIONS := default least odd three most
$(foreach c,$(REDUCE_REQUEST_CONFIGURATIONS),\
	$(call configuration,reduce-request-$(c),moehub_reduce_request,rtl/hub.f,$(REDUCE_REQUEST_$(c))))

# Control of the hub: as built, smallest, 2, 3, 5 of each, largest.
HUB_CONTROL_default :=
HUB_CONTROL_least := LINKS=1 GPUS=2 CONTEXTS=1 LOCAL_EXPERT_BITS=0 LOCAL_EXPERTS=1 ROW_INDEX_WIDTH=1 SLOT_WIDTH=1 \
	ADDRESS_WIDTH=32 TILES=1 TOKENS=1
HUB_CONTROL_two := LINKS=2 GPUS=3 CONTEXTS=2 LOCAL_EXPERT_BITS=3 LOCAL_EXPERTS=5 ROW_INDEX_WIDTH=13 SLOT_WIDTH=9 \
	ADDRESS_WIDTH=37 TILES=37 TOKENS=1000
HUB_CONTROL_three := LINKS=3 GPUS=64 CONTEXTS=3 LOCAL_EXPERTS=256 ROW_INDEX_WIDTH=32 SLOT_WIDTH=31 ADDRESS_WIDTH=64 \
	TILES=65536 TOKENS=65536
HUB_CONTROL_five := LINKS=4 GPUS=33 CONTEXTS=5 LOCAL_EXPERT_BITS=2 LOCAL_EXPERTS=3 SLOT_WIDTH=30 ADDRESS_WIDTH=33
HUB_CONTROL_most := LINKS=4 GPUS=64 CONTEXTS=8 LOCAL_EXPERTS=256 ROW_INDEX_WIDTH=32 SLOT_WIDTH=31 ADDRESS_WIDTH=64 \
	TILES=65536 TOKENS=65536
HUB_CONTROL_CONFIGURATIONS := default least two three five most
$(foreach c,$(HUB_CONTROL_CONFIGURATIONS),$(call configuration,hub-control-$(c),moehub_hub_control,rtl/hub.f,$(HUB_CONTROL_$(c))))

# The tile tracker with its registers; and these alone.
tile_tracker_unit = $(call configuration,hub-tile-tracker-unit-$(1),moehub_tile_tracker_unit,rtl/hub.f,$(2))
$(call tile_tracker_unit,default,)
$(call tile_tracker_unit,least,LINKS=1 GPUS=2 CONTEXTS=1 LOCAL_EXPERTS=1 SLOT_WIDTH=1 OFFSET_WIDTH=7 ADDRESS_WIDTH=32 TILES=1 \
	TOKENS=1)
$(call configuration,hub-tile-tracker-csr,moehub_tile_tracker_csr,rtl/hub.f,)
$(call configuration,hub-tile-tracker-csr-most,moehub_tile_tracker_csr,rtl/hub.f,CONTEXTS=8 TILES=65536 TOKENS=65536)

# Small parts of the whole hub: of every number of links.
$(foreach n,1 2 3 4,$(call configuration,notice-arbiter-$(n),moehub_notice_arbiter,rtl/hub.f,LINKS=$(n))\
	$(call configuration,hub-window-$(n),moehub_hub_window,rtl/hub.f,LINKS=$(n)))
$(call configuration,list-port,moehub_list_port,rtl/hub.f,)
$(call configuration,list-port-wide,moehub_list_port,rtl/hub.f,ADDRESS_WIDTH=64)

# The whole hub: as built, smallest, odd, four links.
HUB_TOP_default :=
HUB_TOP_least := LINKS=1 GPUS=2 CONTEXTS=1 LOCAL_EXPERT_BITS=0 LOCAL_EXPERTS=1 MAX_TARGETS=1 REQUEST_LINES=1 ROW_INDEX_WIDTH=1 \
	SLOT_WIDTH=1 OFFSET_WIDTH=7 ADDRESS_WIDTH=32 SETS=1 WAYS=1 PENDING=1 WAITING=2 AXI_DATA_WIDTH=32 PLACES_STORE=14 \
	PLACES_REQUEST=5 PLACES_RESPONSE=17 LOOP_PLACES=17 LOOP_SHARE=1 ANSWERS=1 REQUEST_ANSWERS=1 WRITES=2 READ_LINES=1 \
	PARTIAL_ROWS=9 NOTICES=2 TILES=1 TOKENS=1 ROWS=1 LINES=1 STORE_BYTES=16 REDUCES=1 FINAL_GROUPS=1
HUB_TOP_odd := LINKS=3 GPUS=5 CONTEXTS=3 LOCAL_EXPERT_BITS=3 LOCAL_EXPERTS=7 MAX_TARGETS=9 REQUEST_LINES=2 ROW_INDEX_WIDTH=13 \
	SLOT_WIDTH=9 OFFSET_WIDTH=10 ADDRESS_WIDTH=41 SETS=4 WAYS=3 REPLACEMENT=1 PENDING=3 WAITING=5 AXI_DATA_WIDTH=64 \
	PLACES_STORE=37 PLACES_REQUEST=11 PLACES_RESPONSE=23 LOOP_PLACES=19 LOOP_SHARE=8 ANSWERS=7 REQUEST_ANSWERS=13 WRITES=9 \
	READ_LINES=5 LANE_BYTES=32 PARTIAL_ROWS=11 NOTICES=3 TILES=33 TOKENS=65 ROWS=5 LINES=7 STORE_BYTES=64 REDUCES=3 \
	FINAL_GROUPS=3 WITH_FP32=0
HUB_TOP_four := LINKS=4 LANE_BYTES=32 READ_LINES=192 STORE_BYTES=128
HUB_TOP_CONFIGURATIONS := odd default least four
LARGE_CONFIGURATIONS += hub-top-default hub-top-four
$(foreach c,$(HUB_TOP_CONFIGURATIONS),$(call configuration,hub-top-$(c),moehub_hub_top,rtl/hub.f,$(HUB_TOP_$(c))))
