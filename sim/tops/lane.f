// SPDX-License-Identifier: Apache-2.0
-f rtl/common.f
-f rtl/arithmetic.f
sim/tops/lane.v
