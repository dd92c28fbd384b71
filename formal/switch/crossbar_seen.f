// SPDX-License-Identifier: Apache-2.0
// The crossbar without its copy buffers.
-f rtl/switch.f
formal/switch/formal_seen_copies.vh
