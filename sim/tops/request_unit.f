// SPDX-License-Identifier: Apache-2.0
-f rtl/switch.f
sim/tops/request_unit.v
