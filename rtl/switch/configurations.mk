# SPDX-License-Identifier: Apache-2.0
# Named configurations of the reduction buffer: the ends of every range, odd values, and the two of the specification (64k, 512).
reduction = $(call configuration,reduction-$(1),moehub_reduction_buffer,rtl/switch.f,$(2))
REDUCTION_CONFIGURATIONS := two least three seventeen five half long single nine 64k 512 wide most

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

# Groups of several lines, with what can hold them: the plane's, the smallest, neighbours. Not yet in a bench.
$(call reduction,groups-plane,ENTRIES=104 PORTS=8 TAG_WIDTH=31 REQUEST_LINES=8 QUARANTINE=1 WITH_RELEASE=1)
$(call reduction,groups-one,ENTRIES=8 PORTS=2 PAYLOAD_BYTES=16 FLIT_BYTES=4 MAX_CONTRIBUTORS=1 WITH_FP32=0 GENERATION_WIDTH=1 \
    TAG_WIDTH=1 REQUEST_LINES=8 QUARANTINE=1 WITH_RELEASE=1)
$(call reduction,groups-three,ENTRIES=6 PORTS=5 PAYLOAD_BYTES=24 FLIT_BYTES=8 MAX_CONTRIBUTORS=3 WITH_FP32=1 \
    GENERATION_WIDTH=3 TAG_WIDTH=33 REQUEST_LINES=2 QUARANTINE=1 WITH_RELEASE=0)
$(call reduction,groups-released,ENTRIES=12 PORTS=5 PAYLOAD_BYTES=256 FLIT_BYTES=64 MAX_CONTRIBUTORS=3 WITH_FP32=0 \
    GENERATION_WIDTH=2 TAG_WIDTH=31 REQUEST_LINES=4 QUARANTINE=0 WITH_RELEASE=1 PARITY=3)
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
