// SPDX-License-Identifier: Apache-2.0
// The reduction buffer with small sums instead of elements and the commands replaced by wires.
rtl/common/moehub_fifo.v
rtl/common/moehub_memory_1r1w.v
rtl/common/moehub_skid_buffer.v
rtl/common/moehub_memory_fifo.v
rtl/switch/moehub_reduction_free_list.v
rtl/switch/moehub_reduction_flags.v
rtl/switch/moehub_reduction_reserve.v
rtl/switch/moehub_reduction_check.v
rtl/switch/moehub_reduction_timeout.v
rtl/switch/moehub_reduction_schedule.v
rtl/switch/moehub_reduction_waiting.v
formal/switch/formal_small_lanes.v
rtl/switch/moehub_result_queue.v
rtl/switch/moehub_reduction_result.v
formal/switch/formal_free_command.v
rtl/switch/moehub_reduction_report.v
rtl/switch/moehub_reduction_buffer.v
formal/common/formal_stream_assume.v
formal/common/formal_stream_assert.v
