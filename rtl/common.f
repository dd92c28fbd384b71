// SPDX-License-Identifier: Apache-2.0
+incdir+rtl/include
rtl/common/moehub_arbiter.v
rtl/common/moehub_axi_lite_slave.v
rtl/common/moehub_count_ones.v
rtl/common/moehub_csr_bank.v
rtl/common/moehub_error_latch.v
rtl/common/moehub_event_counters.v
rtl/common/moehub_fifo.v
rtl/common/moehub_free_list.v
rtl/common/moehub_lowest_one.v
rtl/common/moehub_memory_1r1w.v
rtl/common/moehub_memory_fifo.v
rtl/common/moehub_one_hot_index.v
rtl/common/moehub_one_hot_mux.v
rtl/common/moehub_skid_buffer.v
