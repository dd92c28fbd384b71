# SPDX-License-Identifier: Apache-2.0
# Common parts.
$(call synth,fifo,moehub_fifo,rtl/common.f,DEPTH=4 WIDTH=40)
$(call synth,skid-buffer,moehub_skid_buffer,rtl/common.f,WIDTH=40)
$(call synth,arbiter,moehub_arbiter,rtl/common.f,PORTS=16)
$(call synth,memory,moehub_memory_1r1w,rtl/common.f,DEPTH=512 WIDTH=32 PARITY=4)
# Ends of a link, of a switch with 64 ports; the store of the store class.
$(call synth,packet-store,moehub_packet_store,rtl/common.f,)
$(call synth,link-sender,moehub_link_sender,rtl/common.f,)
$(call synth,link-receiver,moehub_link_receiver,rtl/common.f,PORTS=64)
