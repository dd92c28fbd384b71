// SPDX-License-Identifier: Apache-2.0
-f rtl/hub.f
sim/tops/packet_manager_close.v
