// SPDX-License-Identifier: Apache-2.0
// The reduction buffer with small sums, the commands replaced by wires, timeouts at any time, reservations at once.
-f rtl/switch.f
formal/switch/formal_free_free_list.vh
formal/switch/formal_free_reserve.vh
formal/switch/formal_free_timeout.vh
formal/switch/formal_small_lanes.vh
formal/switch/formal_free_command.vh
formal/common/formal_stream_assume.v
formal/common/formal_stream_assert.v
