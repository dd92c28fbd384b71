# SPDX-License-Identifier: Apache-2.0
# Named configurations of the reduction buffer: the ends of every range, odd values, and the two of the specification (64k, 512).
reduction = $(call configuration,reduction-$(1),moehub_reduction_buffer,rtl/switch.f,$(2))
REDUCTION_CONFIGURATIONS := two least three seventeen five half long single nine 64k 512 wide most \
    groups-lines groups-three groups-one groups-released groups-eight quarantine-three

$(call reduction,64k,ENTRIES=107)
$(call reduction,512,ENTRIES=512)
$(call reduction,least,ENTRIES=1 PORTS=2 PAYLOAD_BYTES=16 FLIT_BYTES=4 MAX_CONTRIBUTORS=1 WITH_FP32=0 GENERATION_WIDTH=1 \
    TAG_WIDTH=1)
$(call reduction,two,ENTRIES=2 PORTS=3 PAYLOAD_BYTES=16 FLIT_BYTES=16 MAX_CONTRIBUTORS=2 WITH_FP32=1 GENERATION_WIDTH=2 \
    TAG_WIDTH=64)
$(call reduction,three,ENTRIES=3 PORTS=5 PAYLOAD_BYTES=24 FLIT_BYTES=8 MAX_CONTRIBUTORS=3 WITH_FP32=0 GENERATION_WIDTH=3 \
    TAG_WIDTH=33)
# More results than its small result queue holds: they wait in their entries often.
$(call reduction,seventeen,ENTRIES=17 PORTS=5 PAYLOAD_BYTES=24 FLIT_BYTES=8 MAX_CONTRIBUTORS=3 WITH_FP32=0 GENERATION_WIDTH=3 \
    TAG_WIDTH=33)
$(call reduction,five,ENTRIES=5 PORTS=5 PAYLOAD_BYTES=64 FLIT_BYTES=64 MAX_CONTRIBUTORS=64 WITH_FP32=1 GENERATION_WIDTH=4)
$(call reduction,half,ENTRIES=5 PORTS=64 PAYLOAD_BYTES=100 FLIT_BYTES=4 MAX_CONTRIBUTORS=2 WITH_FP32=0 GENERATION_WIDTH=7 \
    TAG_WIDTH=16)
$(call reduction,wide,ENTRIES=107 PORTS=64 PAYLOAD_BYTES=256 FLIT_BYTES=32 MAX_CONTRIBUTORS=64 WITH_FP32=1 GENERATION_WIDTH=8)
$(call reduction,long,ENTRIES=3 PORTS=64 PAYLOAD_BYTES=256 FLIT_BYTES=8 MAX_CONTRIBUTORS=64 WITH_FP32=1 GENERATION_WIDTH=6)
# One entry of as many flits as a partial can have; and one entry more than eight whose result fits the queue at once.
$(call reduction,single,ENTRIES=1 PORTS=5 PAYLOAD_BYTES=256 FLIT_BYTES=4 MAX_CONTRIBUTORS=4 WITH_FP32=1 GENERATION_WIDTH=2 \
    TAG_WIDTH=9)
$(call reduction,nine,ENTRIES=9 PORTS=6 PAYLOAD_BYTES=16 FLIT_BYTES=16 MAX_CONTRIBUTORS=5 WITH_FP32=1 GENERATION_WIDTH=3 \
    TAG_WIDTH=12)
$(call reduction,most,ENTRIES=4096 PORTS=64 PAYLOAD_BYTES=16 FLIT_BYTES=8 MAX_CONTRIBUTORS=64 WITH_FP32=1 GENERATION_WIDTH=8)

# Groups of several lines, with what can hold them: the plane's, the smallest, neighbours.
$(call reduction,groups-plane,ENTRIES=104 PORTS=8 TAG_WIDTH=31 REQUEST_LINES=8 QUARANTINE=1 WITH_RELEASE=1)
$(call reduction,groups-one,ENTRIES=8 PORTS=2 PAYLOAD_BYTES=16 FLIT_BYTES=4 MAX_CONTRIBUTORS=1 WITH_FP32=0 GENERATION_WIDTH=1 \
    TAG_WIDTH=1 REQUEST_LINES=8 QUARANTINE=1 WITH_RELEASE=1)
$(call reduction,groups-three,ENTRIES=6 PORTS=5 PAYLOAD_BYTES=24 FLIT_BYTES=8 MAX_CONTRIBUTORS=3 WITH_FP32=1 \
    GENERATION_WIDTH=3 TAG_WIDTH=33 REQUEST_LINES=2 QUARANTINE=1 WITH_RELEASE=0)
$(call reduction,groups-released,ENTRIES=12 PORTS=5 PAYLOAD_BYTES=256 FLIT_BYTES=64 MAX_CONTRIBUTORS=3 WITH_FP32=0 \
    GENERATION_WIDTH=2 TAG_WIDTH=31 REQUEST_LINES=4 QUARANTINE=0 WITH_RELEASE=1 PARITY=3)
$(call reduction,groups-eight,ENTRIES=24 PORTS=4 PAYLOAD_BYTES=32 FLIT_BYTES=16 MAX_CONTRIBUTORS=3 WITH_FP32=0 \
    GENERATION_WIDTH=2 TAG_WIDTH=31 REQUEST_LINES=8 QUARANTINE=1 WITH_RELEASE=1)
$(call reduction,groups-lines,ENTRIES=4 PORTS=3 PAYLOAD_BYTES=16 FLIT_BYTES=16 MAX_CONTRIBUTORS=2 WITH_FP32=1 GENERATION_WIDTH=2 \
    TAG_WIDTH=31 REQUEST_LINES=2)
$(call reduction,quarantine-three,ENTRIES=3 PORTS=5 PAYLOAD_BYTES=24 FLIT_BYTES=8 MAX_CONTRIBUTORS=3 WITH_FP32=0 \
    GENERATION_WIDTH=3 TAG_WIDTH=31 QUARANTINE=1)

# The reduction buffer with its registers.
switch_unit = $(call configuration,switch-unit-$(1),moehub_switch_reduction_unit,rtl/switch.f,$(2))
SWITCH_UNIT_CONFIGURATIONS := three least 64k parity

$(call switch_unit,64k,ENTRIES=107)
$(call switch_unit,least,ENTRIES=1 PORTS=2 PAYLOAD_BYTES=16 FLIT_BYTES=4 MAX_CONTRIBUTORS=1 WITH_FP32=0 GENERATION_WIDTH=1 \
    TAG_WIDTH=1)
$(call switch_unit,three,ENTRIES=3 PORTS=5 PAYLOAD_BYTES=24 FLIT_BYTES=8 MAX_CONTRIBUTORS=3 WITH_FP32=1 GENERATION_WIDTH=3 \
    TAG_WIDTH=33)
# With parity, and the bench may look into the memories.
$(call switch_unit,parity,ENTRIES=3 PORTS=5 PAYLOAD_BYTES=24 FLIT_BYTES=8 MAX_CONTRIBUTORS=3 WITH_FP32=1 GENERATION_WIDTH=3 \
    TAG_WIDTH=33 PARITY=1)
switch-unit-parity.memories := 1

# Blocks of a switch port around the crossbars: the default, the ends of every range, odd values.
$(call configuration,egress,moehub_egress,rtl/switch.f,)
$(call configuration,egress-least,moehub_egress,rtl/switch.f,BOUND=2)
$(call configuration,egress-odd,moehub_egress,rtl/switch.f,BOUND=3)
$(call configuration,egress-most,moehub_egress,rtl/switch.f,BOUND=64)
$(call configuration,egress-turns,moehub_egress,rtl/switch.f,ROUND_ROBIN=1)
$(foreach n,1 2 4 8,$(call configuration,result-packer-$(n),moehub_result_packer,rtl/switch.f,REQUEST_LINES=$(n)))
$(call configuration,response-output,moehub_response_output,rtl/switch.f,)
$(call configuration,response-output-least,moehub_response_output,rtl/switch.f,PORTS=2 NOTICES=4)
$(call configuration,response-output-odd,moehub_response_output,rtl/switch.f,PORTS=3 NOTICES=7)
$(call configuration,response-output-most,moehub_response_output,rtl/switch.f,PORTS=64 NOTICES=64)
$(call configuration,request-unit,moehub_request_unit,rtl/switch.f,)
$(call configuration,request-unit-least,moehub_request_unit,rtl/switch.f,PORTS=2 REQUEST_LINES=1 GROUPS=1 PLACES=5)
$(call configuration,request-unit-odd,moehub_request_unit,rtl/switch.f,PORTS=7 REQUEST_LINES=2 GROUPS=3 PLACES=63)
$(call configuration,request-unit-four,moehub_request_unit,rtl/switch.f,PORTS=33 REQUEST_LINES=4 GROUPS=17 PLACES=65)
$(call configuration,request-unit-most,moehub_request_unit,rtl/switch.f,PORTS=64 REQUEST_LINES=1 GROUPS=4096 PLACES=8191)
$(call configuration,places-share,moehub_places_share,rtl/switch.f,)
$(call configuration,places-share-least,moehub_places_share,rtl/switch.f,NAME_WIDTH=1 FREE_WIDTH=1)
$(foreach n,1 2 3 16 31 8191,$(call configuration,fullest-inputs-$(n),moehub_fullest_inputs,rtl/switch.f,PORTS=3 PLACES=$(n)))
$(foreach n,1 2 8 33 64,$(call configuration,fullest-inputs-of-$(n),moehub_fullest_inputs,rtl/switch.f,PORTS=$(n)))
$(call configuration,port-state,moehub_port_state,rtl/switch.f,)
$(foreach n,2 3 8 64,$(call configuration,plane-state-$(n),moehub_plane_state,rtl/switch.f,PORTS=$(n)))
# The crossbars of a switch as built: multicast (the defaults), request, response; then the ends of the ranges and odd values.
crossbar = $(call configuration,crossbar-$(1),moehub_crossbar,rtl/switch.f,$(2))

$(call crossbar,multicast)
$(call crossbar,request,DATA_WIDTH=32 WITH_TAG=1 PLACES=256 PACKETS=256 COPIES=256)
$(call crossbar,response,JOIN=0 WITH_IDS=0 PLACES=2048 PACKETS=2048 AHEAD=9)
$(call crossbar,least,PORTS=2 LOCAL_EXPERT_BITS=0 MAX_TARGETS=1 PLACES=1 PACKETS=1 COPIES=12 SLOTS=2 AHEAD=3)
$(call crossbar,least-response,PORTS=2 JOIN=0 WITH_IDS=0 PLACES=1 PACKETS=1 AHEAD=3)
$(call crossbar,odd,PORTS=9 LOCAL_EXPERT_BITS=3 MAX_TARGETS=13 PLACES=37 PACKETS=12 COPIES=13 SLOTS=3 AHEAD=7)
$(call crossbar,odd-request,PORTS=3 DATA_WIDTH=64 WITH_TAG=1 JOIN=0 MAX_TARGETS=9 PLACES=5 PACKETS=5 COPIES=17 SLOTS=5 AHEAD=4)
$(call crossbar,odd-response,PORTS=17 JOIN=1 WITH_IDS=0 PLACES=63 PACKETS=63 AHEAD=5)
LARGE_CONFIGURATIONS += crossbar-most
$(call crossbar,most,PORTS=64 PLACES=8191 PACKETS=2730 COPIES=4096 SLOTS=16 AHEAD=7)
# Registers of the plane.
$(foreach n,2 3 64,$(call configuration,switch-plane-csr-$(n),moehub_switch_plane_csr,rtl/switch.f,PORTS=$(n))\
    $(call configuration,switch-address-$(n),moehub_switch_address,rtl/switch.f,PORTS=$(n)))
$(call configuration,switch-port-csr,moehub_switch_port_csr,rtl/switch.f)
# The whole plane: the smallest of everything, odd sizes, the defaults.
switch = $(call configuration,switch-$(1),moehub_switch_top,rtl/switch.f,$(2))

$(call switch,two,PORTS=2 REQUEST_LINES=8 GROUPS=1 PLACES_STORE=14 PLACES_REQUEST=5 PLACES_RESPONSE=17 COPIES=12 SLOTS=2 \
    REQUEST_SLOTS=2 NOTICES=4 BOUND=2 WITH_FP32=0)
$(call switch,three,PORTS=3 LOCAL_EXPERT_BITS=3 MAX_TARGETS=13 REQUEST_LINES=2 GROUPS=3 PLACES_STORE=63 PLACES_REQUEST=17 \
    PLACES_RESPONSE=65 COPIES=33 SLOTS=3 REQUEST_SLOTS=3 NOTICES=5 BOUND=5 GENERATION_WIDTH=3)
# Icarus takes minutes for eight ports.
LARGE_CONFIGURATIONS += switch-eight
$(call switch,eight,PORTS=8 REQUEST_LINES=8 GROUPS=13)
# What is measured only: fewer places for responses; more for stores; more for responses, with 256 entries; 32 ports with both.
LARGE_CONFIGURATIONS += switch-eight-1024 switch-eight-2560 switch-eight-256 switch-thirty-two switch-thirty-two-256
$(call switch,eight-1024,PORTS=8 REQUEST_LINES=8 GROUPS=13 PLACES_RESPONSE=1024)
$(call switch,eight-2560,PORTS=8 REQUEST_LINES=8 GROUPS=13 PLACES_STORE=2560)
$(call switch,eight-256,PORTS=8 REQUEST_LINES=8 GROUPS=32 PLACES_RESPONSE=4096)
$(call switch,thirty-two,PORTS=32 REQUEST_LINES=8 GROUPS=13)
$(call switch,thirty-two-256,PORTS=32 REQUEST_LINES=8 GROUPS=32 PLACES_RESPONSE=4096)
