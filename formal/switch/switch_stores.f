// SPDX-License-Identifier: Apache-2.0
// The whole switch plane without reduction buffers and registers.
-f rtl/switch.f
formal/switch/formal_stores_buffer.vh
formal/switch/formal_stores_buffer_csr.vh
formal/switch/formal_stores_port_csr.vh
formal/switch/formal_stores_plane_csr.vh
