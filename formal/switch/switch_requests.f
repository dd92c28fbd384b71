// SPDX-License-Identifier: Apache-2.0
// The whole switch plane without registers and arithmetic, its large memories cut short.
-f rtl/switch.f
formal/switch/formal_requests_memory.vh
formal/switch/formal_small_lanes.vh
formal/switch/formal_stores_buffer_csr.vh
formal/switch/formal_stores_port_csr.vh
formal/switch/formal_stores_plane_csr.vh
