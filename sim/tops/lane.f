// SPDX-License-Identifier: Apache-2.0
-f rtl/arithmetic.f
rtl/common/moehub_memory_1r1w.v
sim/tops/lane.v
