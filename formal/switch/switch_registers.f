// SPDX-License-Identifier: Apache-2.0
// The whole switch plane, of which nothing but its register buses is left.
-f rtl/switch.f
formal/switch/formal_registers_port.vh
formal/switch/formal_registers_plane.vh
formal/switch/formal_registers_crossbar.vh
formal/switch/formal_registers_state.vh
formal/switch/formal_seen_registers.v
formal/common/formal_stream_assume.v
formal/common/formal_stream_assert.v
