// SPDX-License-Identifier: Apache-2.0
// Sums of partials: what the switch and the hub share. Stands on common.f and arithmetic.f, which its users name.
+incdir+rtl/include
rtl/switch/moehub_reduction_buffer.v
rtl/switch/moehub_reduction_check.v
rtl/switch/moehub_reduction_command.v
rtl/switch/moehub_reduction_flags.v
rtl/switch/moehub_reduction_free_list.v
rtl/switch/moehub_reduction_groups.v
rtl/switch/moehub_reduction_lanes.v
rtl/switch/moehub_reduction_limit.v
rtl/switch/moehub_reduction_missing.v
rtl/switch/moehub_reduction_report.v
rtl/switch/moehub_reduction_reserve.v
rtl/switch/moehub_reduction_result.v
rtl/switch/moehub_reduction_schedule.v
rtl/switch/moehub_reduction_timeout.v
rtl/switch/moehub_reduction_waiting.v
rtl/switch/moehub_result_queue.v
rtl/switch/moehub_switch_csr.v
