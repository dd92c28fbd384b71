// SPDX-License-Identifier: Apache-2.0
-f rtl/switch.f
sim/tops/crossbar_stores.v
sim/tops/crossbar.v
