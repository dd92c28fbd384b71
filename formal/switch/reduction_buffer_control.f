// SPDX-License-Identifier: Apache-2.0
// The reduction buffer with small sums instead of elements and the commands replaced by wires.
-f rtl/switch.f
formal/switch/formal_small_lanes.vh
formal/switch/formal_free_command.vh
formal/common/formal_stream_assume.v
formal/common/formal_stream_assert.v
