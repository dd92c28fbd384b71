# SPDX-License-Identifier: Apache-2.0
# Tops that prove the kit itself.
$(call configuration,axi-kit-128,axi_kit,sim/tops/axi_kit.f,DATA_WIDTH=128 ID_WIDTH=4)
$(call configuration,axi-kit-32,axi_kit,sim/tops/axi_kit.f,DATA_WIDTH=32 ID_WIDTH=1)
$(call configuration,axi-kit-512,axi_kit,sim/tops/axi_kit.f,DATA_WIDTH=512 ID_WIDTH=8 ADDRESS_WIDTH=48)

# The main job: one hub and one switch port, sized for every model preset on 2 GPUs and more.
$(call configuration,main-job,main_job,sim/tops/main_job.f,LOCAL_EXPERTS=512 OFFSET_WIDTH=15)

# Both ends of a link: as built, odd, the smallest stores that there may be, the widest set of ports, and at a hub.
LINK_TOP = $(call configuration,link$(1),link,sim/tops/link.f,$(2))
$(call LINK_TOP)
$(call LINK_TOP,-odd,$(LINK_ODD) PLACES_STORE=37 PLACES_REQUEST=13 PLACES_RESPONSE=61 TARGET_QUEUE=5)
$(call LINK_TOP,-smallest,$(LINK_SMALL) PLACES_STORE=14 PLACES_REQUEST=5 PLACES_RESPONSE=17 TARGET_QUEUE=4)
$(call LINK_TOP,-large,$(LINK_LARGE) PLACES_STORE=1000 PLACES_REQUEST=300 PLACES_RESPONSE=70)
$(call LINK_TOP,-hub,$(LINK_HUB) PLACES_STORE=128 PLACES_REQUEST=64 PLACES_RESPONSE=64 SHORTEST_STORE=2)
$(call LINK_TOP,-hub-small,$(LINK_HUB_SMALL) PLACES_STORE=15 PLACES_REQUEST=6 PLACES_RESPONSE=18 SHORTEST_STORE=2 TARGET_QUEUE=0)

# A crossbar with its stores: of stores, of requests, of responses, each from the smallest pools on. `eight` has the sizes of the
# specification, and so have `thirty-two` and `sixty-four`, which are measured only.
stored_crossbar = $(call configuration,stored-crossbar-$(1),crossbar,sim/tops/crossbar.f,$(2))
CROSSBAR_CONFIGURATIONS := three least eight requests requests-least requests-wide responses responses-least

$(call stored_crossbar,least,PORTS=2 PLACES=14 PACKETS=4 TARGET_QUEUE=4 COPIES=12 SLOTS=2 AHEAD=3)
$(call stored_crossbar,three,PORTS=3 LONGEST=13 PLACES=400 PACKETS=133 TARGET_QUEUE=5 LOCAL_EXPERT_BITS=4 MAX_TARGETS=17 \
	COPIES=60 SLOTS=3 AHEAD=5)
# What is mutated: the smallest in which arrival numbers wrap.
$(call stored_crossbar,four,PORTS=4 LONGEST=13 PLACES=640 PACKETS=213 TARGET_QUEUE=5 LOCAL_EXPERT_BITS=4 MAX_TARGETS=17 \
	COPIES=60 SLOTS=3 AHEAD=5)
$(call stored_crossbar,eight,PORTS=8)
$(call stored_crossbar,thirty-two,PORTS=32)
$(call stored_crossbar,sixty-four,PORTS=64)
LARGE_CONFIGURATIONS += stored-crossbar-thirty-two stored-crossbar-sixty-four
CROSSBAR_REQUESTS := LONGEST=5 SHORTEST=1 TARGET_QUEUE=0 WITH_TAG=1
$(call stored_crossbar,requests,PORTS=4 $(CROSSBAR_REQUESTS) DATA_WIDTH=32 PLACES=256 PACKETS=256 COPIES=256)
$(call stored_crossbar,requests-least,PORTS=2 $(CROSSBAR_REQUESTS) DATA_WIDTH=32 PLACES=5 PACKETS=5 COPIES=12 SLOTS=2 AHEAD=3)
$(call stored_crossbar,requests-wide,PORTS=5 $(CROSSBAR_REQUESTS) DATA_WIDTH=64 PLACES=31 PACKETS=31 COPIES=14 \
	SLOTS=5 LOCAL_EXPERT_BITS=0)
CROSSBAR_RESPONSES := LONGEST=17 SHORTEST=1 TARGET_QUEUE=0 JOIN=0 WITH_IDS=0
$(call stored_crossbar,responses,PORTS=5 $(CROSSBAR_RESPONSES) PLACES=1024 PACKETS=1024 AHEAD=9)
$(call stored_crossbar,responses-least,PORTS=3 $(CROSSBAR_RESPONSES) PLACES=17 PACKETS=17 AHEAD=3)

# A request unit beside a crossbar at one store: the smallest, odd, as built, the widest set of ports.
shared_request_unit = $(call configuration,shared-request-unit-$(1),request_unit,sim/tops/request_unit.f,$(2))
REQUEST_UNIT_CONFIGURATIONS := least odd eight wide

$(call shared_request_unit,least,PORTS=2 REQUEST_LINES=1 GROUPS=1 PLACES=5)
$(call shared_request_unit,odd,PORTS=7 REQUEST_LINES=2 GROUPS=3 PLACES=63)
$(call shared_request_unit,eight,)
$(call shared_request_unit,wide,PORTS=64 REQUEST_LINES=4 GROUPS=17 PLACES=300)

# The tile tracker with what its model is told: a small one, an odd one, the smallest.
watched_tracker = $(call configuration,tile-tracker-$(1),tile_tracker,sim/tops/tile_tracker.f,$(2))
TILE_TRACKER_CONFIGURATIONS := small odd least
$(call watched_tracker,small,LINKS=2 GPUS=4 CONTEXTS=3 LOCAL_EXPERTS=4 TILES=64 TOKENS=64)
$(call watched_tracker,odd,LINKS=3 GPUS=5 CONTEXTS=5 LOCAL_EXPERTS=3 SLOT_WIDTH=13 OFFSET_WIDTH=9 ADDRESS_WIDTH=37 TILES=37 \
	TOKENS=41)
$(call watched_tracker,least,LINKS=1 GPUS=2 CONTEXTS=1 LOCAL_EXPERTS=1 SLOT_WIDTH=4 OFFSET_WIDTH=7 ADDRESS_WIDTH=32 TILES=1 \
	TOKENS=1)

# The stores of a way with its check.
$(foreach c,$(WAY_STORES_CONFIGURATIONS),$(call configuration,watched-stores-$(c),way_stores,sim/tops/way_stores.f,\
	$(WAY_STORES_$(c)) $(WAY_GPUS_$(c))))

# A way, its fields as ports.
$(foreach c,$(WAY_CONFIGURATIONS),$(call configuration,watched-way-$(c),way,sim/tops/way.f,$(WAY_$(c))))

# The packet manager with what its model is told: a small one, an odd one, the smallest, two and three of all, four links, whole
# lines at once.
watched_manager = $(call configuration,packet-manager-$(1),packet_manager,sim/tops/packet_manager.f,$(2))
PACKET_MANAGER_CONFIGURATIONS := small odd least two three four wide default four-links
$(call watched_manager,default,)
$(call watched_manager,four-links,LINKS=4 STORE_BYTES=128)
$(call watched_manager,small,LINKS=2 GPUS=4 CONTEXTS=3 ROWS=6 LINES=20 OFFSET_WIDTH=10)
$(call watched_manager,odd,LINKS=3 GPUS=5 CONTEXTS=5 LOCAL_EXPERT_BITS=3 MAX_TARGETS=9 ROWS=5 LINES=7 OFFSET_WIDTH=9 \
	ROW_INDEX_WIDTH=17 ADDRESS_WIDTH=37 STORE_BYTES=64)
$(call watched_manager,least,LINKS=1 GPUS=2 CONTEXTS=1 LOCAL_EXPERT_BITS=0 MAX_TARGETS=1 ROWS=1 LINES=1 OFFSET_WIDTH=7 \
	ROW_INDEX_WIDTH=4 ADDRESS_WIDTH=32 STORE_BYTES=16)
$(call watched_manager,two,LINKS=2 GPUS=2 CONTEXTS=2 LOCAL_EXPERT_BITS=1 MAX_TARGETS=2 ROWS=2 LINES=2 OFFSET_WIDTH=8 \
	ROW_INDEX_WIDTH=5 ADDRESS_WIDTH=33 STORE_BYTES=32)
$(call watched_manager,three,LINKS=3 GPUS=3 CONTEXTS=3 LOCAL_EXPERT_BITS=3 MAX_TARGETS=11 ROWS=3 LINES=3 OFFSET_WIDTH=9 \
	ROW_INDEX_WIDTH=13 ADDRESS_WIDTH=37 STORE_BYTES=64)
$(call watched_manager,four,LINKS=4 GPUS=8 ROWS=16 LINES=64 OFFSET_WIDTH=11 STORE_BYTES=128)
$(call watched_manager,wide,GPUS=64 CONTEXTS=8 ROWS=64 LINES=256 OFFSET_WIDTH=16 ROW_INDEX_WIDTH=32 ADDRESS_WIDTH=64)

# What ends its contexts: as built, smallest, odd, largest.
PACKET_CLOSE_default :=
PACKET_CLOSE_least := LINKS=1 GPUS=2 CONTEXTS=1
PACKET_CLOSE_odd := LINKS=3 GPUS=5 CONTEXTS=5
PACKET_CLOSE_most := LINKS=4 GPUS=64 CONTEXTS=8
PACKET_CLOSE_CONFIGURATIONS := default least odd most
$(foreach c,$(PACKET_CLOSE_CONFIGURATIONS),$(call configuration,packet-close-$(c),moehub_packet_manager_close,\
	rtl/hub.f,$(PACKET_CLOSE_$(c))))

# The layer: a switch plane, as often as a hub has links, and a hub for each of its ports (NAME.models of the bench).
$(call configuration,layer-two,moehub_switch_top,rtl/switch.f,PORTS=2)
LAYER_EIGHTS := eight eight-two-planes eight-four-planes eight-sixteen-stores eight-sixteen-lines
LAYER_SWITCH := GROUPS=32 PLACES_RESPONSE=4096
LAYER_HUB := CONTEXTS=3 TOKENS=256 ANSWERS=256 LANE_BYTES=32 READ_LINES=192 PARTIAL_ROWS=72 FINAL_GROUPS=32
# With 1, 2, .. links: bytes of a store, what they can carry; the loop-back's share of a link, which is for all of them.
LAYER_STORE_BYTES := 32 64 128 128
LAYER_LOOP_SHARE := 4 2 2 2
# $(call sized_layer,NAME,GPUS,LINKS,LOCAL_EXPERTS,hub's parameters beside)
define sized_layer
$(call configuration,layer-$(1),moehub_switch_top,rtl/switch.f,PORTS=$(2) $(LAYER_SWITCH))
$(call configuration,layer-hub-$(1),hub,sim/tops/hub.f,LINKS=$(3) GPUS=$(2) LOCAL_EXPERTS=$(strip $(4)) $(LAYER_HUB) \
	$(if $(filter STORE_BYTES=%,$(5)),,STORE_BYTES=$(word $(3),$(LAYER_STORE_BYTES))) \
	LOOP_SHARE=$(word $(3),$(LAYER_LOOP_SHARE)) $(5))
endef
# Of eight; on several planes; with hubs that have room for 16 lines, instead of all lines of 8 open rows: with stores of 32
# bytes, and of lines.
$(call sized_layer,eight,8,1,32)
$(call sized_layer,eight-two-planes,8,2,32)
$(call sized_layer,eight-four-planes,8,4,32)
$(call sized_layer,eight-sixteen-stores,8,1,32,LINES=16)
$(call sized_layer,eight-sixteen-lines,8,1,32,LINES=16 STORE_BYTES=128)
# Of a user's own size: `make layer MODEL= GPUS= PLANES=`, with as many regions as models need and a packet can name.
ifneq ($(MODEL)$(GPUS)$(PLANES),)
LAYER_GPUS := $(filter $(or $(GPUS),8),$(shell seq 2 64))
LAYER_PLANES := $(filter $(or $(PLANES),1),1 2 3 4)
LAYER_OWN := $(and $(LAYER_GPUS),$(LAYER_PLANES),$(LAYER_GPUS)-gpus-$(LAYER_PLANES)-planes)
endif
ifneq ($(LAYER_OWN),)
$(call sized_layer,$(LAYER_OWN),$(LAYER_GPUS),$(LAYER_PLANES),\
	$(lastword $(wordlist 1,256,$(shell seq $$((895 / $(LAYER_GPUS) + 1))))))
endif
$(call configuration,layer-hub-two,hub,sim/tops/hub.f,GPUS=2 CONTEXTS=1 LOCAL_EXPERTS=32 LINES=64 TOKENS=256 LOOP_SHARE=1 \
	LANE_BYTES=32 READ_LINES=192)
$(call configuration,layer-three,moehub_switch_top,rtl/switch.f,PORTS=3 LOCAL_EXPERT_BITS=3 MAX_TARGETS=9 REQUEST_LINES=2 \
	GROUPS=1 PLACES_STORE=14 PLACES_REQUEST=5 PLACES_RESPONSE=17 COPIES=12 SLOTS=2 REQUEST_SLOTS=2 NOTICES=4 BOUND=2)
$(call configuration,layer-hub-three,hub,sim/tops/hub.f,LINKS=2 GPUS=3 CONTEXTS=3 LOCAL_EXPERT_BITS=3 LOCAL_EXPERTS=7 \
	MAX_TARGETS=9 REQUEST_LINES=2 ROW_INDEX_WIDTH=13 SLOT_WIDTH=9 OFFSET_WIDTH=10 ADDRESS_WIDTH=41 SETS=2 WAYS=1 PENDING=2 \
	WAITING=3 PLACES_STORE=14 PLACES_REQUEST=5 PLACES_RESPONSE=17 LOOP_PLACES=17 LOOP_SHARE=1 ANSWERS=3 REQUEST_ANSWERS=9 \
	WRITES=3 READ_LINES=3 PARTIAL_ROWS=9 NOTICES=2 TILES=65 TOKENS=65 ROWS=2 LINES=3 STORE_BYTES=64 REDUCES=1 FINAL_GROUPS=1)
# Every buffer of hub and switch at its smallest, for random runs: many GPUs, one of each; many links; odd numbers.
LAYER_LEAST_SWITCH := GROUPS=1 PLACES_STORE=14 PLACES_REQUEST=5 PLACES_RESPONSE=17 COPIES=12 SLOTS=2 REQUEST_SLOTS=2 NOTICES=4 \
	BOUND=2
LAYER_LEAST_HUB := SETS=1 WAYS=1 PENDING=1 WAITING=2 PLACES_STORE=14 PLACES_REQUEST=5 PLACES_RESPONSE=17 LOOP_PLACES=17 \
	LOOP_SHARE=1 ANSWERS=1 WRITES=2 READ_LINES=1 PARTIAL_ROWS=9 NOTICES=2 ROWS=1 LINES=1 REDUCES=1 FINAL_GROUPS=1 ADDRESS_WIDTH=32
$(call configuration,layer-sixteen,moehub_switch_top,rtl/switch.f,PORTS=16 LOCAL_EXPERT_BITS=1 MAX_TARGETS=3 REQUEST_LINES=1 \
	$(LAYER_LEAST_SWITCH))
$(call configuration,layer-hub-sixteen,hub,sim/tops/hub.f,LINKS=1 GPUS=16 CONTEXTS=3 LOCAL_EXPERT_BITS=1 LOCAL_EXPERTS=2 \
	MAX_TARGETS=3 REQUEST_LINES=1 REQUEST_ANSWERS=3 ROW_INDEX_WIDTH=8 SLOT_WIDTH=8 OFFSET_WIDTH=9 STORE_BYTES=16 TILES=64 \
	TOKENS=16 $(LAYER_LEAST_HUB))
$(call configuration,layer-least,moehub_switch_top,rtl/switch.f,PORTS=2 LOCAL_EXPERT_BITS=1 MAX_TARGETS=3 REQUEST_LINES=1 \
	$(LAYER_LEAST_SWITCH))
$(call configuration,layer-hub-least,hub,sim/tops/hub.f,LINKS=1 GPUS=2 CONTEXTS=1 LOCAL_EXPERT_BITS=1 LOCAL_EXPERTS=2 \
	MAX_TARGETS=3 REQUEST_LINES=1 REQUEST_ANSWERS=3 ROW_INDEX_WIDTH=4 SLOT_WIDTH=5 OFFSET_WIDTH=9 STORE_BYTES=16 TILES=16 \
	TOKENS=4 $(LAYER_LEAST_HUB))
# The same with two links: a layer of two GPUs on one, two and four planes.
$(call configuration,layer-pair,moehub_switch_top,rtl/switch.f,PORTS=2 LOCAL_EXPERT_BITS=1 MAX_TARGETS=3 REQUEST_LINES=1 \
	$(LAYER_LEAST_SWITCH))
$(call configuration,layer-hub-pair,hub,sim/tops/hub.f,LINKS=2 GPUS=2 CONTEXTS=1 LOCAL_EXPERT_BITS=1 LOCAL_EXPERTS=2 \
	MAX_TARGETS=3 REQUEST_LINES=1 REQUEST_ANSWERS=3 ROW_INDEX_WIDTH=4 SLOT_WIDTH=5 OFFSET_WIDTH=9 STORE_BYTES=16 TILES=16 \
	TOKENS=4 $(LAYER_LEAST_HUB))
$(call configuration,layer-links,moehub_switch_top,rtl/switch.f,PORTS=2 LOCAL_EXPERT_BITS=2 MAX_TARGETS=4 REQUEST_LINES=4 \
	$(LAYER_LEAST_SWITCH))
$(call configuration,layer-hub-links,hub,sim/tops/hub.f,LINKS=4 GPUS=2 CONTEXTS=1 LOCAL_EXPERT_BITS=2 LOCAL_EXPERTS=3 \
	MAX_TARGETS=4 REQUEST_LINES=4 REQUEST_ANSWERS=4 ROW_INDEX_WIDTH=6 SLOT_WIDTH=7 OFFSET_WIDTH=10 STORE_BYTES=128 TILES=63 \
	TOKENS=17 $(LAYER_LEAST_HUB))
$(call configuration,layer-five,moehub_switch_top,rtl/switch.f,PORTS=5 LOCAL_EXPERT_BITS=3 MAX_TARGETS=17 REQUEST_LINES=8 \
	$(LAYER_LEAST_SWITCH))
$(call configuration,layer-hub-five,hub,sim/tops/hub.f,LINKS=3 GPUS=5 CONTEXTS=5 LOCAL_EXPERT_BITS=3 LOCAL_EXPERTS=7 \
	MAX_TARGETS=17 REQUEST_LINES=8 REQUEST_ANSWERS=17 ROW_INDEX_WIDTH=9 SLOT_WIDTH=11 OFFSET_WIDTH=11 STORE_BYTES=32 TILES=99 \
	TOKENS=33 LANE_BYTES=32 $(LAYER_LEAST_HUB))
# Whole systems take a tool half a minute each.
LAYER_LARGE := $(LAYER_EIGHTS) $(LAYER_OWN) sixteen links five least pair
LARGE_CONFIGURATIONS += $(foreach n,$(LAYER_LARGE),layer-$(n) layer-hub-$(n))
$(foreach n,two three $(LAYER_LARGE),$(eval layer-$(n).models := hub:layer-hub-$(n)))

# A hub of 1, 2 and 4 links with its defaults, for the rate at which it takes rows.
$(foreach n,1 2 4,$(call configuration,hub-rate-$(n),hub,sim/tops/hub.f,LINKS=$(n) CONTEXTS=1 LOCAL_EXPERTS=32 TOKENS=16))
LARGE_CONFIGURATIONS += $(foreach n,1 2 4,hub-rate-$(n))

# Control of the hub with what its model is told.
$(foreach c,$(HUB_CONTROL_CONFIGURATIONS),$(call configuration,watched-control-$(c),hub_control,sim/tops/hub_control.f,\
	$(HUB_CONTROL_$(c))))

# Own partials, final_reduce of each link, and link 0's sums joined with answers: odd, the smallest, of all links, as built.
watched_final = $(call configuration,watched-final-$(1),final_reduce,sim/tops/final_reduce.f,$(2))
FINAL_REDUCE_CONFIGURATIONS := odd least two four default
$(call watched_final,odd,LINKS=3 FINAL_GROUPS=5 REQUEST_LINES=4 WITH_FP32=0)
$(call watched_final,least,LINKS=1 FINAL_GROUPS=1 REQUEST_LINES=1)
$(call watched_final,two,LINKS=2 FINAL_GROUPS=2 REQUEST_LINES=2)
$(call watched_final,four,LINKS=4 FINAL_GROUPS=3 REQUEST_LINES=8)
$(call watched_final,default,LINKS=1)
