# SPDX-License-Identifier: Apache-2.0
# Common parts: every size from one, neighbours of powers of two among them.
COMMON_SIZES := 1 2 3 5 8 16 64
$(foreach n,$(COMMON_SIZES),$(call configuration,fifo-$(n),moehub_fifo,rtl/common.f,DEPTH=$(n) WIDTH=40))
$(foreach n,$(COMMON_SIZES),$(call configuration,skid-$(n),moehub_skid_buffer,rtl/common.f,WIDTH=$(n)))
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
